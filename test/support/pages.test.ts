import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { AgentMark } from '../../machines/kit/effects.ts';
import { type Case, type Handler, isTheirs } from '../../src/conversation/cases/case.ts';
import { type Cases, LISTED_MAX } from '../../src/conversation/cases/cases.ts';
import { chartOf } from '../../src/conversation/desk/chart-of.ts';
import type {
  Acted,
  Agent,
  AgentProposal,
  BoundNumber,
  Desk,
  FloatLoad,
  Intent,
  Note,
  Past,
  PayoutBatch,
  PayoutFile,
  PayoutLine,
  Principal,
  Watched,
} from '../../src/conversation/desk/desk.ts';
import type { TurnRecord } from '../../src/conversation/record/record.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import type { DeliveryRecord } from '../../src/conversation/session/delivery-record.ts';
import type { Freeze } from '../../src/conversation/session/safety.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { isObject } from '../../src/store/codec.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreDown } from '../../src/store/store.ts';
import type { Guarded } from '../../src/support/access/guard.ts';
import type { Role } from '../../src/support/access/roles.ts';
import { type Pages, pages } from '../../src/support/pages/routes.ts';
import type { WebhookContent } from '../../src/support/queue.ts';
import { REVEALS_PER_HOUR, SEARCHES_PER_HOUR } from '../../src/support/reveals.ts';
import { createSessionIds } from '../../src/support/session-id.ts';
import { dayBegins, dayOf } from '../../src/support/times.ts';
import type { Answer } from '../../src/wallet/answer.ts';
import { centimes } from '../../src/wallet/money.ts';
import { type Msisdn, msisdn, nationalNumber } from '../../src/wallet/phone.ts';
import type { WalletFile } from '../../src/wallet/services.ts';
import { called, FATIMA, NOW, turn, YOUSSEF } from './records.ts';

const renderer = createRenderer();
const secrets = createSecrets('a secrets key of the tests, 32 characters');
const ids = createSessionIds(secrets);
const HERE = `ussd:${FATIMA}` as const;
/** Two days and a half: however long a test takes, the page says `2d`. */
const AGO_MS = 2.5 * 24 * 3_600_000;
const SESSION: Watched = {
  address: HERE,
  wallet: FATIMA,
  language: 'fr',
  at: NOW,
  machine: 'transfer',
  state: 'askingAmount',
  context: { to: YOUSSEF, proof: 'A'.repeat(60) },
  screen: { key: 'menu.checking', expects: 'nothing' },
  waiting: 0,
};
const PROPOSED = {
  kind: 'proposed',
  by: 'omar',
  as: 'failed',
  evidence: `the bank knows nothing of ${FATIMA}`,
} as const;
const PAYMENT: Intent = {
  id: '3b174c73-f011-4abc-8abc-0123456789ab',
  wallet: FATIMA,
  address: HERE,
  order: { kind: 'transfer', from: FATIMA, to: YOUSSEF, amount: centimes(25_000) },
  quote: {
    fees: centimes(200),
    total: centimes(25_200),
    openLoop: false,
    at: NOW,
    alike: [],
  } as Intent['quote'],
  state: 'human',
  sentAt: NOW,
  before: [],
  evidence: [],
  audit: [[NOW, 'human', PROPOSED]],
};

const IN_TWO_DAYS = dayOf(Date.now() + 48 * 3_600_000);
const LOST = { kind: 'unknown', why: 'lost' } as const;
const NOT_ASKED = () => Promise.reject(new Error('nobody asks for it here'));
/** A principal agent of which the wallet says nothing, and for which nobody has done anything. */
const PRINCIPAL: Principal = {
  code: 'PA-1',
  pageSize: 20,
  account: async () => LOST,
  agents: async () => LOST,
  change: NOT_ASKED,
  load: NOT_ASKED,
  numbers: async () => [],
  proposeBinding: NOT_ASKED,
  proposeUnbinding: NOT_ASKED,
  approveBinding: NOT_ASKED,
  withdrawBinding: NOT_ASKED,
  proposedAgents: async () => [],
  proposeAgent: NOT_ASKED,
  takeUpAgent: NOT_ASKED,
  approveAgent: NOT_ASKED,
  withdrawAgent: NOT_ASKED,
  takesCards: true,
  cardLoads: async () => [],
  cardLoad: async () => undefined,
  beginCardLoad: NOT_ASKED,
  cards: async () => ({ kind: 'ok', value: [] }),
  renameCard: NOT_ASKED,
  deleteCard: NOT_ASKED,
  files: async () => [],
  file: async () => undefined,
  giveFile: NOT_ASKED,
  withdrawFile: NOT_ASKED,
  async *results() {},
};
const OTHER = '44174c73-f011-4abc-8abc-0123456789ab';
/** What the wallet calls a webhook that was applied: it may be any string. */
const WEBHOOK = `Late.evt:${'x'.repeat(100)}_4711`;
const CALL = '99174c73-f011-4abc-8abc-0123456789ab';
const IT: Case = {
  id: 'c-2345678',
  kind: 'asked',
  subject: HERE,
  address: HERE,
  wallet: FATIMA,
  state: 'open',
  openedAt: NOW,
  due: NOW,
  steps: [{ at: NOW, what: 'opened' }],
};

const STUCK = {
  id: 'w1',
  since: NOW,
  tries: 3,
  state: 'kept',
  event: 'transfer.received',
  operationId: 4211,
} as const;

const CONTENT: WebhookContent = {
  fields: [
    ['EventId', 'transfer.received'],
    ['OperationId', '4211'],
    ['Amount', '250'],
    ['PrimaryAccountNumber', FATIMA],
    ['BankTransferBeneficiaryName', 'Driss Lahlou'],
    ['Method', '<script>alert(1)</script>'],
  ],
  wallet: FATIMA,
  amount: centimes(25_000),
  operationId: 4211,
};

let directory: string;
let store: Store;
/** `nadia` has made the account `salma`. */
/** An account that may propose nothing any more. */
const GONE = 'tarik';
const SAME_PERSON = ['nadiasalma', 'salmanadia'];
let console_: Pages;
let deliveries: DeliveryRecord[] = [];
/** What the desk was asked to do, and what was written in the audit, in their order. */
let done: string[];
let acted: Acted;
let it_: Case;
/** Notes about a customer before the newest. */
let noted: Note[];
/** Payments before that one. */
let older: Intent[];
/** A case that the records alone have. */
let kept: Case | undefined;
/** Other open cases of its customer. */
let others: Case[];
/** What happens whenever a case is looked up. */
let onFound = () => {};
let onNote: ((...what: Parameters<Cases['note']>) => void) | undefined;
let payment: Intent;
let isAuditDown: boolean;
let frozen: Freeze | undefined;
let agent: AgentMark | undefined;
let principal: Principal | undefined;
let owner: Watched['owner'];
let sentTurns: TurnRecord[];
/** What has happened before the first agent comes, and tells of what happens now. */
let past: AsyncIterable<Past> | readonly Past[];
let tell: (record: TurnRecord) => void;
const sentFiles: Readonly<Record<string, WalletFile>> = {
  png: { type: 'image/png', bytes: Buffer.from('picture') },
  pdf: { type: 'application/pdf', bytes: Buffer.from('%PDF-1.7') },
  html: { type: 'text/html', bytes: Buffer.from('<script>') },
};
/** Who is called as was searched for, and of whom the wallet was asked. */
let namesakes: Msisdn[];
/** Why the last request was refused, as the audit has it. */
let refusal: string | undefined;
let asked: Msisdn[];
/** What was looked for by its reference. */
let searched: string[];

beforeEach(async () => {
  owner = undefined;
  sentTurns = [];
  past = [{ records: [turn({ at: Date.now(), to: 'transfer.askingAmount' })] }];
  [namesakes, asked, searched] = [[], [], []];
  directory = mkdtempSync(join(tmpdir(), 'wasl-pages-'));
  store = await openSqliteStore({ directory });
  [done, acted, payment, isAuditDown, frozen] = [[], 'done', PAYMENT, false, undefined];
  [agent, principal] = [undefined, undefined];
  [it_, others] = [IT, []];
  [kept, older, noted] = [undefined, [], []];
  onNote = undefined;
  const act =
    (name: string) =>
    async (...what: readonly unknown[]) => {
      done.push([name, ...what.filter((each) => typeof each !== 'object')].join(' '));
      return acted;
    };
  const dealt =
    (name: string) =>
    async (...what: readonly unknown[]) => {
      const by = what.find((each): each is Handler => isObject(each) && 'mayTake' in each);
      const words = what.map((each) => (each === by ? by?.id : each));
      done.push([name, ...words.filter((each) => typeof each !== 'object')].join(' '));
      if (by && it_.state !== 'closed' && !isTheirs(it_, by)) return 'owned' as const;
      return acted === 'done' ? ('done' as const) : ('notNow' as const);
    };
  const cases: Cases = {
    open: async () => it_,
    find: async (id) => {
      onFound();
      return id === IT.id ? it_ : undefined;
    },
    about: async (kind, subject) => (kind === it_.kind && subject === it_.subject ? it_ : undefined),
    ofCustomer: async () => [it_, ...others],
    list: async () => [it_],
    inbox: async () => [it_, ...others],
    next: async (by, isFor = () => true) => {
      done.push(`next ${by.id}`);
      return acted === 'done' && isFor(it_) ? it_ : undefined;
    },
    assign: dealt('assign'),
    toTeam: dealt('toTeam'),
    answered: dealt('answered'),
    customerWrote: dealt('customerWrote'),
    setWaiting: dealt('setWaiting'),
    setUrgent: dealt('setUrgent'),
    label: dealt('label'),
    note: (...what) => {
      onNote?.(...what);
      return dealt('note')(...what);
    },
    looked: dealt('looked'),
    snooze: dealt('snooze'),
    wake: async () => {},
    merge: dealt('merge'),
    close: dealt('close'),
    reopen: dealt('reopen'),
    rate: dealt('rate'),
    notYet: dealt('notYet'),
    opensAt: () => undefined,
    look: async () => {},
  };
  const desk: Desk = {
    chart: chartOf,
    machines: () => ['transfer'],
    turns: async () => [...sentTurns, turn({ to: 'transfer.askingAmount' })],
    async *backlog() {
      yield* past;
    },
    watch: async (listener) => {
      tell = listener.turn;
      return async () => {};
    },
    session: async (address) =>
      address === HERE
        ? { ...SESSION, ...(frozen && { frozen }), ...(agent && { agent }), ...(owner && { owner }) }
        : undefined,
    person: async (wallet) =>
      wallet === FATIMA || namesakes.includes(wallet)
        ? {
            wallet,
            sessions: [SESSION],
            notes: [{ at: NOW, by: 'Omar', text: 'called <b>back</b>' }, ...noted],
            cases: [],
          }
        : undefined,
    timeline: async (_wallet, _limit, before) => ({
      records: [turn({ to: 'transfer.askingAmount' }), turn({ address: 'web:x', at: NOW - 60_000 })],
      ...(before === undefined && { next: NOW - 60_000 }),
      isWhole: true,
    }),
    details: async (wallet) => {
      asked.push(wallet);
      return { fullName: 'Fatima Zahra', level: 2, status: 3 };
    },
    note: act('note'),
    cases,
    keptCase: async (id) => (id === kept?.id ? kept : undefined),
    find: async (reference) => {
      searched.push(reference);
      return reference === '11111111'
        ? [
            { kind: 'payment', intent: payment },
            { kind: 'payment', intent: { ...payment, id: OTHER } },
          ]
        : reference === CALL
          ? [{ kind: 'call', record: turn() }]
          : [payment.id, '3B174C73', '4211', WEBHOOK].includes(reference)
            ? [{ kind: 'payment', intent: payment }]
            : [];
    },
    payment: async (reference) =>
      [payment.id, '3B174C73', '4211'].includes(reference) ? payment : undefined,
    payments: async (_wallet, limit, before = Number.POSITIVE_INFINITY) =>
      [payment, ...older].filter(({ sentAt }) => sentAt < before).slice(0, limit),
    unsettled: async () => [payment],
    helpRequests: async () => [{ address: HERE, wallet: FATIMA, language: 'fr', at: NOW, callBack: true }],
    deliveries: async () => deliveries,
    takeOver: act('takeOver'),
    renew: async (address) => {
      done.push(`renew ${address}`);
      return 'done';
    },
    write: act('write'),
    sendFile: act('sendFile'),
    sentFile: async (_, id) => sentFiles[id],
    handBack: act('handBack'),
    nudge: act('nudge'),
    toMenu: act('toMenu'),
    end: act('end'),
    answered: act('answered'),
    closeCase: dealt('closeCase'),
    giveCase: dealt('giveCase'),
    snoozeCase: dealt('snoozeCase'),
    tellRevealed: act('tellRevealed'),
    freeze: act('freeze'),
    proposeThaw: act('proposeThaw'),
    approveThaw: act('approveThaw'),
    withdrawThaw: act('withdrawThaw'),
    stopAgent: act('stopAgent'),
    get principal() {
      return principal;
    },
    proposeRestore: act('proposeRestore'),
    approveRestore: act('approveRestore'),
    withdrawRestore: act('withdrawRestore'),
    resend: act('resend'),
    propose: act('propose'),
    applyWebhook: act('applyWebhook'),
    approve: act('approve'),
    withdraw: act('withdraw'),
  };
  console_ = pages({
    desk,
    store,
    secrets,
    renderer,
    names: {
      async find(_, limit) {
        if (!recordsAnswer) throw new StoreDown('PostgreSQL: away');
        return namesakes.slice(0, limit);
      },
    },
    recordsAnswer: async () => recordsAnswer,
    webhooks: {
      stuck: async () => [STUCK],
      find: async (id: string) => (id === STUCK.id ? STUCK : undefined),
      content: async (id: string) => (id === STUCK.id ? CONTENT : undefined),
      retry: act('retry'),
      close: act('close'),
    } as never,
    audit: {
      part: async (work, endOf) => {
        const result = await work();
        const { end, endWhy } = endOf(result);
        done.push(['ended', end, endWhy].filter(Boolean).join(' '));
        return result;
      },
      async append({ who, act, on, what, why }) {
        if (isAuditDown) throw new Error('down');
        done.push(['audit', who, act, on, [what, why].filter(Boolean).join(': ')].filter(Boolean).join(' '));
      },
    },
    isStillIn: async () => true,
    hosts: ['wallet.example'],
    agents: async () => [
      { id: 'omar', name: 'Omar' },
      { id: 'sara', name: 'Sara' },
    ],
    refusesApproval: async (one, other) => {
      if (one === other || SAME_PERSON.includes(one + other)) return 'sameAgent';
      return one === GONE ? 'proposerGone' : undefined;
    },
    log: { say: () => {} },
    now: Date.now,
  });
});

afterEach(async () => {
  await console_.close();
  await store.close();
  rmSync(directory, { recursive: true });
});

let recordsAnswer = true;
/** Somebody whom the guard has let in. */
function as(id: string, role: Role = 'agent') {
  const app = new Hono<Guarded>()
    .use(async (c, next) => {
      c.set('who', { id, name: id, role, sessionId: 's', csrf: 'token', language: 'en' });
      c.set('language', 'en');
      await next();
      refusal = c.var.refusal;
    })
    .route('/support', console_.routes)
    .onError((_error, c) => c.text('lost', 500));
  return {
    get: async (path: string) => app.request(`/support${path}`),
    sends: async (path: string, body: FormData) => app.request(`/support${path}`, { method: 'POST', body }),
    text: async (path: string) => (await app.request(`/support${path}`)).text(),
    post: async (path: string, form: Readonly<Record<string, string>> = {}, headers = {}) =>
      app.request(`/support${path}`, { method: 'POST', body: new URLSearchParams(form), headers }),
  };
}

const session = `/sessions/${ids.idOf(HERE)}`;
const person = `/persons/${ids.idOf(HERE)}`;

test('a session is shown masked, and the look is in the audit first', async () => {
  const page = await as('nadia').text(session);
  expect(done).toEqual([`audit nadia seeSession ${HERE}`]);
  expect(page).toContain('+212 6•• •• •• 78');
  expect(page).toMatch(/the\sbank\sknows\snothing\sof\s\+212 6•• •• •• 78/);
  expect(page).not.toMatch(/612345678|600000002|A{46}/);
  isAuditDown = true;
  expect((await as('nadia').get(session)).status).toBe(500);
});

