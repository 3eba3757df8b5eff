import { randomBytes } from 'node:crypto';
import type { Payment } from '../../machines/kit/effects.ts';
import { type Document, FILES } from '../../machines/kit/screen.ts';
import { methodOf } from '../payments/payments.ts';
import { partitionOf } from '../store/partition.ts';
import { patientStore } from '../store/patience.ts';
import type { Store } from '../store/store.ts';
import { readDocs } from '../store/update.ts';
import { DOC_TYPES, type DocTypeName } from '../wallet/contract/kyc.ts';
import type { Msisdn } from '../wallet/phone.ts';
import type { WalletFile } from '../wallet/services.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type Background, createBackground } from './background.ts';
import { type Budgets, createBudgets } from './budgets.ts';
import { type CardLinks, createCardLinks } from './card-links.ts';
import { CASE_DEFAULTS, type CaseSettings, type Cases, createCases } from './cases/cases.ts';
import { channelOf } from './channel.ts';
import type { Fleet } from './chart/fleet.ts';
import { hasKnownConversations } from './chart/main-conversation.ts';
import { OWN_RELEASE } from './chart/releases.ts';
import { createStopping } from './desk/agents.ts';
import type { Desk } from './desk/desk.ts';
import { createFreezing } from './desk/freezing.ts';
import { createPeople } from './desk/people.ts';
import { createPrincipal } from './desk/principal.ts';
import { createReading } from './desk/reading.ts';
import { createSettling, type SettlingOptions } from './desk/settling.ts';
import { createStepIn } from './desk/step-in.ts';
import type { SendCode } from './effects/effect.ts';
import { createIdentifications, type Identifications } from './identity.ts';
import type { Address, ChatAt, Conversations, Deliver, Form, Language, Push, Reply } from './incoming.ts';
import { type Archive, NO_ARCHIVE } from './intents/archive.ts';
import { type Intent, needsPerson, unfinished } from './intents/intent.ts';
import { createOutcomes, type Outcomes } from './intents/outcomes.ts';
import { createPulse } from './intents/pulse.ts';
import { type RebuildDeps, type Rebuilt, rebuild, type Trace } from './intents/rebuild.ts';
import { type RecipientDeps, tellRecipient } from './intents/recipient.ts';
import { createReconciliation, type Reconciliation } from './intents/reconcile.ts';
import { createPace } from './pace.ts';
import { createPayouts, type Payouts } from './payouts/run.ts';
import { createPending, type PendingRequests } from './pending/follow.ts';
import { partitionOfRef } from './record/ref.ts';
import { CASH_DEFAULTS, type CashSettings } from './references/cash-settings.ts';
import { createReferences, type References, type ReferencesDeps } from './references/follow.ts';
import type { Secrets } from './secrets.ts';
import { fetchFile } from './session/agent-file.ts';
import { ownerOf } from './session/book.ts';
import { atLink, currentScreen, languageOf } from './session/current-screen.ts';
import { createDelivery, type Deliveries, waitingIn } from './session/delivery.ts';
import { readFormToken, readReturnToken } from './session/form.ts';
import { createReceived, type Received } from './session/received.ts';
import { SAFETY_DEFAULTS, type SafetySettings } from './session/safety.ts';
import type { Outgoing } from './session/session.ts';
import { createSessions, type Loaded } from './session/sessions.ts';
import { resealVoucherCode } from './session/voucher-codes.ts';
import { forgetMerchant, walletKey, walletStateOf } from './session/wallet-doc.ts';
import { admitting, TURNS_UNDER_WAY_MAX } from './turn/admission.ts';
import { catchUp } from './turn/catch-up.ts';
import { settledInTime } from './turn/outcome-in-time.ts';
import { fallback, type ReceiveDeps, receive, TooLate } from './turn/receive.ts';
import { createReplies } from './turn/replies.ts';
import type { TurnDeps } from './turn/turn-deps.ts';
import type { LabelsOf } from './turn/typed-label.ts';
import type { PagesOf } from './turn/unread-pages.ts';

