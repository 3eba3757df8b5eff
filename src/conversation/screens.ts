import { type Document, FILES } from '../../machines/kit/screen.ts';
import { methodOf } from '../payments/payments.ts';
import type { Msisdn } from '../wallet/phone.ts';
import type { WalletFile } from '../wallet/services.ts';
import { channelOf } from './channel.ts';
import type { Address, Conversations, Form, Push, Reply } from './incoming.ts';
import { unfinished } from './intents/intent.ts';
import { endedReceipt } from './intents/notification.ts';
import type { Outcomes } from './intents/outcomes.ts';
import { createPace } from './pace.ts';
import { fetchFile } from './session/agent-file.ts';
import { atLink, currentScreen, languageOf } from './session/current-screen.ts';
import { type Deliveries, waitingIn } from './session/delivery.ts';
import { readFormToken, readReturnToken } from './session/form.ts';
import type { Replies } from './session/replies.ts';
import type { TurnDeps } from './turn-deps.ts';

interface ScreensDeps {
  readonly turns: TurnDeps;
  readonly replies: Replies;
  readonly delivery: Deliveries;
  readonly outcomes: Outcomes;
}

/** The channels' requests about screens between turns. They move no conversation. */
export function createScreens(
  deps: ScreensDeps,
): Pick<
  Conversations,
  | 'waiting'
  | 'form'
  | 'cameBack'
  | 'screenShown'
  | 'screenNotShown'
  | 'document'
  | 'isLinked'
  | 'asksFile'
  | 'saw'
  | 'statusCame'
> {
  const { turns } = deps;
  return {
    waiting: (address) => waiting(deps, address),
    form: (token) => form(deps, token),
    cameBack: comingBack(deps),
    screenShown: (address, screenId, view, reply) => screenShown(deps, address, screenId, view, reply),
    screenNotShown: (address, afterMs) => screenNotShown(deps, address, afterMs),
    document: documentsOf(turns, deps.outcomes),
    isLinked: async (address) => (await linkedWallet(turns, address)) !== undefined,
    asksFile: (address) => asksFile(turns, address),
    statusCame: async (address, name, status) => {
      const { sessions, now } = deps.turns;
      const loaded = await sessions.load(address, now());
      if (loaded.version > 0) await deps.delivery.statusCame(loaded, name, status);
    },
    saw: (address, ids) => saw(deps, address, ids),
  };
}

/** How long a file may take to come from the wallet. */
const DOCUMENT_MAX_MS = 10_000;

export function documentsOf(turns: TurnDeps, { intentOf }: Outcomes): Conversations['document'] {
  return (address, wanted) => document({ ...turns, intentOf }, address, wanted);
}

/** `Conversations.document`: a file of the customer's own wallet, the receipt of a payment of it, or a file that an agent has sent. */
async function document(
  turns: Pick<TurnDeps, 'sessions' | 'store' | 'secrets' | 'api' | 'served' | 'budgets' | 'now'> &
    Pick<Outcomes, 'intentOf'>,
  address: Address,
  wanted: Document,
): Promise<WalletFile | undefined> {
  if (wanted.kind === 'agent-file') return fetchFile(turns, address, wanted.id);
  const wallet = await linkedWallet(turns, address);
  if (!wallet || (await turns.budgets.charge([{ budget: 'files', of: wallet }]))) return undefined;
  if (wanted.kind === 'receipt') {
    const intent = await turns.intentOf(wanted.id);
    const screen = intent?.wallet === wallet ? endedReceipt(intent) : undefined;
    const language = languageOf(await turns.sessions.load(address, turns.now()));
    return screen && turns.served.drawReceipt(screen, language);
  }
  const answer = await turns.api.billReceipt(wallet, wanted.operationId, { timeoutMs: DOCUMENT_MAX_MS });
  return answer.kind === 'ok' ? answer.value : undefined;
}

async function linkedWallet(
  { sessions, now }: Pick<TurnDeps, 'sessions' | 'now'>,
  address: Address,
): Promise<Msisdn | undefined> {
  const { session } = await sessions.load(address, now());
  return session.linked ? session.wallet : undefined;
}

async function form({ turns, replies }: ScreensDeps, token: string): Promise<Form | undefined> {
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

/** How often a payment is looked at for a payer who comes back from a bank's page, or for a message that says so. */
const COME_BACK_MS = 10_000;

function comingBack({ turns, outcomes }: ScreensDeps): Conversations['cameBack'] {
  const { sessions, secrets, now } = turns;
  const isDue = createPace(COME_BACK_MS, now);
  return async (token, isDeclined = false) => {
    const id = readReturnToken(token, secrets, now());
    const intent = id === undefined ? undefined : await outcomes.intentOf(id);
    if (!intent) return undefined;
    // Written once, however often they come: the message is that nobody knows yet.
    if (isDeclined && unfinished(intent, 'declined', now()) !== intent)
      await outcomes.apply(intent, (current) => ({ intent: unfinished(current, 'declined', now()) }));
    // Anybody with the address may ask for it without end, and each look is a call of the wallet.
    if (isDue(intent.id)) await outcomes.hasten([intent.id]);
    const language = languageOf(await sessions.load(intent.address, now()));
    const channel = channelOf(intent.address);
    if (intent.order.kind === 'float-card') return { language, channel, isOperator: true };
    return { language, channel, ...(methodOf(intent.order).waitsFor === 'other' && { isStranger: true }) };
  };
}

async function waiting({ turns }: ScreensDeps, address: Address): Promise<readonly Push[]> {
  const { sessions, secrets, now } = turns;
  return waitingIn(await sessions.load(address, now()), secrets, now());
}

async function screenShown(
  { turns, replies, delivery }: ScreensDeps,
  address: Address,
  screenId: number,
  view?: string,
  reply?: Reply,
): Promise<void> {
  const known = reply && replies.sourceOf(reply);
  await delivery.screenShown(known ?? (await turns.sessions.load(address, turns.now())), screenId, view);
}

async function screenNotShown(
  { turns, delivery }: ScreensDeps,
  address: Address,
  afterMs?: number,
): Promise<void> {
  await delivery.queueScreen(await turns.sessions.load(address, turns.now()), afterMs);
}

async function asksFile(
  { sessions, now }: Pick<TurnDeps, 'sessions' | 'now'>,
  address: Address,
): ReturnType<Conversations['asksFile']> {
  const { expects, filesLater, takesFiles } = currentScreen((await sessions.load(address, now())).session);
  // A table is given on the form alone.
  if (takesFiles || (FILES.has(expects) && expects !== 'csv')) return 'now';
  return filesLater && 'next';
}

async function saw(
  { turns, delivery }: ScreensDeps,
  address: Address,
  ids: readonly string[],
): Promise<void> {
  await delivery.saw(await turns.sessions.load(address, turns.now()), ids);
}
