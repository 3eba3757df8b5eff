import { expect, test } from 'vitest';
import type { SentenceKey } from '../../machines/kit/sentence-key.ts';
import { type Customer, LOST, loses, MINUTE_MS, refused, UNSENT, type World } from '../kit/world.ts';

/** A way to pay, with a customer at the question for its PIN. */
interface Paying {
  readonly world: World;
  readonly kind: 'transfer' | 'top-up' | 'bill-payment' | 'merchant-payment' | 'voucher';
  /** The wallet's call that moves the money. */
  readonly call: 'transfer' | 'topUp' | 'payBill' | 'payMerchant' | 'buyVoucher';
  atPin(channel: 'ussd' | 'web'): Customer;
  /** The question for the PIN. */
  readonly asks: SentenceKey;
  /** Codes of refusals that have a sentence of their own. */
  readonly refusals?: readonly string[];
  /** The sentence for a payment whose lost answer is found. Absent: it is done. */
  readonly found?: SentenceKey;
}

type Refusal = [what: string, instead: typeof UNSENT | ReturnType<typeof refused>, told: string];

/** What is true of each way to pay, from its PIN on. */
export function paysLikeAll({
  world,
  kind,
  call,
  atPin,
  asks,
  refusals = [],
  found = `${kind}.done`,
}: Paying): void {
  const calls = ({ phone }: Customer) => world.wallet.calls(phone, call);

  test('a wrong PIN sends nothing', async () => {
    const fatima = atPin('ussd');
    await fatima.enters('4321').sees(asks).isTold('pin.wrongWithTries', { count: 2 });
    await fatima.enters('4321').isTold('pin.lastTry');
    await fatima.enters('4321').sees(`${kind}.notSent`).isTold('pin.locked');
    expect(calls(fatima)).toEqual([]);
    await fatima.chooses('pin-reset').sees('pin-reset.explain');
  });

  test.each<Refusal>([
    ['never sent', UNSENT, 'problem.unavailable'],
    ['refused with a code that nobody knows', refused('47110'), 'problem.other'],
    ...refusals.map((code): Refusal => [`refused with ${code}`, refused(code), `problem.${code}`]),
  ])('an execution that is %s debits nothing', async (_, instead, told) => {
    const fatima = atPin('ussd');
    await fatima;
    world.wallet.next(call, instead);
    await fatima
      .enters()
      .sees(instead === UNSENT ? `${kind}.notSent` : `${kind}.refused`)
      .isTold(told);
  });

  test.each([
    ['hears nothing', LOST],
    ['loses the answer', loses],
  ])('an execution that %s is never called failed', async (_, instead) => {
    const fatima = atPin('web');
    await fatima;
    world.wallet.next(call, instead);
    await fatima.enters().sees(`${kind}.notConfirmed`).says('/cancel').sees(`${kind}.notConfirmed`);
    const screens: string[] = [];
    for (const ms of [1_500, 10_000, 60_000]) {
      await world.passes(ms);
      screens.push(...(await world.engine.waiting(fatima.address)).map(({ screen }) => screen.key));
    }
    expect(screens).not.toContain(`${kind}.failed`);
    expect(screens).not.toContain(`${kind}.refused`);
    expect(screens.includes(found)).toBe(instead === loses);
    expect(calls(fatima)).toHaveLength(1);
  });

  test('a process that dies while the money is on its way leaves "not confirmed", not silence', async () => {
    const fatima = atPin('ussd');
    await fatima;
    await world.crashesDuring(call, fatima.enters());
    await world.passes(MINUTE_MS);
    await world.again(fatima).dials().sees('menu.choose').isTold(`${kind}.notConfirmed`);
    expect(calls(fatima)).toHaveLength(1);
  });
}
