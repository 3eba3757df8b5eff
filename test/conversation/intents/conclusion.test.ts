import { expect, test } from 'vitest';
import { type Conclusion, conclude } from '../../../src/conversation/intents/conclusion.ts';
import type { Fact } from '../../../src/conversation/intents/evidence.ts';
import { type IntentState, intentCodec, isOpen, learn } from '../../../src/conversation/intents/intent.ts';
import { intent, SENT_AT } from './sample.ts';

/**
 * The facts of the table, in short. `answer:7` is an accepted answer with operation 7. `webhook:7+` is a webhook with
 * our request id whose operation 7 reads as completed, `-` as failed, `~` as still open, `!` as another payment.
 * `read:` is the same without a webhook, `list:7` the only match, `key:7` the order's own key, and
 * `settled:succeeded:7` the settlement by two people.
 */
function factOf(word: string): Fact & { readonly owner?: string } {
  const [kind = '', ...parts] = word.split(':');
  const [first = '', second] = parts;
  const id = Number.parseInt(first, 10);
  const named = Number.isNaN(id) ? {} : { operationId: id };
  const sign = first.at(-1) ?? '';
  const ends =
    sign === '+' ? { ended: 'succeeded' as const } : sign === '-' ? { ended: 'failed' as const } : {};
  const operation = { id, ...ends, ...(sign === '!' && { isOther: true as const }) };
  switch (kind) {
    case 'answer':
      return { kind: 'answer', said: 'accepted', ...named };
    case 'final':
      return { kind: 'answer', said: 'accepted', isFinal: true, ...named };
    case 'rejected':
    case 'unsent':
    case 'unknown':
      return { kind: 'answer', said: kind };
    case 'silence':
      return { kind: 'no-answer' };
    case 'webhook':
      return { kind: 'webhook', event: second ?? 'transfer.received', operation };
    case 'theirs':
      return { kind: 'webhook', event: 'transfer.received', operation, owner: 'another' };
    case 'read':
      return { kind: 'read', operation };
    case 'key':
      return { kind: 'own-key', order: 'bill-payment', ...named, ...ends };
    case 'list':
      return { kind: 'only-match', operationId: id };
    case 'several':
      return { kind: 'several', operationIds: parts.map(Number) };
    case 'contested':
      return { kind: 'contested' };
    case 'alike':
      return { kind: 'look-alikes', operationIds: parts.map(Number) };
    case 'horizon':
      return { kind: 'horizon', ...named };
    case 'earlier':
      return { kind: 'earlier', state: first as IntentState, ...(second && { operationId: Number(second) }) };
    case 'settled':
      return {
        kind: 'settled',
        as: first as 'succeeded',
        by: 'nadia',
        approvedBy: 'omar',
        evidence: 'statement of the bank',
        proposedAt: 1,
        ...(second && { operationId: Number(second) }),
      };
    default:
      throw new Error(`no fact ${word}`);
  }
}

function learnt(words: string) {
  const facts = words.split(' ').filter(Boolean).map(factOf);
  return facts.reduce(
    (known, { owner, ...fact }, i) => learn(known, fact as Fact, SENT_AT + i, owner),
    intent(),
  );
}

/** The state in the table, such as `human double 7,8` with its operations, `succeeded 7`, or `succeeded 7 by list`. */
function shown({ state, operationId, isByList, trouble }: Conclusion): string {
  if (trouble) return `human ${trouble.kind} ${trouble.operationIds.join(',')}`.trim();
  return [state, operationId, isByList && 'by list'].filter(Boolean).join(' ');
}