/** What the engine offers: `Conversations` to the channels, the rest to webhooks, the worker and the console. */
export interface Engine
  extends Conversations,
    Pick<Outcomes, 'intentOf'>,
    Pick<Reconciliation, 'confirm' | 'reconcile'>,
    PendingRequests,
    Identifications,
    CardLinks {
  /** Notifies a customer, wherever they can be reached, that money has come. Once per operation and address. */
  tellReceived(received: Received): Promise<void>;
  /** Looks up a reference for cash. Called when it is due. */
  lookUp: References['look'];
  /** Goes on with a file of payouts. Called when it is due. */
  payOut: Payouts['payOut'];
  /** Seals the code of a voucher under the key of today. Called when it is due. */
  resealVoucher(payment: string): Promise<void>;
  /** An event says that a reference for cash was executed. */
  referenceExecuted: References['executed'];
  /** What the wallet lets its customer do has changed: what is remembered of that is found out anew. */
  levelChanged(wallet: Msisdn): Promise<void>;
  /**
   * Looks for a wallet's open payments, and finds the one that an operation belongs to: for an event without a request id.
   * `isOpen`: none of them is, and some are still open.
   */
  paymentOf(wallet: Msisdn, operationId: number): Promise<{ intent?: Intent | undefined; isOpen?: boolean }>;
  /** Writes down again a payment that the store has lost and whose webhook has come. */
  rebuild(trace: Trace): Promise<Rebuilt>;
  /** Has every open payment looked at soon: called once the process has started. */
  lookAtOpen(): Promise<void>;
  /** The machine of the conversation that a reply of this process belongs to; undefined where none was under way. */
  machineOf(reply: Reply): string | undefined;
  /** What support agents see and do. */
  readonly desk: Desk;
  /** Looks at a case that is due. Called by the worker. @param isStuck whether a webhook still waits for a person */
  lookAtCase(id: string, isStuck: (webhook: string) => Promise<boolean>): Promise<void>;
  /** Does what is due in a session: timers, lost answers, messages. Called by the worker for `session:` documents. */
  wake(address: Address): Promise<void>;
  /** Waits for work that goes on behind answered requests. */
  close(): Promise<void>;
  /** The process ends: nothing waits for a store that is down any more. */
  stop(): void;
}

