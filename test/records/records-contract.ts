import { describe, expect, test } from 'vitest';
import type { AuditQuery, AuditRow, EventRow, PaymentRow, Records } from '../../src/records/records.ts';
import { rowOf } from '../../src/records/rows.ts';
import { positionOf } from '../../src/store/turn-id.ts';
import { forEachTest } from '../kit/for-each-test.ts';
import { assignsCases, assignsCasesOnce } from './assignment-contract.ts';
import { choosesCases } from './case-choice-contract.ts';
import { appliesCaseUpdate, keepsToldCases } from './case-updates-contract.ts';
import { countsCases, keepsCases, measuresServiceLevels } from './closed-cases-contract.ts';
import { keepsSettings } from './settings-contract.ts';

/** Opens the records anew on what is there, after making a new place for them where `isNew`. */
export type OpenRecords = (isNew: boolean) => Promise<Records>;

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const NOW = Date.UTC(2026, 10, 22, 12);
export const ADDRESS = 'ussd:+212600000001';
const WALLET = '+212600000001';

export function event(id: string, more: Partial<EventRow> = {}): EventRow {
  return {
    partition: 17,
    id,
    at: NOW,
    address: ADDRESS,
    kind: 'input',
    refs: [],
    record: `{"id":"${id}"}`,
    ...more,
  };
}

let payments = 0;
function payment(more: Partial<PaymentRow> = {}): PaymentRow {
  const id = more.id ?? `11111111-0000-4000-8000-${String(payments++).padStart(12, '0')}`;
  return {
    id,
    wallet: WALLET,
    sentAt: NOW,
    state: 'sent',
    steps: 2,
    names: [id.slice(0, 8)],
    document: `{"wallet":"${WALLET}"}`,
    lookAt: NOW + 4 * DAY_MS,
    ...more,
  };
}

/** The contract that both drivers of `Records` keep. */
export function describeRecords(name: string, open: OpenRecords): void {
  describe(`${name} keeps turns`, () => keepsTurns(open));
  describe(`${name} keeps payments`, () => keepsPayments(open));
  describe(`${name} keeps the agents’ audit`, () => keepsTheAudit(open));
  describe(`${name} keeps figures`, () => countsFigures(open));
  describe(`${name} counts closed cases`, () => countsCases(open));
  describe(`${name} measures service levels`, () => measuresServiceLevels(open));
  describe(`${name} keeps closed cases`, () => keepsCases(open));
  describe(`${name} keeps settings of the console`, () => keepsSettings(open));
  describe(`${name} has lists of cases`, () => choosesCases(open));
  describe(`${name} has cases assigned by rule`, () => assignsCases(open));
  describe(`${name} has cases assigned once`, () => assignsCasesOnce(open));
  describe(`${name} applies updates of cases`, () => appliesCaseUpdate(open));
  describe(`${name} keeps cases that turns told of`, () => keepsToldCases(open));
  describe(`${name} keeps names`, () => findsNames(open));
  describe(`${name} keeps records only for their time`, () => forgets(open));
}

/** Before each test: new records, and short ways to write into them. */
export function theRecords(open: OpenRecords) {
  const records = forEachTest(() => open(true));
  const add = (events: readonly EventRow[], to?: string) =>
    records.record({ events, payments: [], cursors: to === undefined ? [] : [{ partition: 17, to }] });
  const pay = (...payments: readonly PaymentRow[]) => records.record({ events: [], payments, cursors: [] });
  return { records, add, pay };
}

function idsIn(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => String(positionOf(id) >> 20n));
}

