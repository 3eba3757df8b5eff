import type { Outcome } from '../../src/payments/receipt.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type { Facts } from '../../src/wallet/wallet.ts';
import type { HelpOffer } from './conversation.ts';
import type { Sealed } from './secret.ts';

/**
 * The events that a machine gets from the customer or the world. The engine builds them from a closed list, so no typed
 * text can become another event. `at` is the moment in ms since 1970, so that a machine needs no clock.
 */
export type MachineEvent = {
  readonly at: number;
} /** `order`: a payment that is ordered in what a person reads. */ & (
  | {
      readonly type: 'said';
      readonly text: string;
      readonly order?: Pick<HelpOffer, 'meanings' | 'filled'>;
    }
  | { readonly type: 'chose'; readonly choice: string }
  /**
   * A PIN or one-time code, sealed before the machine sees it. `wellFormed` says whether it looks like one, `isWeak` that it is
   * a new PIN that anybody would try first.
   */
  | { readonly type: 'gave'; readonly secret: Sealed; readonly wellFormed: boolean; readonly isWeak?: true }
  /** A card was typed on the form. It is in no event: only the call that it is for is given it. */
  | { readonly type: 'carded' }
  /**
   * The customer sent a file or a photo where one is asked for. The event does not hold it. `file`: its id in a channel
   * that keeps files. Nobody can fetch it by that id without the channel's own key.
   */
  | { readonly type: 'filed'; readonly file?: string }
  /** The customer has proven this number to be theirs, by what the channel knows of them. */
  | { readonly type: 'owned'; readonly phone: Msisdn }
  | { readonly type: 'back' }
  /** The recipient was wrong, and is asked for again. `keepsAmount`: the amount was given, and stays. */
  | { readonly type: 'renumbered'; readonly keepsAmount: boolean }
  /**
   * On a screen that takes any number: what was typed leads back or to the menu elsewhere, and may be the answer here. A
   * machine that has no transition for it lets the engine go there.
   */
  | { readonly type: 'typedMove'; readonly text: string; readonly leads: 'back' | 'menu' }
  /** The customer dialled again and wants to go on where the session broke off. */
  | { readonly type: 'resumed' }
  /** The outcome of the money that this conversation sent. */
  | ({ readonly type: 'outcome' } & Learnt)
);

/** The data of an ended payment. */
export interface Learnt {
  readonly outcome: Outcome;
  readonly reference: string;
  readonly facts?: Facts;
  readonly operationId?: number;
  /** When it was sent, in ms since 1970. */
  readonly sentAt?: number;
  /** Its intent's id, by which its receipt can be had. */
  readonly payment?: string;
}
