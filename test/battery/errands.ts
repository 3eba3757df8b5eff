import { randomUUID } from 'node:crypto';
import type { Screen } from '../../machines/kit/screen.ts';
import type { TypedCard } from '../../src/payments/payment.ts';
import type { PaymentKind } from '../../src/payments/payments.ts';
import { THREE_DS_CODE } from '../../src/sandbox/cards/test-cards.ts';
import { ribWith } from '../../src/sandbox/transfers/rib.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type { CashKind } from '../../src/wallet/services.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';

/** Asked for by the form of a bill; found nowhere else. */
export const BILL_PASSWORD = '90817263';
/** A card that is accepted. */
export const CARD = {
  ...{ pan: '4242424242424242', expiry: '3008', cvv: '737', firstName: 'Fatima', lastName: 'Alaoui' },
  keep: false,
} as const satisfies TypedCard;

/** What is typed on a screen, or what is chosen there. */
type Answer = string | { readonly choice: string };

/** What a customer wants to be done, and the answer to each screen up to the confirmation. */
export interface Errand {
  readonly kind: PlayedKind;
  /** By the screen's key, by its name in the conversation, or by the label of a form's field. */
  readonly answers: Readonly<Record<string, Answer>>;
}

/** The wallet in which an errand is run, reached without Wasl. */
export interface Town {
  readonly api: Wallet;
  /** A new customer of the wallet, with money; `C`: a merchant. */
  somebody(walletType?: 'P' | 'C'): Msisdn;
  /** Lets operations settle. */
  settles(): Promise<void>;
}

/** One way to pay as the battery plays it. */
interface Errands {
  /** The call that makes the payment. */
  readonly call: keyof Wallet;
  /** Who makes it, where that is no consumer. */
  readonly by?: 'merchant' | 'agent';
  /** What somebody has paid the merchant by card before, through Wasl. */
  readonly after?: 'collect' | 'reserve';
  /** What must be there before, and what is answered then. @param to another one than somebody new */
  answers(town: Town, who: Msisdn, to?: string): Promise<Errand['answers']> | Errand['answers'];
}

const choice = (id: string) => ({ choice: id });
const CARD_PAYMENTS = (id: string) => ({ 'card-payments.choose': choice(id) });

/**
 * Those of a principal agent, whose conversations are in chats only: nobody plays them here yet. What a process that is killed leaves of a file
 * of payouts is played in `test/conversation/payouts`.
 */
export const NOT_PLAYED = [
  'b2b-top-up',
  'payout',
  'payout-transfer',
  'float-card',
] as const satisfies readonly PaymentKind[];
export type PlayedKind = Exclude<PaymentKind, (typeof NOT_PLAYED)[number]>;

/** Every kind of payment: one that is missing here is played by nobody, and does not compile. */
export const ERRANDS: Readonly<Record<PlayedKind, Errands>> = {
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
      reviewFor: choice('all'),
    }),
  },
  voucher: {
    call: 'buyVoucher',
    answers: (town) => ({
      chooseBrand: choice('1'),
      chooseArticle: choice('article0'),
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
    answers: (town, _who, to = ribWith('007780', Number(town.somebody().slice(-9)))) => ({
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
  'card-cash-in': { call: 'cashInByCard', answers: () => ({ askAmount: '100' }) },
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
};

export const PLAYED_KINDS = Object.keys(ERRANDS) as PlayedKind[];

/** An errand of a customer, once what it needs is there. */
export async function errandOf(kind: PlayedKind, who: Msisdn, town: Town, to?: string): Promise<Errand> {
  return { kind, answers: await ERRANDS[kind].answers(town, who, to) };
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
      reviewFor: choice('all'),
    },
  };
}

/** A merchant's link for a payment by card. */
export function linkErrand(way: 'collect' | 'reserve'): Errand {
  const answers = { ...CARD_PAYMENTS('card-payment'), askAmount: '80', chooseWay: choice(way) };
  return { kind: 'card-payment', answers };
}

/** What is done on a screen: something is typed or chosen, a PIN or a card is given; undefined where nothing of it is due. */
export type Deed = Answer | 'pin' | 'card';
/** Who is paid says what kind of payment it is; some stand under another entry. */
const BEGINS_AT: Readonly<Partial<Record<PlayedKind, string>>> = {
  'merchant-payment': 'transfer',
  'bank-transfer': 'transfer',
  voucher: 'shopping',
  'card-cash-in': 'cash',
  'card-payment': 'card-payments',
  'card-capture': 'card-payments',
  'card-reverse': 'card-payments',
  'card-refund': 'card-payments',
};

/** What who is on an errand does on a screen; undefined where there is nothing to do but wait. */
export function deedOn({ kind, answers }: Errand, { key, values, expects }: Screen): Deed | undefined {
  const [conversation, name = ''] = key.split('.');
  const label = values?.label && 'text' in values.label ? values.label.text : name;
  const planned = answers[key] ?? (conversation === kind ? (answers[label] ?? answers[name]) : undefined);
  if (planned !== undefined) return planned;
  if (key === `${kind}.askPin` || key === `${kind}.askPinOpenLoop`) return 'pin';
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
      return choice('again');
    case `${kind}.confirm`:
    case 'pay.askNew':
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
