import type { Operation, OperationStatus, Wallet } from '../../wallet/wallet.ts';
import type { Book } from './book.ts';
import { type Intent, type IntentState, isOpen } from './intent.ts';
import { listOperations } from './look-alikes.ts';
import { findOperation, matches, SKEW_MS } from './match.ts';
import { type Found, wayOf } from './orders.ts';
import type { createOutcomes, Fact } from './outcomes.ts';
import { HORIZON_MS } from './schedule.ts';

/** How long the process that sends is left to bring the answer itself. */
const ANSWER_AWAITED_MS = 45_000;
/** How long two payments that look alike are left to their webhooks, which tell them apart, before a person does. */
const CONTESTED_MS = 3_600_000;
/** How long one question to the wallet may take. */
const READ_MAX_MS = 10_000;
/** Partner API v2.3, "Operation and transaction statuses". What is still open says nothing. */
const STATES: Readonly<Record<OperationStatus, IntentState | undefined>> = {
  1: undefined,
  2: 'succeeded',
  3: 'failed',
  4: 'failed',
};

/** What the wallet has just said that may concern an intent. */
interface Evidence {
  readonly operation?: Operation | undefined;
  readonly found?: Found | undefined;
  readonly listed?: readonly Operation[] | undefined;
}

/**
 * Finds out what became of payments without an outcome (docs/safety.md, rule 7). It only ever reads: nothing is sent
 * again, and "not found" is said only at the horizon.
 */
export function createReconciliation(
  outcomes: Pick<ReturnType<typeof createOutcomes>, 'intentOf' | 'apply'>,
  api: Pick<Wallet, 'operation' | 'operations' | 'topUps' | 'billStatus'>,
  now: () => number,
) {
  const reconciliation = {
    /** Looks for an intent once. Called when it is due. */
    async reconcile(id: string): Promise<void> {
      const intent = await outcomes.intentOf(id);
      if (!intent) return;
      const evidence = await gather(intent);
      await outcomes.apply(intent, (current, book) => decide(current, book, evidence));
      const found = intent.operationId === undefined && (await outcomes.intentOf(id));
      if (found && found.operationId !== undefined) await reconciliation.reconcile(id);
    },

    /** What the wallet says of an operation that a webhook named. The body was only a hint; this is the fact. */
    async confirm(
      intent: Intent,
      operationId: number,
      why: string,
      happenedAt?: number,
    ): Promise<'known' | 'open' | 'unreadable'> {
      const operation = await read(intent, operationId);
      if (!operation) return 'unreadable';
      const state = STATES[operation.status];
      if (!state) return 'open';
      await outcomes.apply(intent, (current) => ({
        ...factOf(current, operation, state, why),
        ...(happenedAt !== undefined && { happenedAt }),
      }));
      return 'known';
    },
  };
  return reconciliation;

  /** Asks the wallet: by the operation's id where it is known, else by the order's own key, else by its list. */
  async function gather(intent: Intent): Promise<Evidence> {
    const { operationId, order } = intent;
    if (operationId !== undefined) return { operation: await read(intent, operationId) };
    if (!isOpen(intent)) return {};
    const { find } = wayOf(order);
    if (!find) return { listed: await listedSince(intent) };
    const answer = await find(order, api, { signal: AbortSignal.timeout(READ_MAX_MS) });
    return { found: answer.kind === 'ok' ? answer.value : undefined };
  }

  function decide(intent: Intent, book: Book, { operation, found, listed }: Evidence): Fact | undefined {
    if (!isOpen(intent)) return undefined;
    const age = now() - intent.sentAt;
    if (intent.state === 'sent' && age > ANSWER_AWAITED_MS)
      return { state: 'unknown', why: 'no answer was ever saved' };
    const state = operation && STATES[operation.status];
    if (operation && state) return factOf(intent, operation, state, 'read by id');
    const sign = signOf(intent, found, listed, book, age);
    if (sign || age < HORIZON_MS) return sign;
    // One that is known and never ends is not "not found": a person asks the wallet.
    return intent.operationId === undefined && !found
      ? { state: 'not-found', why: 'nothing was found in 72 h' }
      : {
          state: 'human',
          why: `operation ${intent.operationId ?? 'without an id'} has no outcome after 72 h`,
        };
  }

  async function read(intent: Intent, id: number): Promise<Operation | undefined> {
    const answer = await api.operation(intent.wallet, id, { signal: AbortSignal.timeout(READ_MAX_MS) });
    return answer.kind === 'ok' ? answer.value : undefined;
  }

  async function listedSince({ order, sentAt }: Intent): Promise<readonly Operation[] | undefined> {
    const call = { signal: AbortSignal.timeout(READ_MAX_MS) };
    const answer = await listOperations(api, order, new Date(sentAt - SKEW_MS), call);
    return answer.kind === 'ok' ? answer.value : undefined;
  }
}

/** An operation is evidence only when it is the payment that was ordered; otherwise a person looks at both. */
function factOf(intent: Intent, operation: Operation, state: IntentState, why: string): Fact {
  if (!matches(operation, intent.order)) {
    return { state: 'human', why: `${why}: operation ${operation.id} is another payment` };
  }
  return { state, why, operationId: operation.id };
}

/**
 * Which of the wallet's operations an intent became, or how it ended where no operation is named. From then on it is ours
 * and nobody else's; what became of it is read by id.
 */
function signOf(
  intent: Intent,
  found: Found | undefined,
  listed: readonly Operation[] | undefined,
  book: Book,
  ageMs: number,
): Fact | undefined {
  if (intent.operationId !== undefined) return undefined;
  const { state, order } = intent;
  if (found?.operationId !== undefined)
    return { state, why: 'found by its own key', operationId: found.operationId };
  if (found?.state) return { state: found.state, why: `the ${order.kind} itself says so` };
  if (!listed) return undefined;
  const match = findOperation(intent, listed, book);
  if (match.kind === 'several')
    return { state: 'human', why: `several operations match: ${match.ids.join(', ')}` };
  if (match.kind === 'contested' && ageMs >= CONTESTED_MS)
    return { state: 'human', why: 'another payment looks just like this one' };
  return match.kind === 'one'
    ? { state, why: 'the only match', operationId: match.operation.id, isByList: true }
    : undefined;
}
