import { describe, expect, test } from 'vitest';
import type { EffectEnv } from '../../../src/conversation/effects/effect.ts';
import { intentKey } from '../../../src/conversation/intents/intent.ts';
import { pay } from '../../../src/conversation/intents/pay.ts';
import { newRef } from '../../../src/conversation/record/ref.ts';
import { type Entry, LOOK_ALIKE_MS, SLOT_MS } from '../../../src/conversation/session/book.ts';
import { SAFETY_DEFAULTS, type Safety } from '../../../src/conversation/session/safety.ts';
import { alikeName, listedName } from '../../../src/payments/payments.ts';
import type { KeyedDoc } from '../../../src/store/codec.ts';
import { centimes } from '../../../src/wallet/money.ts';
import { FATIMA, ORDER, PARTITION, QUOTE, SECRETS, SENT_AT } from './sample.ts';

const HERE = 'web:here';
const REF = newRef(PARTITION, SECRETS);
const entry = (more: Partial<Entry> = {}): Entry => ({
  id: 'earlier',
  alike: alikeName(ORDER),
  at: SENT_AT - SLOT_MS - 1,
  state: 'done',
  ...more,
});
const rebuilt = { alike: 'merchant-payment +212600000099 100', isRebuilt: true } as const;
const other = { alike: 'transfer +212600000099 100' };

/** Whether the payment of 200 DH may be sent, with this in the wallet's book at the moment of the claim. */
function claims(entries: readonly Entry[], known: readonly string[] = []): 'sent' | 'busy' {
  const docs: KeyedDoc[] = [{ key: intentKey(REF), version: 0, value: '' }];
  const quote = { ...QUOTE, alike: known.map((id) => ({ id, at: SENT_AT })) };
  const env = {
    ref: REF,
    address: `ussd:${FATIMA}`,
    wallet: FATIMA,
    at: SENT_AT,
    served: { safety: SAFETY_DEFAULTS },
    skewMs: () => 0,
  } as unknown as EffectEnv;
  const taken = pay.claim?.({ wallet: { entries }, docs }, { order: ORDER, quote, before: [] }, env);
  return taken && !('instead' in taken) ? 'sent' : 'busy';
}

describe('the claim is the last look at the book before money is sent', () => {
  test.each<[string, readonly Entry[], readonly string[], 'sent' | 'busy']>([
    ['nothing in it', [], [], 'sent'],
    ['another payment long ago', [entry({ ...other })], [], 'sent'],
    ['another payment under way', [entry({ ...other, state: 'open', at: SENT_AT - 1 })], [], 'busy'],
    ['another one that is open, and old', [entry({ ...other, state: 'open' })], [], 'sent'],
    ['one just like it, which the customer was asked about', [entry()], ['earlier'], 'sent'],
    ['one just like it, which came after the confirmation', [entry()], [], 'busy'],
    ['the same, and another one was asked about', [entry()], ['yet another'], 'busy'],
    ['one just like it whose outcome is open', [entry({ state: 'open' })], [], 'busy'],
    ['one just like it that moved nothing', [entry({ state: 'void' })], [], 'sent'],
    [
      'a rebuilt one that the list shows alike',
      [entry({ ...rebuilt, listed: listedName(ORDER) })],
      [],
      'busy',
    ],
    [
      'the same, which the customer was asked about',
      [entry({ ...rebuilt, listed: listedName(ORDER) })],
      ['earlier'],
      'sent',
    ],
    [
      'a rebuilt one of another amount',
      [entry({ ...rebuilt, listed: 'transfer +212600000099 100' })],
      [],
      'sent',
    ],
    [
      'one that the list shows alike, and that is known to be another',
      [entry({ ...other, listed: listedName(ORDER) })],
      [],
      'sent',
    ],
    ['one just like it, long ago', [entry({ at: SENT_AT - LOOK_ALIKE_MS - 1 })], [], 'sent'],
  ])('%s', (_, entries, known, may) => {
    expect(claims(entries, known)).toBe(may);
  });

  test.each<[string, Safety, string]>([
    ['a wallet that is frozen claims nothing', { frozen: { at: SENT_AT } }, 'frozen'],
    ['one that support has frozen', { frozen: { at: SENT_AT, by: 'nadia' } }, 'frozen'],
    ['a PIN that is new', { newPinAt: SENT_AT }, 'newPin'],
    ['a chat that is new', { links: [{ address: HERE, at: SENT_AT }] }, 'newLink'],
  ])('%s', (_, safety, code) => {
    const large = { ...ORDER, amount: centimes(100_001) };
    const env = {
      ref: REF,
      address: HERE,
      at: SENT_AT,
      served: { safety: SAFETY_DEFAULTS },
    } as unknown as EffectEnv;
    const input = { order: large, quote: QUOTE, before: [] };
    const taken = pay.claim?.({ wallet: { entries: [], safety }, docs: [] }, input, env);
    const instead = taken && 'instead' in taken ? taken.instead : undefined;
    expect(instead).toEqual({
      kind: 'rejected',
      failure: expect.objectContaining({ kind: 'refused', code }),
    });
  });
});
