import type { Sentence } from '../../../machines/kit/screen.ts';
import { methodOf, orderValues } from '../../payments/payments.ts';
import { readDocs } from '../../store/update.ts';
import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import type { Operation } from '../../wallet/wallet.ts';
import { intentCodec, intentKey } from '../intents/intent.ts';
import { spareCall } from '../intents/side-reads.ts';
import { ownerOf } from '../session/book.ts';
import { type EffectEnv, type EffectOf, read } from './effect.ts';

/** Operations on one page of the statement: with the ways on, no more than a customer can look over. */
export const STATEMENT_PAGE_SIZE = 8;
/** The newest bill payments, which are looked through for those of one page. */
const BILLS_READ = 50;

export const readOperations: EffectOf<'readOperations'> = read(async ({ wallet, types, page }, env) => {
  const filter = { ...(types && { types }), page, pageSize: STATEMENT_PAGE_SIZE };
  const answer = await env.api.operations(wallet, filter, env.call);
  if (answer.kind !== 'ok') return answer;
  const { operations, count, leftOut } = answer.value;
  // A wallet may give longer pages than were asked for. An operation that vanishes between two pages would leave an
  // empty one.
  const isLast = (operations.length === 0 && !leftOut) || page * STATEMENT_PAGE_SIZE >= count;
  const about = await aboutEach(operations, env);
  return { kind: 'ok', value: { operations, isLast, about, ...(leftOut && { leftOut: true }) } };
});

/**
 * The biller or shop that was paid, by the id of the operation: no row of the wallet's list names one (Partner API v2.3,
 * "Operation detail"). Our own record of the payment knows it, and of an older bill the wallet's history of bills does.
 */
async function aboutEach(
  operations: readonly Operation[],
  env: EffectEnv,
): Promise<Readonly<Record<string, Sentence>>> {
  const { store, partition, walletDoc } = env;
  const owners = operations.map(({ id }) => ownerOf(walletDoc, id));
  const docs = await Promise.all(
    owners.map(async (id) =>
      id === undefined ? undefined : (await readDocs(store, partition, [intentKey(id)]))[0],
    ),
  );
  const own = operations.flatMap(({ id }, i) => {
    const order = intentCodec.read(docs[i])?.order;
    const key = order && methodOf(order).listed.about?.(order);
    return order && key ? [[String(id), { key, values: orderValues(order) }] as const] : [];
  });
  const known = Object.fromEntries(own);
  const isUnknownBill = ({ id, type }: Operation) =>
    type === OPERATION_TYPES.BILL_PAYMENT && known[id] === undefined;
  return operations.some(isUnknownBill) ? { ...(await aboutBills(env)), ...known } : known;
}

/** By the id of the operation. Without the history the statement is shown all the same. */
async function aboutBills({ api, call, wallet }: EffectEnv): Promise<Readonly<Record<string, Sentence>>> {
  if (wallet === undefined) return {};
  const answer = await api.billPayments(wallet, { page: 1, pageSize: BILLS_READ }, spareCall(call));
  if (answer.kind !== 'ok') return {};
  return Object.fromEntries(
    answer.value.entries.flatMap(({ operationId, creditor, receivable = '' }) =>
      operationId === undefined || creditor === ''
        ? []
        : [[String(operationId), billOf(creditor, receivable)] as const],
    ),
  );
}

function billOf(creditor: string, receivable: string): Sentence {
  const values = { creditor: { name: creditor } };
  return receivable === ''
    ? { key: 'statement.aboutBiller', values }
    : { key: 'statement.aboutService', values: { ...values, receivable: { name: receivable } } };
}
