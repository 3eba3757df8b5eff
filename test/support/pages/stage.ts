import { Hono } from 'hono';
import { afterEach, beforeEach } from 'vitest';
import type { AgentMark } from '../../../machines/kit/effects.ts';
import { type Case, type Handler, isTheirs } from '../../../src/conversation/cases/case.ts';
import { type Cases, createCases } from '../../../src/conversation/cases/cases.ts';
import { CASE_DEFAULTS } from '../../../src/conversation/cases/changes.ts';
import { chartOf } from '../../../src/conversation/desk/chart-of.ts';
import type {
  Acted,
  Desk,
  Intent,
  Note,
  Past,
  Principal,
  Watched,
} from '../../../src/conversation/desk/desk.ts';
import type { TurnRecord } from '../../../src/conversation/record/record.ts';
import type { DeliveryRecord } from '../../../src/conversation/session/delivery-record.ts';
import type { Freeze } from '../../../src/conversation/session/safety.ts';
import type { Records } from '../../../src/records/records.ts';
import { openSqliteRecords } from '../../../src/records/sqlite.ts';
import { createRenderer } from '../../../src/screen/renderer.ts';
import { isObject } from '../../../src/store/codec.ts';
import { openSqliteStore } from '../../../src/store/sqlite.ts';
import { type Store, StoreDown } from '../../../src/store/store.ts';
import { type Guarded, notThere } from '../../../src/support/access/guard.ts';
import type { Role } from '../../../src/support/access/roles.ts';
import { NotThere } from '../../../src/support/pages/answer.ts';
import { type Pages, pages } from '../../../src/support/pages/routes.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';
import { newDirectory } from '../../kit/new-directory.ts';
import { FATIMA, NOW, turn } from '../records.ts';
import {
  CALL,
  CASE,
  CONTENT,
  DETAILS,
  FILES,
  HERE,
  OTHER,
  PAYMENT,
  SESSION,
  STUCK,
  saidBy,
  secrets,
  WEBHOOK,
} from './fixtures.ts';

const renderer = createRenderer();
/** An account that may propose nothing any more. */
export const GONE = 'tarik';
/** `nadia` has made the account `salma`. */
const SAME_PERSON = ['nadiasalma', 'salmanadia'];

/** The answers of desk, store and records in one test, and the requests to them. */
interface Stage {
  /** Requests to the desk and entries of the audit, in their order. */
  done: string[];
  /** The answer of the desk to each request. */
  acted: Acted;
  case: Case;
  /** Other open cases of the customer. */
  otherCases: Case[];
  /** A case that was closed long ago. */
  archivedCase: Case | undefined;
  /** Called at each look-up of a case. */
  onFound: () => void;
  onNote: ((...note: Parameters<Cases['note']>) => void) | undefined;
  /** Notes about the customer before the newest one. */
  notes: Note[];
  payment: Intent;
  olderPayments: Intent[];
  deliveries: DeliveryRecord[];
  isAuditDown: boolean;
  isStillIn: () => boolean;
  recordsAnswer: boolean;
  frozen: Freeze | undefined;
  agent: AgentMark | undefined;
  principal: Principal | undefined;
  owner: Watched['owner'];
  turns: TurnRecord[];
  /** The turns before the console opened. */
  past: AsyncIterable<Past> | readonly Past[];
  /** Tells the console of a turn. */
  tellTurn: (record: TurnRecord) => void;
  /** The wallets of the name that was searched for. */
  namesakes: Msisdn[];
  /** The wallets whose details were asked for. */
  askedWallets: Msisdn[];
  /** The references that were looked for. */
  searched: string[];
  /** Why the last request was refused, as the audit has it. */
  refusal: string | undefined;
}

function newStage(): Stage {
  return {
    done: [],
    acted: 'done',
    case: CASE,
    otherCases: [],
    archivedCase: undefined,
    onFound: () => {},
    onNote: undefined,
    notes: [],
    payment: PAYMENT,
    olderPayments: [],
    deliveries: [],
    isAuditDown: false,
    isStillIn: () => true,
    recordsAnswer: true,
    frozen: undefined,
    agent: undefined,
    principal: undefined,
    owner: undefined,
    turns: [],
    past: [{ records: [turn({ at: Date.now(), to: 'transfer.askingAmount' })] }],
    tellTurn: () => {},
    namesakes: [],
    askedWallets: [],
    searched: [],
    refusal: undefined,
  };
}

