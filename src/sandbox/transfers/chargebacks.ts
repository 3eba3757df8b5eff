import type { Api } from '../../wallet/contract/api.ts';
import type { ErrorName } from '../../wallet/contract/errors.ts';
import { OPERATION_TYPES, type OperationStatus, STATUSES } from '../../wallet/contract/fields.ts';
import { centimes } from '../../wallet/money.ts';
import { previewOf } from '../cards/preview.ts';
import { giveBack, type Refund, refundable } from '../cards/settlements.ts';
import type { Core, Request, SomeHandlers } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import { getCustomer } from '../customers/customer.ts';
import { amountOf, requireFunds } from '../ledger/amounts.ts';
import { exceedsLimit } from '../ledger/balance-limit.ts';
import {
  detailFor,
  echoed,
  executeOperation,
  type Operation,
  paidBy,
  quoted,
  refundedAmount,
} from '../operations/operation.ts';

type Order = Pick<Request<Api['executeChargeback']>, 'tenant' | 'body'>;

/** The operations that can be charged back: money that one wallet here gave to another. Not shown in v2.3. */
const TYPES: readonly number[] = [OPERATION_TYPES.TRANSFER, OPERATION_TYPES.MOBILE_PAYMENT];
/** Why an operation in this status gives nothing back. Undefined where it does. */
const GIVES_BACK: Readonly<Record<OperationStatus, ErrorName | undefined>> = {
  [STATUSES.OPEN]: 'originalNotDone',
  [STATUSES.COMPLETED]: undefined,
  [STATUSES.FAILED]: 'originalNotDone',
  [STATUSES.CANCELED]: 'originalNotDone',
};

/**
 * Chargebacks (Partner API v2.3, "Transfers, bank transfers, chargeback, refund"). Not shown in v2.3: the rules. Here the source gives back to the
 * destination what the destination had given it, without fees and at once (open question 8). It does so in one part or several, never more than that.
 * The source may be locked: it is not the source who asks.
 */
export const chargebacks = {
  previewChargeback(core, request) {
    check(core, request);
    return quoted(core, OPERATION_TYPES.CHARGEBACK, echoed(request.body), centimes(0));
  },

  executeChargeback(core, request) {
    const checked = check(core, request);
    const { source, destination, original, amount } = checked;
    const order = {
      ...paidBy(source),
      type: OPERATION_TYPES.CHARGEBACK,
      amount,
      reason: request.body.Description,
      receiverId: destination.id,
      receiver: destination.phone,
      original: original.id,
      settlesAs: STATUSES.COMPLETED,
    };
    return detailFor(source.id, executeOperation(core, request, order, 0));
  },

  // Refunds: the ids of a gateway are required, so what is refunded is a card payment, by the rules of its own refund. Only
  // the answer is another.
  previewRefund(core, { tenant, body }) {
    refundable(core, tenant, body);
    return previewOf(core, OPERATION_TYPES.PAYMENT_REFUND, echoed(body));
  },

  executeRefund(core, { body: { phoneNumber, ...order }, ...request }) {
    const body: Refund = { ...order, PhoneNumber: phoneNumber };
    const { operation } = giveBack(core, { ...request, body });
    return detailFor(operation.senderId, operation);
  },
} satisfies SomeHandlers;

/** The same for preview and execution. */
function check(core: Core, { tenant, body }: Order) {
  const amount = amountOf(body.Amount);
  const source = getCustomer(core, tenant, body.SourcePhoneNumber);
  const destination = getCustomer(core, tenant, body.DestinationPhoneNumber);
  const sql = 'SELECT * FROM operations WHERE id = ? AND tenant = ?';
  const original = core.db.get<Operation>(sql, body.OriginalOperationId, tenant.id);
  if (!original || !TYPES.includes(original.type)) refuse('originalUnknown');
  if (original.receiverId !== source.id || original.senderId !== destination.id) refuse('originalOther');
  const undone = GIVES_BACK[original.status];
  if (undone) refuse(undone);
  const isPart = core.settings.chargebacks === 'whole' && amount !== original.amount;
  if (isPart || refundedAmount(core.db, original) + amount > original.amount) refuse('originalExceeded');
  if (destination.status === 5) refuse('recipientUnavailable');
  requireFunds(core, source.account, amount);
  if (exceedsLimit(core, destination, amount)) refuse('recipientLimit');
  return { source, destination, original, amount };
}
