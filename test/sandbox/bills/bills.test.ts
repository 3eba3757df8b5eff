import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BILL_MAGIC, type BillMagicName } from '../../../src/sandbox/bills/magic.ts';
import { DAY_MS, HOUR_MS } from '../../kit/durations.ts';
import { newDirectory } from '../../kit/new-directory.ts';
import { balanceOf, call, errorOf, FATIMA, sandbox, wallet, YOUSSEF } from '../kit.ts';
import { receiver } from '../receiver.ts';
import { ask, CNSS, filled, ORANGE, order, orderFor, SCHOOL, SRM, search, TAX } from './bill-kit.ts';

const CONTRACT = '1234567';

test('a bill is found, previewed, paid, and gone', async () => {
  const partner = await receiver();
  const wallet = sandbox({ webhookUrl: partner.url });
  const found = await search(wallet, TAX, 'ART7788');
  expect(found).toMatchObject({
    codeRetour: '000',
    codeDevise: 'MAD',
    refTxNetwork: expect.stringMatching(/^\d{12}$/),
  });
  const all = order(TAX, 'ART7788', found);

  const preview = await ask(wallet, 'previewBill', all);
  const total = found.montantTotalTTC + 3;
  expect(preview.body).toMatchObject({ codeRetour: '000', type: 25, feesAmount: 3, totalAmount: total });
  expect(await balanceOf(wallet, FATIMA)).toBe(3500);

  const paid = await ask(wallet, 'executeBill', all, 'our-request');
  expect(paid.body).toMatchObject({
    codeRetour: '000',
    refTxNetwork: found.refTxNetwork,
    refReglement: expect.stringMatching(/^R\d{12}$/),
    montantTotalTTC: found.montantTotalTTC,
    params: [{ nomChamp: 'numCRC' }, { nomChamp: 'texteCRC' }],
  });
  expect(await balanceOf(wallet, FATIMA)).toBeCloseTo(3500 - total, 2);
  await wallet.settle();
  expect(partner.received.map(({ data }) => data)).toMatchObject([
    {
      EventId: 'payment.confirmed',
      CRequestId: 'our-request',
      OperationId: 1,
      OperationType: 25,
      OperationStatus: 2,
      Amount: found.montantTotalTTC,
      FeeAmount: 3,
      PrimaryAccountNumber: FATIMA,
      SecondaryAccountNumber: '1203',
    },
  ]);
  expect((await search(wallet, TAX, 'ART7788')).codeRetour).toBe('107');
  expect((await search(wallet, TAX, 'ART7789')).codeRetour).toBe('000');
  expect(wallet.checkLedger()).toMatchObject({ balanced: true, totals: { transit: 0, fees: 3_00 } });
});

/**
 * The answers to the search, to the confirmation, and to a second one of the same reference. The answer of
 * `reference/status` right after the confirmation, and in the end. The events, and whether the customer has paid.
 */
type Row = readonly [codes: string, states: string, events: string, isPaid: boolean];
/** The effect of every magic contract number. A forgotten row does not compile. */
const OUTCOMES: Record<BillMagicName, Row> = {
  nothingToPay: ['107', '', '', false],
  searchFails: ['908', '', '', false],
  alreadyProcessed: ['000 301 301', 'CONFIRME CONFIRME', 'confirmed 2', true],
  confirmedLater: ['000 908 908', 'AUTORISE CONFIRME', 'confirmed 2', true],
  cancelledLater: ['000 909 909', 'AUTORISE ANNULE', 'cancelled 4', false],
  failedLater: ['000 910 910', 'AUTORISE FAILED', 'failed 3', false],
  refundedLater: ['000 908 908', 'AUTORISE REMBOURSE', 'refunded 4', false],
  refundedAfterwards: ['000 000 301', 'CONFIRME REMBOURSE', 'confirmed 2, refunded 4', false],
  unlistedPaid: ['000 998 998', 'AUTORISE CONFIRME', 'confirmed 2', true],
  unlistedNothing: ['000 999 999', 'EN_ATTENTE EN_ATTENTE', '', false],
};

