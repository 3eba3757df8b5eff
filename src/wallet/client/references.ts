import { API } from '../contract/api.ts';
import type { Data } from '../contract/endpoint.ts';
import { type Centimes, fromDecimal, toDecimal } from '../money.ts';
import { type Msisdn, readPhone } from '../phone.ts';
import type { CashReference } from '../services.ts';
import { momentOf } from '../times.ts';
import type { ReferenceCalls } from '../wallet.ts';
import type { Send } from './call.ts';
import { mapped } from './read.ts';

/** How many retail agents are asked for: more than a customer reads. */
const CASH_POINTS_MAX = 20;

/** Partner API v2.3, "Reference-based cash-in / cash-out", and the retail agents where cash changes hands. */
export function referenceCalls(send: Send): ReferenceCalls {
  return {
    async requestCashIn(order, call) {
      return mapped(await send(API.requestCashIn, { body: ordered(order) }, call), requested);
    },
    async requestCashOut(order, call) {
      return mapped(await send(API.requestCashOut, { body: ordered(order) }, call), requested);
    },
    async requestBillNetworkCashIn(order, call) {
      const body = { ...ordered(order), Description: order.description, FeesPercent: order.feesPercent };
      return mapped(await send(API.requestBillNetworkCashIn, { body }, call), found);
    },
    async requestFloat({ code, amount, description, feesPercent }, call) {
      const body = {
        Code: code,
        Amount: toDecimal(amount),
        Description: description,
        FeesPercent: feesPercent,
      };
      return mapped(await send(API.requestBillNetworkCashIn, { body }, call), found);
    },
    async cashReference(kind, reference, call) {
      const endpoint = kind === 'cash-in' ? API.readCashInRequest : API.readCashOutRequest;
      return mapped(await send(endpoint, { query: { Reference: reference } }, call), found);
    },
    async cashPoints(principalAgent, call) {
      const query = { Code: principalAgent, PageSize: CASH_POINTS_MAX, PageNumber: 1 };
      return mapped(await send(API.listRetailAgents, { query }, call), ({ collection }) =>
        collection.flatMap(({ Name: name, Address: address }) => (address ? [{ name, address }] : [])),
      );
    },
  };
}

const ordered = ({ phone, amount }: { readonly phone: Msisdn; readonly amount: Centimes }) => ({
  PhoneNumber: phone,
  Amount: toDecimal(amount),
});

/** Partner API v2.3, "Reference request": the answer to a creation. */
function requested({
  reference,
  amount,
  operationStatus,
  createdAt,
}: Data<typeof API.requestCashIn>): CashReference {
  return { reference, amount: fromDecimal(amount), status: operationStatus, madeAt: momentOf(createdAt) };
}

type Found = Pick<
  Data<typeof API.readCashInRequest>,
  'reference' | 'amount' | 'status' | 'createdAt' | 'executedAt' | 'phoneNumber'
>;

/** The same, "Lookup by reference" and "Bill-network variant". */
function found({ reference, amount, status, createdAt, executedAt, phoneNumber }: Found): CashReference {
  const executed = executedAt ? { executedAt: momentOf(executedAt) } : {};
  const phone = readPhone(phoneNumber ?? '');
  const madeAt = momentOf(createdAt);
  return { reference, amount: fromDecimal(amount), status, madeAt, ...executed, ...(phone && { phone }) };
}
