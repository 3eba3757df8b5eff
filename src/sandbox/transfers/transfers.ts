import type { Api } from '../../wallet/contract/api.ts';
import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import { type Centimes, fromDecimal, toDecimal } from '../../wallet/money.ts';
import { readPhone } from '../../wallet/phone.ts';
import {
  type Core,
  type Handlers,
  isRefusal,
  type Refusal,
  type Request,
  refuse,
  type Tenant,
} from '../core/core.ts';
import { otherThanBeneficiary } from '../customers/beneficiaries.ts';
import type { Customer, Customers } from '../customers/customer.ts';
import { MAGIC } from '../faults/magic.ts';
import { exceedsLimit } from '../ledger/balance-limit.ts';
import { transferFees } from '../ledger/fees.ts';
import { detailFor, type Operations } from '../operations/operation.ts';

type Order = Pick<Request<Api['executeTransfer']>, 'tenant' | 'body'>;

/** An order that may be executed as it stands. */
interface Checked {
  readonly sender: Customer;
  /** Absent: a wallet of another provider. */
  readonly recipient?: Customer;
  readonly amount: Centimes;
  readonly fees: Centimes;
}

/** Wallet to wallet transfers (Partner API v2.3, "Transfers"). */
export function transfers(
  core: Core,
  customers: Customers,
  operations: Operations,
): Handlers<'previewTransfer' | 'executeTransfer'> {
  const { ledger, clock } = core;

  /** The same for preview and execution; what the document does not show is the order of these checks. */
  function check({ tenant, body }: Order): Checked | Refusal {
    const amount = fromDecimal(body.Amount);
    if (toDecimal(amount) !== body.Amount) return refuse('amountInvalid');
    const sender = customers.usable(tenant, body.CustomerPhoneNumber);
    if (isRefusal(sender)) return sender;
    if (sender.phone === body.RecipientPhoneNumber) return refuse('selfTransfer');
    const { BeneficiaryId, RecipientPhoneNumber } = body;
    const other = otherThanBeneficiary(core, sender, BeneficiaryId, RecipientPhoneNumber);
    if (other) return other;
    const recipient = payable(tenant, RecipientPhoneNumber);
    if (isRefusal(recipient)) return recipient;
    if (!recipient && sender.closeLoop) return refuse('notEnrolled');
    const fees = transferFees(amount, !recipient);
    if (ledger.balance(sender.account) < amount + fees) return refuse('insufficientFunds');
    if (recipient && exceedsLimit(core, recipient, amount)) return refuse('recipientLimit');
    return { sender, amount, fees, ...(recipient && { recipient }) };
  }

  /**
   * Who will be paid; undefined for a wallet of another provider, which is any number the sandbox does not know, unless
   * it cannot be one. A wallet whose PIN is missing or locked for now can still be paid.
   */
  function payable(tenant: Tenant, phone: string): Customer | undefined | Refusal {
    const recipient = customers.find(tenant, phone);
    if (recipient)
      return recipient.status === 1 || recipient.status === 5 ? refuse('recipientUnavailable') : recipient;
    return phone === MAGIC.noWallet || !readPhone(phone) ? refuse('recipientUnknown') : undefined;
  }

  return {
    previewTransfer(request) {
      const checked = check(request);
      if (isRefusal(checked)) return checked;
      const { CustomerPhoneNumber, RecipientPhoneNumber, Amount, Reason, BeneficiaryId } = request.body;
      return {
        type: OPERATION_TYPES.TRANSFER,
        operation: {
          customerPhoneNumber: CustomerPhoneNumber,
          recipientPhoneNumber: RecipientPhoneNumber,
          amount: Amount,
          reason: Reason,
          beneficiaryId: BeneficiaryId,
        },
        feesAmount: toDecimal(checked.fees),
        checkedAt: new Date(clock.now()).toISOString(),
        openLoop: !checked.recipient,
      };
    },

    /**
     * The sender pays at once, into transit; the recipient is paid when the operation settles. The answer is the
     * operation detail (open question 6), still OPEN unless it settles at once.
     */
    executeTransfer(request) {
      const checked = check(request);
      if (isRefusal(checked)) return checked;
      const { sender, recipient, amount, fees } = checked;
      const { tenant, requestId, body, struck } = request;
      const operation = operations.execute(
        {
          tenant: tenant.id,
          type: OPERATION_TYPES.TRANSFER,
          amount,
          fees,
          reason: body.Reason,
          payer: sender.account,
          senderId: sender.id,
          sender: sender.phone,
          receiverId: recipient?.id ?? null,
          receiver: body.RecipientPhoneNumber,
          openLoop: recipient ? 0 : 1,
          requestId,
          settlesAs: body.RecipientPhoneNumber === MAGIC.failsLater ? STATUSES.FAILED : STATUSES.COMPLETED,
        },
        struck,
      );
      return detailFor(sender.id, operation);
    },
  };
}
