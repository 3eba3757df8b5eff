import type { Api } from '../../wallet/contract/api.ts';
import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import { readPhone } from '../../wallet/phone.ts';
import type { Core, Request, SomeHandlers, Tenant } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import { requireBeneficiary } from '../customers/beneficiaries.ts';
import { type Customer, findCustomer, usableCustomer } from '../customers/customer.ts';
import { MAGIC } from '../faults/magic.ts';
import { amountOf, requireFunds } from '../ledger/amounts.ts';
import { exceedsLimit } from '../ledger/balance-limit.ts';
import { transferFees } from '../ledger/fees.ts';
import { detailFor, echoed, executeOperation, paidBy, quoted } from '../operations/operation.ts';

type Order = Pick<Request<Api['executeTransfer']>, 'tenant' | 'body'>;

/** Wallet to wallet transfers (Partner API v2.3, "Transfers"). */
export const transfers = {
  previewTransfer(core, request) {
    const checked = check(core, request);
    const { recipient } = checked;
    const isNamed = core.settings.recipientName === 'told';
    const operation = {
      ...echoed(request.body),
      ...(isNamed && recipient && { recipientName: `${recipient.firstName} ${recipient.lastName}` }),
    };
    return quoted(core, OPERATION_TYPES.TRANSFER, operation, checked.fees, !recipient);
  },

  /**
   * The sender pays at once, into transit. The recipient is paid when the operation settles. The answer is the
   * operation detail (open question 6), still OPEN unless it settles at once.
   */
  executeTransfer(core, request) {
    const checked = check(core, request);
    const { sender, recipient, amount, fees } = checked;
    const operation = executeOperation(core, request, {
      ...paidBy(sender),
      type: OPERATION_TYPES.TRANSFER,
      amount,
      fees,
      reason: request.body.Reason,
      receiverId: recipient?.id ?? null,
      receiver: request.body.RecipientPhoneNumber,
      openLoop: recipient ? 0 : 1,
    });
    return detailFor(sender.id, operation);
  },
} satisfies SomeHandlers;

/** The same for preview and execution. The document does not show the order of these checks. */
function check(core: Core, { tenant, body }: Order) {
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
  return { sender, recipient, amount, fees };
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
