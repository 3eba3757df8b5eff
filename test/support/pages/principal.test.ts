import { expect, test } from 'vitest';
import type {
  Acted,
  Agent,
  AgentProposal,
  BoundNumber,
  FloatLoad,
  Principal,
} from '../../../src/conversation/desk/desk.ts';
import type { Answer } from '../../../src/wallet/answer.ts';
import { centimes } from '../../../src/wallet/money.ts';
import { type Msisdn, msisdn, nationalNumber } from '../../../src/wallet/phone.ts';
import { FATIMA, NOW, YOUSSEF } from '../records.ts';
import { CALL, LOST, OTHER, PRINCIPAL } from './fixtures.ts';
import { GONE, theConsole } from './stage.ts';

const { stage, as } = theConsole();

test('only administrators load the float and change retail agents, and nobody changes their numbers', async () => {
  const boss = as('boss', 'admin');
  expect(await boss.text('/principal')).toContain('PRINCIPAL_AGENT');
  expect((await boss.post('/principal/load', { amount: '500' })).status).toBe(404);
  let answer: Answer<never> | undefined;
  const asked = async <T>(what: string, value: T): Promise<Answer<T>> => {
    stage.done.push(what);
    return answer ?? { kind: 'ok', value };
  };
  const tabac = { code: 'RA-1', name: '<b>Tabac</b>', phone: FATIMA };
  stage.principal = {
    ...PRINCIPAL,
    account: () => asked('account', { code: 'PA-1', balance: centimes(100_000_00) }),
    agents: (page) => asked(`agents ${page}`, { entries: [tabac], count: 21 }),
    change: (code, to) => asked(`change ${code} ${JSON.stringify(to)}`, true as const),
    load: (amount) => asked(`load ${amount}`, { reference: 'BILLREF-7', amount, status: 1, madeAt: NOW }),
  };
  const page = await boss.text('/principal');
  expect(page).toContain('MAD\u00a0100,000.00');
  expect(page).toContain('&lt;b&gt;Tabac');
  expect(page).toContain('?page=2');
  stage.done = [];
  expect(await (await boss.post('/principal/load', { amount: '500' })).text()).toContain('BILLREF-7');
  await boss.post('/principal/agents/RA-1', { address: 'Rabat', name: '', phone: '0612345678' });
  expect(stage.done.filter((each) => !/^(account|agents|audit boss seePrincipal)/.test(each))).toEqual([
    'audit boss loadFloat PA-1 500',
    'load 50000',
    'audit boss changeAgent PA-1 RA-1',
    'change RA-1 {"address":"Rabat"}',
  ]);
  stage.done = [];
  for (const [path, fields] of [
    ['load', { amount: '1.500' }],
    ['agents/RA-1', { phone: '0612345678' }],
    ['agents/RA-1', {}],
  ] as const)
    expect((await boss.post(`/principal/${path}`, fields)).status).toBe(400);
  expect(stage.done.filter((each) => !/^(account|agents)/.test(each))).toEqual([]);
  answer = { kind: 'unknown', why: 'timeout' };
  expect((await boss.post('/principal/agents/RA-1', { name: 'Tabac' })).status).toBe(400);
  expect(await boss.text('/principal')).not.toContain('100000.00');
});

