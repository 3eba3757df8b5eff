import type { Api } from '../../wallet/contract/api.ts';
import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import { OPERATORS, type Operator, RECHARGE_TYPES } from '../../wallet/contract/telco.ts';
import { type Centimes, centimes, fromDecimal, toDecimal } from '../../wallet/money.ts';
import { readPhone } from '../../wallet/phone.ts';
import { findAgent } from '../agents/agents.ts';
import type { Core, Request, SomeHandlers } from '../core/core.ts';
import { PAGE_SIZE_MAX } from '../core/paging.ts';
import { refuse } from '../core/refusal.ts';
import { getCustomer, usableCustomer } from '../customers/customer.ts';
import { MAGIC } from '../faults/magic.ts';
import { requireFunds } from '../ledger/amounts.ts';
import { topUpFees } from '../ledger/fees.ts';
import { type Asked, executeOperation, type Operation, paidBy, quoted } from '../operations/operation.ts';
import { nowIso } from '../time/clock.ts';
import { PRODUCTS, type Product } from './catalog.ts';

/** Whole dirhams. Not shown in v2.3 ("Limits": minimum and maximum amounts). */
const AMOUNT_MIN_DIRHAMS = 5;
const AMOUNT_MAX_DIRHAMS = 1_000;
/** The only amounts in the other reading of open question 133, in dirhams. */
const AMOUNTS_LISTED: readonly number[] = [10, 20, 50, 100];
/** How long a top-up waits for its operator where its number asks for it. */
const WAITS_MS = 60_000;

/** The common part of the orders of customers and agents. The amount is in dirhams. */
type Order = Omit<Request<Api['executeTopUpB2b']>['body'], 'code'>;
type Payer = Pick<Operation, 'payer' | 'senderId' | 'sender'>;

/**
 * Mobile top-ups (Partner API v2.3, "Telco top-up"). Not shown in v2.3: the top-up is delivered before the answer, which
 * is then final (open question 8). A number of the wrong operator is not noticed, because its digits do not show it.
 */
export const topUps = {
  topUpCatalog({ settings }, { body }) {
    if (settings.topUpCatalog === 'empty') return [];
    return offers(body).map(({ code, description, arDescription, enabled }) => ({
      productCode: code,
      description,
      arDescription,
      enabled,
    }));
  },

  previewTopUp(core, { tenant, body }) {
    requireValid(core, body);
    // The preview does not know yet which product it will be.
    const sold = body.rechargeType === RECHARGE_TYPES.CLASSIC || offers(body).some(({ enabled }) => enabled);
    if (!sold) refuse('productUnknown');
    const customer = usableCustomer(core, tenant, body.customerPhoneNumber);
    const amount = fromDecimal(body.amount);
    const fees = topUpFees(amount);
    requireFunds(core, customer.account, amount + fees);
    const total = toDecimal(centimes(amount + fees));
    return { ...quoted(core, OPERATION_TYPES.RECHARGE, { ...body }, fees), totalAmount: total };
  },

  executeTopUp(core, request) {
    const { tenant, body } = request;
    requireValid(core, body);
    const product = productOf(body);
    const customer = usableCustomer(core, tenant, body.customerPhoneNumber);
    const fees = topUpFees(fromDecimal(body.amount));
    requireFunds(core, customer.account, fromDecimal(body.amount) + fees);
    const operation = execute(core, request, body, product, paidBy(customer), fees);
    return {
      operationId: operation.id,
      transactionStatus: operation.status,
      operationType: operation.type,
      amount: toDecimal(operation.amount),
      feesAmount: toDecimal(operation.fees),
      totalAmount: toDecimal(centimes(operation.amount + operation.fees)),
      reason: operation.reason,
      recipientPhoneNumber: operation.receiver,
      checkedAt: nowIso(core),
    };
  },

  /** A principal agent pays, without fees. */
  executeTopUpB2b(core, request) {
    const { tenant, body } = request;
    requireValid(core, body);
    const product = productOf(body);
    const agent = findAgent(core, tenant, body.code, 'principal');
    const fees = centimes(0);
    requireFunds(core, agent.account, fromDecimal(body.amount) + fees);
    const payer = { payer: agent.account, senderId: null, sender: agent.code };
    const operation = execute(core, request, body, product, payer, fees);
    return {
      operationType: operation.type,
      Amount: toDecimal(operation.amount),
      feesAmount: toDecimal(operation.fees),
      checkedAt: nowIso(core),
      openLoop: false,
    };
  },

  /** A wallet's top-ups, newest first. */
  listTopUps(core, { tenant, query }) {
    const customer = getCustomer(core, tenant, query.phoneNumber);
    // None waits in the other reading.
    const waits = core.settings.topUpStatuses === 'created' ? 1 : 2;
    const states = JSON.stringify(query.status ?? []);
    const take = Math.min(query.pageSize, PAGE_SIZE_MAX);
    const skip = (query.pageNumber - 1) * take;
    return core.db
      .all<Row>(SQL, ...[waits, customer.id, core.clock.now(), states, states, take, skip])
      .map((row) => ({
        telcoRechargeOperationId: row.id,
        customerId: customer.id,
        createdAt: new Date(row.createdAt).toISOString(),
        completedAt: row.executedAt && row.state !== 3 ? new Date(row.executedAt).toISOString() : null,
        operatorId: row.operator,
        amount: toDecimal(row.amount),
        product: row.product,
        type: row.rechargeType,
        status: row.state,
        destinationPhoneNumber: row.receiver,
      }));
  },
} satisfies SomeHandlers;

