import { type Intent, type IntentState, intentKey } from '../../../src/conversation/intents/intent.ts';
import { listBatches, readLines } from '../../../src/conversation/payouts/batch.ts';
import { walletKey } from '../../../src/conversation/session/wallet-doc.ts';
import { SETTINGS_DEFAULT } from '../../../src/sandbox/core/settings.ts';
import type { Executed, Sandbox } from '../../../src/sandbox/sandbox.ts';
import { partitionOf } from '../../../src/store/partition.ts';
import type { Store } from '../../../src/store/store.ts';
import { STATUSES } from '../../../src/wallet/contract/fields.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';

type Times = 'createdAt' | 'executedAt';
/** Money that the wallet has moved, or tried to: one operation, and the request that it belongs to. Centimes. */
export type Execution = Omit<Executed, Times> &
  Partial<Pick<Executed, Times>> & {
    /** The number with which somebody has executed it, where the ledger names it. */
    readonly reference?: string;
  };

/** A town, once everything is over. */
interface Scene {
  readonly sandbox: Pick<Sandbox, 'checkLedger'> & { executions(): readonly Execution[] };
  readonly store: Pick<Store, 'read'>;
  /** The wallets whose payments are judged. */
  readonly wallets: readonly Msisdn[];
  /** How many equal payments the customers have knowingly confirmed. Absent: one. */
  readonly meant?: (execution: Execution) => number;
}

export interface Verdict {
  readonly executions: readonly Execution[];
  readonly intents: readonly Intent[];
  /** The number of intents in each state. */
  readonly states: Readonly<Partial<Record<IntentState, number>>>;
  /** Executions beyond what the customers meant, and beyond one for each request. */
  readonly doublePayments: number;
  /** Outcomes that nobody knows or owns, or that are known wrongly. One sentence each. */
  readonly lostOutcomes: readonly string[];
  /** Executions whose intent the store has forgotten: lost outcomes, unless the store was made to lose its last writes. */
  readonly forgotten: readonly Execution[];
  /** Faults of the wallet's own ledger. With one, the test is worth nothing. */
  readonly ledgerFaults: readonly string[];
}

/** The sandbox's principal agent, that the operator has named. */
export const PRINCIPAL = 'PA-1001';
/** An intent in one of these states has moved nothing. */
const NOT_MOVED: readonly IntentState[] = ['rejected', 'unsent', 'failed'];
/** A person looks at it, so whatever is true will be found. */
const OWNED: readonly IntentState[] = ['human', 'not-found'];

/** Compares what the wallet did with what Wasl knows (docs/safety.md, "The battery"). */
export async function judge({ sandbox, store, wallets, meant = () => 1 }: Scene): Promise<Verdict> {
  const asked = new Set<string>(wallets);
  const executions = sandbox.executions().filter(({ sender }) => asked.has(sender));
  const intents = (
    await Promise.all(wallets.map((wallet) => intentsOf(store, wallet, requestsOf(executions, wallet))))
  ).flat();
  const known = new Set(intents.map(({ id }) => id));
  const states: Partial<Record<IntentState, number>> = {};
  for (const { state } of intents) states[state] = (states[state] ?? 0) + 1;
  return {
    executions,
    intents,
    states,
    doublePayments: doublesOf(executions, meant),
    lostOutcomes: intents.flatMap((intent) =>
      isMadeOtherwise(intent, { intents, executions }) ? [] : lostOf(intent, executions),
    ),
    forgotten: executions.filter(({ requestId }) => !known.has(requestId)),
    ledgerFaults: sandbox.checkLedger().faults,
  };
}

/** The faults of a store that keeps every acknowledged write. One line each. */
export function faultsOf({ doublePayments, lostOutcomes, forgotten, ledgerFaults }: Verdict): string[] {
  return [
    ...(doublePayments > 0 ? [`${doublePayments} double payments`] : []),
    ...lostOutcomes,
    ...forgotten.map(({ operationId }) => `operation ${operationId} belongs to no intent`),
    ...ledgerFaults,
  ];
}

