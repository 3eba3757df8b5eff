import { describe, expect, test } from 'vitest';
import { type Customer, loses, STORES, theWorld } from '../kit/world.ts';

const RECIPIENT = '+212655000000';
const orders = (customer: Customer) =>
  customer.isAtMenu().chooses('transfer').says(RECIPIENT).says('100').sees('transfer.askPinOpenLoop');

describe.each(STORES)('an interrupted session, on %s', (store) => {
  const world = theWorld({ store });

  test('is offered on the next dial, and goes on with a fresh preview', async () => {
    const fatima = world.customer();
    await fatima.walks(orders).dials().sees('transfer.resumePayment', { to: RECIPIENT, amount: 10_000 });
    await fatima.chooses('continue').sees('transfer.askPinOpenLoop', { amount: 10_000, fees: 200 });
    expect(world.wallet.calls(fatima.phone, 'previewTransfer')).toHaveLength(2);
  });

  test('never goes on past the PIN', async () => {
    const fatima = world.customer();
    await fatima.walks(orders).sees('transfer.askPinOpenLoop').dials().sees('transfer.resumePayment');
    await fatima.chooses('continue').sees('transfer.askPinOpenLoop');
  });

  test.each(['envoyer 50 à Zorglub', 'أرسل 50 إلى 061234567'])(
    'with an amount and no number yet offers to go on with it: %s',
    async (order) => {
      const fatima = world.customer();
      await fatima.isAtMenu().says(order).sees('transfer.askRecipient');
      await fatima.dials().sees('transfer.resumeAmount', { amount: 5_000 });
      await fatima.dials().sees('transfer.resumeAmount').says('solde').sees('balance.askPin');
      await fatima.goes('menu').says(order).dials().chooses('continue').sees('transfer.askRecipient');
      await fatima.says(RECIPIENT).sees('transfer.askPinOpenLoop', { amount: 5_000 });
    },
  );

  test('that was given nothing yet is no order', async () => {
    await world.customer().isAtMenu().chooses('transfer').dials().sees('menu.choose');
  });

  test('can be left for the menu', async () => {
    const fatima = world.customer();
    await fatima.walks(orders).dials().sees('transfer.resumePayment').chooses('leave').sees('menu.choose');
  });

  test.each([
    ['envoyer 20 à 0655000001', 'transfer.askPinOpenLoop', { to: '+212655000001', amount: 2_000 }],
    ['solde', 'balance.askPin', undefined],
  ] as const)('is left by a customer with another request: %s', async (words, screen, values) => {
    const fatima = world.customer();
    await fatima.walks(orders).dials().sees('transfer.resumePayment').says(words).sees(screen, values);
    await fatima.goes('menu').dials().sees('menu.choose');
  });

  test.each([
    ['3', 'top-up.askNumber'],
    ['6', 'statement.askPin'],
    ['٧', 'account.choose'],
  ])('is left by a digit that the customer knows from the menu: %s', async (digit, key) => {
    const fatima = world.customer();
    await fatima.walks(orders).dials().sees('transfer.resumePayment').says(digit).sees(key);
    await fatima.goes('menu').dials().sees('menu.choose');
  });

  test.each([
    ['1', 'transfer.askPinOpenLoop'],
    ['2', 'menu.choose'],
    ['42', 'transfer.resumePayment'],
  ])('its own digits come before those of the menu: %s', async (digit, key) => {
    const fatima = world.customer();
    await fatima.walks(orders).dials().sees('transfer.resumePayment').says(digit).sees(key);
  });

  test('is asked about again when the answer is not understood', async () => {
    const fatima = world.customer();
    await fatima.walks(orders).dials().sees('transfer.resumePayment');
    await fatima.says('peut-être').sees('transfer.resumePayment').isTold('nav.chooseOne');
  });

  test('is offered again when the offer itself broke off', async () => {
    const fatima = world.customer();
    await fatima.walks(orders).dials().sees('transfer.resumePayment');
    await fatima.dials().sees('transfer.resumePayment', { to: RECIPIENT });
    await fatima.chooses('continue').sees('transfer.askPinOpenLoop');
  });

  test.each<[string, (customer: Customer) => Customer, string, string]>([
    ['before the amount', (it) => it.isAtMenu().chooses('transfer').says(RECIPIENT), 'transfer', 'askAmount'],
  ])('%s', async (_, path, machine, screen) => {
    const fatima = world.customer();
    await fatima.walks(path).dials().sees(`${machine}.resume`);
    await fatima.chooses('continue').sees(`${machine}.${screen}`);
  });
});