export interface EngineOptions {
  readonly store: Store;
  /** Where payments and turns are that the store does not keep any more. Absent: nothing leaves it. */
  readonly archive?: Archive;
  /** What support agents read with: a connection of its own, so that their pages hold up no turn. Absent: `store`. */
  readonly deskStore?: Store;
  readonly api: Wallet;
  /** The same wallet over connections of its own, for what no customer waits for; absent: `api`. */
  readonly backgroundApi?: Wallet;
  readonly secrets: Secrets;
  /** What strangers may cost; absent: `BUDGETS`, without an alarm. */
  readonly budgets?: Budgets;
  readonly sendCode: SendCode;
  /** Where the page of identification is (`src/channels/identity`); absent: there is none. */
  readonly identityPage?: () => string | undefined;
  readonly deliver: Deliver;
  /** The operator's names of banks, by the first three digits of a RIB; absent: none is named. */
  readonly banks?: Readonly<Record<string, string>>;
  /** The operator's numbers of a merchant's documents; absent: the sandbox's. */
  readonly docTypes?: Readonly<Record<DocTypeName, number>>;
  /** Absent: no channel shows messages in a chat of its own. */
  readonly chatAt?: ChatAt;
  /** Where browsers of customers find the form, `https://…/form`. Absent: they cannot reach us. */
  readonly formAt?: string | undefined;
  /** Machines that the operator has not turned on. */
  readonly without?: readonly string[];
  /** No SMS can be sent. Absent: some can. */
  readonly noSms?: boolean;
  /** Support agents can be asked for: there is a console. */
  readonly advisers?: boolean;
  /** What the operator says about cases; absent: `CASE_DEFAULTS`. */
  readonly cases?: CaseSettings;
  /** How long an open page waits for what became of a payment, in ms; absent: not at all. */
  readonly outcomeWaitMs?: number;
  /** What the buttons of a screen are called, in every language; absent: nobody can type them. */
  readonly labelsOf?: LabelsOf;
  /** How many pages a reply has where pages are shown; absent: one. */
  readonly pagesOf?: PagesOf;
  /** Spoken to a customer who has chosen no language. */
  readonly language?: Language;
  /** How cash is paid in and out; absent: `CASH_DEFAULTS`. */
  readonly cash?: CashSettings;
  /** What is asked about once more, and what waits; absent: `SAFETY_DEFAULTS`. */
  readonly safety?: SafetySettings;
  /** True when no other process can be running (embedded store). */
  readonly alone: boolean;
  /** The other processes on this store. Absent: there are none of another release. */
  readonly fleet?: Pick<Fleet, 'begins' | 'isKnownElsewhere'>;
  /** Turns under way at once; absent: `TURNS_UNDER_WAY_MAX`. */
  readonly turnsMax?: number;
  readonly now?: () => number;
  /** How far the wallet's clock is ahead of `now`, in ms; absent: not at all. */
  readonly skewMs?: () => number;
  /** Called with bugs and with what went wrong behind a customer's back; never with a secret. */
  readonly onError?: (error: unknown, where: string) => void;
  /** Called when only a person can find out how a payment ended. */
  readonly alert?: (intent: Intent) => void;
  /** Called with an answer of the wallet that the store did not take in time: sealed. */
  readonly answerLost?: TurnDeps['answerLost'];
}

/** Carries inputs to screens, and does everything that happens without the customer. */
export function createEngine(options: EngineOptions): Engine {
  const deps = joined({ ...options, store: patientStore(options.store) });
  const { turns, outcomes, reconciliation, desk, stopping } = deps;
  return {
    receive: admitting(options.turnsMax ?? TURNS_UNDER_WAY_MAX, (...turn) => receive(deps, ...turn)),
    settled: (reply, withinMs) => settledInTime(deps, reply, withinMs),
    fallback: (address, guess) => fallback(deps, address, guess),
    waiting: (address) => waiting(deps, address),
    form: (token) => form(deps, token),
    cameBack: comingBack(deps),
    shown: (address, screenId, view, reply) => shown(deps, address, screenId, view, reply),
    screenNotShown: (address, afterMs) => screenNotShown(deps, address, afterMs),
    document: (address, wanted) => document(turns, address, wanted),
    isLinked: async (address) => (await linkedWallet(turns, address)) !== undefined,
    asksFile: (address) => asksFile(turns, address),
    saw: (address, ids) => saw(deps, address, ids),
    intentOf: outcomes.intentOf,
    confirm: reconciliation.confirm,
    reconcile: reconciliation.reconcile,
    tellReceived: deps.tellReceived,
    ...deps.pending,
    ...deps.identifications,
    ...createCardLinks(turns),
    ...deps.payouts,
    lookUp: deps.references.look,
    resealVoucher: async (payment) => {
      const partition = partitionOfRef(payment);
      if (partition !== undefined) await resealVoucherCode(deps.turns, partition, payment);
    },
    referenceExecuted: deps.references.executed,
    levelChanged: (wallet) => forgetMerchant(turns.store, wallet),
    paymentOf: (wallet, operationId) => paymentOf(deps, wallet, operationId),
    rebuild: (trace) => rebuild(deps.rebuilding, trace),
    lookAtOpen: outcomes.hastenAll,
    machineOf: (reply) => deps.replies.sourceOf(reply)?.session.conversation?.machine,
    desk,
    lookAtCase: (id, isStuck) => lookAtCase(deps, id, isStuck),
    wake: (address) => wake(deps, address),
    close: () => close(deps),
    stop: () => stopping.abort(),
  };
}

