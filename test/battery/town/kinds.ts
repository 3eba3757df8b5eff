import { randomUUID } from 'node:crypto';
import type { CashInWay } from '../../../machines/kit/effects.ts';
import type { Screen } from '../../../machines/kit/screen.ts';
import type { TypedCard } from '../../../src/payments/payment.ts';
import type { PaymentKind } from '../../../src/payments/payments.ts';
import { THREE_DS_CODE } from '../../../src/sandbox/cards/test-cards.ts';
import { ribWith } from '../../../src/sandbox/transfers/rib.ts';
import { type Centimes, centimes } from '../../../src/wallet/money.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';
import type { CashKind } from '../../../src/wallet/services.ts';
import type { Wallet } from '../../../src/wallet/wallet.ts';

/** The form of a bill asks for it. It stands nowhere else. */
export const BILL_PASSWORD = '90817263';
/** A card that is accepted. */
export const CARD = {
  ...{ pan: '4242424242424242', expiry: '3008', cvv: '737', firstName: 'Fatima', lastName: 'Alaoui' },
  keep: false,
} as const satisfies TypedCard;

/** Text that is typed on a screen, or a choice there. */
type Answer = string | { readonly choice: string };

/** A customer's wish, and the answer to each screen up to the confirmation. */
export interface Errand<Kind extends string = PaymentKind> {
  readonly kind: Kind;
  /** By the screen's key, by its name in the conversation, or by the label of a form's field. */
  readonly answers: Readonly<Record<string, Answer>>;
  /** The page that an administrator has begun at the console. A card is typed there, and no conversation leads to it. */
  readonly link?: string;
}

/** The wallet in which an errand is run, reached without Wasl. */
export interface Town {
  readonly api: Wallet;
  /** A new customer of the wallet, with money. `C` is a merchant. */
  somebody(walletType?: 'P' | 'C'): Msisdn;
  /** Lets operations settle. */
  settles(): Promise<void>;
  /** Gives a file of payouts for the principal agent. The result is its id. */
  gives(text: string): Promise<string>;
  /**
   * An administrator begins a load of the float by card. A bound number will hear of it. The result is the link of its
   * page.
   */
  loads(who: Msisdn, amount: Centimes): Promise<string>;
  /**
   * Notes that `who` asks for what the principal agent pays to this number or RIB, or loads in so many centimes. The
   * ledger has only the agent's code.
   */
  notes(who: Msisdn, receiver: string): void;
}

/** One way to pay as the battery plays it. */
interface Errands {
  /** The call that makes the payment. */
  readonly call: keyof Wallet;
  /** The customer who makes it, if that is no consumer. The principal agent's number does so in a chat. */
  readonly by?: 'merchant' | 'agent' | 'principal';
  /** Somebody has paid the merchant so by card before, through Wasl. */
  readonly after?: 'collect' | 'reserve';
  /** The page that is begun at the console. */
  link?(town: Town, who: Msisdn): Promise<string>;
  /** Prepares the errand, and gives its answers. @param to another receiver than somebody new */
  answers(town: Town, who: Msisdn, to?: string): Promise<Errand['answers']> | Errand['answers'];
}

const choice = (id: string) => ({ choice: id });
const CARD_PAYMENTS = (id: string) => ({ 'card-payments.choose': choice(id) });

/** Lines of each file of payouts: what is killed in the first one must leave the second one to be paid. */
const LINES = 2;

/** Loads of the float are told apart by their amounts: the ledger names nobody. */
const LOAD_FROM = 20_000;
let loads = 0;

/** On the page of one bill, and on those that list several. */
const ALL_BILLS = Object.fromEntries(
  ['reviewFor', 'selectOne', 'selectNone', 'selectNoneWith'].map((name) => [name, choice('all')]),
);

