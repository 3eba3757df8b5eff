import { describe, expect, test } from 'vitest';
import type { Customer } from '../../kit/customer.ts';
import { forgetsSinceLogin, forgetter } from '../../kit/forgetter.ts';
import { LOST, UNSENT } from '../../kit/meddler.ts';
import { STORES, theWorld } from '../../kit/world.ts';
import { buys } from '../../machines/voucher-orders.ts';

const RECIPIENT = '0655000000';
const atPin = (customer: Customer) => customer.isAtMenu().chooses('transfer').says(RECIPIENT).says('100');

/** A failover while the wallet is asked: the claim was acknowledged, and is gone when the answer comes. */
describe.each(STORES)('a claim that the store loses while the money is sent, on %s', (store) => {
  const world = theWorld({ store });
  const paymentsOf = ({ phone }: Customer) => world.engine.desk.payments(phone, 10);

  test.each(['ussd', 'web'] as const)(
    'its answer is lost: it is followed from then on, on %s',
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

  test('who has given the PIN again by then is asked, and reads first that the payment is open', async () => {
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
    await fatima
      .enters()
      .sees('transfer.confirmUnconfirmed')
      .isTold('transfer.notConfirmed', { amount: 10_000 });
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
  });

  describe.each(['ussd', 'web'] as const)('back to where the PIN was checked, on %s', (channel) => {
    test('the conversation goes on where the claim had it, and hears its outcome once', async () => {
      const fatima = world.customer({ channel });
      await fatima.walks(atPin);
      forgetsSinceLogin(world, fatima);
      await fatima.enters().sees('transfer.processing');
      expect((await world.session(fatima)).underway).toBeUndefined();
      await world.passes(1_500);
      await fatima.hears('transfer.done');
      await world.passes(60_000);
      expect(await texts(fatima)).not.toMatch(/\.(notSent|pinLost)/);
    });

    test('its answer is lost as well: it is not confirmed yet, and never “not sent”', async () => {
      const fatima = world.customer({ channel });
      await fatima.walks(atPin);
      const forget = forgetsFromLogin(fatima);
      world.wallet.next('transfer', async (ask) => {
        await ask();
        await forget();
        return LOST;
      });
      await fatima.enters().sees('transfer.notConfirmed');
      await world.passes(60_000);
      await fatima.hears('transfer.done');
      expect(await texts(fatima)).not.toMatch(/\.(notSent|pinLost)/);
    });

    test('a webhook writes it down again, and the end of the login’s lease says nothing else', async () => {
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
      await world.passes(1_500);
      const again = world.again(fatima);
      await again.hears('transfer.done');
      await world.passes(60_000);
      expect(await texts(again)).not.toMatch(/\.(notSent|pinLost)/);
    });
  });

  /** Gives what takes the store back to the moment of the next login. */
  function forgetsFromLogin(customer: Customer): () => Promise<void> {
    let forget = async () => {};
    world.wallet.next('login', async (ask) => {
      forget = await forgetter(world, customer);
      return ask();
    });
    return () => forget();
  }

  /** What stands at an address by now: its screen, and what waits to be said there. */
  async function texts(customer: Customer): Promise<string> {
    const { conversation, outbox } = await world.session(customer);
    return JSON.stringify([conversation?.context.notice, conversation?.state, outbox]);
  }

  test('it was never sent: said so, and the next one is not held back', async () => {
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

  test('a voucher, of which no event ever comes: its code arrives, once', async () => {
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
