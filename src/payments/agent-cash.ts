import type { Value } from '../../machines/kit/screen.ts';
import type { Sealed } from '../../machines/kit/secret.ts';
import type { Answer } from '../wallet/answer.ts';
import { EXPIRED_CODE, type RefusalName, refusalCode } from '../wallet/contract/errors.ts';
import { OPERATION_TYPES, STATUSES } from '../wallet/contract/fields.ts';
import { centimes } from '../wallet/money.ts';
import type { Msisdn } from '../wallet/phone.ts';
import type { AgentExecution, CashKind } from '../wallet/services.ts';
import type { Execution, Operation, Preview } from '../wallet/wallet.ts';
import {
  type FindEnv,
  type Followed,
  type Found,
  OPERATIONS_PAGE_SIZE,
  type PaymentEnv,
  type PaymentMethod,
  type Placed,
} from './payment.ts';

/** A withdrawal's number is worth money, so it is sealed for the wallet of the agent who got it. */
export type CashNumber = { readonly code: string } | { readonly sealed: Sealed };

/** Executed with the float. `from`: the agent's own wallet, whose PIN confirms it and whose money stays. */
export interface AgentCashOrder extends Placed {
  readonly code: string;
  readonly number: CashNumber;
  /** When the reference was made, ms since 1970: what it is told apart by. */
  readonly madeAt: number;
  /** The owner of the wallet. Absent where the wallet does not say. */
  readonly customer?: Msisdn;
  /** The agent has typed that number, and must see whether it is right. */
  readonly isTyped?: true;
}

/** It is looked for every five seconds for a minute: somebody stands at the counter. */
const FIRST_LOOKS_MS: readonly number[] = [...Array.from({ length: 12 }, (_, i) => (i + 1) * 5_000), 120_000];
/**
 * The wallet's clock and ours differ, and a call may be on its way for a while. The lookup does not say who has executed a reference:
 * what another till may have done since is not taken for ours, for cash is handed out by it.
 */
const SKEW_MS = 2 * 60_000;
const LATE_MAX_MS = 60_000;

type Method = Omit<PaymentMethod<AgentCashOrder>, 'type' | 'said' | 'followed' | 'payee' | 'secret'> & {
  readonly said: Pick<PaymentMethod<AgentCashOrder>['said'], 'values'>;
  readonly followed: Pick<Followed<AgentCashOrder>, 'takenBack' | 'events' | 'find' | 'firstLooksMs'>;
};

/**
 * The common part of a deposit and a withdrawal at an agent. A reference is executed once (not shown in v2.3; the
 * sandbox does so). So it is the key that tells the outcome after a lost answer.
 * @param kind of the reference
 * @param execute moves the money
 */
export function agentCash(
  kind: CashKind,
  execute: (request: AgentExecution, env: PaymentEnv) => Promise<Answer<Execution>>,
): Method {
  return {
    ofAgent: 'retail',
    guard: 'once',

    said: {
      values: ({ customer, isTyped }) => ({
        to: customer && isTyped ? { phone: customer } : whoseOf(customer),
      }),
    },
    /** Another reference is always another payment. */
    alike: { beneficiary: ({ customer }) => customer ?? '', name: nameOf },
    listed: {
      statementName: kind === 'cash-in' ? 'statement.deposit' : 'statement.withdrawal',
      beneficiary: nameOf,
      receiver: () => undefined,
    },
    receipt: { reference: ({ number }) => ('code' in number ? number.code : undefined) },
    followed: {
      takenBack: 'read',
      events: {},
      firstLooksMs: FIRST_LOOKS_MS,
      find: (order, env) => found(kind, order, env),
    },

    preview: (order, env) => looked(kind, order, env),
    async execute(order, env) {
      const reference = numberIn(order.number, env.openKept);
      return reference === undefined ? refused(EXPIRED_CODE) : execute({ code: order.code, reference }, env);
    },
  };
}