/**
 * What is known of each payment with a fault: its steps, the executions under its number, and the other payments just like it.
 * One text for each, to be read by people.
 */
export function storiesOf({ intents, executions }: Verdict): string[] {
  const wrong = intents.filter(
    (intent) => !isMadeOtherwise(intent, { intents, executions }) && lostOf(intent, executions).length > 0,
  );
  return wrong.map((intent) => {
    const { id, wallet, order } = intent;
    const about = 'payment' in order ? order.payment.operationId : undefined;
    const alike = intents.filter((each) => each.wallet === wallet && each.order.kind === order.kind);
    const made = executions.filter(
      ({ requestId, operationId, sender, receiver }) =>
        requestId === id || operationId === about || sender === wallet || receiver === wallet,
    );
    const told = alike.map(({ id: one, state, sentAt, order: of, audit }) => ({
      one,
      state,
      sentAt,
      of,
      audit,
    }));
    return `${order.kind} ${id}: ${JSON.stringify({ told, made }, undefined, 1)}`;
  });
}

/** Prints the figures of a part of the battery, one line. */
export function report(name: string, figures: Readonly<Record<string, number | string>>): void {
  const said = Object.entries(figures).map(([figure, value]) => `${figure} ${value}`);
  process.stdout.write(`${name}: ${said.join(', ')}\n`);
}

/**
 * Every intent of a wallet: its book names them all, but for those that pay the lines of files which its customer has released.
 * @param requests of what the wallet has executed: a line that was begun anew is named by its last attempt only
 */
export async function intentsOf(
  store: Pick<Store, 'read'>,
  wallet: Msisdn,
  requests: readonly string[] = [],
): Promise<Intent[]> {
  const partition = partitionOf(wallet);
  const [book] = await store.read(partition, [walletKey(wallet)]);
  const { entries } = JSON.parse(book?.value ?? '{"entries":[]}') as { entries: { id: string }[] };
  const named = [...entries.map(({ id }) => id), ...(await linesOf(store, wallet))];
  const others = requests.filter((id) => !named.includes(id));
  const docs = await store.read(partition, [...named, ...others].map(intentKey));
  return docs.flatMap((doc, i) => {
    if (doc) return [JSON.parse(doc.value) as Intent];
    if (i >= named.length) return [];
    throw new Error(`${wallet} has an intent ${named[i]}, which is gone`);
  });
}

/** The payments of lines that a wallet's customer has released. The payment of the running line may not be claimed yet. */
async function linesOf(store: Pick<Store, 'read'>, wallet: Msisdn): Promise<string[]> {
  const files = await listBatches(store, PRINCIPAL);
  const own = files.filter(({ released }) => released?.by === wallet);
  const lines = await Promise.all(own.map((file) => readLines(store, file)));
  return lines.flat().flatMap(({ ref }) => (ref === undefined ? [] : [ref]));
}

function requestsOf(executions: readonly Execution[], wallet: Msisdn): string[] {
  return executions.flatMap(({ sender, requestId }) => (sender === wallet && requestId ? [requestId] : []));
}

/** More executions than one for a request, or than its customer meant. Money that came back was not paid. */
function doublesOf(executions: readonly Execution[], meant: (execution: Execution) => number): number {
  const paid = executions.filter(({ status }) => status <= STATUSES.COMPLETED);
  return Math.max(
    beyond(
      executions,
      ({ requestId }) => requestId,
      () => 1,
    ),
    beyond(paid, ({ sender, receiver, type, amount }) => `${sender} ${receiver} ${type} ${amount}`, meant),
  );
}

/** The number of executions of one name beyond the allowed number. */
function beyond(
  executions: readonly Execution[],
  name: (execution: Execution) => string,
  allowed: (execution: Execution) => number,
): number {
  const groups = [...Map.groupBy(executions, name).values()];
  return groups.reduce((sum, group) => sum + Math.max(0, group.length - allowed(group[0] as Execution)), 0);
}

