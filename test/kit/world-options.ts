import type { BudgetsDeps } from '../../src/conversation/budgets.ts';
import type { Agent } from '../../src/conversation/desk/desk.ts';
import type { EngineOptions } from '../../src/conversation/engine-options.ts';
import type {
  Address,
  ChannelName,
  Conversations,
  Deliver,
  Language,
} from '../../src/conversation/incoming.ts';
import type { Served } from '../../src/conversation/served.ts';
import { SAFETY_DEFAULTS } from '../../src/conversation/session/safety.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import type { Renderer } from '../../src/screen/renderer.ts';
import { centimes } from '../../src/wallet/money.ts';

export const PIN = '1234';
/** A number without a wallet here: another provider pays it. */
export const RECIPIENT = '0655000000';
/** An agent at the desk. */
export const NADIA: Agent = { id: 'nadia', name: 'Nadia' };
export const OMAR: Agent = { id: 'omar', name: 'Omar' };
/** The page of identification, which links lead to. */
export const IDENTITY_PAGE = 'https://wasl.test/identity';

/** No amount is asked about, or waits: for tests of large ones that are about something else. */
export const UNGUARDED: Served['safety'] = {
  ...SAFETY_DEFAULTS,
  newRecipientFrom: centimes(Number.MAX_SAFE_INTEGER),
  unusualFrom: centimes(Number.MAX_SAFE_INTEGER),
  coolDownAbove: centimes(Number.MAX_SAFE_INTEGER),
};

export const STORES = ['sqlite', 'redis'] as const;

export interface WorldOptions {
  /** Spoken to customers who have chosen no language. */
  readonly language?: Language;
  /** A Redis of its own, a SQLite file of its own, or a Redis that is there already. */
  readonly store?: (typeof STORES)[number] | { readonly url: string; readonly replicasMin?: number };
  readonly settings?: SandboxOptions['settings'];
  /** Turns are recorded: in a SQLite file of its own, or in a PostgreSQL that is there. Absent: nothing is. */
  readonly records?: 'sqlite' | { readonly url: string };
  /** The number of turns of a partition that wait to be recorded. Absent: the usual number. */
  readonly turnsMax?: number;
  /** `down`: the provider takes none at the moment. */
  readonly sms?: boolean | 'down';
  /** The SMS provider names the SMS of a number `sms-1`, `sms-2` …, and reports on them by these names. */
  readonly smsReports?: boolean;
  /** The topics of messages that may cost an SMS. Absent: the usual ones. */
  readonly smsFor?: Served['smsFor'];
  /** The payments whose receipts are sent by SMS. */
  readonly smsReceipts?: Served['smsReceipts'];
  /** The real bot is there too, before a Bot API server of our own: how its updates come to it. */
  readonly bot?: UpdatesBy;
  /** WhatsApp is there too, before a Cloud API server of our own. */
  readonly whatsapp?: boolean;
  /** Its templates are approved. */
  readonly templates?: boolean;
  /** Machines that the operator has not turned on. */
  readonly without?: readonly string[];
  /** The form is served to anybody with a link, as no channel knows who opened it. */
  readonly form?: boolean;
  /** The address of the form for the bot's customers: https, and it ends in `/form`. Absent: they tap and type in the chat. */
  readonly formAt?: string;
  /** Delivers to the web chat, and to a channel that only the test has. */
  readonly deliver?: Deliver;
  /** Hears every text where channels write it, and every turn where they hand it over. */
  readonly ears?: Ears;
  /** The time that an open USSD page waits for an outcome. Absent: no time, so that each step is seen. */
  readonly outcomeWaitMs?: number;
  /** Other limits than those of `BUDGETS`. */
  readonly budgets?: BudgetsDeps['max'];
  /** False: there is no page on which a customer's identity can be checked. */
  readonly identityPage?: false;
  /** Other settings for cash than the defaults with both ways to pay it in. */
  readonly cash?: Served['cash'];
  /** Other limits for questions and waiting times. Absent: the defaults, but first payments are asked about from 500 DH on. */
  readonly safety?: Served['safety'];
  /** Recipients are named before the PIN. */
  readonly namesPayees?: boolean;
  /** Other time limits and office hours for cases. Absent: `CASE_DEFAULTS`. */
  readonly cases?: Served['cases'];
  /** How far the wallet's clock is ahead of Wasl's, which measures it then. Absent: they agree, and nobody measures. */
  readonly walletAheadMs?: number;
  /** The releases that other processes know. */
  readonly fleet?: EngineOptions['fleet'];
}
interface Ears {
  readonly renderer: (renderer: Renderer) => Renderer;
  readonly conversations: (engine: () => Conversations) => Conversations;
  /** The form was sent: its answer comes there, and not in the session that sent its customer to it. */
  onForm(address: Address): void;
}
export type UpdatesBy = 'webhook' | 'polling';

export interface CustomerOptions {
  readonly channel?: ChannelName;
  /** The one of the running test (`languageOfTest`), unless it matters. */
  readonly language?: Language;
  /** In dirhams. */
  readonly balance?: string;
}
