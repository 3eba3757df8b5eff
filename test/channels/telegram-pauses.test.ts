import { afterEach, describe, expect, test } from 'vitest';
import { centimes } from '../../src/wallet/money.ts';
import { createBotCustomer, paid, RECIPIENT } from './bot-api/customer.ts';
import { theBotStage } from './bot-api/stage.ts';

describe.each(['webhook', 'polling'] as const)('Telegram asks for a pause (429), by %s', (updates) => {
  const stage = theBotStage({ updates });
  const someone = () => createBotCustomer(stage, stage.world.customer().phone);

  afterEach(() => {
    expect(stage.api.broken()).toEqual([]);
    expect(stage.api.impatient()).toEqual([]);
  });

  test('429 is obeyed: nothing is sent before its time', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    stage.api.goesWrong('sendMessage', { tooMany: 40 });
    await fatima.says(RECIPIENT);
    const { length } = fatima.person.visible();
    await stage.world.passes(30_000);
    expect(fatima.person.visible()).toHaveLength(length);
    await stage.world.passes(11_000);
    expect(fatima.person.visible()).toHaveLength(length + 1);
    await fatima.sees('transfer.askAmount');
  });

  test('messages that Wasl sends by itself obey a 429, too', async () => {
    const fatima = someone();
    await paid(fatima);
    stage.api.goesWrong('sendMessage', { tooMany: 15 });
    await stage.world.passes(1_500);
    const { length } = fatima.person.visible();
    await stage.world.passes(10_000);
    expect(fatima.person.visible()).toHaveLength(length);
    await stage.world.passes(5_000);
    await fatima.hears('transfer.done');
  });

  test('a chat that must wait gets nothing before its time, and then all of it in order', async () => {
    const fatima = someone();
    const heard = () => fatima.person.visible().filter(({ text }) => /✅ .*100,00/.test(text));
    await paid(fatima);
    stage.api.goesWrong('sendMessage', { tooMany: 15 });
    await stage.world.passes(1_500);
    const { length } = fatima.person.visible();
    await fatima.says('/menu').says('/balance');
    await stage.world.passes(10_000);
    expect(fatima.person.visible()).toHaveLength(length);
    await stage.world.passes(5_000);
    expect(heard()).toHaveLength(1);
    await fatima.sees('balance.askPin').enters().sees('balance.shown');
  });

  test('a chat that must wait for long: the outcome comes by SMS within a minute', async () => {
    const fatima = someone();
    await paid(fatima);
    stage.api.goesWrong('sendMessage', { tooMany: 90 });
    await stage.world.passes(1_500);
    const { length } = fatima.person.visible();
    await stage.world.passes(30_000);
    expect(stage.world.sms(fatima.phone)).toEqual([expect.stringMatching(/100,00 DH .*effectué/)]);
    expect(fatima.person.visible()).toHaveLength(length);
  });

  test('one 429 on a screen: the outcome of the payment goes as soon as the wait ends', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).says('100');
    stage.api.goesWrong('editMessageText', { tooMany: 3 });
    await fatima.enters();
    await stage.world.passes(1_500);
    await stage.world.passes(1_600);
    await fatima.hears('transfer.done');
  });

  test('two notices of money received, the first answered 429: both come as soon as the wait ends', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    stage.api.goesWrong('sendMessage', { tooMany: 3 });
    for (const dirhams of [20, 30]) {
      await stage.world.engine.tellReceived({
        as: 'money',
        operationId: 1_000 + dirhams,
        to: fatima.phone,
        from: undefined,
        amount: centimes(dirhams * 100),
      });
    }
    await stage.world.rests();
    await stage.world.passes(3_100);
    const received = fatima.person.visible().filter(({ text }) => /Vous avez reçu/.test(text));
    expect(received.map(({ text }) => /\d+,00/.exec(text)?.[0])).toEqual(['20,00', '30,00']);
  });
});
