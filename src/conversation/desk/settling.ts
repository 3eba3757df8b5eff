import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import { readDocs, type Update, update } from '../../store/update.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import type { Cases } from '../cases/cases.ts';
import { carried, caseUpdate } from '../cases/update.ts';
import type { Archive } from '../intents/archive.ts';
import type { Agreed } from '../intents/evidence.ts';
import {
  type Intent,
  intentCodec,
  intentKey,
  isOpen,
  learn,
  needsPerson,
  type Reason,
  type Settlement,
} from '../intents/intent.ts';
import { outcomeMessage } from '../intents/notification.ts';
import type { Outcomes } from '../intents/outcomes.ts';
import { intentWrite } from '../intents/pay.ts';
import { readOperation } from '../intents/reconcile.ts';
import { partitionOfRef } from '../record/ref.ts';
import { ownerOf } from '../session/book.ts';
import { enqueue, hasRoom, type Outgoing, type Session } from '../session/session.ts';
import type { LoadedSession, Sessions } from '../session/sessions.ts';
import { withoutSecrets } from '../session/talk.ts';
import { walletKey, walletStateOf } from '../session/wallet-doc.ts';
import type { Acted, Agent, DeskSettling, Mismatch, NamedOperation } from './desk.ts';

/** An agent waits no longer for the wallet. */
const OPERATION_MAX_MS = 5_000;

export interface SettlingOptions {
  readonly store: Store;
  readonly archive: Pick<Archive, 'find'>;
  readonly sessions: Sessions;
  readonly outcomes: Outcomes;
  readonly cases: Pick<Cases, 'hear'>;
  readonly api: Pick<Wallet, 'operation'>;
  readonly pushed: (loaded: LoadedSession) => void;
  readonly now: () => number;
}

/** Payments whose outcome people find out: one agent says how it ended and how they know, another one agrees. */
export function createSettling(deps: SettlingOptions): DeskSettling {
  return {
    resend: (id, by) => resend(deps, id, by),
    propose: (id, by, settlement) => propose(deps, id, by, settlement),
    applyWebhook: (id, by, named) => applyWebhook(deps, id, by, named),
    withdraw: (id, by) => withdraw(deps, id, by),
    approve: (id, by, at) => approve(deps, id, by, at),
  };
}

async function resend(deps: SettlingOptions, id: string, by: Agent): Promise<Acted> {
  const { sessions, outcomes, pushed, now } = deps;
  const intent = await outcomes.intentOf(id);
  if (!intent) return 'notFound';
  const written = await sessions.update(intent.address, now, ({ session }) => {
    const message = outcomeMessage(intent, now());
    // The chat may be another customer's by now.
    if (!message || !session.linked || session.wallet !== intent.wallet) return undefined;
    const after = withMessageAgain(session, message, now());
    return after && { session: after };
  });
  if (!written) return 'notNow';
  pushed(written);
  return change(deps, id, (current) => noted(current, { kind: 'told-again', by: by.id }, now()));
}

function propose(deps: SettlingOptions, id: string, by: Agent, settlement: Settlement): Promise<Acted> {
  const { now } = deps;
  return change(deps, id, (intent) => {
    // One that another agent may be reading is first taken back.
    if (intent.proposal || !isToSettle(intent, settlement)) return 'notNow';
    if ((settlement.as === 'handedOver') !== isMissingCode(intent)) return 'notNow';
    const { as } = settlement;
    const evidence = withoutSecrets(settlement.evidence);
    const why = { kind: 'proposed', by: by.id, as, evidence } as const;
    return noted({ ...intent, proposal: { by: by.id, at: now(), ...settlement, evidence } }, why, now());
  });
}

/**
 * People settle a payment only where nothing else can. They may also settle one that is still followed, where a webhook
 * names an operation that the wallet shows.
 */
function isToSettle(intent: Intent, { webhook }: Pick<Settlement, 'webhook'>): boolean {
  return needsPerson(intent) || (webhook !== undefined && isOpen(intent));
}

async function applyWebhook(
  deps: SettlingOptions,
  id: string,
  by: Agent,
  { webhook, operationId, evidence }: NamedOperation,
): Promise<Acted | Mismatch> {
  const { store, outcomes, api } = deps;
  const intent = await outcomes.intentOf(id);
  if (!intent) return 'notFound';
  const answer = await api.operation(intent.wallet, operationId, { timeoutMs: OPERATION_MAX_MS });
  if (answer.kind !== 'ok') return 'notShown';
  const { ended, isOther } = readOperation(intent, answer.value);
  const [walletDoc] = await readDocs(store, partitionOf(intent.wallet), [walletKey(intent.wallet)]);
  const owner = ownerOf(walletStateOf(walletDoc).value, operationId);
  const isTaken = intent.before.includes(operationId) || (owner !== undefined && owner !== id);
  if (isOther || isTaken) return 'differs';
  return ended ? propose(deps, id, by, { as: ended, evidence, operationId, webhook }) : 'stillOpen';
}

