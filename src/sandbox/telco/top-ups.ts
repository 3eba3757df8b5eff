import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import { OPERATORS, type Operator, RECHARGE_TYPES } from '../../wallet/contract/telco.ts';
import { type Centimes, centimes, fromDecimal, toDecimal } from '../../wallet/money.ts';
import { readPhone } from '../../wallet/phone.ts';
import { findAgent } from '../agents/agents.ts';
import { type Core, type Handlers, isRefusal, type Refusal, type Request, refuse } from '../core/core.ts';
import type { Customers } from '../customers/customer.ts';
import { MAGIC } from '../faults/magic.ts';
import { topUpFees } from '../ledger/fees.ts';
import type { Operation, Operations } from '../operations/operation.ts';
import { PRODUCTS, type Product } from './catalog.ts';

/** Whole dirhams. Not shown in v2.3 ("Limits": minimum and maximum amounts). */
const AMOUNT_MIN_DIRHAMS = 5;
const AMOUNT_MAX_DIRHAMS = 1_000;
/** How long a top-up waits for its operator where its number asks for it. */
const WAITS_MS = 60_000;

interface Order {
  readonly recipientPhoneNumber: string;
  /** Dirhams. */
  readonly amount: number;
  readonly operator: Operator;
  readonly rechargeType: 0 | 1;
  readonly productCode?: number | undefined;
}
/** Who pays for a top-up. */
type Payer = Pick<Operation, 'payer' | 'senderId' | 'sender'>;

/**
 * Mobile top-ups (Partner API v2.3, "Telco top-up"). Not shown in v2.3: the top-up is delivered before the answer, which
 * is then final (open question 8); a number of the wrong operator is not noticed, for nobody can tell by its digits.
 */