test.each<[string, string]>([
  // One operation, one end.
  ['', 'sent'],
  ['answer', 'accepted'],
  ['answer:7', 'accepted 7'],
  ['unknown', 'unknown'],
  ['silence', 'unknown'],
  ['silence answer:7', 'accepted 7'],
  ['rejected', 'rejected'],
  ['unsent', 'unsent'],
  ['silence rejected', 'rejected'],
  ['final', 'succeeded'],
  ['final:7', 'succeeded 7'],
  ['answer:7 webhook:7+', 'succeeded 7'],
  ['webhook:7+ answer:7', 'succeeded 7'],
  ['webhook:7+ unknown', 'succeeded 7'],
  ['answer:7 webhook:7-', 'failed 7'],
  ['answer:7 webhook:7~', 'accepted 7'],
  ['webhook:7~', 'accepted 7'],
  ['key:7', 'accepted 7'],
  ['key:+', 'succeeded'],
  ['key:-', 'failed'],
  ['rejected webhook:7-', 'failed 7'],
  // An operation with our request id shows that the wallet has taken the payment, whatever its answer was.
  ['unsent webhook:7~', 'accepted 7'],
  ['rejected webhook:7~', 'accepted 7'],
  ['webhook:7~ rejected', 'accepted 7'],
  ['unsent webhook:7~ read:7+', 'human conflict 7'],
  ['unsent webhook:7~ read:7-', 'failed 7'],
  ['unsent list:7', 'unsent 7 by list'],
  // A match in the list is a guess.
  ['silence list:7', 'accepted 7 by list'],
  ['silence list:7 read:7+', 'succeeded 7 by list'],
  ['silence list:7 read:7+ webhook:7+', 'succeeded 7'],
  ['silence list:7 webhook:8+', 'succeeded 8'],
  ['silence list:7 read:7+ webhook:8+', 'succeeded 8'],
  ['silence list:7 read:7+ webhook:8+ webhook:7+', 'human double 8,7'],
  ['silence list:7 read:7+ webhook:8-', 'human conflict 8,7'],
  ['silence list:7 read:7- webhook:8+', 'human conflict 8,7'],
  // Money that comes back is the end of a success, however often it is said.
  ['webhook:7+ webhook:7-', 'reversed 7'],
  ['final webhook:7-', 'reversed 7'],
  ['webhook:7- final', 'reversed 7'],
  ['webhook:7+ webhook:7-:payment.refunded webhook:7-:payment.cancelled', 'reversed 7'],
  ['webhook:7+ webhook:7- read:7+', 'reversed 7'],
  ['webhook:7+ webhook:7- webhook:7+', 'reversed 7'],
  // Success after what had moved nothing.
  ['webhook:7- webhook:7+', 'human conflict 7'],
  ['rejected webhook:7+', 'human conflict 7'],
  ['webhook:7+ rejected', 'human conflict 7'],
  ['unsent webhook:7+', 'human conflict 7'],
  ['webhook:7- webhook:7+ webhook:7-:payment.failed', 'human conflict 7'],
  // Two operations for one request, in every order. Only people can settle it.
  ['answer:7 webhook:8+', 'human double 7,8'],
  ['answer:7 webhook:8+ webhook:7+', 'human double 7,8'],
  ['answer:7 webhook:7+ webhook:8+', 'human double 7,8'],
  ['webhook:7+ webhook:8+', 'human double 7,8'],
  ['webhook:8+ webhook:7+ answer:7', 'human double 7,8'],
  ['webhook:8+ answer:7 webhook:7+', 'human double 7,8'],
  ['webhook:7+ webhook:8+ read:7+ read:8+ key:7', 'human double 7,8'],
  ['answer:7 webhook:8-', 'human conflict 7,8'],
  ['answer:7 webhook:8+ webhook:8-', 'human conflict 7,8'],
  ['answer:7 webhook:8+ webhook:9+', 'human double 7,8,9'],
  ['key:7 webhook:8+', 'human double 7,8'],
  // Another payment than the one that was ordered.
  ['answer:7 read:7!', 'human conflict 7'],
  ['webhook:7!', 'human conflict 7'],
  ['answer:7 webhook:8!', 'human conflict 7,8'],
  ['webhook:8! webhook:7+', 'human conflict 7,8'],
  ['theirs:7+', 'human conflict 7'],
  ['theirs:7+ webhook:8+', 'human conflict 8,7'],
  // An ambiguity is also left by a fact of our own.
  ['silence several:7:8', 'human ambiguity 7,8'],
  ['silence several:7:8 webhook:7+', 'succeeded 7'],
  ['silence several:7:8 webhook:7~', 'accepted 7'],
  ['silence several:7:8 webhook:7~ read:7+', 'succeeded 7'],
  ['silence several:7:8 answer:8', 'accepted 8'],
  ['silence several:7:8 key:8', 'accepted 8'],
  ['silence several:7:8 webhook:7+ webhook:8+', 'human double 7,8'],
  ['silence contested', 'human ambiguity'],
  ['silence contested webhook:7-', 'failed 7'],
  ['silence contested read:9~', 'human ambiguity 9'],
  // The horizon.
  ['silence horizon', 'not-found'],
  ['silence horizon webhook:7+', 'succeeded 7'],
  ['silence horizon webhook:7-', 'failed 7'],
  ['silence horizon rejected', 'rejected'],
  ['answer:7 horizon:7', 'human ambiguity 7'],
  ['answer:7 horizon:7 webhook:7+', 'succeeded 7'],
  // A second one in the list proves nothing.
  ['answer:7 webhook:7+ alike:8', 'human alike 7,8'],
  ['answer:7 webhook:7+ alike:8 settled:succeeded:7', 'succeeded 7'],
  ['answer:7 webhook:7+ alike:8 webhook:7-', 'reversed 7'],
  ['answer:7 webhook:7+ alike', 'succeeded 7'],
  ['answer:7 webhook:7+ alike:8 webhook:8+', 'human double 7,8'],
  // A settlement by people stands until new evidence contradicts it.
  ['webhook:7+ webhook:8+ settled:succeeded', 'succeeded 7'],
  ['webhook:7+ webhook:8+ settled:succeeded:8', 'succeeded 8'],
  ['webhook:7+ webhook:8+ settled:failed', 'failed 7'],
  ['webhook:7+ webhook:8+ settled:succeeded webhook:7+ webhook:8+ read:8+', 'succeeded 7'],
  ['webhook:7+ webhook:8+ settled:succeeded webhook:8-', 'succeeded 7'],
  ['webhook:7+ webhook:8~ settled:succeeded webhook:8+', 'human double 7,8'],
  ['webhook:7+ webhook:8+ settled:succeeded webhook:7-', 'reversed 7'],
  ['webhook:7+ webhook:8+ settled:succeeded webhook:9+', 'human double 7,9'],
  ['webhook:7- webhook:7+ settled:failed webhook:7+:payment.confirmed', 'failed 7'],
  ['webhook:7! settled:failed', 'failed'],
  ['webhook:7! settled:failed webhook:8+', 'human conflict 8'],
  ['rejected webhook:7+ settled:succeeded', 'succeeded 7'],
  ['silence several:7:8 settled:succeeded:7 rejected', 'human conflict 7'],
  // A conclusion of an earlier version stays, as it had its reasons.
  ['earlier:accepted:7', 'accepted 7'],
  ['earlier:accepted:7 webhook:7+', 'succeeded 7'],
  ['earlier:accepted:6 webhook:7+', 'human double 6,7'],
  ['earlier:succeeded:7 webhook:7-', 'reversed 7'],
  ['earlier:reversed:7 webhook:7-', 'reversed 7'],
  ['earlier:failed:7 webhook:7+', 'human conflict 7'],
  ['earlier:rejected webhook:7+', 'human conflict 7'],
  ['earlier:not-found', 'not-found'],
  ['earlier:not-found webhook:7+', 'succeeded 7'],
  ['earlier:human:7 webhook:7+', 'human conflict 7'],
])('the state of a payment by its evidence: %s gives %s', (words, expected) => {
  const after = learnt(words);
  expect(shown(after)).toBe(expected);
  // The conclusion is stored beside the evidence and computed from nothing else.
  expect(shown(conclude(after.evidence))).toBe(expected);
  expect(intentCodec.parse('intent:sample', JSON.stringify(after))).toEqual(after);
});