/** Every kind of payment: one that is missing here is played by nobody, and does not compile. */
export const ERRANDS: Readonly<Record<PaymentKind, Errands>> = {
  transfer: {
    call: 'transfer',
    answers: (town, _who, to = town.somebody()) => transferTo(to).answers,
  },
  'top-up': {
    call: 'topUp',
    answers: (town, _who, to = town.somebody()) => ({
      ...{ askNumber: to, askAmount: '50' },
      chooseOperator: choice('1'),
      chooseProduct: choice('classic'),
    }),
  },
  'bill-payment': {
    call: 'payBill',
    // A creditor whose form asks for a number and a password.
    answers: (town) => ({
      chooseCreditor: choice('1301'),
      "Numéro d'affiliation": town.somebody().slice(-8),
      "Code d'accès": BILL_PASSWORD,
      ...ALL_BILLS,
    }),
  },
  voucher: {
    call: 'buyVoucher',
    answers: (town) => ({
      chooseBrand: choice('1'),
      chooseArticle: choice('article0'),
      chooseArticleValid: choice('article0'),
      chooseForValid: choice('gift'),
      askNumber: town.somebody(),
      askName: 'Salma',
    }),
  },
  'merchant-payment': {
    call: 'payMerchant',
    answers: (town) => ({ askMerchant: town.somebody('C'), askAmount: '100' }),
  },
  // Of the one payment that the merchant has received.
  'merchant-refund': {
    ...{ call: 'chargeback', by: 'merchant' },
    async answers(town, who) {
      const order = { from: town.somebody(), to: who, amount: centimes(30_000), reason: 'shop' };
      expectOk(await town.api.payMerchant(order, { requestId: randomUUID() }));
      await town.settles();
      return { list: '1', howMuch: choice('part'), askAmount: '100' };
    },
  },
  'bank-transfer': {
    call: 'bankTransfer',
    answers: (town, _who, to = ribOf(town)) => ({
      ...{ 'transfer.askRecipient': to, askRecipient: to, askHolder: 'Karim', askAmount: '100' },
    }),
  },
  'agent-cash-in': {
    ...{ call: 'agentCashIn', by: 'agent' },
    answers: async (town) => ({ ask: await referenceIn(town, 'cash-in') }),
  },
  'agent-cash-out': {
    ...{ call: 'agentCashOut', by: 'agent' },
    answers: async (town) => ({ ask: await referenceIn(town, 'cash-out') }),
  },
  'card-cash-in': {
    call: 'cashInByCard',
    answers: () => ({ askAmount: '100', askAmountWithin: '100' }),
  },
  'card-payment': {
    ...{ call: 'payByCard', by: 'merchant' },
    answers: () => ({ ...CARD_PAYMENTS('card-payment'), askAmount: '80', chooseWay: choice('collect') }),
  },
  'card-capture': {
    ...{ call: 'captureCard', by: 'merchant', after: 'reserve' },
    answers: () => ({
      ...CARD_PAYMENTS('reservations'),
      'card-payments.chooseReserved': '1',
      'card-payments.reserved': choice('capture'),
      'card-payments.howMuchCapture': choice('all'),
    }),
  },
  'card-reverse': {
    ...{ call: 'reverseCard', by: 'merchant', after: 'reserve' },
    answers: () => ({
      ...CARD_PAYMENTS('reservations'),
      'card-payments.chooseReserved': '1',
      'card-payments.reserved': choice('release'),
    }),
  },
  'card-refund': {
    ...{ call: 'refundCard', by: 'merchant', after: 'collect' },
    answers: () => ({
      ...CARD_PAYMENTS('card-refund'),
      'card-payments.chooseCaptured': '1',
      'card-payments.howMuchRefund': choice('all'),
    }),
  },
  'b2b-top-up': {
    ...{ call: 'topUpB2b', by: 'principal' },
    answers: (town, who, to = town.somebody()) => {
      town.notes(who, to);
      return {
        'principal.choose': choice('b2b-top-up'),
        ...{ askNumber: to, 'top-up.chooseOperator': choice('1') },
        ...{ 'top-up.askAmount': '50', 'top-up.chooseProduct': choice('classic') },
      };
    },
  },
  payout: {
    ...{ call: 'agentCashIn', by: 'principal' },
    answers: (town, who) => released(town, who, () => town.somebody()),
  },
  'payout-transfer': {
    ...{ call: 'agentTransfer', by: 'principal' },
    answers: (town, who) => released(town, who, () => ribOf(town)),
  },
  'float-card': {
    ...{ call: 'loadFloatByCard', by: 'principal', answers: () => ({}) },
    link(town, who) {
      const amount = centimes(LOAD_FROM + 100 * ++loads);
      town.notes(who, String(amount));
      return town.loads(who, amount);
    },
  },
};

/** An errand of a customer, once what it needs is there. */
export async function errandOf(kind: PaymentKind, who: Msisdn, town: Town, to?: string): Promise<Errand> {
  const { answers, link } = ERRANDS[kind];
  return { kind, answers: await answers(town, who, to), ...(link && { link: await link(town, who) }) };
}

/** A reference that is asked for: a wallet's own, which is followed, or one with which the float of the principal agent is paid in. */
export type ReferenceKind = CashKind | 'principal-float';

/**
 * A reference of so many dirhams. An open one is shown again. After a lost number the customer asks for another one.
 * @param way where a deposit is paid in. Absent: at an agent
 */
export function referenceErrand(
  kind: ReferenceKind,
  { way = 'agents', amount = '40' }: { readonly way?: CashInWay | undefined; readonly amount?: string } = {},
): Errand<ReferenceKind> {
  if (kind === 'principal-float') {
    const there = { 'menu.choose': choice('principal'), 'principal.choose': choice('principal-float') };
    // A float that comes late names its time.
    return { kind, answers: { ...there, shown: choice('load'), shownAt: choice('load'), askAmount: amount } };
  }
  const asked = { askAmount: amount, askAmountWithin: amount, chooseWay: choice(way) };
  const again = { alike: choice('again'), askPinAgain: 'pin', lost: choice('another') };
  return { kind, answers: { 'menu.choose': choice('cash'), ...asked, ...again } };
}