describe.each(STORES)('an interrupted registration, on %s', (store) => {
  const world = theWorld({ store });

  test.each<[string, (customer: Customer) => Customer, string]>([
    ['the last name', (it) => it.says('Salma'), 'onboarding.askLastName'],
    ['the national ID number', (it) => it.says('Salma').says('Idrissi'), 'onboarding.askCin'],
    ['the review', (it) => it.says('Salma').says('Idrissi').says('AB123456'), 'onboarding.review'],
  ])('the registration goes on at %s', async (_, path, screen) => {
    const salma = world.stranger();
    await salma.arrives().chooses('agree').walks(path).dials().sees('onboarding.resume');
    await salma.chooses('continue').sees(screen);
  });

  test('nobody is offered a menu before the wallet is open', async () => {
    const salma = world.stranger().arrives().chooses('agree').says('Salma');
    await salma.dials().sees('onboarding.resume');
    expect(salma.reply().screen.choices?.map(({ key }) => key)).toEqual(['resume.continue', 'resume.anew']);
    await salma.says('3').sees('onboarding.resume').isTold('nav.chooseOne');
    await salma.chooses('leave').sees('consent.ask');
  });

  test.each<[string, (customer: Customer) => Customer]>([
    ['to the menu', (it) => it.goes('menu')],
    ['back, as far as that leads', (it) => it.goes('back').goes('back').goes('back').goes('back')],
  ])('keeps what was typed from whoever goes %s, and back from the offer goes on', async (_, leaves) => {
    const salma = world.stranger().arrives().chooses('agree').says('Salma').says('Idrissi').says('AB123456');
    await salma.sees('onboarding.review').walks(leaves).sees('onboarding.resume').goes('menu');
    await salma.sees('onboarding.resume').dials().sees('onboarding.resume').goes('back');
    const { conversation } = await world.session(salma);
    expect(conversation?.context).toMatchObject({ firstName: 'Salma', lastName: 'Idrissi', cin: 'AB123456' });
  });

  test.each([
    ['back', (it: Customer) => it.goes('back')],
    ['to the menu', (it: Customer) => it.goes('menu')],
    ['out', (it: Customer) => it.says('/cancel')],
  ])('is left at the code and at the new PIN by the way %s, and kept', async (_, leaves) => {
    const salma = world.stranger().arrives().chooses('agree').says('Salma').says('Idrissi').says('AB123456');
    await salma.chooses('confirm').sees('onboarding.askCode').walks(leaves).sees('onboarding.left');
    await salma.isToldNothing().dials().sees('onboarding.askCode').entersCodeFromSms();
    await salma.sees('onboarding.askNewPin').walks(leaves).sees('onboarding.left');
    await salma.dials().sees('onboarding.askNewPin').enters().walks(leaves);
    await salma.dials().sees('onboarding.askNewPin').enters().enters().sees('onboarding.opened');
  });

  test('after the registration, the wallet has the next step', async () => {
    const salma = world.stranger();
    await salma.arrives().chooses('agree').says('Salma').says('Idrissi').says('AB123456');
    await salma.chooses('confirm').sees('onboarding.askCode').dials().sees('onboarding.askCode');
    await salma.entersCodeFromSms().enters().sees('onboarding.repeatPin');
    await salma.dials().sees('onboarding.askNewPin');
  });
});