/** The owner of a reference's wallet, as an agent reads it. */
export function whoseOf(customer: Msisdn | undefined): Value {
  return customer ? { masked: customer } : { say: 'agent-cash-in.somebody' };
}

/** The number of a reference. Undefined where it can no longer be opened, or where the store has lost it. */
function numberIn(number: CashNumber, openKept: PaymentEnv['openKept']): string | undefined {
  return 'code' in number ? number.code || undefined : openKept(number.sealed);
}

/** The number is sealed: two references one customer made in the same instant are taken for one, and the agent is asked. */
export function nameOf({ customer, madeAt }: AgentCashOrder): string {
  return `${customer ?? ''}/${madeAt}`;
}

/** There is no preview in v2.3, and no fee is shown: what can be known before is that the reference is open. */
async function looked(
  kind: CashKind,
  { number, amount }: AgentCashOrder,
  { api, call, openKept }: PaymentEnv,
): Promise<Answer<Preview>> {
  const reference = numberIn(number, openKept);
  if (reference === undefined) return refused(EXPIRED_CODE);
  const answer = await api.cashReference(kind, reference, call);
  if (answer.kind !== 'ok') return answer;
  const why = notOpen(answer.value.status, answer.value.amount === amount);
  return why
    ? refused(refusalCode(why))
    : { kind: 'ok', value: { fees: centimes(0), total: amount, openLoop: false } };
}

function notOpen(status: number, isSame: boolean): RefusalName | undefined {
  if (status === STATUSES.COMPLETED) return 'referenceUsed';
  if (status !== STATUSES.OPEN) return 'referenceExpired';
  return isSame ? undefined : 'referenceUnknown';
}

/**
 * Executed, or never. The lookup does not name the agent who executed it. So an execution at another time is not taken
 * for this order's, nor is one that this agent's list lacks, where the key may read that list. A person looks at those.
 */
async function found(
  kind: CashKind,
  order: AgentCashOrder,
  { api, call, openKept, sentAt }: FindEnv,
): Promise<Answer<Found | undefined>> {
  const reference = numberIn(order.number, openKept);
  if (reference === undefined) return { kind: 'ok', value: undefined };
  const answer = await api.cashReference(kind, reference, call);
  if (answer.kind !== 'ok') return answer;
  const { status, executedAt = sentAt } = answer.value;
  if (status === STATUSES.OPEN) return { kind: 'ok', value: undefined };
  if (status !== STATUSES.COMPLETED) return { kind: 'ok', value: { state: 'failed' } };
  const isThen = executedAt >= sentAt - SKEW_MS && executedAt <= sentAt + LATE_MAX_MS;
  if (!isThen) return { kind: 'ok', value: {} };
  const own = await isOwn(kind, order, { api, call, sentAt });
  return own.kind === 'ok'
    ? { kind: 'ok', value: own.value ? { state: 'succeeded', at: executedAt } : {} }
    : own;
}

/** Whether the wallet lists such an operation as this agent's. A key without an administrator's scope cannot ask: then it is. */
async function isOwn(
  kind: CashKind,
  { code, amount }: AgentCashOrder,
  { api, call, sentAt }: Pick<FindEnv, 'api' | 'call' | 'sentAt'>,
): Promise<Answer<boolean>> {
  const type = kind === 'cash-in' ? OPERATION_TYPES.CASHIN : OPERATION_TYPES.CASHOUT;
  const from = new Date(sentAt - SKEW_MS);
  const answer = await api.agentOperations({ code, from, pageSize: OPERATIONS_PAGE_SIZE }, call);
  if (answer.kind !== 'ok') return answer.kind === 'refused' ? { kind: 'ok', value: true } : answer;
  const isIt = (each: Operation) =>
    each.type === type && each.amount === amount && [each.sender, each.receiver].includes(code);
  return { kind: 'ok', value: answer.value.operations.some(isIt) };
}

function refused(code: string): Extract<Answer<never>, { kind: 'refused' }> {
  return { kind: 'refused', code, description: '' };
}
