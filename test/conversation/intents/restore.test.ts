import { describe, expect, test } from 'vitest';
import type { Settings } from '../../../src/sandbox/core/settings.ts';
import { forgetsSinceLogin, forgetter } from '../../kit/forgetter.ts';
import { type Customer, LOST, RECIPIENT, STORES, theWorld, UNSENT } from '../../kit/world.ts';
import { buys } from '../../machines/voucher-orders.ts';

const atPin = (customer: Customer) => customer.isAtMenu().chooses('transfer').says(RECIPIENT).says('100');

function losing(store: (typeof STORES)[number], settings?: Partial<Settings>) {
  const world = theWorld({ store, ...(settings && { settings }) });
  const paymentsOf = ({ phone }: Customer) => world.engine.desk.payments(phone, 10);
  /** Gives what takes the store back to the moment of the next login. */
  function forgetsFromLogin(customer: Customer): () => Promise<void> {
    let forget = async () => {};
    world.wallet.next('login', async (ask) => {
      forget = await forgetter(world, customer);
      return ask();
    });
    return () => forget();
  }
  /** The current screen of an address, and the messages that wait there. */
  async function texts(customer: Customer): Promise<string> {
    const { conversation, outbox } = await world.session(customer);
    return JSON.stringify([conversation?.context.notice, conversation?.state, outbox]);
  }
  return { world, paymentsOf, forgetsFromLogin, texts };
}

/** A failover while the wallet is asked: the claim was acknowledged, and is gone when the answer comes. */
describe.each(STORES)('a claim that the store loses while the money is sent, on %s', (store) => {
  const { world, paymentsOf, forgetsFromLogin, texts } = losing(store);

  test.each(['ussd', 'web'] as const)(
    'a lost answer: it is followed from then on, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await fatima.walks(atPin);
      const forget = await forgetter(world, fatima);
      world.wallet.next('transfer', async () => {
        await forget();
        return LOST;
      });
      await fatima.enters().sees('transfer.notConfirmed', { amount: 10_000 });
      const [payment] = await paymentsOf(fatima);
      expect(payment).toMatchObject({ state: 'unknown' });
      expect(payment?.audit.map(([, , why]) => typeof why === 'object' && why.kind)).toEqual([
        'quoted',
        'confirmed',
        'restored',
        'learnt',
      ]);
      expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
    },
  );

  test('a customer who has given the PIN again is asked, and first reads that the payment is open', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.walks(atPin);
    const forget = await forgetter(world, fatima);
    world.wallet.next('transfer', async (ask) => {
      await ask();
      await forget();
      await world
        .again(fatima)
        .opens()
        .sees('transfer.askPinOpenLoop')
        .enters()
        .sees('transfer.confirmAgain');
      return LOST;
    });
    await fatima.enters().sees('transfer.confirmUnconfirmed');
    await fatima.isTold('transfer.notConfirmed', { amount: 10_000 });
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
  });

  describe.each(['ussd', 'web'] as const)('back to the moment of the PIN check, on %s', (channel) => {
    test('the conversation continues after the claim, and hears its outcome once', async () => {
      const fatima = world.customer({ channel });
      await fatima.walks(atPin);
      forgetsSinceLogin(world, fatima);
      await fatima.enters().sees('transfer.processing');
      expect((await world.session(fatima)).underway).toBeUndefined();
      await fatima.after(1_500).hears('transfer.done');
      await world.passes(60_000);
      expect(await texts(fatima)).not.toMatch(/\.(notSent|pinLost)/);
    });

    test('with a lost answer as well, it is “not confirmed yet”, and never “not sent”', async () => {
      const fatima = world.customer({ channel });
      await fatima.walks(atPin);
      const forget = forgetsFromLogin(fatima);
      world.wallet.next('transfer', async (ask) => {
        await ask();
        await forget();
        return LOST;
      });
      await fatima.enters().sees('transfer.notConfirmed');
      await fatima.after(60_000).hears('transfer.done');
      expect(await texts(fatima)).not.toMatch(/\.(notSent|pinLost)/);
    });
  });
});

/**
 * The webhook comes after the store has forgotten the claim, and before the lease of the login ends. The wallet's clock runs
 * on while a process starts.
 */
const SETTLES_MS = 15_000;

describe.each(STORES)('a claim that the store loses before its webhook comes, on %s', (store) => {
  const { world, forgetsFromLogin, texts } = losing(store, { settleAfterMs: SETTLES_MS });

  test.each(['ussd', 'web'] as const)(
    'a webhook writes it down again, and the end of the login’s lease says nothing else, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await fatima.walks(atPin);
      const forget = forgetsFromLogin(fatima);
      const sent = Promise.withResolvers<void>();
      world.wallet.next('transfer', async (ask) => {
        await ask();
        sent.resolve();
        return new Promise<never>(() => {});
      });
      void fatima.enters();
      await sent.promise;
      await world.crashes();
      await forget();
      await world.passes(SETTLES_MS);
      const again = world.again(fatima);
      await again.hears('transfer.done');
      await world.passes(60_000);
      expect(await texts(again)).not.toMatch(/\.(notSent|pinLost)/);
    },
  );
});

describe.each(STORES)('a lost claim without a payment or an event, on %s', (store) => {
  const { world, paymentsOf } = losing(store);

  test('an unsent payment is called so, and does not hold the next one back', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.walks(atPin);
    const forget = await forgetter(world, fatima);
    world.wallet.next('transfer', async () => {
      await forget();
      return UNSENT;
    });
    await fatima.enters().sees('transfer.notSent', { amount: 10_000 });
    const next = fatima.goes('menu').chooses('transfer').says(RECIPIENT).says('100');
    await next.enters().sees('transfer.processing');
  });

  test('the code of a voucher, which has no event, arrives once', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(buys(fatima.phone));
    const forget = await forgetter(world, fatima);
    world.wallet.next('buyVoucher', async (ask) => {
      const answer = await ask();
      await forget();
      return answer;
    });
    await fatima.enters().hears('voucher.done').hears('voucher.code').hearsNothing();
    expect((await paymentsOf(fatima))[0]).toMatchObject({ state: 'succeeded' });
  });
});
