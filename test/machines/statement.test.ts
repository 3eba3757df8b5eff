import { describe, expect, test } from 'vitest';
import { STATEMENT_PAGE_SIZE } from '../../src/conversation/effects/operations.ts';
import type { ChannelName, Language } from '../../src/conversation/incoming.ts';
import { plain } from '../../src/screen/marks.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { Operation } from '../../src/wallet/wallet.ts';
import { LOST, refused, UNSENT } from '../kit/meddler.ts';
import {
  CHANNELS,
  CHANNELS_ON,
  type Customer,
  NADIA,
  STORES,
  testOn,
  theWorld,
  type World,
} from '../kit/world.ts';
import { ordersWater, SINGLE } from './bill-orders.ts';
import { isForOneself, picks } from './voucher-orders.ts';

const begins = (fatima: Customer) => fatima.isAtMenu().chooses('statement').sees('statement.askPin');
const pays = (to: string, amount: string) => (fatima: Customer) =>
  fatima.goes('menu').chooses('transfer').says(to).says(amount).enters();

/** The list as it stands in a chat, one line for each choice. */
const lines = (world: World, fatima: Customer) =>
  world.renderer.chat(fatima.reply().screen, fatima.language).choices.map(({ label }) => plain(label));
const choices = (fatima: Customer) => fatima.reply().screen.choices?.map(({ id }) => id) ?? [];

const AT = Date.UTC(2026, 10, 21, 14, 5);
const operation = (id: number, what: Partial<Operation> = {}): Operation => ({
  id,
  type: 3,
  status: 2,
  direction: 2,
  amount: centimes(20_000),
  fees: centimes(200),
  total: centimes(20_200),
  at: AT,
  sender: '+212611223344',
  receiver: '+212687654321',
  ...what,
});
/** The wallet lists these, next. */
const lists = (world: World, operations: readonly Operation[], count = operations.length) =>
  world.wallet.next('operations', { kind: 'ok', value: { operations, count } });
const lastFilter = (world: World, { phone }: Customer) => world.wallet.told(phone, 'operations').at(-1)?.[1];
/** Someone who looks at a list of these. */
const reader = (world: World, operations: readonly Operation[], language?: Language) =>
  world
    .customer({ channel: 'web', ...(language && { language }) })
    .walks(begins)
    .meanwhile(() => lists(world, operations))
    .enters()
    .sees('statement.list');

describe.each(STORES)('the statement, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHANNELS_ON[store])('is shown after the PIN, newest first, on %s', async (channel) => {
    const ali = world.customer();
    const fatima = world.customer({ channel });
    await fatima.isAtMenu().walks(pays(ali.phone, '120,50'));
    await ali.after(2_000).isAtMenu().walks(pays(fatima.phone, '30'));
    await world.passes(2_000);
    await fatima.goes('menu').chooses('statement').sees('statement.askPin').enters().sees('statement.list');
    const [first, second] = fatima.reply().screen.choices ?? [];
    expect([first, second].map((line) => line?.values)).toMatchObject([
      { amount: { signed: 3_000 }, what: { say: 'statement.received' } },
      { amount: { signed: -12_250 }, what: { say: 'statement.sent' } },
    ]);
    await fatima.chooses(second?.id ?? '');
    await fatima.sees('statement.detailTo', {
      what: 'statement.sent',
      amount: 12_050,
      status: 'statement.completed',
      other: ali.phone,
    });
    await fatima.goes('back').sees('statement.list');
    await fatima.chooses(first?.id ?? '').sees('statement.detailFrom', { amount: 3_000, other: ali.phone });
    await fatima.chooses('list').sees('statement.list').goes('back').sees('menu.choose');
  });
});

const world = theWorld();