/** The parts of one engine, which know each other. */
interface EngineDeps extends ReceiveDeps {
  readonly delivery: Deliveries;
  readonly outcomes: Outcomes;
  readonly reconciliation: Reconciliation;
  readonly rebuilding: RebuildDeps;
  readonly references: References;
  readonly tellReceived: Engine['tellReceived'];
  readonly pending: PendingRequests;
  readonly identifications: Identifications;
  readonly payouts: Payouts;
  readonly fleet: NonNullable<EngineOptions['fleet']>;
  readonly desk: Desk;
  readonly background: Background;
  readonly stopping: AbortController;
}

/** Every process runs this release. */
const UNIFORM: NonNullable<EngineOptions['fleet']> = {
  begins: () => OWN_RELEASE,
  isKnownElsewhere: () => false,
};

/** Makes the parts and joins them. */
function joined(options: EngineOptions): EngineDeps {
  const { store, secrets, deliver, now = Date.now, onError = () => {} } = options;
  const { fleet = UNIFORM, deskStore = store, archive = NO_ARCHIVE } = options;
  const { answerLost = () => {}, chatAt = () => undefined, alone, sendCode } = options;
  const stopping = new AbortController();
  const background = createBackground((error, where) => {
    if (!(error instanceof TooLate)) onError(error, where);
  });
  const sessions = createSessions(store, options.language);
  const { cases, alert } = casesOf(options, background, now);
  const push = (loaded: Loaded) => pushNew({ delivery, background, now }, loaded);
  const outcomes = createOutcomes({ store, archive, sessions, pushed: push, alert, now });
  const { pulse, api, backgroundApi } = heard(options, outcomes, background);
  const recipients = recipientsOf({ store, sessions, api: backgroundApi, secrets, pushed: push, now });
  const { references, tellReceived } = recipients;
  const turns: TurnDeps = {
    store,
    sessions,
    api,
    secrets,
    budgets: options.budgets ?? createBudgets({ store, secrets, now }),
    sendCode,
    chatAt,
    ...servedBy(options),
    cases,
    visited: (loaded) => visited(references.visited(loaded), background),
    pagesOf: options.pagesOf ?? (() => ({ pages: 1, choices: 0 })),
    now,
    begins: fleet.begins,
    by: randomBytes(6).toString('base64url'),
    alone,
    onError,
    background,
    answerLost,
    answeredLate: (ref, answer, claimed) => outcomes.answered(ref, answer as Payment, claimed),
    tellElsewhere: (id) => tellOthers(outcomes, recipients, id),
    sending: new Map(),
    stopping: stopping.signal,
  };
  const files = { document: ((...wanted) => document(turns, ...wanted)) as Conversations['document'] };
  const delivery = createDelivery({ sessions, secrets, deliver, chatAt, ...files, now });
  const written = { store, archive, sessions, outcomes, cases, pushed: push, now };
  return {
    turns,
    push,
    fleet,
    language: options.language,
    outcomes,
    references,
    delivery,
    background,
    stopping,
    replies: createReplies(secrets, now),
    reconciliation: createReconciliation({ ...recipients, outcomes, api: backgroundApi, pulse }),
    rebuilding: { ...written, api: backgroundApi, secrets, alert },
    tellReceived,
    ...goingOnOf(turns, { ...written, api: backgroundApi }),
    desk: deskOf(deskStore, archive, backgroundApi, turns, written),
  };
}

/** What a visit has looked at goes on behind it, whether the customer waits for it or not. */
function visited(looks: Promise<boolean>, background: Background): Promise<boolean> {
  background.add(looks, 'references');
  return looks.catch(() => false);
}

