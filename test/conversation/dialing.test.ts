import { describe, expect, test } from 'vitest';
import type { Input } from '../../src/conversation/incoming.ts';
import { type Customer, RECIPIENT, STORES, theWorld } from '../kit/world.ts';

const TRANSFER = '1';
const BALANCE = '2';
const TOP_UP = '3';

describe('a deep dial', () => {
  const world = theWorld();
  /** Has chosen the language once, and hung up. */
  const known = () => world.customer().isAtMenu();

  test.each<[string, string[], string]>([
    ['*123#', [], 'menu.choose'],
    ['*123*1#', [TRANSFER], 'transfer.askRecipient'],
    ['*123*1*0655000000#', [TRANSFER, RECIPIENT], 'transfer.askAmount'],
    ['*123*1*0655000000*100#', [TRANSFER, RECIPIENT, '100'], 'transfer.askPinOpenLoop'],
    [
      'as it was dialled before the PIN confirmed',
      [TRANSFER, RECIPIENT, '100', '1'],
      'transfer.askPinOpenLoop',
    ],
    ['*123*2#', [BALANCE], 'balance.askPin'],
  ])('%s', (_, answers, screen) =>
    known()
      .dials(...answers)
      .sees(screen)
      .isToldNothing(),
  );

  test.each<[string, string[], string]>([
    ['*123*2*1234#', [BALANCE, '1234'], 'balance.askPin'],
    ['*123*1*0655000000*100*1234#', [TRANSFER, RECIPIENT, '100', '1234'], 'transfer.askPinOpenLoop'],
  ])('a PIN in it is never taken: %s', async (_, answers, screen) => {
    const fatima = known();
    await fatima.dials(...answers).sees(screen);
    await fatima.isToldNothing();
    expect(world.wallet.calls(fatima.phone, 'login')).toEqual([]);
  });

  test.each<[string, string[], string, string]>([
    ['a wrong choice', ['42', RECIPIENT], 'menu.choose', 'nav.chooseOne'],
    ['a wrong amount', [TRANSFER, RECIPIENT, '1.500', '1'], 'transfer.askAmount', 'amount.ambiguous'],
    ['a wrong number', [TRANSFER, '0522123456', '100'], 'transfer.askRecipient', 'mobile.notANumber'],
    [
      'a number without a wallet',
      [TRANSFER, '0699000001', '100', '1'],
      'transfer.askRecipient',
      'problem.90013',
    ],
  ])('%s ends it there', async (_, answers, screen, told) => {
    const fatima = known();
    await fatima.dials(...answers).sees(screen);
    await fatima.isTold(told);
    expect(world.wallet.calls(fatima.phone, 'transfer')).toEqual([]);
  });

  test('a dial does not answer a question for a yes, such as a second payment', async () => {
    const fatima = known().chooses('transfer').says(RECIPIENT).says('100').enters();
    await fatima.sees('transfer.processing');
    await world.passes(1_500);
    await fatima.dials(TRANSFER, RECIPIENT, '100', '1').sees('transfer.confirmAgain', { amount: 10_000 });
  });

  test('a customer without a language is asked for it first', () =>
    world.customer().dials(TRANSFER, RECIPIENT).sees('language.choose').chooses('fr').sees('menu.choose'));

  test('its request wins over an interrupted one', async () => {
    const fatima = known().chooses('transfer').says(RECIPIENT).says('200').sees('transfer.askPinOpenLoop');
    await fatima.dials(TRANSFER, RECIPIENT, '300').sees('transfer.askPinOpenLoop', { amount: 30_000 });
    await fatima.isToldNothing().enters().sees('transfer.processing', { amount: 30_000 });
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
  });

  test.each<[string, string[], string]>([
    ['the balance', [BALANCE], 'balance.askPin'],
    ['the statement', ['6'], 'statement.askPin'],
    ['nobody', [TRANSFER], 'transfer.askRecipient'],
  ])('also when it asks for %s', async (_, answers, screen) => {
    const fatima = known();
    await fatima.chooses('transfer').says(RECIPIENT);
    await fatima.dials(...answers).sees(screen);
    await fatima.isToldNothing();
  });

  test('a bare one offers it, with recipient and amount', async () => {
    const fatima = known();
    await fatima.chooses('transfer').says(RECIPIENT).says('200');
    await fatima.dials().sees('transfer.resumePayment', { amount: 20_000, to: '+212655000000' });
    await fatima.chooses('continue').sees('transfer.askPinOpenLoop', { amount: 20_000 });
  });

  test('only its missing parts are asked for', async () => {
    const fatima = known();
    await fatima.dials(TOP_UP, RECIPIENT, '45').sees('top-up.chooseOperator', { to: '+212655000000' });
    await fatima.isToldNothing().chooses('2').sees('top-up.askPin', { amount: 4_500, to: '+212655000000' });
  });

  test.each<[string, string[], string]>([
    ['the operator is in it', [TOP_UP, RECIPIENT, '2', '45'], 'top-up.askPin'],
    ['the amount could be two', [TOP_UP, RECIPIENT, '1.500'], 'top-up.chooseOperator'],
    ['the number is none', [TOP_UP, '12', '50'], 'top-up.askNumber'],
    ['something follows it', [TOP_UP, RECIPIENT, '50', '1'], 'top-up.chooseOperator'],
  ])('as it stands when %s', (_, answers, screen) =>
    known()
      .dials(...answers)
      .sees(screen),
  );
});