/** A transfer of 100 dirhams. */
export function transferTo(to: string): Errand {
  return { kind: 'transfer', answers: { askRecipient: to, askAmount: '100' } };
}

/** School fees: a contract that does something special has other bills for each pupil, so that it can be paid again. */
export function schoolErrand(contract: string, pupil: string): Errand {
  return {
    kind: 'bill-payment',
    answers: {
      chooseCreditor: choice('1401'),
      "Code de l'élève": contract,
      "Nom de l'élève": pupil,
      offer: choice('skip'),
      ...ALL_BILLS,
    },
  };
}

/** A merchant's link for a payment by card. */
export function linkErrand(way: 'collect' | 'reserve'): Errand {
  const answers = { ...CARD_PAYMENTS('card-payment'), askAmount: '80', chooseWay: choice(way) };
  return { kind: 'card-payment', answers };
}

/** The deed on a screen: a text, a choice, a PIN or a card. Undefined: nothing is due. */
export type Deed = Answer | 'pin' | 'card';
/** Some kinds of payment stand under another entry of the menu. */
const BEGINS_AT: Readonly<Record<string, string>> = {
  'merchant-payment': 'transfer',
  'bank-transfer': 'transfer',
  voucher: 'shopping',
  'card-cash-in': 'cash',
  'card-payment': 'card-payments',
  'card-capture': 'card-payments',
  'card-reverse': 'card-payments',
  'card-refund': 'card-payments',
  'b2b-top-up': 'principal',
  payout: 'principal',
  'payout-transfer': 'principal',
};

/** The customer's deed on a screen. Undefined: there is nothing to do but wait. */
export function deedOn(
  { kind, answers }: Errand<string>,
  { key, values, expects }: Screen,
): Deed | undefined {
  const [conversation, name = ''] = key.split('.');
  // An offer to go on names the question that was broken off, and asks another one.
  const asks = name === 'resume' ? undefined : values?.label;
  const label = asks && 'text' in asks ? asks.text : name;
  const planned = answers[key] ?? (conversation === kind ? (answers[label] ?? answers[name]) : undefined);
  if (planned !== undefined) return planned;
  if (/^askPin(?:OpenLoop|All|AllFree|AddedFree|Gift)?$/.test(name) && conversation === kind) return 'pin';
  if (key === 'pay.askNew') return 'pin';
  if (expects === 'card') return 'card';
  switch (key) {
    case 'language.choose':
      return choice('en');
    case 'menu.choose':
    case 'menu.chooseAgent':
      return choice(BEGINS_AT[kind] ?? kind);
    case 'cash.choose':
    case 'shopping.choose':
      return choice(kind);
    case 'transfer.askRecipient':
      return choice('merchant');
    case 'pay.unavailable':
    case 'problem.unavailable':
      return choice('again');
    case `${kind}.confirm`:
      return choice('confirm');
    default:
      return undefined;
  }
}

/** Somebody confirms a payment by card on their bank's page. */
export async function confirmsAtBank(link: string, fetched: typeof fetch = fetch): Promise<void> {
  const body = new URLSearchParams({ answer: 'confirm', code: THREE_DS_CODE });
  await fetched(link, { method: 'POST', body, redirect: 'manual' });
}

/** An account that nobody was paid to before. */
function ribOf(town: Town): string {
  return ribWith('007780', Number(town.somebody().slice(-9)));
}

/** A file of payouts that somebody has given, and that waits to be released. */
async function released(town: Town, who: Msisdn, payee: () => string): Promise<Errand['answers']> {
  const payees = Array.from({ length: LINES }, payee);
  for (const each of payees) town.notes(who, each);
  const id = await town.gives(payees.map((to, i) => `${to};Salma Idrissi;${100 + i};salaire`).join('\n'));
  const release = { 'payouts.shown-ready': choice('release'), 'payouts.shown-stopped': choice('release') };
  const pin = { 'payouts.askPin': 'pin', 'payouts.askPinGoOn': 'pin' };
  return { 'principal.choose': choice('payouts'), 'payouts.list': choice(id), ...release, ...pin };
}

/** The file of payouts that an errand is about. */
export function fileOf({ answers }: Errand): string | undefined {
  const file = answers['payouts.list'];
  return typeof file === 'object' ? file.choice : undefined;
}

/** A reference for cash that a new customer has, of 100 dirhams. */
async function referenceIn({ api, somebody }: Town, kind: CashKind): Promise<string> {
  const order = { phone: somebody(), amount: centimes(10_000) };
  return expectOk(await (kind === 'cash-in' ? api.requestCashIn(order) : api.requestCashOut(order)))
    .reference;
}

function expectOk<T>(answer: { kind: 'ok'; value: T } | { kind: string }): T {
  if (!('value' in answer)) throw new Error(`what an errand needs is not there: ${answer.kind}`);
  return answer.value;
}
