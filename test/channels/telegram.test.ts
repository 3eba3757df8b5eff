import { afterEach, describe, expect, test } from 'vitest';
import { MACHINES } from '../../src/conversation/chart/machines.ts';
import type { Language } from '../../src/conversation/incoming.ts';
import { createBotCustomer } from './bot-api/customer.ts';
import { buttonsOf, createPerson } from './bot-api/person.ts';
import { theBotStage } from './bot-api/stage.ts';

const stage = theBotStage();
const someone = (language: Language = 'fr', balance = '500') =>
  createBotCustomer(stage, stage.world.customer({ balance }).phone, language);
const stranger = (language?: string) => createPerson(stage.api, language ? { language } : {});
const texts = (person: ReturnType<typeof createPerson>) => person.visible().map(({ text }) => text);

afterEach(() => {
  expect(stage.api.broken(), 'requests that the Bot API refuses').toEqual([]);
  expect(stage.log.lines).toEqual([]);
});

describe('screens', () => {
  test('a press changes the message in place, so that the chat does not fill', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    const { id } = fatima.person.screen();
    const before = fatima.person.visible().length;
    await fatima.chooses('account').sees('account.choose').goes('back').sees('menu.choose');
    expect(fatima.person.screen().id).toBe(id);
    expect(fatima.person.visible()).toHaveLength(before);
  });

  test('a typed answer is answered below it, and the menu above loses its buttons', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    const asked = fatima.person.screen().id;
    await fatima.says('0655000000').sees('transfer.askAmount');
    expect(fatima.person.screen().id).toBeGreaterThan(asked);
    expect(fatima.person.menus(), 'a question that waits for words has no menu').toEqual([]);
  });

  test('a result stays in the chat, and no screen replaces it', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('balance').enters().sees('balance.shown');
    const { id, text } = fatima.person.screen();
    await fatima.goes('menu').sees('menu.choose');
    expect(fatima.person.visible().find((message) => message.id === id)).toMatchObject({ text });
    expect(fatima.person.menus()).toHaveLength(1);
  });

  test('a pressed menu goes, also before a keypad, so that only results are left', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    const before = fatima.person.visible().length;
    for (let i = 1; i <= 3; i++) {
      await fatima.chooses('balance').enters().sees('balance.shown').goes('menu').sees('menu.choose');
      expect(fatima.person.visible()).toHaveLength(before + i);
    }
    expect(texts(fatima.person).filter((text) => text.includes('Que souhaitez-vous'))).toHaveLength(1);
  });

  test('a button of a screen that is gone says so, and the screen of now comes again', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    const menu = fatima.person.screen();
    const [old] = buttonsOf(menu);
    await fatima.chooses('transfer').says('0655000000').sees('transfer.askAmount');
    const query = await fatima.person.pressesData(old?.callback_data ?? '', menu);
    expect(stage.api.answerTo(query)).toBe("Ce menu n'est plus valable.");
    await fatima.sees('transfer.askAmount').isTold('nav.stale');
  });

  test.each(['', 'c:1', 'c:1:-1', 'k:1:99999', 'c:1:e', 'n:1:7', '__proto__', 'x'.repeat(64)])(
    'a button that is none of ours does nothing: %j',
    async (data) => {
      const fatima = someone();
      await fatima.isAtMenu();
      const query = await fatima.person.pressesData(data, fatima.person.screen());
      expect(stage.api.answerTo(query)).toBe("Ce menu n'est plus valable.");
      await fatima.sees('menu.choose');
    },
  );

  test('a double tap is one tap, and leaves one menu', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    const screen = fatima.person.screen();
    const [first] = buttonsOf(screen);
    await Promise.all([1, 2].map(() => fatima.person.pressesData(first?.callback_data ?? '', screen)));
    expect(fatima.person.menus()).toHaveLength(1);
    expect(fatima.person.screen().text).toContain('À quel numéro');
    expect(fatima.person.screen().text).not.toContain('plus valable');
  });
});