function keepsTurns(open: OpenRecords): void {
  const { records, add } = theRecords(open);

  test('turns are read newest first, page by page', async () => {
    const ids = ['1700000000000-0', '1700000000000-1', '1700000000001-0', '1700000000002-0'];
    await add(
      ids.map((id, i) => event(id, { at: NOW + i })),
      ids.at(-1),
    );
    const newest = await records.turns(17, 3);
    expect(newest.map(({ record }) => record)).toEqual(
      ids
        .slice(1)
        .reverse()
        .map((id) => `{"id":"${id}"}`),
    );
    const older = await records.turns(17, 3, newest.at(-1)?.id);
    expect(older).toEqual([{ partition: 17, id: expect.any(String), at: NOW, record: `{"id":"${ids[0]}"}` }]);
    expect(await records.turns(18, 3)).toEqual([]);
  });

  test.each([
    ['Arabic and emoji', 'رصيدك 🧾'],
    ['what a customer typed as NUL', JSON.stringify('\u0000')],
    ['quotes, braces and backslashes', '{"a":"\\"}{,\\\\"}'],
    ['no JSON at all', 'lost'],
  ])('a record is kept as it is: %s', async (_, record) => {
    await add([event('5', { record })]);
    expect((await records.turns(17, 1))[0]?.record).toBe(record);
  });

  test('recording turns again adds nothing, and another turn of the same id is kept, too', async () => {
    const three = ['1', '2', '3'].map((id) => event(id));
    await add(three, '3');
    await add(three, '3');
    await add([...three.slice(1), event('4')], '4');
    expect(idsIn(await records.turns(17, 10))).toEqual(['4', '3', '2', '1']);
    await add([event('4', { at: NOW + 1, record: 'after the store had lost the first' })], '4');
    expect(await records.turns(17, 10)).toHaveLength(5);
  });

  test('ids are compared as numbers', async () => {
    await add(['9', '10', '100'].map((id) => event(id)));
    expect(idsIn(await records.turns(17, 10))).toEqual(['100', '10', '9']);
    expect(idsIn(await records.turns(17, 10, '100'))).toEqual(['10', '9']);
    expect(idsIn(await records.turnsOf({ address: ADDRESS }, 10))).toEqual(['100', '10', '9']);
  });

  test('the cursor of each partition is known after a restart', async () => {
    const before = await open(true);
    await before.record({
      events: [],
      payments: [],
      cursors: [
        { partition: 17, to: '1700000000000-7' },
        { partition: 18, to: '12' },
      ],
    });
    await before.record({ events: [], payments: [], cursors: [{ partition: 17, to: '1700000000001-0' }] });
    await before.close();
    const again = await open(false);
    const known = new Map(
      (await again.cursors([17, 18, 19])).map(({ partition, to }) => [partition, positionOf(to)]),
    );
    expect([...known].sort()).toEqual([
      [17, positionOf('1700000000001-0')],
      [18, positionOf('12')],
    ]);
    await again.close();
  });

  test('turns are found by wallet, by address and by a reference', async () => {
    const ref = 'aaaaaaaa-0000-4000-8000-000000000001';
    await add([
      event('1', { wallet: WALLET, at: NOW }),
      event('2', { partition: 3, address: 'web:x', wallet: WALLET, at: NOW + 1, refs: [ref, 'other'] }),
      event('3', { address: 'web:y', at: NOW + 2 }),
    ]);
    expect(idsIn(await records.turnsOf({ wallet: WALLET }, 10))).toEqual(['2', '1']);
    expect(idsIn(await records.turnsOf({ wallet: WALLET }, 10, NOW + 1))).toEqual(['1']);
    expect(idsIn(await records.turnsOf({ address: 'web:y' }, 10))).toEqual(['3']);
    expect(idsIn(await records.turnsOf({ address: 'web:z' }, 10))).toEqual([]);
    expect(idsIn(await records.turnsNaming(ref, 10))).toEqual(['2']);
    expect(await records.turnsNaming("'; DROP TABLE event; --", 10)).toEqual([]);
  });

  test('a turn with an impossible time is kept', async () => {
    await add([event('1', { at: 0 }), event('2', { at: NOW + 30 * 365 * DAY_MS }), event('3')]);
    expect(await records.turns(17, 10)).toHaveLength(3);
  });
}

