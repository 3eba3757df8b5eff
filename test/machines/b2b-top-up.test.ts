import { describe, expect, test } from 'vitest';
import type { Msisdn } from '../../src/wallet/phone.ts';
import { HOUR_MS, MINUTE_MS } from '../kit/durations.ts';
import { CHATS, type Customer, LOST, loses, refused, testOn, theWorld } from '../kit/world.ts';
import { boundAtMenu, unbound } from './principal-orders.ts';

const TO = '0655000031';

const orders =
  (to: string, dirhams = '45') =>
  (customer: Customer) =>
    customer
      .chooses('principal')
      .chooses('b2b-top-up')
      .sees('b2b-top-up.askNumber')
      .says(to)
      .chooses('3')
      .sees('top-up.askAmount')
      .says(dirhams);

describe('a phone is topped up from the float of the principal agent', () => {
  const world = theWorld({ bot: 'webhook' });
  const made = (to: string) =>
    world.sandbox.executions().filter(({ type, receiver }) => type === 10 && receiver.endsWith(to.slice(1)));

  testOn(CHATS)(
    'with the PIN of the number that acts for it, whose own wallet moves nothing, on %s',
    async (channel) => {
      const to = channel === 'web' ? TO : '0655000032';
      const float = world.sandbox.float();
      const salma = boundAtMenu(world, channel).walks(orders(to, '50')).chooses('classic');
      const before = await balance(salma.phone);
      await salma.sees('b2b-top-up.askPin', { amount: 5_000 });
      await salma.enters().sees('b2b-top-up.done', { amount: 5_000 });
      expect(made(to)).toMatchObject([{ sender: 'PA-1001', amount: 5_000 }]);
      expect(world.sandbox.float()).toBe(float - 5_000);
      expect(await balance(salma.phone)).toBe(before);
      // The wallet lists it by now: that is no second one.
      await world.passes(2 * MINUTE_MS);
      expect(await world.engine.desk.payments(salma.phone, 5)).toMatchObject([{ state: 'succeeded' }]);
    },
  );

  const balance = async (phone: Msisdn) => {
    const answer = await world.api.balance(phone);
    return answer.kind === 'ok' ? answer.value : undefined;
  };

  test('a lost answer is found in the list of all operations, and the next top-up like it is asked about', async () => {
    const to = '0655000033';
    const salma = boundAtMenu(world).walks(orders(to));
    await salma.sees('b2b-top-up.askPin').meanwhile(() => world.wallet.next('topUpB2b', loses));
    await salma.enters().sees('b2b-top-up.notConfirmed');
    await salma.after(10_000).hears('b2b-top-up.done', { amount: 4_500 });
    await salma.goes('menu').walks(orders(to)).sees('b2b-top-up.confirmAgain').chooses('confirm').enters();
    await salma.sees('b2b-top-up.done');
    expect(made(to)).toHaveLength(2);
    // Somebody else who acts for the same agent reads of them, too.
    const karim = boundAtMenu(world).walks(orders(to));
    await karim.sees('b2b-top-up.confirmAgain');
  });

  test('nothing is paid without a readable list while a failover may lose payments', async () => {
    const to = '0655000035';
    for (const mayLoseWrites of [true, false]) {
      world.weather.mayLoseWrites = mayLoseWrites;
      world.wallet.next('agentOperations', refused('http403'));
      const salma = boundAtMenu(world).walks(orders(to));
      if (mayLoseWrites) await salma.isTold('problem.unguarded');
      else await salma.sees('b2b-top-up.askPin').enters().sees('b2b-top-up.done');
      expect(made(to)).toHaveLength(mayLoseWrites ? 0 : 1);
    }
  });

  test('a person looks into a top-up that no readable list shows', async () => {
    const to = '0655000034';
    const none = refused('http403');
    for (const isReadable of [true, false]) {
      const salma = boundAtMenu(world)
        .walks(orders(to, isReadable ? '45' : '55'))
        .sees('b2b-top-up.askPin');
      await salma.meanwhile(() => world.wallet.next('topUpB2b', isReadable ? LOST : loses)).enters();
      await salma.sees('b2b-top-up.notConfirmed');
      for (let i = 0; i < 20 && !isReadable; i++) world.wallet.next('agentOperations', none);
      await salma.after(HOUR_MS).hears('b2b-top-up.human');
      expect(await world.engine.desk.unsettled()).toContainEqual(
        expect.objectContaining({ wallet: salma.phone, state: 'human' }),
      );
    }
  });

  test.each([
    ['0699000003', undefined, 'problem.90019'],
    [TO, refused('90010'), 'b2b-top-up.floatTooLow'],
    [TO, refused('90024'), 'problem.90140'],
  ] as const)('nothing is made after a refusal for %s', async (to, answer, why) => {
    const salma = boundAtMenu(world).walks(orders(to, '95')).sees('b2b-top-up.askPin');
    if (answer) await salma.meanwhile(() => world.wallet.next('topUpB2b', answer));
    await salma.enters().sees('b2b-top-up.refused').isTold(why);
  });

  test('a large one waits in a chat linked today, and its customer is not told to dial', async () => {
    const salma = boundAtMenu(world).walks(orders(TO, '1500'));
    await salma.sees('problem.newLinkOfPrincipal', { amount: 100_000 });
    await world.passes(24 * HOUR_MS);
    await salma.goes('menu').walks(orders(TO, '1500')).sees('b2b-top-up.askPin', { amount: 150_000 });
  });

  test('a number that no longer acts for the agent makes none', async () => {
    const salma = boundAtMenu(world).walks(orders(TO, '85')).sees('b2b-top-up.askPin');
    await salma.meanwhile(() => unbound(world, salma.phone)).enters();
    await salma.sees('b2b-top-up.askNumber').isTold('problem.noPrincipal');
    expect(made(TO).filter(({ amount }) => amount === 8_500)).toEqual([]);
  });
});