describe('the content of a screen', () => {
  test('a long list is turned over in its message', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('bill-payment').sees('bill-payment.chooseCreditor');
    const first = fatima.person.screen();
    expect(buttonsOf(first).filter(({ callback_data: data }) => data?.startsWith('c:'))).toHaveLength(8);
    await fatima.person.presses('Suite (2/2)');
    const second = fatima.person.screen();
    expect(second.id).toBe(first.id);
    expect(buttonsOf(second).map(({ text }) => text)).toContain('Précédent');
    await fatima.person.presses('Précédent');
    expect(fatima.person.screen()).toMatchObject({ id: first.id, markup: first.markup });
    await fatima.chooses('history').isTold('bill-payment.noHistory');
  });

  test('markup in customers’ text is text', async () => {
    const fatima = someone();
    const nasty = '<b>x</b> & </tg-spoiler> &lt;';
    await fatima.isAtMenu().chooses('bill-payment').says(nasty).sees('bill-payment.chooseCreditor');
    expect(fatima.person.screen().text).toContain('<b>x</b> & </tg-spoiler> &lt;');
  });

  test('a voucher code is hidden until it is tapped, and cannot be passed on', async () => {
    const fatima = someone('fr', '1000');
    await fatima.isAtMenu().chooses('shopping').chooses('voucher').sees('voucher.chooseBrand');
    const brand = stage.replies.get(fatima.address)?.screen.choices?.[0]?.id ?? '';
    await fatima.chooses(brand).chooses('article0').chooses('me').enters();
    await stage.world.passes(2_000);
    const code = fatima.person.visible().find(({ spoilers }) => spoilers.length > 0);
    expect(code?.isProtected).toBe(true);
    expect(code?.text).toContain(code?.spoilers[0]);
    await fatima.goes('menu').sees('menu.choose');
    expect(fatima.person.visible().map(({ id }) => id)).toContain(code?.id);
  });

  test('a paid bill comes with its receipt as a file', async () => {
    const fatima = someone('fr', '9000');
    await fatima.isAtMenu().chooses('bill-payment').says('redal');
    await payFirstBill(fatima);
    await stage.world.passes(2_000);
    const [file, ...more] = fatima.person.visible().flatMap(({ document }) => document ?? []);
    expect(more).toEqual([]);
    expect(fatima.person.visible().filter(({ text }) => text.includes('Référence chez'))).toHaveLength(1);
    expect(file?.name).toMatch(/^wasl-\d+\.pdf$/);
    expect(Buffer.from(file?.bytes ?? []).toString('latin1')).toMatch(/^%PDF/);
  });
});

describe('a newcomer in the chat', () => {
  test('a slow wallet shows "typing…", and the press is answered before the wallet is', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
    const call = stage.world.wallet.holds('login');
    const entered = fatima.enters();
    await call.reached;
    await expect.poll(() => fatima.person.chat.actions).toBeGreaterThan(0);
    expect(stage.api.unanswered()).toEqual([]);
    call.go();
    await entered.sees('balance.shown');
  });

  test.each([
    ['fr', 'numéro'],
    ['ar', 'رقم'],
    ['en', 'number'],
    ['fr-CA', 'numéro'],
    ['EN_us', 'number'],
  ])('is greeted in the language of their Telegram: %s', async (code, word) => {
    const person = stranger(code);
    await person.says('/start');
    expect(person.screen().text).toContain(word);
  });

  test.each(['de', 'zh-hans', undefined])(
    'chooses a language when we do not speak theirs: %s',
    async (code) => {
      const person = stranger(code);
      await person.says('/start');
      expect(buttonsOf(person.screen()).map(({ text }) => text)).toEqual(
        expect.arrayContaining(['Français', 'العربية', 'English']),
      );
    },
  );

  test('commands are there in each language', () => {
    expect([...stage.api.commands.keys()].sort()).toEqual(['', 'ar', 'en', 'fr']);
    const names = stage.api.commands.get('en')?.map((command) => command.split(' ')[0]);
    expect(names).toEqual([
      ...['menu', 'transfer', 'balance', 'topup', 'bill', 'voucher', 'merchant', 'statement', 'account'],
      ...['language', 'help', 'cancel'],
    ]);
    expect(stage.api.commands.get('ar')).toContain('balance الرصيد');
  });

  test.each([
    ['/transfer', 'transfer.askRecipient'],
    ['/transfer@wasl_bot', 'transfer.askRecipient'],
    ['/balance', 'balance.askPin'],
    ['/topup', 'top-up.askNumber'],
    ['/bill', 'bill-payment.chooseCreditor'],
    ['/voucher', 'voucher.chooseBrand'],
    ['/statement', 'statement.askPin'],
    ['/account', 'account.choose'],
    ['/help', 'help.help'],
    ['/language', 'language.choose'],
    ['/menu', 'menu.choose'],
    ['/cancel', 'menu.choose'],
    ['/start', 'menu.choose'],
    ['/start transfer', 'transfer.askRecipient'],
    ['/start topup', 'top-up.askNumber'],
    ['/start transfer_0655000000', 'transfer.askAmount'],
    ['/start transfer_0655000000_200', 'transfer.askPinOpenLoop'],
    ['/start voucher_kitab', 'voucher.chooseArticle'],
    ['/start pin', 'pin-change.askOldPin'],
    ['/merchant', 'merchant-payment.askMerchant'],
    ['/receive', 'receive-payment.askAmount'],
    ['/start help', 'help.help'],
    ['/start nothing-of-ours', 'menu.choose'],
    [`/start ${'x'.repeat(64)}`, 'menu.choose'],
  ])('%s leads to %s', async (command, key) => {
    const fatima = someone();
    await fatima.isAtMenu().says(command).sees(key);
  });
});