describe.each(STORES)("the gateway's session, on %s", (store) => {
  const world = theWorld({ store });

  test('a gateway that sends all answers so far is read once for each answer', async () => {
    const fatima = world.customer({ language: 'fr' });
    await fatima.isAtMenu();
    const typed: Input[] = [];
    const types = async (text: string) => {
      typed.push({ type: 'said', text });
      const id = `request ${typed.length}`;
      const dialog = 'one session';
      return world.engine.receive({ address: fatima.address, id, dialog, inputs: [...typed] }, 5_000);
    };
    await world.engine.receive(
      { address: fatima.address, id: 'dial', dialog: 'one session', inputs: [] },
      5_000,
    );
    expect((await types(TRANSFER)).screen.key).toBe('transfer.askRecipient');
    expect((await types(RECIPIENT)).screen.key).toBe('transfer.askAmount');
    expect((await types('100')).screen.key).toBe('transfer.askPinOpenLoop');
    expect((await types('4321')).screen.notice?.key).toBe('pin.wrongWithTries');
    expect((await types('1234')).screen.key).toBe('transfer.processing');
    expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(2);
  });

  test('another session id is another dial', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).sees('transfer.askAmount');
    const dial = { address: fatima.address, id: 'dial', dialog: 'another', inputs: [] };
    expect((await world.engine.receive(dial, 5_000)).screen.key).toBe('transfer.resume');
    const again = { ...dial, id: 'answer', inputs: [{ type: 'said', text: '1' } as const] };
    expect((await world.engine.receive(again, 5_000)).screen.key).toBe('transfer.askAmount');
  });

  test('the same dial repeated is one dial', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT);
    const dial = { address: fatima.address, id: 'dial', dialog: 'another', inputs: [] };
    await world.engine.receive(dial, 5_000);
    expect((await world.engine.receive(dial, 5_000)).screen.key).toBe('transfer.resume');
  });
});

describe.each(STORES)('an outcome after the customer hung up, on %s', (store) => {
  const world = theWorld({ store });
  const pays = (customer: Customer) =>
    customer.isAtMenu().chooses('transfer').says(RECIPIENT).says('100').enters().sees('transfer.processing');

  test('comes by SMS, and first on the next dial', async () => {
    const fatima = world.customer({ language: 'en' });
    await fatima.walks(pays);
    await world.passes(1_500);
    expect(world.sms(fatima.phone)).toEqual([
      expect.stringMatching(
        /^Wasl: MAD 100\.00 sent to 0655000000\. Total debited MAD 102\.00\. Reference \d+$/,
      ),
    ]);
    await fatima.dials().sees('menu.choose').isTold('transfer.done', { amount: 10_000 });
    await fatima.repeats().isTold('transfer.done').chooses('balance').sees('balance.askPin').isToldNothing();
    await fatima.goes('menu').dials().sees('menu.choose').isToldNothing();
    expect(world.sms(fatima.phone)).toHaveLength(1);
  });

  test('stands above the offer to go on', async () => {
    const fatima = world.customer();
    const youssef = world.customer();
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).says('50').sees('transfer.askPinOpenLoop');
    await youssef.isAtMenu().chooses('transfer').says(fatima.phone).says('20');
    await youssef.enters().sees('transfer.processing');
    await fatima.after(1_500).dials().sees('transfer.resumePayment', { amount: 5_000 });
    await fatima.isTold('received.from', { amount: 2_000, from: youssef.phone });
  });

  test('two outcomes are both told, the older first', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    for (const amount of ['20', '30']) {
      await fatima.chooses('transfer').says(RECIPIENT).says(amount).enters();
      await world.passes(1_500);
      if (amount === '20') await fatima.goes('menu');
    }
    await fatima.dials().sees('menu.choose');
    const said = fatima.reply().missed.map(({ screen }) => screen.values?.amount);
    expect(said).toEqual([{ money: 2_000 }, { money: 3_000 }]);
  });
});

describe('without SMS', () => {
  const world = theWorld({ sms: false });

  test('the outcome waits for the next dial', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).says('100').enters();
    await world.passes(1_500);
    expect(world.sms(fatima.phone)).toEqual([]);
    await fatima.dials().sees('menu.choose').isTold('transfer.done');
  });
});
