import { beforeEach, expect, test } from 'vitest';
import type { PayoutBatch, PayoutFile, PayoutLine } from '../../../src/conversation/desk/desk.ts';
import { centimes } from '../../../src/wallet/money.ts';
import { nationalNumber } from '../../../src/wallet/phone.ts';
import { FATIMA, NOW, YOUSSEF } from '../records.ts';
import { OTHER, PRINCIPAL, saidBy, wordsOf } from './fixtures.ts';
import { theConsole } from './stage.ts';

const { stage, as } = theConsole();

/** An administrator's file, and another one that Fatima gave in her chat. */
const [OWN, FATIMAS] = ['f'.repeat(32), 'd'.repeat(32)];
const BATCH: PayoutBatch = {
  ...{ id: OWN, code: 'PA-1', fileName: '<b>salaires.csv', at: NOW, by: { account: 'boss' }, state: 'ready' },
  ...{ count: 2, sum: centimes(3_000), checked: 2, next: 0, fees: centimes(0) },
  payable: { count: 1, sum: centimes(1_000) },
};
const PAID: PayoutLine = { to: { phone: FATIMA }, name: '=Fatima', amount: centimes(1_000), reason: 'x' };
const UNPAID: PayoutLine = { to: { phone: YOUSSEF }, name: 'Youssef', amount: centimes(2_000), reason: 'y' };
const LINES = [PAID, { ...UNPAID, refused: '20005' }];
const one = (sum: number) => ({ count: 1, sum: centimes(sum) });

/** How Fatima's file stands. */
let fatimas: {
  batch: Partial<PayoutBatch>;
  lines: readonly PayoutLine[];
  needs?: PayoutFile['needs'];
  isUnguarded?: boolean;
};
const boss = () => as('boss', 'admin');
const text = (id = FATIMAS) => boss().text(`/principal/payouts/${id}`);

beforeEach(() => {
  fatimas = { batch: {}, lines: LINES };
  stage.principal = {
    ...PRINCIPAL,
    account: async () => ({ kind: 'ok', value: { code: 'PA-1', balance: centimes(1_000) } }),
    files: async () => [BATCH, { ...BATCH, tally: { paid: one(1_000), open: one(0) } }],
    file: async (id) => {
      if (id === OWN) return { batch: BATCH, lines: LINES, needs: undefined };
      const { batch, needs, ...rest } = fatimas;
      return id === FATIMAS
        ? { batch: { ...BATCH, by: { phone: FATIMA }, ...batch }, needs, ...rest }
        : undefined;
    },
    async giveFile(bytes) {
      stage.done.push(`give ${bytes.length}`);
      if (bytes.length === 3) return { kind: 'wrong', wrong: [{ line: 1, why: 'reason' }] };
      return { kind: bytes.length === 4 ? 'twice' : 'given', id: OWN };
    },
    async withdrawFile(id) {
      stage.done.push(`withdraw ${id}`);
      return stage.acted;
    },
    async *results() {
      yield { ...PAID, line: 1, intent: { id: OTHER, state: 'succeeded', operationId: 7 } };
      yield { ...UNPAID, refused: '20005', line: 2 };
    },
  };
});

test('a file of payouts shows its sum, its refused lines and the person who gave it', async () => {
  const list = await boss().text('/principal/payouts');
  expect(list).toContain('&lt;b&gt;salaires.csv');
  expect(list).toContain('MAD\u00a010.00 paid of MAD\u00a010.00');
  const page = await text(OWN);
  for (const part of ['MAD\u00a010.00', '20005', 'Uploaded by</dt><dd><bdi>boss</bdi>'])
    expect(page).toContain(part);
  expect(await text()).toContain(nationalNumber(FATIMA));
  expect((await boss().get(`/principal/payouts/${'e'.repeat(32)}`)).status).toBe(404);
});

test('a file of payouts says what it waits for', async () => {
  const says = async (batch: Partial<PayoutBatch>) => {
    fatimas.batch = batch;
    const page = await text();
    const sentences = ['releases the file in its chat', 'The float is too low.', 'is waited for until'];
    return sentences.map((each) => page.includes(each));
  };
  const current = { ref: OTHER, waitsUntil: NOW + 60_000 };
  expect(await says({}), 'the release').toEqual([true, false, false]);
  expect(await says({ state: 'stopped', why: 'float', current })).toEqual([true, true, false]);
  for (const state of ['running', 'done', 'withdrawn'] as const)
    expect(await says({ state, why: 'float' }), state).toEqual([false, false, false]);
  expect(await says({ state: 'running', current }), 'an answer').toEqual([false, false, true]);
});

