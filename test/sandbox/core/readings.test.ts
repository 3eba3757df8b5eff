import { describe, expect, test } from 'vitest';
import { READINGS, type ReadingName, type Readings } from '../../../src/sandbox/core/readings.ts';
import { SETTINGS_DEFAULT } from '../../../src/sandbox/core/settings.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { centimes } from '../../../src/wallet/money.ts';
import { readText } from '../../kit/tree.ts';
import { ask, ORANGE, search } from '../bills/bill-kit.ts';
import { call, FATIMA, NOBODY, sandbox, send, transfer, wallet, YOUSSEF } from '../kit.ts';
import { brief, HOUR_MS, MET_LATER, type Met, registered, told } from './readings-met.ts';

const CAFE = '+212600000011';

/** The statuses of a reference: after its time, or after its execution was undone. */
async function reference(wallet: Sandbox, amount: number, undone: boolean): Promise<unknown> {
  const made = await send(wallet, 'requestCashOut', { body: { PhoneNumber: FATIMA, Amount: amount } });
  const { reference: number } = made.body.data;
  if (undone) await call(wallet, 'executeNetworkCashOut', { reference: number });
  await wallet.clock.advance(72 * HOUR_MS);
  return (await call(wallet, 'readCashOutRequest', { Reference: number })).body.data.status;
}

/** The webhooks of a transfer that a partner gets who answers with this status. */
const webhooks = (wallet: Sandbox, status: number) =>
  told(wallet, () => call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 1)), status);

/** A forgotten row does not compile. */
const MET: Record<ReadingName, Met> = {
  ...MET_LATER,
  unknownStatus: [
    async (w) => brief(await call(w, 'customerStatus', { PhoneNumber: NOBODY })),
    '200',
    '400 20005',
  ],
  wrongPin: [
    async (w) => brief(await call(w, 'loginCustomer', { phoneNumber: FATIMA, pin: '0000' })),
    '400 26001',
    '200',
  ],
  resetCode: [async (w) => brief(await call(w, 'resendOtp', { phoneNumber: FATIMA })), '200', '400 20017'],
  autoActivate: [
    async (w) => {
      await registered(w);
      return (await call(w, 'customerStatus', { PhoneNumber: NOBODY })).body.data.status;
    },
    3,
    2,
  ],
  executions: [
    async (w) => (await call(w, 'executeTransfer', transfer(FATIMA, YOUSSEF, 1))).body.data.operationId,
    1,
    undefined,
  ],
  transferEvent: [async (w) => (await webhooks(w, 200)).length, 1, 0],
  stateErrors: [
    async (w) => brief(await call(w, 'loginCustomer', { phoneNumber: '+212600000007', pin: '1234' })),
    '422 90006',
    '400 90006',
  ],
  errorCodes: [
    async (w) => brief(await call(w, 'executeTransfer', transfer(FATIMA, YOUSSEF, 9_000))),
    '400 90010',
    '400 77777',
  ],
  closeLoopOnly: [
    async (w) => {
      await registered(w, { closeLoopOnly: true });
      return (await call(w, 'customerDefault', { phoneNumber: NOBODY })).body.data;
    },
    false,
    true,
  ],
  agentFloat: [
    async (w) => {
      w.setFloat(centimes(0));
      return brief(await call(w, 'executeTransfer', transfer(FATIMA, YOUSSEF, 1)));
    },
    '422 90100',
    '200',
  ],
  agentFields: [
    async (w) => 'Name' in (await call(w, 'readRetailAgent', { code: 'RA-2001' })).body.data,
    true,
    false,
  ],
  waitingBill: [
    async (w) => {
      const { refTxNetwork } = await search(w, ORANGE, '0661234567');
      return (await ask(w, 'readBillStatus', { reference: refTxNetwork })).status;
    },
    200,
    204,
  ],
  webhookEnds: [async (w) => (await webhooks(w, 204)).length, 2, 1],
  expiredReference: [(w) => reference(w, 10, false), 3, 4],
  webhookIds: [async (w) => new Set((await webhooks(w, 500)).map(({ data }) => data.WebhookId)).size, 1, 2],
  emptyLists: [async (w) => (await ask(w, 'listBillPayments', { phoneNumber: FATIMA })).status, 200, 204],
  paidQr: [
    async (w) => {
      const made = await send(w, 'createQr', { query: { customerPhoneNumber: CAFE }, body: { amount: 5 } });
      const code = await call(w, 'readQrStatus', { reference: made.body.data.qrCodeReference });
      const order = { CustomerPhoneNumber: FATIMA, QrCodeContent: code.body.data.qrContent, Amount: 5 };
      await call(w, 'executeQrPayment', order);
      return brief(await call(w, 'executeQrPayment', order));
    },
    '422 90029',
    '200',
  ],
  articlesWithoutBrand: [
    async (w) => brief(await call(w, 'listArticles', { phoneNumber: FATIMA })),
    '200',
    '400 10001',
  ],
  undoneReference: [(w) => reference(w, 2.18, true), 4, 3],
  answerDates: [
    async (w) => Date.parse((await call(w, 'listCreditors')).headers.get('date') ?? '') - w.clock.now(),
    0,
    -90_000,
  ],
};

