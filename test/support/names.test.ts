import { expect, test } from 'vitest';
import type { Language } from '../../src/conversation/incoming.ts';
import type { CallOutcome, EventOf } from '../../src/conversation/turn-event.ts';
import {
  callName,
  eventCode,
  eventName,
  flowName,
  type Named,
  outcomeName,
  placeName,
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
} satisfies Record<Named, (name: string, language: Language) => string>;

// In English some words are the names themselves.
test.each(['fr', 'ar'] as const)('every conversation, state, call and outcome has words: %s', (language) => {
  const bare = NAMED.filter(([of, name]) => SAY[of](name, language) === name);
  expect(bare).toEqual([]);
});

/** What keeps words of two directions apart. */
const ISOLATES = /[\u2066-\u2069]/g;

test('what has no words is said by its name', () => {
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
  [{ kind: 'time' }, 'Time passed', 'time'],
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

test.each([
  ['as quoted', 'montant et frais montrés au client'],
  ['confirmed and authenticated', 'confirmé par le client avec son code PIN'],
  ['answer of the wallet', 'réponse du portefeuille'],
  ['no answer was ever saved', "aucune réponse n'a été reçue"],
  ['nothing was found in 72 h', "rien n'a été trouvé en 72 h"],
  ['operation 17 has no outcome after 72 h', "l'opération 17 n'a pas de résultat après 72 h"],
  [
    'operation without an id has no outcome after 72 h',
    "une opération sans numéro n'a pas de résultat après 72 h",
  ],
  ['read by id', "lu dans le portefeuille par le numéro d'opération"],
  ['found by its own key', 'retrouvé par sa propre référence'],
  ['the top-up itself says so', "d'après le service lui-même (Recharge)"],
  ['several operations match: 17, 18', 'plusieurs opérations correspondent : 17, 18'],
  ['another payment looks just like this one', 'un autre paiement lui ressemble en tout point'],
  ['concluded by an earlier version', 'conclu par une version antérieure'],
  ['operations that look like it: 17, 18', 'opérations qui lui ressemblent : 17, 18'],
  ['no other operation looks like it', 'aucune autre opération ne lui ressemble'],
  ['rebuilt from webhook transfer.received', "reconstitué d'après la notification transfer.received"],
  ['the only match', 'la seule opération qui corresponde'],
  ['webhook payment.failed', 'notification payment.failed'],
  [
    'read by id: operation 17 is another payment',
    "lu dans le portefeuille par le numéro d'opération : l'opération 17 est un autre paiement",
  ],
  [
    'the only match: operation 17 belongs to 3b174c73',
    "la seule opération qui corresponde : l'opération 17 appartient au paiement 3b174c73",
  ],
  [
    'webhook transfer.received: operation 17, not 18',
    "notification transfer.received : l'opération 17, et non 18",
  ],
  ['read by id: failed after rejected', /« échoué » après « refusé »$/],
  ['told again by nadia', 'résultat redit au client par nadia'],
  ['nadia proposes failed: seen there', "nadia propose « Échoué : rien n'a été débité » : seen there"],
  ['nadia takes the proposal back', 'nadia retire la proposition'],
  ['settled by nadia, approved by omar: seen there', 'conclu par nadia, approuvé par omar : seen there'],
  ['a reason of another version', 'a reason of another version'],
] as const)('why a step was taken: %s', (why, words) => {
  // Amounts and names are held together by spaces that do not break.
  const said = reasonName(why, 'fr')
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(ISOLATES, '');
  if (typeof words === 'string') expect(said).toBe(words);
  else expect(said).toMatch(words);
});

test('what a person wrote in Arabic is not turned around', () => {
  const why = 'settled by nadia, approved by omar: رأيت FAILED في كشف البنك';
  const said = reasonName(why, 'ar').replaceAll('\u00a0', ' ');
  expect(said).toContain('\u2068رأيت FAILED في كشف البنك\u2069');
});
