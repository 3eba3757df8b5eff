import type { Filled, HelpOffer, Start, Stopped } from '../../machines/kit/conversation.ts';
import type { CardPaymentEntry, NumberedReference } from '../../machines/kit/effects.ts';
import type { MachineEvent } from '../../machines/kit/input.ts';
import type { Sentence } from '../../machines/kit/screen.ts';
import type { Sealed } from '../../machines/kit/secret.ts';
import {
  answer,
  begin,
  type Conversation,
  fire,
  type Invoked,
  lose,
  MACHINES,
  type Step,
  screenOf,
  tell,
} from '../../src/conversation/chart/machines.ts';
import { effectNamed } from '../../src/conversation/effects/table.ts';
import { FROZEN, PIN_FIRST } from '../../src/conversation/session/safety.ts';
import type { Session } from '../../src/conversation/session/session.ts';
import type { Quote } from '../../src/payments/quote.ts';
import { codeContent } from '../../src/sandbox/merchant/codes.ts';
import { ribWith } from '../../src/sandbox/transfers/rib.ts';
import { EXPIRED_CODE } from '../../src/wallet/contract/errors.ts';
import type { CardProgram, CardTransaction, IssuedCard } from '../../src/wallet/issued-cards.ts';
import { centimes } from '../../src/wallet/money.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { type Rib, ribIn } from '../../src/wallet/rib.ts';
import type { BillField, BillItem, BillPayment, TopUp, VoucherArticle } from '../../src/wallet/services.ts';
import type { Operation, Profile } from '../../src/wallet/wallet.ts';

/** When all of these documents were stored. */
export const STORED_AT = Date.UTC(2026, 10, 1, 9);
export const WALLET = msisdn('+212600000001');
const STEPS_MAX = 3_000;

const CONTRACT = {
  creditor: { id: '1001', name: 'Eau' },
  receivable: { id: '01', name: 'Eau' },
  answers: [{ name: 'contract', value: '4711' }],
};

