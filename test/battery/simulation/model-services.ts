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
import type { Call, Execution, Operation, Preview, Wallet } from '../../../src/wallet/wallet.ts';
import type { Random } from '../town/random.ts';
import { paidByCode } from './merchants.ts';
import type { Moved } from './model-wallet.ts';
import { isOfPrincipal, nameOf, type Paid, TYPES } from './paid.ts';

/** Named by their ids, so that a sentence says which one it means. */
const CREDITORS = ['1001', '1002'] as const;
const RECEIVABLE = '01';
/** An article costs what it is called. */
const ARTICLES = ['10000', '20000'] as const;
const BRAND = 7;
/** What the form of every creditor asks for: the second is a secret. */
const FORM = { contract: 'contrat', password: 'motDePasse' } as const;

/** What references that customers bring to an agent begin with. */
const BROUGHT = { 'cash-in': '42', 'cash-out': '41' } as const satisfies Record<CashKind, string>;
/** Of those that are brought. */
const BROUGHT_AMOUNT = centimes(20_000);

/** What customers bring to an agent: who has executed a reference is not shown, so each till has its own. */
export function referencesAt(kind: CashKind, agent: Msisdn): readonly string[] {
  return ['1', '2', '3'].map((each) => `${BROUGHT[kind]}${agent.slice(-2)}000${each}`);
}

/** What the model wallet lends: how it is asked, and how it pays. */
interface Wallets {
  read<T>(call: Call | undefined, answer: () => Answer<T>): Promise<Answer<T>>;
  preview(order: Paid, call: Call | undefined): Promise<Answer<Preview>>;
  pay(order: Paid, call: Call & { requestId: string }, way?: 'final' | 'later'): Promise<Answer<Execution>>;
  listed(): Moved[];
  readonly moved: readonly Moved[];
  readonly random: Random;
  /** Every customer is a merchant; else a consumer. */
  readonly areMerchants: boolean;
  readonly principal: PrincipalSeen | undefined;
}

/** The principal agent of a history: who acts for it, and whether Wasl's key reads the list of all operations. */
export interface PrincipalSeen {
  readonly phone: Msisdn;
  readonly isListed: boolean;
}
/** Its code. */
export const PRINCIPAL_CODE = 'PA-1001';
const FLOAT = centimes(100_000_000);