/** What goes on without a customer: requests that the wallet decides in its own time, checks of identity, and files of payouts. */
function goingOnOf(
  turns: TurnDeps,
  written: Parameters<typeof createPending>[0] & { readonly api: Wallet; readonly outcomes: Outcomes },
): Pick<EngineDeps, 'pending' | 'identifications' | 'payouts'> {
  const { store, secrets, api, now } = turns;
  return {
    pending: createPending(written),
    identifications: createIdentifications({ store, secrets, api, now }),
    payouts: createPayouts({ ...turns, ...written }),
  };
}

/** How those are told who have received a payment. */
function recipientsOf(deps: ReferencesDeps & Pick<RecipientDeps, 'api'>): ReferencesDeps &
  RecipientDeps & {
    readonly references: References;
  } {
  return { ...deps, references: createReferences(deps), tellReceived: createReceived(deps) };
}

/** The wallet's connections, listened to: its first sign of life after a silence wakes what waits for it. */
function heard(
  options: Pick<EngineOptions, 'api' | 'backgroundApi'>,
  outcomes: Outcomes,
  background: Background,
): { readonly pulse: ReturnType<typeof createPulse>; readonly api: Wallet; readonly backgroundApi: Wallet } {
  const pulse = createPulse((ids) => background.add(outcomes.hasten(ids), 'payments woken'));
  const api = pulse.hear(options.api);
  const backgroundApi = options.backgroundApi ? pulse.hear(options.backgroundApi) : api;
  return { pulse, api, backgroundApi };
}

/** Cases; and what opens one for a payment that needs people, besides the line in the log. */
function casesOf(
  { store, cases: settings = CASE_DEFAULTS, alert = () => {} }: EngineOptions,
  background: Background,
  now: () => number,
): { readonly cases: Cases; readonly alert: NonNullable<EngineOptions['alert']> } {
  const cases = createCases({ store, settings, now });
  const told = (intent: Intent) => {
    const { id, wallet, address, order } = intent;
    const opening = { kind: 'payment', subject: id, wallet, address, about: order.kind } as const;
    background.add(cases.open(opening), 'case');
    alert(intent);
  };
  return { cases, alert: told };
}

/** Who got stuck and has been away for so long has given up: nobody is asked to help them with that any more. */
const GIVEN_UP_MS = 10 * 60_000;

async function isStillHere({ sessions, now }: TurnDeps, address: Address): Promise<boolean> {
  const { session } = await sessions.load(address, now());
  return session.owner !== undefined || session.at > now() - GIVEN_UP_MS;
}

async function lookAtCase(
  { turns, outcomes }: EngineDeps,
  id: string,
  isStuck: (webhook: string) => Promise<boolean>,
): Promise<void> {
  await turns.cases.look(id, async ({ kind, subject, address }) => {
    if (kind === 'webhook') return isStuck(subject);
    if (kind === 'stuck' && address) return isStillHere(turns, address);
    if (kind !== 'payment') return true;
    const intent = await outcomes.intentOf(subject);
    return intent !== undefined && needsPerson(intent);
  });
}

/** What the operator has said of how customers are served, and what holds where nothing was said. */
function servedBy(options: EngineOptions) {
  const { advisers = false, formAt, without, identityPage, cash, safety, banks, outcomeWaitMs } = options;
  const { docTypes = DOC_TYPES } = options;
  return {
    advisers,
    labelsOf: options.labelsOf ?? (() => []),
    formAt,
    without: without ?? [],
    noSms: options.noSms ?? false,
    identityPage: identityPage ?? (() => undefined),
    cash: cash ?? CASH_DEFAULTS,
    safety: safety ?? SAFETY_DEFAULTS,
    banks: banks ?? {},
    docTypes,
    outcomeWaitMs: outcomeWaitMs ?? 0,
    skewMs: options.skewMs ?? (() => 0),
  };
}