function keepsPayments(open: OpenRecords): void {
  const { records, add, pay } = theRecords(open);

  test('a batch is written whole or not at all', async () => {
    const broken = payment({ steps: Number.NaN });
    await expect(
      records.record({ events: [event('9')], payments: [broken], cursors: [{ partition: 17, to: '9' }] }),
    ).rejects.toThrow();
    expect(await records.turns(17, 10)).toEqual([]);
    expect(await records.cursors([17])).toEqual([]);
  });

  test('a payment is found by its id and by every name, and an older copy never replaces a newer one', async () => {
    const row = payment({
      names: ['22222222', '4711', 'ref ,x'],
      id: '22222222-0000-4000-8000-000000000002',
    });
    await pay(row);
    await pay({ ...row, state: 'succeeded', steps: 3 }, payment());
    await pay({ ...row, state: 'accepted', steps: 2 });
    expect(await records.payment(row.id)).toEqual({ ...row, state: 'succeeded', steps: 3 });
    const named = async (name: string, limit = 10) =>
      (await records.paymentsNamed(name, limit)).map(({ id }) => id);
    for (const name of row.names) expect(await named(name)).toEqual([row.id]);
    expect(await named('4712')).toEqual([]);
    const later = payment({ names: ['22222222'], sentAt: row.sentAt + 1 });
    await pay(later);
    expect(await named('22222222')).toEqual([later.id, row.id]);
    expect(await named('22222222', 1)).toEqual([later.id]);
    expect(await records.payment('no uuid')).toBeUndefined();
    expect((await records.paymentsOf(WALLET, 10)).map(({ id }) => id)).toContain(row.id);
    expect(await records.paymentsOf('+212600000009', 10)).toEqual([]);
    expect((await records.paymentsOf(WALLET, 1)).map(({ id }) => id)).toEqual([later.id]);
    const earlier = await records.paymentsOf(WALLET, 1, later.sentAt);
    expect(earlier.map(({ sentAt }) => sentAt)).toEqual([NOW]);
    expect(await records.paymentsOf(WALLET, 10, NOW)).toEqual([]);
  });

  test('payments to look at come in order until done, and again after a change', async () => {
    const [first, second] = [payment({ lookAt: NOW }), payment({ lookAt: NOW + 5 })];
    await pay(second, first);
    expect(await records.paymentsToLookAt(NOW - 1, 10)).toEqual([]);
    const ids = async (limit: number) => (await records.paymentsToLookAt(NOW + 5, limit)).map(({ id }) => id);
    expect(await ids(10)).toEqual([first.id, second.id]);
    expect(await ids(1)).toEqual([first.id]);
    await records.setLook({ ...first, lookAt: null });
    await records.setLook({ ...second, steps: 1, lookAt: null });
    expect(await ids(10)).toEqual([second.id]);
  });

  test('an inventory counts rows and names missing payments', async () => {
    const row = payment();
    const of = (id: string) => JSON.stringify({ event: { kind: 'payment', intent: id } });
    const lost = '33333333-0000-4000-8000-000000000003';
    await add(
      [
        event('1', { kind: 'payment', record: of(row.id) }),
        event('2', { kind: 'payment', record: of(lost) }),
      ],
      '2',
    );
    await pay(row);
    const { migrations, count, missing, cursors } = await records.inventory();
    expect(migrations.made).toBe(migrations.known);
    expect(count).toEqual({ events: 2, payments: 1, audit: 0, names: 0 });
    expect(missing).toEqual([lost]);
    expect(cursors).toHaveLength(1);
  });
}