test('two administrators together open a retail agent or give it a number', async () => {
  const [nadia, salma, omar] = [as('nadia', 'admin'), as('salma', 'admin'), as('omar', 'admin')];
  const why = 'opens in Rabat';
  const whole = {
    ...{ phone: '0612345678', name: '<b>Kiosque', firstName: 'Amal', lastName: 'Sefrioui' },
    ...{ cin: 'CD32', why },
  };
  const { why: _said, ...open } = { ...whole, phone: msisdn(whole.phone) };
  let waiting: AgentProposal[] = [{ at: NOW, by: 'nadia', reason: '<b>opens', wish: { open } }];
  let answer: Awaited<ReturnType<Principal['approveAgent']>> = { kind: 'ok', value: { code: 'RA-9' } };
  const act = (what: string): Acted => {
    stage.done.push(what);
    return stage.acted;
  };
  stage.principal = {
    ...PRINCIPAL,
    proposedAgents: async () => waiting,
    proposeAgent: async (wish, by, reason) => act(`propose ${by.id} ${JSON.stringify(wish)} ${reason}`),
    takeUpAgent: async (at, by, reason) => act(`take up ${by.id} ${at} ${reason}`),
    withdrawAgent: async (at) => act(`withdraw ${at}`),
    approveAgent: async (at, by) => {
      stage.done.push(`approve ${by.id} ${at}`);
      return answer;
    },
  };
  const [own, others] = [await nadia.text('/principal'), await omar.text('/principal')];
  expect([own, others].map((page) => page.includes('/proposals/approve'))).toEqual([false, true]);
  for (const seen of ['&lt;b&gt;Kiosque', '&lt;b&gt;opens', '0612345678', 'Amal Sefrioui'])
    expect(others, 'two people compare what is to be').toContain(seen);
  expect(others).not.toContain('CD32');
  stage.done = [];
  const told = async (by: typeof nadia, path: string, fields: Record<string, string>) =>
    by.said(`/principal/${path}`, fields);
  // Bad inputs: nothing is proposed, and nothing is in the audit.
  for (const field of ['phone', 'name', 'firstName', 'lastName', 'cin'] as const)
    expect((await nadia.post('/principal/agents', { ...whole, [field]: '' })).status).toBe(400);
  expect(await told(nadia, 'agents', { ...whole, why: 'x' })).toBe('noReason');
  expect(await told(nadia, 'agents/RA-1/number', { phone: '12', why })).toBe('noNumber');
  expect(await told(nadia, 'agents/RA-1/number', { phone: whole.phone, why: '' })).toBe('noReason');
  expect(stage.done).toEqual([]);
  expect(await told(nadia, 'agents', whole)).toBe('done');
  expect(await told(nadia, 'agents/RA-1/number', { phone: whole.phone, why })).toBe('done');
  const at = `${NOW}`;
  // In a browser of their own, by another account of theirs, and what nobody has read.
  expect(await told(nadia, 'proposals/approve', { at })).toBe('sameAgent');
  expect(await told(salma, 'proposals/approve', { at })).toBe('sameAgent');
  expect(await told(omar, 'proposals/approve', { at: `${NOW - 1}` })).toBe('notNow');
  expect(await told(omar, 'proposals/approve', {})).toBe('notNow');
  expect(stage.done.filter((each) => each.startsWith('approve'))).toEqual([]);
  expect(await (await omar.post('/principal/proposals/approve', { at })).text()).toContain('RA-9');
  for (const [said, words] of [
    [{ kind: 'refused', code: '90141', description: '' }, '90141'],
    [LOST, 'did not answer'],
  ] as const) {
    answer = said;
    const refused = await omar.post('/principal/proposals/approve', { at });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(words)]);
  }
  answer = 'notNow';
  expect(await told(omar, 'proposals/approve', { at }), 'another one was faster').toBe('notNow');
  waiting = [{ at: NOW, by: GONE, reason: why, wish: { code: 'RA-1', phone: FATIMA } }];
  expect(await told(omar, 'proposals/approve', { at })).toBe('proposerGone');
  expect(await told(omar, 'proposals/withdraw', { at })).toBe('done');
  // A number asked in its chat. One administrator proposes it and another one approves.
  waiting = [{ at: NOW, from: FATIMA, reason: '', wish: { code: 'RA-1', phone: FATIMA } }];
  expect(await omar.text('/principal')).toContain('asked for it in its chat');
  expect(await told(omar, 'proposals/approve', { at })).toBe('notNow');
  expect(await told(omar, 'proposals/take-up', { at, why: 'x' })).toBe('noReason');
  expect(await told(omar, 'proposals/take-up', { at, why })).toBe('done');
  expect(stage.done.filter((each) => !/^audit omar approveAgent|^approve/.test(each))).toEqual([
    `audit nadia proposeAgent PA-1 <b>Kiosque: ${why}`,
    `propose nadia ${JSON.stringify({ open })} ${why}`,
    `audit nadia proposeAgent PA-1 RA-1: ${why}`,
    `propose nadia ${JSON.stringify({ code: 'RA-1', phone: open.phone })} ${why}`,
    'audit nadia approveAgent PA-1 <b>Kiosque',
    'audit salma approveAgent PA-1 <b>Kiosque',
    'audit omar withdrawAgent PA-1 RA-1',
    `withdraw ${NOW}`,
    `audit omar proposeAgent PA-1 RA-1: ${why}`,
    `take up omar ${NOW} ${why}`,
  ]);
});

