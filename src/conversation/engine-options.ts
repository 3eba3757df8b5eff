import type { Failures } from '../log/lines.ts';
import type { Store } from '../store/store.ts';
import { DOC_TYPES, type DocTypeName } from '../wallet/contract/kyc.ts';
import type { Wallet } from '../wallet/wallet.ts';
import type { Budgets } from './budgets.ts';
import type { CaseSettings } from './cases/cases.ts';
import type { Fleet } from './chart/fleet.ts';
import type { SendCode } from './effects/effect.ts';
import type { ChatAt, Deliver, Language } from './incoming.ts';
import type { Archive } from './intents/archive.ts';
import type { Intent } from './intents/intent.ts';
import { CASH_DEFAULTS, type CashSettings } from './references/cash-settings.ts';
import type { Secrets } from './secrets.ts';
import { SAFETY_DEFAULTS, type SafetySettings } from './session/safety.ts';
import type { TurnDeps } from './turn/turn-deps.ts';
import type { LabelsOf } from './turn/typed-label.ts';
import type { PagesOf } from './turn/unread-pages.ts';

/** What the engine is made of. */
export interface EngineOptions {
  readonly store: Store;
  /** Where payments and turns are that the store does not keep any more. Absent: nothing leaves it. */
  readonly archive?: Archive;
  /** What support agents read with: a connection of its own, so that their pages hold up no turn. Absent: `store`. */
  readonly deskStore?: Store;
  readonly api: Wallet;
  /** The same wallet over connections of its own, for what no customer waits for; absent: `api`. */
  readonly backgroundApi?: Wallet;
  readonly secrets: Secrets;
  /** What strangers may cost; absent: `BUDGETS`, without an alarm. */
  readonly budgets?: Budgets;
  readonly sendCode: SendCode;
  /** Where the page of identification is (`src/channels/identity`); absent: there is none. */
  readonly identityPage?: () => string | undefined;
  readonly deliver: Deliver;
  /** The operator's names of banks, by the first three digits of a RIB; absent: none is named. */
  readonly banks?: Readonly<Record<string, string>>;
  /** The operator's numbers of a merchant's documents; absent: the sandbox's. */
  readonly docTypes?: Readonly<Record<DocTypeName, number>>;
  /** Absent: no channel shows messages in a chat of its own. */
  readonly chatAt?: ChatAt;
  /** Where browsers of customers find the form, `https://…/form`. Absent: they cannot reach us. */
  readonly formAt?: string | undefined;
  /** Machines that the operator has not turned on. */
  readonly without?: readonly string[];
  /** No SMS can be sent. Absent: some can. */
  readonly noSms?: boolean;
  /** Support agents can be asked for: there is a console. */
  readonly advisers?: boolean;
  /** What the operator says about cases; absent: `CASE_DEFAULTS`. */
  readonly cases?: CaseSettings;
  /** How long an open page waits for what became of a payment, in ms; absent: not at all. */
  readonly outcomeWaitMs?: number;
  /** What the buttons of a screen are called, in every language; absent: nobody can type them. */
  readonly labelsOf?: LabelsOf;
  /** How many pages a reply has where pages are shown; absent: one. */
  readonly pagesOf?: PagesOf;
  /** Spoken to a customer who has chosen no language. */
  readonly language?: Language;
  /** How cash is paid in and out; absent: `CASH_DEFAULTS`. */
  readonly cash?: CashSettings;
  /** What is asked about once more, and what waits; absent: `SAFETY_DEFAULTS`. */
  readonly safety?: SafetySettings;
  /** True when no other process can be running (embedded store). */
  readonly alone: boolean;
  /** The other processes on this store. Absent: there are none of another release. */
  readonly fleet?: Pick<Fleet, 'begins' | 'isKnownElsewhere'>;
  /** Turns under way at once; absent: `TURNS_UNDER_WAY_MAX`. */
  readonly turnsMax?: number;
  readonly now?: () => number;
  /** How far the wallet's clock is ahead of `now`, in ms; absent: not at all. */
  readonly skewMs?: () => number;
  /** Called with bugs and with what went wrong behind a customer's back; never with a secret. */
  readonly onError?: Failures['onError'];
  /** Called when only a person can find out how a payment ended. */
  readonly alert?: (intent: Intent) => void;
  /** Called with an answer of the wallet that the store did not take in time: sealed. */
  readonly answerLost?: TurnDeps['answerLost'];
}

/** What the operator has said of how customers are served, and what holds where nothing was said. */
export function servedBy(options: EngineOptions) {
  const { advisers = false, formAt, without, identityPage, cash, safety, banks, outcomeWaitMs } = options;
  const { docTypes = DOC_TYPES } = options;
  return {
    advisers,
    labelsOf: options.labelsOf ?? (() => []),
    pagesOf: options.pagesOf ?? (() => ({ pages: 1, choices: 0 })),
    formAt,
    without: without ?? [],
    noSms: options.noSms ?? false,
    identityPage: identityPage ?? (() => undefined),
    cash: cash ?? CASH_DEFAULTS,
    safety: safety ?? SAFETY_DEFAULTS,
    banks: banks ?? {},
    docTypes,
    outcomeWaitMs: outcomeWaitMs ?? 0,
    skewMs: options.skewMs ?? (() => 0),
  };
}
