import type { z } from 'zod';
import type { Api } from '../../wallet/contract/api.ts';
import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import { centimes, toDecimal } from '../../wallet/money.ts';
import type { Core, SomeHandlers, Tenant } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import { amountOf } from '../ledger/amounts.ts';
import { findReference, listReferences, openReference, percentOf, type Reference, statusOf } from './book.ts';
import { requireExecutable } from './counter.ts';

const { CASHIN, CASHOUT } = OPERATION_TYPES;

/**
 * References for cash (Partner API v2.3, "Reference-based cash-in / cash-out"). Not shown in v2.3: whether a request for
 * cash-out holds the money. Here it holds nothing. What the wallet has is looked at again when it is executed.
 */
export const requests = {
  requestCashIn: (core, { tenant, body }) => requested(core, CASHIN, tenant, body),
  requestCashOut: (core, { tenant, body }) => requested(core, CASHOUT, tenant, body),

  requestBillNetworkCashIn(core, { tenant, body }) {
    const { PhoneNumber: phone, Code: code, Amount, Description, FeesPercent = 0 } = body;
    const amount = amountOf(Amount);
    const fees = percentOf(amount, FeesPercent);
    const detail = 'exactly one of PhoneNumber and Code';
    if (phone !== undefined && code !== undefined) refuse('parameterInvalid', { detail });
    if (phone === undefined && code === undefined) refuse('missingParameters', { detail });
    const wanted = {
      tenant: tenant.id,
      type: CASHIN,
      billNetwork: 1,
      phone: phone ?? null,
      code: code ?? null,
      amount: core.settings.feesPercent === 'added' ? amount : centimes(amount - fees),
      fees,
      description: Description ?? null,
    } as const;
    requireExecutable(core, tenant, wanted);
    return foundOf(core, openReference(core, wanted));
  },

  /** Open question 19: finds those of the bill network too. */
  readCashInRequest: (core, { tenant, query }) => lookedUp(core, tenant, CASHIN, query.Reference),
  readCashOutRequest: (core, { tenant, query }) => lookedUp(core, tenant, CASHOUT, query.Reference),
} satisfies SomeHandlers;

function requested(
  core: Core,
  type: 1 | 2,
  tenant: Tenant,
  { PhoneNumber: phone, Amount }: { readonly PhoneNumber: string; readonly Amount: number },
) {
  const amount = amountOf(Amount);
  const order = { tenant: tenant.id, type, billNetwork: 0, phone, code: null, description: null } as const;
  const wanted = { ...order, amount, fees: centimes(0) };
  requireExecutable(core, tenant, wanted);
  const isSame = (each: Reference) => each.type === type && each.amount === amount && !each.operation;
  if (core.settings.sameDeposit === 'refused' && listReferences(core, tenant, phone).some(isSame))
    refuse('referenceUsed');
  return requestOf(core, openReference(core, wanted));
}

function lookedUp(core: Core, tenant: Tenant, type: 1 | 2, text: string) {
  const reference = findReference(core, tenant, type, text);
  if (reference.billNetwork && core.settings.billReferences === 'hidden') refuse('referenceUnknown');
  return { ...foundOf(core, reference), partner: partnerName(tenant) };
}

type Requested = z.input<Api['requestCashIn']['data']>;
type Found = z.input<Api['requestBillNetworkCashIn']['data']>;

/** A partner's name in an answer. Not shown in v2.3. */
export function partnerName({ id }: Tenant): string {
  return `Partner ${id}`;
}

/** A reference as creations and agents' executions answer it. */
export function requestOf(core: Core, reference: Reference): Requested {
  const status = statusOf(core, reference);
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
function foundOf(core: Core, reference: Reference): Found {
  return {
    reference: reference.reference,
    createdAt: new Date(reference.createdAt).toISOString(),
    executedAt: isoOf(executedAtOf(reference)),
    phoneNumber: reference.phone,
    amount: toDecimal(reference.amount),
    status: statusOf(core, reference),
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