test('a line whose answer is waited for counts as not confirmed, with its amount', async () => {
  const tally = { paid: one(1_000), open: { count: 0, sum: centimes(0) } };
  const current = { ref: OTHER, waitsUntil: NOW + 60_000 };
  fatimas = { batch: { state: 'running', next: 1, tally, current }, lines: [PAID, UNPAID] };
  const parts = (await text()).split('<h2>').map(wordsOf);
  expect(parts[0]).toContain(
    'Paid MAD 10.00 · lines: 1 Not confirmed yet MAD 20.00 · lines: 1 Not paid lines: 0',
  );
  expect(parts[1]).toMatch(/^Lines not confirmed yet: 1 2\. /);
});

test('a finished file of payouts lists the lines that are open, not paid or refused, with the reason', async () => {
  const lines = [
    { refused: '20005' },
    { refused: '90014', isLate: true },
    { ref: OTHER, state: 'rejected', code: '90011' },
    { ref: OTHER, state: 'accepted' },
    { ref: OTHER, state: 'succeeded' },
    { refused: '66666' },
  ] as const;
  const tally = { paid: one(2_000), open: one(2_000) };
  fatimas = {
    batch: { state: 'done', count: 6, next: 6, tally },
    lines: lines.map((each) => ({ ...UNPAID, ...each })),
  };
  const parts = (await text()).split('<h2>').map(wordsOf);
  expect(parts[0]).toContain(
    'Paid MAD 20.00 · lines: 1 Not confirmed yet MAD 20.00 · lines: 1 Not paid lines: 4',
  );
  expect(parts[1]).toMatch(/^Lines not confirmed yet: 1 4\. /);
  expect(parts[2]).toMatch(/^Lines not paid: 2 2\. .*90014 3\. .* receive this amount\. 90011/);
  expect(parts[3]).toMatch(/^Lines refused beforehand: 2 1\. .* The float cannot pay it\. 20005 6\. .*66666/);
});

test('a file of payouts says what the float lacks, and why nobody can release it', async () => {
  for (const [needs, is] of [
    [centimes(1e9), true],
    [centimes(100), false],
    [undefined, false],
  ] as const) {
    fatimas.needs = needs;
    expect((await text()).includes('is missing'), String(needs)).toBe(is);
  }
  for (const is of [true, false]) {
    fatimas.isUnguarded = is;
    expect((await text()).includes('REDIS_REPLICAS_MIN')).toBe(is);
  }
});

test('administrators give files of payouts, withdraw them and save their results', async () => {
  const gives = (bytes: number) => {
    const form = new FormData();
    form.set('file', new File([new Uint8Array(bytes)], 'salaires.csv'));
    return boss().sends('/principal/payouts', form);
  };
  expect((await gives(5)).headers.get('location')).toBe(`/support/principal/payouts/${OWN}`);
  expect(saidBy(await gives(4))).toBe('twice');
  const wrong = await gives(3);
  expect([wrong.status, await wrong.text()], 'the whole of the reason').toEqual([
    400,
    expect.stringMatching(/Line 1: \S?a reason of more than 35 characters, .*, no special characters\S?</),
  ]);
  await boss().post(`/principal/payouts/${OWN}/withdraw`);
  expect(stage.done).toEqual([
    ...[5, 4, 3].flatMap((bytes) => ['audit boss givePayouts PA-1 salaires.csv', `give ${bytes}`]),
    'audit boss withdrawPayouts PA-1 <b>salaires.csv',
    `withdraw ${OWN}`,
  ]);
  const csv = (await text(`${OWN}/results.csv`)).split('\r\n');
  expect(stage.done.at(-1)).toMatch(/^audit boss saveTable /);
  expect(csv[1]).toContain(`'=Fatima,10,x,`);
  expect(csv[1]).toContain(`,7,${OTHER}`);
  expect(csv[2]).toContain('20005');
});
