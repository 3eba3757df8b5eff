import { afterEach, describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../src/conversation/incoming.ts';
import { centimes } from '../../src/wallet/money.ts';
import { type Customer, DAY_MS, PIN, RECIPIENT, theWorld } from '../kit/world.ts';
import { createPerson } from './cloud-api/person.ts';
import { buttonsOf, linkOf, textOf } from './cloud-api/rules.ts';
import { VERIFY_TOKEN } from './cloud-api/stage.ts';
import { expectNoTrouble } from './cloud-api/way.ts';

const world = theWorld({ whatsapp: true });
const someone = (language: Language = 'fr', balance = '500') =>
  world.customer({ channel: 'whatsapp', language, balance });
const chatOf = ({ address }: Customer) =>
  world.whatsapp.api.sent.filter(({ to }) => `whatsapp:${to}` === address);
const personOf = ({ address }: Customer) =>
  createPerson(world.whatsapp, { id: address.slice('whatsapp:'.length) });

describe('a chat of WhatsApp', () => {
  afterEach(() => expectNoTrouble(world.whatsapp));

  test.each(LANGUAGES)(
    'a wallet is linked by the contact request, and the PIN is given on the page, in %s',
    async (language) => {
      const fatima = someone(language, '1234.50');
      await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
      expect(linkOf(personOf(fatima).screen())).toMatch(/\/form\/whatsapp\.secret\./);
      await fatima.enters().sees('balance.shown', { balance: 123_450 }).goes('menu').sees('menu.choose');
      expect(world.sms(fatima.phone)).toEqual([]);
    },
  );

  test('a transfer, one message a screen, and its outcome as a message of its own', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    const before = chatOf(fatima).length;
    await fatima.chooses('transfer').says(RECIPIENT).says('100').sees('transfer.askPinOpenLoop');
    expect(chatOf(fatima)).toHaveLength(before + 3);
    await fatima.enters().sees('transfer.processing');
    await fatima.after(1_500).hears('transfer.done', { amount: 10_000 });
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
  });

  test('a typed PIN is refused, and the wallet is not asked', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
    const logins = world.wallet.calls(fatima.phone, 'login').length;
    const person = personOf(fatima);
    await person.says(PIN);
    expect(textOf(person.screen())).toMatch(/[Ss]upprimez|[Ee]ffacez/);
    expect(linkOf(person.screen())).toBeDefined();
    expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(logins);
  });

  test('every message is marked as read', async () => {
    const person = createPerson(world.whatsapp);
    const before = world.whatsapp.api.reads.length;
    await person.says('Bonjour');
    await expect.poll(() => world.whatsapp.api.reads.length).toBe(before + 1);
  });

  test.each([
    ['the card of another number', { origin: 'contact_request', phone: '212655000001' }],
    ['a card from the address book', { origin: 'other', phone: 'own' }],
    ['a card that says nothing of its origin', { origin: '', phone: 'own' }],
  ])('%s proves no number: a code does', async (_, { origin, phone }) => {
    const fatima = someone();
    await fatima.opens().sees('linking.askPhone');
    const person = personOf(fatima);
    const own = fatima.phone.slice(1);
    const card = { origin, phones: [{ wa_id: phone === 'own' ? own : phone }] };
    await person.does({ type: 'contacts', contacts: [card] }, { from: own });
    expect(world.whatsapp.replies.get(fatima.address)?.screen.key).toMatch(/linking\.ask(?:Code|Phone)/);
    expect((await world.session(fatima)).linked).toBeUndefined();
  });

  test.each([
    ['a voice message', { type: 'audio', audio: { id: '1' } }],
    ['a place', { type: 'location', location: { latitude: 1, longitude: 2 } }],
    ['a kind that Meta does not know itself', { type: 'unsupported', errors: [{ code: 131051 }] }],
    ['an order', { type: 'order', order: {} }],
    ['a button of another business', { type: 'interactive', interactive: { button_reply: { id: 'x' } } }],
  ])('%s is answered kindly, and the question stays', async (_, message) => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    await personOf(fatima).does(message);
    await fatima.sees('transfer.askRecipient');
    expect(textOf(personOf(fatima).screen())).toMatch(/^(?:Seuls les textes|Ce menu n'est plus valable)/);
  });

  test('a reaction is not answered', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    const { length } = chatOf(fatima);
    await personOf(fatima).does({ type: 'reaction', reaction: { emoji: '👍' } });
    expect(chatOf(fatima)).toHaveLength(length);
  });

  test('an old button says that it is over, and a second press says nothing', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    const menu = chatOf(fatima).at(-1);
    const [first] = buttonsOf(menu?.shown ?? personOf(fatima).screen());
    await personOf(fatima).presses(({ id }) => id === first?.id, menu);
    const { length } = chatOf(fatima);
    await personOf(fatima).presses(({ id }) => id === first?.id, menu);
    expect(chatOf(fatima)).toHaveLength(length);
    await world.passes(3_000);
    await personOf(fatima).presses(({ id }) => id === first?.id, menu);
    expect(textOf(personOf(fatima).screen())).toMatch(/^Ce menu n'est plus valable/);
  });
});

