import { describe, expect, test } from 'vitest';
import { CREDITORS } from '../../../src/sandbox/bills/catalog.ts';
import { readForm } from '../../../src/sandbox/bills/form.ts';
import { BILL_MAGIC } from '../../../src/sandbox/bills/magic.ts';
import { glyphsIn } from '../../pdf/pdf-text.ts';
import { call, errorOf, FATIMA, NOBODY, sandbox, wallet, YOUSSEF } from '../kit.ts';
import { ask, FLATS, filled, ORANGE, orderFor, receivableAt, SCHOOL, SRM, search, TAX } from './bill-kit.ts';

const CONTRACT = '1234567';
const OPEN = CREDITORS.filter(({ inactive }) => !inactive);
const EVERYWHERE = OPEN.flatMap(({ code, receivables }) =>
  receivables.map((each) => [`${code}/${each.code}`, { creancierId: code, creanceId: each.code }] as const),
);

describe('the catalog', () => {
  test('lists every creditor with an existing logo', async () => {
    const { body } = await ask(wallet, 'listCreditors', {});
    expect(body).toMatchObject({ codeRetour: '000', msg: 'ACCEPTE', nbreCreancier: CREDITORS.length });
    expect(body.listeCreanciers.length).toBeGreaterThanOrEqual(12);
    for (const { codeCreancier, nomCreancier, logoPath } of body.listeCreanciers) {
      expect(codeCreancier).toMatch(/^[1-9]\d{3}$/);
      expect(nomCreancier).toContain('(test)');
      const logo = await wallet.app.request(logoPath);
      expect(logo.headers.get('content-type')).toContain('image/svg+xml');
      expect(await logo.text()).toMatch(/^<svg .*<\/svg>\s*$/s);
    }
    expect((await wallet.app.request('/logos/9999.svg')).status).toBe(404);
  });

  test('has every kind of field, format and item', async () => {
    const fields = OPEN.flatMap(({ receivables }) => receivables.flatMap(({ form }) => form));
    const kinds = (of: (field: (typeof fields)[number]) => unknown) => [...new Set(fields.map(of))].sort();
    expect(kinds(({ typeChamp }) => typeChamp)).toEqual(['libelle', 'password', 'select', 'text']);
    expect(kinds(({ contrainte }) => contrainte)).toEqual(['0', '1']);
    expect(kinds(({ formatChamp }) => formatChamp)).toEqual(expect.arrayContaining(['A', 'AN', 'D', 'N']));
    const found = await Promise.all(EVERYWHERE.map(([, where]) => search(wallet, where, '0123456789')));
    const types = found.flatMap(({ impayesParams }) =>
      impayesParams.map(({ typeArticle }: never) => typeArticle),
    );
    expect([...new Set(types)].sort()).toEqual([0, 1, 2, 3]);
  });

  test.each(EVERYWHERE)('%s leads from its form to bills', async (_, where) => {
    const listed = await ask(wallet, 'listReceivables', where);
    expect(listed.body.listeCreance).toContainEqual(
      expect.objectContaining({ codeCreance: where.creanceId }),
    );
    const { body: form } = await ask(wallet, 'readBillForm', where);
    expect(form).toMatchObject({
      codeRetour: '000',
      refTxNetwork: '1',
      nbreParams: receivableAt(where).form.length,
    });
    // Every magic contract number fits into the first field of every form.
    for (const { contract } of Object.values(BILL_MAGIC)) {
      const reading = readForm(receivableAt(where).form, filled(where, contract));
      expect(reading).toEqual({ contract: expect.stringMatching(new RegExp(`^${contract}( |$)`)) });
    }
    const found = await search(wallet, where, '0123456789');
    expect(found.codeRetour).toBe('000');
    const bills = found.impayesParams.filter(({ typeArticle }: { typeArticle: number }) => typeArticle === 0);
    if (where.creancierId < '1100') expect(bills.length).toBeLessThanOrEqual(4);
    for (const { dateFacture } of found.impayesParams) expect(dateFacture).toMatch(/^\d{2}\/\d{2}\/20\d{2}$/);
    const hidden = found.globalParams.filter(({ libelle }: { libelle: string }) => libelle === '');
    expect(hidden.map(({ nomChamp }: { nomChamp: string }) => nomChamp)).toEqual([
      'contrPaiement',
      'isConfTO',
      'isAnnul',
      'rejoue',
    ]);
  });

  test('the same contract has the same bills, another month a new one, another contract others', async () => {
    const items = async (contract: string) =>
      JSON.stringify((await search(wallet, SCHOOL, contract)).impayesParams);
    const first = await items('ELEVE1');
    expect(await items('ELEVE1')).toBe(first);
    expect(await items('ELEVE2')).not.toBe(first);
    await wallet.clock.advance(30 * 24 * 60 * 60_000);
    expect(await items('ELEVE1')).toContain('Mensualité 11/2026');
    expect(first).not.toContain('Mensualité 11/2026');
  });

  test('a value may be a single 0', async () => {
    const values = [
      { nomChamp: 'lot', valChamp: '7' },
      { nomChamp: 'etage', valChamp: '0' },
    ];
    const said = await ask(sandbox(), 'listUnpaid', { phoneNumber: FATIMA, ...FLATS, creancierVals: values });
    expect(said.body.codeRetour).toBe('000');
  });

  test.each([
    ['no such creditor', { creancierId: '9999', creanceId: '01' }],
    ['one that is closed', { creancierId: '1901', creanceId: '01' }],
    ['no such receivable', { creancierId: '1001', creanceId: '99' }],
  ])('104: %s', async (_, where) => {
    const query = { phoneNumber: FATIMA, ...where };
    const told = { status: 200, body: { codeRetour: '104' } };
    expect(await ask(wallet, 'readBillForm', query)).toMatchObject(told);
    expect(await ask(wallet, 'listUnpaid', { ...query, creancierVals: [] })).toMatchObject(told);
    const all = { ...(await orderFor(wallet, SRM, CONTRACT)), ...where };
    expect(await ask(wallet, 'executeBill', all)).toMatchObject(told);
    expect(await ask(wallet, 'previewBill', all)).toMatchObject(told);
    if (where.creanceId === '01') expect(await ask(wallet, 'listReceivables', query)).toMatchObject(told);
  });
});

