import { describe, expect, test } from 'vitest';
import { type IntentState, isOpen, learn } from '../../../src/conversation/intents/intent.ts';
import { intent, SENT_AT } from './sample.ts';

/** What each state becomes by each fact: `=` nothing new, `human` frozen for a person. */
const LIVES = `
after \\ fact  sent   accepted  unknown  rejected  unsent  succeeded  failed    reversed  not-found  human
sent          =      accepted  unknown  rejected  unsent  succeeded  failed    human     not-found  human
accepted      human  =         unknown  rejected  unsent  succeeded  failed    human     not-found  human
unknown       human  accepted  =        rejected  unsent  succeeded  failed    human     not-found  human
rejected      human  human     human    =         human   human      human     human     human      human
unsent        human  human     human    human     =       human      human     human     human      human
succeeded     human  human     human    human     human   =          reversed  reversed  human      human
failed        human  human     human    human     human   human      =         human     human      human
reversed      human  human     human    human     human   human      =         =         human      human
not-found     human  human     human    human     human   succeeded  failed    human     =          human
human         =      =         =        =         =       succeeded  failed    reversed  =          =
`;

const [head = '', ...lines] = LIVES.trim().split('\n');
const facts = head.replace('after \\ fact', 'state').trim().split(/\s+/).slice(1) as IntentState[];
const rows = lines.flatMap((line) => {
  const [state, ...next] = line.trim().split(/\s+/);
  return next.map((becomes, i) => [state, facts[i], becomes] as [IntentState, IntentState, string]);
});

test.each(rows)('%s, then %s: %s', (state, fact, becomes) => {
  const before = intent({ state });
  const after = learn(before, fact, SENT_AT + 1, 'why');
  if (becomes === '=') expect(after).toBe(before);
  else {
    expect(after.state).toBe(becomes);
    expect(after.audit.slice(0, -1)).toEqual(before.audit);
    expect(after.audit.at(-1)).toEqual([SENT_AT + 1, becomes, expect.stringContaining('why')]);
  }
});

describe('the operation it became', () => {
  test.each<[string, number | undefined, number | undefined, string, number | undefined]>([
    ['is learnt once', undefined, 7, 'accepted', 7],
    ['is not forgotten', 7, undefined, 'accepted', 7],
    ['said again is nothing new', 7, 7, 'accepted', 7],
    ['cannot be another one', 7, 8, 'human', 7],
  ])('%s', (_case, known, said, state, id) => {
    const before = intent({ state: 'accepted', ...(known && { operationId: known }) });
    const after = learn(before, 'accepted', SENT_AT + 1, 'why', said);
    expect([after.state, after.operationId]).toEqual([state, id]);
    expect(after === before).toBe(known === said || said === undefined);
  });

  test('another one freezes it even when the state would fit', () => {
    const after = learn(intent({ state: 'unknown', operationId: 7 }), 'succeeded', SENT_AT + 1, 'webhook', 8);
    expect(after.state).toBe('human');
    expect(after.audit.at(-1)?.[2]).toBe('webhook: operation 8, not 7');
  });
});

test('its outcome is open while it is sent, accepted or unknown', () => {
  expect(facts.filter((state) => isOpen(intent({ state })))).toEqual(['sent', 'accepted', 'unknown']);
});
