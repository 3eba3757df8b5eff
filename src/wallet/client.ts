import type { z } from 'zod';
import type { Answer } from './answer.ts';
import { createCaller, type WalletOptions } from './client/call.ts';
import { API } from './contract/api.ts';
import type { customerProfile } from './contract/customers.ts';
import { DOCUMENTED_ERRORS } from './contract/errors.ts';
import type { operationDetail } from './contract/operations.ts';
import type { previewResult } from './contract/preview.ts';
import type { operationResult } from './contract/transfers.ts';
import { type Centimes, centimes, fromDecimal, toDecimal } from './money.ts';
import type { Msisdn } from './phone.ts';
import type {
  Execution,
  Operation,
  OperationFilter,
  Preview,
  Profile,
  TransferOrder,
  Wallet,
} from './wallet.ts';

export type { WalletOptions } from './client/call.ts';

const NOT_FOUND = String(DOCUMENTED_ERRORS.customerNotFound.code);
const PIN_INCORRECT = String(DOCUMENTED_ERRORS.pinIncorrect.code);

/**
 * The Partner API as Wasl uses it: decimals become centimes, "not shown" corners are rounded off, failures stay
 * values. Every call is sent once, at most (see `client/call.ts`).
 */
export function createWallet(options: WalletOptions): Wallet {
  const send = createCaller(options);
  return {
    async customerStatus(phone, call) {
      const answer = await send(API.customerStatus, { query: { PhoneNumber: phone } }, call);
      // Open question 1: a number nobody has may also be refused as not found.
      if (answer.kind === 'refused' && answer.code === NOT_FOUND) return { kind: 'ok', value: { status: 0 } };
      return mapped(answer, ({ status }) => ({ status }));
    },
    isDefaultWallet: (phone, call) => send(API.customerDefault, { query: { phoneNumber: phone } }, call),
    async register({ phone, ...names }, call) {
      return yes(await send(API.registerCustomer, { body: { phoneNumber: phone, ...names } }, call));
    },
    async confirm({ phone, ...order }, call) {
      return yes(await send(API.confirmCustomer, { body: { phoneNumber: phone, ...order } }, call));
    },
    async resendOtp(phone, call) {
      return yes(await send(API.resendOtp, { query: { phoneNumber: phone } }, call));
    },
    async login({ phone, pin }, call) {
      const answer = await send(API.loginCustomer, { body: { phoneNumber: phone, pin } }, call);
      if (answer.kind !== 'ok' || answer.value.logged) return yes(answer);
      // Open question 2: a wrong PIN may also come as a success that says "not logged in".
      const { remainingAttempts } = answer.value;
      const attempts = typeof remainingAttempts === 'number' ? { remainingAttempts } : {};
      return { kind: 'refused', code: PIN_INCORRECT, description: '', ...attempts };
    },
    async createPin({ phone, pin }, call) {
      return yes(await send(API.createPin, { body: { phoneNumber: phone, pin } }, call));
    },
    async changePin({ phone, ...pins }, call) {
      return yes(await send(API.changePin, { body: { phoneNumber: phone, ...pins } }, call));
    },
    async resetPin({ phone, ...order }, call) {
      return yes(await send(API.resetPin, { body: { phoneNumber: phone, ...order } }, call));
    },
    async balance(phone, call) {
      const answer = await send(API.customerBalance, { query: { phoneNumber: phone } }, call);
      return mapped(answer, ({ balance }) => fromDecimal(balance));
    },
    async profile(phone, call) {
      const answer = await send(API.customerInfo, { query: { phoneNumber: phone } }, call);
      return mapped(answer, (profile) => toProfile(phone, profile));
    },
    async unregister({ phone, reason }, call) {
      const body = { PhoneNumber: phone, Reason: reason as 1 | 2 | 3 | 4 | 5 };
      return yes(await send(API.unregisterCustomer, { body }, call));
    },
    async previewTransfer(order, call) {
      const answer = await send(API.previewTransfer, { body: transferBody(order) }, call);
      return mapped(answer, (preview) => toPreview(order.amount, preview));
    },
    async transfer(order, call) {
      return mapped(await send(API.executeTransfer, { body: transferBody(order) }, call), toExecution);
    },
    async operations(phone, filter = {}, call) {
      const answer = await send(
        API.listOperations,
        { query: { PhoneNumber: phone, ...toQuery(filter) } },
        call,
      );
      return mapped(answer, ({ collection, count }) => ({ operations: collection.map(toOperation), count }));
    },
    async operation(phone, id, call) {
      const answer = await send(API.readOperation, { params: { id }, query: { PhoneNumber: phone } }, call);
      return mapped(answer, toOperation);
    },
  };
}