test('the event stream only goes on with a look that is in the audit', async () => {
  const nadia = as('nadia');
  const live = /sse-connect="\/support([^"]+)"/.exec(await nadia.text(session))?.[1] ?? '';
  expect((await nadia.get(`${session}/live`)).status).toBe(403);
  expect((await as('omar').get(live)).status, "another agent's look").toBe(403);
  const response = await nadia.get(live);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = response.body?.getReader();
  let text = '';
  while (!text.includes('event: payments')) text += new TextDecoder().decode((await reader?.read())?.value);
  await reader?.cancel();
  expect(text).toContain('event: transcript');
  expect(text).not.toMatch(/612345678|600000002/);
});

/** What a stream sends first, by the names of its pieces. */
async function streamed(path: string, until: string): Promise<string> {
  const reader = (await as('nadia', 'admin').get(path)).body?.getReader();
  let text = '';
  while (!text.includes(until)) text += new TextDecoder().decode((await reader?.read())?.value);
  await reader?.cancel();
  return text;
}

test.each(['', '/today', '/machines', '/machines/transfer'])(
  'a page is there at once, also while what happened before is still being read, and says so: %s',
  async (path) => {
    const read = Promise.withResolvers<void>();
    past = (async function* () {
      yield { records: [turn({ at: Date.now(), to: 'transfer.askingAmount' })] };
      await read.promise;
    })();
    const filling = 'Earlier turns are still being read';
    expect(await as('nadia', 'admin').text(path)).toContain(filling);
    read.resolve();
    await expect.poll(() => as('nadia', 'admin').text(path)).not.toContain(filling);
  },
);

test('what goes on is shown as figures above the rows, on the page and by its stream', async () => {
  const at = Date.now();
  const places = ['transfer.askingAmount', 'transfer.askingPin', 'balance.shown'];
  const records = places.map((to, i) => turn({ address: `web:${i}`, at, to, language: i ? 'ar' : 'fr' }));
  past = [{ records }];
  const words = (page: string) => page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  const figures = /Turns a second .* Under way now 3 .* Web 3 .* العربية 2 .* Money transfer 2/;
  await expect.poll(async () => words(await as('nadia').text(''))).toMatch(figures);
  expect(words(await streamed('/live', 'event: sessions'))).toMatch(figures);
});

test('with more turns than can be read there are fewer rows, drawn at a pace that is said', async () => {
  const page = () => as('nadia').text('');
  expect(await page()).not.toContain('redrawn');
  const at = Date.now() - 2_000;
  for (let i = 0; i < 1_000; i++) tell(turn({ address: `web:${i}`, at, to: 'menu.choosing' }));
  await expect.poll(page).toContain('redrawn every 5 seconds');
  expect((await page()).match(/sessions\/[^"]+">/g)?.length).toBeLessThan(60);
});

test('where the past is too long to be read, counts are at least so much, on every page that has them', async () => {
  past = [{ records: [turn({ at: Date.now(), to: 'transfer.askingAmount' })], leftOutBefore: Date.now() }];
  const admin = as('nadia', 'admin');
  await expect.poll(() => admin.text('')).toContain('Sessions: at least 1');
  expect(await admin.text('')).toContain('≥ 1');
  expect(await admin.text('/machines')).toContain('≥ 1');
  expect((await admin.text('/machines/transfer')).match(/≥ 1/g)).toHaveLength(2);
  expect(await admin.text('/today')).toContain('only the last ones are counted here');
});

test('each table of today is saved as CSV, narrowed as the page is', async () => {
  const at = Date.now();
  const failed = [called('preview', { kind: 'refused', code: '20005' })];
  past = [
    {
      records: [
        turn({ at, to: 'transfer.askingAmount', lagMs: 1_000 }),
        turn({ at: at + 5_000, from: 'transfer.askingAmount', to: 'transfer.askingPin', ran: failed }),
      ],
    },
  ];
  const nadia = as('nadia');
  const saved = async (path: string) => (await nadia.text(`/today/csv/${path}`)).trim().split('\r\n');
  const head = 'machine,started,completed,failed,unknown,dropped';
  expect(await saved('conversations')).toEqual([head, 'transfer,1,0,0,0,0']);
  expect(await saved('conversations?channel=web')).toEqual([head]);
  const states = await saved('states');
  expect(states).toHaveLength(3);
  expect(states[1]).toMatch(/^transfer\.askingAmount,1,0,\d+$/);
  expect(await saved('failures')).toEqual([
    'call,outcome,times',
    expect.stringMatching(/^preview,.*20005,1$/),
  ]);
  expect((await saved('webhookLag'))[1]).toMatch(/^1,\d+,\d+$/);
  expect((await nadia.get('/today/csv/others')).status).toBe(404);
  const links = (await nadia.text('/today')).match(/href="[^"]*today\/csv\/\w+/g);
  expect(links).toHaveLength(4);
});

test('a reveal needs a reason; then its agent sees the data of this session, and nobody else does', async () => {
  const nadia = as('nadia');
  const short = await nadia.post(`${session}/reveal`, { why: 'please' });
  expect(short.headers.get('location')).toMatch(/said=noReason$/);
  expect(done.splice(0), 'that somebody tried').toEqual([`audit nadia reveal ${HERE} please`]);
  await nadia.post(`${session}/reveal`, { why: 'the customer called about it', tell: 'yes' });
  expect(done).toEqual([`audit nadia reveal ${HERE} the customer called about it`, `tellRevealed ${HERE}`]);
  expect(await nadia.text(session)).toContain('+212 612 34 56 78');
  expect(await nadia.text('')).not.toContain('612 34 56 78');
  expect(await as('omar', 'admin').text(session)).not.toContain('612 34 56 78');
});

test('nobody searches without end: each search tells who is a customer', async () => {
  const search = (by: string) => as(by, 'viewer').post('/search', { q: '0612345678' });
  for (let i = 0; i < SEARCHES_PER_HOUR; i++)
    expect((await search('vera')).headers.get('location')).toMatch(/persons/);
  expect((await search('vera')).headers.get('location')).toBe('/support?said=tooMany');
  expect((await search('omar')).headers.get('location')).toMatch(/persons/);
});

test.each([
  ['eleven zero-width spaces', '\u200b'.repeat(11)],
  ['fillers that count as letters', '\u3164'.repeat(11)],
  ['braille blanks', '\u2800'.repeat(11)],
  ['digits and marks', '0612345678 !!!'],
  ['one letter', 'aaaaaaaaaaaa'],
  ['marks without letters', '\u0301'.repeat(11)],
  ['too few letters among what nobody sees', `abc\u200b\u200d\u202e\u0000\u200b\u200b\u200b\u200b\u200b`],
])('%s are no reason', async (_what, why) => {
  for (const path of [`${session}/reveal`, `${session}/freeze`, '/webhooks/w1/reveal'])
    expect((await as('nadia').post(path, { why })).headers.get('location')).toMatch(/said=noReason$/);
  expect(done.filter((each) => !each.startsWith('audit'))).toEqual([]);
  expect(await as('nadia').text(session)).not.toContain('612 34 56 78');
});

test.each([
  ['in Arabic', 'العميل اتصل بنا هاتفيا', 'العميل اتصل بنا هاتفيا'],
  ['with digits', 'c-2345678: she called us', 'c-2345678: she called us'],
  [
    'with what nobody sees',
    '\u0000=HYPERLINK("x"), said\u202e the customer',
    '=HYPERLINK("x"), said the customer',
  ],
])('a reason is kept as it is read: %s', async (_what, why, kept_) => {
  await as('nadia').post(`${session}/reveal`, { why });
  expect(done).toEqual([`audit nadia reveal ${HERE} ${kept_}`]);
  expect(await as('nadia').text(session)).toContain('+212 612 34 56 78');
});

test.each([
  ['take-over', 'takeOver', 'takeOver'],
  ['hand-back', 'handBack', 'handBack'],
  ['nudge', 'nudge', 'nudge'],
  ['menu', 'toMenu', 'toMenu'],
  ['end', 'end', 'end'],
  ['answered', 'answerHelp', 'answered'],
])('%s is written in the audit, then done; what came of it is said', async (path, audited, called) => {
  const nadia = as('nadia');
  expect((await nadia.post(`${session}/${path}`)).headers.get('location')).toBe(
    `/support${session}?said=done`,
  );
  expect(done).toEqual([`audit nadia ${audited} ${HERE}`, `${called} ${HERE}`]);
  acted = 'busy';
  const refused = await nadia.post(`${session}/${path}`, {}, { 'hx-request': 'true' });
  expect([refused.status, await refused.text()]).toEqual([
    409,
    expect.stringContaining('A wallet call is under way'),
  ]);
  isAuditDown = true;
  done = [];
  expect((await nadia.post(`${session}/${path}`)).status).toBe(500);
  expect(done, 'what cannot be audited is not done').toEqual([]);
});

