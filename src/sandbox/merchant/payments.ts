import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import { type Centimes, fromDecimal, toDecimal } from '../../wallet/money.ts';
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
import { merchantFees } from '../ledger/fees.ts';
import { detailFor, type Operation, type Operations } from '../operations/operation.ts';
import { ownCode } from './codes.ts';
import { findMerchant, type Merchant } from './merchants.ts';
import type { QrCode } from './qr-codes.ts';

type Calls = 'previewMerchantPayment' | 'executeMerchantPayment' | 'previewQrPayment' | 'executeQrPayment';
type Asked = Pick<Request, 'tenant' | 'requestId' | 'struck'>;

/** A payment that may be made as it stands. */
interface Checked {
  readonly payer: Customer;
  readonly merchant: Merchant;
  readonly amount: Centimes;
  readonly fees: Centimes;
}

/** Payments that customers push to merchants (Partner API v2.3, "Merchant payments"). */
export function merchantPayments(core: Core, customers: Customers, operations: Operations): Handlers<Calls> {
  const { db, ledger, clock } = core;

  /** The same for preview and execution. */
  function check(
    tenant: Tenant,
    from: string,
    to: string,
    dirhams: number,
    beneficiary?: number,
  ): Checked | Refusal {
    const amount = fromDecimal(dirhams);
    if (toDecimal(amount) !== dirhams) return refuse('amountInvalid');
    const payer = customers.usable(tenant, from);
    if (isRefusal(payer)) return payer;
    if (from === to) return refuse('selfTransfer');
    const other = otherThanBeneficiary(core, payer, beneficiary, to);
    if (other) return other;
    const merchant = findMerchant(customers, tenant, to);
    if (isRefusal(merchant)) return merchant;
    if (!merchant.customer && payer.closeLoop) return refuse('notEnrolled');
    const fees = merchantFees(amount);
    if (ledger.balance(payer.account) < amount + fees) return refuse('insufficientFunds');
    if (merchant.customer && exceedsLimit(core, merchant.customer, amount)) return refuse('recipientLimit');
    return { payer, merchant, amount, fees };
  }

  /** A code with an amount is paid with that amount, and once. What was made here is only known by its reference. */
  function codeOf(tenant: Tenant, content: string, dirhams: number): QrCode | Refusal {
    const reference = ownCode(content)?.reference ?? '';
    const sql = 'SELECT * FROM qrCodes WHERE tenant = ? AND reference = ?';
    const code = db.get<QrCode>(sql, tenant.id, reference);
    if (!code || code.content !== content) return refuse('qrUnknown');
    if (code.amount === null) return code;
    if (toDecimal(code.amount) !== dirhams) return refuse('qrAmount');
    const paid = db.get<Pick<Operation, 'status'>>(
      'SELECT status FROM operations WHERE id = ?',
      code.operation,
    );
    return paid && paid.status <= STATUSES.COMPLETED ? refuse('qrPaid') : code;
  }

  function previewed({ merchant, fees }: Checked, operation: Record<string, unknown>) {
    return {
      type: OPERATION_TYPES.MOBILE_PAYMENT,
      operation,
      feesAmount: toDecimal(fees),
      checkedAt: new Date(clock.now()).toISOString(),
      openLoop: !merchant.customer,
    };
  }

  /** The payer pays at once, into transit; the merchant is paid, and told, when the operation settles. */
  function executed({ tenant, requestId, struck }: Asked, checked: Checked, reason: string): Operation {
    const { payer, merchant, amount, fees } = checked;
    return operations.execute(
      {
        tenant: tenant.id,
        type: OPERATION_TYPES.MOBILE_PAYMENT,
        amount,
        fees,
        reason,
        payer: payer.account,
        senderId: payer.id,
        sender: payer.phone,
        receiverId: merchant.customer?.id ?? null,
        receiver: merchant.phone,
        openLoop: merchant.customer ? 0 : 1,
        requestId,
        settlesAs: merchant.phone === MAGIC.failsLater ? STATUSES.FAILED : STATUSES.COMPLETED,
      },
      struck,
    );
  }

  return {
    previewMerchantPayment({ tenant, body }) {
      const { CustomerPhoneNumber, RecipientPhoneNumber, Amount, Reason, BeneficiaryId } = body;
      const checked = check(tenant, CustomerPhoneNumber, RecipientPhoneNumber, Amount, BeneficiaryId);
      if (isRefusal(checked)) return checked;
      return previewed(checked, {
        customerPhoneNumber: CustomerPhoneNumber,
        recipientPhoneNumber: RecipientPhoneNumber,
        amount: Amount,
        reason: Reason,
        beneficiaryId: BeneficiaryId,
      });
    },

    executeMerchantPayment(request) {
      const { CustomerPhoneNumber, RecipientPhoneNumber, Amount, Reason, BeneficiaryId } = request.body;
      const checked = check(request.tenant, CustomerPhoneNumber, RecipientPhoneNumber, Amount, BeneficiaryId);
      if (isRefusal(checked)) return checked;
      return detailFor(checked.payer.id, executed(request, checked, Reason));
    },

    previewQrPayment({ tenant, body: { CustomerPhoneNumber, QrCodeContent, Amount } }) {
      const code = codeOf(tenant, QrCodeContent, Amount);
      if (isRefusal(code)) return code;
      const checked = check(tenant, CustomerPhoneNumber, code.merchant, Amount);
      if (isRefusal(checked)) return checked;
      return previewed(checked, {
        customerPhoneNumber: CustomerPhoneNumber,
        qrCodeContent: QrCodeContent,
        amount: Amount,
      });
    },

    executeQrPayment(request) {
      const { CustomerPhoneNumber, QrCodeContent, Amount } = request.body;
      const code = codeOf(request.tenant, QrCodeContent, Amount);
      if (isRefusal(code)) return code;
      const checked = check(request.tenant, CustomerPhoneNumber, code.merchant, Amount);
      if (isRefusal(checked)) return checked;
      const operation = executed(request, checked, code.reference);
      db.run('UPDATE qrCodes SET operation = ? WHERE id = ?', operation.id, code.id);
      return detailFor(checked.payer.id, operation);
    },
  };
}
