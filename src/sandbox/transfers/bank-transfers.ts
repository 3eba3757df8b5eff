import type { Api } from '../../wallet/contract/api.ts';
import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import { type Centimes, fromDecimal, toDecimal } from '../../wallet/money.ts';
import { findAgent } from '../agents/agents.ts';
import { type Core, type Handlers, isRefusal, type Refusal, type Request, refuse } from '../core/core.ts';
import { accountOfRib, hasTrueKey } from '../core/random.ts';
import { findBeneficiary } from '../customers/beneficiaries.ts';
import type { Customer, Customers } from '../customers/customer.ts';
import { exceedsLimit } from '../ledger/balance-limit.ts';
import { bankTransferFees } from '../ledger/fees.ts';
import { detailFor, type Operation, type Operations } from '../operations/operation.ts';
import { bankWayOf } from './bank-magic.ts';

type Order = Pick<Request<Api['executeBankTransfer']>, 'tenant' | 'body'>;
type Payer = Pick<Operation, 'payer' | 'senderId' | 'sender'>;

interface Payee {
  readonly rib: string;
  readonly name: string;
  /** The wallet here whose RIB it is; absent: an account of a bank. */
  readonly wallet?: Customer;
}

/** A bank transfer that may be executed as it stands. */
interface Checked {
  readonly payer: Payer;
  readonly payee: Payee;
  readonly amount: Centimes;
  readonly fees: Centimes;
}

/** Transfers to a RIB (Partner API v2.3, "Transfers, bank transfers, chargeback, refund"). */
export function bankTransfers(
  core: Core,
  customers: Customers,
  operations: Operations,
): Handlers<'previewBankTransfer' | 'executeBankTransfer'> {
  const { db, ledger, clock, settings } = core;

  /** The same for preview and execution. */
  function check(order: Order): Checked | Refusal {
    const amount = fromDecimal(order.body.Amount);
    if (toDecimal(amount) !== order.body.Amount) return refuse('amountInvalid');
    const payer = payerOf(order);
    if (isRefusal(payer)) return payer;
    const payee = payeeOf(order, payer);
    if (isRefusal(payee)) return payee;
    if (payee.wallet && payee.wallet.id === payer.senderId) return refuse('selfTransfer');
    const fees = bankTransferFees(amount);
    if (ledger.balance(payer.payer) < amount + fees) return refuse('insufficientFunds');
    if (payee.wallet && exceedsLimit(core, payee.wallet, amount)) return refuse('recipientLimit');
    return { payer, payee, amount, fees };
  }

  /** "CustomerPhoneNumber or AgentCode: exactly one is required." */
  function payerOf({
    tenant,
    body: { CustomerPhoneNumber: phone, AgentCode: code },
  }: Order): Payer | Refusal {
    const detail = 'exactly one of CustomerPhoneNumber and AgentCode';
    if (phone !== undefined && code !== undefined) return refuse('parameterInvalid', { detail });
    if (phone !== undefined) {
      const customer = customers.usable(tenant, phone);
      if (isRefusal(customer)) return customer;
      return { payer: customer.account, senderId: customer.id, sender: customer.phone };
    }
    if (code === undefined) return refuse('missingParameters', { detail });
    const agent = findAgent(core, tenant, code);
    return isRefusal(agent) ? agent : { payer: agent.account, senderId: null, sender: agent.code };
  }

  /** "At least beneficiaryId or (rib + beneficiaryName)." */
  function payeeOf(order: Order, payer: Payer): Payee | Refusal {
    const { Rib: rib, BeneficiaryName: name, BeneficiaryId: id } = order.body;
    const given = rib !== undefined && name !== undefined ? { rib, name } : undefined;
    const named = id === undefined ? given : keptAs(id, payer, order);
    if (!named) return refuse('missingParameters', { detail: 'BeneficiaryId, or Rib and BeneficiaryName' });
    return isRefusal(named) ? named : reached(order, named);
  }

  /** Beneficiaries are customers'; an agent has none. Not shown in v2.3: a RIB beside the beneficiary must be the same. */
  function keptAs(id: number, { senderId }: Payer, { body }: Order): Payee | Refusal {
    const beneficiary =
      senderId === null ? refuse('beneficiaryUnknown') : findBeneficiary(core, { id: senderId }, id);
    if (isRefusal(beneficiary)) return beneficiary;
    const { rib, name } = beneficiary;
    if (rib === null) return refuse('bankUnreachable', { detail: 'the beneficiary has no RIB' });
    return body.Rib === undefined || body.Rib === rib
      ? { rib, name }
      : refuse('beneficiaryOther', { detail: 'Rib' });
  }

  function reached({ tenant }: Order, { rib, name }: Payee): Payee | Refusal {
    if (!hasTrueKey(rib)) return refuse('bankUnreachable', { detail: 'its key does not fit' });
    const account = accountOfRib(rib);
    if (account === undefined) return { rib, name };
    const sql = 'SELECT * FROM customers WHERE tenant = ? AND account = ? AND status NOT IN (0, 1, 5)';
    const wallet = db.get<Customer>(sql, tenant.id, account);
    return wallet ? { rib, name, wallet } : refuse('bankUnreachable', { detail: 'no wallet has it' });
  }

  return {
    previewBankTransfer(request) {
      const checked = check(request);
      if (isRefusal(checked)) return checked;
      const { CustomerPhoneNumber, AgentCode, Amount, Reason, BeneficiaryId } = request.body;
      return {
        type: OPERATION_TYPES.BANK_TRANSFER,
        operation: {
          customerPhoneNumber: CustomerPhoneNumber,
          agentCode: AgentCode,
          amount: Amount,
          reason: Reason,
          beneficiaryId: BeneficiaryId,
          beneficiaryName: checked.payee.name,
          rib: checked.payee.rib,
        },
        feesAmount: toDecimal(checked.fees),
        checkedAt: new Date(clock.now()).toISOString(),
        openLoop: !checked.payee.wallet,
      };
    },

    /** The payer pays at once, into transit; the bank settles, rejects or returns it later. */
    executeBankTransfer(request) {
      const checked = check(request);
      if (isRefusal(checked)) return checked;
      const { payer, payee, amount, fees } = checked;
      const { tenant, requestId, body, struck } = request;
      const way = bankWayOf(payee.rib);
      const operation = operations.execute(
        {
          ...payer,
          tenant: tenant.id,
          type: OPERATION_TYPES.BANK_TRANSFER,
          amount,
          fees,
          reason: body.Reason ?? '',
          receiverId: payee.wallet?.id ?? null,
          payee: payee.wallet ? null : ledger.own(tenant.id, 'banks'),
          receiver: payee.rib,
          openLoop: payee.wallet ? 0 : 1,
          requestId,
          settlesAs: way.settlesAs,
          told: JSON.stringify({
            BankTransferBeneficiaryName: payee.name,
            SecondaryAccountNumber: payee.wallet?.phone ?? payee.rib,
          }),
        },
        { ...way.struck, ...struck },
        way.afterMs ?? settings.bankSettleAfterMs,
      );
      return detailFor(payer.senderId, operation);
    },
  };
}