function keepsTheAudit(open: OpenRecords): void {
  const { records } = theRecords(open);

  test('entries of the audit are kept once, and found by agent, act, customer, time and result', async () => {
    const entry = (n: number, more: Partial<AuditRow> = {}): AuditRow => ({
      n,
      at: NOW + n,
      who: 'a',
      act: 'see',
      link: `${n}`,
      ...more,
    });
    expect(await records.audit.lastNumber()).toBe(0);
    const end = (n: number) => ({ n, sealed: `${n} it is` });
    expect(await records.audit.end()).toBeUndefined();
    const two = [entry(1, { on: ADDRESS, end: 'open' }), entry(2)];
    expect(await records.audit.add(two, undefined, end(2))).toBe(true);
    expect(await records.audit.add(two, undefined), 'somebody else was faster').toBe(false);
    expect(await records.audit.add([entry(3)], '1', end(9)), 'behind another one than the last').toBe(false);
    expect(await records.audit.end()).toEqual(end(2));
    const four = [
      entry(3, { on: ADDRESS, about: WALLET, who: 'b', end: 'open' }),
      entry(4, { of: 3, end: 'refused', who: 'b' }),
      entry(5, { about: WALLET, act: 'write' }),
      entry(6, { on: "'; DROP TABLE audit; --" }),
    ];
    const both = await Promise.all([records.audit.add(four, '2', end(6)), records.audit.add(four, '2')]);
    expect(both.toSorted(), 'of two at once one is faster').toEqual([false, true]);
    expect(await records.audit.add([], '6', end(6)), 'nothing more than where they end').toBe(true);
    expect(await records.audit.end()).toEqual(end(6));
    expect(await records.audit.lastNumber()).toBe(6);
    expect((await records.audit.range(2, 4)).map(({ n, link, of }) => [n, link, of])).toEqual([
      [2, '2', undefined],
      [3, '3', undefined],
      [4, '4', 3],
    ]);
    expect(await records.audit.range(7, 9)).toEqual([]);
    const found = async (query: AuditQuery, limit = 10) =>
      (await records.audit.page(query, limit)).map(({ n, closing = '' }) => n + (closing && `<${closing}`));
    expect(await found({})).toEqual(['6', '5', '3<4', '2', '1']);
    expect(await found({}, 2)).toEqual(['6', '5']);
    expect(await found({ before: 5 }, 1)).toEqual(['3<4']);
    expect(await found({ who: 'b' })).toEqual(['3<4']);
    expect(await found({ act: 'write' })).toEqual(['5']);
    expect(await found({ on: ADDRESS })).toEqual(['3<4', '1']);
    expect(await found({ about: [WALLET, ADDRESS] })).toEqual(['5', '3<4', '1']);
    expect(await found({ about: [WALLET], who: 'a', before: 6 })).toEqual(['5']);
    expect(await found({ end: 'open' })).toEqual(['1']);
    expect(await found({ end: 'refused' })).toEqual(['3<4']);
    expect(await found({ from: NOW + 2, to: NOW + 5 })).toEqual(['3<4', '2']);
    expect(await found({ who: "'; DROP TABLE audit; --" })).toEqual([]);
  });

  test('acts of agents are counted by result', async () => {
    const entry = { at: NOW, who: 'a', act: 'reveal' };
    const rows = [
      { ...entry, n: 1, end: 'open', link: '1' },
      { ...entry, n: 2, end: 'done', of: 1, link: '2' },
      { ...entry, n: 3, end: 'open', link: '3' },
      { ...entry, n: 4, link: '4', at: NOW + 5 },
    ];
    await records.audit.add(rows, undefined);
    const found = async (from: number, to: number) =>
      (await records.agentTallies(from, to))
        .map(({ who, act, end, n }) => `${who} ${act} ${end} ${n}`)
        .sort();
    expect(await found(NOW, NOW + 10)).toEqual(['a reveal  1', 'a reveal done 1', 'a reveal open 1']);
    expect(await found(NOW, NOW + 5)).toHaveLength(2);
    expect(await found(NOW + 10, NOW + 20)).toEqual([]);
  });
}