/** A transfer, money that came in, a top-up under way, and a bill, whose biller has no phone. */
const LINES = [
  [
    'fr',
    [
      '21/11 Envoi −202,00 DH, 06 87 65 43 21',
      '21/11 Argent reçu +200,00 DH, 06 11 22 33 44',
      '21/11 Recharge −202,00 DH, 06 87 65 43 21 (en cours)',
      '21/11 Paiement de facture −202,00 DH',
    ],
  ],
  [
    'ar',
    [
      'إرسال −202,00 درهم في 21/11، 06 87 65 43 21',
      'استلام +200,00 درهم في 21/11، 06 11 22 33 44',
      'تعبئة −202,00 درهم في 21/11، 06 87 65 43 21 (قيد المعالجة)',
      'أداء فاتورة −202,00 درهم في 21/11',
    ],
  ],
  [
    'en',
    [
      '21/11 Sent −MAD 202.00, 06 87 65 43 21',
      '21/11 Received +MAD 200.00, 06 11 22 33 44',
      '21/11 Top-up −MAD 202.00, 06 87 65 43 21 (processing)',
      '21/11 Bill payment −MAD 202.00',
    ],
  ],
] as const;

describe('what was paid', () => {
  test('a bill names its biller, contract and month, also in its detail', async () => {
    const fatima = world.customer({ channel: 'web', language: 'fr' });
    await fatima.isAtMenu().walks(ordersWater(SINGLE)).enters();
    await world.passes(5_000);
    await fatima.goes('menu').chooses('statement').enters().sees('statement.list');
    const [first] = fatima.reply().screen.choices ?? [];
    const [line] = lines(world, fatima);
    expect(line).toMatch(/Paiement de facture −[\d,]+ DH, Amendis.*, 4711002, .*\d\d\/2026/);
    await fatima.chooses(first?.id ?? '').sees('statement.detailFor');
    const { text } = world.renderer.chat(fatima.reply().screen, 'fr');
    expect(plain(text)).toMatch(/^Pour : Amendis.*4711002/m);
  });

  test('a voucher names its shop', async () => {
    const fatima = world.customer({ channel: 'web', language: 'fr' });
    await fatima.isAtMenu().walks(picks).walks(isForOneself).enters();
    await world.passes(5_000);
    await fatima.goes('menu').chooses('statement').enters().sees('statement.list');
    expect(lines(world, fatima)[0]).toMatch(/Bon d'achat −[\d,]+ DH, \p{L}/u);
  });

  test('a bill that Wasl has no record of is named by the history of bills, and a top-up by the own number', async () => {
    const bill = {
      operationId: 4,
      creditor: 'Lydec',
      receivable: 'Eau',
      amount: centimes(100),
      status: 'CONFIRME',
    };
    const fatima = world.customer({ channel: 'web', language: 'fr' });
    await fatima.walks(begins).meanwhile(() => {
      lists(world, [
        operation(4, { type: 25, receiver: '' }),
        operation(5, { type: 10, receiver: fatima.phone }),
        operation(6, { type: 25, receiver: '' }),
      ]);
      world.wallet.next('billPayments', { kind: 'ok', value: { entries: [bill], count: 1 } });
    });
    await fatima.enters().sees('statement.list');
    const [first, second, third] = lines(world, fatima);
    expect(first).toMatch(/ DH, Lydec, Eau$/);
    expect(second).toMatch(/Recharge −202,00 DH, 06 \d\d/);
    expect(third).toMatch(/Paiement de facture −202,00 DH$/);
  });
});

describe('the lines of the statement', () => {
  test.each(LINES)(
    'an operation is one line, with the phone of the other party, in %s',
    async (language, written) => {
      const fatima = reader(
        world,
        [
          operation(1),
          operation(2, { direction: 1 }),
          operation(3, { type: 10, status: 1 }),
          operation(4, { type: 25, receiver: '' }),
        ],
        language,
      );
      await fatima;
      expect(lines(world, fatima).slice(0, 4)).toEqual(written);
    },
  );

  test.each([
    [1, 1, 'deposit'],
    [2, 2, 'withdrawal'],
    [3, 2, 'sent'],
    [3, 1, 'received'],
    [5, 2, 'payment'],
    [5, 1, 'paymentReceived'],
    [7, 1, 'refund'],
    [9, 2, 'bankTransfer'],
    [10, 2, 'topUp'],
    [12, 1, 'refund'],
    [23, 2, 'voucher'],
    [24, 2, 'payment'],
    [25, 2, 'bill'],
    [77, 2, 'operation'],
    [0, 1, 'operation'],
  ] as const)('type %d, direction %d is called %s', async (type, direction, what) => {
    const fatima = reader(world, [operation(1, { type, direction })]);
    await fatima.chooses('1');
    expect(fatima.reply().screen.values?.what).toEqual({ say: `statement.${what}` });
  });

  test.each([
    [1, 'open'],
    [2, 'completed'],
    [3, 'failed'],
    [4, 'cancelled'],
    [9, 'unknown'],
  ])('status %d is called %s, and is in the list only if it is not done', async (status, word) => {
    const fatima = reader(world, [operation(1, { status: status as 1 })]);
    await fatima;
    const key = status === 2 ? 'statement.lineWith' : 'statement.lineWithNotDone';
    expect(fatima.reply().screen.choices?.[0]).toMatchObject({
      key,
      values: { status: { say: `statement.${word}` } },
    });
    await fatima.chooses('1').sees('statement.detailTo', { status: `statement.${word}` });
  });

  test.each([
    ['a phone', { receiver: '+212687654321' }, 'statement.detailTo'],
    ['a phone, of an incoming one', { direction: 1, sender: '+212687654321' }, 'statement.detailFrom'],
    ['a RIB', { receiver: '011780000012345678901234' }, 'statement.detail'],
    ['an account’s id', { receiver: '1234' }, 'statement.detail'],
    ['nobody', { receiver: '' }, 'statement.detail'],
    ['a landline', { receiver: '+212522334455' }, 'statement.detail'],
  ] as const)('the other party is %s', async (_, what, key) => {
    const fatima = reader(world, [operation(1, what)]);
    await fatima.chooses('1').sees(key, key === 'statement.detail' ? {} : { other: '+212687654321' });
  });

  test('an operation is known by its id, as in the outcome of its payment', async () => {
    const fatima = reader(world, [operation(4711)]);
    await fatima.chooses('4711').sees('statement.detailTo', {
      reference: '4711',
      fees: 200,
      total: 20_200,
      at: AT,
    });
  });

  test('a payment has one reference: in its outcome, for its receiver, and in both statements', async () => {
    const [fatima, ali] = [world.customer({ channel: 'web' }), world.customer({ channel: 'web' })];
    await ali.isAtMenu();
    await fatima.isAtMenu().walks(pays(ali.phone, '120,50'));
    await world.passes(2_000);
    const [outcome] = await world.engine.waiting(fatima.address);
    const [received] = await world.engine.waiting(ali.address);
    expect([outcome?.screen.key, received?.screen.key]).toEqual(['transfer.done', 'received.from']);
    const { reference } = outcome?.screen.values ?? {};
    expect(received?.screen.values?.reference).toEqual(reference);
    for (const [customer, key] of [
      [fatima, 'statement.detailTo'],
      [ali, 'statement.detailFrom'],
    ] as const) {
      await customer.goes('menu').chooses('statement').enters().sees('statement.list');
      const [first] = choices(customer);
      await customer.chooses(first ?? '').sees(key);
      expect(customer.reply().screen.values?.reference).toEqual(reference);
    }
  });
});

describe('the pages of the statement', () => {
  test('an empty wallet has an empty statement', async () => {
    await world.customer().walks(begins).enters().sees('statement.empty').isToldNothing();
  });

  test('pages of the wallet: older, newer, and back to the same page', async () => {
    const fatima = world.customer({ balance: '900' });
    await fatima.isAtMenu();
    for (let i = 1; i <= STATEMENT_PAGE_SIZE + 2; i++) {
      await fatima.walks(pays('0655000000', `${i}`));
      await world.passes(2_000);
    }
    await fatima.goes('menu').chooses('statement').enters().sees('statement.list');
    const newest = choices(fatima);
    expect(newest).toHaveLength(STATEMENT_PAGE_SIZE + 2);
    expect(newest.slice(-2)).toEqual(['older', 'filter']);
    await fatima.chooses('older').sees('statement.list');
    const oldest = choices(fatima);
    expect(oldest.slice(-2)).toEqual(['newer', 'filter']);
    expect(oldest).toHaveLength(4);
    expect(oldest.filter((id) => newest.includes(id))).toEqual(['filter']);
    await fatima
      .chooses(oldest[0] ?? '')
      .sees('statement.detailTo')
      .goes('back');
    expect(choices(fatima)).toEqual(oldest);
    await fatima.chooses('newer').sees('statement.list');
    expect(choices(fatima)).toEqual(newest);
  });

  test('on USSD a page of the wallet is turned in pages of the phone', async () => {
    const fatima = world.customer({ language: 'ar' });
    await fatima.walks(begins);
    lists(
      world,
      Array.from({ length: STATEMENT_PAGE_SIZE }, (_, i) => operation(i + 1)),
      20,
    );
    await fatima.enters().sees('statement.list');
    const shown: string[] = [];
    const { pages } = world.renderer.ussd(fatima.reply().screen, 'ar', 0);
    for (let page = 0; page < pages; page++) {
      expect(fatima.reply().page).toBe(page);
      shown.push(world.renderer.ussd(fatima.reply().screen, 'ar', page).text);
      await fatima.says('98').sees('statement.list');
    }
    for (let i = 1; i <= STATEMENT_PAGE_SIZE + 2; i++)
      expect(shown.join('\n')).toMatch(new RegExp(`^${i} `, 'm'));
    lists(world, [operation(9)], 9);
    await fatima
      .says(String(STATEMENT_PAGE_SIZE + 1))
      .sees('statement.list')
      .offers('9', 'newer', 'filter');
  });

  test('a page that has become empty still leads back', async () => {
    const fatima = world.customer();
    await fatima.walks(begins);
    lists(world, [operation(1)], 20);
    await fatima.enters();
    lists(world, [], 0);
    await fatima.chooses('older').sees('statement.none').offers('newer', 'filter');
  });

  test.each([
    ['transfers', [3]],
    ['bankTransfers', [9]],
    ['topUps', [10]],
    ['bills', [25]],
    ['vouchers', [23]],
    ['deposits', [1]],
    ['withdrawals', [2]],
    ['payments', [5, 24]],
    ['refunds', [7, 12]],
  ] as const)('filtered by %s', async (filter, types) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.walks(begins);
    lists(world, [operation(1)], 20);
    await fatima.enters().chooses('older').chooses('filter').sees('statement.chooseFilter');
    await fatima.chooses(filter).sees('statement.none', { filter: `statement.${filter}` });
    expect(lastFilter(world, fatima)).toEqual({ types, page: 1, pageSize: STATEMENT_PAGE_SIZE });
    await fatima.chooses('filter').goes('back').sees('statement.none').chooses('filter').chooses('all');
    await fatima.sees('statement.empty');
    expect(lastFilter(world, fatima)).toEqual({ page: 1, pageSize: STATEMENT_PAGE_SIZE });
  });
});