test('a known fact is not added again, and each new one is a step of the audit', () => {
  const once = learnt('answer:7 webhook:8+ webhook:7+');
  expect(learn(once, factOf('webhook:8+'), SENT_AT + 99)).toBe(once);
  expect(once.audit.slice(1).map(([, state, why]) => [state, why])).toEqual([
    ['accepted', { kind: 'learnt', fact: factOf('answer:7') }],
    [
      'human',
      { kind: 'learnt', fact: factOf('webhook:8+'), conflict: { kind: 'second', operationId: 8, own: 7 } },
    ],
    ['human', { kind: 'learnt', fact: factOf('webhook:7+') }],
  ]);
  expect(once.others).toEqual([8]);
});

test('a change by an earlier version is a fact of its own', () => {
  const { evidence } = learnt('answer:7');
  const changed = { ...intent(), evidence, state: 'succeeded', operationId: 7 };
  const read = intentCodec.parse('intent:sample', JSON.stringify(changed));
  expect(read.evidence.map(({ kind }) => kind)).toEqual(['answer', 'earlier']);
  expect(shown(learn(read, factOf('webhook:7-'), SENT_AT + 5))).toBe('reversed 7');
});

test('evidence has a limit, which no settlement reaches', () => {
  const webhooks = Array.from({ length: 200 }, (_, i) => `webhook:${i + 1}+`).join(' ');
  const full = learnt(webhooks);
  expect(full.evidence).toHaveLength(100);
  expect(learn(full, factOf('settled:failed'), SENT_AT).state).toBe('failed');
});

test('its outcome is open while it is sent, accepted or unknown', () => {
  const open = [
    'sent',
    'accepted',
    'unknown',
    'rejected',
    'succeeded',
    'failed',
    'not-found',
    'human',
  ] as const;
  expect(open.filter((state) => isOpen(intent({ state })))).toEqual(['sent', 'accepted', 'unknown']);
});