/** Answers that a wallet could give to every call, enough to find every state. */
const QUOTE: Quote = {
  fees: centimes(200),
  total: centimes(20_200),
  openLoop: false,
  at: STORED_AT,
  alike: [],
};
const OK = { kind: 'ok', value: true };
const CODES = [
  '26001',
  '20017',
  '90013',
  '90010',
  '20009',
  '20006',
  '26004',
  'http403',
  'bill107',
  '90026',
  EXPIRED_CODE,
];
const REFUSED = CODES.map((code) => ({
  kind: 'refused',
  code,
  description: '',
}));
const UNKNOWN = { kind: 'unknown', why: 'timeout' };
const OVER_LEVEL = { kind: 'refused', code: '90011', description: '' };
const ok = (...values: unknown[]) => values.map((value) => ({ kind: 'ok', value }));
const OPERATION: Operation = {
  id: 42,
  type: 25,
  status: 2,
  direction: 2,
  amount: centimes(20_000),
  fees: centimes(200),
  total: centimes(20_200),
  at: STORED_AT - 60_000,
  sender: WALLET,
  receiver: '1001',
};
const RECEIVED: Operation = {
  ...OPERATION,
  type: 5,
  direction: 1,
  sender: '+212612345678',
  receiver: WALLET,
};
const BILL: BillItem = {
  id: '1',
  description: 'Juin',
  date: '01/06/2026',
  amount: centimes(10_000),
  type: 0,
};
const FORM: readonly BillField[] = [
  { kind: 'text', name: 'contrat', label: 'Contrat', format: 'N', options: [], required: true },
  { kind: 'text', name: 'police', label: 'Police', options: [], required: false },
  { kind: 'password', name: 'code', label: 'Code', options: [], required: true },
];
const TOP_UP: TopUp = {
  id: 41,
  at: STORED_AT - 60_000,
  amount: centimes(5_000),
  operator: 1,
  to: '+212612345678',
  status: 2,
};
const PAYMENT: BillPayment = {
  operationId: 42,
  creditor: 'Eau',
  amount: centimes(10_000),
  status: 'CONFIRME',
  at: STORED_AT - 60_000,
};
const ARTICLE: VoucherArticle = {
  sku: 'L100',
  providerId: 1,
  brandId: 1,
  name: 'Livres 100',
  price: centimes(10_000),
};
const PROFILE: Profile = {
  fullName: 'Salma Idrissi',
  phone: WALLET,
  balance: centimes(12_345),
  level: 2,
  status: 3,
};
/** A code on a counter, and a code for one payment. */
const STATIC_CODE = codeContent({
  merchant: '+212600000011',
  name: 'Café Atlas',
  reference: 'R1',
  amount: undefined,
  masked: false,
});
const CODE_FOR_ONE = codeContent({
  merchant: '+212600000011',
  name: 'Café Atlas',
  reference: 'R2',
  amount: centimes(4_500),
  masked: true,
});
const PROGRAM: CardProgram = { id: 1, name: 'Carte Zellige', kind: 'physical' };
const CARD: IssuedCard = {
  id: 7,
  state: 'issued',
  last4: '8189',
  programId: 1,
  delivery: 'preparing',
  services: { allowAtm: true, allowOnline: true, allowPos: true, contactlessEnabled: false },
};
const CARD_PAYMENT: CardTransaction = {
  amount: centimes(7_990),
  at: STORED_AT - 60_000,
  merchant: 'Librairie',
  declined: false,
};
const REFERENCES: readonly NumberedReference[] = (['cash-out', 'cash-in'] as const).map((kind) => ({
  id: kind,
  kind,
  amount: centimes(20_000),
  at: STORED_AT - 60_000,
  state: 'open',
  number: kind === 'cash-in' ? { code: '936100000001' } : { sealed: 'sealed' as Sealed },
}));
/** A card payment of a merchant. */
const RESERVED: CardPaymentEntry = {
  ...{ id: 'a', operationId: 42, orderId: 'O1', trackId: 'T1', amount: centimes(8_000) },
  ...{ at: STORED_AT - 60_000, state: 'reserved' },
};
const MAMAN = { id: 7, name: 'Maman', phoneNumber: '+212612345678', rib: ribWith('007780', 1) };
/** References at an agent's counter. */
const FOUND = (['cash-in', 'cash-out'] as const).map((kind) => ({
  kind,
  number: kind === 'cash-in' ? { code: '936100000001' } : { sealed: 'sealed' as Sealed },
  amount: centimes(20_000),
  status: 1,
  madeAt: STORED_AT - 60_000,
  customer: msisdn('+212612345678'),
}));
/** References that an agent gets, one of each sort. */
const GIVEN = [
  ...ok(...FOUND),
  { kind: 'number', phone: '+212612345678' },
  { kind: 'either', phone: '+212612345678', found: FOUND[0] },
  { kind: 'billNetwork' },
];
const ANSWERS: Readonly<Record<string, readonly unknown[]>> = {
  readStatus: [
    ...[0, 1, 2, 3, 4, 5].map((status) => ({ kind: 'ok', value: { status } })),
    ...ok({ status: 3, merchant: { is: false, until: STORED_AT } }),
    ...ok({ status: 3, agent: { code: 'RA-2001', name: 'Tabac', until: STORED_AT } }),
  ],
  becomeAgent: [
    ...ok({ code: 'RA-2001', name: 'Tabac' }),
    ...(['notYours', 'tooMany', 'stopped'] as const).map((kind) => ({ kind })),
  ],
  readAgent: ok({ code: 'RA-2001', name: 'Tabac' }),
  readCash: GIVEN,
  findCash: GIVEN,
  requestDeposit: [...ok(FOUND[0]), { kind: 'tooMany' }],
  readAgentDay: ok({
    since: STORED_AT,
    by: 'wasl',
    deposits: { count: 1, total: 20_000 },
    withdrawals: { count: 0, total: 0 },
    page: [{ kind: 'cash-in', amount: 20_000, at: STORED_AT, state: 'done' }],
    isLast: false,
  }),
  readPayouts: ok({
    takesFiles: true,
    after: undefined,
    hasMore: true,
    float: centimes(12_345),
    files: (['ready', 'stopped', 'running'] as const).map((state) => ({
      ...{ id: state, fileName: 'salaires.csv', at: STORED_AT, state, count: 2, refused: 1, next: 0 },
      ...{ sum: centimes(20_000), fees: centimes(200), payable: { count: 1, sum: centimes(10_000) } },
      ...(state !== 'running' && { needs: centimes(12_345) }),
      ...(state === 'stopped' && { why: 'float' }),
    })),
  }),
  givePayouts: [
    ...ok({
      ...{
        id: 'given',
        fileName: 'salaires',
        at: STORED_AT,
        state: 'checking',
        count: 2,
        refused: 0,
        next: 0,
      },
      ...{ sum: centimes(20_000), fees: centimes(0), payable: { count: 2, sum: centimes(20_000) } },
      notBy: 'giver',
    }),
    { kind: 'wrong', wrong: [{ line: 2, why: 'amount' }] },
    ...(['none', 'twice', 'tooMany'] as const).map((kind) => ({ kind })),
  ],
  releasePayouts: [
    ...ok({
      ...{
        id: 'ready',
        fileName: 'salaires.csv',
        at: STORED_AT,
        state: 'running',
        count: 2,
        refused: 1,
        next: 0,
      },
      ...{ sum: centimes(20_000), fees: centimes(200), payable: { count: 1, sum: centimes(10_000) } },
    }),
    { kind: 'own' },
    { kind: 'notNow' },
  ],
  readFloat: ok({ code: 'PA-1001', balance: centimes(12_345) }, { code: 'PA-1001', balance: centimes(0) }),
  requestFloat: [
    ...ok({ reference: 'BILLREF-7', amount: centimes(20_000), status: 1, madeAt: STORED_AT }),
    { kind: 'tooMany' },
  ],
  readRetailAgents: ok({ agents: [{ code: 'RA-2001', name: 'Tabac' }], isLast: true }),
  askForRetailAgent: [{ kind: 'ok' }, { kind: 'tooMany' }, { kind: 'inVain', why: 'waits' }],
  readBalance: ok(12_345, 0),
  readCashDesk: ok({
    ways: ['agents', 'bill-network'],
    limit: centimes(400_000),
    open: REFERENCES,
    hints: {},
  }),
  previewWithdrawal: [...ok({ asks: [] }, { asks: ['unusual'] }), { ...FROZEN, code: '90010' }, FROZEN],
  requestReference: [
    ...ok(...REFERENCES),
    { kind: 'tooMany' },
    FROZEN,
    OVER_LEVEL,
    { kind: 'unknown', why: 'timeout', isHeld: true },
  ],
  readReferences: ok(REFERENCES, []),
  readReference: ok(...REFERENCES.map((reference) => ({ ...reference, hints: { hours: 48 } }))),
  preview: [
    ...ok(
      QUOTE,
      { ...QUOTE, alike: [{ id: '11', at: STORED_AT - 60_000 }] },
      { ...QUOTE, asks: ['newRecipient'] },
      { ...QUOTE, asks: ['unusual'] },
      { ...QUOTE, openLoop: true, recipientName: 'Youssef Benali' },
    ),
    { kind: 'busy' },
    FROZEN,
    PIN_FIRST,
    OVER_LEVEL,
    { ...FROZEN, code: 'newPin', until: STORED_AT, above: 100_000 },
  ],
  freeze: ok({ at: STORED_AT }),
  thaw: ok({ until: STORED_AT + 86_400_000, above: 100_000 }),
  lookAgain: [{ kind: 'ok', value: { before: [11, 12], alike: [] } }, OVER_LEVEL],
  closeCase: [{ kind: 'ok', rates: 'c-2345678' }, { kind: 'ok' }, { kind: 'none' }],
  sendLinkCode: [{ kind: 'sent' }, { kind: 'noSms' }, { kind: 'tooMany' }],
  checkLinkCode: [{ kind: 'right' }, { kind: 'wrong' }, { kind: 'expired' }],
  showLinkCode: [...ok('sealed'), { kind: 'tooMany' }],
  register: [OK, { kind: 'tooMany' }],
  resendOtp: [OK, { kind: 'tooMany' }],
  createPin: [OK, { kind: 'differ' }],
  login: [OK, { kind: 'tooMany' }, { kind: 'unchecked' }],
  changePin: [
    ...ok({ until: STORED_AT + 86_400_000, above: 100_000 }),
    { kind: 'differ' },
    { kind: 'same' },
    { kind: 'expired' },
    { kind: 'tooMany' },
  ],
  sendResetCode: [OK, { kind: 'tooMany' }],
  resetPin: [
    ...ok({ until: STORED_AT + 86_400_000, above: 100_000 }),
    { kind: 'refused', code: '90003', description: '' },
    { kind: 'differ' },
    { kind: 'expired' },
    { kind: 'tooMany' },
  ],
  readProfile: ok(PROFILE),
  readOperations: ok({ operations: [OPERATION], isLast: false }, { operations: [], isLast: true }),
  readTakings: ok(
    { count: 2, total: 6_550, givenBack: 2_000 },
    { count: 0, total: 0, givenBack: 0, moreThan: 500 },
  ),
  readDocuments: ok(
    { takesFiles: true, client: 'company', sent: [{ document: 'PASSPORT', at: STORED_AT }] },
    { takesFiles: true, sent: [] },
    { takesFiles: false, sent: [] },
  ),
  sendDocument: [
    ...ok(
      { client: 'company', document: 'PASSPORT', at: STORED_AT },
      { client: 'company', document: 'PASSPORT', at: STORED_AT, inChat: 'erased' },
    ),
    { kind: 'none' },
    { kind: 'unfit', side: 0, why: 'otherType' },
    { kind: 'unfit', side: 1, why: 'gone' },
    { kind: 'tooMany' },
  ],
  readCardPayments: ok([RESERVED, { ...RESERVED, id: 'b', state: 'captured' }], []),
  createCardLink: [
    ...ok({ link: 'https://wasl.test/form/pay/a', amount: 8_000, fees: 0 }),
    { kind: 'tooMany' },
    FROZEN,
  ],
  readPayments: ok(
    { payments: [RECEIVED, { ...RECEIVED, id: RECEIVED.id + 1, givenBack: centimes(100) }], isLast: false },
    { payments: [], isLast: true },
  ),
  readBeneficiaries: ok(
    { entries: [MAMAN, { id: 8, name: 'Salma', phoneNumber: '+212612345678' }], isAll: false },
    { entries: [], isAll: true },
  ),
  readRecipients: ok(
    [
      { kind: 'transfer', to: '+212655000021' },
      { kind: 'merchant-payment', to: '+212655000022' },
      { kind: 'bank-transfer', rib: ribWith('007780', 1), holder: 'Karim' },
    ],
    [],
  ),
  saveBeneficiary: [...ok(MAMAN), { kind: 'same' }],
  changeBeneficiary: ok(MAMAN),
  deleteBeneficiary: ok(true),
  readBank: ok({ bank: 'Banque' }, {}),
  readTopUps: ok([TOP_UP], []),
  readTopUpProducts: ok([{ code: 1, name: '*3' }], []),
  readContracts: ok([CONTRACT]),
  readCreditors: ok([{ id: '1001', name: 'Eau' }]),
  readReceivables: ok(
    [
      { id: '01', name: 'Factures' },
      { id: '02', name: 'Travaux' },
    ],
    [{ id: '01', name: 'Factures' }],
  ),
  readBillForm: ok(FORM),
  readUnpaid: ok(
    { reference: '123456789012', items: [BILL, { ...BILL, id: '2' }], shown: [], params: [] },
    { reference: '', items: [], shown: [], params: [] },
  ),
  readBillPayments: ok({ entries: [PAYMENT], count: 1 }),
  readBrands: ok({ entries: [{ id: 1, name: 'Livres' }], count: 1 }),
  readArticles: ok({ entries: [ARTICLE], count: 1 }),
  readVouchers: ok([{ id: 'p1', brand: 'Kitab Plus', article: 'Kitab Plus 50 DH', at: STORED_AT }], []),
  readLastPayment: [
    { kind: 'ok' },
    {
      kind: 'ok',
      payment: {
        called: {
          key: 'transfer.called',
          values: { amount: { money: centimes(20_000) }, to: { phone: '+212655000021' } },
        },
        reference: '1234',
      },
    },
  ],
  readVoucherCode: [{ kind: 'ok', value: 'sealed' as Sealed }, ...REFUSED.slice(0, 1)],
  readSavedCards: ok([{ id: 1, last4: '4242', scheme: 'VISA' }], []),
  deleteSavedCard: ok(true),
  readStaticQr: ok({ content: STATIC_CODE, reference: 'R1' }),
  readLevel: ok({ level: 1, isMerchant: false }, { level: 4, isMerchant: true }),
  sendIdentityLink: [{ kind: 'sent' }, { kind: 'tooMany' }, { kind: 'later' }],
  readCards: ok(
    { programs: [PROGRAM], applications: [{ id: 3, programId: 1, state: 'pending' }], cards: [CARD] },
    { programs: [PROGRAM], applications: [{ id: 4, programId: 1, state: 'pending' }], cards: [] },
    { programs: [], applications: [], cards: [] },
  ),
  readOwnCards: ok([CARD, { ...CARD, id: 8 }], [CARD], []),
  readCard: ok({ ...CARD, state: 'suspended' }, { ...CARD, state: 'blocked' }, CARD),
  readCardTransactions: ok({ transactions: [CARD_PAYMENT], isLast: false }),
  applyForCard: ok({ id: 4, programId: 1, state: 'pending' }),
  createQr: ok({ content: CODE_FOR_ONE, reference: 'R2' }),
  pay: [
    { kind: 'accepted' },
    { kind: 'unknown' },
    { kind: 'settled', outcome: 'succeeded', reference: '42' },
    { kind: 'unsent' },
    { kind: 'rejected', failure: { kind: 'refused', code: '90010', description: '' } },
  ],
};
const TEXTS = ['0612345678', '15/10/2026', ribWith('007780', 1), '200', 'Salma', 'AB123456'];

