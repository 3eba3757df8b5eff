import type { Screen, Sentence } from '../../../../machines/kit/screen.ts';
import type { Centimes } from '../../../wallet/money.ts';
import type { Conversation, Invoked } from '../../chart/machines.ts';
import type { Address } from '../../incoming.ts';
import type { Secrets } from '../../secrets.ts';
import type { Attachment } from '../../session/attachment.ts';
import type { ResumeOffer } from '../../session/resume-offer.ts';
import type { SentFile } from '../../session/sent-file.ts';
import type { Offered, Session } from '../../session/session.ts';
import type { LabelsOf } from '../read/typed-label.ts';
import type { ShownPage } from '../read/unread-pages.ts';

/** The reasons that keep the wallet's payments back. */
interface Stops {
  /** A payment of this wallet is under way, and no other one could be made now. */
  readonly busy: boolean;
  /** No payment could be sent now, of any wallet: too few replicas of the store. */
  readonly cannotSend: boolean;
  /** Every payment of the wallet through Wasl is stopped. */
  readonly isFrozen: boolean;
  /** The amount above which payments from here wait, for the customer's safety, and until when. Undefined where none does. */
  readonly atMost: () =>
    | { readonly above?: Centimes; readonly until?: number; readonly code?: string }
    | undefined;
}

/** The environment of a step. `read` runs a read effect, or gives undefined for any other kind. */
export interface StepEnv extends Stops {
  readonly address: Address;
  readonly now: number;
  readonly secrets: Secrets;
  readonly labelsOf: LabelsOf;
  /** There are support agents. */
  readonly advisers: boolean;
  /** The customer has asked for one already, and the request is open: its case. */
  readonly openCase: string | undefined;
  /** Machines that the operator has not turned on. */
  readonly without: readonly string[];
  /** There is a page on which a customer's identity can be checked. */
  readonly identifies: boolean;
  /** The answer before this one was given where a PIN is asked for. */
  readonly afterPin?: true;
  /** The input is in a longer dial: further ones follow it, or it is the last. */
  readonly inDial?: 'followed' | 'last';
  /** The page of a handset that a word is typed on. */
  readonly onPage?: ShownPage | undefined;
  /** A screen as it is read now (`open-first.ts`): a label that is typed is one of it. */
  readonly wordsNow: (screen: Screen) => Screen;
  /** The release on whose charts conversations begin. */
  readonly begins: string;
  /** The wallet is a merchant's, as far as that is known by now. */
  readonly isMerchant: () => boolean;
  /** The code of the agent that its customer is, as far as that is known by now. */
  readonly agent: () => string | undefined;
  /** The code of the principal agent that its number acts for. */
  readonly principal: () => string | undefined;
  /** The file that the input has brought for the person who talks to the customer, or why there is none. */
  readonly attachment: Attachment | undefined;
  /** The payment of this conversation was made at another address meanwhile. */
  readonly isMade: (conversation: Conversation) => boolean;
  /** The request that the customer has broken off at another address of theirs; `only` this. */
  readonly findResumeOffer: (only?: Offered) => Promise<ResumeOffer | undefined>;
  readonly read: (session: Session, invoked: Invoked) => Promise<{ output: unknown } | undefined>;
}

/** The result of a step. Nothing is written yet. */
export interface Thought {
  readonly session: Session;
  /** A guarded or money call that the conversation waits for. */
  readonly call?: Invoked;
  /** Said above the screen once, and not kept. */
  readonly notice?: Sentence;
  /** True when the input meant something here. */
  readonly isUnderstood: boolean;
  /** The page was turned, and nothing else has changed. */
  readonly turned?: true;
  /** It goes on here, and is not there any more. */
  readonly taken?: ResumeOffer;
  /** It was said to a person: the bot has nothing to answer. */
  readonly toPerson?: true;
  /** It was written for a person who is not there yet, and the bot answers. */
  readonly leavesWords?: true;
  /** The file that was given to that person. */
  readonly file?: SentFile;
}
