import { describe, expect, test } from 'vitest';
import { CHATS, type Customer, testOn, theWorld } from '../kit/world.ts';

const SHOWN_MS = 10 * 60_000;

describe('a code that USSD shows', () => {
  const world = theWorld({ bot: 'webhook', sms: false });
  /** On the phone: the code that the number is shown. */
  const dials = async ({ phone, language }: Customer): Promise<string> => {
    const dialer = world.dialer({ phone } as Customer, language);
    await dialer.isAtMenu().chooses('account').chooses('link-chat').sees('link-chat.shown');
    return shownTo(dialer);
  };
  const shownTo = (dialer: Customer) => {
    const code = dialer.reply().screen.values?.code;
    return code && 'hidden' in code ? code.hidden : '';
  };
  const waits = (chat: Customer) =>
    chat.opens().says(chat.phone).sees('linking.askShown', { phone: chat.phone });

  testOn(CHATS)('links a chat, with the PIN as always and without any SMS, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    const code = await dials(fatima);
    await waits(fatima).says(code).sees('unlocking.askPin', { phone: fatima.phone }).enters();
    await fatima.sees('menu.choose').isTold('unlocking.unlocked');
    expect(world.sms(fatima.phone)).toEqual([]);
    expect(await world.everythingStored()).not.toContain(code);
  });

  test('it is used once', async () => {
    const fatima = world.customer({ channel: 'web' });
    const code = await dials(fatima);
    await waits(world.chatOf(fatima)).says(code).sees('unlocking.askPin');
    await waits(fatima).says(code).sees('linking.askShown').isTold('linking.wrongCode');
  });

  test('another one replaces it', async () => {
    const fatima = world.customer({ channel: 'ussd' });
    await fatima.isAtMenu().chooses('account').chooses('link-chat');
    const first = shownTo(fatima);
    await fatima.dials('7', '7').sees('link-chat.shown');
    const chat = waits(world.chatOf({ ...fatima, address: 'web:x' }));
    await chat.says(first).sees('linking.askShown').isTold('linking.wrongCode');
    await chat.says(shownTo(fatima)).sees('unlocking.askPin');
  });

  test('it lasts ten minutes', async () => {
    const fatima = world.customer({ channel: 'web' });
    const code = await dials(fatima);
    await world.passes(SHOWN_MS);
    await waits(fatima).says(code).sees('linking.askShown').isTold('linking.wrongCode');
  });

  test('one of the wrong form is no try', async () => {
    const fatima = world.customer({ channel: 'web' });
    const code = await dials(fatima);
    const chat = waits(fatima);
    for (const text of ['12345', '1234567', 'code', '12-3456'])
      await chat.says(text).isTold('linking.codeFormat');
    for (let i = 0; i < 4; i++) await chat.says(`000-00${i}`).isTold('linking.wrongCode');
    await chat.says(code.replace('-', '')).sees('unlocking.askPin');
  });

  test('it proves that number alone', async () => {
    const [fatima, omar] = [world.customer({ channel: 'web' }), world.customer({ channel: 'web' })];
    const code = await dials(fatima);
    await dials(omar);
    await waits(omar).says(code).sees('linking.askShown').isTold('linking.wrongCode');
  });

  test('strangers have five guesses an hour each, and the owner’s code stays good', async () => {
    const fatima = world.customer({ channel: 'web' });
    const code = await dials(fatima);
    for (const network of ['203.0.113.9', '203.0.113.10']) {
      const thief = waits(world.chatOf(fatima).comesFrom(network));
      for (let i = 0; i < 5; i++) await thief.says(`000-00${i}`).isTold('linking.wrongCode');
      await thief.says(code).sees('linking.askPhone').isTold('linking.codeExpired');
      await waits(world.chatOf(fatima).comesFrom(network)).says(code).isTold('linking.wrongCode');
    }
    await waits(fatima.comesFrom('198.51.100.9')).says(code).sees('unlocking.askPin');
  });

  test('ten are shown in an hour', async () => {
    const fatima = world.customer({ channel: 'ussd' });
    await fatima.isAtMenu();
    for (let i = 0; i < 10; i++) await fatima.dials('7', '7').sees('link-chat.shown');
    await fatima.dials('7', '7').sees('link-chat.tooMany');
  });
});

describe('a code by USSD beside SMS', () => {
  const world = theWorld({ bot: 'webhook' });

  testOn(CHATS)('a code by USSD is offered beside it, and the other way round, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.opens().says(fatima.phone).sees('linking.askCode');
    await fatima.chooses('byUssd').sees('linking.askShown');
    await fatima.chooses('resend').sees('linking.askCode').isTold('linking.codeStill');
    await fatima.chooses('byUssd').entersCodeFromSms().sees('unlocking.askPin');
  });

  test('a chat shows none', async () => {
    const chat = world.customer({ channel: 'web' });
    await chat.isAtMenu().says('relier une conversation').sees('menu.choose').chooses('account');
    await chat.offersNo('link-chat');
  });
});
