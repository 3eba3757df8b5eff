import { describe, expect, test } from 'vitest';
import { MAGIC } from '../../src/sandbox/faults/magic.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { type Customer, LOST, loses, MINUTE_MS, STORES, theWorld } from '../kit/world.ts';
import { paysLikeAll } from './payment-cases.ts';
import { orders } from './transfer-orders.ts';

/** A wallet of another provider: any number that the sandbox does not know. */
const ELSEWHERE = msisdn('0655000000');

const atPin = (customer: Customer) =>
  customer.isAtMenu().walks(orders(ELSEWHERE, '100')).sees('transfer.askPinOpenLoop');

describe.each(STORES)('the PIN of a transfer, on %s', (store) => {
  const world = theWorld({ store });

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
  paysLikeAll({
    ...{ world, kind: 'transfer', call: 'transfer', asks: 'transfer.askPinOpenLoop' },
    atPin: (channel) => world.customer({ channel }).walks(atPin),
  });

  test('the balance has moved meanwhile: refused at the execution', async () => {
    const ussd = world.customer({ balance: '150' }).walks(atPin);
    const chat = world.chatOf(ussd);
    await ussd;
    await chat.isAtMenu().walks(orders('0655000001', '60')).enters();
    await chat.after(1_500).hears('transfer.done');
    await ussd.enters().sees('transfer.refused').isTold('problem.90010').goes('menu').isToldNothing();
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
});
