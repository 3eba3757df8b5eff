import type { Sealed } from '../../../machines/kit/secret.ts';
import type { Failures } from '../../log/lines.ts';
import type { Store } from '../../store/store.ts';
import type { DocTypeName } from '../../wallet/contract/kyc.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import type { Background } from '../background.ts';
import type { Budgets } from '../budgets.ts';
import type { EffectEnv, SendCode } from '../effects/effect.ts';
import type { Address, ChatAt } from '../incoming.ts';
import type { Claimed } from '../intents/restore.ts';
import type { TakenTurn } from '../record/turn-event.ts';
import type { CashSettings } from '../references/cash-settings.ts';
import type { Secrets } from '../secrets.ts';
import type { OpenPayment } from '../session/book.ts';
import type { SafetySettings } from '../session/safety.ts';
import type { Loaded, Sessions } from '../session/sessions.ts';
import type { LabelsOf } from './typed-label.ts';
import type { PagesOf } from './unread-pages.ts';

/** What the steps of a turn work with. The engine makes it once for its process. */
export interface TurnDeps {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly api: Wallet;
  readonly secrets: Secrets;
  readonly budgets: Budgets;
  readonly sendCode: SendCode;
  readonly chatAt: ChatAt;
  /** Where browsers of customers find the form, `https://…/form`; undefined where they cannot reach us. */
  readonly formAt: string | undefined;
  /** No SMS can be sent: what is opened by a link in one is not offered there. */
  readonly noSms: boolean;
  /** Machines that the operator has not turned on: no menu offers them. */
  readonly without: readonly string[];
  /** Where the page of identification is; undefined where there is none. */
  readonly identityPage: () => string | undefined;
  readonly cash: CashSettings;
  readonly safety: SafetySettings;
  /** The customer is here: what of theirs is followed is looked at. Gives whether there was anything; never rejects. */
  readonly visited: (loaded: Loaded) => Promise<boolean>;
  /** The operator's names of banks, by the first three digits of a RIB. */
  readonly banks: Readonly<Record<string, string>>;
  /** The operator's numbers of a merchant's documents. */
  readonly docTypes: Readonly<Record<DocTypeName, number>>;
  /** How long an open page waits for what became of a payment, in ms; 0: not at all. */
  readonly outcomeWaitMs: number;
  /** Customers can ask for a support agent. */
  readonly advisers: boolean;
  /** What buttons are called. */
  readonly labelsOf: LabelsOf;
  /** What a page of a reply shows. */
  readonly pagesOf: PagesOf;
  /** What agents have to do, as far as effects ask for it. */
  readonly cases: EffectEnv['cases'];
  readonly now: () => number;
  /** How far the wallet's clock is ahead of it, in ms. */
  readonly skewMs: () => number;
  /** The release on whose charts conversations begin now (`fleet.ts`). */
  readonly begins: () => string;
  /** The name of this process, new at every start. */
  readonly by: string;
  /** True when no other process can be running (embedded store): what another one left behind is lost at once. */
  readonly alone: boolean;
  readonly onError: Failures['onError'];
  readonly background: Background;
  /**
   * Adds an answer that came too late for its conversation to what is known of its payment. `claimed`: the documents as its
   * claim had left them, which the store may have lost.
   */
  readonly answeredLate: (ref: string, output: unknown, claimed: Claimed) => Promise<void>;
  /** Tells those who listen of a turn that the store has taken: cases, and who else reads of an outcome. Never throws. */
  readonly took: (turn: TakenTurn) => void;
  /** Called with an answer that could not be written down in time: sealed, for `open-answer` of the support command. */
  readonly answerLost: (lost: { readonly ref: string; readonly sealed: Sealed }) => void;
  /** What this process has begun to send and has no stored answer of, by intent: known even while the store is down. */
  readonly sending: Map<string, SendingPayment>;
  /** Aborted when the process ends: what the store does not take then is given up. */
  readonly stopping: AbortSignal;
}

/** A payment whose call is running in this process. */
export interface SendingPayment extends OpenPayment {
  readonly address: Address;
  readonly wallet: Msisdn | undefined;
}