function mapped<A, B>(answer: Answer<A>, change: (value: A) => B): Answer<B> {
  return answer.kind === 'ok' ? { kind: 'ok', value: change(answer.value) } : answer;
}

/** For operations whose success says no more than that. */
function yes(answer: Answer<unknown>): Answer<true> {
  return mapped(answer, () => true);
}

function transferBody({ from, to, amount, reason }: TransferOrder) {
  return { CustomerPhoneNumber: from, RecipientPhoneNumber: to, Amount: toDecimal(amount), Reason: reason };
}

function toQuery({ types, status, direction, from, to, keyword, page, pageSize }: OperationFilter) {
  return {
    OperationType: types && [...types],
    TransactionStatus: status,
    Sens: direction,
    From: from?.toISOString(),
    To: to?.toISOString(),
    Keyword: keyword,
    PageNumber: page,
    PageSize: pageSize,
  };
}

function toProfile(phone: Msisdn, profile: z.output<typeof customerProfile>): Profile {
  const { fullName, firstName, lastName, rib } = profile;
  return {
    fullName: fullName ?? [firstName, lastName].filter(Boolean).join(' '),
    phone,
    balance: fromDecimal(profile.balance),
    level: profile.accountLevel,
    status: profile.customerStatus,
    ...(rib && { rib }),
  };
}

/** Safety rule 1: no fee said is no fee, no total said is amount plus fee. */
function toPreview(amount: Centimes, preview: z.output<typeof previewResult>): Preview {
  const fees = fromDecimal(preview.feesAmount ?? 0);
  const total =
    typeof preview.totalAmount === 'number' ? fromDecimal(preview.totalAmount) : centimes(amount + fees);
  // Under which name a preview would return the recipient's is not shown.
  const name = preview.operation?.recipientName ?? preview.operation?.beneficiaryName;
  const recipientName = typeof name === 'string' && name.trim() !== '' ? { recipientName: name } : {};
  return { fees, total, openLoop: preview.openLoop ?? false, ...recipientName };
}

function toExecution(result: z.output<typeof operationResult>): Execution {
  const { operationId, feesAmount } = result;
  const status = result.transactionStatus ?? result.operationStatus ?? result.status;
  return {
    ...(typeof operationId === 'number' && { operationId }),
    ...(status && { status }),
    ...(typeof feesAmount === 'number' && { fees: fromDecimal(feesAmount) }),
  };
}

function toOperation(detail: z.output<typeof operationDetail>): Operation {
  const amount = fromDecimal(detail.amount);
  const fees = fromDecimal(detail.feesAmount ?? 0);
  const total =
    typeof detail.totalAmount === 'number' ? fromDecimal(detail.totalAmount) : centimes(amount + fees);
  return {
    id: detail.operationId,
    type: detail.operationType,
    status: detail.transactionStatus,
    direction: detail.sens,
    amount,
    fees,
    total,
    at: momentOf(detail.transactionDate),
    sender: detail.sender ?? '',
    receiver: detail.receiver ?? '',
    ...(detail.transactionReference && { reference: detail.transactionReference }),
  };
}

/** ISO 8601 to ms since 1970. Without a zone it is Moroccan time, which is UTC since 2026-09-20 (facts E4). */
function momentOf(dateTime: string): number {
  return Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(dateTime) ? dateTime : `${dateTime}Z`);
}