describe('a voucher with its picture', () => {
  /** The last picture of a chat, and the bytes that Meta has of it. */
  const pictureOf = (fatima: Customer) => {
    const shown = chatOf(fatima)
      .map((sent) => sent.shown)
      .findLast(({ type }) => type === 'image');
    return shown?.type === 'image' ? world.whatsapp.api.files.get(shown.image.id) : undefined;
  };
  const atBrand = (fatima: Customer, brand: string) =>
    fatima.isAtMenu().chooses('shopping').chooses('voucher').chooses(brand).sees('voucher.chooseArticle');
  const seesVoucher = (fatima: Customer) => fatima.chooses('article0').sees('voucher.chooseForValid');
  afterEach(() => expect(world.whatsapp.api.broken).toEqual([]));

  test.each(LANGUAGES)('is shown above the choices, in %s', async (language) => {
    const fatima = someone(language);
    await atBrand(fatima, '1');
    await seesVoucher(fatima);
    expect(pictureOf(fatima)).toMatchObject({ type: 'image/png' });
    expect(chatOf(fatima).at(-2)?.shown.type).toBe('image');
    expect(buttonsOf(personOf(fatima).screen()).length).toBeGreaterThan(1);
  });

  test('is given to Meta once', async () => {
    const { files } = world.whatsapp.api;
    const see = async (fatima: Customer) => {
      await atBrand(fatima, '2');
      await seesVoucher(fatima);
      expect(pictureOf(fatima)).toBeDefined();
      return files.size;
    };
    const after = await see(someone());
    expect(await see(someone())).toBe(after);
  });

  test.each([
    ['that the wallet has not', '/pictures/none.png'],
    ['somewhere inside', 'http://127.0.0.1:1/a.png'],
    ['of a kind that WhatsApp does not show', '/logos/1002.svg'],
  ])('a picture %s: the text without it', async (_, picture) => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('shopping').chooses('voucher').sees('voucher.chooseBrand');
    const article = { sku: 'A', providerId: 1, brandId: 1, name: 'Bon', price: centimes(5_000), picture };
    world.wallet.next('voucherArticles', { kind: 'ok', value: { entries: [article], count: 1 } });
    await fatima.chooses('1');
    await seesVoucher(fatima);
    expect(pictureOf(fatima)).toBeUndefined();
  });

  test('a picture that Meta does not take: the text without it', async () => {
    const fatima = someone();
    await atBrand(fatima, '3');
    world.whatsapp.api.goesWrong({ code: 131053 });
    await seesVoucher(fatima);
    expect(pictureOf(fatima)).toBeUndefined();
    expect(buttonsOf(personOf(fatima).screen()).length).toBeGreaterThan(1);
  });
});