function countsFigures(open: OpenRecords): void {
  const { records, add, pay } = theRecords(open);

  const counted = async (from = 0, to = NOW * 2) =>
    (await records.tallies(from, to))
      .map((each) =>
        [each.what, each.name, each.detail, each.n, each.ms].filter((part) => part !== '').join(' '),
      )
      .sort();

  test('figures grow with the turns they count, each of them once', async () => {
    const turn = (id: string, from: string, to: string, at = NOW) =>
      rowOf(17, {
        id,
        record: JSON.stringify({ at, address: ADDRESS, language: 'fr', from, to, event: {} }),
      });
    const three = [
      turn('1', '', 'menu.choosing'),
      turn('2', 'menu.choosing', 'transfer.askingPhone'),
      turn('3', 'transfer.askingPhone', 'transfer.askingAmount'),
    ];
    await add(three, '3');
    await add(three, '3');
    await add([...three, turn('4', 'transfer.askingAmount', '', NOW + HOUR_MS)], '4');
    const all = [
      'entered menu 1 0',
      'entered transfer 1 0',
      'led menu choosing 1 0',
      'left transfer askingAmount 1 0',
      'moved menu >choosing 1 0',
      'moved transfer >askingPhone 1 0',
      'moved transfer askingPhone>askingAmount 1 0',
    ];
    expect(await counted()).toEqual(all);
    expect(await counted(NOW + HOUR_MS)).toEqual(['left transfer askingAmount 1 0']);
    expect(await counted(NOW, NOW + HOUR_MS)).toHaveLength(6);
    expect(await counted(NOW - DAY_MS, NOW)).toEqual([]);
    expect(
      (await records.tallies(0, NOW * 2)).map(({ channel, language }) => `${channel} ${language}`),
    ).toEqual(all.map(() => 'ussd fr'));
    await records.foldTallies(NOW + DAY_MS);
    await records.foldTallies(NOW + DAY_MS);
    expect(await counted()).toEqual(all);
    const day = Date.UTC(2026, 10, 22);
    expect(await counted(day, day + DAY_MS)).toEqual(all);
    expect(await counted(day + DAY_MS)).toEqual([]);
  });

  test('figures are read day by day, without the excluded conversations', async () => {
    const turn = (id: string, from: string, to: string, at: number, language = 'fr') =>
      rowOf(17, { id, record: JSON.stringify({ at, address: ADDRESS, language, from, to, event: {} }) });
    await add(
      [
        turn('1', '', 'menu.choosing', NOW),
        turn('2', 'menu.choosing', 'transfer.askingPhone', NOW),
        turn('3', '', 'top-up.askingPhone', NOW),
        turn('4', '', 'top-up.askingPhone', NOW + DAY_MS, 'ar'),
        turn('5', '', 'top-up.askingPhone', NOW + 2 * DAY_MS),
      ],
      '5',
    );
    const [begins, ends] = [Math.floor(NOW / DAY_MS) * DAY_MS, (Math.floor(NOW / DAY_MS) + 2) * DAY_MS];
    const days = async (from = begins, to = ends) =>
      (await records.tallyDays(from, to, ['menu']))
        .map(({ day, what, channel, language, n }) => `${day} ${what} ${channel} ${language} ${n}`)
        .sort();
    const all = ['0 entered ussd fr 2', '1 entered ussd ar 1'];
    expect(await days()).toEqual(all);
    await records.foldTallies(ends);
    expect(await days()).toEqual(all);
    // A day of Morocco that began an hour before that of UTC.
    expect(await days(begins - HOUR_MS, ends - HOUR_MS)).toEqual(all);
    expect(await days(ends + DAY_MS, ends + 2 * DAY_MS)).toEqual([]);
  });

  test('a payment counts by its current state, in the hour of its sending', async () => {
    const document = (...audit: readonly (readonly [number, string])[]) =>
      JSON.stringify({ order: { kind: 'transfer' }, address: ADDRESS, audit });
    const row = payment({ state: 'unknown', steps: 1, document: document([NOW, 'unknown']) });
    await pay(row);
    await pay(row);
    expect(await counted()).toEqual(['paid transfer unknown 1 0']);
    const steps = [
      [NOW, 'unknown'],
      [NOW + 40_000, 'succeeded'],
      [NOW + DAY_MS, 'reversed'],
    ] as const;
    const ended = { ...row, state: 'succeeded', steps: 2, document: document(...steps.slice(0, 2)) };
    await pay(ended, payment({ state: 'sent', document: document([NOW, 'sent']) }));
    await pay(row);
    expect(await counted()).toEqual([
      'paid transfer sent 1 0',
      'paid transfer succeeded 1 0',
      'took transfer 60 1 40000',
    ]);
    await pay({ ...ended, state: 'reversed', steps: 3, document: document(...steps) });
    expect(await counted(NOW, NOW + HOUR_MS)).toEqual([
      'paid transfer reversed 1 0',
      'paid transfer sent 1 0',
      'took transfer 60 1 40000',
    ]);
  });
}

