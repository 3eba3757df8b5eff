import type { Api } from '../../wallet/contract/api.ts';
import type { ErrorName } from '../../wallet/contract/errors.ts';
import { OPERATION_TYPES, type OperationStatus, STATUSES } from '../../wallet/contract/fields.ts';
import { type Centimes, fromDecimal, toDecimal } from '../../wallet/money.ts';
import { type Core, type Handlers, isRefusal, type Refusal, type Request, refuse } from '../core/core.ts';
import type { Customer, Customers } from '../customers/customer.ts';
import { exceedsLimit } from '../ledger/balance-limit.ts';
import { givenBack } from '../operations/given-back.ts';
import { detailFor, type Operation, type Operations } from '../operations/operation.ts';

type Order = Pick<Request<Api['executeChargeback']>, 'tenant' | 'body'>;

/** A chargeback that may be executed as it stands. */
interface Checked {
  readonly source: Customer;
  readonly destination: Customer;
  readonly original: Operation;
  readonly amount: Centimes;
}

/** What can be charged back: money that one wallet here gave to another. Not shown in v2.3. */
const TYPES: readonly number[] = [OPERATION_TYPES.TRANSFER, OPERATION_TYPES.MOBILE_PAYMENT];
/** Why an operation in this status gives nothing back; undefined where it does. */
const GIVES_BACK: Readonly<Record<OperationStatus, ErrorName | undefined>> = {
  [STATUSES.OPEN]: 'originalNotDone',
  [STATUSES.COMPLETED]: undefined,
  [STATUSES.FAILED]: 'originalNotDone',
  [STATUSES.CANCELED]: 'originalNotDone',
};

/**
 * Chargebacks (Partner API v2.3, "Transfers, bank transfers, chargeback, refund"). Not shown in v2.3: the rules. Here the
 * source gives back to the destination, without fees and at once (open question 8), what the destination had given it, in
 * one part or several, never more than that. The source may be locked: it is not the source who asks.
 */
export function chargebacks(
  core: Core,
  customers: Customers,
  operations: Operations,
): Handlers<'previewChargeback' | 'executeChargeback'> {
  const { db, ledger, clock } = core;

  /** The same for preview and execution. */
  function check({ tenant, body }: Order): Checked | Refusal {
    const amount = fromDecimal(body.Amount);
    if (toDecimal(amount) !== body.Amount) return refuse('amountInvalid');
    const source = customers.get(tenant, body.SourcePhoneNumber);
    if (isRefusal(source)) return source;
    const destination = customers.get(tenant, body.DestinationPhoneNumber);
    if (isRefusal(destination)) return destination;
    const sql = 'SELECT * FROM operations WHERE id = ? AND tenant = ?';
    const original = db.get<Operation>(sql, body.OriginalOperationId, tenant.id);
    if (!original || !TYPES.includes(original.type)) return refuse('originalUnknown');
    if (original.receiverId !== source.id || original.senderId !== destination.id)
      return refuse('originalOther');
    const undone = GIVES_BACK[original.status];
    if (undone) return refuse(undone);
    if (givenBack(db, original) + amount > original.amount) return refuse('originalExceeded');
    if (destination.status === 5) return refuse('recipientUnavailable');
    if (ledger.balance(source.account) < amount) return refuse('insufficientFunds');
    if (exceedsLimit(core, destination, amount)) return refuse('recipientLimit');
    return { source, destination, original, amount };
  }

  return {
    previewChargeback(request) {
      const checked = check(request);
      if (isRefusal(checked)) return checked;
      const { SourcePhoneNumber, Amount, Description, DestinationPhoneNumber, OriginalOperationId } =
        request.body;
      return {
        type: OPERATION_TYPES.CHARGEBACK,
        operation: {
          sourcePhoneNumber: SourcePhoneNumber,
          amount: Amount,
          description: Description,
          destinationPhoneNumber: DestinationPhoneNumber,
          originalOperationId: OriginalOperationId,
        },
        feesAmount: 0,
        checkedAt: new Date(clock.now()).toISOString(),
        openLoop: false,
      };
    },

    executeChargeback(request) {
      const checked = check(request);
      if (isRefusal(checked)) return checked;
      const { source, destination, original, amount } = checked;
      const { tenant, requestId, body, struck } = request;
      const operation = operations.execute(
        {
          tenant: tenant.id,
          type: OPERATION_TYPES.CHARGEBACK,
          amount,
          fees: fromDecimal(0),
          reason: body.Description,
          payer: source.account,
          senderId: source.id,
          sender: source.phone,
          receiverId: destination.id,
          receiver: destination.phone,
          original: original.id,
          openLoop: 0,
          requestId,
          settlesAs: STATUSES.COMPLETED,
        },
        struck,
        0,
      );
      return detailFor(source.id, operation);
    },
  };
}
