import type { Answer } from '../../../src/wallet/answer.ts';
import { ERRORS } from '../../../src/wallet/contract/errors.ts';
import { type Centimes, centimes } from '../../../src/wallet/money.ts';
import { type Msisdn, msisdn } from '../../../src/wallet/phone.ts';
import type {
  AgentExecution,
  BankTransferRequest,
  BillItem,
  BillRequest,
  CashKind,
  CashReference,
  ChargebackRequest,
  MerchantPaymentRequest,
  TopUpRequest,
  VoucherRequest,
} from '../../../src/wallet/services.ts';
import type { Wallet } from '../../../src/wallet/wallet.ts';
import { paidByCode } from './merchants.ts';
import type { ModelWallet } from './model-wallet.ts';
import { isOfPrincipal, nameOf, type Paid, TYPES } from './paid.ts';
import { ok } from './wallet-faults.ts';
import { type Moved, operationOfAgent, PRINCIPAL_CODE } from './wallet-ledger.ts';

/** Their names are their ids, so that a sentence says which creditor it means. */
const CREDITORS = ['1001', '1002'] as const;
const RECEIVABLE = '01';
/** The name of an article is its price. */
const ARTICLES = ['10000', '20000'] as const;
const BRAND = 7;
/** Fields of every creditor's form. The password is a secret. */
const FORM = { contract: 'contrat', password: 'motDePasse' } as const;

/** Prefixes of references that customers bring to an agent. */
const BROUGHT = { 'cash-in': '42', 'cash-out': '41' } as const satisfies Record<CashKind, string>;
/** Amount of each of these references. */
const BROUGHT_AMOUNT = centimes(20_000);

/** References that customers bring to an agent. The wallet does not show who executed one, so each agent has others. */
export function referencesAt(kind: CashKind, agent: Msisdn): readonly string[] {
  return ['1', '2', '3'].map((each) => `${BROUGHT[kind]}${agent.slice(-2)}000${each}`);
}

const FLOAT = centimes(100_000_000);

/** All calls beside transfers and cards: top-ups, bills, vouchers, merchants, banks, agents, and the principal agent. */
export function modelServices(wallet: ModelWallet): Partial<Wallet> {
  return {
    ...modelTopUps(wallet),
    ...modelBills(wallet),
    ...modelAgents(wallet),
    ...modelPrincipal(wallet),
    ...modelVouchers(wallet),
    ...modelMerchants(wallet),
    previewBankTransfer: (order, call) => wallet.preview(bankTransferOf(order), call),
    bankTransfer: (order, call) => wallet.pay(bankTransferOf(order), call),
    // These answer at once, without a random draw: each seed keeps its history.
    beneficiaries: async () => ok({ entries: [], count: 0 }),
    cardPrograms: async () => ok([]),
    cardApplications: async () => ok([]),
    issuedCards: async () => ok([]),
    profile: (_phone, call) => wallet.read(call, () => ({ kind: 'unknown', why: 'not there' })),
  };
}

function modelTopUps(wallet: ModelWallet): Partial<Wallet> {
  return {
    topUpProducts: (_order, call) => wallet.read(call, () => ok([])),
    previewTopUp: (order, call) => wallet.preview(topUpOf(order), call),
    topUp: (order, call) => wallet.pay(topUpOf(order), call),
    topUps: (phone, { page = 1, pageSize = 10 } = {}, call) =>
      wallet.read(call, () => {
        const own = wallet.listed().filter(({ order }) => order.kind === 'top-up' && order.from === phone);
        const entries = own.reverse().slice((page - 1) * pageSize, page * pageSize);
        return ok({
          entries: entries.map(({ id, at, order: { amount, to }, status }) => ({
            ...{ id, at, amount, operator: 1, to, status },
          })),
        });
      }),
  };
}

