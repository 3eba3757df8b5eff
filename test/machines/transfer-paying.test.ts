import { describe, expect, test } from 'vitest';
import { MAGIC } from '../../src/sandbox/faults/magic.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { type Customer, LOST, loses, MINUTE_MS, refused, STORES, theWorld, UNSENT } from '../kit/world.ts';
import { orders } from './transfer-orders.ts';

/** A wallet of another provider: any number that the sandbox does not know. */
const ELSEWHERE = msisdn('0655000000');

const atPin = (customer: Customer) =>
  customer.isAtMenu().walks(orders(ELSEWHERE, '100')).sees('transfer.askPinOpenLoop');

describe.each(STORES)('the PIN of a transfer, on %s', (store) => {
  const world = theWorld({ store });

  test('a wrong PIN sends nothing', async () => {
    const fatima = world.customer();
    await fatima.walks(atPin);
    await fatima.enters('4321').sees('transfer.askPinOpenLoop').isTold('pin.wrongWithTries', { count: 2 });
    await fatima.enters('4321').isTold('pin.lastTry');
    await fatima.enters('4321').sees('transfer.notSent').isTold('pin.locked');
    expect(world.wallet.calls(fatima.phone, 'transfer')).toEqual([]);
  });

  test('a lost login answer sends nothing and asks again', async () => {
    const fatima = world.customer().walks(atPin);
    world.wallet.next('login', loses);
    await fatima.enters().sees('transfer.askPinOpenLoop').isTold('pay.pinLost');
    await fatima.enters().sees('transfer.processing');
  });

  test('the prompt closes after two minutes, and can be gone on with', async () => {
    const fatima = world.customer();
    await fatima.walks(atPin).after(2 * MINUTE_MS);
    await fatima.enters().sees('pin.lapsed');
    expect(world.wallet.calls(fatima.phone, 'login')).toEqual([]);
    await fatima.chooses('continue').sees('transfer.askPinOpenLoop').enters().sees('transfer.processing');
  });

  test('a prompt that closed is offered on the next dial', async () => {
    const fatima = world.customer();
    await fatima.walks(atPin).after(2 * MINUTE_MS);
    await fatima.dials().sees('transfer.resumePayment', { to: ELSEWHERE });
    await fatima.chooses('continue').sees('transfer.askPinOpenLoop');
  });

  test('the conversation ends after half an hour', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.walks(atPin).after(31 * MINUTE_MS);
    await fatima.says('1234').sees('menu.choose').isTold('nav.expired');
    await fatima.says('1').sees('transfer.askRecipient');
  });

  test('half an hour after the money was sent nobody says that nothing was debited', async () => {
    const fatima = world.customer({ channel: 'web' }).walks(atPin);
    world.wallet.next('transfer', LOST);
    await fatima.enters().sees('transfer.notConfirmed');
    await fatima.after(31 * MINUTE_MS);
    await fatima.says('bonjour').sees('menu.choose').isTold('transfer.notConfirmed', { amount: 10_000 });
  });
});

describe.each(STORES)('the execution of a transfer, on %s', (store) => {
  const world = theWorld({ store });

  test('the balance has moved meanwhile: refused at the execution', async () => {
    const ussd = world.customer({ balance: '150' }).walks(atPin);
    const chat = world.chatOf(ussd);
    await ussd;
    await chat.isAtMenu().walks(orders('0655000001', '60')).enters();
    await chat.after(1_500).hears('transfer.done');
    await ussd.enters().sees('transfer.refused').isTold('problem.90010').goes('menu').isToldNothing();
  });

  test.each([
    ['never sent', UNSENT, 'problem.unavailable'],
    ['refused with a code that nobody knows', refused('47110'), 'problem.other'],
  ])('the execution is %s', async (_, instead, told) => {
    const fatima = world.customer().walks(atPin);
    world.wallet.next('transfer', instead);
    await fatima
      .enters()
      .sees(instead === UNSENT ? 'transfer.notSent' : 'transfer.refused')
      .isTold(told);
  });

  test.each([
    ['hears nothing', LOST],
    ['loses the answer', loses],
  ])('an execution that %s is never called failed', async (_, instead) => {
    const fatima = world.customer({ channel: 'web' }).walks(atPin);
    world.wallet.next('transfer', instead);
    await fatima.enters().sees('transfer.notConfirmed').says('/cancel').sees('transfer.notConfirmed');
    const screens: string[] = [];
    for (const ms of [1_500, 10_000, 60_000]) {
      await world.passes(ms);
      screens.push(...(await world.engine.waiting(fatima.address)).map(({ screen }) => screen.key));
    }
    expect(screens).not.toContain('transfer.failed');
    expect(screens).not.toContain('transfer.refused');
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
  });

  test('a wallet whose connection breaks after the execution, as the sandbox plays it', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().walks(orders(MAGIC.answerLost, '100')).enters().sees('transfer.notConfirmed');
    await fatima.after(1_500).hears('transfer.done');
  });

  test('ten seconds without an outcome: not confirmed yet', async () => {
    const fatima = world.customer({ channel: 'web' }).walks(atPin);
    world.wallet.next('transfer', { kind: 'ok', value: {} });
    await fatima.enters().sees('transfer.processing');
    await fatima.after(10_000).hears('transfer.notConfirmed');
    await fatima.opens().sees('transfer.notConfirmed');
  });

  test('two channels of one wallet at once: exactly one payment goes through', async () => {
    const ussd = world.customer({ balance: '1000' });
    const chat = world.chatOf(ussd);
    await ussd.walks(atPin);
    await chat.isAtMenu().walks(orders('0655000001', '50'));
    await Promise.all([ussd.enters(), chat.enters()]);
    const keys = [ussd, chat].map(({ reply }) => reply().screen.key);
    expect(keys.sort()).toEqual(['pay.busy', 'transfer.processing']);
    const loser = ussd.reply().screen.key === 'pay.busy' ? ussd : chat;
    await loser.after(1_500).chooses('again').sees('transfer.askPinOpenLoop');
    expect(world.wallet.calls(ussd.phone, 'transfer')).toHaveLength(1);
  });

  test('the same payment twice at once, from two chats: it is made once', async () => {
    const fatima = world.customer({ balance: '1000' });
    const chats = [world.chatOf(fatima), world.chatOf(fatima)];
    for (const chat of chats) await chat.walks(atPin);
    await Promise.all(chats.map((chat) => chat.enters()));
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
    expect(chats.map(({ reply }) => reply().screen.key)).toContain('transfer.processing');
  });

  test('a process that dies while the money is on its way leaves "not confirmed", not silence', async () => {
    const fatima = world.customer().walks(atPin);
    await fatima;
    await world.crashesDuring('transfer', fatima.enters());
    await world.passes(MINUTE_MS);
    await world.again(fatima).dials().sees('menu.choose').isTold('transfer.notConfirmed');
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
  });
});