test('two administrators together bind a number to the principal agent', async () => {
  const [nadia, salma, omar] = [as('nadia', 'admin'), as('salma', 'admin'), as('omar', 'admin')];
  const why = 'pays the salaries';
  let known: BoundNumber = { phone: FATIMA, proposal: { by: 'nadia', at: NOW, reason: '<b>pays' } };
  const act = (name: string) => async (phone: Msisdn, _by: Agent, what?: string | number) => {
    stage.done.push([name, phone, what].join(' ').trim());
    return stage.acted;
  };
  stage.principal = {
    ...PRINCIPAL,
    numbers: async () => [known],
    proposeBinding: act('bind'),
    proposeUnbinding: act('unbind'),
    approveBinding: act('approve'),
    withdrawBinding: act('withdraw'),
  };
  const phone = FATIMA;
  const [own, others] = [await nadia.text('/principal'), await omar.text('/principal')];
  expect([own, others].map((page) => page.includes('/numbers/approve'))).toEqual([false, true]);
  expect(others).toContain('&lt;b&gt;pays');
  expect(others, 'two people compare the whole number').toContain(nationalNumber(FATIMA));
  stage.done = [];
  const told = async (by: typeof nadia, path: string, fields: Record<string, string>) =>
    by.said(`/principal/numbers/${path}`, fields);
  expect(await told(nadia, 'bind', { phone: '12', why })).toBe('noNumber');
  expect(await told(nadia, 'bind', { phone, why: 'x' })).toBe('noReason');
  expect(stage.done).toEqual([]);
  expect(await told(nadia, 'bind', { phone: nationalNumber(phone), why })).toBe('done');
  // `nadia` has made the account `salma`.
  expect(await told(salma, 'approve', { phone, at: `${NOW}` })).toBe('sameAgent');
  expect(await told(omar, 'approve', { phone, at: `${NOW}` })).toBe('done');
  known = { phone, bound: { at: NOW, by: 'nadia', approvedBy: 'omar' } };
  expect(await omar.text('/principal')).toContain('/numbers/unbind');
  expect(await told(omar, 'unbind', { phone, why })).toBe('done');
  expect(await told(nadia, 'withdraw', { phone })).toBe('done');
  expect(stage.done).toEqual([
    `audit nadia proposeBinding PA-1 ${why}`,
    `bind ${phone} ${why}`,
    'audit salma approveBinding PA-1',
    'audit omar approveBinding PA-1',
    `approve ${phone} ${NOW}`,
    `audit omar proposeUnbinding PA-1 ${why}`,
    `unbind ${phone} ${why}`,
    'audit nadia withdrawBinding PA-1',
    `withdraw ${phone}`,
  ]);
});