/** Every state of a machine in which a session can be stored, each once. */
export function storableStates(machine: string): Map<string, Session> {
  const stored = new Map<string, Session>();
  for (const step of walk(machine).filter(isStorable))
    if (!stored.has(placeOf(stored, step))) stored.set(placeOf(stored, step), sessionOf(step));
  return stored;
}

/** A session of every screen that a machine can stop at: a state may have several, such as a PIN before and after the quote. */
export function storableScreens(machine: string): Session[] {
  return walk(machine).filter(isStorable).map(sessionOf);
}

/** Sends every input to the machine, from its beginning on, until no new screen comes up. */
function walk(machine: string): Step[] {
  const seen = new Map<string, Step>();
  const queue = attempts(starts().map((start) => () => begin(machine, start, STORED_AT)));
  for (let steps = 0; queue.length > 0 && steps < STEPS_MAX; steps++) {
    const step = queue.shift() as Step;
    const { conversation, invoked } = step;
    // A form asks all of its questions in one state. A PIN is for one change of a card or none. A payment by code is kept so.
    // another reference than the one that is just like it goes another way, and so does a chat.
    const {
      at = '',
      qr,
      change,
      another,
      isChat,
      agent,
      what = '',
      wanted = '',
      stopped,
    } = conversation.context;
    const { key = '', values = {} } = screenOf(conversation) ?? {};
    const which = [
      qr ? 'by code' : '',
      another ? 'another' : '',
      JSON.stringify(change),
      isChat ? 'chat' : '',
      agent ? 'agent' : '',
      what,
      wanted,
      stopped ? 'stopped' : '',
      key,
      ...Object.keys(values),
    ].join(' ');
    const name = `${conversation.state} ${invoked?.src ?? ''} ${at} ${which}`;
    if (seen.has(name)) continue;
    seen.set(name, step);
    if (!conversation.ended) queue.push(...nextOf(conversation, invoked));
  }
  return [...seen.values()];
}

