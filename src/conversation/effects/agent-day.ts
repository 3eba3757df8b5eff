import type { AgentDay, AgentOperation, Sum } from '../../../machines/kit/effects.ts';
import { OPERATIONS_PAGE_SIZE } from '../../payments/payment.ts';
import { methodOf } from '../../payments/payments.ts';
import { readDocs } from '../../store/update.ts';
import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import { centimes } from '../../wallet/money.ts';
import { readPhone } from '../../wallet/phone.ts';
import type { CashKind } from '../../wallet/services.ts';
import type { Operation } from '../../wallet/wallet.ts';
import { type Intent, intentCodec, intentKey, isOpen } from '../intents/intent.ts';
import { agentOf } from '../session/agent.ts';
import { ENTRIES_MAX } from '../session/book.ts';
import { NO_AGENT } from './agent.ts';
import { type EffectEnv, type EffectOf, read } from './effect.ts';
import { rangeOf } from './takings.ts';

/** Operations on one page of the list: with the ways on, no more than an agent can look over. */
const LIST_PAGE_SIZE = 6;
/** How many pages of the wallet's list are added up: each is a call. */
const PAGES_MAX = 10;

interface Listed extends Pick<AgentDay, 'since' | 'by'> {
  readonly all: readonly AgentOperation[];
}

/**
 * The operations that an agent has executed today. The API lists an agent's operations only for a key with an
 * administrator's scope. With any other key they are those that Wasl has made for the agent.
 */
export const readAgentDay: EffectOf<'readAgentDay'> = read(async ({ page }, env) => {
  const { code } = agentOf(env.walletDoc) ?? {};
  if (code === undefined) return NO_AGENT;
  const { from } = rangeOf('today', env.now() + env.skewMs());
  const { all, ...known } = (await listed(code, from, env)) ?? (await own(code, from, env));
  const begins = (page - 1) * LIST_PAGE_SIZE;
  return {
    kind: 'ok',
    value: {
      ...known,
      deposits: sumOf(all, 'cash-in'),
      withdrawals: sumOf(all, 'cash-out'),
      page: all.slice(begins, begins + LIST_PAGE_SIZE),
      isLast: all.length <= begins + LIST_PAGE_SIZE,
    },
  };
});

/**
 * The operations as the wallet lists them. Undefined where this key may not read them, or where there are too many to
 * read. v2.3 does not show which fields `search` looks at (open question 112), so rows of other agents are left out.
 */
async function listed(code: string, from: Date, { api, call }: EffectEnv): Promise<Listed | undefined> {
  const rows: Operation[] = [];
  for (let page = 1; page <= PAGES_MAX; page++) {
    const answer = await api.agentOperations({ code, from, page, pageSize: OPERATIONS_PAGE_SIZE }, call);
    // A sum without a row that cannot be read would be wrong.
    if (answer.kind !== 'ok' || answer.value.leftOut) return undefined;
    const { operations, count } = answer.value;
    rows.push(...operations);
    if (operations.length > 0 && rows.length < count) continue;
    const theirs = rows.filter(({ sender, receiver }) => sender === code || receiver === code);
    const all = theirs.map(operationOf).sort((a, b) => b.at - a.at);
    return { since: from.getTime(), by: 'wallet', all };
  }
  return undefined;
}

function operationOf({ type, amount, at, status, sender, receiver }: Operation): AgentOperation {
  const kind = type === OPERATION_TYPES.CASHIN ? 'cash-in' : 'cash-out';
  const customer = readPhone(kind === 'cash-in' ? receiver : sender);
  const state = status === STATUSES.COMPLETED ? 'done' : status === STATUSES.OPEN ? 'open' : 'notDone';
  return { kind, amount, at, state, ...(customer && { customer }) };
}

/** As Wasl has them: its own payments of this agent. */
async function own(code: string, from: Date, { walletDoc, store, partition }: EffectEnv): Promise<Listed> {
  const { entries } = walletDoc;
  const begins = from.getTime();
  const keys = entries.filter(({ at }) => at >= begins).map(({ id }) => intentKey(id));
  const intents = (await readDocs(store, partition, keys)).flatMap((doc) => intentCodec.readable(doc) ?? []);
  const all = intents.flatMap((intent) => executionOf(intent, code)).sort((a, b) => b.at - a.at);
  // Payments that were dropped from the book are no longer known here.
  const oldest = entries.length < ENTRIES_MAX ? begins : Math.max(begins, entries[0]?.at ?? begins);
  return { since: oldest, by: 'wasl', all };
}

function executionOf(intent: Intent, code: string): AgentOperation[] {
  const { order, sentAt: at, state } = intent;
  if (!methodOf(order).ofAgent || !('madeAt' in order) || order.code !== code) return [];
  const { amount, customer } = order;
  const isUnknown = isOpen(intent) || state === 'human' || state === 'not-found';
  return [
    {
      kind: order.kind === 'agent-cash-in' ? 'cash-in' : 'cash-out',
      amount,
      at,
      state: state === 'succeeded' ? 'done' : isUnknown ? 'open' : 'notDone',
      ...(customer && { customer }),
    },
  ];
}

function sumOf(all: readonly AgentOperation[], kind: CashKind): Sum {
  const done = all.filter((each) => each.kind === kind && each.state === 'done');
  return { count: done.length, total: centimes(done.reduce((sum, { amount }) => sum + amount, 0)) };
}
