import type { Sealed } from '../../machines/kit/secret.ts';
import type { Failures } from '../log/lines.ts';
import type { Store } from '../store/store.ts';
import type { Msisdn } from '../wallet/phone.ts';
import type { Wallet } from '../wallet/wallet.ts';
import type { Background } from './background.ts';
import type { Budgets } from './budgets.ts';
import type { SendCode } from './effects/effect.ts';
import type { Address, ChatAt, Topic } from './incoming.ts';
import type { Claimed } from './intents/restore.ts';
import type { TakenTurn } from './record/turn-event.ts';
import type { Secrets } from './secrets.ts';
import type { Served } from './served.ts';
import type { OpenPayment } from './session/book.ts';
import type { LoadedSession, Sessions } from './session/sessions.ts';

/** The dependencies of the steps of a turn. The engine makes them once for its process. */
export interface TurnDeps {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly api: Wallet;
  readonly secrets: Secrets;
  readonly budgets: Budgets;
  readonly sendCode: SendCode;
  readonly chatAt: ChatAt;
  readonly served: Served;
  /** True where the operator pays an SMS for such a message. */
  readonly pays: (topic: Topic) => boolean;
  /** Looks up the open references of a customer who comes. Gives whether there were any, and never rejects. */
  readonly lookAtVisit: (loaded: LoadedSession) => Promise<boolean>;
  readonly now: () => number;
  /** How far the wallet's clock is ahead of it, in ms. */
  readonly skewMs: () => number;
  readonly process: {
    /** Its name, new at every start. */
    readonly by: string;
    /** True when no other one can be running (embedded store): what another one left behind is lost at once. */
    readonly alone: boolean;
    /** The release on whose charts conversations begin now (`fleet.ts`). */
    readonly begins: () => string;
  };
  readonly onError: Failures['onError'];
  readonly background: Background;
  /**
   * Adds an answer that came too late for its conversation to what is known of its payment. `claimed`: the documents as its
   * claim had left them, which the store may have lost.
   */
  readonly answeredLate: (ref: string, output: unknown, claimed: Claimed) => Promise<void>;
  /** Tells those who listen of a turn that the store has taken: who else reads of an outcome. Never throws. */
  readonly took: (turn: TakenTurn) => void;
  /** Called with an answer that could not be written down in time: sealed, for `open-answer` of the support command. */
  readonly answerLost: (lost: { readonly ref: string; readonly sealed: Sealed }) => void;
  /** Payments that this process has begun to send, without a stored answer, by intent: known even while the store is down. */
  readonly sending: Map<string, SendingPayment>;
  /** Aborted when the process ends: what the store does not take then is given up. */
  readonly stopping: AbortSignal;
}

/** A payment whose call is running in this process. */
export interface SendingPayment extends OpenPayment {
  readonly address: Address;
  readonly wallet: Msisdn | undefined;
}