/**
 * The ledger, with each execution under the number that asked for it. An agent asks for what the agent executes, on
 * either side of the float. The receiver asks for a payment by card. Several numbers act for the principal agent, so the
 * receiver or the loaded amount tells them apart.
 * @param agents the numbers of agents, by their codes. Of the principal agent, by the code and the receiver, or by the
 * loaded amount
 */
export function byWhoAsked(
  executions: readonly Execution[],
  agents: ReadonlyMap<string, Msisdn>,
): readonly Execution[] {
  return executions.map((each) => {
    const { sender, receiver, amount } = each;
    if (sender.startsWith('*')) {
      const who = agents.get(`${receiver} ${amount}`) ?? receiver;
      return { ...each, sender: who, receiver: who };
    }
    const paying = agents.get(sender) ?? agents.get(`${sender} ${receiver}`);
    const agent = paying ?? agents.get(receiver);
    return agent ? { ...each, sender: agent, receiver: paying ? receiver : sender } : each;
  });
}

/** Whether the wallet has made what an intent has asked for: an operation of its own, or a change of the one that it is about. */
export function hasMoved({ id, order }: Intent, executions: readonly Execution[]): boolean {
  if (order.kind === 'card-capture' || order.kind === 'card-reverse') {
    const changed = executions.find(({ operationId }) => operationId === order.payment.operationId);
    return changed?.status === (order.kind === 'card-capture' ? STATUSES.COMPLETED : STATUSES.CANCELED);
  }
  const executed = executions.find(({ requestId }) => requestId === id);
  // A reservation has moved once it is reserved.
  if (order.kind === 'card-payment' && order.isReserved) return executed !== undefined;
  return executed?.status === STATUSES.COMPLETED;
}

/** The contradiction between the end of an intent and the wallet's ledger. A person who owns an intent finds the truth. */
export function contradictionIn(
  state: IntentState,
  isMoved: boolean,
): 'has no outcome' | 'moved nothing' | 'moved money' | undefined {
  if (OWNED.includes(state) || state === 'reversed') return undefined;
  if (NOT_MOVED.includes(state)) return isMoved ? 'moved money' : undefined;
  if (state !== 'succeeded') return 'has no outcome';
  return isMoved ? undefined : 'moved nothing';
}

/**
 * A reservation has ended otherwise than by this intent, which is proven not to have ended it: by a later try, or by itself, once
 * its time was over. The wallet shows only that it has ended.
 */
function isMadeOtherwise(
  { id, order, state }: Intent,
  { intents, executions }: Pick<Verdict, 'intents' | 'executions'>,
): boolean {
  if (!NOT_MOVED.includes(state) || (order.kind !== 'card-capture' && order.kind !== 'card-reverse'))
    return false;
  const { operationId } = order.payment;
  const reservation = executions.find((each) => each.operationId === operationId);
  const endsAt = (reservation?.createdAt ?? Number.POSITIVE_INFINITY) + SETTINGS_DEFAULT.authorizationValidMs;
  const isOver = order.kind === 'card-reverse' && (reservation?.executedAt ?? 0) >= endsAt;
  return (
    isOver ||
    intents.some(
      (each) =>
        each.id !== id &&
        each.state === 'succeeded' &&
        each.order.kind === order.kind &&
        each.order.payment.operationId === operationId,
    )
  );
}

function lostOf(intent: Intent, executions: readonly Execution[]): string[] {
  const { id, state } = intent;
  switch (contradictionIn(state, hasMoved(intent, executions))) {
    case 'moved nothing':
      return [`intent ${id} is ${state}, and nothing moved`];
    case 'moved money':
      return [`intent ${id} is ${state}, and the money moved`];
    case 'has no outcome':
      return [`intent ${id} is still ${state}`];
    default:
      return [];
  }
}

/** Requests that came to the wallet more than once: one line for each. */
export function sentOften(requestIds: readonly string[], what: 'sent' | 'executed' = 'sent'): string[] {
  const groups = Map.groupBy(requestIds, (id) => id);
  return [...groups].flatMap(([id, { length }]) =>
    length > 1 ? [`intent ${id} was ${what} ${length} times`] : [],
  );
}