describe('a statement that is not shown', () => {
  test.each([
    ['is slow', LOST, 'problem.unavailable'],
    ['cannot be reached', UNSENT, 'problem.unavailable'],
    ['refuses', refused('20005'), 'problem.20005'],
    ['refuses in its own words', refused('47110'), 'problem.other'],
  ] as const)('the wallet %s', async (_, instead, told) => {
    const fatima = world.customer();
    await fatima.walks(begins);
    world.wallet.next('operations', instead);
    await fatima.enters().sees('statement.unavailable').isTold(told);
  });

  test('is not shown for a wrong PIN, and back leads to the menu', async () => {
    const fatima = world.customer();
    await fatima.walks(begins);
    await fatima.enters('4321').sees('statement.askPin').isTold('pin.wrongWithTries', { count: 2 });
    await fatima.goes('back').sees('menu.choose');
    expect(world.wallet.calls(fatima.phone, 'operations')).toEqual([]);
  });

  test.each([
    ['from the list', (it: Customer) => it],
    ['from an operation', (it: Customer) => it.chooses('1')],
    ['from the filters', (it: Customer) => it.chooses('filter')],
  ])('a redial %s leads to the menu and shows nothing of it', async (_, path) => {
    const fatima = world.customer();
    await fatima.walks(begins);
    lists(world, [operation(1)]);
    await fatima.enters().walks(path).dials().sees('menu.choose').isToldNothing();
    await fatima.chooses('statement').sees('statement.askPin').enters().sees('statement.empty');
  });

  test('an answer that is no choice is asked again, like an operation of another list', async () => {
    const fatima = reader(world, [operation(1)]);
    for (const text of ['3', '0', '-1', '1.5', 'blabla']) {
      await fatima.says(text).sees('statement.list').isTold('nav.chooseOne');
    }
  });
});