test('every conversation that a customer begins has its link', async () => {
  // Consumers lack the entries of merchants and agents. A request is rated in its own channel.
  const others = [
    'documents',
    ...['account', 'cash-in', 'cash-out', 'check', 'day', 'record'].map((agents) => `agent-${agents}`),
    'consent',
    // Of a dial alone: it shows what a chat is linked by.
    'link-chat',
    'linking',
    'menu',
    'onboarding',
    ...['principal', 'principal-agents', 'principal-float', 'b2b-top-up', 'payouts'],
    'rating',
    // Of an outcome alone: it is the receipt of that payment.
    'receipt',
    'resume',
    'unlocking',
    'sales',
    'services',
  ];
  // A consumer reads that these are a merchant's, or is led to what they have themselves. Who has no card is led to the help.
  const merchants: Readonly<Record<string, string>> = {
    ...{ takings: 'receive-payment', 'card-payment': 'receive-payment', 'merchant-refund': 'help' },
    'card-payments': 'cards',
    'lost-card': 'help',
  };
  // The freeze comes last: a payment is refused after it.
  const begun = [...Object.keys(MACHINES).filter((id) => ![...others, 'freeze'].includes(id)), 'freeze'];
  const fatima = someone();
  await fatima.isAtMenu();
  for (const id of begun) {
    await fatima.opens(id);
    expect(stage.replies.get(fatima.address)?.screen.key).toMatch(new RegExp(`^${merchants[id] ?? id}\\.`));
  }
});

test('centimes in a link are written with a dash', async () => {
  const fatima = someone();
  await fatima.isAtMenu().opens('transfer_0655000000_45-50');
  await fatima.sees('transfer.askPinOpenLoop', { amount: 4_550 });
  await fatima.opens('transfer_0655000000_45-505').sees('transfer.askAmount', { to: '+212655000000' });
});

