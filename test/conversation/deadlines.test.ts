import { describe, expect, test } from 'vitest';
import type { Answer } from '../../src/wallet/answer.ts';
import { theDeadline } from '../kit/deadline.ts';
import { type Customer, LOST, RECIPIENT, STORES, theWorld } from '../kit/world.ts';

const PATIENT_MS = 15_000;
const deadline = theDeadline();

describe.each(STORES)('a slow wallet, on %s', (store) => {
  const world = theWorld({ store });
  const atPin = (customer: Customer) =>
    customer.isAtMenu().chooses('transfer').says(RECIPIENT).says('100').sees('transfer.askPinOpenLoop');

  /** Lets the customer make a call whose answer is late. Returns the function that releases the answer. */
  async function tooLate(
    customer: Customer,
    call: 'customerStatus' | 'previewTransfer' | 'login' | 'transfer',
    does: () => Customer,
    answer?: Answer<never>,
  ) {
    const held = world.wallet.holds(call, answer);
    await customer.hasPatience(deadline.ms);
    const turn = does().hasPatience(PATIENT_MS);
    await held.reached;
    deadline.strikes();
    await turn;
    return async () => {
      held.go();
      await world.rests();
    };
  }

  test('at a read the customer is told in time, nothing is committed, and the next input goes on', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT);
    const before = await world.session(fatima);
    const answers = await tooLate(fatima, 'previewTransfer', () => fatima.says('100'));
    await fatima.sees('nav.slow');
    expect(fatima.reply().rests).toBe(true);
    await answers();
    expect(await world.session(fatima)).toEqual(before);
    await fatima.says('100').sees('transfer.askPinOpenLoop');
  });

  test('at the very first read the language is asked for again', async () => {
    const fatima = world.customer();
    await fatima.dials().sees('language.choose');
    const answers = await tooLate(fatima, 'customerStatus', () => fatima.chooses('en'));
    await fatima.sees('nav.slow').meanwhile(answers);
    await fatima.dials().sees('language.choose').chooses('en').sees('menu.choose');
  });

  test('at the PIN, in a chat, the check goes on and its result is pushed', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('balance');
    const answers = await tooLate(fatima, 'login', () => fatima.enters());
    await fatima.sees('pin.checking');
    expect(fatima.reply().rests).toBe(true);
    await answers();
    await fatima.hears('balance.shown', { balance: 50_000 }).opens().sees('balance.shownAt');
    expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(2);
  });

  test('at the payment, in a chat: the outcome is pushed', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.walks(atPin);
    const answers = await tooLate(fatima, 'transfer', () => fatima.enters());
    await fatima.sees('transfer.processing').meanwhile(answers).hears('transfer.processing');
    await fatima.after(1_500).hears('transfer.done');
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
  });

  test('at the payment, on USSD, the outcome comes by SMS and on the next dial', async () => {
    const fatima = world.customer({ language: 'en' });
    await fatima.walks(atPin);
    const answers = await tooLate(fatima, 'transfer', () => fatima.enters());
    await fatima.sees('transfer.processing').meanwhile(answers);
    await world.passes(1_500);
    expect(world.sms(fatima.phone).at(-1)).toMatch(/^Wasl: MAD 100\.00 sent/);
    await fatima.dials().sees('menu.choose').isTold('transfer.done');
  });

  test('a wrong PIN that was checked too late is told on the next dial', async () => {
    const fatima = world.customer();
    await fatima.walks(atPin);
    const answers = await tooLate(fatima, 'login', () => fatima.enters('4321'));
    await fatima.sees('pay.checkingPin', { amount: 10_000 }).meanwhile(answers);
    await fatima.dials().sees('transfer.resumePayment').isTold('pin.wrongWithTries', { count: 2 });
  });

  test('after a PIN without a check, the customer reads once that nothing was sent', async () => {
    const fatima = world.customer();
    await fatima.walks(atPin);
    const answers = await tooLate(fatima, 'login', () => fatima.enters(), LOST);
    await fatima.sees('pay.checkingPin').meanwhile(answers).dials().sees('transfer.resumePayment');
    await fatima.isTold('transfer.notSentAt').isTold('pin.lost');
    expect(world.sms(fatima.phone).filter((text) => /effectué|not made|لم يتم/.test(text))).toHaveLength(1);
  });

  test('another dial during the check shows that it still runs', async () => {
    const fatima = world.customer();
    await fatima.walks(atPin);
    const answers = await tooLate(fatima, 'transfer', () => fatima.enters());
    await fatima.sees('transfer.processing').dials().sees('transfer.processing').meanwhile(answers);
    await fatima.dials().sees('menu.choose').isTold('transfer.notConfirmed');
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
  });
});
