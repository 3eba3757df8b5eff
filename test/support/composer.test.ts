import { expect, test } from 'vitest';
import type { Intent, Watched } from '../../src/conversation/desk/desk.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { cannedAnswers } from '../../src/support/canned.ts';
import { type Situation, suggestion } from '../../src/support/suggestions.ts';
import { FATIMA, NOW } from './records.ts';

const SESSION: Watched = {
  address: 'web:x',
  wallet: FATIMA,
  language: 'fr',
  at: NOW,
  machine: 'transfer',
  state: 'askingAmount',
  screen: { key: 'transfer.askAmount', expects: 'amount' },
  waiting: 0,
};
const payment = (state: Intent['state']) => ({ state, order: { kind: 'transfer' } }) as Intent;
const CALM: Situation = { session: SESSION, payments: [], asked: false, stuck: false };
const locked = { ...SESSION, screen: { key: 'menu.locked', expects: 'choice' } } as const;

test.each<[string, Partial<Situation>, string | undefined]>([
  ['nothing is the matter', {}, undefined],
  ['all is paid', { payments: [payment('succeeded')] }, undefined],
  ['they have asked for a person', { asked: true }, 'console.suggestAnswer'],
  [
    'one has come',
    { asked: true, session: { ...SESSION, owner: { id: 'n', name: 'N', since: 1, until: 2 } } },
    undefined,
  ],
  [
    'they have asked on a handset',
    { asked: true, session: { ...SESSION, address: `ussd:${FATIMA}` } },
    'console.suggestCall',
  ],
  ['they get no further', { stuck: true }, 'console.suggestMisses'],
  ['their wallet is locked', { stuck: true, session: locked }, 'console.suggestLocked'],
  ['a payment is open', { stuck: true, payments: [payment('unknown')] }, 'console.suggestOpenPayment'],
  [
    'a payment needs people',
    { asked: true, payments: [payment('succeeded'), payment('human')] },
    'console.suggestPayment',
  ],
])('the next step where %s', (_name, situation, key) => {
  expect(suggestion({ ...CALM, ...situation })).toBe(key);
});

test.each(LANGUAGES)(
  'canned answers are in the customer’s language, and found by a word of the agent’s: %s',
  (theirs) => {
    const all = cannedAnswers(theirs, 'fr', 'Nadia', '3B174C73');
    expect(all.find(({ word }) => word === 'bonjour')?.text).toContain('Nadia');
    expect(all.find(({ word }) => word === 'paiement')?.text).toContain('3B174C73');
    for (const { text } of all)
      expect(text, 'as somebody would type it').not.toMatch(/[\u2066-\u2069\u00a0{}]/);
    expect(all.some(({ text }) => /[\u0600-\u06ff]/.test(text))).toBe(theirs === 'ar');
    const without = cannedAnswers(theirs, 'fr', 'Nadia', undefined);
    expect(without.map(({ word }) => word)).toEqual(
      all.map(({ word }) => word).filter((word) => word !== 'paiement'),
    );
  },
);