/** What support agents see and do. */
function deskOf(
  store: Store,
  archive: Archive,
  api: Wallet,
  turns: TurnDeps,
  written: Omit<SettlingOptions, 'api'>,
): Desk {
  const { sessions, outcomes, pushed, now } = written;
  const reading = { store, archive, sessions, intentOf: outcomes.intentOf, now };
  return {
    ...createReading(reading),
    ...createPeople({ ...reading, api, cases: turns.cases }),
    ...createStepIn({ turns, push: pushed }),
    ...createSettling({ ...written, api }),
    ...createFreezing({ store, sessions, pushed, now, safety: turns.safety }),
    ...createStopping({ store, sessions, pushed, now }),
    principal: createPrincipal(
      {
        api,
        feesPercent: turns.cash.feesPercent,
        store,
        secrets: turns.secrets,
        cardFormAt: turns.without.includes('card-cash-in') ? undefined : turns.formAt,
        sessions,
        outcomes,
        pushed,
        now,
      },
      turns.cash.ownAgent,
    ),
    cases: turns.cases,
  };
}

async function paymentOf(
  { turns: { store }, outcomes, reconciliation }: EngineDeps,
  wallet: Msisdn,
  operationId: number,
): ReturnType<Engine['paymentOf']> {
  const book = async () => {
    const [doc] = await readDocs(store, partitionOf(wallet), [walletKey(wallet)]);
    return walletStateOf(doc).value;
  };
  const before = await book();
  const open = before.entries.filter(({ state }) => state === 'open');
  if (ownerOf(before, operationId) === undefined)
    for (const { id } of open) await reconciliation.reconcile(id);
  const after = await book();
  const id = ownerOf(after, operationId);
  if (id === undefined) return { isOpen: after.entries.some(({ state }) => state === 'open') };
  return { intent: await outcomes.intentOf(id) };
}

/** Who else reads of an outcome that an answer has brought: the wallet's other chats, and its recipient. */
async function tellOthers(outcomes: Outcomes, recipients: RecipientDeps, id: string): Promise<void> {
  await outcomes.tellElsewhere(id);
  const intent = await outcomes.intentOf(id);
  if (intent) await tellRecipient(recipients, intent);
}

async function close({ background, turns: { sessions, now, onError } }: EngineDeps): Promise<void> {
  await background.done();
  // A store that is gone keeps nobody from ending: a menu may stay in a chat then.
  await sessions.writeNotes(now).catch((error) => onError(error, 'notes of chats'));
}

/** How long a file may take to come from the wallet. */
const DOCUMENT_MAX_MS = 10_000;

async function document(
  turns: TurnDeps,
  address: Address,
  wanted: Document,
): Promise<WalletFile | undefined> {
  if (wanted.kind === 'agent-file') return fetchFile(turns, address, wanted.id);
  const wallet = await linkedWallet(turns, address);
  if (!wallet) return undefined;
  const answer = await turns.api.billReceipt(wallet, wanted.operationId, { timeoutMs: DOCUMENT_MAX_MS });
  return answer.kind === 'ok' ? answer.value : undefined;
}

/** The wallet that is linked to the chat at an address. */
async function linkedWallet({ sessions, now }: TurnDeps, address: Address): Promise<Msisdn | undefined> {
  const { session } = await sessions.load(address, now());
  return session.linked ? session.wallet : undefined;
}

async function form({ turns, replies }: EngineDeps, token: string): Promise<Form | undefined> {
  const { sessions, secrets, now } = turns;
  const of = readFormToken(token, secrets, now());
  if (!of) return undefined;
  const loaded = await sessions.load(of.address, now());
  const { screen: screenId } = loaded.session;
  const at = atLink(loaded.session, of.screen);
  const reply = { ...replies.of({ ...loaded, session: at }), screenId };
  // While an agent talks to the customer, or a call runs, nothing is asked for.
  const isAsked = at.screen === of.screen && reply.form !== undefined && !reply.underway;
  return isAsked ? { address: of.address, reply } : undefined;
}

