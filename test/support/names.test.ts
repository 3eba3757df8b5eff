import { expect, test } from 'vitest';
import type { ReferenceState } from '../../machines/kit/effects.ts';
import type { Language } from '../../src/conversation/incoming.ts';
import type { Conflict } from '../../src/conversation/intents/conclusion.ts';
import type { Fact } from '../../src/conversation/intents/evidence.ts';
import type { Reason } from '../../src/conversation/intents/intent.ts';
import type { CallOutcome, EventOf } from '../../src/conversation/record/turn-event.ts';
import {
  callName,
  eventCode,
  eventName,
  flowName,
  type Named,
  outcomeName,
  placeName,
  referenceName,
  stateName,
  stepName,
} from '../../src/support/names.ts';
import { reasonName } from '../../src/support/steps.ts';
import { NAMED } from './named.ts';

const SAY = {
  flow: flowName,
  step: (state, language) => stepName(`any.${state}`, language),
  call: callName,
  outcome: (kind, language) => outcomeName({ kind: kind as CallOutcome['kind'] }, language),
  state: stateName,
  reference: (state, language) => referenceName(state as ReferenceState, language),
} satisfies Record<Named, (name: string, language: Language) => string>;

// In English some words are the names themselves.
test.each(['fr', 'ar'] as const)('every conversation, state, call and outcome has words: %s', (language) => {
  const bare = NAMED.filter(([of, name]) => SAY[of](name, language) === name);
  expect(bare).toEqual([]);
});

/** The marks that keep words of two directions apart. */
const ISOLATES = /[\u2066-\u2069]/g;

test('an unknown name is shown as it is', () => {
  expect(placeName('lottery.drawing', 'fr')).toBe('lottery · drawing');
  expect(placeName('transfer', 'fr')).toBe("Envoi d'argent");
  expect(placeName('', 'fr')).toBe('');
  expect([callName('toString', 'en'), stateName('constructor', 'en')]).toEqual(['toString', 'constructor']);
});

test.each<[CallOutcome, string]>([
  [{ kind: 'refused', code: '90026' }, 'refusé 90026'],
  [{ kind: 'ok' }, 'réussi'],
])('the outcome of a call: %o', (outcome, words) => {
  expect(outcomeName(outcome, 'fr')).toBe(words);
});

test.each<[EventOf<'time' | 'call' | 'payment'>, string, string]>([
  [{ kind: 'time' }, 'Timed out waiting', 'time'],
  [
    { kind: 'payment', intent: '3b174c73', to: 'succeeded', why: 'answer' },
    'Payment: done',
    'payment succeeded',
  ],
  [{ kind: 'call', effect: 'login', end: 'answered' }, 'PIN check', 'login'],
  [{ kind: 'call', effect: 'pay', end: 'lost' }, 'Payment · answer lost', 'pay lost'],
  [{ kind: 'call', effect: 'pay', end: 'not-stored' }, 'Not safely stored', 'pay not-stored'],
])('the event %o', (event, words, code) => {
  expect(eventName(event, 'en').replace(ISOLATES, '')).toBe(words);
  expect(eventCode(event)).toBe(code);
});

const READ: Fact = { kind: 'read', operation: { id: 17 } };
const RECEIVED: Fact = { kind: 'webhook', event: 'transfer.received', operation: { id: 17 } };
const AGREED = { by: 'nadia', approvedBy: 'omar', evidence: 'seen there' };

function learnt(fact: Fact, conflict?: Conflict): Reason {
  return { kind: 'learnt', fact, ...(conflict && { conflict }) };
}

