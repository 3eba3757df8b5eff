import { describe, expect, test } from 'vitest';
import { theDeadline } from '../../kit/deadline.ts';
import { type Customer, LOST, loses, MINUTE_MS, refused, STORES, theWorld } from '../../kit/world.ts';

const RECIPIENT = '0655000000';

const atPin = (customer: Customer) => customer.isAtMenu().chooses('transfer').says(RECIPIENT).says('100');

describe.each(STORES)('a payment of another channel, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });
  const deadline = theDeadline();

  /** Somebody whose payment by USSD nobody knows the end of, and their chat, opened before it. */
  async function unconfirmed(channel: 'web' | 'telegram') {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu();
    const dialer = world.dialer(fatima).walks(atPin);
    world.wallet.next('transfer', loses);
    await dialer.enters().sees('transfer.notConfirmed');
    return { fatima, dialer };
  }

  test.each([
    ['web', 1],
    ['telegram', 0],
  ] as const)(
    'is told in the %s chat that named it, and costs %i SMS to its own number',
    async (channel, cost) => {
      const { fatima, dialer } = await unconfirmed(channel);
      await fatima.goes('menu').isTold('transfer.notConfirmed', { amount: 10_000 });
      const sms = world.sms(dialer.phone).length;
      await fatima.after(MINUTE_MS).hears('transfer.done', { amount: 10_000 }).hearsNothing();
      expect(world.sms(dialer.phone)).toHaveLength(sms + cost);
      await dialer.dials().isTold('transfer.done');
    },
  );

  test('is told in an unused chat as money that has left, without the name of whom it went to', async () => {
    const { fatima } = await unconfirmed('web');
    await fatima.after(MINUTE_MS).hears('pay.debited').hearsNothing();
  });

  test('that failed is not told in an unused chat', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    const dialer = world.dialer(fatima).walks(atPin);
    world.wallet.next('transfer', refused('90010'));
    await dialer.enters().sees('transfer.refused');
    await fatima.after(MINUTE_MS).hearsNothing();
  });

  test('is not told in a chat that is no longer linked to the wallet', async () => {
    const { fatima } = await unconfirmed('web');
    await fatima.goes('menu').isTold('transfer.notConfirmed');
    await fatima.chooses('account').chooses('unlink').chooses('unlink').sees('linking.askPhone');
    await fatima.after(MINUTE_MS).hearsNothing();
  });

  test.each([
    ['its end', undefined, 'transfer.done'],
    ['a refusal', refused('90010'), 'transfer.refused'],
  ] as const)(
    'is told once in the chat that named it meanwhile, when its answer brings %s',
    async (_, answer, told) => {
      const fatima = world.customer({ channel: 'web' });
      await fatima.isAtMenu();
      const dialer = world.dialer(fatima).walks(atPin).hasPatience(deadline.ms);
      await dialer;
      const gate = Promise.withResolvers<void>();
      const reached = Promise.withResolvers<void>();
      world.wallet.next('transfer', async (ask) => {
        reached.resolve();
        await gate.promise;
        return answer ?? ask();
      });
      const paying = dialer.enters().then(() => {});
      await reached.promise;
      deadline.strikes();
      await paying;
      await fatima.goes('menu').isTold('transfer.notConfirmed', { amount: 10_000 });
      gate.resolve();
      await world.rests();
      await fatima.after(MINUTE_MS).hears(told, { amount: 10_000 }).hearsNothing();
    },
  );
});

describe('two open payments that read the same', () => {
  const world = theWorld();

  test.each(['fr', 'ar', 'en'] as const)('are told apart by their time, in %s', async (language) => {
    const fatima = world.customer({ channel: 'web', language }).walks(atPin);
    world.wallet.next('transfer', LOST);
    await fatima.enters().goes('menu').isTold('transfer.notConfirmed');
    await world.passes(3 * MINUTE_MS);
    world.wallet.next('transfer', LOST);
    await fatima.chooses('transfer').says(RECIPIENT).says('100').chooses('confirm').enters();
    await fatima.goes('menu');
    const { first = [] } = fatima.reply().screen;
    expect(first.map(({ key }) => key)).toEqual(['transfer.notConfirmedAt', 'transfer.notConfirmedAt']);
    const said = first.map(
      (sentence) => world.renderer.chat({ ...sentence, expects: 'nothing' }, language).text,
    );
    expect(new Set(said).size).toBe(2);
  });
});
