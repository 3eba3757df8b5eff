import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import { toDecimal } from '../../wallet/money.ts';
import type { Core, SomeHandlers, Tenant } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import { requireBeneficiary } from '../customers/beneficiaries.ts';
import { usableCustomer } from '../customers/customer.ts';
import { amountOf, requireFunds } from '../ledger/amounts.ts';
import { exceedsLimit } from '../ledger/balance-limit.ts';
import { merchantFees } from '../ledger/fees.ts';
import {
  type Asked,
  detailFor,
  echoed,
  executeOperation,
  type Operation,
  paidBy,
  quoted,
} from '../operations/operation.ts';
import { ownCode } from './codes.ts';
import { findMerchant } from './merchants.ts';
import type { QrCode } from './qr-codes.ts';

/** Payments that customers push to merchants (Partner API v2.3, "Merchant payments"). */
export const merchantPayments = {
  previewMerchantPayment(core, { tenant, body }) {
    const { CustomerPhoneNumber, RecipientPhoneNumber, Amount, BeneficiaryId } = body;
    const checked = check(core, tenant, CustomerPhoneNumber, RecipientPhoneNumber, Amount, BeneficiaryId);
    return previewed(core, checked, body);
  },

  executeMerchantPayment(core, request) {
    const { CustomerPhoneNumber, RecipientPhoneNumber, Amount, Reason, BeneficiaryId } = request.body;
    const checked = check(
      core,
      request.tenant,
      CustomerPhoneNumber,
      RecipientPhoneNumber,
      Amount,
      BeneficiaryId,
    );
    return detailFor(checked.payer.id, executed(core, request, checked, Reason));
  },

  previewQrPayment(core, { tenant, body }) {
    const { CustomerPhoneNumber, QrCodeContent, Amount } = body;
    const code = codeOf(core, tenant, QrCodeContent, Amount);
    const checked = check(core, tenant, CustomerPhoneNumber, code.merchant, Amount);
    return previewed(core, checked, body);
  },

  executeQrPayment(core, request) {
    const { CustomerPhoneNumber, QrCodeContent, Amount } = request.body;
    const code = codeOf(core, request.tenant, QrCodeContent, Amount);
    const checked = check(core, request.tenant, CustomerPhoneNumber, code.merchant, Amount);
    const operation = executed(core, request, checked, code.reference);
    core.db.run('UPDATE qrCodes SET operation = ? WHERE id = ?', operation.id, code.id);
    return detailFor(checked.payer.id, operation);
  },
} satisfies SomeHandlers;

type Checked = ReturnType<typeof check>;

/** The same for preview and execution. */
function check(core: Core, tenant: Tenant, from: string, to: string, dirhams: number, beneficiary?: number) {
  const amount = amountOf(dirhams);
  const payer = usableCustomer(core, tenant, from);
  if (from === to) refuse('selfTransfer');
  requireBeneficiary(core, payer, beneficiary, to);
  const merchant = findMerchant(core, tenant, to);
  if (!merchant.customer && payer.closeLoop) refuse('notEnrolled');
  const fees = merchantFees(amount);
  requireFunds(core, payer.account, amount + fees);
  if (merchant.customer && exceedsLimit(core, merchant.customer, amount)) refuse('recipientLimit');
  return { payer, merchant, amount, fees };
}

/** A code with an amount is paid with that amount, and once. A code that was made here is only known by its reference. */
function codeOf(core: Core, tenant: Tenant, content: string, dirhams: number): QrCode {
  const reference = ownCode(content)?.reference ?? '';
  const sql = 'SELECT * FROM qrCodes WHERE tenant = ? AND reference = ?';
  const code = core.db.get<QrCode>(sql, tenant.id, reference);
  if (!code || code.content !== content) refuse('qrUnknown');
  if (code.amount === null) return code;
  if (toDecimal(code.amount) !== dirhams) refuse('qrAmount');
  const paid = core.db.get<Pick<Operation, 'status'>>(
    'SELECT status FROM operations WHERE id = ?',
    code.operation,
  );
  const isPaid = paid !== undefined && paid.status <= STATUSES.COMPLETED;
  return isPaid && core.settings.paidQr === 'refused' ? refuse('qrPaid') : code;
}

function previewed(core: Core, { merchant, fees }: Checked, body: object) {
  return quoted(core, OPERATION_TYPES.MOBILE_PAYMENT, echoed(body), fees, !merchant.customer);
}

/** The payer pays at once, into transit. The merchant is paid and notified when the operation settles. */
function executed(core: Core, asked: Asked, checked: Checked, reason: string): Operation {
  const { payer, merchant, amount, fees } = checked;
  return executeOperation(core, asked, {
    ...paidBy(payer),
    type: OPERATION_TYPES.MOBILE_PAYMENT,
    amount,
    fees,
    reason,
    receiverId: merchant.customer?.id ?? null,
    receiver: merchant.phone,
    openLoop: merchant.customer ? 0 : 1,
  });
}