describe.each(STORES)('the offer to go on, on %s', (store) => {
  const world = theWorld({ store });

  test('the offer says that the last PIN was not checked or one try is left, and not again that it was wrong', async () => {
    const fatima = world.customer().walks(orders);
    await fatima.enters('4321').isTold('pin.wrongWithTries', { count: 2 }).dials();
    await fatima.sees('transfer.resumePayment').isToldNothing().chooses('continue');
    await fatima.enters('4321').isTold('pin.lastTry').dials();
    await fatima.sees('transfer.resumePayment').isTold('pin.lastTry');
    world.wallet.next('login', loses);
    await fatima.chooses('continue').enters().isTold('pay.pinLost').dials();
    await fatima.sees('transfer.resumePayment').isTold('pay.pinLost');
  });

  test('the offer does not mention an input that was no PIN', async () => {
    const fatima = world.customer();
    await fatima.walks(orders).says('12').isTold('pin.format');
    await fatima.dials().sees('transfer.resumePayment').isToldNothing();
  });

  test('after the money is sent nothing is offered, and its status is shown', async () => {
    const fatima = world.customer();
    await fatima.walks(orders).enters().sees('transfer.processing');
    await fatima.dials().sees('menu.choose').isTold('transfer.notConfirmed', { amount: 10_000 });
    await fatima.after(1_500).dials().sees('menu.choose').isTold('transfer.done');
  });

  test.each<[string, (customer: Customer) => Customer]>([
    ['at the menu', (it) => it.isAtMenu()],
    ['at the PIN of the balance', (it) => it.isAtMenu().chooses('balance').sees('balance.askPin')],
    ['at the PIN of the statement', (it) => it.isAtMenu().chooses('statement').sees('statement.askPin')],
    ['before the recipient', (it) => it.isAtMenu().chooses('transfer')],
    ['after the end', (it) => it.isAtMenu().chooses('balance').enters().sees('balance.shown')],
    ['at the limit of the level', (it) => it.isAtMenu().says('plafond').sees('upgrade.explain')],
    [
      'at the PIN for what is left of it',
      (it) => it.isAtMenu().says('plafond').chooses('room').sees('upgrade.askPin'),
    ],
    ['at the amount of a deposit', (it) => it.isAtMenu().says('dépôt').sees('cash-in.askAmountWithin')],
    ['at the amount of a withdrawal', (it) => it.isAtMenu().says('retrait').sees('cash-out.askAmount')],
    [
      'at the card to order',
      (it) => it.isAtMenu().says('commander une carte').chooses('1').sees('card-order.askPin'),
    ],
    ['at the old PIN', (it) => it.isAtMenu().says('/pin-change').sees('pin-change.askOldPin')],
    [
      'at the end of the wallet',
      (it) => it.isAtMenu().says('/closing').chooses('other').sees('closing.explain'),
    ],
    ['cancelled', (it) => it.walks(orders).says('/cancel').sees('menu.choose').isTold('transfer.cancelled')],
  ])('%s there is nothing to continue', (_, path) =>
    world.customer().walks(path).dials().sees('menu.choose').isToldNothing(),
  );

  test('where nothing was given, another request is not asked about', async () => {
    const fatima = world
      .customer({ channel: 'web' })
      .isAtMenu()
      .says('dépôt')
      .sees('cash-in.askAmountWithin');
    await fatima.goes('help').says('envoyer 200 à 0655000000').sees('transfer.askPinOpenLoop');
  });

  test('half an hour later there is nothing to continue', async () => {
    const fatima = world.customer();
    await fatima.walks(orders).after(31 * 60_000);
    await fatima.dials().sees('menu.choose').isToldNothing();
  });
});

describe('a wrong code before the session broke off', () => {
  const world = theWorld();
  test('is not said again by a dial', async () => {
    const fatima = world.customer({ language: 'ar' });
    await fatima.isAtMenu().says('99').says('1').says('1').sees('freeze.frozen').chooses('thaw').enters();
    await fatima.says('000-000').isTold('linking.wrongCode').dials().isToldNothing();
    await fatima.chooses('continue').isToldNothing();
    expect(fatima.reply().screen.expects).toBe('otp');
  });
});