test.each<[Reason | string, string | RegExp]>([
  [{ kind: 'quoted' }, 'montant et frais montrés au client'],
  [{ kind: 'confirmed' }, 'confirmé par le client avec son code PIN'],
  [learnt({ kind: 'answer', said: 'accepted' }), 'réponse du portefeuille'],
  [learnt({ kind: 'no-answer' }), "aucune réponse n'a été reçue"],
  [learnt({ kind: 'unfinished' }), 'aucune nouvelle de la page de la banque'],
  [learnt({ kind: 'unfinished', declined: true }), /dit que rien n'a été payé : cela ne prouve rien$/],
  [learnt({ kind: 'horizon' }), "rien n'a été trouvé en 72 h"],
  [learnt({ kind: 'horizon', operationId: 17 }), "l'opération 17 n'a pas de résultat après 72 h"],
  [learnt({ kind: 'horizon', exists: true }), "une opération sans numéro n'a pas de résultat après 72 h"],
  [learnt(READ), "lu dans le portefeuille par le numéro d'opération"],
  [learnt({ kind: 'own-key', order: 'top-up', operationId: 17 }), 'retrouvé par sa propre référence'],
  [learnt({ kind: 'own-key', order: 'top-up', ended: 'failed' }), "d'après le service lui-même (Recharge)"],
  [learnt({ kind: 'several', operationIds: [17, 18] }), 'plusieurs opérations correspondent : 17, 18'],
  [learnt({ kind: 'contested' }), 'un autre paiement lui ressemble en tout point'],
  [learnt({ kind: 'earlier', state: 'accepted' }), 'conclu par une version antérieure'],
  [learnt({ kind: 'look-alikes', operationIds: [17, 18] }), 'opérations qui lui ressemblent : 17, 18'],
  [learnt({ kind: 'look-alikes', operationIds: [] }), 'aucune autre opération ne lui ressemble'],
  [{ kind: 'rebuilt', event: 'transfer.received' }, "reconstitué d'après la notification transfer.received"],
  [learnt({ kind: 'only-match', operationId: 17 }), 'la seule opération qui corresponde'],
  [learnt(RECEIVED), 'notification transfer.received'],
  [
    learnt(READ, { kind: 'not-ours', operationId: 17 }),
    "lu dans le portefeuille par le numéro d'opération : l'opération 17 est un autre paiement",
  ],
  [
    learnt({ kind: 'only-match', operationId: 17 }, { kind: 'owned', operationId: 17, owner: '3b174c73' }),
    "la seule opération qui corresponde : l'opération 17 appartient au paiement 3b174c73",
  ],
  [
    learnt(RECEIVED, { kind: 'second', operationId: 17, own: 18 }),
    "notification transfer.received : l'opération 17, et non 18",
  ],
  [learnt(READ, { kind: 'contradicts', state: 'failed', after: 'rejected' }), /« échoué » après « refusé »$/],
  [learnt(READ, { kind: 'frozen' }), "lu dans le portefeuille par le numéro d'opération"],
  [{ kind: 'told-again', by: 'nadia' }, 'résultat redit au client par nadia'],
  [
    { kind: 'proposed', by: 'nadia', as: 'failed', evidence: 'seen there' },
    "nadia propose « Échoué : rien n'a été débité » : seen there",
  ],
  [{ kind: 'withdrawn', by: 'nadia' }, 'nadia retire la proposition'],
  [
    learnt({ kind: 'settled', as: 'succeeded', proposedAt: 1, ...AGREED }),
    'conclu par nadia, approuvé par omar : seen there',
  ],
  [{ kind: 'handed-over', ...AGREED }, 'conclu par nadia, approuvé par omar : seen there'],
  ['a text of an earlier version', 'a text of an earlier version'],
])('why a step was taken: %o', (why, words) => {
  // Amounts and names are held together by spaces that do not break.
  const said = reasonName(why, 'fr')
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(ISOLATES, '');
  if (typeof words === 'string') expect(said).toBe(words);
  else expect(said).toMatch(words);
});

test('Arabic text of a person keeps its direction', () => {
  const why: Reason = { kind: 'handed-over', ...AGREED, evidence: 'رأيت FAILED في كشف البنك' };
  const said = reasonName(why, 'ar').replaceAll('\u00a0', ' ');
  expect(said).toContain('\u2068رأيت FAILED في كشف البنك\u2069');
});