describe.each(Object.entries(MET))('%s', (name, [meets, first, other]) => {
  const values = Object.keys(READINGS[name as ReadingName].values);
  test.each([
    [values[0], first],
    [values[1], other],
  ])('%s: %o', async (value, expected) => {
    wallet.setSettings({ [name]: value } as Partial<Readings>);
    expect(await meets(wallet)).toEqual(expected);
  });

  test('is told in the list of open questions', () => {
    const rows = readText('docs/api-open-questions.md').split('\n');
    const row = rows.find((each) => each.startsWith(`| ${READINGS[name as ReadingName].question} |`));
    expect(row).toContain(`\`${name}\``);
  });
});

test('every open question names a setting, or why it has none', () => {
  const [questions = '', reasons = ''] = readText('docs/api-open-questions.md').split('## Questions without');
  const settings = Object.keys(SETTINGS_DEFAULT);
  const rows = questions.matchAll(/^\| (\d+) \| [^|]*\| ([^|]*)\|/gm);
  const isSet = (sandbox = '') =>
    [...sandbox.matchAll(/`(\w+)`/g)].some(([, name = '']) => settings.includes(name));
  const without = [...rows].filter(([, , cell]) => !isSet(cell)).map(([, number]) => Number(number));
  const explained = [...reasons.matchAll(/^\| ([\d, ]+) \| [^|]{10,}\|$/gm)].flatMap(([, numbers = '']) =>
    numbers.split(', ').map(Number),
  );
  expect(explained.toSorted((a, b) => a - b)).toEqual(without);
});

describe('strict mode', () => {
  const strict = () => sandbox({ settings: { strict: true } });
  const login = (wallet: Sandbox, body: object, headers = {}, path = '') =>
    wallet.app.request(`/api/customers/login${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Svc-Api-Key': wallet.apiKey, 'content-type': 'application/json', ...headers },
    });
  const right = { phoneNumber: FATIMA, pin: '1234' };

  test.each<[string, object, Record<string, string>, string, number]>([
    ['a right request', right, {}, '', 200],
    ['a charset', right, { 'content-type': 'application/json; charset=utf-8' }, '', 200],
    ['text', right, { 'content-type': 'text/plain' }, '', 415],
    ['a form', right, { 'content-type': 'application/x-www-form-urlencoded' }, '', 415],
    ['a field too many', { ...right, device: 'x' }, {}, '', 400],
    ['a name in another case', { ...right, Pin: '1234' }, {}, '', 400],
    ['a parameter too many', right, {}, '?lang=fr', 400],
  ])('%s', async (_, body, headers, path, status) => {
    expect((await login(strict(), body, headers, path)).status).toBe(status);
    expect((await login(sandbox(), body, headers, path)).status).toBe(200);
  });

  test('names what the document does not have, also in a list', async () => {
    const bill = { creancierVals: [{ nomChamp: 'x', valChamp: '1', valeurChamp: '1' }] };
    const said = await call(strict(), 'listUnpaid', { phoneNumber: FATIMA, ...ORANGE, ...bill });
    expect(said.body).toMatchObject({ errorCode: 90001 });
    expect(said.body.errorDescription).toContain('creancierVals[0].valeurChamp');
  });

  test('asks for its host', async () => {
    const wallet = strict();
    wallet.setSettings({ host: 'wallet.example' });
    expect((await login(wallet, right, { host: 'other.example' })).status).toBe(421);
    expect((await login(wallet, right, { host: 'wallet.example' })).status).toBe(200);
  });
});