test('administrators load the float and change retail agents, but for their numbers; nobody else', async () => {
  const boss = as('boss', 'admin');
  expect(await boss.text('/principal')).toContain('PRINCIPAL_AGENT');
  expect((await boss.post('/principal/load', { amount: '500' })).status).toBe(404);
  let answer: Answer<never> | undefined;
  const asked = async <T>(what: string, value: T): Promise<Answer<T>> => {
    done.push(what);
    return answer ?? { kind: 'ok', value };
  };
  const tabac = { code: 'RA-1', name: '<b>Tabac</b>', phone: FATIMA };
  principal = {
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
  done = [];
  expect(await (await boss.post('/principal/load', { amount: '500' })).text()).toContain('BILLREF-7');
  await boss.post('/principal/agents/RA-1', { address: 'Rabat', name: '', phone: '0612345678' });
  expect(done.filter((each) => !/^(account|agents|audit boss seePrincipal)/.test(each))).toEqual([
    'audit boss loadFloat PA-1 500',
    'load 50000',
    'audit boss changeAgent PA-1 RA-1',
    'change RA-1 {"address":"Rabat"}',
  ]);
  done = [];
  for (const [path, fields] of [
    ['load', { amount: '1.500' }],
    ['agents/RA-1', { phone: '0612345678' }],
    ['agents/RA-1', {}],
  ] as const)
    expect((await boss.post(`/principal/${path}`, fields)).status).toBe(400);
  expect(done.filter((each) => !/^(account|agents)/.test(each))).toEqual([]);
  answer = { kind: 'unknown', why: 'timeout' };
  expect((await boss.post('/principal/agents/RA-1', { name: 'Tabac' })).status).toBe(400);
  expect(await boss.text('/principal')).not.toContain('100000.00');
});

test('administrators open retail agents, and give them numbers, in twos', async () => {
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
    done.push(what);
    return acted;
  };
  principal = {
    ...PRINCIPAL,
    proposedAgents: async () => waiting,
    proposeAgent: async (wish, by, reason) => act(`propose ${by.id} ${JSON.stringify(wish)} ${reason}`),
    takeUpAgent: async (at, by, reason) => act(`take up ${by.id} ${at} ${reason}`),
    withdrawAgent: async (at) => act(`withdraw ${at}`),
    approveAgent: async (at, by) => {
      done.push(`approve ${by.id} ${at}`);
      return answer;
    },
  };
  const [own, others] = [await nadia.text('/principal'), await omar.text('/principal')];
  expect([own, others].map((page) => page.includes('/proposals/approve'))).toEqual([false, true]);
  for (const seen of ['&lt;b&gt;Kiosque', '&lt;b&gt;opens', '0612345678', 'Amal Sefrioui'])
    expect(others, 'two people compare what is to be').toContain(seen);
  expect(others).not.toContain('CD32');
  done = [];
  const told = async (by: typeof nadia, path: string, fields: Record<string, string>) =>
    (await by.post(`/principal/${path}`, fields)).headers.get('location')?.split('said=')[1];
  // Bad inputs: nothing is proposed, and nothing is in the audit.
  for (const field of ['phone', 'name', 'firstName', 'lastName', 'cin'] as const)
    expect((await nadia.post('/principal/agents', { ...whole, [field]: '' })).status).toBe(400);
  expect(await told(nadia, 'agents', { ...whole, why: 'x' })).toBe('noReason');
  expect(await told(nadia, 'agents/RA-1/number', { phone: '12', why })).toBe('noNumber');
  expect(await told(nadia, 'agents/RA-1/number', { phone: whole.phone, why: '' })).toBe('noReason');
  expect(done).toEqual([]);
  expect(await told(nadia, 'agents', whole)).toBe('done');
  expect(await told(nadia, 'agents/RA-1/number', { phone: whole.phone, why })).toBe('done');
  const at = `${NOW}`;
  // In a browser of their own, by another account of theirs, and what nobody has read.
  expect(await told(nadia, 'proposals/approve', { at })).toBe('sameAgent');
  expect(await told(salma, 'proposals/approve', { at })).toBe('sameAgent');
  expect(await told(omar, 'proposals/approve', { at: `${NOW - 1}` })).toBe('notNow');
  expect(await told(omar, 'proposals/approve', {})).toBe('notNow');
  expect(done.filter((each) => each.startsWith('approve'))).toEqual([]);
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
  // What a number has asked for in its chat, one administrator proposes and another approves.
  waiting = [{ at: NOW, from: FATIMA, reason: '', wish: { code: 'RA-1', phone: FATIMA } }];
  expect(await omar.text('/principal')).toContain('asked for it in its chat');
  expect(await told(omar, 'proposals/approve', { at })).toBe('notNow');
  expect(await told(omar, 'proposals/take-up', { at, why: 'x' })).toBe('noReason');
  expect(await told(omar, 'proposals/take-up', { at, why })).toBe('done');
  expect(done.filter((each) => !/^audit omar approveAgent|^approve/.test(each))).toEqual([
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

test('administrators bind numbers to the principal agent in twos', async () => {
  const [nadia, salma, omar] = [as('nadia', 'admin'), as('salma', 'admin'), as('omar', 'admin')];
  const why = 'pays the salaries';
  let known: BoundNumber = { phone: FATIMA, proposal: { by: 'nadia', at: NOW, reason: '<b>pays' } };
  const act = (name: string) => async (phone: Msisdn, _by: Agent, what?: string | number) => {
    done.push([name, phone, what].join(' ').trim());
    return acted;
  };
  principal = {
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
  done = [];
  const told = async (by: typeof nadia, path: string, fields: Record<string, string>) =>
    (await by.post(`/principal/numbers/${path}`, fields)).headers.get('location')?.split('said=')[1];
  expect(await told(nadia, 'bind', { phone: '12', why })).toBe('noNumber');
  expect(await told(nadia, 'bind', { phone, why: 'x' })).toBe('noReason');
  expect(done).toEqual([]);
  expect(await told(nadia, 'bind', { phone: nationalNumber(phone), why })).toBe('done');
  // `nadia` has made the account `salma`.
  expect(await told(salma, 'approve', { phone, at: `${NOW}` })).toBe('sameAgent');
  expect(await told(omar, 'approve', { phone, at: `${NOW}` })).toBe('done');
  known = { phone, bound: { at: NOW, by: 'nadia', approvedBy: 'omar' } };
  expect(await omar.text('/principal')).toContain('/numbers/unbind');
  expect(await told(omar, 'unbind', { phone, why })).toBe('done');
  expect(await told(nadia, 'withdraw', { phone })).toBe('done');
  expect(done).toEqual([
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

test('administrators load the float by card, and look after its saved cards', async () => {
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
    done.push(what);
    return answer ?? { kind: 'ok', value };
  };
  const bound = { at: NOW, by: 'nadia', approvedBy: 'omar' };
  principal = {
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
  done = [];
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
  expect(done).toEqual([
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
  expect(await boss.text('/principal/card')).toContain('Bind a number');
  principal = { ...principal, takesCards: false };
  expect(await boss.text('/principal/card')).toContain('not available');
});

test('administrators give files of payouts, withdraw them, and read what became of each line', async () => {
  const boss = as('boss', 'admin');
  const [ID, OTHER_ID] = ['f'.repeat(32), 'd'.repeat(32)];
  const batch: PayoutBatch = {
    ...{
      id: ID,
      code: 'PA-1',
      fileName: '<b>salaires.csv',
      at: NOW,
      by: { account: 'boss' },
      state: 'ready',
    },
    ...{ count: 2, sum: centimes(3_000), checked: 2, next: 0, fees: centimes(0) },
    payable: { count: 1, sum: centimes(1_000) },
  };
  let how: Partial<PayoutBatch> = {};
  const lines: PayoutLine[] = [
    { to: { phone: FATIMA }, name: '=Fatima', amount: centimes(1_000), reason: 'x' },
    { to: { phone: YOUSSEF }, name: 'Youssef', amount: centimes(2_000), reason: 'y', refused: '20005' },
  ];
  let now: readonly PayoutLine[] = lines;
  let needs: PayoutFile['needs'];
  let isUnguarded = false;
  const one = (sum: number) => ({ count: 1, sum: centimes(sum) });
  principal = {
    ...PRINCIPAL,
    account: async () => ({ kind: 'ok', value: { code: 'PA-1', balance: centimes(1_000) } }),
    files: async () => [batch, { ...batch, tally: { paid: one(1_000), open: one(0) } }],
    file: async (id) =>
      id === ID
        ? { batch, lines, needs: undefined }
        : id === OTHER_ID
          ? { batch: { ...batch, by: { phone: FATIMA }, ...how }, lines: now, needs, isUnguarded }
          : undefined,
    async giveFile(bytes) {
      done.push(`give ${bytes.length}`);
      if (bytes.length === 3) return { kind: 'wrong', wrong: [{ line: 1, why: 'reason' }] };
      return { kind: bytes.length === 4 ? 'twice' : 'given', id: ID };
    },
    async withdrawFile(id) {
      done.push(`withdraw ${id}`);
      return acted;
    },
    async *results() {
      yield {
        ...(lines[0] as PayoutLine),
        line: 1,
        intent: { id: OTHER, state: 'succeeded', operationId: 7 },
      };
      yield { ...(lines[1] as PayoutLine), line: 2 };
    },
  };
  expect(await boss.text('/principal/payouts')).toContain('&lt;b&gt;salaires.csv');
  const page = await boss.text(`/principal/payouts/${ID}`);
  expect(page).toContain('MAD\u00a010.00');
  expect(page).toContain('20005');
  expect(page).toContain('Given by</dt><dd><bdi>boss</bdi>');
  expect(await boss.text(`/principal/payouts/${OTHER_ID}`)).toContain(nationalNumber(FATIMA));
  const says = async (is: Partial<PayoutBatch>) => {
    how = is;
    const text = await boss.text(`/principal/payouts/${OTHER_ID}`);
    return ['releases the file in its chat', 'The float is too low.', 'is waited for until'].map((each) =>
      text.includes(each),
    );
  };
  const current = { ref: OTHER, waitsUntil: NOW + 60_000 };
  expect(await says({}), 'it waits').toEqual([true, false, false]);
  expect(await says({ state: 'stopped', why: 'float', current })).toEqual([true, true, false]);
  for (const state of ['running', 'done', 'withdrawn'] as const)
    expect(await says({ state, why: 'float' }), state).toEqual([false, false, false]);
  expect(await says({ state: 'running', current }), 'an answer is waited for').toEqual([false, false, true]);
  expect(await boss.text('/principal/payouts')).toContain('MAD\u00a010.00 paid of MAD\u00a010.00');
  // How it went: what was paid, what is not confirmed, and each line that is not paid with why, in words.
  const person = { to: { phone: YOUSSEF }, name: 'Youssef', amount: centimes(2_000), reason: 'y' };
  now = [
    { ...person, refused: '20005' },
    { ...person, refused: '90014', isLate: true },
    { ...person, ref: OTHER, state: 'rejected', code: '90011' },
    { ...person, ref: OTHER, state: 'accepted' },
    { ...person, ref: OTHER, state: 'succeeded' },
    { ...person, refused: '66666' },
  ];
  how = { state: 'done', count: 6, next: 6, tally: { paid: one(2_000), open: one(2_000) } };
  const went = await boss.text(`/principal/payouts/${OTHER_ID}`);
  const parts = went.split('<h2>').map((part) => part.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '));
  expect(parts[0]).toContain(
    'Paid MAD 20.00 · lines: 1 Not confirmed yet MAD 20.00 · lines: 1 Not paid lines: 4',
  );
  expect(parts[1]).toMatch(/^Lines not confirmed yet: 1 4\. /);
  expect(parts[2]).toMatch(/^Lines not paid: 2 2\. .*90014 3\. .* receive this amount\. 90011/);
  expect(parts[3]).toMatch(/^Lines refused beforehand: 2 1\. .* The float cannot pay it\. 20005 6\. .*66666/);
  // What the float lacks is said while somebody can still load it.
  how = {};
  for (const [lacks, is] of [
    [centimes(1e9), true],
    [centimes(100), false],
    [undefined, false],
  ] as const) {
    needs = lacks;
    expect((await boss.text(`/principal/payouts/${OTHER_ID}`)).includes('is missing'), String(lacks)).toBe(
      is,
    );
  }
  // Nobody can release it, and the page says why.
  for (const is of [true, false]) {
    isUnguarded = is;
    expect((await boss.text(`/principal/payouts/${OTHER_ID}`)).includes('REDIS_REPLICAS_MIN')).toBe(is);
  }
  expect((await boss.get(`/principal/payouts/${'e'.repeat(32)}`)).status).toBe(404);
  done = [];
  const gives = (bytes: number) => {
    const form = new FormData();
    form.set('file', new File([new Uint8Array(bytes)], 'salaires.csv'));
    return boss.sends('/principal/payouts', form);
  };
  expect((await gives(5)).headers.get('location')).toBe(`/support/principal/payouts/${ID}`);
  expect((await gives(4)).headers.get('location')).toMatch(/said=twice$/);
  const wrong = await gives(3);
  expect([wrong.status, await wrong.text()], 'the whole of the reason').toEqual([
    400,
    expect.stringMatching(/Line 1: \S?a reason of more than 35 characters, .*, no special characters\S?</),
  ]);
  await boss.post(`/principal/payouts/${ID}/withdraw`);
  expect(done).toEqual([
    'audit boss givePayouts PA-1 salaires.csv',
    'give 5',
    'audit boss givePayouts PA-1 salaires.csv',
    'give 4',
    'audit boss givePayouts PA-1 salaires.csv',
    'give 3',
    'audit boss withdrawPayouts PA-1 <b>salaires.csv',
    `withdraw ${ID}`,
  ]);
  const csv = (await boss.text(`/principal/payouts/${ID}/results.csv`)).split('\r\n');
  expect(done.at(-1)).toMatch(/^audit boss saveTable /);
  expect(csv[1]).toContain(`"'=Fatima",10,x,`.replaceAll('"', ''));
  expect(csv[1]).toContain(`,7,${OTHER}`);
  expect(csv[2]).toContain('20005');
});

test('an agent is stopped with a reason, and restored by another person', async () => {
  const nadia = as('nadia');
  const why = 'customers complain about this till';
  expect(await nadia.text(session)).not.toContain('/stop-agent');
  agent = { code: 'RA-2001', name: '<b>Tabac</b>', until: NOW };
  expect(await nadia.text(session)).toContain('&lt;b&gt;Tabac');
  expect(await as('vera', 'viewer').text(session)).not.toContain('/stop-agent');
  expect((await nadia.post(`${session}/stop-agent`, { why: '' })).headers.get('location')).toMatch(
    /noReason$/,
  );
  done = [];
  await nadia.post(`${session}/stop-agent`, { why });
  const proposal = { by: 'nadia', at: NOW + 1, reason: why };
  agent = { ...agent, stopped: { by: 'nadia', at: NOW, reason: why, proposal } };
  const [own, others] = [await nadia.text(session), await as('omar').text(session)];
  expect([own.includes('/approve-restore'), others.includes('/approve-restore')]).toEqual([false, true]);
  const refused = await as('salma').post(`${session}/approve-restore`, { at: `${NOW + 1}` });
  expect(refused.headers.get('location')).toMatch(/said=sameAgent$/);
  expect(await as('salma').text(`${session}?said=sameAgent`)).toContain('support -- add-admin');
  await as('omar').post(`${session}/approve-restore`, { at: `${NOW + 1}` });
  expect(done.filter((each) => !each.includes('seeSession'))).toEqual([
    `audit nadia stopAgent ${HERE} ${why}`,
    `stopAgent ${FATIMA} ${why}`,
    `audit salma approveRestore ${HERE}`,
    `audit omar approveRestore ${HERE}`,
    `approveRestore ${FATIMA} ${NOW + 1}`,
  ]);
});

test('a freeze needs a reason; a thaw one too, and another person who approves it', async () => {
  const nadia = as('nadia');
  const why = 'the customer called: their phone was stolen';
  expect(await nadia.text(session)).toContain('/freeze');
  expect(await as('vera', 'viewer').text(session)).not.toContain('/freeze');
  for (const path of ['freeze', 'propose-thaw']) {
    const refused = await nadia.post(`${session}/${path}`, { why: 'please' });
    expect(refused.headers.get('location')).toMatch(/said=noReason$/);
  }
  expect(done.filter((each) => !each.includes('seeSession'))).toEqual([]);
  done = [];
  await nadia.post(`${session}/freeze`, { why });
  frozen = { at: NOW, by: 'nadia' };
  await nadia.post(`${session}/propose-thaw`, { why });
  expect(done).toEqual([
    `audit nadia freeze ${HERE} ${why}`,
    `freeze ${FATIMA}`,
    `audit nadia proposeThaw ${HERE} ${why}`,
    `proposeThaw ${FATIMA} ${why}`,
  ]);
  frozen = { at: NOW, by: 'nadia', proposal: { by: 'nadia', at: NOW + 1, reason: 'seen in <b>person</b>' } };
  const [own, others] = [await nadia.text(session), await as('omar').text(session)];
  expect([own.includes('/approve-thaw'), others.includes('/approve-thaw')]).toEqual([false, true]);
  expect(others).toContain('&lt;b&gt;person');
  done = [];
  const refused = await as('salma').post(`${session}/approve-thaw`, { at: `${NOW + 1}` });
  expect(refused.headers.get('location')).toMatch(/said=sameAgent$/);
  await as('omar').post(`${session}/approve-thaw`, { at: `${NOW + 1}` });
  await as('omar').post(`${session}/withdraw-thaw`);
  expect(done).toEqual([
    `audit salma approveThaw ${HERE}`,
    `audit omar approveThaw ${HERE}`,
    `approveThaw ${FATIMA} ${NOW + 1}`,
    `audit omar withdrawThaw ${HERE}`,
    `withdrawThaw ${FATIMA}`,
  ]);
  isAuditDown = true;
  done = [];
  expect((await nadia.post(`${session}/freeze`, { why })).status).toBe(500);
  expect(done, 'what cannot be audited is not done').toEqual([]);
});

/** Each proposal there is, as somebody has made it, and the path by which another person approves it. */
const APPROVALS: readonly (readonly [
  what: string,
  path: () => string,
  make: (proposal: { by: string; at: number; reason: string }) => void,
])[] = [
  [
    'a thaw',
    () => `${session}/approve-thaw`,
    (proposal) => {
      frozen = { at: NOW, by: 'nadia', proposal };
    },
  ],
  [
    'an agent who is restored',
    () => `${session}/approve-restore`,
    (proposal) => {
      const stopped = { by: 'nadia', at: NOW, reason: 'x', proposal };
      agent = { code: 'RA-1', name: 'Tabac', until: NOW, stopped };
    },
  ],
  [
    'an outcome',
    () => `/payments/${PAYMENT.id}/approve`,
    ({ reason: evidence, ...proposal }) => {
      payment = { ...PAYMENT, proposal: { ...proposal, as: 'succeeded', evidence } };
    },
  ],
  [
    'a number of the principal agent',
    () => `/principal/numbers/approve`,
    (proposal) => {
      principal = {
        ...PRINCIPAL,
        numbers: async () => [{ phone: FATIMA, proposal }],
        approveBinding: async () => {
          done.push('approved');
          return 'done';
        },
      };
    },
  ],
];

test.each(APPROVALS)(
  '%s that was proposed is approved by another person who has read it, and by nobody else',
  async (_what, path, make) => {
    const says = async (who: string, at: number) => {
      const fields = { at: `${at}`, phone: FATIMA };
      const { headers } = await as(who, 'admin').post(path(), fields);
      return headers.get('location')?.split('said=')[1];
    };
    const [at, reason] = [NOW + 1, 'seen in person'];
    make({ by: 'nadia', at, reason });
    expect(await says('nadia', at), 'in a second browser').toBe('sameAgent');
    expect(await says('salma', at), 'by an account that they have made').toBe('sameAgent');
    expect(await says('omar', at - 1), 'another one than was read').toBe('notNow');
    expect(await says('omar', Number.NaN)).toBe('notNow');
    make({ by: GONE, at, reason });
    expect(await says('omar', at), 'who has proposed it may not any more').toBe('proposerGone');
    expect(done.filter((each) => each.startsWith('approve'))).toEqual([]);
    make({ by: 'nadia', at, reason });
    expect(await says('omar', at)).toBe('done');
  },
);

test('a page that renews a lease takes nothing over, and fills no audit', async () => {
  await as('nadia').post(`${session}/renew`);
  expect(done).toEqual([`renew ${HERE}`]);
});

test('a payment shows what its customer was sent, and what became of it', async () => {
  const sent = { message: 'm', says: 'payment.succeeded', tries: 3, intent: PAYMENT.id };
  deliveries = (['delivered', 'held'] as const).map((outcome) => ({
    v: 1,
    at: NOW,
    address: HERE,
    language: 'fr',
    event: { ...sent, kind: 'delivery', outcome },
  }));
  const page = await as('nadia').text(`/payments/${PAYMENT.id}`);
  deliveries = [];
  expect(page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')).toMatch(
    /USSD · payment\.succeeded · delivered \(tries: 3\).*USSD · payment\.succeeded · waits for their next visit/,
  );
  expect(await as('nadia').text(`/payments/${PAYMENT.id}`)).toContain('No messages');
});

test('a settlement needs evidence, and another agent to approve it', async () => {
  const nadia = as('nadia');
  const page = `/payments/${PAYMENT.id}`;
  expect(await nadia.text(page)).toContain('Close this case');
  const propose = (form: Record<string, string>) => nadia.post(`${page}/propose`, form);
  for (const form of [
    { as: 'succeeded', evidence: 'ok' },
    { as: 'paid', evidence: 'seen in the back office' },
  ]) {
    expect((await propose(form as never)).headers.get('location')).toMatch(/noEvidence$/);
  }
  done.length = 0;
  await propose({ as: 'succeeded', evidence: 'seen in the back office', operation: '4211' });
  expect(done[0], 'the evidence is in the audit').toBe(
    `audit nadia propose ${PAYMENT.id} succeeded, operation 4211: seen in the back office`,
  );
  expect(done.at(-1)).toBe(`propose ${PAYMENT.id}`);

  payment = {
    ...PAYMENT,
    proposal: { by: 'nadia', at: NOW, as: 'succeeded', evidence: 'seen in the <b>back</b> office' },
  };
  const [own, others] = [await nadia.text(page), await as('omar').text(page)];
  expect(own).toContain('Another adviser has to approve');
  expect([own.includes('/approve'), others.includes('/approve')]).toEqual([false, true]);
  expect(others, 'what is approved is what was read').toContain(`name="at" value="${NOW}"`);
  const count = done.length;
  const refused = await as('salma').post(`${page}/approve`, { at: `${NOW}` });
  expect(refused.headers.get('location')).toMatch(/sameAgent$/);
  expect(done.slice(count), 'an account of the same person').toEqual([
    `audit salma approve ${PAYMENT.id} succeeded: seen in the <b>back</b> office`,
  ]);
  await as('omar').post(`${page}/approve`, { at: `${NOW}` });
  expect(done.at(-1)).toBe(`approve ${PAYMENT.id} ${NOW}`);
  expect(others).toContain('seen in the &lt;b&gt;back&lt;/b&gt; office');
});

test('whoever may say how a payment ended sees how much it was, for as long as it waits for them', async () => {
  const page = `/payments/${PAYMENT.id}`;
  for (const path of ['', page, session]) {
    expect(await as('nadia').text(path), path).toContain('250.00');
    expect(await as('vera', 'viewer').text(path), path).not.toContain('250.00');
  }
});

test('an agent sees no amount without a reveal, a supervisor does; numbers in its steps are masked for both', async () => {
  const page = `/payments/${PAYMENT.id}`;
  payment = { ...PAYMENT, state: 'failed' };
  const [agent, supervisor] = [await as('nadia').text(page), await as('omar', 'supervisor').text(page)];
  expect(agent).not.toContain('250.00');
  expect(supervisor).toContain('250.00');
  for (const each of [agent, supervisor]) expect(each).not.toMatch(/612345678|600000002/);
});

test.each([
  ['a phone number', '06 12 34 56 78', /^\/support\/persons\//],
  ['a reference as customers read it', '3B174C73', /^\/support\/payments\/3b174c73/],
  ['an operation', '4211', /^\/support\/payments\/3b174c73/],
  ['a request to the wallet', CALL, /^\/support\/persons\/[\w-]+\?before=\d+$/],
  ['a webhook', ' w1 ', /^\/support\/webhooks\/w1$/],
  ['what a webhook of any id has done', ` ${WEBHOOK} `, /^\/support\/payments\/3b174c73/],
])('the search finds %s, and puts nothing of it into a URL', async (_name, q, location) => {
  const response = await as('nadia').post('/search', { q });
  expect(response.headers.get('location')).toMatch(location);
  expect(response.headers.get('location')).not.toContain('612345678');
  expect(done[0]).toMatch(/^audit nadia search/);
  expect(done[0], 'an id of any form may be something else').not.toContain('_4711');
});

test('what a reference may mean is told apart', async () => {
  const response = await as('sara', 'supervisor').post('/search', { q: '11111111' });
  const page = await response.text();
  for (const part of [`/payments/${PAYMENT.id}`, `/payments/${OTHER}`, '3B174C73', '44174C73', '250.00'])
    expect(page).toContain(part);
  expect(page).toContain('+212 6•• •• •• 78');
  expect(page).not.toMatch(/612345678|600000002/);
});

test('customers of one name are told apart, masked; the name is in no audit and no URL', async () => {
  const nadia = as('nadia');
  namesakes = [FATIMA];
  expect((await nadia.post('/search', { q: ' Fatima   El Amrani ' })).headers.get('location')).toMatch(
    /^\/support\/persons\/[\w-]+$/,
  );
  expect(done).toEqual(['audit nadia search name']);
  namesakes = [FATIMA, YOUSSEF];
  const page = await (await nadia.post('/search', { q: 'العمراني' })).text();
  for (const part of [
    '•• •• •• 78',
    '•• •• •• 02',
    'F•••',
    'Account level 2',
    'USSD',
    'Français',
    'Last seen',
  ])
    expect(page).toContain(part);
  expect(page).not.toMatch(/612345678|600000002|Zahra|Only the first/);
  expect(asked).toEqual([FATIMA, YOUSSEF]);
  namesakes = [FATIMA, ...Array.from({ length: 10 }, () => YOUSSEF)];
  const many = await (await nadia.post('/search', { q: 'fatima' })).text();
  expect(many).toContain('Only the first 10 are shown');
  expect(many.match(/Account level/g)).toHaveLength(10);
  namesakes = [];
  expect((await nadia.post('/search', { q: 'Fatima' })).status, 'nothing was found').toBe(200);
  expect(done.join(), 'nothing of what was typed').not.toMatch(/fatima|amrani|العمراني/i);
});

test('records that are away are said where somebody searches or looks at a session, and hide nothing else', async () => {
  const nadia = as('nadia');
  recordsAnswer = false;
  onTestFinished(() => {
    recordsAnswer = true;
  });
  expect((await nadia.post('/search', { q: '0612345678' })).headers.get('location')).toMatch(/\/persons\//);
  for (const q of ['Fatima', '+212699999999']) {
    const answer = await nadia.post('/search', { q });
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('only what happened lately was searched'),
    ]);
  }
  expect(await nadia.text(session)).toContain('The history cannot be read at the moment');
  recordsAnswer = true;
  expect(await nadia.text(session)).not.toContain('The history cannot be read at the moment');
});

test('many notes about a customer unfold, and it is said that there are more than are shown', async () => {
  const vera = as('vera', 'viewer');
  expect(await vera.text(person)).not.toContain('<summary>Earlier');
  const earlier = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ at: NOW - i, by: 'Omar', text: `note ${i}` }));
  noted = earlier(30);
  const [open = '', folded = ''] = (await vera.text(person)).split('<summary>Earlier');
  expect([open.includes('note 8<'), open.includes('note 9<'), folded.includes('note 9<')]).toEqual([
    true,
    false,
    true,
  ]);
  expect(folded).not.toContain('the newest 200');
  noted = earlier(199);
  expect(await vera.text(person)).toContain('Only the newest 200 are shown');
});

test('the payments of a customer are shown page by page, beside the same part of their history', async () => {
  const idAt = (i: number) => `${String(10_000_000 + i)}-f011-4abc-8abc-0123456789ab`;
  older = Array.from({ length: 24 }, (_, i) => ({ ...PAYMENT, id: idAt(i), sentAt: NOW - (i + 1) * 1_000 }));
  const nadia = as('nadia');
  const pages: string[] = [];
  let path: string | undefined = `${person}?before=${NOW}`;
  while (path && pages.length < 5) {
    const page = await nadia.text(path);
    pages.push(page);
    path = /href="\/support([^"]+)#h-payments" rel="prev"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
  }
  const shown = pages.map((page) => [...page.matchAll(/id="payment-([\w-]+)"/g)].map(([, id]) => id));
  expect(shown.map(({ length }) => length)).toEqual([10, 10, 5]);
  expect(shown.flat()).toEqual([PAYMENT, ...older].map(({ id }) => id));
  expect(pages[0]).not.toMatch(/#h-payments">/);
  expect(pages[2]).toContain(`?before=${NOW}#h-payments">Latest`);
});

test('the wallet is asked nothing about whom nothing is known of here', async () => {
  const path = `/persons/${ids.idOf('ussd:+212699999999')}`;
  expect((await as('nadia').get(path)).status).toBe(404);
  expect(asked).toEqual([]);
});

test('a customer is shown masked over all channels, and the look is in the audit first', async () => {
  const page = await as('nadia').text(person);
  expect(done).toEqual([`audit nadia seePerson ${FATIMA}`]);
  for (const part of [
    '+212 6•• •• •• 78',
    'F•••',
    'active',
    '>USSD<',
    '>Web<',
    'called &lt;b&gt;back',
    `?before=${NOW - 60_000}`,
  ])
    expect(page).toContain(part);
  expect(page.indexOf('>Web<'), 'the earliest first').toBeLessThan(page.indexOf('class="badge">USSD<'));
  expect(page).not.toMatch(/612345678|600000002|Zahra|\/audit\?/);
  expect(await as('sara', 'supervisor').text(person)).toContain('/support/audit?about=');
  const earlier = await as('nadia').text(`${person}?before=${NOW - 60_000}`);
  expect([earlier.includes('rel="prev"'), earlier.includes('Latest')]).toEqual([false, true]);
  expect(await as('vera', 'viewer').text(person)).not.toMatch(/\/note"|\/reveal"/);
  isAuditDown = true;
  expect((await as('nadia').get(person)).status).toBe(500);
});

test('a customer’s data is revealed on their page for a reason; a note about them is in the audit, not its words', async () => {
  const nadia = as('nadia');
  await nadia.post(`${person}/reveal`, { why: 'the customer called about it' });
  const page = await nadia.text(person);
  for (const part of ['+212 612 34 56 78', 'Fatima Zahra']) expect(page).toContain(part);
  expect(await as('omar').text(person)).not.toContain('612 34 56 78');
  done = [];
  const saved = await nadia.post(`${person}/note`, { text: 'calls back at noon' });
  expect(saved.headers.get('location')).toMatch(/\/persons\/[\w-]+\?said=done$/);
  expect(done).toEqual([`audit nadia addNote ${FATIMA}`, `note ${FATIMA} calls back at noon`]);
});

test.each([
  '0611111111',
  'nonsense',
  '4242424242424242',
  '4242-4242-4242-4242',
  '12-34',
  'PIN 8264',
  'Tr0ub4dor',
  '',
])('the search for "%s" finds nothing, and says what can be searched', async (q) => {
  const response = await as('nadia').post('/search', { q });
  if (!/^0|ub/.test(q)) expect(searched, 'what may be a PIN or a card is not looked for').toEqual([]);
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Nothing found')]);
  expect(done.join(), 'what may be a secret is not written down').not.toMatch(/nonsense|4242|34|8264|ub4/);
});

test('the list names who needs a person first, and what can be done about it by role', async () => {
  const page = await as('nadia').text('?channel=ussd&minutes=0&place=%3Cscript%3E');
  expect(page.indexOf('Payments to check')).toBeLessThan(page.indexOf('Sessions under way'));
  for (const part of [
    'Payments to check',
    'Asked for help',
    'Call back',
    'Orphan webhooks',
    '/webhooks/w1/retry',
    'Sessions: 1',
  ])
    expect(page).toContain(part);
  const looked = await as('vera', 'viewer').text('');
  expect(looked).not.toContain('/webhooks/w1/retry');
  expect(await as('vera', 'viewer').text(session)).not.toMatch(/take-over|\/reveal"/);
});

test('only a webhook that is stuck can be tried again or closed', async () => {
  await as('nadia').post('/webhooks/w1/retry');
  await as('sara', 'supervisor').post('/webhooks/w2/close', { why: 'seen in the back office' });
  expect(done.filter((each) => !each.startsWith('audit'))).toEqual(['retry w1']);
});

test('a webhook says what it is about; who may close it gives a reason, which is in the audit', async () => {
  const [nadia, sara] = [as('nadia'), as('sara', 'supervisor')];
  expect(await nadia.text('')).toMatch(/href="\/support\/webhooks\/w1">.*transfer\.received.*4211/);
  const [agent, supervisor] = [await nadia.text('/webhooks/w1'), await sara.text('/webhooks/w1')];
  for (const page of [agent, supervisor])
    for (const part of ['transfer.received', '4211', `/payments/${PAYMENT.id}`, '/webhooks/w1/retry'])
      expect(page).toContain(part);
  expect([agent.includes('/webhooks/w1/close'), supervisor.includes('/webhooks/w1/close')]).toEqual([
    false,
    true,
  ]);
  expect((await nadia.get('/webhooks/w2')).status).toBe(404);
  expect(done.splice(0)).toEqual(['audit nadia seeWebhook w1', 'audit sara seeWebhook w1']);
  const short = await sara.post('/webhooks/w1/close', { why: 'old' });
  expect(short.headers.get('location')).toMatch(/webhooks\/w1\?said=noReason$/);
  expect(done.splice(0)).toEqual(['audit sara closeWebhook w1 old']);
  await sara.post('/webhooks/w1/close', { why: 'of another partner' });
  expect(done).toEqual(['audit sara closeWebhook w1 of another partner', 'close w1']);
});

test('what a webhook says is masked as the rest is, and shown for a reason', async () => {
  const [nadia, sara, vera] = [as('nadia'), as('sara', 'supervisor'), as('vera', 'viewer')];
  const agent = await nadia.text('/webhooks/w1');
  expect(done.splice(0)).toEqual(['audit nadia seeWebhook w1']);
  expect(agent).toContain('+212 6•• •• ••');
  for (const hidden of ['Driss', '>250<', '<script>', FATIMA]) expect(agent).not.toContain(hidden);
  expect(await sara.text('/webhooks/w1')).toContain('>250<');
  expect(await vera.text('/webhooks/w1')).not.toMatch(/PrimaryAccountNumber|\/apply"/);
  expect((await nadia.post('/webhooks/w1/reveal', { why: 'short' })).headers.get('location')).toMatch(
    /noReason$/,
  );
  done = [];
  await nadia.post('/webhooks/w1/reveal', { why: 'the bank names this beneficiary' });
  expect(done.splice(0)).toEqual(['audit nadia reveal w1 the bank names this beneficiary']);
  const shown = await nadia.text('/webhooks/w1');
  for (const part of ['Driss Lahlou', '>250<', '&lt;script&gt;']) expect(shown).toContain(part);
  expect(await as('omar').text('/webhooks/w1')).not.toContain('Driss');
});

test('a webhook is applied to a payment of its wallet, with how one knows, and a second agent closes it', async () => {
  const [nadia, sara] = [as('nadia'), as('sara', 'supervisor')];
  expect(await nadia.text('/webhooks/w1')).toContain(`value="${PAYMENT.id}"`);
  done = [];
  const evidence = 'the wallet support confirms operation 4211';
  const sent = await nadia.post('/webhooks/w1/apply', { payment: PAYMENT.id, evidence });
  expect(sent.headers.get('location')).toBe(`/support/payments/${PAYMENT.id}?said=done`);
  expect(done.splice(0)).toEqual([
    `audit nadia applyWebhook w1 ${PAYMENT.id}, operation 4211: ${evidence}`,
    `applyWebhook ${PAYMENT.id}`,
  ]);
  for (const [form, said] of [
    [{ payment: PAYMENT.id, evidence: 'no' }, 'noEvidence'],
    [{ other: 'nothing-such', evidence }, 'notFound'],
  ] as const)
    expect((await nadia.post('/webhooks/w1/apply', form)).headers.get('location')).toMatch(`said=${said}`);
  payment = {
    ...PAYMENT,
    proposal: { by: 'nadia', at: NOW, as: 'succeeded', evidence, operationId: 4211, webhook: 'w1' },
  };
  done = [];
  await sara.post(`/payments/${PAYMENT.id}/approve`, { at: String(NOW) });
  expect(done.filter((each) => !each.startsWith('audit'))).toEqual([
    `approve ${PAYMENT.id} ${NOW}`,
    'close w1',
  ]);
});

test('a file goes with its form, and where none can go that is said instead', async () => {
  const body = new FormData();
  body.set('csrf', 'token');
  body.set('file', new File(['%PDF-1.7'], 'guide.pdf'));
  await as('nadia').sends(`${session}/file`, body);
  expect(done).toEqual([`audit nadia sendFile ${HERE} 8 bytes`, `sendFile ${HERE}`]);
  owner = { id: 'nadia', name: 'nadia', since: NOW, until: Date.now() + 60_000 };
  expect(await as('nadia').text(session)).toContain('This channel takes no files');
});

test('a file of the customer’s is opened by who may, and each look is in the audit before it', async () => {
  const files = `${session}/files`;
  const gave = (id: string, type: string, at: number) =>
    turn({ at, event: { kind: 'input', input: { type: 'photo', file: { id, type } }, toPerson: true } });
  const now = Date.now();
  sentTurns = [
    gave('png', 'image/png', now),
    gave('pdf', 'application/pdf', now),
    gave('old', 'image/png', now - 7 * 24 * 3_600_000),
  ];
  expect(await as('nadia').text(session), 'nobody has said why').not.toContain(files);
  done = [];
  expect((await as('nadia').get(`${files}/png`)).headers.get('location')).toMatch(/said=noReason$/);
  expect(done.splice(0), 'that somebody tried').toEqual([`audit nadia seeFile ${HERE} png`]);
  await as('nadia').post(`${session}/reveal`, { why: 'the customer called about it' });
  const page = await as('nadia').text(session);
  expect(page).toContain(`href="/support${files}/png"`);
  expect(page).toContain('Sent a document (PDF)');
  expect(page, 'a week later').not.toContain(`${files}/old`);
  expect(await as('omar', 'viewer').text(session)).not.toContain(files);
  done = [];
  const png = await as('nadia').get(`${files}/png`);
  expect(done).toEqual([`audit nadia seeFile ${HERE} png`]);
  expect(Buffer.from(await png.arrayBuffer())).toEqual(Buffer.from('picture'));
  expect(png.headers.get('content-type')).toBe('image/png');
  expect(png.headers.get('content-disposition')).toBe('inline; filename="wasl-png.png"');
  const pdf = await as('nadia').get(`${files}/pdf`);
  expect(pdf.headers.get('content-disposition')).toBe('attachment; filename="wasl-pdf.pdf"');
  for (const [file, what] of [
    ['none', 'none'],
    ['html', 'of no type that is kept'],
  ] as const)
    expect((await as('nadia').get(`${files}/${file}`)).headers.get('location'), what).toMatch(
      /said=notFound$/,
    );
  isAuditDown = true;
  expect((await as('nadia').get(`${files}/png`)).status).toBe(500);
});

test('the agent’s own case is the reason for what its customer has sent; it counts as a reveal', async () => {
  const file = `${session}/files/png`;
  it_ = { ...IT, subject: HERE, address: HERE, owner: { id: 'nadia', name: 'Nadia' } };
  expect((await as('omar').get(file)).headers.get('location'), 'another agent’s case').toMatch(
    /said=noReason$/,
  );
  const page = await as('nadia').text(session);
  expect(page).toContain('The reason is your case');
  expect(page).not.toMatch(/\/reveal".*?name="why"/s);
  expect((await as('nadia').get(file)).status).toBe(200);
  expect((await as('omar').get(file)).status, 'for whom it is open').toBe(303);
  done = [];
  await as('nadia').post(`${session}/reveal`, {});
  expect(done).toEqual([`audit nadia reveal ${HERE} c-2345678`]);
  owner = { id: 'omar', name: 'omar', since: NOW, until: Date.now() + 60_000 };
  expect((await as('omar').get(file)).status, 'who talks to the customer').toBe(200);
  // Whoever has seen enough for an hour sees no file either.
  it_ = { ...it_, owner: { id: 'sara', name: 'Sara' } };
  for (let i = 0; i < REVEALS_PER_HOUR; i++)
    await as('sara').post('/webhooks/w1/reveal', { why: 'the bank names this beneficiary' });
  expect((await as('sara').get(file)).headers.get('location')).toMatch(/said=tooMany$/);
});

test('the inbox lists cases by whose they are; who may only look takes none', async () => {
  const page = await as('nadia').text('/inbox?show=unassigned');
  for (const part of ['c-2345678', 'Asked for a person', '+212 6•• •• •• 78', 'late by', '/inbox/next'])
    expect(page).toContain(part);
  expect(page).not.toMatch(/612345678/);
  expect(await as('nadia').text('/inbox')).toContain('No cases here');
  // An agent who speaks French, or who looks after payments, has only these: in the list, in its counts and as the next one.
  it_ = { ...IT, language: 'fr' };
  await as('sara', 'supervisor').post('/cases/c-2345678/urgent');
  const narrowed = (query: string) => as('nadia').text(`/inbox?show=unassigned&${query}`);
  expect(await narrowed('speaks=fr&kind=asked')).toContain('c-2345678');
  for (const query of ['speaks=ar', 'kind=payment']) expect(await narrowed(query)).not.toContain('c-2345678');
  expect(await narrowed('speaks=ar')).toContain('name="speaks" value="ar"');
  expect(await narrowed('speaks=xx')).toContain('c-2345678');
  it_ = { ...IT, owner: { id: 'nadia', name: 'Nadia' } };
  await as('sara', 'supervisor').post('/cases/c-2345678/urgent');
  expect(await as('nadia').text('/inbox'), 'given to her by somebody else').toMatch(/badge good">new</);
  expect(await as('omar').text('/inbox')).toContain('No cases here');
  it_ = { ...it_, steps: [...IT.steps, { at: NOW, what: 'assigned', by: 'nadia' }] };
  await as('sara', 'supervisor').post('/cases/c-2345678/urgent');
  expect(await as('nadia').text('/inbox')).not.toMatch(/badge good">new</);
  expect(await as('vera', 'viewer').text('/inbox')).not.toContain('/inbox/next');
});

test('a link that would not arrive is refused before anything is sent', async () => {
  const nadia = as('nadia');
  const refused = await nadia.post(
    `${session}/write`,
    { text: 'see https://evil.example' },
    { 'hx-request': 'true' },
  );
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('Nothing was sent')]);
  expect(done, 'that somebody tried').toEqual([`audit nadia write ${HERE}`]);
  await nadia.post(`${session}/write`, { text: 'see https://wallet.example/help' });
  expect(done.at(-1)).toBe(`write ${HERE} see https://wallet.example/help`);
});

test('the last answer hands back and closes the case, where it was sent', async () => {
  const nadia = as('nadia');
  owner = { id: 'nadia', name: 'nadia', since: NOW, until: Date.now() + 60_000 };
  expect(await nadia.text(session)).toContain('Send and close the case');
  done.splice(0);
  await nadia.post(`${session}/write`, { text: 'That is settled.', last: 'yes' });
  const all = ['write', 'handBack', 'closeCase'];
  expect(done.filter((each) => !each.startsWith('audit'))).toEqual([
    expect.stringMatching(/^write .+ That is settled\.$/),
    expect.stringMatching(/^handBack /),
    expect.stringMatching(/^closeCase c-2345678/),
  ]);
  expect(done.filter((each) => each.startsWith('audit')).map((each) => each.split(' ')[2])).toEqual(all);
  acted = 'busy';
  done.splice(0);
  await nadia.post(`${session}/write`, { text: 'Not sent.', last: 'yes' });
  expect(done.map((each) => each.split(' ')[0])).toEqual(['audit', 'write']);
});

test('the next case leads to where it is worked on; where there is none, that is said', async () => {
  const nadia = as('nadia');
  expect((await nadia.post('/inbox/next')).headers.get('location')).toMatch(/^\/support\/sessions\//);
  expect(done).toEqual(['audit nadia nextCase', 'next nadia', 'audit nadia nextCase c-2345678']);
  it_ = { ...IT, kind: 'payment', subject: PAYMENT.id };
  expect((await nadia.post('/inbox/next')).headers.get('location')).toBe(`/support/payments/${PAYMENT.id}`);
  acted = 'notNow';
  expect((await nadia.post('/inbox/next')).headers.get('location')).toMatch(/said=noCase$/);
  expect(await nadia.text('/inbox?said=noCase')).toContain('no case to take');
});

const VIP = {
  id: '1a2b3c4d',
  'name-fr': 'Client pro',
  'name-ar': 'مهني',
  'name-en': 'Business',
  colour: 'blue',
};

test.each<[path: string, form: Record<string, string>, audited: string, called: string]>([
  ['take', {}, 'nextCase', 'giveCase c-2345678 nadia'],
  ['give', { to: 'omar' }, 'giveCase', 'giveCase c-2345678 nadia'],
  ['wait', {}, 'changeCase', 'setWaiting c-2345678 true nadia'],
  ['go-on', {}, 'changeCase', 'setWaiting c-2345678 false nadia'],
  ['urgent', {}, 'changeCase', 'setUrgent c-2345678 true nadia'],
  ['merge', { into: 'c-other' }, 'mergeCase', 'merge c-2345678 c-other nadia'],
  ['close', { note: 'shown where' }, 'closeCase', 'closeCase c-2345678 nadia shown where'],
  ['reopen', {}, 'reopenCase', 'reopen c-2345678 nadia'],
  ['label', { label: VIP.id }, `labelCase c-2345678 label ${VIP.id}$`, `label c-2345678 true nadia`],
  ['unlabel', { label: VIP.id }, `labelCase c-2345678 unlabel ${VIP.id}$`, `label c-2345678 false nadia`],
  ['note', { text: 'the bank calls back' }, 'addNote', 'note c-2345678 nadia the bank calls back'],
  [
    'snooze',
    { for: 'tomorrow', at: `${IN_TWO_DAYS}T15:30` },
    'snoozeCase',
    `snoozeCase c-2345678 ${(dayBegins(IN_TWO_DAYS) ?? 0) + 15.5 * 3_600_000} nadia`,
  ],
])('what is done about a case is in the audit first: %s', async (path, form, audited, called) => {
  await as('sara', 'supervisor').post('/organisation/labels', VIP);
  done = [];
  const response = await as('nadia').post(`/cases/c-2345678/${path}`, form);
  expect(response.headers.get('location')).toBe('/support/cases/c-2345678?said=done');
  expect(done[0]).toMatch(
    new RegExp(`^audit nadia ${audited.includes(' ') ? audited : `${audited} c-2345678`}`),
  );
  expect(done[1]).toBe(called);
  isAuditDown = true;
  done = [];
  expect((await as('nadia').post(`/cases/c-2345678/${path}`, form)).status).toBe(500);
  expect(done).toEqual([]);
});

test('a case is changed by its owner or a supervisor, and by anybody while it is nobody’s; a note is anybody’s', async () => {
  const forms = ['wait', 'urgent', 'snooze', 'close', 'give', 'note'];
  const offered = async (who: ReturnType<typeof as>) => {
    const pages = await who.text('/cases/c-2345678');
    return forms.filter((act) => pages.includes(`action="/support/cases/c-2345678/${act}"`));
  };
  expect(await offered(as('omar'))).toEqual(forms);
  it_ = { ...IT, owner: { id: 'nadia', name: 'Nadia' } };
  expect(await offered(as('omar'))).toEqual(['note']);
  expect(await as('omar').text(session)).not.toMatch(/c-2345678\/(snooze|close|go-on)"/);
  for (const who of [as('nadia'), as('sara', 'supervisor')]) expect(await offered(who)).toEqual(forms);
  const sends = async (who: ReturnType<typeof as>, act: string) => {
    done = [];
    const { headers } = await who.post(`/cases/c-2345678/${act}`, {
      for: 'hour',
      into: 'c-other',
      to: 'sara',
      text: 'x',
    });
    return [new URLSearchParams(headers.get('location')?.split('?')[1]).get('said'), done.length];
  };
  for (const act of ['wait', 'go-on', 'urgent', 'not-urgent', 'snooze', 'merge', 'close', 'take', 'give']) {
    expect(await sends(as('omar'), act), act).toEqual(['owned', 2]);
    if (act !== 'give') expect(await sends(as('sara', 'supervisor'), act), act).toEqual(['done', 2]);
  }
  expect(await sends(as('omar'), 'note')).toEqual(['done', 2]);
  for (const [act, field] of [
    ['snooze', 'for'],
    ['close', 'note'],
    ['go-on', 'x'],
  ] as const) {
    done = [];
    const value = act === 'snooze' ? 'hour' : 'asked by mistake';
    const fields = asForm([
      ['id', IT.id],
      ['act', act],
      [field, value],
    ]);
    const to = (await as('omar').sends('/inbox/bulk', fields)).headers.get('location') ?? '';
    expect(to, act).toMatch(/said=owned&not=c-2345678%3Aowned$/);
    expect(done.slice(2)).toEqual(['ended refused owned']);
  }
  it_ = { ...it_, state: 'closed' };
  expect(await sends(as('omar'), 'reopen'), 'its customer is back, and it may not wait').toEqual(['done', 2]);
});

test('a case that the records alone have is shown, and nothing can be done about it', async () => {
  kept = { ...IT, id: 'c-3333333', state: 'closed', closedAt: NOW, end: 'solved' };
  const nadia = as('nadia');
  const page = await nadia.text(`/cases/${kept.id}`);
  expect(done).toEqual([`audit nadia seeCase ${kept.id}`]);
  for (const part of ['c-3333333', 'closed', 'only be read', '/persons/']) expect(page).toContain(part);
  expect(page).not.toMatch(/action="[^"]*\/cases\//);
  expect((await nadia.get(`/cases/${kept.id}/work`)).headers.get('location')).toMatch(/cases\/c-3333333$/);
  expect((await nadia.post(`/cases/${kept.id}/reopen`)).status).toBe(404);
  kept = { ...kept, kind: 'webhook', subject: 'w-long-gone' };
  expect(await nadia.text(`/cases/${kept.id}`), 'which is gone').not.toContain('w-long-gone');
});

test('a note is not in the audit, and stands where its case is worked on; a snooze is for a time to come', async () => {
  const [nadia, vera] = [as('nadia'), as('vera', 'viewer')];
  await nadia.post('/cases/c-2345678/note', { text: 'the bank calls back' });
  expect(done[0]).toBe('audit nadia addNote c-2345678 note');
  const note = { at: NOW, what: 'note', by: 'omar', note: 'the <b>bank</b>' } as const;
  it_ = { ...IT, steps: [...IT.steps, note], snoozedUntil: Date.parse('2099-11-24T09:00Z') };
  for (const page of [await nadia.text(session), await nadia.text('/cases/c-2345678')]) {
    expect(page).toContain('the &lt;b&gt;bank&lt;/b&gt;');
    expect(page).toMatch(/snoozed until <time dir="ltr">24\/11\/2099 09:00/);
    for (const act of ['note', 'snooze', 'close', 'go-on'])
      expect(page).toContain(`action="/support/cases/c-2345678/${act}"`);
  }
  expect(await vera.text('/cases/c-2345678'), 'who may only look').not.toMatch(/c-2345678\/(note|snooze)"/);
  await nadia.post('/cases/c-2345678/urgent');
  const listed = async (show: string) => (await nadia.text(`/inbox?show=${show}`)).includes('c-2345678');
  expect([await listed('unassigned'), await listed('snoozed'), await listed('all')]).toEqual([
    false,
    true,
    true,
  ]);
  expect(await nadia.text('/inbox/news')).toContain('data-free="0"');
  await nadia.post('/cases/c-2345678/snooze', { for: 'customer' });
  expect(done.slice(-2)).toEqual([
    'audit nadia snoozeCase c-2345678 snooze customer',
    'snoozeCase c-2345678 customer nadia',
  ]);
  it_ = { ...it_, snoozedFor: 'customer' };
  expect(await nadia.text('/cases/c-2345678')).toContain('>snoozed until the customer writes<');
  for (const bad of [
    {},
    { for: 'never' },
    { at: 'soon' },
    { at: '2020-01-01T10:00' },
    { at: '2099-02-30T10:00' },
  ]) {
    done = [];
    const answer = await nadia.post('/cases/c-2345678/snooze', bad as Record<string, string>);
    expect(answer.headers.get('location')).toMatch(/said=badTime$/);
    expect(done.filter((each) => each.startsWith('snooze'))).toEqual([]);
  }
});

const PAYMENTS_TEAM = { name: 'Paiements', member: 'omar', kind: 'payment' };

test('a team has the cases of its kind and those that are given to it; its agents see and take them first', async () => {
  const [sara, omar, nadia] = [as('sara', 'supervisor'), as('omar'), as('nadia')];
  it_ = { ...IT, kind: 'payment', subject: PAYMENT.id };
  expect(await omar.text('/inbox'), 'without a team there is no list of it').not.toContain('show=team');
  expect((await sara.post('/organisation/teams', PAYMENTS_TEAM)).headers.get('location')).toMatch(
    /said=done$/,
  );
  expect(done[0]).toMatch(/^audit sara writeTeam [\da-f]{8} Paiements: omar payment$/);
  const id = done[0]?.split(' ')[3] ?? '';
  const listed = async (who: typeof omar, show: string) =>
    (await who.text(`/inbox?${show}`)).includes('c-2345678');
  expect([await listed(omar, 'show=team'), await listed(nadia, 'show=team')]).toEqual([true, false]);
  expect([await listed(nadia, `show=all&team=${id}`), await listed(nadia, 'show=all&team=00000000')]).toEqual(
    [true, false],
  );
  // Who is in another team is not told of it, and takes it only once there is nothing else.
  await sara.post('/organisation/teams', { name: 'Accueil', member: 'sara', kind: 'stuck' });
  expect(await omar.text('/inbox/news')).toContain('data-free="1"');
  expect(await nadia.text('/inbox/news'), 'who is in no team looks after all').toContain('data-free="1"');
  expect(await sara.text('/inbox/news')).toContain('data-free="0"');
  done = [];
  for (const each of [omar, sara]) await each.post('/inbox/next');
  expect(done.filter((each) => each.startsWith('next'))).toEqual(['next omar', 'next sara', 'next sara']);
  // A case of another kind is the team's once it is given to it, and of nobody in particular until then.
  it_ = { ...IT, owner: { id: 'nadia', name: 'Nadia' } };
  await nadia.post('/cases/c-2345678/urgent');
  expect(await listed(omar, 'show=team')).toBe(false);
  done = [];
  await nadia.post('/cases/c-2345678/give', { to: `team:${id}` });
  expect(done).toEqual([`audit nadia giveCase c-2345678 give team:${id}`, 'giveCase c-2345678 nadia']);
  it_ = { ...IT, team: id };
  await nadia.post('/cases/c-2345678/urgent');
  expect(await listed(omar, 'show=team')).toBe(true);
  expect(await nadia.text('/cases/c-2345678')).toMatch(/<dt>Team<\/dt><dd><bdi>Paiements/);
  for (const to of ['team:00000000', 'team:'])
    expect((await nadia.post('/cases/c-2345678/give', { to })).headers.get('location')).toMatch(
      /said=notFound$/,
    );
  // Without its team it is of its kind's again, and of none.
  await sara.post('/organisation/teams/remove', { id });
  expect(await listed(omar, 'show=team')).toBe(false);
});

test('a label is put on cases and taken off by any agent; the inbox narrows to it; one that is removed stays where it is', async () => {
  const [sara, nadia, vera] = [as('sara', 'supervisor'), as('nadia'), as('vera', 'viewer')];
  expect(await nadia.text('/inbox'), 'there is none to choose').not.toMatch(
    /name="label"><option|value="label"/,
  );
  await sara.post('/organisation/labels', VIP);
  expect(done[0]).toBe('audit sara writeLabel 1a2b3c4d Client pro مهني Business blue');
  it_ = { ...IT, owner: { id: 'omar', name: 'Omar' } };
  for (const path of [session, '/cases/c-2345678']) {
    expect(await nadia.text(path)).toMatch(
      /name="label" value="1a2b3c4d"> <span class="label blue"><bdi>Business/,
    );
    expect(await vera.text(path)).not.toContain('name="label"');
  }
  const step = { at: NOW, what: 'labelled', by: 'nadia', note: VIP.id } as const;
  it_ = { ...it_, labels: [VIP.id], steps: [...IT.steps, step] };
  for (const path of [session, '/cases/c-2345678']) {
    const page = await nadia.text(path);
    expect(page).toMatch(/aria-label="Remove the label \W*Business\W*"/);
    expect(page, 'it is on already').not.toContain('type="checkbox" name="label"');
    expect(await vera.text(path)).toContain('<bdi>Business</bdi>');
  }
  expect(await nadia.text('/cases/c-2345678')).toMatch(/<b>Labelled<\/b>[^\n]*<span dir="auto">Business</);
  const shows = async (label: string) =>
    (await nadia.text(`/inbox?show=all&label=${label}`)).includes('c-2345678');
  await nadia.post('/cases/c-2345678/note', { text: 'the list is read anew' });
  expect([await shows(VIP.id), await shows('00000000'), await shows('<b>')]).toEqual([true, false, true]);
  expect(await nadia.text('/inbox/csv?show=all')).toMatch(/,Labels\r\n[^\n]*,Business\r\n/);
  done = [];
  await nadia.post('/inbox/next', { label: '00000000' });
  expect((await nadia.post('/inbox/next', { label: VIP.id })).headers.get('location')).not.toContain(
    'noCase',
  );
  for (const [act, label, said] of [
    ['label', '', 'notFound'],
    ['label', 'ffffffff', 'notFound'],
    ['unlabel', 'ffffffff', 'notFound'],
    ['label', VIP.id, 'done'],
  ] as const) {
    const { headers } = await nadia.post(`/cases/c-2345678/${act}`, { label });
    expect(headers.get('location'), `${act} ${label}`).toMatch(new RegExp(`said=${said}$`));
    const fields = asForm([
      ['id', IT.id],
      ['act', act],
      ['label', label],
      ['show', 'all'],
    ]);
    const bulk = await nadia.sends('/inbox/bulk', fields);
    expect(bulk.headers.get('location'), `${act} ${label}`).toMatch(new RegExp(`said=${said}`));
  }
  await sara.post('/organisation/labels/remove', { id: VIP.id });
  expect((await nadia.post('/cases/c-2345678/label', { label: VIP.id })).headers.get('location')).toMatch(
    /said=notFound$/,
  );
  expect((await nadia.post('/cases/c-2345678/unlabel', { label: VIP.id })).headers.get('location')).toMatch(
    /said=done$/,
  );
  expect(await nadia.text('/cases/c-2345678')).toContain('<bdi>Business</bdi>');
  expect(await sara.text('/organisation')).toContain('removed: it stays on the cases that have it');
  await sara.post('/organisation/labels', VIP);
  expect(await sara.text('/organisation')).not.toContain('removed: it stays');
  expect(
    (await sara.post('/organisation/labels/remove', { id: 'ffffffff' })).headers.get('location'),
  ).toMatch(/said=notFound$/);
});

test('what the inbox is narrowed to is kept under a name: for who has named it, or by a supervisor for all', async () => {
  const [sara, nadia, omar] = [as('sara', 'supervisor'), as('nadia'), as('omar')];
  const saved = async (who: typeof nadia, path: string, name: string, more = {}) => {
    const { headers } = await who.post(`/inbox/filters${path}`, {
      show: 'all',
      speaks: 'fr',
      kind: 'asked',
      name,
      ...more,
    });
    return new URLSearchParams(headers.get('location')?.split('?')[1]).get('said');
  };
  it_ = { ...IT, language: 'fr' };
  expect(await saved(nadia, '', 'Français & urgent')).toBe('done');
  expect(done[0]).toMatch(
    /^audit nadia writeFilter [\da-f]{8} Français & urgent: show=all&speaks=fr&kind=asked$/,
  );
  const id = done[0]?.split(' ')[3] ?? '';
  const tab = /<a href="([^"]*)" ><bdi>Français &amp; urgent<\/bdi> <span class="count">1</;
  const [, path = ''] = tab.exec(await nadia.text('/inbox')) ?? [];
  expect(path).toBe('/support/inbox?show=all&amp;speaks=fr&amp;kind=asked');
  const query = path.replaceAll('&amp;', '&').replace('/support', '');
  expect(await nadia.text(query)).toMatch(/aria-current="page"><bdi>Français/);
  for (const page of [await omar.text('/inbox'), await sara.text('/inbox')])
    expect(page).not.toContain('<bdi>Français');
  for (const [name, said] of [
    ['', 'filterName'],
    ['<b>', 'filterName'],
    ['a'.repeat(31), 'filterName'],
    ['Français & urgent', 'filterTaken'],
  ] as const)
    expect(await saved(nadia, '', name), name).toBe(said);
  // What is no choice is left out.
  await saved(nadia, '', 'Bad', {
    show: 'nothing',
    speaks: 'de',
    kind: 'toString',
    team: '../../x',
    label: '"',
  });
  expect(done.at(-1)).toMatch(/ Bad: show=mine$/);
  expect((await omar.post('/inbox/filters/remove', { id })).headers.get('location')).toMatch(
    /said=notFound$/,
  );
  await nadia.post('/inbox/filters/remove', { id });
  expect(await nadia.text('/inbox')).not.toContain('<bdi>Français');

  expect(await saved(sara, '/shared', 'À tous')).toBe('done');
  const shared = done.at(-1)?.split(' ')[3] ?? '';
  const theirs = await omar.text('/inbox?show=all&speaks=fr&kind=asked');
  expect(theirs).toMatch(/aria-current="page"><bdi>À tous/);
  expect(theirs, 'it is not theirs to remove').not.toMatch(/filters\/shared|filters\/remove/);
  expect(await sara.text('/inbox?show=all&speaks=fr&kind=asked')).toContain('/inbox/filters/shared/remove"');
  await sara.post('/inbox/filters/shared/remove', { id: shared });
  expect(await omar.text('/inbox')).not.toContain('<bdi>À tous');
  for (let i = 0; i < 21; i++)
    expect(await saved(omar, '', `Filter ${i}`), `${i}`).toBe(i < 20 ? 'done' : 'full');
});

const MACRO = {
  id: 'aaaa1111',
  name: 'Merci et clore',
  answer: 'console.cannedBye',
  label: VIP.id,
  give: 'bbbb2222',
  close: 'answered by phone',
};

test('a macro shows what it will do, does it as if by hand, and stops at the first act that is refused', async () => {
  const [sara, nadia] = [as('sara', 'supervisor'), as('nadia')];
  await sara.post('/organisation/labels', VIP);
  await sara.post('/organisation/teams', { id: MACRO.give, name: 'Paiements' });
  expect((await sara.post('/organisation/macros', MACRO)).headers.get('location')).toMatch(/said=done$/);
  expect(done.at(-1)).toBe(
    'audit sara writeMacro aaaa1111 Merci et clore: answer console.cannedBye, label 1a2b3c4d, give bbbb2222, close answered by phone',
  );
  it_ = { ...IT, language: 'fr' };
  for (const path of [session, '/cases/c-2345678']) {
    const page = await nadia.text(path);
    const [, does = ''] = /<ol id="does-aaaa1111">(.*?)<\/ol>/s.exec(page) ?? [];
    expect(does.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')).toMatch(
      /Write to the customer Merci de votre message. Bonne journée. Label Business Give to Paiements Close the case answered by phone/,
    );
    expect(await as('vera', 'viewer').text(path)).not.toContain('Merci et clore');
  }
  owner = { id: 'nadia', name: 'Nadia', until: NOW } as never;
  const read = async () =>
    /name="macro" value="([^"]+)"/.exec(await nadia.text('/cases/c-2345678'))?.[1] ?? 'aaaa1111:none';
  const runs = async (form?: Record<string, string>) => {
    const macro = await read();
    done = [];
    const { headers } = await nadia.post('/cases/c-2345678/macro', form ?? { macro });
    return new URLSearchParams(headers.get('location')?.split('?')[1]).get('said');
  };
  expect(await runs()).toBe('done');
  expect(done[0]).toBe('audit nadia runMacro c-2345678 Merci et clore');
  expect(done.map((each) => each.split(' ').slice(0, 3).join(' '))).toEqual([
    'audit nadia runMacro',
    'audit nadia write',
    expect.stringMatching(/^write ussd/),
    'ended done',
    'audit nadia labelCase',
    'label c-2345678 true',
    'ended done',
    'audit nadia giveCase',
    'giveCase c-2345678 nadia',
    'ended done',
    'audit nadia closeCase',
    'closeCase c-2345678 nadia',
    'audit nadia handBack',
    expect.stringMatching(/^handBack ussd/),
    'ended done',
  ]);
  // What is so already is no refusal.
  it_ = { ...it_, labels: [VIP.id], team: MACRO.give };
  expect(await runs()).toBe('done');
  expect(done.join()).not.toMatch(/labelCase|giveCase/);
  acted = 'again';
  expect(await runs(), 'the customer has the answer: the press was repeated').toBe('stopped-close-notNow');
  expect(done.slice(3, 4), 'which was not sent').toEqual(['ended refused again']);
  // Somebody else's press of the same came between the look and the act.
  it_ = { ...it_, labels: [] };
  onFound = () => {
    if (done.some((each) => each.includes('labelCase'))) it_ = { ...it_, labels: [VIP.id] };
  };
  expect(await runs()).toBe('stopped-close-notNow');
  expect(done).toContain('ended refused again');
  onFound = () => {};
  acted = 'notOwner';
  expect(await runs()).toBe('stopped-answer-notOwner');
  expect(done.slice(3)).toEqual(['ended refused notOwner']);
  const hx = await nadia.post('/cases/c-2345678/macro', { macro: await read() }, { 'hx-request': 'true' });
  expect([hx.status, await hx.text()]).toEqual([
    409,
    expect.stringMatching(
      /stopped at “\W*Write to the customer\W*”; acts before it, if any, were done\. Nothing was changed/,
    ),
  ]);
  acted = 'done';
  const before = await read();
  for (const [change, said] of [
    [{ owner: { id: 'omar', name: 'Omar' } }, 'owned'],
    [{ state: 'closed' }, 'notNow'],
  ] as const) {
    it_ = { ...IT, ...change };
    expect(await runs({ macro: before }), 'nothing of it is done').toBe(said);
    expect(done).toEqual(['audit nadia runMacro c-2345678 Merci et clore']);
    expect(refusal, 'with which its entry in the audit ends').toBe(said);
  }
  it_ = IT;
  const stale = await read();
  await sara.post('/organisation/macros', { ...MACRO, close: 'never answered' });
  for (const macro of [stale, MACRO.id, `${MACRO.id}:`]) {
    expect(await runs({ macro }), 'nobody has read what it does now').toBe('macroChanged');
    expect([done, refusal]).toEqual([['audit nadia runMacro c-2345678 Merci et clore'], 'macroChanged']);
  }
  refusal = undefined;
  const anew = await nadia.post('/cases/c-2345678/macro', { macro: stale }, { 'hx-request': 'true' });
  expect(refusal).toBe('macroChanged');
  expect([anew.status, anew.headers.get('hx-redirect')]).toEqual([
    204,
    expect.stringMatching(/\/sessions\/.+\?said=macroChanged$/),
  ]);
  const written = { 'text-ar': 'شكرا لكم', 'word-ar': 'تحية', 'text-fr': 'Merci', 'word-fr': 'salut' };
  const canned = { id: 'cccc3333', ...written, 'text-en': 'Thank you', 'word-en': 'greet' };
  await sara.post('/organisation/answers', canned);
  await sara.post('/organisation/macros', { ...MACRO, answer: canned.id });
  const thanks = await read();
  await sara.post('/organisation/answers', { ...canned, 'text-en': 'Goodbye' });
  expect(await runs({ macro: thanks }), 'its answer is another one').toBe('macroChanged');
  await sara.post('/organisation/macros', MACRO);
  await sara.post('/organisation/teams/remove', { id: MACRO.give });
  expect(await nadia.text(session)).toContain('(removed: the macro will stop here)');
  expect(await runs()).toBe('stopped-give-notFound');
  expect(done.join()).not.toContain('closeCase');
  for (const macro of ['', 'ffffffff']) {
    expect(await runs({ macro })).toBe('notFound');
    expect([done, refusal]).toEqual([['audit nadia runMacro c-2345678'], 'notFound']);
  }
  expect((await nadia.post('/cases/c-7777777/macro', { macro: MACRO.id })).status).toBe(404);
  expect(await nadia.text('/inbox?said=macroChanged')).toContain('Read again what it will do');
  expect(await nadia.text('/inbox?said=stopped-toString-done')).not.toMatch(/role="status"><p/);
  expect(await nadia.text('/inbox?said=stopped-give-toString')).not.toMatch(/role="status"><p/);
  await sara.post('/organisation/macros/remove', { id: MACRO.id });
  expect(await nadia.text(session)).not.toContain('Merci et clore');
});

test('a mention is read without opening the case, one or all that the list shows, by whom it names', async () => {
  const omar = as('omar');
  const step = { at: NOW, what: 'assigned', by: 'sara', note: 'Sara', from: 'omar' } as const;
  it_ = {
    ...IT,
    owner: { id: 'sara', name: 'Sara' },
    language: 'ar',
    mentions: { omar: true, nadia: false },
    steps: [...IT.steps, step],
  };
  const page = plain(await omar.text('/inbox?show=mentions'));
  expect(page).toMatch(/new<.*no longer yours<.*name="id" value="c-2345678"><button[^>]*>Mark as read/s);
  expect(page).toContain('Mark all as read');
  for (const other of [await omar.text('/inbox?show=all'), await as('nadia').text('/inbox?show=mentions')])
    expect(other).not.toMatch(/Mark as read|Mark all/);
  expect(plain(await omar.text('/inbox?show=all'))).toContain('no longer yours');
  for (const [form, looked] of [
    [{ id: 'c-2345678' }, true],
    [{ id: 'c-2345678', speaks: 'fr' }, true],
    [{}, true],
    [{ speaks: 'fr' }, false],
    [{ id: 'c-9999999' }, false],
    [{ id: '' }, false],
  ] as const) {
    done = [];
    const { headers } = await omar.post('/inbox/read', form);
    expect(done, JSON.stringify(form)).toEqual(looked ? ['looked c-2345678 omar'] : []);
    expect(headers.get('location')).toMatch(/^\/support\/inbox\?show=mentions.*&said=done$/);
  }
  done = [];
  await as('nadia').post('/inbox/read');
  expect(done, 'she has looked').toEqual([]);
  expect(plain(await as('nadia').text('/cases/c-2345678'))).toMatch(
    /Given to<.*sara.*Sara.*\(before: Omar\)/s,
  );
});

test.each<[why: string, form: Record<string, string>, said: string]>([
  ['no name', { ...MACRO, name: '' }, 'macroName'],
  ['a name that is markup', { ...MACRO, name: '<i>' }, 'macroName'],
  ['another one’s name', { ...MACRO, id: '99999999' }, 'macroTaken'],
  ['nothing to do', { id: '99999999', name: 'Nothing', close: '  ' }, 'macroNothing'],
  ['a snooze and an end', { ...MACRO, id: '99999999', name: 'Both', snooze: 'hour' }, 'macroBoth'],
  ['a snooze that is none', { id: '99999999', name: 'Never', snooze: 'toString' }, 'macroSnooze'],
  ['an answer that is none', { ...MACRO, answer: 'ffffffff' }, 'macroGone'],
  ['a label that is none', { ...MACRO, label: 'ffffffff' }, 'macroGone'],
  ['a team that is none', { ...MACRO, give: 'ffffffff' }, 'macroGone'],
  ['a long sentence', { ...MACRO, close: 'a'.repeat(501) }, 'macroClose'],
])('a macro with %s is not kept', async (_, form, said) => {
  const sara = as('sara', 'supervisor');
  await sara.post('/organisation/labels', VIP);
  await sara.post('/organisation/teams', { id: MACRO.give, name: 'Paiements' });
  await sara.post('/organisation/macros', MACRO);
  expect((await sara.post('/organisation/macros', form)).headers.get('location')).toMatch(
    new RegExp(`said=${said}$`),
  );
});

test.each<[string, string, number, Record<string, string>?]>([
  [`${session}/write`, 'text', 1_000],
  [`${session}/reveal`, 'why', 300],
  [`${session}/freeze`, 'why', 300],
  [`${session}/stop-agent`, 'why', 300],
  [`${person}/note`, 'text', 1_000],
  [`/payments/${PAYMENT.id}/propose`, 'evidence', 500, { as: 'succeeded' }],
  ['/webhooks/w1/apply', 'evidence', 500, { payment: PAYMENT.id }],
  ['/webhooks/w1/close', 'why', 300],
  ['/cases/c-2345678/note', 'text', 500],
  ['/cases/c-2345678/close', 'note', 500],
])(
  'what is typed is not cut but refused where it is too long, and a line end is one character: %s',
  async (path, field, max, more = {}) => {
    const nadia = as('nadia', path.startsWith('/webhooks') ? 'supervisor' : 'agent');
    const whole = `${'on this line\n'.repeat(100).slice(0, max - 1)}x`.replaceAll('\n', '\r\n');
    done = [];
    const tooLong = await nadia.post(path, { ...more, [field]: 'x'.repeat(max + 1) });
    expect(tooLong.headers.get('location')).toMatch(/said=tooLong$/);
    expect(
      done.filter((each) => !each.startsWith('audit ')),
      'nothing is done',
    ).toEqual([]);
    const taken = await nadia.post(path, { ...more, [field]: whole });
    expect(taken.headers.get('location')).not.toMatch(/tooLong/);
  },
);

test('only what closes a case gives its note as the reason to the audit', async () => {
  const nadia = as('nadia');
  await nadia.post('/cases/c-2345678/note', { text: 'seen', note: 'of another field' });
  expect(done.join()).not.toContain('of another field');
});

test('who is named in a note finds the case under mentions, is told of it, and has read it by looking', async () => {
  const [nadia, omar] = [as('nadia'), as('omar')];
  for (const [text, named] of [
    ['@omar, can you call? Not nadia@sara.example', 'omar'],
    ['for @Omar. And @nobody', 'omar'],
    ['@sara (@omar)', 'omar,sara'],
    ['for nobody', ''],
  ] as const) {
    const noted: unknown[] = [];
    onNote = (...what) => void noted.push(...what);
    await nadia.post('/cases/c-2345678/note', { text });
    expect(noted, text).toEqual(['c-2345678', 'nadia', text, named === '' ? [] : named.split(',')]);
  }
  for (const [text, said] of [
    ['@omarr: look', 'toldNobody'],
    ['@omarr @omar', 'toldSome'],
    ['@sara @omar', 'done'],
    ['a@b', 'done'],
    ['for @Sara.', 'done'],
  ] as const) {
    const { headers } = await nadia.post('/cases/c-2345678/note', { text });
    expect(headers.get('location'), text).toMatch(new RegExp(`said=${said}$`));
  }
  expect(await nadia.text('/cases/c-2345678?said=toldNobody')).toMatch(/note good">.*nobody was told/);
  expect(await nadia.text(session)).toMatch(/role="option"[^>]*data-word="omar" data-also="Omar"/);
  const note = { at: NOW, what: 'note', by: 'nadia', note: 'for @omar, <b>soon</b>, @omarr' } as const;
  it_ = {
    ...IT,
    owner: { id: 'nadia', name: 'Nadia' },
    mentions: { omar: true },
    steps: [...IT.steps, note],
  };
  const listed = async (who: typeof omar) => /c-2345678\/work/.test(await who.text('/inbox?show=mentions'));
  await nadia.post('/cases/c-2345678/urgent');
  expect([await listed(omar), await listed(nadia), await listed(as('sara'))]).toEqual([true, false, false]);
  expect(await omar.text('/inbox/news')).toContain('data-news="1"');
  expect(await nadia.text('/inbox/news'), 'she has written it').toContain('data-news="0"');
  expect(await as('sara').text('/inbox/news')).toContain('data-news="0"');
  for (const path of [session, '/cases/c-2345678']) {
    done = [];
    expect(await omar.text(path)).toContain(
      'for <b class="mention">@omar</b>, &lt;b&gt;soon&lt;/b&gt;, @omarr',
    );
    expect(done).toContain('looked c-2345678 omar');
    done = [];
    await nadia.text(path);
    expect(done.join()).not.toContain('looked');
  }
  it_ = { ...it_, mentions: { omar: false } };
  await nadia.post('/cases/c-2345678/urgent');
  expect([await listed(omar), await omar.text('/inbox/news')]).toEqual([
    true,
    expect.stringContaining('data-news="0"'),
  ]);
  done = [];
  await omar.text(session);
  expect(done.join(), 'they have looked').not.toContain('looked');
  // Whoever has not looked is still told once the case is closed, and led to where it stands.
  it_ = { ...it_, state: 'closed', closedAt: NOW, end: 'solved', mentions: { omar: true, sara: false } };
  const closed = { ...it_ };
  await nadia.post('/cases/c-2345678/reopen');
  expect([await listed(omar), await listed(as('sara')), await listed(nadia)]).toEqual([true, false, false]);
  const mentions = await omar.text('/inbox?show=mentions');
  expect(mentions).toMatch(
    /<td>.*c-2345678\/work.*<span class="badge good">new<.*<span class="badge ">closed</s,
  );
  expect(mentions, 'there is nothing left to do about it').not.toMatch(
    /type="checkbox"[^>]*value="c-2345678"/,
  );
  expect(await omar.text('/inbox?show=all')).not.toContain('c-2345678/work');
  expect(await omar.text('/inbox/news')).toContain('data-news="1"');
  const { headers } = await omar.get('/cases/c-2345678/work');
  expect(headers.get('location')).toBe('/support/cases/c-2345678');
  done = [];
  await omar.text('/cases/c-2345678');
  expect(done).toContain('looked c-2345678 omar');
  it_ = { ...closed, mentions: { omar: false } };
  await nadia.post('/cases/c-2345678/reopen');
  expect([await listed(omar), await omar.text('/inbox/news')]).toEqual([
    false,
    expect.stringContaining('data-news="0"'),
  ]);
});

test.each<[why: string, form: Record<string, string>, said: string]>([
  ['no name in a language', { ...VIP, 'name-ar': ' ' }, 'labelName'],
  ['a name that is markup', { ...VIP, 'name-fr': '<b>' }, 'labelName'],
  ['a long name', { ...VIP, 'name-en': 'a'.repeat(25) }, 'labelName'],
  ['a colour that is not in the table', { ...VIP, colour: 'red;}' }, 'labelColour'],
  ['another one’s name', { ...VIP, id: '99999999', 'name-fr': 'Autre', 'name-ar': 'غيره' }, 'labelTaken'],
])('a label with %s is not kept', async (_, form, said) => {
  const sara = as('sara', 'supervisor');
  await sara.post('/organisation/labels', VIP);
  expect((await sara.post('/organisation/labels', form)).headers.get('location')).toMatch(
    new RegExp(`said=${said}$`),
  );
  expect((await sara.text('/organisation')).match(/class="label blue"><bdi>/g)).toHaveLength(1);
});

test.each<[why: string, form: Record<string, string>, said: string]>([
  ['no name', { ...PAYMENTS_TEAM, name: ' ' }, 'teamName'],
  ['a name that is markup', { ...PAYMENTS_TEAM, name: '<b>' }, 'teamName'],
  ['a long name', { ...PAYMENTS_TEAM, name: 'a'.repeat(41) }, 'teamName'],
  ['the same name', { ...PAYMENTS_TEAM, kind: 'asked' }, 'teamTaken'],
  ['a kind that is another one’s', { ...PAYMENTS_TEAM, name: 'Autre' }, 'teamKind'],
])('a team with %s is not kept', async (_, form, said) => {
  const sara = as('sara', 'supervisor');
  await sara.post('/organisation/teams', PAYMENTS_TEAM);
  const refused = await sara.post('/organisation/teams', form, { 'hx-request': 'true' });
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('Nothing was saved')]);
  const { headers } = await sara.post('/organisation/teams', form);
  expect(headers.get('location')).toBe(`/support/organisation?said=${said}`);
  expect((await sara.text('/organisation')).match(/action="\/support\/organisation\/teams"/g)).toHaveLength(
    2,
  );
});

test('an answer that a supervisor writes is offered beside the built-in ones, and its text is in the audit', async () => {
  const sara = as('sara', 'supervisor');
  const texts = {
    'text-fr': 'Passez en agence.',
    'text-ar': 'المرجو زيارة الوكالة.',
    'text-en': 'Come to a branch.',
  };
  const words = { 'word-fr': 'agence', 'word-ar': 'وكالة', 'word-en': 'agency' };
  owner = { id: 'nadia', name: 'nadia', since: NOW, until: Date.now() + 60_000 };
  const answered = await sara.post('/organisation/answers', { ...texts, ...words }, { 'hx-request': 'true' });
  expect([answered.status, answered.headers.get('hx-redirect')]).toEqual([
    204,
    '/support/organisation?said=done',
  ]);
  expect(done[0]).toMatch(/^audit sara writeAnswer [\da-f]{8} agence وكالة agency: Passez en agence\./s);
  const id = done[0]?.split(' ')[3] ?? '';
  const offered = async () =>
    /data-word="(agency)" data-text="([^"]*)"/.exec(await as('nadia').text(session))?.slice(1);
  expect(await offered(), 'her word, the customer’s language').toEqual(['agency', 'Passez en agence.']);
  await sara.post('/organisation/answers', { ...texts, ...words, id, 'text-fr': 'Venez en agence.' });
  expect(await offered()).toEqual(['agency', 'Venez en agence.']);
  const { 'text-ar': _gone, ...two } = texts;
  const wrong = await sara.post('/organisation/answers', { ...two, ...words, id });
  expect(wrong.headers.get('location')).toMatch(/said=answerText$/);
  for (const said of ['done', 'notFound'])
    expect((await sara.post('/organisation/answers/remove', { id })).headers.get('location')).toMatch(
      new RegExp(`said=${said}$`),
    );
  expect(await offered()).toBeUndefined();
});

const MISSING = 'c-7777777';
/** A form may have the same field several times. */
const asForm = (fields: readonly (readonly [string, string])[]) => {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
};

test.each<[act: string, fields: Record<string, string>, audited: string, called: string]>([
  [
    'give',
    { to: 'omar', note: 'of another act' },
    'giveCase c-2345678 give omar',
    'giveCase c-2345678 nadia',
  ],
  ['snooze', { for: 'hour', to: 'omar' }, 'snoozeCase c-2345678 snooze hour', 'snoozeCase c-2345678'],
  [
    'close',
    { note: 'asked by mistake', for: 'hour' },
    'closeCase c-2345678 close: asked by mistake',
    'closeCase c-2345678 nadia asked by mistake',
  ],
])(
  'about several cases at once, each in the audit with how it ended: %s',
  async (act, fields, audited, called) => {
    const chosen = [
      ['id', IT.id],
      ['id', IT.id],
      ['id', MISSING],
      ['id', 'no case'],
      ['act', act],
    ] as const;
    const send = () =>
      as('nadia').sends('/inbox/bulk', asForm([...chosen, ...Object.entries(fields), ['show', 'all']]));
    const one = (await send()).headers.get('location') ?? '';
    const query = Object.fromEntries(new URLSearchParams(one.split('?')[1]));
    expect(query).toMatchObject({ show: 'all', said: 'someNot', not: `${MISSING}:notFound`, did: act });
    expect(one, 'what was typed is in no address').not.toContain('mistake');
    expect(done).toEqual([`audit nadia ${audited}`, expect.stringContaining(called), 'ended done']);
    const page = await as('nadia').text(one.replace('/support', ''));
    expect(page).toContain('Done, but not for all');
    expect(page).toMatch(/href="\/support\/cases\/c-7777777">.*<\/a> It is no longer there\./);
    for (const value of [act, fields.for, fields.to])
      if (value) expect(page, 'it stays as chosen').toContain(`<option value="${value}" selected>`);
    [done, acted] = [[], 'notNow'];
    await send();
    expect(done.at(-1)).toBe('ended refused notNow');
  },
);

test.each<[why: string, fields: readonly (readonly [string, string])[], said: string]>([
  [
    'no case',
    [
      ['act', 'close'],
      ['note', 'asked by mistake'],
    ],
    'noneChosen',
  ],
  [
    'an act that is not for many',
    [
      ['act', 'merge'],
      ['into', IT.id],
      ['id', IT.id],
    ],
    'noneChosen',
  ],
  [
    'no act',
    [
      ['act', 'toString'],
      ['id', IT.id],
    ],
    'noneChosen',
  ],
  [
    'no macro',
    [
      ['act', 'macro'],
      ['id', IT.id],
    ],
    'noMacro',
  ],
  [
    'a macro that is none',
    [
      ['act', 'macro'],
      ['macro', 'ffffffff:0'],
      ['id', IT.id],
    ],
    'notFound',
  ],
  [
    'no time',
    [
      ['act', 'snooze'],
      ['for', 'never'],
      ['id', IT.id],
    ],
    'badTime',
  ],
  [
    'nobody',
    [
      ['act', 'give'],
      ['to', 'nobody'],
      ['id', IT.id],
    ],
    'notFound',
  ],
])('nothing is done about several cases with %s', async (_, fields, said) => {
  const to = (await as('nadia').sends('/inbox/bulk', asForm(fields))).headers.get('location') ?? '';
  expect(new URLSearchParams(to.split('?')[1]).get('said')).toBe(said);
  expect(done.filter((each) => !/^(audit|ended refused)/.test(each))).toEqual([]);
});

test.each(['', 'asked by mistake'])(
  'one case or many are closed with the words %j: none are needed',
  async (note) => {
    const nadia = as('nadia');
    const one = await nadia.post('/cases/c-2345678/close', { note });
    const closed = [...done];
    done = [];
    const many = await nadia.sends(
      '/inbox/bulk',
      asForm([
        ['act', 'close'],
        ['note', note],
        ['id', IT.id],
      ]),
    );
    for (const { headers } of [one, many]) expect(headers.get('location')).toMatch(/said=done$/);
    expect(done).toEqual([...closed, 'ended done']);
    expect(closed).toEqual([
      `audit nadia closeCase c-2345678 close${note && `: ${note}`}`,
      `closeCase c-2345678 nadia ${note}`,
    ]);
    expect(await nadia.text('/inbox?show=all')).toMatch(
      /class="row for-close">.*<input name="note" maxlength="500"/,
    );
  },
);

test('a macro is run on several cases as on one: what was read, each with its reason and its entry in the audit', async () => {
  const [sara, nadia] = [as('sara', 'supervisor'), as('nadia')];
  const bar = /name="act"><option.*?value="macro"/s;
  expect(await nadia.text('/inbox?show=all'), 'there is none').not.toMatch(bar);
  await sara.post('/organisation/labels', VIP);
  await sara.post('/organisation/teams', { id: MACRO.give, name: 'Paiements' });
  await sara.post('/organisation/macros', MACRO);
  owner = { id: 'nadia', name: 'Nadia', until: NOW } as never;
  it_ = { ...IT, language: 'fr' };
  const read = async () => {
    const page = await nadia.text('/inbox?show=all');
    expect(page).toMatch(bar);
    const [, does = ''] = /<ol id="does-aaaa1111">(.*?)<\/ol>/s.exec(page) ?? [];
    expect(does, 'in their own language').toContain('Thank you for your message');
    return /name="macro" value="(aaaa1111:[^"]+)"/.exec(page)?.[1] ?? '';
  };
  const runs = async (macro: string, ...ids: string[]) => {
    done = [];
    const chosen = ids.map((id) => ['id', id] as const);
    const form = asForm([...chosen, ['act', 'macro'], ['macro', macro], ['show', 'all']]);
    const to = (await nadia.sends('/inbox/bulk', form)).headers.get('location') ?? '';
    const { said, not } = Object.fromEntries(new URLSearchParams(to.split('?')[1]));
    return [said, not, to.replace('/support', '')];
  };
  expect((await runs(await read(), IT.id)).slice(0, 2)).toEqual(['done', undefined]);
  expect(done[0]).toBe('audit nadia runMacro c-2345678 Merci et clore');
  expect(done.filter((each) => each.startsWith('audit')).map((each) => each.split(' ')[2])).toEqual([
    'runMacro',
    'write',
    'labelCase',
    'giveCase',
    'closeCase',
    'handBack',
  ]);
  expect(done.at(-1), 'the macro of this case').toBe('ended done');
  acted = 'notOwner';
  const macro = await read();
  const [said, not, to = ''] = await runs(macro, IT.id, MISSING);
  expect([said, not]).toEqual(['allNot', `${IT.id}:stopped-answer-notOwner,${MISSING}:notFound`]);
  expect(done.at(-1)).toBe('ended refused stopped-answer-notOwner');
  const page = await nadia.text(to);
  expect(page).toMatch(/c-2345678<\/code><\/a> The macro stopped at “\W*Write to the customer/);
  expect(page).toMatch(/value="macro" selected/);
  expect(page).toMatch(/name="macro" value="aaaa1111:[^"]+"\s+checked/);
  // Another agent's, and what was changed after it was read.
  acted = 'done';
  const took = { at: Date.now() - AGO_MS, what: 'assigned', by: 'omar', note: 'Omar' } as const;
  it_ = { ...it_, owner: { id: 'omar', name: 'Omar' }, steps: [...IT.steps, took] };
  const [, other, back = ''] = await runs(macro, IT.id);
  expect(other).toBe(`${IT.id}:owned:assigned.${took.at}`);
  expect(done).toEqual(['audit nadia runMacro c-2345678 Merci et clore', 'ended refused owned']);
  expect(plain(await nadia.text(back))).toMatch(/Nothing was changed\. Omar took this case 2d ago\./);
  it_ = { ...IT, language: 'fr' };
  const written = { 'text-ar': 'شكرا لكم', 'word-ar': 'تحية', 'text-fr': 'Merci', 'word-fr': 'salut' };
  const canned = { id: 'cccc3333', ...written, 'text-en': 'Thank you for your message', 'word-en': 'greet' };
  await sara.post('/organisation/answers', canned);
  await sara.post('/organisation/macros', { ...MACRO, answer: canned.id });
  const before = await read();
  await sara.post('/organisation/answers', { ...canned, 'text-fr': 'Adieu' });
  for (const stale of [macro, before, 'aaaa1111', 'aaaa1111:']) {
    expect((await runs(stale, IT.id)).slice(0, 2)).toEqual(['macroChanged', `${IT.id}:macroChanged`]);
    expect(done).toEqual(['audit nadia runMacro c-2345678 Merci et clore', 'ended refused macroChanged']);
  }
});

/** Without the marks that keep names apart. */
const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, '');
const omars = (what: Case['steps'][number]['what'], note?: string) => ({
  at: Date.now() - AGO_MS,
  what,
  by: 'omar',
  ...(note && { note }),
});

test.each<[path: string, form: Record<string, string>, it: Partial<Case>, sentence: string]>([
  ['close', {}, { state: 'closed', end: 'solved', steps: [omars('closed')] }, 'Omar closed this case'],
  ['note', { text: 'x' }, { state: 'closed', steps: [omars('closed')] }, 'Omar closed this case'],
  ['snooze', { for: 'hour' }, { state: 'closed', steps: [omars('closed')] }, 'Omar closed this case'],
  [
    'close',
    {},
    { state: 'closed', end: 'merged', steps: [omars('closed', 'c-9999999')] },
    'Omar merged this case into another one',
  ],
  [
    'close',
    {},
    { state: 'closed', end: 'byCustomer', steps: [{ at: Date.now() - AGO_MS, what: 'closed' }] },
    'The customer closed this case',
  ],
  [
    'urgent',
    {},
    { state: 'closed', end: 'byItself', steps: [{ at: Date.now() - AGO_MS, what: 'closed' }] },
    'This case was no longer needed and was closed',
  ],
  [
    'take',
    {},
    { owner: { id: 'omar', name: 'Omar' }, steps: [omars('assigned', 'Omar'), omars('urgent')] },
    'Omar took this case',
  ],
  [
    'close',
    {},
    { owner: { id: 'sara', name: 'Sara' }, steps: [omars('assigned', 'Sara')] },
    'Omar gave this case to Sara',
  ],
  ['give', { to: 'sara' }, { steps: [omars('toTeam', 'Cards')] }, 'Omar gave this case to the team Cards'],
  [
    'wait',
    {},
    { state: 'waiting', steps: [omars('waiting')] },
    'Omar set this case to wait for the customer',
  ],
  ['wait', {}, { state: 'waiting', steps: [omars('answered')] }, 'Omar answered the customer'],
  ['go-on', {}, { steps: [omars('goesOn'), omars('note', 'x')] }, 'Omar resumed this case'],
  ['urgent', {}, { isUrgent: true, steps: [omars('urgent')] }, 'Omar marked this case as urgent'],
  ['not-urgent', {}, { steps: [omars('notUrgent')] }, 'Omar removed the urgent mark'],
  [
    'label',
    { label: '1a2b3c4d' },
    { steps: [omars('labelled', '1a2b3c4d')] },
    'Omar put the label “Business” on this case',
  ],
  [
    'unlabel',
    { label: '1a2b3c4d' },
    { steps: [omars('unlabelled', '1a2b3c4d')] },
    'Omar took the label “Business” off this case',
  ],
  ['reopen', {}, { steps: [omars('reopened')] }, 'Omar reopened this case'],
  ['snooze', { for: 'hour' }, { steps: [omars('snoozed')] }, 'Omar snoozed this case'],
  // Where nothing of the kind was done, the general sentence stays.
  ['note', { text: 'x' }, { steps: [omars('note', 'y')] }, ''],
  ['label', { label: '1a2b3c4d' }, { steps: [omars('labelled', '99999999'), omars('urgent')] }, ''],
  ['reopen', {}, { state: 'closed', steps: [omars('closed')] }, ''],
  ['merge', { into: 'c-9999999' }, { steps: [omars('urgent')] }, ''],
])(
  'who comes second with %s %j reads what came first, and sees the case as it is: %j',
  async (path, form, change, words) => {
    await as('sara', 'supervisor').post('/organisation/labels', VIP);
    const nadia = as('nadia');
    [it_, acted] = [{ ...IT, ...change }, 'notNow'];
    const to = (await nadia.post(`/cases/c-2345678/${path}`, form)).headers.get('location') ?? '';
    const hx = await nadia.post(`/cases/c-2345678/${path}`, form, { 'hx-request': 'true' });
    expect(hx.status).toBe(409);
    for (const shown of [await nadia.text(to.replace('/support', '')), await hx.text()]) {
      const [, note = ''] = /class="note bad">(.*?)<\/p>/.exec(plain(shown)) ?? [];
      expect(note).toMatch(
        words ? new RegExp(`^Nothing was changed\\. ${words} 2d ago\\.$`) : /^Nothing was changed: it is not/,
      );
    }
    for (const before of ['', '1', 'closed.', `opened.${NOW}`, 'closed.1', '9'.repeat(40)])
      expect(await nadia.text(`/cases/c-2345678?said=notNow&before=${before}`)).toContain('as things stand');
  },
);

test.each<[path: string, form: Record<string, string>, it: Partial<Case>, sentence: string]>([
  ['close', {}, { state: 'closed', steps: [omars('closed')] }, 'You closed this case'],
  [
    'urgent',
    {},
    { state: 'closed', end: 'merged', steps: [omars('closed', 'c-9999999')] },
    'You closed this case',
  ],
  ['urgent', {}, { isUrgent: true, steps: [omars('urgent')] }, 'You have done this already'],
  ['take', {}, { steps: [omars('assigned', 'Omar')] }, 'You have done this already'],
  ['give', { to: 'sara' }, { steps: [omars('assigned', 'Sara')] }, 'You gave this case to Sara'],
  ['give', { to: 'sara' }, { steps: [omars('toTeam', 'Cards')] }, 'You gave this case to Cards'],
  ['wait', {}, { state: 'waiting', steps: [omars('answered')] }, 'You answered the customer'],
  ['label', { label: '1a2b3c4d' }, { steps: [omars('labelled', '1a2b3c4d')] }, 'You have done this already'],
  ['note', { text: ' PIN 4821 ' }, { steps: [omars('note', 'PIN ••••')] }, 'You have done this already'],
])('who repeats %s %j of their own reads when they did it: %j', async (path, form, change, words) => {
  const omar = as('omar', 'supervisor');
  await omar.post('/organisation/labels', VIP);
  for (const [daysAgo, at] of [
    [0, String.raw`\d\d:\d\d`],
    [3, String.raw`\d\d/\d\d/\d{4} \d\d:\d\d`],
  ] as const) {
    const steps = change.steps?.map((step) => ({ ...step, at: Date.now() - daysAgo * 86_400_000 })) ?? [];
    [it_, acted] = [{ ...IT, ...change, steps }, 'notNow'];
    const to = (await omar.post(`/cases/c-2345678/${path}`, form)).headers.get('location') ?? '';
    const hx = await omar.post(`/cases/c-2345678/${path}`, form, { 'hx-request': 'true' });
    for (const shown of [await omar.text(to.replace('/support', '')), await hx.text()])
      expect(plain(shown)).toMatch(new RegExp(`note bad">Nothing was changed\\. ${words} \\(${at}\\)[.:]`));
  }
});

test('a page without a stream is told the case as it is now, by the answer; a session by its stream', async () => {
  const nadia = as('nadia');
  const takes = async (kind: Case['kind']) => {
    it_ = { ...IT, kind, owner: { id: 'nadia', name: 'Nadia' } };
    return (await nadia.post('/cases/c-2345678/urgent', {}, { 'hx-request': 'true' })).text();
  };
  for (const kind of ['payment', 'webhook'] as const)
    expect(await takes(kind)).toMatch(
      /note good">.*<section id="case-bar" hx-swap-oob="true".*<b>Nadia<\/b>/s,
    );
  for (const kind of ['asked', 'stuck'] as const) expect(await takes(kind)).not.toContain('case-bar');
});

test('who loses a conversation to another agent reads whose it is', async () => {
  const nadia = as('nadia');
  owner = { id: 'omar', name: 'Omar', until: NOW } as never;
  for (const [path, result] of [
    ['take-over', 'owned'],
    ['hand-back', 'notOwner'],
  ] as const) {
    acted = result;
    const hx = await nadia.post(`${session}/${path}`, {}, { 'hx-request': 'true' });
    const words = 'note bad">Nothing was changed. Omar has taken this conversation over.<';
    expect([hx.status, plain(await hx.text())]).toEqual([409, expect.stringContaining(words)]);
    expect(plain(await nadia.text(`${session}?said=${result}`))).toContain(words);
  }
  owner = undefined;
  const free = await nadia.post(`${session}/hand-back`, {}, { 'hx-request': 'true' });
  expect(await free.text()).toContain('you have not taken this conversation over');
});

test('cases are chosen by who may work on them; what has not changed stays chosen', async () => {
  const page = await as('nadia').text(`/inbox?show=unassigned&said=noReason&not=${IT.id}`);
  expect(page).toMatch(/<input type="checkbox" form="bulk" name="id" value="c-2345678"[^>]*checked/);
  expect(await as('vera', 'viewer').text('/inbox?show=unassigned')).not.toMatch(/checkbox|id="bulk"/);
});

test('a list of the inbox is saved as it is shown, masked', async () => {
  const csv = await as('vera', 'viewer').text('/inbox/csv?show=unassigned');
  const [heads = '', line = '', end] = csv.split('\r\n');
  expect(heads).toMatch(/^Case,Reason,Customer,/);
  expect([line, end]).toEqual([
    expect.stringContaining('c-2345678,Asked for a person,+212 6•• •• •• 78,USSD,'),
    '',
  ]);
  expect((await as('vera', 'viewer').text('/inbox/csv?show=snoozed')).split('\r\n')).toHaveLength(2);
});

test('a case is given to nobody who is not there', async () => {
  const response = await as('nadia').post('/cases/c-2345678/give', { to: 'nobody' });
  expect(response.headers.get('location')).toMatch(/said=notFound$/);
});

test('a session, a payment and a case show what else is open of the customer, whose it is, and join to it', async () => {
  const other: Case = {
    ...IT,
    id: 'c-7654321',
    subject: 'web:x',
    address: 'web:x',
    owner: { id: 'sara', name: 'Sara' },
  };
  others = [other];
  const joins = (page: string) => [
    page.includes('/support/cases/c-7654321'),
    /<b>Sara<\/b>/.test(page),
    page.includes('/cases/c-2345678/merge'),
  ];
  const omar = as('omar');
  expect(joins(await omar.text(session))).toEqual([true, true, true]);
  expect(joins(await as('lina', 'viewer').text(session)), 'who may only look').toEqual([true, true, false]);
  expect(await omar.text(session), 'no number').not.toContain(FATIMA);
  await omar.post('/cases/c-2345678/merge', { into: other.id });
  expect(done.at(-1)).toBe('merge c-2345678 c-7654321 omar');
  it_ = { ...IT, owner: { id: 'sara', name: 'Sara' } };
  expect(joins(await omar.text(session)), 'it is hers to join').toEqual([true, true, false]);
  it_ = { ...IT, kind: 'payment', subject: PAYMENT.id };
  expect(joins(await omar.text(`/payments/${PAYMENT.id}`))).toEqual([true, true, true]);
});

test('a long list of the inbox has pages, also in its live part, and says where it is cut', async () => {
  others = Array.from({ length: 249 }, (_, i) => ({ ...IT, id: `c-8${String(i).padStart(6, '0')}` }));
  const omar = as('omar');
  const idsOn = async (page: string) =>
    [...page.matchAll(/name="id" value="(c-[^"]+)"/g)].map(([, id = '']) => id);
  const pages = await Promise.all(
    ['', '&page=2', '&page=3', '&page=9'].map((page) => omar.text(`/inbox?show=all${page}`)),
  );
  const [one = [], two = [], three = [], beyond] = await Promise.all(pages.map(idsOn));
  expect([one.length, two.length, three.length, beyond]).toEqual([100, 100, 50, three]);
  expect(new Set([...one, ...two, ...three]).size).toBe(250);
  expect(pages[1]).toContain('/support/inbox/live?show=all&amp;page=2');
  expect(pages.map((page) => /rel="(?:prev|next)"/g.test(page))).toEqual([true, true, true, true]);
  const live = await omar.get('/inbox/live?show=all&page=2');
  const reader = live.body?.getReader();
  let sent = '';
  while (!sent.includes('</table>')) sent += new TextDecoder().decode((await reader?.read())?.value);
  await reader?.cancel();
  expect(await idsOn(sent)).toEqual(two);
  const bulk = await omar.post('/inbox/bulk', {
    id: two[0] ?? '',
    act: 'urgent-is-none',
    show: 'all',
    page: '2',
  });
  expect(bulk.headers.get('location'), 'back to where it was chosen').toContain('show=all&page=2');
  expect(pages[0]).not.toMatch(/Only the first/);
});

test('a list of the inbox that is cut says so', async () => {
  others = Array.from({ length: LISTED_MAX }, (_, i) => ({ ...IT, id: `c-9${String(i).padStart(6, '0')}` }));
  expect(await as('omar').text('/inbox?show=all')).toMatch(/Only the first 10.?000 cases/);
});

test('a session shows its case, and who else is there or writes', async () => {
  const [nadia, omar] = [as('nadia'), as('omar', 'supervisor')];
  expect(await nadia.text(session)).toMatch(/href="\/support\/cases\/c-2345678"/);
  await omar.post('/presence', { where: ids.idOf(HERE), writing: 'yes' });
  expect(await nadia.text(session)).toMatch(/omar\S? is writing/);
  expect(await omar.text(session), 'not oneself').not.toContain('is writing');
  await omar.post('/presence', { where: ids.idOf('web:x') });
  expect(await nadia.text(session)).not.toMatch(/is writing|is also looking/);
});

test.each([
  '/cases/c-nothing',
  '/cases/c-nothing/work',
  `/persons/${FATIMA}`,
  `/persons/${ids.idOf('web:x')}`,
  `/sessions/${FATIMA}`,
  `${session}x`,
  `/sessions/${ids.idOf('web:gone')}`,
  '/payments/nothing',
])('%s is not there', async (path) => {
  expect((await as('nadia').get(path)).status).toBe(404);
});