function execute(
  core: Core,
  asked: Asked,
  order: Order,
  product: Product | undefined,
  payer: Payer,
  fees: Centimes,
): Operation {
  const { recipientPhoneNumber: to, operator, rechargeType } = order;
  if (to === MAGIC.topUpRefused) refuse('topUpRefused');
  const operation = executeOperation(
    core,
    asked,
    {
      ...payer,
      type: OPERATION_TYPES.RECHARGE,
      amount: fromDecimal(order.amount),
      fees,
      reason: `Recharge ${OPERATORS[operator]}`,
      receiver: to,
    },
    to === MAGIC.topUpWaits ? WAITS_MS : to === MAGIC.failsLater ? undefined : 0,
  );
  core.db.insert('topUps', {
    operation: operation.id,
    operator,
    rechargeType,
    product: product?.description ?? null,
    waits: to === MAGIC.topUpWaits ? 1 : 0,
  });
  return operation;
}

/** Refuses an order that is wrong whoever pays. */
function requireValid({ settings }: Core, { amount, recipientPhoneNumber }: Order): void {
  if (settings.topUpAmounts === 'listed' && !AMOUNTS_LISTED.includes(amount))
    refuse('amountInvalid', { detail: AMOUNTS_LISTED.join(', ') });
  if (!Number.isInteger(amount) || amount < AMOUNT_MIN_DIRHAMS || amount > AMOUNT_MAX_DIRHAMS)
    refuse('amountInvalid', {
      detail: `${AMOUNT_MIN_DIRHAMS} to ${AMOUNT_MAX_DIRHAMS} whole dirhams`,
    });
  if (!readPhone(recipientPhoneNumber)) refuse('phoneInvalid', { detail: 'not a mobile number' });
}

function offers({ operator, amount }: Pick<Order, 'operator' | 'amount'>): readonly Product[] {
  return PRODUCTS.filter((each) => each.operator === operator && each.dirhams === amount);
}

/** Undefined for a classic top-up, which has none. */
function productOf(order: Order): Product | undefined {
  const { rechargeType, productCode } = order;
  if (rechargeType === RECHARGE_TYPES.CLASSIC)
    return productCode === undefined ? undefined : refuse('parameterInvalid', { detail: 'productCode' });
  if (productCode === undefined) refuse('missingParameters', { detail: 'productCode' });
  const product = offers(order).find(({ code, enabled }) => code === productCode && enabled);
  return product ?? refuse('productUnknown');
}

interface Row extends Pick<Operation, 'id' | 'amount' | 'receiver' | 'createdAt' | 'executedAt'> {
  readonly operator: Operator;
  readonly rechargeType: 0 | 1;
  readonly product: string | null;
  /** 0 created (it waits for the operator), 1 open, 2 completed, 3 failed, 4 cancelled: open question 30. */
  readonly state: number;
}

/** Only those that a customer paid for. A fault can keep one out of the list for a while. */
const SQL = `
  SELECT id, amount, receiver, createdAt, executedAt, operator, rechargeType, product,
         CASE WHEN status = 1 AND waits = ? THEN 0 ELSE status END AS state
  FROM operations JOIN topUps ON operation = id
  WHERE senderId = ? AND listedAt <= ? AND (? = '[]' OR state IN (SELECT value FROM json_each(?)))
  ORDER BY id DESC LIMIT ? OFFSET ?`;
