import type { Api } from '../../wallet/contract/api.ts';
import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import { hasTrueKey } from '../../wallet/rib.ts';
import { findAgent } from '../agents/agents.ts';
import type { Core, Request, SomeHandlers } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import { findBeneficiary } from '../customers/beneficiaries.ts';
import { type Customer, usableCustomer } from '../customers/customer.ts';
import { amountOf, requireFunds } from '../ledger/amounts.ts';
import { exceedsLimit } from '../ledger/balance-limit.ts';
import { bankTransferFees } from '../ledger/fees.ts';
import {
  detailFor,
  echoed,
  executeOperation,
  type Operation,
  paidBy,
  quoted,
} from '../operations/operation.ts';
import { bankWayOf } from './bank-magic.ts';
import { accountOfRib } from './rib.ts';

type Order = Pick<Request<Api['executeBankTransfer']>, 'tenant' | 'body'>;
type Payer = Pick<Operation, 'payer' | 'senderId' | 'sender'>;

interface Payee {
  readonly rib: string;
  readonly name: string;
  /** The wallet here whose RIB it is. Absent: an account of a bank. */
  readonly wallet?: Customer;
}

/** Transfers to a RIB (Partner API v2.3, "Transfers, bank transfers, chargeback, refund"). */
export const bankTransfers = {
  previewBankTransfer(core, request) {
    const checked = check(core, request);
    const operation = {
      ...echoed(request.body),
      beneficiaryName: checked.payee.name,
      rib: checked.payee.rib,
    };
    return quoted(core, OPERATION_TYPES.BANK_TRANSFER, operation, checked.fees, !checked.payee.wallet);
  },

  /** The payer pays at once, into transit. The bank settles, rejects or returns it later. */
  executeBankTransfer(core, request) {
    const checked = check(core, request);
    const { payer, payee, amount, fees } = checked;
    const { tenant, body, struck } = request;
    const way = bankWayOf(payee.rib);
    const operation = executeOperation(
      core,
      { ...request, struck: { ...way.struck, ...struck } },
      {
        ...payer,
        type: OPERATION_TYPES.BANK_TRANSFER,
        amount,
        fees,
        reason: body.Reason ?? '',
        receiverId: payee.wallet?.id ?? null,
        payee: payee.wallet ? null : core.ledger.own(tenant.id, 'banks'),
        receiver: core.settings.bankReceiver === 'rib' ? payee.rib : payee.name,
        openLoop: payee.wallet ? 0 : 1,
        settlesAs: way.settlesAs,
        told: JSON.stringify({
          BankTransferBeneficiaryName: payee.name,
          SecondaryAccountNumber: payee.wallet?.phone ?? payee.rib,
        }),
      },
      way.afterMs ?? core.settings.bankSettleAfterMs,
    );
    return detailFor(payer.senderId, operation);
  },
} satisfies SomeHandlers;

/** The same for preview and execution. */
function check(core: Core, order: Order) {
  const amount = amountOf(order.body.Amount);
  const payer = payerOf(core, order);
  const payee = payeeOf(core, order, payer);
  if (payee.wallet && payee.wallet.id === payer.senderId) refuse('selfTransfer');
  const fees = bankTransferFees(amount);
  requireFunds(core, payer.payer, amount + fees);
  if (payee.wallet && exceedsLimit(core, payee.wallet, amount)) refuse('recipientLimit');
  return { payer, payee, amount, fees };
}

/** "CustomerPhoneNumber or AgentCode: exactly one is required." */
function payerOf(
  core: Core,
  { tenant, body: { CustomerPhoneNumber: phone, AgentCode: code } }: Order,
): Payer {
  const detail = 'exactly one of CustomerPhoneNumber and AgentCode';
  if (phone !== undefined && code !== undefined) refuse('parameterInvalid', { detail });
  if (phone !== undefined) {
    const customer = usableCustomer(core, tenant, phone);
    return paidBy(customer);
  }
  if (code === undefined) refuse('missingParameters', { detail });
  const agent = findAgent(core, tenant, code);
  return { payer: agent.account, senderId: null, sender: agent.code };
}

/** "At least beneficiaryId or (rib + beneficiaryName)." */
function payeeOf(core: Core, order: Order, payer: Payer): Payee {
  const { Rib: rib, BeneficiaryName: name, BeneficiaryId: id } = order.body;
  const payee = rib !== undefined && name !== undefined ? { rib, name } : undefined;
  const named = id === undefined ? payee : keptAs(core, id, payer, order);
  if (core.settings.holderNames === 'letters' && /[^\p{L}\p{M} ]/u.test(name ?? ''))
    refuse('parameterInvalid', { detail: 'BeneficiaryName' });
  if (!named) refuse('missingParameters', { detail: 'BeneficiaryId, or Rib and BeneficiaryName' });
  return reached(core, order, named);
}

/** Beneficiaries are customers'. An agent has none. Not shown in v2.3: a RIB that is given with a beneficiary must be theirs. */
function keptAs(core: Core, id: number, { senderId }: Payer, { body }: Order): Payee {
  const beneficiary =
    senderId === null ? refuse('beneficiaryUnknown') : findBeneficiary(core, { id: senderId }, id);
  const { rib, name } = beneficiary;
  if (rib === null) refuse('bankUnreachable', { detail: 'the beneficiary has no RIB' });
  return body.Rib === undefined || body.Rib === rib || core.settings.beneficiaries === 'free'
    ? { rib, name }
    : refuse('beneficiaryOther', { detail: 'Rib' });
}

function reached(core: Core, { tenant }: Order, { rib, name }: Payee): Payee {
  if (!hasTrueKey(rib) && core.settings.ribKey === 'checked')
    refuse('bankUnreachable', { detail: 'its key does not fit' });
  const account = accountOfRib(rib);
  if (account === undefined) return { rib, name };
  const sql = 'SELECT * FROM customers WHERE tenant = ? AND account = ? AND status NOT IN (0, 1, 5)';
  const wallet = core.db.get<Customer>(sql, tenant.id, account);
  return wallet ? { rib, name, wallet } : refuse('bankUnreachable', { detail: 'no wallet has it' });
}
