import { describe, expect, test } from 'vitest';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { createSessions } from '../../src/conversation/session/sessions.ts';
import {
  CODES_MAX,
  resealVoucherCode,
  voucherCodeKey,
  vouchersOf,
  withVoucher,
} from '../../src/conversation/session/voucher-codes.ts';
import { eraseCustomer } from '../../src/records/customer.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { CHATS_ON, type Customer, DAY_MS, STORES, theWorld } from '../kit/world.ts';
import { buys, codeIn } from './voucher-orders.ts';

const OTHER_KEY = 'another secrets key of the tests, 32 of them';

describe.each(STORES)('the codes of vouchers, seen again, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook', records: 'sqlite' });

  /** The payment of the customer's first voucher. */
  async function firstOf({ address }: Customer): Promise<string> {
    const { wallet } = await createSessions(world.store).load(address, world.clock.now());
    return wallet.value.vouchers?.[0]?.id ?? '';
  }
  async function isKept({ phone }: Customer, id: string): Promise<boolean> {
    const [doc] = await world.store.read(partitionOf(phone), [voucherCodeKey(id)]);
    return doc !== undefined;
  }

  test('on USSD the receipt leads to it, behind the PIN', async () => {
    const fatima = world.customer({ balance: '5000' });
    await fatima.isAtMenu().walks(buys()).enters().sees('voucher.done');
    await fatima
      .after(20 * 60_000)
      .dials()
      .walks(buys())
      .enters()
      .sees('voucher.done')
      .chooses('code');
    await fatima.sees('voucher-codes.askPin').enters().sees('voucher-codes.shown');
    await world.rests();
    const codes = world.sms(fatima.phone).flatMap((text) => codeIn(text) ?? []);
    expect(codes).toHaveLength(2);
    await fatima.sees('voucher-codes.shown', { code: codes[1] }).goes('back').sees('voucher-codes.choose');
  });

  test('on USSD, long after the SMS was lost, behind the PIN', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().walks(buys()).enters().sees('voucher.done');
    await world.rests();
    const code = world.sms(fatima.phone).flatMap((text) => codeIn(text) ?? [])[0] ?? 'none';
    await world.passes(40 * DAY_MS);
    await fatima.dials('8', '5').sees('voucher-codes.askPin');
    await fatima.enters('4321').sees('voucher-codes.askPin').isTold('pin.wrongWithTries');
    await fatima.enters().sees('voucher-codes.choose');
    await fatima.chooses('voucher0').sees('voucher-codes.shown', { code });
    await fatima.chooses('list').sees('voucher-codes.choose').goes('back').sees('shopping.choose');
    expect(await world.everythingStored()).not.toContain(code);
  });

  test.each(CHATS_ON[store])(
    'on %s it is hidden until it is tapped, and nobody else finds any',
    async (channel) => {
      const fatima = world.customer({ channel });
      await fatima.isAtMenu().walks(buys()).enters().sees('voucher.done');
      const { address } = fatima;
      const delivered = (await world.engine.waiting(address)).find(
        ({ screen }) => screen.key === 'voucher.code',
      );
      await fatima.goes('menu').chooses('shopping').chooses('voucher-codes').enters();
      await fatima.sees('voucher-codes.choose').chooses('voucher0').sees('voucher-codes.shown');
      const { code } = fatima.reply().screen.values ?? {};
      expect(code).toEqual({ hidden: expect.stringMatching(/^[A-Z0-9]{4}-/) });
      if (delivered) expect(delivered.screen.values?.code).toEqual(code);
      expect(await world.everythingStored()).not.toContain(code && 'hidden' in code ? code.hidden : '');
      const youssef = world.customer({ channel });
      await youssef.isAtMenu().says('/voucher-codes').sees('voucher-codes.none');
    },
  );

  test('two of one article on one day are told apart by their time', async () => {
    const fatima = world.customer({ balance: '5000' });
    await fatima.isAtMenu().walks(buys()).enters().sees('voucher.done');
    await world.passes(20 * 60_000);
    await fatima.dials().walks(buys()).enters().sees('voucher.done');
    await fatima.after(60_000).dials('8', '5').enters().sees('voucher-codes.choose');
    const labels = world.renderer.chat(fatima.reply().screen, 'fr').choices.map(({ label }) => label);
    expect(labels).toHaveLength(2);
    expect(new Set(labels).size).toBe(2);
  });

  test('a year later it is gone', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().walks(buys()).enters().sees('voucher.done');
    await fatima.after(366 * DAY_MS).dials();
    await fatima.chooses('shopping').chooses('voucher-codes').sees('voucher-codes.none');
  });

  test('it is sealed again under a new key, so that the old one can go', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().walks(buys()).enters().sees('voucher.done');
    const id = await firstOf(fatima);
    const before = await world.everythingStored();
    const ring = createSecrets(OTHER_KEY, 'a secrets key of the tests, 32 characters');
    const deps = () => ({ store: world.store, now: world.clock.now });
    await resealVoucherCode({ ...deps(), secrets: ring }, partitionOf(fatima.phone), id);
    expect(await world.everythingStored()).not.toBe(before);
    // The process of this world knows only the key that was replaced.
    await fatima.dials('8', '5').enters();
    await fatima.chooses('voucher0').sees('voucher-codes.choose').isTold('voucher-codes.gone');
    await resealVoucherCode(
      { ...deps(), secrets: createSecrets('a secrets key of the tests, 32 characters', OTHER_KEY) },
      partitionOf(fatima.phone),
      id,
    );
    await fatima.chooses('voucher0').sees('voucher-codes.shown');
  });

  test('an erased customer leaves none behind', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().walks(buys()).enters().sees('voucher.done');
    await world.passes(5 * DAY_MS);
    const id = await firstOf(fatima);
    expect(await isKept(fatima, id)).toBe(true);
    const { store: opened, records, clock, recording } = world;
    const drain = () => recording.recorder.drain();
    const erased = await eraseCustomer(
      { store: opened, records, drain, now: clock.now },
      fatima.phone,
      'erased:x',
    );
    expect(erased.kind).toBe('erased');
    expect(await isKept(fatima, id)).toBe(false);
  });
});

test('of many, the newest are kept', () => {
  const entries = Array.from({ length: CODES_MAX + 3 }, (_, i) => ({
    id: `${i}`,
    brand: 'b',
    article: 'a',
    at: i,
  }));
  const wallet = entries.reduce(withVoucher, { entries: [] });
  const kept = vouchersOf(wallet, 100);
  expect(kept).toHaveLength(CODES_MAX);
  expect([kept[0]?.id, kept.at(-1)?.id]).toEqual([`${CODES_MAX + 2}`, '3']);
  expect(
    vouchersOf(wallet, 365 * DAY_MS + 10)
      .map(({ id }) => Number(id))
      .every((id) => id > 10),
  ).toBe(true);
});
