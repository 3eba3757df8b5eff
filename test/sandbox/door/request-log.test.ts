import { execFile } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { REQUESTS_MAX } from '../../../src/sandbox/door/request-log.ts';
import { PROVIDER_ID } from '../../../src/sandbox/vouchers/catalog.ts';
import { card } from '../cards/cards-kit.ts';
import { admin } from '../desk/desk-kit.ts';
import {
  balanceOf,
  call,
  FATIMA,
  lastOtp,
  NOBODY,
  NOON,
  sandbox,
  transfer,
  wallet,
  YOUSSEF,
} from '../kit.ts';

const PAN = '4916338506082832';

test('the log has the call, the caller, the answer and the duration', async () => {
  const ask = admin(wallet);
  await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100), { 'C-Request-Id': 'r-1' });
  await call(wallet, 'customerBalance', { phoneNumber: NOBODY });
  const [newest, first, ...more] = (await ask('GET /requests')).body;
  expect(more).toEqual([]);
  expect(first).toMatchObject({
    id: 1,
    at: NOON,
    operation: 'executeTransfer',
    method: 'POST',
    path: '/api/operations/transfer',
    requestId: 'r-1',
    body: transfer(FATIMA, YOUSSEF, 100),
    status: 200,
    answer: { data: { operationId: 1 } },
    struck: [],
    durationMs: expect.any(Number),
  });
  expect(newest).toMatchObject({
    method: 'GET',
    query: [['phoneNumber', NOBODY]],
    status: 400,
    answer: { errorCode: 20005 },
  });
  expect((await ask('GET /requests/1')).body).toEqual(first);
});

test.each([
  ['answerLost', null, { data: { operationId: 1 } }],
  ['serverErrorBefore', 500, undefined],
  ['malformedBody', 200, { data: { operationId: 1 } }],
] as const)('a request that %s has struck says so', async (name, status, answer) => {
  wallet.faults.set({ name, count: 1 });
  await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100));
  const [logged] = (await admin(wallet)('GET /requests')).body;
  expect(logged).toMatchObject({ status, struck: [name], ...(answer && { answer }) });
  expect('answer' in logged).toBe(answer !== undefined);
});

test.each([
  ['a body that is no JSON', 'POST', '/api/customers/login', '{"pin": "12', 400],
  ['an address that there is not', 'POST', '/api/operations/transfers', '{}', 404],
  ['a body that is too long', 'POST', '/api/customers/login', `"${'x'.repeat(1 << 17)}"`, 413],
])('%s is logged too', async (_, method, path, body, status) => {
  await wallet.app.request(path, { method, body, headers: { 'Svc-Api-Key': wallet.apiKey } });
  const [logged] = (await admin(wallet)('GET /requests')).body;
  expect(logged).toMatchObject({ method, path, status });
  expect(logged.body).toBeUndefined();
});

test('a wrong key is in every partner’s log, without its content', async () => {
  const wallet = sandbox({ partners: [{ apiKey: 'other-key', scopes: '*' }] });
  const wrong = { 'Svc-Api-Key': 'mistyped-key', 'C-Request-Id': 'r-1' };
  await call(wallet, 'customerBalance', { phoneNumber: FATIMA }, wrong);
  await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100), wrong);
  for (const partner of [1, 2]) {
    const { body } = await admin(wallet)(`GET /requests?partner=${partner}`);
    expect(body).toMatchObject([{ status: 401 }, { status: 401 }]);
    expect(JSON.stringify(body)).not.toMatch(/\+212|%2B212|mistyped|r-1/);
  }
});

