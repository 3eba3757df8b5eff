import type { EffectName } from '../../../machines/kit/effects.ts';
import { openAnswers } from '../../payments/bill-payment.ts';
import { methodOf } from '../../payments/payments.ts';
import { EXPIRED_CODE } from '../../wallet/contract/errors.ts';
import { bankCode } from '../../wallet/rib.ts';
import type { Beneficiary, Creditor } from '../../wallet/services.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import { briefCall, spareCall } from '../intents/side-reads.ts';
import { levelOf } from '../pending/level.ts';
import type { REFERENCE_READS } from '../references/reads.ts';
import { readAgent, readCash } from './agent.ts';
import { readAgentDay } from './agent-day.ts';
import { readCardPayments } from './card-links.ts';
import { readContracts } from './contracts.ts';
import { readDocuments } from './documents.ts';
import { type EffectOf, read } from './effect.ts';
import { readLastPayment } from './last-payment.ts';
import { readOperations } from './operations.ts';
import { readPayouts } from './payouts.ts';
import { readFloat, readRetailAgents } from './principal.ts';
import { readStatus } from './read-status.ts';
import { readPayments, readTakings } from './takings.ts';
import { readVoucherCode, readVouchers } from './vouchers.ts';

/** Partner API v2.3, "Bill payment": the list of creditors "may be cached for a few hours". */
const CREDITORS_KEPT_MS = 3 * 3_600_000;
/** How many entries of a list a conversation shows at a time. */
const LIST_PAGE_SIZE = 20;
/** How far back numbers are suggested for a top-up. */
const RECENT_TOP_UPS = 20;
/** Payments with an issued card on one page: as many as a USSD page and a message hold beside the ways on. */
const CARD_PAYMENTS_PAGE_SIZE = 5;
/** Saved recipients that are read at a time: more than most people have. */
const BENEFICIARIES_PAGE_SIZE = 50;

/** Of each wallet, the creditors as they were last read. */
const creditorsKept = new WeakMap<Wallet, { readonly at: number; readonly list: readonly Creditor[] }>();

/** Those of references are in a room of their own. */
type ReadName = Exclude<Extract<EffectName, `read${string}`>, keyof typeof REFERENCE_READS>;