/** With every setting of the duration of an operation. 0 must not decide it before the answer. */
describe.each([1_200, 0])('settled after %i ms', (settleAfterMs) => {
  test.each(Object.entries(BILL_MAGIC))('%s: %o', async (name, { contract }) => {
    const partner = await receiver();
    const wallet = sandbox({ webhookUrl: partner.url, settings: { settleAfterMs } });
    const row = OUTCOMES[name as BillMagicName];
    const [expectedCodes, , , isPaid] = row;
    const found = await search(wallet, ORANGE, contract);
    const codes = [found.codeRetour];
    const states: string[] = [];
    const status = async () => {
      const said = await ask(wallet, 'readBillStatus', { reference: found.refTxNetwork });
      states.push(said.status === 204 ? 'none' : said.body.status);
    };
    if (found.codeRetour === '000') {
      for (let time = 0; time < 2; time++)
        codes.push((await ask(wallet, 'executeBill', order(ORANGE, contract, found))).body.codeRetour);
      await status();
      await wallet.clock.advance(HOUR_MS);
      await status();
    }
    const events = partner.received.map(
      ({ data }) => `${data.EventId.slice('payment.'.length)} ${data.OperationStatus}`,
    );
    const total = found.montantTotalTTC + 2;
    const lost = 3500 - (await balanceOf(wallet, FATIMA));
    expect(wallet.checkLedger()).toMatchObject({ balanced: true, faults: [], totals: { transit: 0 } });
    expect(lost).toBeCloseTo(isPaid ? total : 0, 2);
    expect([codes.join(' '), states.join(' '), events.join(', '), lost > 0]).toEqual(row);
    // It works every time.
    expect((await search(wallet, ORANGE, contract)).codeRetour).toBe(expectedCodes.slice(0, 3));
  });
});

test('a reference with a failed payment cannot be used again', async () => {
  const all = await orderFor(wallet, ORANGE, BILL_MAGIC.failedLater.contract);
  await ask(wallet, 'executeBill', all);
  await wallet.clock.advance(HOUR_MS);
  expect(await ask(wallet, 'executeBill', all)).toMatchObject(errorOf('billChanged'));
});

describe('a second confirmation', () => {
  test('of a paid reference says 301, with the same settlement, and debits nothing', async () => {
    const all = await orderFor(wallet, SRM, CONTRACT);
    const [first, second] = [await ask(wallet, 'executeBill', all), await ask(wallet, 'executeBill', all)];
    expect([first.body.codeRetour, second.body.codeRetour]).toEqual(['000', '301']);
    expect(second.body.refReglement).toBe(first.body.refReglement);
    // Also when the reference would have expired by now.
    await wallet.clock.advance(8 * DAY_MS);
    expect((await ask(wallet, 'executeBill', all)).body.codeRetour).toBe('301');
    expect(wallet.executions()).toHaveLength(1);
    expect(await ask(wallet, 'previewBill', all)).toMatchObject(errorOf('billChanged'));
  });

  test('by another reference to the same bills is refused', async () => {
    const [first, second] = [
      await orderFor(wallet, SRM, CONTRACT),
      await orderFor(wallet, SRM, CONTRACT, YOUSSEF),
    ];
    await ask(wallet, 'executeBill', first);
    expect(await ask(wallet, 'executeBill', second)).toMatchObject(errorOf('billChanged'));
    expect(wallet.executions()).toHaveLength(1);
  });
});