describe('afterwards', () => {
  test('a reference waits until it is confirmed, and then has its operation', async () => {
    const all = await orderFor(wallet, SRM, CONTRACT);
    const status = () => ask(wallet, 'readBillStatus', { reference: all.refTxNetwork });
    expect(await status()).toMatchObject({ status: 200, body: { status: 'EN_ATTENTE', executed: false } });
    expect((await ask(wallet, 'readBillStatus', { reference: '123456789012' })).status).toBe(204);
    expect(await ask(wallet, 'readBillStatus', {})).toMatchObject(errorOf('missingParameters'));
    await ask(wallet, 'executeBill', all);
    expect((await status()).body).toMatchObject({
      networkReference: all.refTxNetwork,
      executed: true,
      status: 'CONFIRME',
      amount: all.total,
      chariOperationId: 1,
    });
    const read = await call(wallet, 'readOperation', { id: 1, PhoneNumber: FATIMA });
    expect(read.body.data).toMatchObject({
      operationType: 25,
      transactionStatus: 2,
      receiver: '1001',
      sens: 2,
    });
  });

  test('a receipt is a PDF that names the settlement', async () => {
    const paid = await ask(wallet, 'executeBill', await orderFor(wallet, TAX, 'ART7788'));
    const query = new URLSearchParams({ phoneNumber: FATIMA });
    const headers = { 'Svc-Api-Key': wallet.apiKey };
    const response = await wallet.app.request(`/api/bills/bill-receipt/1?${query}`, { headers });
    expect(response.headers.get('content-type')).toBe('application/pdf');
    const bytes = new Uint8Array(await response.arrayBuffer());
    const file = Buffer.from(bytes).toString('latin1');
    const drawn = glyphsIn(bytes)
      .map(({ text }) => text)
      .join('');
    for (const words of [
      'TGR Taxes locales (test)',
      'ART7788',
      '20/11/2026',
      paid.body.refReglement,
      'numCRC',
    ])
      expect(drawn).toContain(words);
    // Each entry of its table is where an object begins, and the table where the file says.
    const table = Number(/startxref\n(\d+)/.exec(file)?.[1]);
    const offsets = [...file.slice(table).matchAll(/^(\d{10}) 00000 n/gm)].map(([, at]) => Number(at));
    expect(file.slice(table, table + 4)).toBe('xref');
    expect(offsets.map((at, i) => file.startsWith(`${i + 1} 0 obj`, at))).toEqual(Array(9).fill(true));
  });

  test.each([
    ['before the creditor has settled', FATIMA, 1],
    ['of another customer', YOUSSEF, 2],
    ['of no operation', FATIMA, 99],
  ])('there is no receipt %s', async (_, phoneNumber, operationId) => {
    await ask(wallet, 'executeBill', await orderFor(wallet, ORANGE, BILL_MAGIC.confirmedLater.contract));
    await ask(wallet, 'executeBill', await orderFor(wallet, SRM, CONTRACT));
    const said = await call(wallet, 'readBillReceipt', { operationId, phoneNumber });
    expect(said).toMatchObject(errorOf('receiptNotFound'));
  });

  test('the history has every payment, newest first, in pages', async () => {
    const contracts = [BILL_MAGIC.failedLater.contract, BILL_MAGIC.confirmedLater.contract, '0600000003'];
    for (const contract of contracts)
      await ask(wallet, 'executeBill', await orderFor(wallet, ORANGE, contract));
    await search(wallet, SRM, CONTRACT);
    await wallet.clock.advance(1_200);
    const list = (query: object) => ask(wallet, 'listBillPayments', { phoneNumber: FATIMA, ...query });
    const { body } = await list({});
    expect(body).toMatchObject({
      count: 3,
      collection: [{ status: 'CONFIRME' }, { status: 'CONFIRME' }, { status: 'FAILED' }],
    });
    expect(body.collection[0]).toMatchObject({
      nomCreancier: 'Orange (test)',
      nomCreance: 'Mobile',
      operationId: 3,
    });
    expect(body.collection[2].refReglement).toBeUndefined();
    expect((await list({ pageNumber: 2, pageSize: 2 })).body).toMatchObject({
      count: 3,
      collection: [{ operationId: 1 }],
    });
    expect((await list({ phoneNumber: YOUSSEF })).body).toEqual({ count: 0, collection: [] });
    expect(await list({ phoneNumber: NOBODY })).toMatchObject(errorOf('customerNotFound'));
    expect(await list({ pageNumber: 0 })).toMatchObject(errorOf('parameterInvalid'));
  });
});