function modelBills(wallet: ModelWallet): Partial<Wallet> {
  let references = 202_611_000_000;
  const paidBy = (reference: string) => wallet.listed().find(({ order }) => order.reference === reference);
  return {
    creditors: (call) => wallet.read(call, () => ok(CREDITORS.map((id) => ({ id, name: id })))),
    receivables: (_creditor, call) => wallet.read(call, () => ok([{ id: RECEIVABLE, name: RECEIVABLE }])),
    billForm: (_of, call) =>
      wallet.read(call, () =>
        ok([
          { kind: 'text' as const, name: FORM.contract, label: 'Contrat', options: [], required: true },
          { kind: 'password' as const, name: FORM.password, label: 'Code', options: [], required: true },
        ]),
      ),
    /** The bill of a contract comes to the contract's number. A paid bill comes up again, as on a slow network. */
    unpaidBills: ({ values }, call) =>
      wallet.read(call, () => {
        const contract = values.find(({ name }) => name === FORM.contract)?.value ?? '';
        if (!/^\d+$/.test(contract)) return { kind: 'refused', code: 'bill109', description: '' };
        const amount = centimes(Number(contract));
        const item: BillItem = { id: '1', description: 'Facture', date: '01/10/2026', amount, type: 0 };
        return ok({ reference: String(++references), items: [item], shown: [], params: [] });
      }),
    previewBill: (order, call) =>
      paidBy(order.reference)
        ? wallet.read(call, () => ({
            ...{ kind: 'refused', code: String(ERRORS.billChanged.code), description: '' },
          }))
        : wallet.preview(billOf(order), call),
    payBill: (order, call) => wallet.pay(billOf(order), call, wallet.random.pick(['final', 'later'])),
    billStatus: (reference, call) =>
      wallet.read(call, () => {
        const paid = paidBy(reference);
        if (!paid) return ok(undefined);
        const operation = wallet.random.chance(0.8) ? { operationId: paid.id } : {};
        return ok({ status: stateOf(paid), executed: paid.status === 2, ...operation });
      }),
    billPayments: (phone, { page = 1, pageSize = 10 } = {}, call) =>
      wallet.read(call, () => {
        const paid = wallet
          .listed()
          .filter(({ order }) => order.kind === 'bill-payment' && order.from === phone);
        const entries = paid.slice((page - 1) * pageSize, page * pageSize).map((each) => ({
          ...{ operationId: each.id, creditor: String(each.order.to), receivable: RECEIVABLE },
          ...(each.order.reference && { reference: each.order.reference }),
          ...{ amount: each.order.amount, status: stateOf(each) },
        }));
        return ok({ entries, count: paid.length });
      }),
  };
}

/** Agents execute references that customers bring, and ask for a reference for a customer's number. */
function modelAgents(wallet: ModelWallet): Partial<Wallet> {
  const { principal } = wallet.around;
  /** References that an agent has asked for. */
  const requested = new Map<string, { readonly phone: Msisdn; readonly amount: Centimes }>();
  const ordered = (reference: string) =>
    requested.get(reference) ?? { phone: customerOf(reference), amount: BROUGHT_AMOUNT };

  function looked(kind: CashKind, reference: string): Answer<CashReference> {
    const isRequested = kind === 'cash-in' && requested.has(reference);
    if (!isRequested && !new RegExp(`^${BROUGHT[kind]}\\d{6}$`).test(reference))
      return { kind: 'refused', code: String(ERRORS.referenceUnknown.code), description: '' };
    const paid = wallet.moved.find(({ order }) => order.reference === reference);
    return ok({
      ...{ reference, status: paid?.status ?? 1, madeAt: Number(reference), ...ordered(reference) },
      ...(paid?.completedAt !== undefined && { executedAt: paid.completedAt }),
    });
  }

  function atAgent(of: CashKind, { code, reference }: AgentExecution): Paid {
    const { phone: to, amount } = ordered(reference);
    if (code === PRINCIPAL_CODE) return { ...ofPrincipal(principal?.phone, 'payout', to, amount), reference };
    const kind = `agent-${of}` as const;
    return { kind, from: agentOf(code), to, amount, what: nameOf(kind, to, amount), reference };
  }

  return {
    retailAgent: async (code) => ok({ code, name: 'Tabac', phone: agentOf(code) }),
    cashReference: (kind, reference, call) => wallet.read(call, () => looked(kind, reference)),
    requestCashIn: ({ phone, amount }, call) =>
      wallet.read(call, () => {
        const reference = `43${String(requested.size).padStart(6, '0')}`;
        requested.set(reference, { phone, amount });
        return looked('cash-in', reference);
      }),
    agentCashIn: (order, call) => wallet.pay(atAgent('cash-in', order), call),
    agentCashOut: (order, call) => wallet.pay(atAgent('cash-out', order), call),
  };
}

