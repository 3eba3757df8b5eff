import type { HelpOffer } from '../../../../machines/kit/conversation.ts';
import type { MachineEvent } from '../../../../machines/kit/input.ts';
import type { Sentence } from '../../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../../machines/kit/sentence-key.ts';
import type { Centimes } from '../../../wallet/money.ts';
import type { Msisdn } from '../../../wallet/phone.ts';
import type { Address, Language, Navigation } from '../../incoming.ts';
import type { Secrets } from '../../secrets.ts';
import type { Shortcut } from '../../shortcuts/shortcut.ts';
import type { Several } from '../../shortcuts/understand.ts';
import type { LabelsOf } from './typed-label.ts';
import type { ShownPage } from './unread-pages.ts';

/** The meaning of an input on the screen it answers. */
export type InputMeaning =
  /** For the machine. */
  | { readonly kind: 'event'; readonly event: MachineEvent }
  | {
      readonly kind: 'went';
      readonly to: Navigation;
      readonly typed?: string;
      readonly why?: HelpOffer['why'];
      readonly about?: Shortcut['about'];
      /** `help` only: a person is asked for. `follows`: the customer asks what has become of their request. */
      readonly asksPerson?: true | 'follows';
      /** The person who was asked for reads the words, too. */
      readonly leavesWords?: true;
      readonly notice?: Sentence;
    }
  | { readonly kind: 'dialed' | 'opened' }
  /** Another conversation, asked for in one line. */
  | { readonly kind: 'wants'; readonly shortcut: Shortcut }
  /** The same in the middle of a request: the customer is asked whether to leave that. */
  | { readonly kind: 'leaves'; readonly shortcut: Shortcut }
  /** Two things asked for in one line, or one that could be two: the customer chooses. */
  | Several
  | { readonly kind: 'speaks'; readonly language: Language }
  /**
   * The number of a request is wrong. `keepsAmount`: its amount is not what is asked for. `to`: the right one. `machine`: the payment that
   * this was ordered for.
   */
  | {
      readonly kind: 'renumbers';
      readonly keepsAmount: boolean;
      readonly to?: Msisdn;
      readonly machine?: string;
    }
  /** The amount of a request shall be another one. `machine`: the payment that the new `amount` was ordered for. */
  | { readonly kind: 'amends'; readonly amount?: Centimes; readonly machine?: string }
  /** The question for the fee of an amount. `pays`: the payment whose preview tells it. */
  | { readonly kind: 'fees'; readonly amount?: Centimes; readonly pays?: Shortcut }
  /** A kind word: it gets one back, and answers nothing. */
  | { readonly kind: 'courtesy'; readonly notice: Sentence }
  /** Nothing the screen asked for: shown again with a word of help. */
  | { readonly kind: 'unclear'; readonly notice: Sentence };

/** The place and time of an input, and all else that reading it takes. */
export interface ReadingEnv {
  readonly address: Address;
  readonly now: number;
  readonly secrets: Secrets;
  readonly labelsOf: LabelsOf;
  /** The page of a handset that it is typed on. */
  readonly onPage?: ShownPage | undefined;
  /** The answer before this one was given where a PIN is asked for. */
  readonly afterPin?: true;
  /** It stands in a longer dial, which was learnt. */
  readonly inDial?: 'followed' | 'last';
  /** Payments of the wallet are frozen. */
  readonly isFrozen: boolean;
  /** The customer has read here that their wallet is locked. */
  readonly isLocked: boolean;
  /** Another request may begin here, at the customer's own wallet. */
  readonly mayLeave: boolean;
  /** A request is under way that can be given up. */
  readonly hasRequest: boolean;
  /** It was looked for in the list on show, which has nothing like it: so it may be a request. */
  readonly isUnfound?: true;
  /** The code of the principal agent that the customer acts for. */
  readonly principal: () => string | undefined;
}

/** No answer: the question comes again, below this sentence. */
export function unclear(key: SentenceKey): InputMeaning {
  return { kind: 'unclear', notice: { key } };
}

/** The text answers the question. */
export function answer(text: string, at: number): InputMeaning {
  return { kind: 'event', event: { type: 'said', text, at } };
}

/** The choice of the screen that was pressed or named. */
export function choose(choice: string, at: number): InputMeaning {
  return { kind: 'event', event: { type: 'chose', choice, at } };
}
