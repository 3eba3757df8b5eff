import { describe, expect, test } from 'vitest';
import { PRINCIPAL_AGENT, RETAIL_FLOAT } from '../../../src/sandbox/agents/agents.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { ErrorName } from '../../../src/wallet/contract/errors.ts';
import { ERRORS } from '../../../src/wallet/contract/errors.ts';
import { call, errorOf, sandbox, send, wallet } from '../kit.ts';

const SHOP = {
  PhoneNumber: '+212655555555',
  Name: 'Épicerie du Coin (test)',
  FirstName: 'Rachid',
  LastName: 'Amrani',
  Cin: 'BE55555',
};
const FIRST = { code: 'RA-2001', Name: 'Tabac Central (test)', PhoneNumber: '+212600000031' };
const change = (of: Sandbox, code: string, body: Record<string, unknown>, headers = {}) =>
  send(of, 'updateRetailAgent', { params: { code }, body }, headers);
const read = async (of: Sandbox, code: string) => (await call(of, 'readRetailAgent', { code })).body.data;
const list = (of: Sandbox, more: object = {}) =>
  call(of, 'listRetailAgents', { Code: PRINCIPAL_AGENT.code, ...more });

describe('retail agents', () => {
  test('there are two from the start, in the cases that v2.3 writes', async () => {
    const { body } = await list(sandbox());
    expect(body.data.count).toBe(2);
    expect(body.data.collection[0]).toEqual({
      ...FIRST,
      FirstName: 'Driss',
      LastName: 'Lahlou',
      Cin: 'BE310031',
      Address: '12, rue des Orangers, Casablanca',
      Email: null,
      Gender: null,
    });
  });

  test('one more gets the next code and float to work with', async () => {
    const { agent = 0 } = wallet.checkLedger().totals;
    const made = await call(wallet, 'createRetailAgent', { ...SHOP, Email: 'coin@example.com' });
    expect(made).toMatchObject({
      status: 200,
      body: { data: { ...SHOP, code: 'RA-2003', Email: 'coin@example.com', Address: null } },
    });
    expect(await read(wallet, 'RA-2003')).toEqual(made.body.data);
    expect(wallet.checkLedger()).toMatchObject({ balanced: true, totals: { agent: agent + RETAIL_FLOAT } });
  });

  test('the named fields of one are changed, with 204 and no body', async () => {
    const before = await read(wallet, 'RA-2001');
    const said = await change(wallet, 'RA-2001', { Name: 'Tabac du Port (test)', Gender: 'M', Email: null });
    expect(said).toMatchObject({ status: 204, body: '' });
    expect(await read(wallet, 'RA-2001')).toEqual({ ...before, Name: 'Tabac du Port (test)', Gender: 'M' });
    expect((await change(wallet, 'RA-2001', {})).status).toBe(204);
    expect((await change(wallet, 'RA-2001', { PhoneNumber: FIRST.PhoneNumber })).status).toBe(204);
  });

  test('the list has pages, and can be filtered by the time of opening', async () => {
    await wallet.clock.advance(60_000);
    await call(wallet, 'createRetailAgent', SHOP);
    const codes = async (more: object) =>
      (await list(wallet, more)).body.data.collection.map(({ code }: { code: string }) => code);
    expect(await codes({ PageSize: 2, PageNumber: 2 })).toEqual(['RA-2003']);
    expect(await codes({ From: '2026-11-20T10:00:30Z' })).toEqual(['RA-2003']);
    expect(await codes({ To: '2026-11-20T10:00:30Z' })).toEqual(['RA-2001', 'RA-2002']);
    expect((await list(wallet, { PageSize: 1 })).body.data.count).toBe(3);
  });

  test("another partner's are not found, and its codes begin anew", async () => {
    const wallet = sandbox({ partners: [{ apiKey: 'other', scopes: '*' }] });
    await call(wallet, 'createRetailAgent', SHOP);
    const other = { 'Svc-Api-Key': 'other' };
    expect(await call(wallet, 'readRetailAgent', { code: 'RA-2003' }, other)).toMatchObject(
      errorOf('retailAgentUnknown'),
    );
    const made = await call(wallet, 'createRetailAgent', SHOP, other);
    expect(made.body.data.code).toBe('RA-2003');
  });

  test.each<[string, object, ErrorName]>([
    ['without a number', { ...SHOP, PhoneNumber: undefined }, 'missingParameters'],
    ['without a trade name', { ...SHOP, Name: '' }, 'missingParameters'],
    ['without an identity', { ...SHOP, Cin: undefined }, 'missingParameters'],
    ['with a short first name', { ...SHOP, FirstName: 'R' }, 'parameterInvalid'],
    ['with a short last name', { ...SHOP, LastName: 'A' }, 'parameterInvalid'],
    ['with a short identity', { ...SHOP, Cin: 'B1' }, 'parameterInvalid'],
    ['with a national number', { ...SHOP, PhoneNumber: '0655555555' }, 'phoneInvalid'],
    ['with half an e-mail', { ...SHOP, Email: '@' }, 'parameterInvalid'],
    ["with another agent's number", { ...SHOP, PhoneNumber: FIRST.PhoneNumber }, 'agentPhoneTaken'],
  ])('one %s is refused', async (_, order, error) => {
    expect(await call(wallet, 'createRetailAgent', { ...order })).toMatchObject(errorOf(error));
    expect((await list(wallet)).body.data.count).toBe(2);
    expect(wallet.checkLedger().balanced).toBe(true);
  });

  test.each<[string, (of: Sandbox) => Promise<unknown>, ErrorName]>([
    ['a code nobody has', (of) => call(of, 'readRetailAgent', { code: 'RA-9999' }), 'retailAgentUnknown'],
    [
      "the principal agent's code",
      (of) => call(of, 'readRetailAgent', { code: 'PA-1001' }),
      'retailAgentUnknown',
    ],
    ['a list without a code', (of) => call(of, 'listRetailAgents', {}), 'missingParameters'],
    ['the list of a retail agent', (of) => call(of, 'listRetailAgents', { Code: 'RA-2001' }), 'agentUnknown'],
    ['a page that is none', (of) => list(of, { PageSize: 0 }), 'parameterInvalid'],
    [
      'a retail agent as principal',
      (of) => call(of, 'readPrincipalAgent', { code: 'RA-2001' }),
      'agentUnknown',
    ],
  ])('refused: %s', async (_, ask, error) => {
    expect(await ask(sandbox())).toMatchObject(errorOf(error));
  });
});