function modelPrincipal(wallet: ModelWallet): Partial<Wallet> {
  const { principal } = wallet.around;
  return {
    // Without an administrator's scope the call is refused.
    agentOperations: async ({ types, from, page = 1, pageSize = 10 }, call) =>
      principal?.isListed
        ? wallet.read(call, () => {
            const all = wallet
              .listed()
              .filter(
                ({ order, at }) =>
                  isOfPrincipal(order.kind) &&
                  (types?.includes(TYPES[order.kind]) ?? true) &&
                  at >= (from?.getTime() ?? 0),
              );
            const operations = all.reverse().map(operationOfAgent);
            return ok({
              operations: operations.slice((page - 1) * pageSize, page * pageSize),
              count: all.length,
            });
          })
        : { kind: 'refused', code: 'http403', description: '' },
    principalAgent: (code, call) => wallet.read(call, () => ok({ code, balance: FLOAT })),
    topUpB2b: ({ to, amount }, call) =>
      wallet.pay(ofPrincipal(principal?.phone, 'b2b-top-up', to, amount), call),
    // Nobody pays a line of a file elsewhere.
    previewAgentTransfer: ({ amount }, call) =>
      wallet.read(call, () => ok({ fees: centimes(0), total: amount, openLoop: false })),
    agentTransfer: ({ rib, amount }, call) =>
      wallet.pay(ofPrincipal(principal?.phone, 'payout-transfer', rib, amount), call),
  };
}

function modelVouchers(wallet: ModelWallet): Partial<Wallet> {
  return {
    voucherBrands: (_phone, _wanted, call) =>
      wallet.read(call, () => ok({ entries: [{ id: BRAND, name: 'Livres' }], count: 1 })),
    voucherArticles: (_phone, brandId, _wanted, call) =>
      wallet.read(call, () => {
        const entries = ARTICLES.map((sku) => ({
          ...{ sku, providerId: 1, brandId, name: sku, price: centimes(Number(sku)) },
        }));
        return ok({ entries, count: entries.length });
      }),
    previewVoucher: (order, call) => wallet.preview(voucherOf(order), call),
    buyVoucher: (order, call) => wallet.pay(voucherOf(order), call),
  };
}

function modelMerchants(wallet: ModelWallet): Partial<Wallet> {
  return {
    // Asked once a day. It answers at once, so that each seed keeps its history.
    staticQr: async () =>
      wallet.around.areMerchants
        ? ok({ content: 'MERCHANT', reference: 'R' })
        : { kind: 'refused', code: String(ERRORS.merchantUnknown.code), description: '' },
    previewChargeback: (order, call) => wallet.preview(refundOf(order), call),
    chargeback: (order, call) => wallet.pay(refundOf(order), call),
    previewMerchantPayment: (order, call) => wallet.preview(merchantPaymentOf(order), call),
    payMerchant: (order, call) => wallet.pay(merchantPaymentOf(order), call),
  };
}

function ofPrincipal(
  from = msisdn('+212600000000'),
  kind: 'b2b-top-up' | 'payout' | 'payout-transfer',
  to: string,
  amount: Centimes,
): Paid {
  return { kind, from, to, amount, what: nameOf(kind, to, amount) };
}

/** Partner API v2.3, "Bill transaction". */
function stateOf({ status, reversedAt }: Moved): string {
  if (reversedAt !== undefined) return 'REMBOURSE';
  return { 1: 'AUTORISE', 2: 'CONFIRME', 3: 'FAILED', 4: 'ANNULE' }[status];
}

function topUpOf({ from, to, amount }: TopUpRequest): Paid {
  return { kind: 'top-up', from, to, amount, what: nameOf('top-up', to, amount) };
}

function billOf({ from, creditorId, receivableId, reference, items }: BillRequest): Paid {
  const amount = centimes(items.reduce((sum, item) => sum + item.amount, 0));
  const what = nameOf('bill-payment', `${creditorId}/${receivableId}`, amount);
  return { kind: 'bill-payment', from, to: creditorId, amount, reference, what };
}

function voucherOf({ from, to, sku }: VoucherRequest): Paid {
  const amount = centimes(Number(sku));
  return { kind: 'voucher', from, to, amount, what: nameOf('voucher', `${to} ${sku}`, amount) };
}

function bankTransferOf({ from, rib, amount }: BankTransferRequest): Paid {
  return { kind: 'bank-transfer', from, to: rib, amount, what: nameOf('bank-transfer', rib, amount) };
}

function merchantPaymentOf(order: MerchantPaymentRequest): Paid {
  const { from, amount } = order;
  const { to, key } = 'to' in order ? { to: order.to, key: order.to } : paidByCode(order.qrContent);
  return { kind: 'merchant-payment', from, to, amount, what: nameOf('merchant-payment', key, amount) };
}

function refundOf({ from, to, amount }: ChargebackRequest): Paid {
  return { kind: 'merchant-refund', from, to, amount, what: nameOf('merchant-refund', to, amount) };
}

/** Each customer has one reference, so that a sentence with the number names the reference. */
function customerOf(reference: string): Msisdn {
  return msisdn(`+2126${reference}`);
}

function agentOf(code: string): Msisdn {
  return msisdn(`+2126000000${code.slice(-2)}`);
}