function withdraw(deps: SettlingOptions, id: string, by: Agent): Promise<Acted> {
  return change(deps, id, ({ proposal, ...intent }) =>
    proposal ? noted(intent, { kind: 'withdrawn', by: by.id }, deps.now()) : 'notNow',
  );
}

async function approve(deps: SettlingOptions, id: string, by: Agent, at: number): Promise<Acted> {
  const acted = await settle(deps, id, by, at);
  const partition = partitionOfRef(id);
  if (acted !== 'done' || partition === undefined) return acted;
  const updates = [caseUpdate(deps.now(), { what: 'solved', kind: 'payment', subject: id, by: by.id })];
  await deps.store.commit(partition, { writes: [], ...carried(updates), durable: true });
  await deps.cases.hear(updates);
  return acted;
}

async function settle(deps: SettlingOptions, id: string, by: Agent, at: number): Promise<Acted> {
  const { outcomes, now } = deps;
  const intent = await outcomes.intentOf(id);
  const proposal = intent?.proposal;
  if (!intent) return 'notFound';
  // An agent approves only the proposal that they have read. It may have been taken back, and another one made.
  if (proposal?.at !== at) return 'notNow';
  if (proposal.by === by.id) return 'sameAgent';
  const { as, evidence, operationId } = proposal;
  const agreed: Agreed = { by: proposal.by, approvedBy: by.id, evidence };
  if (as === 'handedOver') return change(deps, id, (current) => handedOver(current, intent, agreed, now()));
  let settled = false;
  await outcomes.apply(intent, (current) => {
    // Something may have come to light since, or another proposal.
    settled = current.proposal?.at === proposal.at && isToSettle(current, proposal);
    if (!settled) return undefined;
    const { proposal: _done, ...unproposed } = current;
    const fact = { kind: 'settled', as, proposedAt: proposal.at, ...agreed } as const;
    const named = operationId === undefined ? fact : { ...fact, operationId };
    return { intent: learn(unproposed, named, now()) };
  });
  return settled ? 'done' : 'notNow';
}

/** Changes an intent's document, or says why it cannot be. */
async function change(
  { store, archive, now }: SettlingOptions,
  id: string,
  to: (intent: Intent) => Intent | Exclude<Acted, 'done'>,
): Promise<Acted> {
  const partition = partitionOfRef(id);
  if (partition === undefined) return 'notFound';
  return update(store, partition, [intentKey(id)], async (doc): Promise<Update<Acted>> => {
    const intent = intentCodec.read(doc) ?? (await archive.find(id));
    if (!intent) return { result: 'notFound' };
    const after = to(intent);
    if (typeof after === 'string') return { result: after };
    return { writes: [intentWrite(doc, after, now())], durable: true, result: 'done' };
  });
}

/** The session with an outcome once more. Undefined when another message would be lost for it. */
function withMessageAgain(session: Session, message: Outgoing, now: number): Session | undefined {
  const { outbox = [] } = session;
  const waits = ({ id }: Outgoing) => id.startsWith(message.id);
  if (outbox.some(waits))
    return { ...session, outbox: outbox.map((each) => (waits(each) ? { ...each, tryAt: now } : each)) };
  // A page that is open knows what it has shown by its id.
  return hasRoom(session) ? enqueue(session, { ...message, id: `${message.id}-${now}` }) : undefined;
}

/** A voucher that is paid, and whose code no answer has brought. */
function isMissingCode({ state }: Intent): boolean {
  return state === 'succeeded';
}

function handedOver(current: Intent, seen: Intent, agreed: Agreed, at: number): Intent | 'notNow' {
  const { proposal, facts, ...intent } = current;
  if (proposal?.at !== seen.proposal?.at || !needsPerson(current)) return 'notNow';
  const after: Intent = { ...intent, facts: { ...facts, codeSent: 'yes' } };
  return noted(after, { kind: 'handed-over', ...agreed }, at);
}

function noted(intent: Intent, why: Reason, at: number): Intent {
  return { ...intent, audit: [...intent.audit, [at, intent.state, why]] };
}