/** A state by its name. If it asks for different things, the name has what it asks for, and its code. */
function placeOf(stored: ReadonlyMap<string, Session>, { conversation }: Step): string {
  if (conversation.context.qr) return `${conversation.state} by code`;
  const first = stored.get(conversation.state)?.conversation;
  const { expects } = screenOf(conversation) ?? {};
  return first && screenOf(first)?.expects !== expects
    ? `${conversation.state} for ${expects}`
    : conversation.state;
}

/** Names of all states of today's machine that can be stored, found or not. */
export function statesWithScreen(machine: string): string[] {
  return Object.entries(MACHINES[machine]?.states ?? {}).flatMap(([name, { meta, invoke }]) => {
    const reads = invoke.some(({ src }) => effectNamed(String(src)).kind === 'read');
    return meta && !reads ? [name] : [];
  });
}

/** A read is done before anything is written. A final state without a screen leads on at once. */
function isStorable({ conversation, invoked }: Step): boolean {
  if (invoked && effectNamed(invoked.src).kind === 'read') return false;
  return screenOf(conversation) !== undefined;
}

function sessionOf({ conversation, invoked }: Step): Session {
  return {
    language: 'fr',
    wallet: WALLET,
    linked: true,
    dialog: 'dial',
    seen: ['first', 'second'],
    screen: 7,
    page: 0,
    at: STORED_AT,
    conversation,
    ...(invoked && {
      underway: { id: invoked.id, src: invoked.src, ref: REF, by: 'another', until: STORED_AT + 45_000 },
    }),
    ...(invoked?.src === 'pay' && { intent: REF }),
  };
}
const REF = '99000000-0000-4000-8000-000000000000';