/** Top-ups with their history, bills with their references, vouchers with their codes, merchants with theirs. */
export function modelServices({
  read,
  preview,
  pay,
  listed,
  moved,
  random,
  areMerchants,
  principal,
}: Wallets): Partial<Wallet> {
  let references = 202_611_000_000;
  /** What agents have asked for, for the number of a customer. */
  const requested = new Map<string, { readonly phone: Msisdn; readonly amount: Centimes }>();
  return {
    topUpProducts: (_order, call) => read(call, () => ok([])),
    previewTopUp: (order, call) => preview(topUpOf(order), call),
    topUp: (order, call) => pay(topUpOf(order), call),
    topUps: (phone, { page = 1, pageSize = 10 } = {}, call) =>
      read(call, () =>
        ok({
          entries: listed()
            .filter(({ order }) => order.kind === 'top-up' && order.from === phone)
            .reverse()
            .slice((page - 1) * pageSize, page * pageSize)
            .map(({ id, at, order: { amount, to }, status }) => ({
              id,
              at,
              amount,
              operator: 1,
              to,
              status,
            })),
        }),
      ),

    creditors: (call) => read(call, () => ok(CREDITORS.map((id) => ({ id, name: id })))),
    receivables: (_creditor, call) => read(call, () => ok([{ id: RECEIVABLE, name: RECEIVABLE }])),
    billForm: (_of, call) =>
      read(call, () =>
        ok([
          { kind: 'text' as const, name: FORM.contract, label: 'Contrat', options: [], required: true },
          { kind: 'password' as const, name: FORM.password, label: 'Code', options: [], required: true },
        ]),
      ),
    /** The number of a contract is what there is to pay; paid bills come up again, as on a network that is slow. */
    unpaidBills: ({ values }, call) =>
      read(call, () => {
        const contract = values.find(({ name }) => name === FORM.contract)?.value ?? '';
        if (!/^\d+$/.test(contract)) return { kind: 'refused', code: 'bill109', description: '' };
        const amount = centimes(Number(contract));
        const item: BillItem = { id: '1', description: 'Facture', date: '01/10/2026', amount, type: 0 };
        return ok({ reference: String(++references), items: [item], shown: [], params: [] });
      }),
    previewBill: (order, call) =>
      isPaid(order.reference)
        ? read(call, () => ({ kind: 'refused', code: String(ERRORS.billChanged.code), description: '' }))
        : preview(billOf(order), call),
    payBill: (order, call) => pay(billOf(order), call, random.pick(['final', 'later'])),
    billStatus: (reference, call) =>
      read(call, () => {
        const paid = listed().find(({ order }) => order.reference === reference);
        if (!paid) return ok(undefined);
        const operation = random.chance(0.8) ? { operationId: paid.id } : {};
        return ok({ status: stateOf(paid), executed: paid.status === 2, ...operation });
      }),

    billPayments: (phone, { page = 1, pageSize = 10 } = {}, call) =>
      read(call, () => {
        const paid = listed().filter(({ order }) => order.kind === 'bill-payment' && order.from === phone);
        const entries = paid.slice((page - 1) * pageSize, page * pageSize).map((each) => ({
          operationId: each.id,
          ...(each.order.reference && { reference: each.order.reference }),
          creditor: String(each.order.to),
          receivable: RECEIVABLE,
          amount: each.order.amount,
          status: stateOf(each),
        }));
        return ok({ entries, count: paid.length });
      }),

    retailAgent: async (code) => ok({ code, name: 'Tabac', phone: agentOf(code) }),
    cashReference: (kind, reference, call) => read(call, () => looked(kind, reference)),
    requestCashIn: ({ phone, amount }, call) =>
      read(call, () => {
        const reference = `43${String(requested.size).padStart(6, '0')}`;
        requested.set(reference, { phone, amount });
        return looked('cash-in', reference);
      }),
    agentCashIn: (order, call) => pay(atAgent('cash-in', order), call),
    agentCashOut: (order, call) => pay(atAgent('cash-out', order), call),
    // Without an administrator's scope it is refused.
    agentOperations: async ({ types, from, page = 1, pageSize = 10 }, call) =>
      principal?.isListed
        ? read(call, () => {
            const all = listed().filter(
              ({ order, at }) =>
                isOfPrincipal(order.kind) &&
                (types?.includes(TYPES[order.kind]) ?? true) &&
                at >= (from?.getTime() ?? 0),
            );
            const operations = all
              .reverse()
              .map(ofAgent)
              .slice((page - 1) * pageSize, page * pageSize);
            return ok({ operations, count: all.length });
          })
        : { kind: 'refused', code: 'http403', description: '' },
    principalAgent: (code, call) => read(call, () => ok({ code, balance: FLOAT })),
    topUpB2b: (order, call) => pay(ofPrincipal('b2b-top-up', order.to, order.amount), call),
    // Nobody pays a line of a file elsewhere.
    previewAgentTransfer: ({ amount }, call) =>
      read(call, () => ok({ fees: centimes(0), total: amount, openLoop: false })),
    agentTransfer: ({ rib, amount }, call) => pay(ofPrincipal('payout-transfer', rib, amount), call),

    // At once, and without a throw of the dice: seeds play the histories that they have always played.
    beneficiaries: async () => ok({ entries: [], count: 0 }),
    cardPrograms: async () => ok([]),
    cardApplications: async () => ok([]),
    issuedCards: async () => ok([]),
    profile: (_phone, call) => read(call, () => ({ kind: 'unknown', why: 'not there' })),
    voucherBrands: (_phone, _wanted, call) =>
      read(call, () => ok({ entries: [{ id: BRAND, name: 'Livres' }], count: 1 })),
    voucherArticles: (_phone, brandId, _wanted, call) =>
      read(call, () => {
        const entries = ARTICLES.map((sku) => ({
          sku,
          providerId: 1,
          brandId,
          name: sku,
          price: centimes(Number(sku)),
        }));
        return ok({ entries, count: entries.length });
      }),
    previewVoucher: (order, call) => preview(voucherOf(order), call),
    buyVoucher: (order, call) => pay(voucherOf(order), call),

    // Asked once a day: at once, so that a seed plays the history that it has always played.
    staticQr: async () =>
      areMerchants
        ? ok({ content: 'MERCHANT', reference: 'R' })
        : { kind: 'refused', code: String(ERRORS.merchantUnknown.code), description: '' },
    previewChargeback: (order, call) => preview(refundOf(order), call),
    chargeback: (order, call) => pay(refundOf(order), call),
    previewBankTransfer: (order, call) => preview(bankTransferOf(order), call),
    bankTransfer: (order, call) => pay(bankTransferOf(order), call),
    previewMerchantPayment: (order, call) => preview(merchantPaymentOf(order), call),
    payMerchant: (order, call) => pay(merchantPaymentOf(order), call),
  };

  function looked(kind: CashKind, reference: string): Answer<CashReference> {
    const isThere = kind === 'cash-in' && requested.has(reference);
    if (!isThere && !new RegExp(`^${BROUGHT[kind]}\\d{6}$`).test(reference))
      return { kind: 'refused', code: String(ERRORS.referenceUnknown.code), description: '' };
    const paid = moved.find(({ order }) => order.reference === reference);
    const status = paid?.status ?? 1;
    return ok({
      ...{ reference, status, madeAt: Number(reference), ...ordered(reference) },
      ...(paid?.completedAt !== undefined && { executedAt: paid.completedAt }),
    });
  }

  /** A reference that somebody has brought says by its number whose it is. */
  function ordered(reference: string): { readonly phone: Msisdn; readonly amount: Centimes } {
    return requested.get(reference) ?? { phone: customerOf(reference), amount: BROUGHT_AMOUNT };
  }

  function atAgent(of: CashKind, { code, reference }: AgentExecution): Paid {
    const { phone: to, amount } = ordered(reference);
    if (code === PRINCIPAL_CODE) return { ...ofPrincipal('payout', to, amount), reference };
    const kind = `agent-${of}` as const;
    return { kind, from: agentOf(code), to, amount, what: nameOf(kind, to, amount), reference };
  }

  function ofPrincipal(kind: PrincipalKind, to: string, amount: Centimes): Paid {
    return {
      kind,
      from: principal?.phone ?? msisdn('+212600000000'),
      to,
      amount,
      what: nameOf(kind, to, amount),
    };
  }

  function isPaid(reference: string): boolean {
    return listed().some(({ order }) => order.reference === reference);
  }
}

type PrincipalKind = 'b2b-top-up' | 'payout' | 'payout-transfer';

function ofAgent({ id, order: { kind, to, amount }, status, at }: Moved): Operation {
  const sides = { sender: PRINCIPAL_CODE, receiver: to, direction: 2 } as const;
  return { id, type: TYPES[kind], status, amount, fees: centimes(0), total: amount, at, ...sides };
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

function ok<T>(value: T): Answer<T> {
  return { kind: 'ok', value };
}

/** A customer has one reference, so that a sentence that names them says which one it means. */
function customerOf(reference: string): Msisdn {
  return msisdn(`+2126${reference}`);
}

function agentOf(code: string): Msisdn {
  return msisdn(`+2126000000${code.slice(-2)}`);
}
