import type { BillAnswer, BillPaymentOrder } from '../../src/payments/bill-payment.ts';
import type { Quote } from '../../src/payments/quote.ts';
import type { Unpaid } from '../../src/wallet/services.ts';
import type { Customer, World } from '../kit/world.ts';

/** A contract with four water bills, and one with a single one. */
export const SEVERAL = '4711001';
export const SINGLE = '4711002';

/** On pages the screen of the PIN is the first that names all bills. */
export const isOnPages = ({ address }: Customer) => address.startsWith('ussd');

export type Path = (customer: Customer) => unknown;

/** Creditors of the sandbox, by what their forms ask. */
export const CREDITORS = {
  /** A label, a contract number, and a second number that may stay away. */
  redal: '1002',
  /** Two things to pay, each by contract number alone. */
  amendis: '1003',
  /** Sells electricity by contract number, and water. */
  onee: '1004',
  /** Three things to pay, by phone number. */
  telecom: '1101',
  /** A label, a number, a choice, and a number of one or two digits. */
  vignette: '1201',
  /** Has two things to pay. Its receipts carry the own number of the tax office. */
  taxes: '1202',
  /** A number and a password. */
  cnss: '1301',
  /** Asks for letters and digits, for letters, and for an optional date. Has twelve bills and a mandatory item. */
  school: '1401',
  /** A number, and a password that may stay away. */
  insurer: '1501',
  /** Two numbers that may be 0. */
  syndic: '1601',
  /** Listed, and closed. */
  closed: '1901',
} as const;

/** From the menu to the first question of a creditor with one thing to pay. */
export const goesTo =
  (creditor: string): Path =>
  (customer) =>
    customer.chooses('bill-payment').sees('bill-payment.chooseCreditor').chooses(creditor);

/** From the menu to the water bills of a contract: one question, no fees. */
export const findsWater =
  (contract: string): Path =>
  (customer) =>
    customer
      .walks(goesTo(CREDITORS.amendis))
      .sees('bill-payment.chooseReceivable')
      .chooses('01')
      .sees('bill-payment.ask', { label: 'Numéro de contrat' })
      .says(contract);

/** From the menu to the PIN for all water bills of a contract. */
export const ordersWater =
  (contract: string): Path =>
  (customer) =>
    isOnPages(customer)
      ? customer.walks(findsWater(contract)).sees('bill-payment.askPinAllFree')
      : customer
          .walks(findsWater(contract))
          .sees('bill-payment.reviewFor')
          .chooses('all')
          .sees('bill-payment.askPin');

/** From the menu to the bills of somebody with a password. */
export const findsContributions =
  (affiliation: string, password: string): Path =>
  (customer) =>
    customer
      .walks(goesTo(CREDITORS.cnss))
      .sees('bill-payment.ask', { label: "Numéro d'affiliation" })
      .says(affiliation)
      .sees('bill-payment.ask', { label: "Code d'accès" })
      .says(password);

interface Known {
  readonly order: BillPaymentOrder;
  readonly unpaid: Unpaid;
  readonly quote: Quote;
  readonly answers: readonly BillAnswer[];
}

/** The known facts of the conversation at this point. */
export async function known(world: World, customer: Customer): Promise<Known> {
  const { conversation } = await world.session(customer);
  return conversation?.context as unknown as Known;
}