test('no secret is stored, in any field', async () => {
  const wallet = sandbox({ settings: { settleAfterMs: 0 } });
  const secrets: string[] = ['8642', '7531', '649', PAN, '90817', 'Secr3tPass', wallet.apiKey];
  const asks = (...of: Parameters<typeof call> extends [unknown, ...infer Rest] ? Rest : never) =>
    call(wallet, ...of);
  await asks('changePin', { phoneNumber: FATIMA, oldPin: '1234', newPin: '8642' });
  await asks('loginCustomer', { phoneNumber: FATIMA, pin: '8642' });
  await asks('loginCustomer', { phoneNumber: FATIMA, Pin: 7531, pin: '7531' });
  await asks('loginCustomer', { phoneNumber: FATIMA, pin: { digits: ['7531'] } });
  await asks('resendOtp', { phoneNumber: FATIMA });
  const otp = lastOtp(wallet, FATIMA);
  secrets.push(otp);
  await asks('loginCustomer', { phoneNumber: FATIMA, pin: '8642', codeOfTheSms: otp });
  await asks('resetPin', { phoneNumber: FATIMA, otp, pin: '8642' });
  await asks('confirmCustomer', { phoneNumber: FATIMA, code: otp });
  await asks('confirmCustomer', { phoneNumber: FATIMA, code: '553311' });
  secrets.push('553311');
  await wallet.app.request(`/api/customers/status?PhoneNumber=%2B212600000001&otp=${otp}&pin=8642`, {
    headers: { 'Svc-Api-Key': wallet.apiKey },
  });
  await asks('executeCardCashIn', {
    phoneNumber: FATIMA,
    ...card(10, { pan: PAN, cvv: '649', keepAlive: true }),
  });
  await asks('executeSavedCardCashIn', { PhoneNumber: FATIMA, cardId: 1, Cvv: '649', Amount: 5 });
  await asks('executeTransfer', { ...transfer(FATIMA, YOUSSEF, 1), Reason: `card 4916-3385-0608-2832` });
  secrets.push('4916-3385-0608-2832');
  const form = [
    { nomChamp: 'codeAcces', valChamp: '90817' },
    { nomChamp: 'motDePasse', valChamp: 'Secr3tPass' },
    { nomChamp: 'inventé', valChamp: 'Secr3tPass' },
    { nomChamp: 'numContrat', valChamp: '20457813' },
  ];
  await asks('listUnpaid', {
    phoneNumber: FATIMA,
    creancierId: '1001',
    creanceId: '01',
    creancierVals: form,
  });
  const voucher = {
    customerPhoneNumber: FATIMA,
    destinationPhoneNumber: FATIMA,
    beneficiaryName: 'Fatima Zahra',
  };
  const bought = await asks('executeVoucher', {
    ...voucher,
    providerSkuId: 'SOUK-100',
    providerId: PROVIDER_ID,
  });
  secrets.push(bought.body.data.operation.code);
  await asks('customerStatus', { PhoneNumber: bought.body.data.operation.code });
  const token = await asks('startIdentification', { PhoneNumber: '+212600000008' });
  secrets.push(token.body.data.token);

  const kept = JSON.stringify((await admin(wallet)('GET /requests')).body);
  // Three or four digits stand in many numbers, so they are looked for as values of their own.
  const found = secrets.filter((secret) => new RegExp(`(?<![\\d+])${secret}(?!\\d)`).test(kept));
  expect(found).toEqual([]);
  expect(kept).toContain('20457813');
  expect(kept).toContain('••••');
  expect(bought.status).toBe(200);
});

test('agents’ codes are no secrets', async () => {
  await call(wallet, 'readRetailAgent', { code: 'RA-2001' });
  await call(wallet, 'listAgentCards', { code: 'RA-2001' });
  const [cards] = (await admin(wallet)('GET /requests')).body;
  expect(cards.query).toContainEqual(['code', 'RA-2001']);
});

test('the log is bounded, cut where a body is long, and empty after a reset', async () => {
  const ask = admin(wallet);
  for (let n = 0; n < REQUESTS_MAX + 5; n++) await call(wallet, 'customerStatus', { PhoneNumber: FATIMA });
  expect((await ask('GET /requests')).body).toHaveLength(REQUESTS_MAX);
  await call(wallet, 'executeTransfer', { ...transfer(FATIMA, YOUSSEF, 1), Reason: 'x'.repeat(9_000) });
  const [logged] = (await ask('GET /requests')).body;
  expect(logged.body.Reason).toHaveLength(1_001);
  wallet.reset();
  expect((await ask('GET /requests')).body).toEqual([]);
});

test('a file in a form is named by its type and size', async () => {
  const body = new FormData();
  body.set('kycDocuments[0].docType', '1');
  body.set('kycDocuments[0].docFront', new File(['secret face'], 'face.jpg', { type: 'image/jpeg' }));
  await wallet.app.request('/api/customers/none', { method: 'POST', body });
  const { path } = await uploadPath();
  await wallet.app.request(path, { method: 'POST', body, headers: { 'Svc-Api-Key': wallet.apiKey } });
  const [logged] = (await admin(wallet)('GET /requests')).body;
  expect(JSON.stringify(logged.body)).toContain('<file image/jpeg, 11 bytes>');
  expect(JSON.stringify(logged)).not.toContain('secret face');
  expect(logged.curl).toContain(`-F 'kycDocuments[0].docFront=@file'`);
});

async function uploadPath() {
  const { API } = await import('../../../src/wallet/contract/api.ts');
  const upload = Object.values(API).find(({ multipart }) => multipart);
  if (!upload) throw new Error('no operation takes a form');
  return {
    path: `${upload.path.replace(/\{\w+\}/g, '1')}?PhoneNumber=%2B212600000011&phoneNumber=%2B212600000011`,
  };
}

