import type { Screen } from '../../machines/kit/screen.ts';
import { DOC_TYPES, type DocTypeName } from '../wallet/contract/kyc.ts';
import type { WalletFile } from '../wallet/services.ts';
import { CASE_DEFAULTS, type CaseSettings } from './cases/changes.ts';
import type { Language, Topic } from './incoming.ts';
import { CASH_DEFAULTS, type CashSettings } from './references/cash-settings.ts';
import { SAFETY_DEFAULTS, type SafetySettings } from './session/safety.ts';
import type { LabelsOf } from './turn/read/typed-label.ts';
import type { PagesOf } from './turn/read/unread-pages.ts';

/** Draws a receipt as a file. Undefined where the screen is none. */
export type DrawReceipt = (screen: Screen, language: Language) => Promise<WalletFile | undefined>;

/** The operator's settings on how customers are served, and how screens come out. */
export interface Served {
  /** The language for a customer who has chosen none. */
  readonly language: Language | undefined;
  /** Machines that the operator has not turned on: no menu offers them. */
  readonly without: readonly string[];
  /** Customers can ask for a support agent: there is a console. */
  readonly advisers: boolean;
  readonly cases: CaseSettings;
  /** No SMS can be sent, so nothing that needs a link by SMS is offered there. */
  readonly noSms: boolean;
  readonly smsFor: readonly Topic[];
  /** The payments whose receipts are sent by SMS: of a channel, or of one kind there (`ussd:transfer`). */
  readonly smsReceipts: readonly string[];
  /** The address of the form for browsers of customers, `https://…/form`. Undefined where they cannot reach us. */
  readonly formAt: string | undefined;
  /** The address of the page of identification (`src/channels/identity`). Undefined where there is none. */
  readonly identityPage: () => string | undefined;
  readonly cash: CashSettings;
  /** The settings for payments that customers are asked about once more, and for those that wait. */
  readonly safety: SafetySettings;
  /** A recipient is named before the PIN, as `Youssef B.`. */
  readonly namesPayees?: boolean;
  /** The operator's names of banks, by the first three digits of a RIB. */
  readonly banks: Readonly<Record<string, string>>;
  /** The operator's numbers of a merchant's documents. */
  readonly docTypes: Readonly<Record<DocTypeName, number>>;
  /** How long an open page waits for the outcome of a payment, in ms. 0: not at all. */
  readonly outcomeWaitMs: number;
  readonly labelsOf: LabelsOf;
  readonly pagesOf: PagesOf;
  readonly drawReceipt: DrawReceipt;
}

/** The settings where the operator gives none: nobody can type labels, and each reply is one page. */
export const SERVED_DEFAULTS: Served = {
  language: undefined,
  without: [],
  advisers: false,
  cases: CASE_DEFAULTS,
  noSms: false,
  smsFor: ['outcome', 'received'],
  smsReceipts: [],
  formAt: undefined,
  identityPage: () => undefined,
  cash: CASH_DEFAULTS,
  safety: SAFETY_DEFAULTS,
  banks: {},
  docTypes: DOC_TYPES,
  outcomeWaitMs: 0,
  labelsOf: () => [],
  pagesOf: () => ({ pages: 1, choices: 0, asked: true, told: 2 }),
  drawReceipt: async () => undefined,
};