export function topUps(
  core: Core,
  customers: Customers,
  operations: Operations,
): Handlers<'topUpCatalog' | 'previewTopUp' | 'executeTopUp' | 'executeTopUpB2b'> {
  const { db, ledger, clock } = core;
  const checkedAt = () => new Date(clock.now()).toISOString();

  /** Amount and fees, where the wallet has them. */
  function affordable(account: number, amount: Centimes, fees: Centimes): Refusal | undefined {
    return ledger.balance(account) < amount + fees ? refuse('insufficientFunds') : undefined;
  }

  function execute(
    { tenant, requestId, struck }: Pick<Request, 'tenant' | 'requestId' | 'struck'>,
    order: Order,
    product: Product | undefined,
    payer: Payer,
    fees: Centimes,
  ): Operation | Refusal {
    const { recipientPhoneNumber: to, operator, rechargeType } = order;
    if (to === MAGIC.topUpRefused) return refuse('topUpRefused');
    const operation = operations.execute(
      {
        ...payer,
        tenant: tenant.id,
        type: OPERATION_TYPES.RECHARGE,
        amount: fromDecimal(order.amount),
        fees,
        reason: `Recharge ${OPERATORS[operator]}`,
        receiverId: null,
        receiver: to,
        openLoop: 0,
        requestId,
        settlesAs: to === MAGIC.failsLater ? STATUSES.FAILED : STATUSES.COMPLETED,
      },
      struck,
      to === MAGIC.topUpWaits ? WAITS_MS : to === MAGIC.failsLater ? undefined : 0,
    );
    db.run(
      'INSERT INTO topUps (operation, operator, rechargeType, product, waits) VALUES (?, ?, ?, ?, ?)',
      operation.id,
      operator,
      rechargeType,
      product?.description ?? null,
      to === MAGIC.topUpWaits ? 1 : 0,
    );
    return operation;
  }

  return {
    topUpCatalog({ body }) {
      return offers(body).map(({ code, description, arDescription, enabled }) => ({
        productCode: code,
        description,
        arDescription,
        enabled,
      }));
    },

    previewTopUp({ tenant, body }) {
      const invalid = checked(body);
      if (invalid) return invalid;
      // The preview does not know yet which product it will be.
      const sold =
        body.rechargeType === RECHARGE_TYPES.CLASSIC || offers(body).some(({ enabled }) => enabled);
      if (!sold) return refuse('productUnknown');
      const customer = customers.usable(tenant, body.customerPhoneNumber);
      if (isRefusal(customer)) return customer;
      const amount = fromDecimal(body.amount);
      const fees = topUpFees(amount);
      return (
        affordable(customer.account, amount, fees) ?? {
          type: OPERATION_TYPES.RECHARGE,
          operation: { ...body },
          feesAmount: toDecimal(fees),
          totalAmount: toDecimal(centimes(amount + fees)),
          checkedAt: checkedAt(),
          openLoop: false,
        }
      );
    },

    executeTopUp(request) {
      const { tenant, body } = request;
      const invalid = checked(body);
      if (invalid) return invalid;
      const product = productOf(body);
      if (isRefusal(product)) return product;
      const customer = customers.usable(tenant, body.customerPhoneNumber);
      if (isRefusal(customer)) return customer;
      const fees = topUpFees(fromDecimal(body.amount));
      const short = affordable(customer.account, fromDecimal(body.amount), fees);
      if (short) return short;
      const payer = { payer: customer.account, senderId: customer.id, sender: customer.phone };
      const operation = execute(request, body, product, payer, fees);
      if (isRefusal(operation)) return operation;
      return {
        operationId: operation.id,
        transactionStatus: operation.status,
        operationType: operation.type,
        amount: toDecimal(operation.amount),
        feesAmount: toDecimal(operation.fees),
        totalAmount: toDecimal(centimes(operation.amount + operation.fees)),
        reason: operation.reason,
        recipientPhoneNumber: operation.receiver,
        checkedAt: checkedAt(),
      };
    },

    /** A principal agent pays, without fees. */
    executeTopUpB2b(request) {
      const { tenant, body } = request;
      const invalid = checked(body);
      if (invalid) return invalid;
      const product = productOf(body);
      if (isRefusal(product)) return product;
      const agent = findAgent(core, tenant, body.code, 'principal');
      if (isRefusal(agent)) return agent;
      const fees = centimes(0);
      const short = affordable(agent.account, fromDecimal(body.amount), fees);
      if (short) return short;
      const payer = { payer: agent.account, senderId: null, sender: agent.code };
      const operation = execute(request, body, product, payer, fees);
      if (isRefusal(operation)) return operation;
      return {
        operationType: operation.type,
        Amount: toDecimal(operation.amount),
        feesAmount: toDecimal(operation.fees),
        checkedAt: checkedAt(),
        openLoop: false,
      };
    },
  };
}

/** What is wrong with an order whoever pays; undefined where nothing is. */
function checked({ amount, recipientPhoneNumber }: Order): Refusal | undefined {
  if (!Number.isInteger(amount) || amount < AMOUNT_MIN_DIRHAMS || amount > AMOUNT_MAX_DIRHAMS)
    return refuse('amountInvalid', {
      detail: `${AMOUNT_MIN_DIRHAMS} to ${AMOUNT_MAX_DIRHAMS} whole dirhams`,
    });
  return readPhone(recipientPhoneNumber)
    ? undefined
    : refuse('phoneInvalid', { detail: 'not a mobile number' });
}

function offers({ operator, amount }: Pick<Order, 'operator' | 'amount'>): readonly Product[] {
  return PRODUCTS.filter((each) => each.operator === operator && each.dirhams === amount);
}

/** Undefined for a classic top-up, which has none. */
function productOf(order: Order): Product | undefined | Refusal {
  const { rechargeType, productCode } = order;
  if (rechargeType === RECHARGE_TYPES.CLASSIC)
    return productCode === undefined ? undefined : refuse('parameterInvalid', { detail: 'productCode' });
  if (productCode === undefined) return refuse('missingParameters', { detail: 'productCode' });
  const product = offers(order).find(({ code, enabled }) => code === productCode && enabled);
  return product ?? refuse('productUnknown');
}