/** How often a payment is looked at for whoever comes back from a bank's page, or says that somebody did. */
const COME_BACK_MS = 10_000;

function comingBack({ turns, outcomes }: EngineDeps): Engine['cameBack'] {
  const { sessions, secrets, now } = turns;
  const isDue = createPace(COME_BACK_MS, now);
  return async (token, isDeclined = false) => {
    const id = readReturnToken(token, secrets, now());
    const intent = id === undefined ? undefined : await outcomes.intentOf(id);
    if (!intent) return undefined;
    // Written once, however often they come: what is said of it is that nobody knows yet.
    if (isDeclined && unfinished(intent, 'declined', now()) !== intent)
      await outcomes.apply(intent, (current) => ({ intent: unfinished(current, 'declined', now()) }));
    // Whoever has the address may ask for it without end: each look is a call of the wallet.
    if (isDue(intent.id)) await outcomes.hasten([intent.id]);
    const language = languageOf(await sessions.load(intent.address, now()));
    const channel = channelOf(intent.address);
    if (intent.order.kind === 'float-card') return { language, channel, isOperator: true };
    return { language, channel, ...(methodOf(intent.order).paidByOther && { isStranger: true }) };
  };
}

async function waiting({ turns }: EngineDeps, address: Address): Promise<readonly Push[]> {
  const { sessions, secrets, now } = turns;
  return waitingIn(await sessions.load(address, now()), secrets, now());
}

async function shown(
  { turns, replies, delivery }: EngineDeps,
  address: Address,
  screenId: number,
  view?: string,
  reply?: Reply,
): Promise<void> {
  const known = reply && replies.sourceOf(reply);
  await delivery.shown(known ?? (await turns.sessions.load(address, turns.now())), screenId, view);
}

async function screenNotShown(
  { turns, delivery }: EngineDeps,
  address: Address,
  afterMs?: number,
): Promise<void> {
  await delivery.queueScreen(await turns.sessions.load(address, turns.now()), afterMs);
}

async function asksFile({ sessions, now }: TurnDeps, address: Address): ReturnType<Engine['asksFile']> {
  const { expects, filesLater, takesFiles } = currentScreen((await sessions.load(address, now())).session);
  // A table is given on the form alone.
  if (takesFiles || (FILES.has(expects) && expects !== 'csv')) return 'now';
  return filesLater && 'next';
}

async function saw({ turns, delivery }: EngineDeps, address: Address, ids: readonly string[]): Promise<void> {
  await delivery.saw(await turns.sessions.load(address, turns.now()), ids);
}

async function wake({ turns, delivery, fleet }: EngineDeps, address: Address): Promise<void> {
  const { sessions, now } = turns;
  const first = await sessions.load(address, now());
  const { conversation, suspended } = first.session;
  const isElsewhere = [conversation, suspended].some((each) => fleet.isKnownElsewhere(each?.release));
  // A process that can go on with it takes it up once this one's lease is over.
  if (isElsewhere && !hasKnownConversations(first.session)) return;
  const known = new Set(first.session.outbox?.map(({ id }) => id));
  const loaded = await catchUp(turns, first);
  // What has just been written is this process's to deliver; the rest when its time has come.
  await delivery.deliverAll(loaded, ({ id, tryAt = 0 }) => tryAt <= now() || !known.has(id));
}

/** Delivers a session's new messages now; should this process die, the worker of another one does. */
function pushNew(
  { delivery, background, now }: Pick<EngineDeps, 'delivery' | 'background'> & Pick<TurnDeps, 'now'>,
  loaded: Loaded,
): void {
  if (!loaded.session.outbox?.some(({ tryAt }) => tryAt !== undefined)) return;
  // What the channel did not take waits as long as it has said: a turn is no reason to be impatient.
  const isDue = ({ tries, tryAt = 0 }: Outgoing) => tries === 0 || tryAt <= now();
  background.add(delivery.deliverAll(loaded, isDue), 'delivery');
}