describe('messages that are no answer', () => {
  test.each([
    ['a place', { location: { latitude: 33, longitude: -7 } }],
    ['a file', { document: { file_id: 'x', file_unique_id: 'x', mime_type: 'application/pdf' } }],
    ['a sticker', { sticker: { file_id: 'x', file_unique_id: 'x', type: 'regular', width: 1, height: 1 } }],
    ['a voice', { voice: { file_id: 'x', file_unique_id: 'x', duration: 1 } }],
  ])('%s: a sentence, and the question again', async (_, body) => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    await fatima.person.sendsOther(body);
    await fatima.sees('transfer.askRecipient');
    expect(fatima.person.screen().text).toMatch(/^Seuls les textes et les photos de QR codes/);
    expect(fatima.person.menus()).toHaveLength(1);
  });

  test('an edited message: a sentence, and nothing is read again', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').says('0655000000').sees('transfer.askAmount');
    await fatima.person.edits('0655000001');
    await fatima.sees('transfer.askAmount');
    expect(fatima.person.screen().text).toMatch(/^Un message modifié/);
  });

  test('a moving location is not answered at all', async () => {
    const person = stranger('fr');
    const place = { latitude: 33, longitude: -7 };
    await person.sendsOther({ location: { ...place, live_period: 900 } });
    await person.moves(place);
    expect(texts(person)).toEqual([]);
  });

  test('a group hears one sentence, and is left', async () => {
    const group = stage.api.chats.open(-500);
    const from = { id: 77, is_bot: false, first_name: 'Test', language_code: 'en' };
    const chat = { id: -500, type: 'group', title: 'Family' };
    const says = (text: string) =>
      stage.api.updates.add({ message: { message_id: 1, date: 0, chat, from, text } }, 'chat -500');
    await says('/balance');
    await says('/balance');
    expect(group.messages.map(({ text }) => text)).toEqual([
      'To keep your wallet private, please write to us in a private chat.',
    ]);
    expect(group.hasLeft).toBe(true);
  });

  test('a group that adds the bot hears the same and is left, and a removal is silent', async () => {
    const group = stage.api.chats.open(-501);
    const chat = { id: -501, type: 'supergroup', title: 'Office' };
    const from = { id: 78, is_bot: false, first_name: 'Test', language_code: 'fr' };
    const user = { id: 123456, is_bot: true, first_name: 'Wasl' };
    const becomes = (status: string) =>
      stage.api.updates.add(
        {
          my_chat_member: {
            chat,
            from,
            date: 0,
            old_chat_member: { user, status: 'left' },
            new_chat_member: { user, status },
          },
        },
        'chat -501',
      );
    await becomes('member');
    expect(group.messages).toHaveLength(1);
    expect(group.hasLeft).toBe(true);
    group.hasLeft = false;
    await becomes('kicked');
    expect(group.messages).toHaveLength(1);
  });

  test('a channel is not answered', async () => {
    const { length } = stage.api.calls;
    const chat = { id: -1_000_000, type: 'channel', title: 'News' };
    await stage.api.updates.add(
      { channel_post: { message_id: 1, date: 0, chat, text: '/balance' } },
      'channel',
    );
    expect(stage.api.calls).toHaveLength(length);
  });
});

describe('the number of a contact card', () => {
  test.each([
    ["somebody else's card", { userId: 999 }],
    ['a card without an id', { userId: undefined }],
    ['a forwarded card', { isForwarded: true as const }],
  ])('%s proves nothing: our code is asked', async (_, contact) => {
    const { phone } = stage.world.customer();
    const person = stranger('fr');
    await person.says('/start');
    await person.sharesContact(phone.slice(1), { userId: person.id, ...contact });
    expect(person.screen().text).toContain('code par SMS');
    expect(stage.world.wallet.calls(phone)).toEqual([]);
    expect(stage.world.sms(phone)).toHaveLength(1);
  });

  test.each(['212600000001', '+212600000001', '0600000001', '00212600000001'])(
    'is read however Telegram writes it: %s',
    async (written) => {
      const person = stranger('fr');
      await person.says('/start');
      await person.sharesContact(written);
      expect(person.screen().text).toContain('06 00 00 00 01'.replaceAll(' ', '\u00a0'));
    },
  );

  test('a foreign number is none of ours', async () => {
    const person = stranger('fr');
    await person.says('/start');
    await person.sharesContact('33612345678');
    expect(person.screen().text).toContain("Ce n'est pas un numéro de mobile marocain");
    expect(person.chat.keyboard).toBeDefined();
  });

  test('a contact card answers the question for a recipient', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    await fatima.person.sharesContact('212655000000', { userId: 999 });
    await fatima.sees('transfer.askAmount');
  });
});

/** The first of what the search has found, with its first form and bill. */
async function payFirstBill(fatima: ReturnType<typeof someone>): Promise<void> {
  const first = () => stage.replies.get(fatima.address)?.screen.choices?.[0]?.id ?? '';
  for (let i = 0; i < 10; i++) {
    const { screen } = stage.replies.get(fatima.address) ?? {};
    if (screen?.expects === 'pin') break;
    await (screen?.expects === 'field' ? fatima.says('0612345') : fatima.chooses(first()));
  }
  await fatima.enters();
  await stage.world.passes(3_000);
}