describe('webhooks of WhatsApp', () => {
  afterEach(() => expectNoTrouble(world.whatsapp));
  const { hook, post } = {
    hook: () => world.whatsapp.api.hook.url,
    post: (body: object, by?: string) => world.whatsapp.api.post(body, by),
  };
  const ask = (query: string) => fetch(`${hook()}?${query}`);

  test('the challenge is answered to who knows the token', async () => {
    const token = encodeURIComponent(VERIFY_TOKEN);
    const asked = await ask(`hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=42`);
    expect([asked.status, await asked.text()]).toEqual([200, '42']);
    for (const query of [
      'hub.mode=subscribe&hub.verify_token=other&hub.challenge=42',
      `hub.mode=unsubscribe&hub.verify_token=${token}&hub.challenge=42`,
      '',
    ])
      expect((await ask(query)).status).toBe(403);
  });

  test('a forged one is refused, and changes nothing', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    const { length } = chatOf(fatima);
    const messages = [
      {
        from_user_id: fatima.address.slice(9),
        id: 'wamid.x',
        timestamp: '1',
        type: 'text',
        text: { body: 'solde' },
      },
    ];
    expect(await world.whatsapp.api.webhook({ messages }, 'another secret of thirty-two chars')).toBe(401);
    expect((await fetch(hook(), { method: 'POST', body: '{}' })).status).toBe(401);
    expect(chatOf(fatima)).toHaveLength(length);
  });

  test.each([
    ['another object', { object: 'page', entry: [] }],
    ['nothing', {}],
    ['entries that are none', { object: 'whatsapp_business_account', entry: 'x' }],
    [
      'another field',
      { object: 'whatsapp_business_account', entry: [{ changes: [{ field: 'account_update', value: {} }] }] },
    ],
    [
      'a message without an id',
      {
        object: 'whatsapp_business_account',
        entry: [{ changes: [{ field: 'messages', value: { messages: [{ type: 'text' }] } }] }],
      },
    ],
  ])('a signed one that says nothing to us is taken: %s', async (_, body) => {
    expect(await post(body)).toBe(200);
  });

  test('a storm of duplicates and disorder, in Arabic: each message is one turn', async () => {
    const fatima = someone('ar');
    await fatima.isAtMenu();
    const { length } = chatOf(fatima);
    const user = fatima.address.slice('whatsapp:'.length);
    const at = Math.floor(world.clock.now() / 1_000);
    world.whatsapp.api.heard.set(user, world.clock.now());
    const one = (id: number) => ({
      from_user_id: user,
      id: `wamid.storm${id}`,
      timestamp: String(at + id),
      type: 'text',
      text: { body: 'رصيد' },
    });
    await Promise.all(
      [3, 1, 2, 1, 3, 2, 2, 1].map((id) => world.whatsapp.api.webhook({ messages: [one(id), one(id)] })),
    );
    await world.whatsapp.inbox.rests(fatima.address);
    for (const id of [2, 1]) await world.whatsapp.api.webhook({ messages: [one(id)] });
    await world.whatsapp.inbox.rests(fatima.address);
    expect(chatOf(fatima)).toHaveLength(length + 3);
  });
});

describe('messages that Wasl sends by itself', () => {
  const paidTo = async (fatima: Customer) => {
    const sender = world.customer();
    await sender.isAtMenu();
    await sender.chooses('transfer').says(fatima.phone).says('20').enters();
    await world.passes(1_500);
  };
  const told = (fatima: Customer) => chatOf(fatima).filter(({ shown }) => textOf(shown).includes('20,00'));
  const outbox = async (fatima: Customer) => (await world.session(fatima)).outbox ?? [];

  test('one is accepted, and done with once its status comes', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    await paidTo(fatima);
    const [message] = told(fatima);
    expect(message?.about).toBe(fatima.address);
    expect(await outbox(fatima)).toHaveLength(1);
    await world.passes(DAY_MS / 2);
    expect(told(fatima)).toHaveLength(1);
    for (const status of ['read', 'delivered', 'sent', 'read'] as const)
      expect(await world.whatsapp.api.status(message as never, status)).toBe(200);
    expect(await outbox(fatima)).toEqual([]);
  });

  test('outside the window nothing is sent, and the next message of the customer brings it', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    await world.passes(DAY_MS + 60_000);
    await paidTo(fatima);
    expect(told(fatima)).toEqual([]);
    await fatima.opens();
    await world.rests();
    expect(told(fatima)).toHaveLength(1);
  });

  test.each([
    ['waits where the pair rate is reached', 131056, 1],
    ['waits where the number is at its limit', 130429, 1],
    ['waits where Meta has a fault', 131000, 1],
    ['waits, and alarms, where the token is wrong', 190, 1],
    ['is held where the person cannot be reached', 131026, 0],
    ['is held where the window is closed after all', 131047, 0],
  ])('a message %s (%s %i)', async (_, code, times) => {
    const fatima = someone();
    await fatima.isAtMenu();
    world.whatsapp.api.goesWrong({ code });
    await paidTo(fatima);
    expect(told(fatima)).toEqual([]);
    await world.passes(120_000);
    expect(told(fatima)).toHaveLength(times);
    const alarms = world.whatsapp.log.lines.splice(0).filter((line) => line.includes('does not let us send'));
    expect(alarms).toHaveLength(code === 190 ? 1 : 0);
  });
});

describe('secrets in a chat of WhatsApp (T9)', () => {
  const PAN = '4539578763621486';

  test('no PIN, card or message is left in the store, the log or what WhatsApp is sent', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
    const person = personOf(fatima);
    await person.says(PIN);
    await person.says(PAN);
    await fatima.enters('4321').enters().sees('balance.shown');
    await person.says(`my card is ${PAN} and my PIN is ${PIN}`);
    await world.rests();
    const left = [
      await world.everythingStored(),
      JSON.stringify(chatOf(fatima).map(({ shown }) => shown)),
      ...world.whatsapp.log.lines,
      ...world.formLog.lines,
    ].join('\n');
    expect(left).not.toContain(PAN);
    for (const pin of [PIN, '4321']) expect(left).not.toMatch(new RegExp(`["': ]${pin}["',. ]`));
    expect(left).not.toMatch(/wamid\.in/);
  });
});