function nextOf(conversation: Conversation, invoked: Invoked | undefined): Step[] {
  const now = STORED_AT;
  if (invoked) {
    const answers = [...(ANSWERS[invoked.src] ?? [OK]), ...REFUSED, UNKNOWN];
    const told = answers.map((output) => () => answer(conversation, invoked.id, output, now));
    return attempts([...told, () => lose(conversation, invoked.id, now)]);
  }
  const timers = Object.keys(conversation.timers ?? {}).map((timer) => () => fire(conversation, timer, now));
  return attempts([...events(conversation).map((event) => () => tell(conversation, event, now)), ...timers]);
}

/** A call may be given an answer that it never gets, and a machine a start that it never has: then there is no step. */
function attempts(tries: readonly (() => Step)[]): Step[] {
  return tries.flatMap((attempt) => {
    try {
      const step = attempt();
      return step.isHandled ? [step] : [];
    } catch {
      return [];
    }
  });
}

function events(conversation: Conversation): MachineEvent[] {
  const at = STORED_AT;
  const secret = 'sealed' as Sealed;
  const choices = screenOf(conversation)?.choices ?? [];
  return [
    ...choices.map(({ id }): MachineEvent => ({ type: 'chose', choice: id, at })),
    ...TEXTS.map((text): MachineEvent => ({ type: 'said', text, at })),
    { type: 'gave', secret, wellFormed: true, at },
    { type: 'gave', secret, wellFormed: false, at },
    { type: 'carded', at },
    { type: 'filed', at },
    { type: 'filed', file: '1:front', at },
    {
      type: 'outcome',
      outcome: 'succeeded',
      reference: '42',
      payment: '5c58c3d5-cb0a-47fe-a65e-b4a14d7db812',
      at,
    },
    { type: 'back', at },
    { type: 'typedMove', text: '0', leads: 'back', at },
    { type: 'typedMove', text: '00', leads: 'menu', at },
    { type: 'resumed', at },
  ];
}