test('administrators load the float by card, and rename and delete its saved cards', async () => {
  const boss = as('boss', 'admin');
  expect((await boss.get('/principal/card')).status).toBe(404);
  const LOAD = OTHER;
  const load: FloatLoad = {
    ...{ id: LOAD, amount: centimes(50_000), fees: centimes(500), phone: FATIMA, by: '<b>boss', at: NOW },
    ...{ state: 'open', refused: 1, page: 'https://wasl.test/form/pay/x' },
  };
  const twin: FloatLoad = { ...load, id: CALL, state: 'used', payment: { id: CALL, state: 'accepted' } };
  let answer: Answer<never> | undefined;
  let isBound = true;
  const asked = async <T>(what: string, value: T): Promise<Answer<T>> => {
    stage.done.push(what);
    return answer ?? { kind: 'ok', value };
  };
  const bound = { at: NOW, by: 'nadia', approvedBy: 'omar' };
  stage.principal = {
    ...PRINCIPAL,
    numbers: async () => (isBound ? [{ phone: FATIMA, bound }, { phone: YOUSSEF }] : []),
    cardLoads: async () => [load, twin],
    cardLoad: async (id) =>
      id === 'declined'
        ? { ...twin, payment: { id: CALL, state: 'accepted', saidDeclined: true } }
        : [load, twin].find((each) => each.id === id),
    beginCardLoad: ({ amount, phone }) =>
      phone === YOUSSEF
        ? Promise.resolve({ kind: 'notBound' })
        : asked(`begin ${amount} ${phone}`, { id: LOAD }),
    cards: async () => ({ kind: 'ok', value: [{ id: 7, last4: '4242', name: '<i>Caisse' }] }),
    renameCard: (id, name) => asked(`rename ${id} ${name}`, true as const),
    deleteCard: (id) => asked(`delete ${id}`, true as const),
  };
  const page = await boss.text('/principal/card');
  expect(page).toContain('&lt;i&gt;Caisse');
  expect(page, 'only who acts for the agent hears of it').not.toContain(nationalNumber(YOUSSEF));
  const one = await boss.text(`/principal/card?load=${LOAD}`);
  for (const said of ['MAD\u00a0505.00', load.page ?? '', '&lt;b&gt;boss', 'Another load of the same amount'])
    expect(one).toContain(said);
  expect(await boss.text(`/principal/card?load=${CALL}`)).toContain('Waiting for the bank');
  expect(await boss.text('/principal/card?load=declined')).toContain('which proves nothing');
  expect((await boss.get('/principal/card?load=x')).status).toBe(404);
  stage.done = [];
  const why = 'avance des salaires';
  const begins = async (fields: Readonly<Record<string, string>>) => {
    const response = await boss.post('/principal/card', { amount: '500', phone: FATIMA, why, ...fields });
    return response.headers.get('location') ?? String(response.status);
  };
  expect(await begins({})).toBe(`/support/principal/card?load=${LOAD}`);
  expect(await begins({ why: '' })).toMatch(/said=noReason$/);
  expect(await begins({ phone: '' })).toMatch(/said=noNumber$/);
  expect(await begins({ amount: '-5' })).toBe('400');
  expect(await begins({ amount: '1.500' })).toBe('400');
  expect(await begins({ phone: YOUSSEF })).toMatch(/said=noNumber$/);
  await boss.post('/principal/cards/7/rename', { name: 'Siège' });
  expect((await boss.post('/principal/cards/7/rename', { name: ' ' })).status).toBe(400);
  expect((await boss.post('/principal/cards/x/delete')).status).toBe(404);
  await boss.post('/principal/cards/7/delete');
  expect(stage.done).toEqual([
    `audit boss loadFloatByCard PA-1 500: ${why}`,
    `begin 50000 ${FATIMA}`,
    `audit boss loadFloatByCard PA-1 500: ${why}`,
    'audit boss renameAgentCard PA-1 card 7',
    'rename 7 Siège',
    'audit boss deleteAgentCard PA-1 card 7',
    'delete 7',
  ]);
  answer = { kind: 'refused', code: '90011', description: '' };
  expect(await (await boss.post('/principal/card', { amount: '500', phone: FATIMA, why })).text()).toContain(
    '90011',
  );
  isBound = false;
  expect(await boss.text('/principal/card')).toContain('Add a number of the principal agent');
  stage.principal = { ...stage.principal, takesCards: false };
  expect(await boss.text('/principal/card')).toContain('not available');
});