/** How each read is made. Its name, input and output are declared in `machines/kit/effects.ts`. */
export const READS: { readonly [Name in ReadName]: EffectOf<Name> } = {
  readStatus,
  readAgent,
  readCash,
  readAgentDay,
  readFloat,
  readRetailAgents,
  readPayouts,
  readVouchers,
  readVoucherCode,
  readLastPayment,

  readBalance: read(({ wallet }, { api, call }) => api.balance(wallet, call)),

  readProfile: read(({ wallet }, { api, call }) => api.profile(wallet, call)),

  readOperations,

  readBank: read(async ({ rib }, { served: { banks } }) => {
    const bank = banks[bankCode(rib)];
    return { kind: 'ok', value: bank === undefined ? {} : { bank } };
  }),

  readBeneficiaries: read(async ({ wallet, search }, { api, call, walletDoc }) => {
    const wanted = { page: 1, pageSize: BENEFICIARIES_PAGE_SIZE, ...(search && { search }) };
    // A question waits for it: without a list it is asked all the same.
    const answer = await api.beneficiaries(wallet, wanted, spareCall(call));
    if (answer.kind !== 'ok') return answer;
    const { entries, count } = answer.value;
    const isAll = entries.length >= count;
    return { kind: 'ok', value: { entries: inOrder(entries, walletDoc.paid), isAll } };
  }),

  readContracts,

  readRecipients: read(async (_, { walletDoc: { recipients = [] } }) => ({ kind: 'ok', value: recipients })),

  readTopUpProducts: read((order, { api, call }) => api.topUpProducts(order, call)),

  /** v2.3 has no lookup of a merchant: the preview of any amount tells whether a number is one's. */
  readMerchant: read(async ({ order }, env) => {
    const answer = await methodOf(order).preview(order, env);
    return answer.kind === 'ok' ? { kind: 'ok', value: true } : answer;
  }),

  readTopUps: read(async ({ wallet }, { api, call }) => {
    const answer = await api.topUps(wallet, { page: 1, pageSize: RECENT_TOP_UPS }, call);
    return answer.kind === 'ok' ? { kind: 'ok', value: answer.value.entries } : answer;
  }),

  readCreditors: read(async (_, { api, call, now }) => {
    const kept = creditorsKept.get(api);
    if (kept && now() < kept.at + CREDITORS_KEPT_MS) return { kind: 'ok', value: kept.list };
    const answer = await api.creditors(call);
    if (answer.kind === 'ok' && answer.value.length > 0)
      creditorsKept.set(api, { at: now(), list: answer.value });
    return answer;
  }),

  readReceivables: read(({ creditor }, { api, call }) => api.receivables(creditor, call)),

  readBillForm: read(({ creditor, receivable }, { api, call }) =>
    api.billForm({ creditorId: creditor, receivableId: receivable }, call),
  ),

  readUnpaid: read(async ({ wallet, creditor, receivable, answers }, { api, call, open }) => {
    const values = openAnswers(answers, open);
    if (!values) return { kind: 'refused', code: EXPIRED_CODE, description: '' };
    return api.unpaidBills({ from: wallet, creditorId: creditor, receivableId: receivable, values }, call);
  }),

  readBillPayments: read(({ wallet, page }, { api, call }) =>
    api.billPayments(wallet, { page, pageSize: LIST_PAGE_SIZE }, call),
  ),

  readBrands: read(({ wallet, page }, { api, call }) =>
    api.voucherBrands(wallet, { page, pageSize: LIST_PAGE_SIZE }, call),
  ),

  readArticles: read(({ wallet, brand, page }, { api, call }) =>
    api.voucherArticles(wallet, brand, { page, pageSize: LIST_PAGE_SIZE }, call),
  ),

  readSavedCards: read(({ wallet }, { api, call }) => api.savedCards(wallet, call)),

  readLevel: read(({ wallet }, { api, call }) => levelOf(api, wallet, call)),

  readCards: read(async ({ wallet }, { api, call }) => {
    const [programs, applications, cards] = await Promise.all([
      api.cardPrograms(call),
      api.cardApplications(wallet, call),
      api.issuedCards(wallet, call),
    ]);
    if (programs.kind !== 'ok') return programs;
    if (applications.kind !== 'ok') return applications;
    if (cards.kind !== 'ok') return cards;
    const value = { programs: programs.value, applications: applications.value, cards: cards.value };
    return { kind: 'ok', value };
  }),

  readOwnCards: read(({ wallet, isSpare }, { api, call }) =>
    api.issuedCards(wallet, isSpare ? briefCall(call) : call),
  ),

  readCard: read(({ wallet, card }, { api, call }) => api.issuedCard(wallet, card, call)),

  readCardTransactions: read(async ({ wallet, card, page }, { api, call }) => {
    const wanted = { page, pageSize: CARD_PAYMENTS_PAGE_SIZE };
    const answer = await api.cardTransactions(wallet, card, wanted, call);
    if (answer.kind !== 'ok') return answer;
    const transactions = answer.value.slice(0, CARD_PAYMENTS_PAGE_SIZE);
    return { kind: 'ok', value: { transactions, isLast: answer.value.length < CARD_PAYMENTS_PAGE_SIZE } };
  }),
  readPayments,
  readTakings,
  readCardPayments,
  readDocuments,

  readStaticQr: read(({ wallet }, { api, call }) => api.staticQr(wallet, call)),
};

/** Those paid most recently first, then by name. */
function inOrder(entries: readonly Beneficiary[], paid: readonly string[] = []): readonly Beneficiary[] {
  const place = ({ phoneNumber = '', rib = '' }: Beneficiary) => {
    const places = [phoneNumber, rib].map((account) => paid.indexOf(account)).filter((at) => at >= 0);
    return places.length > 0 ? Math.min(...places) : paid.length;
  };
  return [...entries].sort((a, b) => place(a) - place(b) || a.name.localeCompare(b.name));
}