test('a request copied as curl runs in a shell and does the same again', async () => {
  const wallet = sandbox({ settings: { settleAfterMs: 0 } });
  const server = await wallet.listen(0);
  onTestFinished(server.close);
  const said = `it's "quoted" $HOME \`ls\` \\ é`;
  await call(
    wallet,
    'executeTransfer',
    { ...transfer(FATIMA, YOUSSEF, 100), Reason: said },
    { 'C-Request-Id': "o'clock" },
  );
  await call(wallet, 'loginCustomer', { phoneNumber: FATIMA, pin: '1234' });
  const { requests } = {
    requests: (await (await fetch(`${server.url}/sandbox/requests`)).json()) as { curl: string }[],
  };
  const [login, sent] = requests.map(({ curl }) => curl);
  expect(login).toContain('$API_KEY');
  expect(login).toContain('"$PIN"');
  expect(`${login}${sent}`).not.toContain(wallet.apiKey);
  const run = (command = '') => execShell(command, { API_KEY: wallet.apiKey, PIN: '1234' });
  expect(await run(login)).toContain('"logged":true');
  expect(await run(sent)).toContain('"operationId":2');
  expect(await balanceOf(wallet, YOUSSEF)).toBe(1400);
  const again = wallet.executions("o'clock");
  expect(again).toHaveLength(2);
  const [last] = (await admin(wallet)('GET /requests')).body.filter(
    ({ operation }: { operation: string }) => operation === 'executeTransfer',
  );
  expect(last.body.Reason).toBe(said);
});

test('a request is sent again from the log, unless it had a secret', async () => {
  const order = { ...transfer(FATIMA, YOUSSEF, 100), Reason: 'é' };
  await call(wallet, 'executeTransfer', order, { 'C-Request-Id': 'mine' });
  await call(wallet, 'loginCustomer', { phoneNumber: FATIMA, pin: '1234' });
  await call(wallet, 'customerBalance', { phoneNumber: FATIMA });
  const ask = admin(wallet);
  expect(await ask('POST /requests/1/again')).toMatchObject({ status: 200, body: { status: 200 } });
  expect(wallet.executions('mine')).toMatchObject([{ amount: 100_00 }, { amount: 100_00 }]);
  expect(await ask('POST /requests/2/again')).toMatchObject({ status: 409 });
  expect(await ask('POST /requests/3/again')).toMatchObject({ body: { status: 200 } });
  expect(await ask('POST /requests/99/again')).toMatchObject({ status: 404 });
  const { operation, requestId, body } = (await ask('GET /requests/4')).body;
  expect({ operation, requestId, body }).toEqual({
    operation: 'executeTransfer',
    requestId: 'mine',
    body: order,
  });
});

/** The sandbox answers in this process, so the shell must not hold it up. */
async function execShell(command: string, variables: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('sh', ['-c', command], { env: { ...process.env, ...variables } }, (error, out) =>
      error ? reject(error) : resolve(out),
    );
  });
}

test('the log is asked for by path, method, operation and status', async () => {
  await call(wallet, 'customerBalance', { phoneNumber: FATIMA });
  await call(wallet, 'customerBalance', {});
  await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 1));
  const found = async (query: string) => (await admin(wallet)(`GET /requests?${query}`)).body.length;
  expect(await found('path=/api/customers')).toBe(2);
  expect(await found('path=/api/customers/balance&status=400')).toBe(1);
  expect(await found('operation=executeTransfer')).toBe(1);
  expect(await found('method=post')).toBe(1);
  expect(await found('path=/nowhere')).toBe(0);
});

test.each(['/api', '/api/', '/api/nothing', '/api/customers'])('%s is a 404 of JSON', async (path) => {
  const said = await sandbox().app.request(path);
  expect([said.status, said.headers.get('content-type')]).toEqual([404, 'application/json']);
});

test.each([
  ['POST', '/api/operations/transfers', 'Is POST /api/operations/transfer meant?'],
  ['GET', '/api/operations/transfer/preview', 'is called with POST, not GET'],
  ['POST', '/api/bill/confirm', 'Is POST /api/bills/confirm meant?'],
  ['GET', '/api/weather', 'The Partner API has no GET /api/weather'],
])('%s %s is told what was perhaps meant', async (method, path, said) => {
  const answer = await sandbox().app.request(path, { method });
  expect((await answer.json()) as object).toMatchObject({ message: expect.stringContaining(said) });
});