const STOPPED: Stopped = {
  next: 'transfer',
  filled: { to: msisdn('+212612345678'), amount: centimes(5_000) },
  called: {
    key: 'transfer.goOnWith',
    values: { amount: { money: centimes(5_000) }, to: { phone: msisdn('+212612345678') } },
  },
};
/** Values that come with a request of one line. */
const FILLED: readonly Filled[] = [
  { amount: centimes(20_000) },
  { to: msisdn('+212612345678') },
  { to: msisdn('+212612345678'), amount: centimes(20_000) },
  { to: msisdn('+212612345678'), payee: 'Maman', beneficiaryId: 7, amount: centimes(20_000) },
  { payee: 'Maman' },
  { search: 'eau' },
  { isOwn: true },
  { toLast: true },
  { thaws: true, stopped: STOPPED },
];
const OFFERS = (
  ['urgent', 'missing', 'unclear', 'several', 'lost', 'undo', 'cancel', 'unmatched'] as const
).map(
  (why): HelpOffer => ({
    why,
    meanings: ['transfer', 'merchant-payment'],
    filled: { amount: centimes(4_500) },
  }),
);

function starts(): Start[] {
  const broken: Sentence = { key: 'transfer.resume', values: { to: { phone: WALLET } } };
  const linked = { wallet: WALLET, linked: true, advisers: true, identifies: true, broken };
  return [
    ...([0, 1, 2] as const).map((status) => ({ ...linked, status })),
    linked,
    { ...linked, identifies: false },
    { ...linked, isChat: true },
    { ...linked, isChat: true, principal: 'PA-1001' },
    { ...linked, agent: 'RA-2001' },
    { ...linked, wanted: 'takings' },
    { ...linked, agent: 'RA-2001', filled: { to: msisdn('+212612345678') } },
    { ...linked, filled: { rib: ribIn(ribWith('007780', 1)) as Rib } },
    ...[STATIC_CODE, CODE_FOR_ONE].map((qr) => ({ ...linked, filled: { qr } })),
    { ...linked, filled: { contract: CONTRACT } },
    { ...linked, filled: { refuses: true } },
    ...FILLED.map((filled) => ({ ...linked, filled })),
    ...OFFERS.map((help) => ({ ...linked, filled: { help } })),
    { ...linked, filled: { payment: '5c58c3d5-cb0a-47fe-a65e-b4a14d7db812' } },
    { linked: false, broken },
  ];
}
