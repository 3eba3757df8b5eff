import type account from '../../locales/fr/account.json';
import type agent from '../../locales/fr/agent.json';
import type agentAccount from '../../locales/fr/agent-account.json';
import type agentCashIn from '../../locales/fr/agent-cash-in.json';
import type agentCashOut from '../../locales/fr/agent-cash-out.json';
import type agentCheck from '../../locales/fr/agent-check.json';
import type agentDay from '../../locales/fr/agent-day.json';
import type agentRecord from '../../locales/fr/agent-record.json';
import type amount from '../../locales/fr/amount.json';
import type b2bTopUp from '../../locales/fr/b2b-top-up.json';
import type balance from '../../locales/fr/balance.json';
import type bankTransfer from '../../locales/fr/bank-transfer.json';
import type beneficiaries from '../../locales/fr/beneficiaries.json';
import type billPayment from '../../locales/fr/bill-payment.json';
import type cardCapture from '../../locales/fr/card-capture.json';
import type cardCashIn from '../../locales/fr/card-cash-in.json';
import type cardOrder from '../../locales/fr/card-order.json';
import type cardPayment from '../../locales/fr/card-payment.json';
import type cardPayments from '../../locales/fr/card-payments.json';
import type cardRefund from '../../locales/fr/card-refund.json';
import type cardReverse from '../../locales/fr/card-reverse.json';
import type cards from '../../locales/fr/cards.json';
import type cash from '../../locales/fr/cash.json';
import type cashIn from '../../locales/fr/cash-in.json';
import type cashOut from '../../locales/fr/cash-out.json';
import type closing from '../../locales/fr/closing.json';
import type consent from '../../locales/fr/consent.json';
import type documents from '../../locales/fr/documents.json';
import type floatCard from '../../locales/fr/float-card.json';
import type freeze from '../../locales/fr/freeze.json';
import type help from '../../locales/fr/help.json';
import type language from '../../locales/fr/language.json';
import type linkChat from '../../locales/fr/link-chat.json';
import type linking from '../../locales/fr/linking.json';
import type lostCard from '../../locales/fr/lost-card.json';
import type menu from '../../locales/fr/menu.json';
import type merchantPayment from '../../locales/fr/merchant-payment.json';
import type merchantRefund from '../../locales/fr/merchant-refund.json';
import type mobile from '../../locales/fr/mobile.json';
import type nav from '../../locales/fr/nav.json';
import type onboarding from '../../locales/fr/onboarding.json';
import type pay from '../../locales/fr/pay.json';
import type payment from '../../locales/fr/payment.json';
import type payout from '../../locales/fr/payout.json';
import type payoutTransfer from '../../locales/fr/payout-transfer.json';
import type payouts from '../../locales/fr/payouts.json';
import type pin from '../../locales/fr/pin.json';
import type pinChange from '../../locales/fr/pin-change.json';
import type pinReset from '../../locales/fr/pin-reset.json';
import type principal from '../../locales/fr/principal.json';
import type principalAgents from '../../locales/fr/principal-agents.json';
import type principalFloat from '../../locales/fr/principal-float.json';
import type problem from '../../locales/fr/problem.json';
import type profile from '../../locales/fr/profile.json';
import type rating from '../../locales/fr/rating.json';
import type receivePayment from '../../locales/fr/receive-payment.json';
import type received from '../../locales/fr/received.json';
import type references from '../../locales/fr/references.json';
import type resume from '../../locales/fr/resume.json';
import type sales from '../../locales/fr/sales.json';
import type savedCards from '../../locales/fr/saved-cards.json';
import type services from '../../locales/fr/services.json';
import type shopping from '../../locales/fr/shopping.json';
import type statement from '../../locales/fr/statement.json';
import type support from '../../locales/fr/support.json';
import type takings from '../../locales/fr/takings.json';
import type telegram from '../../locales/fr/telegram.json';
import type topUp from '../../locales/fr/top-up.json';
import type transfer from '../../locales/fr/transfer.json';
import type unlink from '../../locales/fr/unlink.json';
import type unlocking from '../../locales/fr/unlocking.json';
import type upgrade from '../../locales/fr/upgrade.json';
import type ussd from '../../locales/fr/ussd.json';
import type voucher from '../../locales/fr/voucher.json';
import type voucherCodes from '../../locales/fr/voucher-codes.json';
import type web from '../../locales/fr/web.json';