describe.each(['fr', 'ar', 'en'] as const)('an operation that cannot be read, in %s', (language) => {
  const world = theWorld();
  const page = (operations: readonly Operation[]) =>
    world.wallet.next('operations', { kind: 'ok', value: { operations, count: 3, leftOut: [9] } });
  const opens = (operations: readonly Operation[]) =>
    world
      .customer({ channel: 'web', language })
      .walks(begins)
      .meanwhile(() => page(operations))
      .enters()
      .sees('statement.list');

  test('is left out with a note, and hides no other', async () => {
    const fatima = opens([operation(7), operation(8, { status: 0, type: 99 })]);
    await fatima;
    expect(fatima.reply().screen.notice).toEqual({ key: 'statement.leftOut' });
    expect(fatima.reply().screen.choices?.[1]?.values).toMatchObject({
      what: { say: 'statement.operation' },
      status: { say: 'statement.unknown' },
    });
    await fatima.chooses('filter').chooses('transfers').sees('statement.none');
    expect(fatima.reply().screen.notice).toBeUndefined();
  });

  test('is not "no operation yet" even if it is the only one', async () => {
    const fatima = opens([]);
    await fatima;
    expect(fatima.reply().screen.notice).toEqual({ key: 'statement.leftOut' });
  });
});

describe('the statement after the balance', () => {
  const world = theWorld({ bot: 'webhook' });
  const sawBalance = (channel: ChannelName) =>
    world.customer({ channel }).isAtMenu().chooses('balance').enters().sees('balance.shown');
  const opens = (who: Customer) => who.goes('menu').chooses('statement');

  testOn(CHANNELS)('takes no second PIN within two minutes, on %s', async (channel) => {
    const fatima = sawBalance(channel);
    await fatima.chooses('statement').sees('statement.empty');
    await fatima.after(110_000).walks(opens).sees('statement.empty');
    expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(channel === 'ussd' ? 1 : 2);
  });

  test.each<[string, (who: Customer) => unknown]>([
    ['after two minutes', (who) => who.after(121_000).walks(opens)],
    ['after another dial', (who) => who.dials().walks(opens)],
    ['after a dial that asks for it', (who) => who.dials('6')],
    ['while payments are frozen', (who) => who.says('/geler').sees('freeze.frozen').walks(opens)],
  ])('takes it %s', async (_, path) => {
    await sawBalance('ussd').walks(path).sees('statement.askPin');
  });

  test.each<[string, (who: Customer) => unknown, string]>([
    ['a payment', (who) => who.says('/transfer 0655000000 20'), 'transfer.askPinOpenLoop'],
    ['the RIB', (who) => who.says('/rib'), 'rib.askPin'],
    ['the balance itself', (who) => who.chooses('balance'), 'balance.askPin'],
    ['a withdrawal', (who) => who.says('/cash-out 100'), 'cash-out.askPin'],
    ['saved cards', (who) => who.says('/saved-cards'), 'saved-cards.askPin'],
  ])('%s takes a PIN all the same', async (_, path, screen) => {
    const fatima = sawBalance('ussd');
    await fatima.goes('menu').walks(path).sees(screen);
    expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(1);
  });

  test('a wrong PIN opens nothing', async () => {
    const fatima = world.customer().isAtMenu().chooses('balance').enters('4321').sees('balance.askPin');
    await fatima.walks(opens).sees('statement.askPin');
  });

  test.each(['handBack', 'toMenu', 'end'] as const)(
    'takes it after a person has taken the conversation over, left by %s',
    async (act) => {
      const fatima = sawBalance('web');
      await fatima;
      await world.engine.desk.takeOver(fatima.address, NADIA);
      expect(await world.engine.desk[act](fatima.address, NADIA)).toBe('done');
      await fatima.walks(opens).sees('statement.askPin');
    },
  );
});
