import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { ledgerOf } from '../cards/cards-kit.ts';
import { balanceOf, call, FATIMA, sandbox, transfer, wallet, YOUSSEF } from '../kit.ts';

const SEEDED_CARD = { id: 1, PhoneNumber: FATIMA };
const ON = { allowAtm: true, allowOnline: true, allowPos: true, contactlessEnabled: true };

/** A shop or cash machine takes the card that Fatima has from the start. */
async function buys(
  of: Sandbox,
  order: unknown,
  id: number | string = 1,
  headers: Record<string, string> = {},
) {
  const body = typeof order === 'string' ? order : JSON.stringify(order);
  const answer = await of.app.request(`/sandbox/cards/${id}/purchases`, { method: 'POST', body, headers });
  return { status: answer.status, body: (await answer.json()) as { accepted?: boolean } };
}
const coffee = { amount: 35.5, channel: 'POS', merchant: 'Café du Port (test)' };
const newest = async (of: Sandbox) =>
  (await call(of, 'listCardTransactions', { cardId: 1, PhoneNumber: FATIMA })).body.data.collection[0];

describe('a purchase with an issued card', () => {
  test('is paid by the wallet, and one of the card’s transactions', async () => {
    expect(await buys(wallet, coffee)).toEqual({ status: 200, body: { id: 7, accepted: true } });
    expect(await balanceOf(wallet, FATIMA)).toBe(3464.5);
    expect(ledgerOf(wallet)).toMatchObject({ gateway: 35.5 });
    expect(await newest(wallet)).toEqual({
      id: 7,
      cardId: 1,
      amount: 35.5,
      merchant: 'Café du Port (test)',
      channel: 'POS',
      transactionDate: '2026-11-20T10:00:00.000Z',
      transactionStatus: 2,
    });
  });

  const withServices = (off: object) => (of: Sandbox) =>
    call(of, 'setCardServices', { ...SEEDED_CARD, ...ON, ...off });
  test.each<[string, (of: Sandbox) => Promise<unknown>, object, string]>([
    ['at a machine that is off', withServices({ allowAtm: false }), { channel: 'ATM' }, 'allowAtm is off'],
    [
      'online when that is off',
      withServices({ allowOnline: false }),
      { channel: 'ONLINE' },
      'allowOnline is off',
    ],
    ['in a shop when that is off', withServices({ allowPos: false }), {}, 'allowPos is off'],
    [
      'without contact when that is off',
      withServices({ contactlessEnabled: false }),
      { contactless: true },
      'contactlessEnabled is off',
    ],
    ['suspended', (of) => call(of, 'suspendCard', SEEDED_CARD), {}, 'the card is suspended'],
    ['blocked', (of) => call(of, 'blockCard', SEEDED_CARD), {}, 'the card is blocked'],
    ['cancelled', (of) => call(of, 'cancelCard', SEEDED_CARD), {}, 'the card is cancelled'],
    ['expired', (of) => of.clock.advance(400 * 24 * 3_600_000), {}, 'the card is expired'],
    [
      'without the money',
      (of) => call(of, 'executeTransfer', transfer(FATIMA, YOUSSEF, 2_780)),
      { amount: 1_000 },
      'the balance does not cover it',
    ],
  ])('is declined: %s', async (_, before, order, why) => {
    await before(wallet);
    const balance = await balanceOf(wallet, FATIMA);
    const said = await buys(wallet, { ...coffee, ...order });
    expect(said.body).toEqual({ id: 7, accepted: false, declined: why });
    expect(await balanceOf(wallet, FATIMA)).toBe(balance);
    expect(await newest(wallet)).toMatchObject({ id: 7, transactionStatus: 3 });
    ledgerOf(wallet);
  });

  test('each service stops its own kind only', async () => {
    await withServices({ allowAtm: false, contactlessEnabled: false })(wallet);
    for (const channel of ['POS', 'ONLINE'])
      expect((await buys(wallet, { ...coffee, channel })).body.accepted).toBe(true);
  });

  test.each([
    ['no JSON', '{'],
    ['nothing', { ...coffee, amount: 0 }],
    ['a tenth of a centime', { ...coffee, amount: 1.001 }],
    ['a way there is not', { ...coffee, channel: 'FAX' }],
    ['more than is asked', { ...coffee, pan: '4242424242424242' }],
  ])('is not understood: %s', async (_, order) => {
    expect((await buys(sandbox(), order)).status).toBe(400);
  });

  test.each([9, 'mine'])('of card %s there is none', async (id) => {
    expect((await buys(sandbox(), coffee, id)).status).toBe(404);
  });

  test('is not for a page of another site', async () => {
    const elsewhere = { origin: 'https://elsewhere.example.com' };
    expect((await buys(sandbox(), coffee, 1, elsewhere)).status).toBe(403);
  });
});