/** The files that a customer's conversation speaks from. Not those of the console, the simulator, the form and the pages of 3D Secure and identity checks. */
interface Files {
  readonly account: typeof account;
  readonly agent: typeof agent;
  readonly 'agent-account': typeof agentAccount;
  readonly 'agent-cash-in': typeof agentCashIn;
  readonly 'agent-cash-out': typeof agentCashOut;
  readonly 'agent-check': typeof agentCheck;
  readonly 'agent-day': typeof agentDay;
  readonly 'agent-record': typeof agentRecord;
  readonly amount: typeof amount;
  readonly 'b2b-top-up': typeof b2bTopUp;
  readonly balance: typeof balance;
  readonly 'bank-transfer': typeof bankTransfer;
  readonly beneficiaries: typeof beneficiaries;
  readonly 'bill-payment': typeof billPayment;
  readonly 'card-cash-in': typeof cardCashIn;
  readonly 'card-capture': typeof cardCapture;
  readonly 'card-payment': typeof cardPayment;
  readonly 'card-payments': typeof cardPayments;
  readonly 'float-card': typeof floatCard;
  readonly 'card-refund': typeof cardRefund;
  readonly 'card-reverse': typeof cardReverse;
  readonly 'card-order': typeof cardOrder;
  readonly cards: typeof cards;
  readonly cash: typeof cash;
  readonly 'cash-in': typeof cashIn;
  readonly 'cash-out': typeof cashOut;
  readonly closing: typeof closing;
  readonly consent: typeof consent;
  readonly documents: typeof documents;
  readonly freeze: typeof freeze;
  readonly help: typeof help;
  readonly language: typeof language;
  readonly 'link-chat': typeof linkChat;
  readonly linking: typeof linking;
  readonly 'lost-card': typeof lostCard;
  readonly menu: typeof menu;
  readonly 'merchant-payment': typeof merchantPayment;
  readonly 'merchant-refund': typeof merchantRefund;
  readonly mobile: typeof mobile;
  readonly nav: typeof nav;
  readonly onboarding: typeof onboarding;
  readonly pay: typeof pay;
  readonly 'pin-change': typeof pinChange;
  readonly 'pin-reset': typeof pinReset;
  readonly payouts: typeof payouts;
  readonly payout: typeof payout;
  readonly 'payout-transfer': typeof payoutTransfer;
  readonly pin: typeof pin;
  readonly principal: typeof principal;
  readonly 'principal-agents': typeof principalAgents;
  readonly 'principal-float': typeof principalFloat;
  readonly problem: typeof problem;
  readonly profile: typeof profile;
  readonly 'receive-payment': typeof receivePayment;
  readonly rating: typeof rating;
  readonly received: typeof received;
  readonly references: typeof references;
  readonly resume: typeof resume;
  readonly 'saved-cards': typeof savedCards;
  readonly sales: typeof sales;
  readonly services: typeof services;
  readonly shopping: typeof shopping;
  readonly statement: typeof statement;
  readonly support: typeof support;
  readonly takings: typeof takings;
  readonly telegram: typeof telegram;
  readonly 'top-up': typeof topUp;
  readonly transfer: typeof transfer;
  readonly unlink: typeof unlink;
  readonly unlocking: typeof unlocking;
  readonly upgrade: typeof upgrade;
  readonly ussd: typeof ussd;
  readonly voucher: typeof voucher;
  readonly 'voucher-codes': typeof voucherCodes;
  readonly web: typeof web;
}
export type LocaleFile = keyof Files;

/**
 * A name as a file writes it, without the medium (`_ussd`, `_sms`, `_brief`) and the plural form that i18next chooses by, and without
 * what says that it does without the operator's facts (`_unset`, `src/screen/operator-facts.ts`).
 */
export type BaseName<Name> = Name extends `${infer Stem}_${Variant}` ? BaseName<Stem> : Name;
type Variant = 'ussd' | 'sms' | 'brief' | 'zero' | 'one' | 'two' | 'few' | 'many' | 'other' | 'unset';

/** What the file of a way to pay says of its noun, and nobody says to a customer (`src/screen/shared-sentences.ts`). */
type OfNoun = 'brief' | 'gender';
/** A way to pay has `called` in its file, and the sentences that all ways to pay share. */
type Shared<Page extends LocaleFile> = 'called' extends keyof Files[Page] ? keyof typeof payment : never;

/** The names of the sentences in one file. */
export type NameIn<Page extends LocaleFile> = BaseName<Exclude<keyof Files[Page], OfNoun> | Shared<Page>> &
  string;

/** The files that have a sentence of this name. */
export type FilesWith<Name extends string> = {
  [Page in LocaleFile]: Name extends NameIn<Page> ? Page : never;
}[LocaleFile];

/** Every sentence that a customer can be told, `<file>.<name>`: what `Sentence.key` may be. French has them all. */
export type SentenceKey = { [Page in LocaleFile]: `${Page}.${NameIn<Page>}` }[LocaleFile];
