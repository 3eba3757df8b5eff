import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { CHANNELS, type Customer, RECIPIENT, STORES, testOn, theWorld } from '../kit/world.ts';

/** After this another process takes over what a dead one was doing. */
const TAKEN_OVER_MS = 60_000;
const SETTLED_MS = 30_000;

const atPin = (customer: Customer) =>
  customer.isAtMenu().chooses('transfer').says(RECIPIENT).says('100').sees('transfer.askPinOpenLoop');

describe.each(STORES)('a process that is killed, on %s', (store) => {
  // No webhook comes while the process is away: it would be sent again later than this test lasts.
  const world = theWorld({ store, bot: 'webhook', settings: { settleAfterMs: SETTLED_MS } });
  testOn(CHANNELS)('before every turn of a transfer, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu();
    await fatima.findsBeforeEachTurn(() => world.restarts());
    await fatima.chooses('transfer').sees('transfer.askRecipient').says(RECIPIENT).sees('transfer.askAmount');
    await fatima.says('100').sees('transfer.askPinOpenLoop', { amount: 10_000 });
    await fatima.enters('4321').sees('transfer.askPinOpenLoop').enters().sees('transfer.processing');
    await world.restarts();
    await fatima.after(SETTLED_MS).hears('transfer.done', { total: 10_200 });
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
  });

  test('before every turn of opening a wallet', async () => {
    const salma = world.stranger({ channel: 'web' });
    await salma.findsBeforeEachTurn(() => world.restarts());
    await salma.opens().sees('linking.askPhone').says(salma.phone).sees('linking.askCode');
    await salma.entersCodeFromSms().sees('consent.ask').chooses('agree').sees('onboarding.askFirstName');
    await salma.says('Salma').sees('onboarding.askLastName');
    await salma.says('Idrissi').sees('onboarding.askCin').says('AB123456').sees('onboarding.review');
    await salma.chooses('confirm').sees('onboarding.askCode');
    await salma.entersCodeFromSms().sees('onboarding.askNewPin').enters().sees('onboarding.repeatPin');
    await salma.enters().sees('onboarding.opened');
  });
});

describe.each(STORES)('a process that dies in the middle of a call, on %s', (store) => {
  const world = theWorld({ store });
  test.each(LANGUAGES)(
    'at the login, the PIN is asked for again and may have cost a try, in %s',
    async (language) => {
      const fatima = world.customer({ language });
      await fatima.walks(atPin);
      await world.crashesDuring('login', fatima.enters());
      await world.passes(TAKEN_OVER_MS);
      await world
        .again(fatima)
        .dials()
        .sees('transfer.resumePayment')
        .isTold('pin.lost')
        .isTold('transfer.notSentAt')
        .chooses('continue')
        .sees('transfer.askPinOpenLoop')
        .enters()
        .sees('transfer.processing');
      expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(2);
      expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
    },
  );

  test('at the login, in a chat, the prompt is pushed again', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('balance');
    await world.crashesDuring('login', fatima.enters());
    await world.passes(TAKEN_OVER_MS);
    await world
      .again(fatima)
      .hears('balance.askPin')
      .opens()
      .sees('balance.askPin')
      .isTold('pin.lost')
      .enters()
      .sees('balance.shown');
  });

  test.each(LANGUAGES)(
    'at the payment, it is not confirmed and never sent again, in %s',
    async (language) => {
      const fatima = world.customer({ channel: 'web', language });
      await fatima.walks(atPin);
      await world.crashesDuring('transfer', fatima.enters());
      await world.passes(TAKEN_OVER_MS);
      await world
        .again(fatima)
        .hears('transfer.notConfirmed', { amount: 10_000 })
        .opens()
        .sees('transfer.notConfirmed')
        .says('/cancel')
        .sees('transfer.notConfirmed');
      await world.restarts();
      await world.passes(TAKEN_OVER_MS);
      expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
    },
  );

  test('at the payment, after the wallet has made it, the webhook has the outcome', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.walks(atPin);
    const executed = Promise.withResolvers<void>();
    world.wallet.next('transfer', async (ask) => {
      await ask();
      executed.resolve();
      return new Promise<never>(() => {});
    });
    void fatima.enters();
    await executed.promise;
    await world.crashes();
    await world.passes(1_500);
    await world.passes(TAKEN_OVER_MS);
    await world.again(fatima).opens().sees('transfer.done', { total: 10_200 });
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
  });

  test.each([
    ['register', 'consent.ask', (it: Customer) => it.chooses('confirm')],
    ['confirm', 'onboarding.askCode', (it: Customer) => it.chooses('confirm').entersCodeFromSms()],
    [
      'createPin',
      'onboarding.askNewPin',
      (it: Customer) => it.chooses('confirm').entersCodeFromSms().enters().enters(),
    ],
  ] as const)('%s: the wallet knows the next step', async (call, screen, path) => {
    const salma = world.stranger();
    await salma.arrives().chooses('agree').says('Salma').says('Idrissi').says('AB123456');
    await world.crashesDuring(call, path(salma));
    await world.passes(TAKEN_OVER_MS);
    await world.again(salma).dials().sees(screen);
  });
});

describe.each([
  ['sqlite', 'there is no other process, so the answer is lost at once', 'transfer.resumePayment'],
  ['redis', 'another process may still bring the answer, so it is waited for', 'pay.checkingPin'],
] as const)('right after a crash, on %s', (store, why, screen) => {
  const world = theWorld({ store });

  test(why, async () => {
    const fatima = world.customer();
    await fatima.walks(atPin);
    await world.crashesDuring('login', fatima.enters());
    await world.again(fatima).dials().sees(screen);
  });
});
