import type { Api } from '../../wallet/contract/api.ts';
import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import { type Centimes, toDecimal } from '../../wallet/money.ts';
import { readPhone } from '../../wallet/phone.ts';
import type { Core, Handlers, Request, Tenant } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import { requireBeneficiary } from '../customers/beneficiaries.ts';
import { type Customer, findCustomer, usableCustomer } from '../customers/customer.ts';
import { MAGIC } from '../faults/magic.ts';
import { amountOf, requireFunds } from '../ledger/amounts.ts';
import { exceedsLimit } from '../ledger/balance-limit.ts';
import { transferFees } from '../ledger/fees.ts';
import { detailFor, executeOperation } from '../operations/operation.ts';
import { nowIso } from '../time/clock.ts';

type Order = Pick<Request<Api['executeTransfer']>, 'tenant' | 'body'>;

/** An order that has passed all checks. */
interface Checked {
  readonly sender: Customer;
  /** Absent: a wallet of another provider. */
  readonly recipient?: Customer;
  readonly amount: Centimes;
  readonly fees: Centimes;
}

/** Wallet to wallet transfers (Partner API v2.3, "Transfers"). */
export const transfers: Handlers<'previewTransfer' | 'executeTransfer'> = {
  previewTransfer(core, request) {
    const checked = check(core, request);
    const { recipient } = checked;
    const isNamed = core.settings.recipientName === 'told';
    const { CustomerPhoneNumber, RecipientPhoneNumber, Amount, Reason, BeneficiaryId } = request.body;
    return {
      type: OPERATION_TYPES.TRANSFER,
      operation: {
        customerPhoneNumber: CustomerPhoneNumber,
        recipientPhoneNumber: RecipientPhoneNumber,
        amount: Amount,
        reason: Reason,
        beneficiaryId: BeneficiaryId,
        ...(isNamed && recipient && { recipientName: `${recipient.firstName} ${recipient.lastName}` }),
      },
      feesAmount: toDecimal(checked.fees),
      checkedAt: nowIso(core),
      openLoop: !recipient,
    };
  },

  /**
   * The sender pays at once, into transit. The recipient is paid when the operation settles. The answer is the
   * operation detail (open question 6), still OPEN unless it settles at once.
   */
  executeTransfer(core, request) {
    const checked = check(core, request);
    const { sender, recipient, amount, fees } = checked;
    const { tenant, requestId, body, struck } = request;
    const operation = executeOperation(
      core,
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

/** The same for preview and execution. The document does not show the order of these checks. */
function check(core: Core, { tenant, body }: Order): Checked {
  const amount = amountOf(body.Amount);
  const sender = usableCustomer(core, tenant, body.CustomerPhoneNumber);
  if (sender.phone === body.RecipientPhoneNumber) refuse('selfTransfer');
  const { BeneficiaryId, RecipientPhoneNumber } = body;
  requireBeneficiary(core, sender, BeneficiaryId, RecipientPhoneNumber);
  const recipient = payable(core, tenant, RecipientPhoneNumber);
  if (!recipient && sender.closeLoop) refuse('notEnrolled');
  const fees = transferFees(amount, !recipient);
  requireFunds(core, sender.account, amount + fees);
  if (recipient && exceedsLimit(core, recipient, amount)) refuse('recipientLimit');
  return { sender, amount, fees, ...(recipient && { recipient }) };
}

/**
 * The recipient. Undefined: a wallet of another provider, which is any number that the sandbox does not know, unless it
 * cannot be one. A wallet whose PIN is missing or locked for now can still be paid.
 */
function payable(core: Core, tenant: Tenant, phone: string): Customer | undefined {
  const recipient = findCustomer(core, tenant, phone);
  if (recipient)
    return recipient.status === 1 || recipient.status === 5 ? refuse('recipientUnavailable') : recipient;
  return phone === MAGIC.noWallet || !readPhone(phone) ? refuse('recipientUnknown') : undefined;
}
