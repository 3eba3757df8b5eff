import type { z } from 'zod';
import type { Api } from '../../wallet/contract/api.ts';
import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import { centimes, fromDecimal, toDecimal } from '../../wallet/money.ts';
import { findAgent } from '../agents/agents.ts';
import { type Core, type Handlers, isRefusal, refuse, type Tenant } from '../core/core.ts';
import { type Book, percentOf, type Reference } from './book.ts';
import type { Counter } from './counter.ts';

type Calls =
  | 'requestCashIn'
  | 'requestCashOut'
  | 'requestBillNetworkCashIn'
  | 'readCashInRequest'
  | 'readCashOutRequest';
const { CASHIN, CASHOUT } = OPERATION_TYPES;

/**
 * References for cash (Partner API v2.3, "Reference-based cash-in / cash-out"). Not shown in v2.3: whether a request for
 * cash-out holds the money. Here it holds nothing; what the wallet has is looked at again when it is executed.
 */
export function requests(core: Core, book: Book, counter: Counter): Handlers<Calls> {
  function requested(
    type: 1 | 2,
    tenant: Tenant,
    { PhoneNumber: phone, Amount }: { readonly PhoneNumber: string; readonly Amount: number },
  ) {
    const amount = fromDecimal(Amount);
    if (toDecimal(amount) !== Amount) return refuse('amountInvalid');
    const order = { tenant: tenant.id, type, billNetwork: 0, phone, code: null, description: null } as const;
    const wanted = { ...order, amount, fees: centimes(0) };
    const refused = counter.refused(tenant, wanted);
    return refused ?? requestOf(book, book.open(wanted));
  }

  return {
    requestCashIn: ({ tenant, body }) => requested(CASHIN, tenant, body),
    requestCashOut: ({ tenant, body }) => requested(CASHOUT, tenant, body),

    requestBillNetworkCashIn({ tenant, body }) {
      const { PhoneNumber: phone, Code: code, Amount, Description, FeesPercent = 0 } = body;
      const amount = fromDecimal(Amount);
      if (toDecimal(amount) !== Amount) return refuse('amountInvalid');
      const detail = 'exactly one of PhoneNumber and Code';
      if (phone !== undefined && code !== undefined) return refuse('parameterInvalid', { detail });
      if (phone === undefined && code === undefined) return refuse('missingParameters', { detail });
      if (code !== undefined) {
        const agent = findAgent(core, tenant, code, 'principal');
        if (isRefusal(agent)) return agent;
      }
      const wanted = {
        tenant: tenant.id,
        type: CASHIN,
        billNetwork: 1,
        phone: phone ?? null,
        code: code ?? null,
        amount,
        fees: percentOf(amount, FeesPercent),
        description: Description ?? null,
      } as const;
      return counter.refused(tenant, wanted) ?? foundOf(book, book.open(wanted));
    },

    /** Open question 19: finds those of the bill network too. */
    readCashInRequest: ({ tenant, query }) => lookedUp(tenant, CASHIN, query.Reference),
    readCashOutRequest: ({ tenant, query }) => lookedUp(tenant, CASHOUT, query.Reference),
  };

  function lookedUp(tenant: Tenant, type: 1 | 2, text: string) {
    const reference = book.find(tenant, type, text);
    if (isRefusal(reference)) return reference;
    return { ...foundOf(book, reference), partner: partnerName(tenant) };
  }
}

type Requested = z.input<Api['requestCashIn']['data']>;
type Found = z.input<Api['requestBillNetworkCashIn']['data']>;

/** What a partner is called in an answer. Not shown in v2.3. */
export function partnerName({ id }: Tenant): string {
  return `Partner ${id}`;
}

/** A reference as creations and agents' executions answer it. */
export function requestOf(book: Book, reference: Reference): Requested {
  const status = book.statusOf(reference);
  const closedAt = reference.operation ? executedAtOf(reference) : status === 1 ? null : reference.expiresAt;
  return {
    createdAt: new Date(reference.createdAt).toISOString(),
    closedAt: isoOf(closedAt),
    reference: reference.reference,
    phoneNumber: reference.phone,
    operationType: reference.type,
    operationStatus: status,
    amount: toDecimal(reference.amount),
  };
}

/** A reference as lookups answer it, and the bill network's creation. */
function foundOf(book: Book, reference: Reference): Found {
  return {
    reference: reference.reference,
    createdAt: new Date(reference.createdAt).toISOString(),
    executedAt: isoOf(executedAtOf(reference)),
    phoneNumber: reference.phone,
    amount: toDecimal(reference.amount),
    status: book.statusOf(reference),
    type: reference.type,
    ...(reference.billNetwork && { code: reference.code, description: reference.description }),
  };
}

export function executedAtOf({ operation }: Reference): number | null {
  return operation?.executedAt ?? null;
}

export function isoOf(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString();
}