/** Before each test of the file: the console's pages over a desk that answers as the stage says. */
export function theConsole() {
  const stage = newStage();
  let directory: string;
  let store: Store;
  let records: Records;
  let console_: Pages;
  beforeEach(async () => {
    Object.assign(stage, newStage());
    directory = newDirectory('pages');
    store = await openSqliteStore({ directory });
    records = await openSqliteRecords(directory);
    console_ = pages({
      ...partsOf(stage, () => records),
      store,
      records: { ...records, isWell: async () => stage.recordsAnswer },
    });
  });
  afterEach(async () => {
    await console_.close();
    await Promise.all([store.close(), records.close()]);
  });

  /** A person whom the guard has let in. */
  function as(id: string, role: Role = 'agent') {
    const app = new Hono<Guarded>()
      .use(async (c, next) => {
        c.set('who', { id, name: id, role, sessionId: 's', csrf: 'token', language: 'en' });
        c.set('language', 'en');
        await next();
        stage.refusal = c.var.refusal;
      })
      .route('/support', console_.routes)
      .onError((error, c) => (error instanceof NotThere ? notThere(c) : c.text('lost', 500)));
    const post = async (path: string, form: Readonly<Record<string, string>> = {}, headers = {}) =>
      app.request(`/support${path}`, { method: 'POST', body: new URLSearchParams(form), headers });
    return {
      get: async (path: string) => app.request(`/support${path}`),
      sends: async (path: string, body: FormData) => app.request(`/support${path}`, { method: 'POST', body }),
      text: async (path: string) => (await app.request(`/support${path}`)).text(),
      post,
      /** Posts a form. Gives the address that the answer leads to. */
      async goesTo(path: string, form?: Readonly<Record<string, string>>): Promise<string> {
        return (await post(path, form)).headers.get('location') ?? '';
      },
      /** Posts a form. Gives the name of the sentence that the next page shows. */
      said: async (path: string, form?: Readonly<Record<string, string>>) => saidBy(await post(path, form)),
      /** Posts a form as the page's script does. Gives the status and the text of the answer. */
      async swaps(path: string, form?: Readonly<Record<string, string>>): Promise<[number, string]> {
        const response = await post(path, form, { 'hx-request': 'true' });
        return [response.status, await response.text()];
      },
    };
  }

  /** The requests to the desk, without the audit's entries. */
  const acts = () => stage.done.filter((each) => !each.startsWith('audit'));
  return { stage, as, acts };
}

export type Person = ReturnType<ReturnType<typeof theConsole>['as']>;

/** Everything that the pages need but for the store and the records. */
function partsOf(
  stage: Stage,
  records: () => Records,
): Omit<Parameters<typeof pages>[0], 'store' | 'records'> {
  const act = acting(stage);
  return {
    desk: fakeDesk(stage, records),
    secrets,
    renderer,
    names: {
      async find(_, limit) {
        if (!stage.recordsAnswer) throw new StoreDown('PostgreSQL: away');
        return stage.namesakes.slice(0, limit);
      },
    },
    webhooks: {
      stuck: async () => [STUCK],
      find: async (id: string) => (id === STUCK.id ? STUCK : undefined),
      content: async (id: string) => (id === STUCK.id ? CONTENT : undefined),
      retry: act('retry'),
      close: act('close'),
    } as never,
    audit: {
      during: (_, work) => work(),
      part: async (work, endOf) => {
        const result = await work();
        const { end, endWhy } = endOf(result);
        stage.done.push(['ended', end, endWhy].filter(Boolean).join(' '));
        return result;
      },
      async append({ who, act, on, what, why }) {
        if (stage.isAuditDown) throw new Error('down');
        const entry = ['audit', who, act, on, [what, why].filter(Boolean).join(': ')];
        stage.done.push(entry.filter(Boolean).join(' '));
      },
    },
    isStillIn: async () => stage.isStillIn(),
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
  };
}

/** Writes down each request, and answers as the stage says. */
function acting(stage: Stage) {
  return (name: string) =>
    async (...args: readonly unknown[]) => {
      stage.done.push([name, ...args.filter((each) => typeof each !== 'object')].join(' '));
      return stage.acted;
    };
}

/** Does the same for a case, which only its owner and supervisors may change. */
function dealing(stage: Stage) {
  return (name: string) =>
    async (...args: readonly unknown[]) => {
      const by = args.find((each): each is Handler => isObject(each) && 'mayTake' in each);
      const words = args.map((each) => (each === by ? by?.id : each));
      stage.done.push([name, ...words.filter((each) => typeof each !== 'object')].join(' '));
      if (by && stage.case.state !== 'closed' && !isTheirs(stage.case, by)) return 'owned' as const;
      return stage.acted === 'done' ? ('done' as const) : ('notNow' as const);
    };
}

/** An act for each name. */
function acts<Name extends string, Act>(make: (name: string) => Act, ...names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Act>;
}