describe('a refused change comes as problem details', () => {
  const problemOf = (name: ErrorName) => ({
    status: 400,
    body: {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      errorCode: ERRORS[name].code,
      detail: expect.stringContaining(ERRORS[name].means),
    },
  });

  test.each<[string, string, object, ErrorName]>([
    ['a code nobody has', 'RA-9999', {}, 'retailAgentUnknown'],
    ['a short first name', 'RA-2001', { FirstName: 'D' }, 'parameterInvalid'],
    ['a number of another form', 'RA-2001', { PhoneNumber: '06' }, 'phoneInvalid'],
    ["another agent's number", 'RA-2001', { PhoneNumber: '+212600000032' }, 'agentPhoneTaken'],
  ])('%s', async (_, code, body, error) => {
    const before = await read(wallet, 'RA-2001');
    const said = await change(wallet, code, { ...body });
    expect(said).toMatchObject(problemOf(error));
    expect(said.headers.get('content-type')).toBe('application/problem+json');
    expect(await read(wallet, 'RA-2001')).toEqual(before);
  });

  test('also for an unknown key', async () => {
    const said = await change(sandbox(), 'RA-2001', {}, { 'Svc-Api-Key': 'nobody' });
    expect(said).toMatchObject({ status: 401, body: { title: 'Unauthorized', status: 401 } });
    expect(said.headers.get('content-type')).toBe('application/problem+json');
  });
});

test('the principal agent has an account, and its payments leave it', async () => {
  const account = async () => (await call(wallet, 'readPrincipalAgent', { code: 'PA-1001' })).body.data;
  expect(await account()).toMatchObject({
    agent: { code: 'PA-1001', name: PRINCIPAL_AGENT.name },
    account: { balance: 100_000, accountLevel: 4, rib: expect.stringMatching(/^\d{24}$/) },
  });
  await call(wallet, 'executeTopUpB2b', {
    recipientPhoneNumber: '+212611111111',
    amount: 50,
    operator: 1,
    rechargeType: 0,
    code: 'PA-1001',
  });
  expect((await account()).account.balance).toBe(99_950);
  expect(wallet.checkLedger().balanced).toBe(true);
});

test('a retail agent cannot stand in for the principal one', async () => {
  const order = { recipientPhoneNumber: '+212611111111', amount: 50, operator: 1, rechargeType: 0 };
  const said = await call(sandbox(), 'executeTopUpB2b', { ...order, code: 'RA-2001' });
  expect(said).toMatchObject(errorOf('agentUnknown'));
});
