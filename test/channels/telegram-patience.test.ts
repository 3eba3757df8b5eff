import type { Api } from 'grammy';
import { afterEach, describe, expect, test } from 'vitest';
import { promptly } from '../../src/channels/telegram/patience.ts';
import { createBotCustomer } from './bot-api/customer.ts';
import { buttonsOf } from './bot-api/person.ts';
import { theBotStage, until } from './bot-api/stage.ts';

const RECIPIENT = '0655000000';

describe.each(['webhook', 'polling'] as const)('the order of updates, by %s', (updates) => {
  const stage = theBotStage({ updates });
  const someone = () => createBotCustomer(stage, stage.world.customer().phone);
  const sent = () => stage.api.calls.filter(({ method }) => method === 'sendMessage').length;

  afterEach(() => expect(stage.api.broken()).toEqual([]));

  test('a slow wallet keeps one customer waiting, and nobody else', async () => {
    const fatima = someone();
    const omar = someone();
    await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
    await omar.isAtMenu();
    const call = stage.world.wallet.holds('login');
    const entered = fatima.enters().then(() => {});
    await call.reached;
    const asked = omar.person.says('/transfer');
    const isAsked = () => stage.replies.get(omar.address)?.screen.key === 'transfer.askRecipient';
    await until(() => isAsked() && omar.person.menus().length === 1, 'the other one is answered');
    call.go();
    await Promise.all([entered, asked]);
    await omar.sees('transfer.askRecipient');
    await fatima.sees('balance.shown');
  });

  test('a press is answered while the turn before it is still under way', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).sees('transfer.askAmount');
    const screen = fatima.person.screen();
    const back = buttonsOf(screen).find(({ text }) => text === 'Retour')?.callback_data ?? '';
    const call = stage.world.wallet.holds('previewTransfer');
    const said = fatima.person.says('100');
    await call.reached;
    const before = stage.api.unanswered().length;
    const pressed = fatima.person.pressesData(back, screen);
    expect(stage.api.unanswered()).toHaveLength(before + 1);
    await until(() => stage.api.unanswered().length === before, 'the press is answered');
    expect(stage.replies.get(fatima.address)?.screen.key).toBe('transfer.askAmount');
    call.go();
    await Promise.all([said, pressed]);
    await fatima.sees('transfer.askPinOpenLoop');
  });

  test('a screen that Telegram refuses is not sent again: the customer is told how to go on', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    const before = sent();
    stage.api.goesWrong('sendMessage', { refuses: 'BUTTON_DATA_INVALID' });
    await fatima.says('/transfer');
    expect(sent()).toBe(before + 2);
    expect(fatima.person.screen().text).toMatch(/^Nous n'avons pas pu afficher la suite/);
    expect(stage.log.lines.filter((line) => line.includes('Telegram refuses a screen'))).toHaveLength(1);
    await fatima.says('/menu').sees('menu.choose');
  });

  test('a chat that refuses everything is left alone', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    const before = sent();
    stage.api.goesWrong('sendMessage', { refuses: 'PEER_ID_INVALID' }, { refuses: 'PEER_ID_INVALID' });
    await fatima.says('/transfer');
    expect(sent()).toBe(before + 2);
    expect(stage.log.lines.join()).not.toContain('An error ended turns');
    await fatima.says('/menu').sees('menu.choose');
  });
});

test('two bots answer their own presses, also of updates with the same number', async () => {
  const presses = (query: string) => {
    const answers: string[] = [];
    const api = { answerCallbackQuery: async (id: string) => void answers.push(id) } as unknown as Api;
    const from = { id: 1, is_bot: false, first_name: 'Fatima' };
    const update = { update_id: 7, callback_query: { id: query, from, chat_instance: '', data: '' } };
    return { answers, answer: promptly(api, update).answer };
  };
  const one = presses('one');
  await one.answer();
  const other = presses('other');
  await other.answer();
  expect([one.answers, other.answers]).toEqual([['one'], ['other']]);
});