function findsNames(open: OpenRecords): void {
  const { records } = theRecords(open);

  test('customers are found by all the words of a name, the latest name first', async () => {
    const [, second, third] = ['1', '2', '3'].map((n) => `+21260000000${n}`) as [string, string, string];
    await records.setName({ wallet: WALLET, at: NOW, words: ['fatima', 'zahra', 'amrani', 'amrani'] });
    await records.setName({ wallet: second, at: NOW + 2, words: ['fatima', 'amrani'] });
    await records.setName({ wallet: third, at: NOW + 1, words: ['fatima', 'idrissi'] });
    const found = (...words: string[]) =>
      records.walletsNamed(
        words.map((word) => [word]),
        10,
      );
    expect(await found('fatima')).toEqual([second, third, WALLET]);
    expect(await found('amrani', 'fatima')).toEqual([second, WALLET]);
    expect(await found('fatima', 'zahra', 'amrani')).toEqual([WALLET]);
    for (const none of [['fati'], ['fatima', 'x'], ['%'], ["'"]]) expect(await found(...none)).toEqual([]);
    expect(await records.walletsNamed([['fatima']], 1), 'no more than asked for').toEqual([second]);
    const rotated = [
      ['new', 'fatima'],
      ['amrani', 'other'],
    ];
    expect(await records.walletsNamed(rotated, 10), 'under either key').toEqual([second, WALLET]);
    expect(await records.nameOf(WALLET)).toEqual({ words: 3, at: NOW });
    expect(await records.nameOf('+212699999999')).toBeUndefined();
    expect((await records.inventory()).count.names).toBe(3);
  });

  test('a new name replaces the old one, and an unchanged name is written once a day', async () => {
    const found = async (word: string) => (await records.walletsNamed([[word]], 10)).length;
    const tell = (at: number, ...words: string[]) => records.setName({ wallet: WALLET, at, words });
    await tell(NOW, 'fatima', 'amrani');
    await tell(NOW + 1, 'amrani', 'fatima');
    expect((await records.nameOf(WALLET))?.at, 'the same, just now').toBe(NOW);
    await tell(NOW + DAY_MS, 'fatima', 'amrani');
    expect((await records.nameOf(WALLET))?.at).toBe(NOW + DAY_MS);
    await tell(NOW + DAY_MS + 1, 'fatima', 'idrissi');
    expect([await found('amrani'), await found('idrissi'), await found('fatima')]).toEqual([0, 1, 1]);
    await tell(NOW, 'fatima', 'amrani');
    expect(await found('idrissi'), 'an answer that was long under way').toBe(1);
    const names = ['alaoui', 'bennani', 'chraibi', 'daoudi'];
    await Promise.all(names.map((name) => tell(NOW + 2 * DAY_MS, name)));
    const left = await Promise.all(names.map(found));
    expect(
      left.reduce((sum, n) => sum + n),
      'told at once: one of them',
    ).toBe(1);
  });

  test('a name is forgotten after its retention, and with its customer', async () => {
    const other = '+212600000002';
    await records.setName({ wallet: WALLET, at: NOW - 500 * DAY_MS, words: ['fatima'] });
    await records.setName({ wallet: other, at: NOW, words: ['fatima', 'zahra'] });
    while ((await records.forget('names', NOW - 400 * DAY_MS)) > 0);
    expect(await records.walletsNamed([['fatima']], 10)).toEqual([other]);
    await records.erase(WALLET, [], 'erased:x');
    expect(await records.nameOf(other)).toEqual({ words: 2, at: NOW });
    await records.erase(other, [], 'erased:y');
    expect([await records.nameOf(other), await records.walletsNamed([['zahra']], 10)]).toEqual([
      undefined,
      [],
    ]);
  });
}

function forgets(open: OpenRecords): void {
  const { records, add, pay } = theRecords(open);

  test('rows past their retention are deleted, one week per call, and newer rows stay', async () => {
    const at = (days: number) => NOW - days * DAY_MS;
    const ages = [500, 450, 30, 0];
    await add(ages.map((days, i) => event(`${i + 1}`, { at: at(days) })));
    await pay(payment({ sentAt: at(4_000) }), payment({ sentAt: at(10) }));
    await records.forget('events', at(400));
    expect(idsIn(await records.turns(17, 10)), 'a clock that is far ahead costs a week').toEqual([
      '4',
      '3',
      '2',
    ]);
    while ((await records.forget('events', at(400))) > 0);
    while ((await records.forget('payments', at(3_653))) > 0);
    expect(idsIn(await records.turns(17, 10))).toEqual(['4', '3']);
    expect((await records.paymentsOf(WALLET, 10)).map(({ sentAt }) => sentAt)).toEqual([at(10)]);
    // Room is made again for what comes late.
    await add([event('9', { at: at(500) })]);
    expect(await records.turns(17, 10)).toHaveLength(3);
  });

  test('an erased customer leaves no turns, and payments without their number', async () => {
    const chat = 'web:"quoted"';
    const document = JSON.stringify({
      wallet: WALLET,
      address: chat,
      order: { from: WALLET, to: '+212600000002' },
    });
    const theirs = payment({ document });
    const others = payment({ wallet: '+212600000002', document });
    await add([
      event('1'),
      event('2', { address: chat }),
      event('3', { address: 'web:x', wallet: WALLET }),
      event('4', { address: 'web:y' }),
      event('5', { address: chat, wallet: '+212600000002' }),
      event('6', { address: '', kind: 'case' }),
    ]);
    await pay(theirs, others);
    expect(await records.erase(WALLET, [ADDRESS, chat], 'erased:x')).toEqual({ events: 3, payments: 1 });
    const left = idsIn(await records.turns(17, 10));
    expect(left, 'turns of nobody, and a chat that another customer had later').toEqual(['6', '5', '4']);
    const kept = await records.payment(theirs.id);
    expect(JSON.parse(kept?.document ?? '')).toEqual({
      wallet: 'erased:x',
      address: 'erased:x',
      order: { from: 'erased:x', to: '+212600000002' },
    });
    expect(kept?.wallet).toBe('erased:x');
    expect((await records.payment(others.id))?.document).toBe(document);
    expect(await records.erase(WALLET, [ADDRESS, chat], 'erased:x')).toEqual({ events: 0, payments: 0 });
  });
}