function fakeCases(stage: Stage, records: () => Records): Cases {
  const dealt = dealing(stage);
  /** The stage's cases in a table: lists are made by the database. */
  const kept = async () => {
    const table = records().cases;
    await table.write(function* (tx) {
      const others = stage.otherCases.map((it): Case => ({ ...it, subject: it.id }));
      for (const it of [stage.case, ...others]) if (!(yield* tx.add(it))) yield* tx.put(it);
    });
    return createCases({ table, settings: CASE_DEFAULTS, now: Date.now });
  };
  return {
    open: async () => stage.case,
    find: async (id) => {
      stage.onFound();
      return id === CASE.id ? stage.case : stage.archivedCase?.id === id ? stage.archivedCase : undefined;
    },
    about: async (kind, subject) =>
      kind === stage.case.kind && subject === stage.case.subject ? stage.case : undefined,
    at: async (address) => (stage.case.subject === address ? stage.case : undefined),
    ofCustomer: async () => [stage.case, ...stage.otherCases],
    list: async (choice, page) => (await kept()).list(choice, page),
    counts: async (choices) => (await kept()).counts(choices),
    next: async (by, choice) => {
      stage.done.push(`next ${by.id}`);
      const [first] = stage.acted === 'done' ? await (await kept()).list(choice) : [];
      return first;
    },
    note: (...note) => {
      stage.onNote?.(...note);
      return dealt('note')(...note);
    },
    closedOf: async () => [],
    due: async () => [],
    hear: async () => {},
    opensAt: () => undefined,
    look: async () => {},
    ...acts(dealt, 'assign', 'deal', 'returnSilent', 'toTeam', 'setWaiting', 'setUrgent', 'label'),
    looked: async (id, by) => (stage.case.mentions?.[by] ? dealt('looked')(id, by) : 'notNow'),
    ...acts(dealt, 'snooze', 'merge', 'close', 'reopen'),
  };
}

/** The references by which the payment is found. */
const OF_PAYMENT = [PAYMENT.id, '3B174C73', '4211'];

function fakeDesk(stage: Stage, records: () => Records): Desk {
  return {
    chart: chartOf,
    machines: () => ['transfer'],
    turns: async () => [...stage.turns, turn({ to: 'transfer.askingAmount' })],
    async *backlog() {
      yield* stage.past;
    },
    watch: async (listener) => {
      stage.tellTurn = listener.turn;
      return async () => {};
    },
    cases: fakeCases(stage, records),
    ...customersOf(stage),
    ...paymentsOf(stage),
    get principal() {
      return stage.principal;
    },
    ...actsOf(stage),
  };
}

function customersOf(stage: Stage) {
  return {
    session: async (address) => {
      const { frozen, agent, owner } = stage;
      if (address !== HERE) return undefined;
      return { ...SESSION, ...(frozen && { frozen }), ...(agent && { agent }), ...(owner && { owner }) };
    },
    person: async (wallet) => {
      if (wallet !== FATIMA && !stage.namesakes.includes(wallet)) return undefined;
      const newest = { at: NOW, by: 'Omar', text: 'called <b>back</b>' };
      return { wallet, sessions: [SESSION], notes: [newest, ...stage.notes], cases: [] };
    },
    timeline: async (_wallet, _limit, before) => ({
      records: [turn({ to: 'transfer.askingAmount' }), turn({ address: 'web:x', at: NOW - 60_000 })],
      ...(before === undefined && { next: NOW - 60_000 }),
      isWhole: true,
    }),
    details: async (wallet) => {
      stage.askedWallets.push(wallet);
      return DETAILS;
    },
    helpRequests: async () => [{ address: HERE, wallet: FATIMA, language: 'fr', at: NOW, callBack: true }],
    sentFile: async (_, id) => FILES[id],
  } satisfies Partial<Desk>;
}

function paymentsOf(stage: Stage) {
  const found = (intent = stage.payment) => ({ kind: 'payment', intent }) as const;
  return {
    find: async (reference) => {
      stage.searched.push(reference);
      if (reference === '11111111') return [found(), found({ ...stage.payment, id: OTHER })];
      if (reference === CALL) return [{ kind: 'call', record: turn() }];
      return [...OF_PAYMENT, WEBHOOK].includes(reference) ? [found()] : [];
    },
    payment: async (reference) => (OF_PAYMENT.includes(reference) ? stage.payment : undefined),
    payments: async (_wallet, limit, before = Number.POSITIVE_INFINITY) =>
      [stage.payment, ...stage.olderPayments].filter(({ sentAt }) => sentAt < before).slice(0, limit),
    unsettled: async () => [stage.payment],
    deliveries: async () => stage.deliveries,
    deliveredTo: async () => stage.deliveries,
  } satisfies Partial<Desk>;
}

function actsOf(stage: Stage) {
  const [act, dealt] = [acting(stage), dealing(stage)];
  return {
    renew: async (address) => {
      stage.done.push(`renew ${address}`);
      return 'done';
    },
    ...acts(act, 'note', 'takeOver', 'write', 'sendFile', 'handBack', 'nudge', 'toMenu', 'end', 'answered'),
    ...acts(act, 'tellRevealed', 'freeze', 'proposeThaw', 'approveThaw', 'withdrawThaw', 'stopAgent'),
    ...acts(act, 'proposeRestore', 'approveRestore', 'withdrawRestore', 'resend', 'propose', 'applyWebhook'),
    ...acts(act, 'approve', 'withdraw'),
    ...acts(dealt, 'closeCase', 'reopenCase', 'giveCase', 'snoozeCase'),
  } satisfies Partial<Desk>;
}