test('a part of the bills is paid, and the rest stays', async () => {
  const all = await orderFor(wallet, SCHOOL, 'ELEVE42');
  const items = all.listeArticleSelectionnes as { idArticle: string; typeArticle: number; prixTTC: number }[];
  expect(items.length).toBeGreaterThan(12);
  const some = items.filter(({ typeArticle }, i) => i < 2 || typeArticle !== 0);
  const sum = some.reduce((total, { prixTTC }) => total + Math.round(prixTTC * 100), 0) / 100;
  const said = await ask(wallet, 'executeBill', {
    ...all,
    totalPayment: false,
    listeArticleSelectionnes: some,
  });
  expect(said.body).toMatchObject({ codeRetour: '000', montantTotalTTC: sum });
  const left = (await search(wallet, SCHOOL, 'ELEVE42')).impayesParams;
  expect(left).toEqual(items.filter((item) => !some.includes(item)));
  expect(wallet.checkLedger().balanced).toBe(true);
});

test('seven days are enough, a moment more is too much', async () => {
  const all = await orderFor(wallet, SRM, CONTRACT);
  await wallet.clock.advance(7 * DAY_MS - 1);
  expect(await ask(wallet, 'previewBill', all)).toMatchObject({ status: 200 });
  await wallet.clock.advance(1);
  expect(await ask(wallet, 'previewBill', all)).toMatchObject(errorOf('billExpired'));
  expect(await ask(wallet, 'executeBill', all)).toMatchObject(errorOf('billExpired'));
});

test('a parameter of the network may come back under either name', async () => {
  const all = await orderFor(wallet, SRM, CONTRACT);
  const globalParams = all.globalParams.map(({ nomChamp, valeurChamp }: Record<string, string>) => ({
    nomChamp,
    valChamp: valeurChamp,
  }));
  expect((await ask(wallet, 'executeBill', { ...all, globalParams })).body.codeRetour).toBe('000');
});

test('unknown customers are refused before the network is asked, even while it is down', async () => {
  const wallet = sandbox({ settings: { billNetwork: 'down' } });
  const query = { phoneNumber: '+212612345678', ...SRM };
  const said = await call(wallet, 'listUnpaid', { ...query, creancierVals: filled(SRM, CONTRACT) });
  expect(said).toMatchObject(errorOf('customerNotFound'));
});

test.each(['listCreditors', 'listReceivables', 'readBillForm', 'listUnpaid'] as const)(
  'a network that is down: %s says 908',
  async (name) => {
    const wallet = sandbox({ settings: { billNetwork: 'down' } });
    const given = { phoneNumber: FATIMA, ...SRM, creancierVals: filled(SRM, CONTRACT) };
    expect(await ask(wallet, name, given)).toMatchObject({ status: 200, body: { codeRetour: '908' } });
  },
);

test('nothing keeps the password of a form', async () => {
  const folder = newDirectory();
  const wallet = sandbox({ file: join(folder, 'sandbox.db') });
  const values = [
    { nomChamp: 'affiliation', valChamp: '7654321' },
    { nomChamp: 'codeAcces', valChamp: '83749261' },
  ];
  const query = { phoneNumber: FATIMA, ...CNSS };
  const { body: found } = await ask(wallet, 'listUnpaid', { ...query, creancierVals: values });
  const paid = await ask(wallet, 'executeBill', { ...order(CNSS, '', found), creancierVals: values });
  expect(paid.body.codeRetour).toBe('000');
  const kept = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'latin1'))
    .join('');
  expect(kept).toContain('7654321');
  expect(kept).not.toContain('83749261');
});

test.each([
  ['listed', 200],
  ['noContent', 204],
] as const)('a bill that waits for its confirmation is %s: %i', async (waitingBill, status) => {
  const wallet = sandbox({ settings: { waitingBill } });
  const found = await search(wallet, ORANGE, '0661234567');
  const read = (reference: string) => ask(wallet, 'readBillStatus', { reference });
  const said = await read(found.refTxNetwork);
  expect(said.status).toBe(status);
  if (status === 200)
    expect(said.body).toMatchObject({
      networkReference: found.refTxNetwork,
      ...{ status: 'EN_ATTENTE', executed: false, executed_at: null, amount: found.montantTotalTTC },
    });
  expect((await read('000000000000')).status).toBe(204);
});
