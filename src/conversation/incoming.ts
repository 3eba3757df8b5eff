import type { AnswerWay } from '../../machines/kit/claims.ts';
import type { Document, Screen } from '../../machines/kit/screen.ts';
import type { TypedCard } from '../payments/payment.ts';
import type { Msisdn } from '../wallet/phone.ts';
import type { WalletFile } from '../wallet/services.ts';
import type { Address, ChannelName } from './channel.ts';
import type { UploadedTable } from './payouts/file.ts';

/** Every sentence that a channel can say of its own. */
export type { Expected, Sentence } from '../../machines/kit/screen.ts';
export type { SentenceKey } from '../../machines/kit/sentence-key.ts';
export type { Address, ChannelName } from './channel.ts';

export type Language = 'fr' | 'ar' | 'en';
export const LANGUAGES: readonly Language[] = ['fr', 'ar', 'en'];
/** The language for a customer who has chosen none, where the operator has configured none either. */
export const DEFAULT_LANGUAGE: Language = 'fr';

/** Ways to move that work on every screen ("navigation is the same everywhere"). `more` shows the next page of a long USSD screen. */
export type Navigation = 'back' | 'menu' | 'cancel' | 'help' | 'language' | 'more';

/** The customer's input, as a channel reports it. The engine decides what it means on the screen last shown. */
export type Input =
  /** Typed text. On a screen that expects a secret it is sealed at once and never written down. */
  | { readonly type: 'said'; readonly text: string }
  /** A secret from where nothing else is given, such as the form. No word of it is looked at before it is sealed. */
  | { readonly type: 'secret'; readonly secret: string }
  | { readonly type: 'chose'; readonly choice: string }
  /** A choice by its place on the screen it answers, from 0: a button whose data must be short and say nothing. */
  | { readonly type: 'picked'; readonly position: number }
  /** A key of the keypad on show, by its place. `erase` takes the last digit back. */
  | { readonly type: 'tapped'; readonly position: number | 'erase' }
  /** A card was typed on the form. The turn holds the part of it that is used (`Incoming.card`). */
  | { readonly type: 'carded' }
  /** A contact card. `own` is true where the channel proves that it is the sender's own number. */
  | { readonly type: 'contact'; readonly phone: Msisdn; readonly own: boolean }
  /**
   * A picture or a file. Of a picture only its QR code comes this far. It is absent where no single code could be read.
   * `file`: the channel's name for a file that it keeps, where one is asked for (`Chat.fetchFile`). `table`: it is a
   * file of lines by its name, and nothing of it is read. A customer who gives payouts is led to the page that takes
   * them.
   */
  | { readonly type: 'photo'; readonly qr?: string; readonly file?: string; readonly table?: true }
  /** `typed`: the text that was typed to go there. On some screens that text is the answer. */
  | { readonly type: 'went'; readonly to: Navigation; readonly typed?: string }
  /** A new USSD session: shows missed messages and offers to continue, else shows the menu. */
  | { readonly type: 'dialed' }
  /**
   * A chat was opened or reloaded: the current screen again, or the menu. `isExplained`: the channel itself has said what was
   * wrong with an answer. So the error of the answer before is no longer shown.
   */
  | { readonly type: 'opened'; readonly isExplained?: true }
  /** The language picked outside the conversation (browser, simulator). */
  | { readonly type: 'speaks'; readonly language: Language };

/**
 * The origin of an input, for the limits by origin: the sender's network address, or the gateway that speaks for its
 * callers. It is kept in memory for the turn only.
 */
export interface Origin {
  readonly kind: 'network' | 'gateway';
  readonly name: string;
}

export interface Incoming {
  readonly address: Address;
  /** Absent where the channel does not know (a bot). */
  readonly origin?: Origin;
  /** The same over every redelivery of this input, and of no other. Holds nothing readable of a secret (HMAC). */
  readonly id: string;
  /** The screen it answers, where the channel knows (buttons). Absent: the last one. */
  readonly screenId?: number;
  /**
   * The gateway's session id (USSD). When it is not the address's last one, the engine takes this as a new dial:
   * `dialed` first, then all `inputs` (a deep dial, until one is not understood or a secret is asked). When it is, only
   * the last of `inputs` is new.
   */
  readonly dialog?: string;
  /** The same `id` and `dialog` under older keys, while one key replaces another. */
  readonly formerly?: readonly Pick<Incoming, 'id' | 'dialog'>[];
  /** The customer's input: one input, or everything typed in this dialog so far. */
  readonly inputs: readonly Input[];
  /** Words that came with the input and are not read, under a picture or in an edited message: they may hold a secret. */
  readonly unreadText?: string;
  /** A first guess for a customer never seen before. */
  readonly language?: Language;
  /** The card that comes with `carded`: in memory, until the one call that it is for takes it. */
  readonly card?: CardInHand;
  /** The files that come with a `photo` whose channel keeps none, the form or the web chat: in the same way, side by side. */
  readonly document?: FilesInHand;
  /** The table that comes with one, where that is asked for. */
  readonly table?: InHand<UploadedTable>;
  /** It was not given in the chat itself, such as on the form: the screen that it leads to is pushed there. */
  readonly elsewhere?: true;
}

/**
 * A value that was given for one call, on its way there. It can be taken once, and is gone then. Nothing that writes
 * objects down finds anything in it.
 */
export interface InHand<Value> {
  take(): Value | undefined;
}
export type CardInHand = InHand<TypedCard>;
/** The bytes of files, the front of a document first. Nobody has looked at them yet. */
export type FilesInHand = InHand<readonly Uint8Array[]>;

/** Something secret that is handed on and kept by nobody: it can be taken once. */
export function inHand<Value>(value: Value): InHand<Value> {
  let left: Value | undefined = value;
  return {
    take() {
      const taken = left;
      left = undefined;
      return taken;
    },
  };
}

/** A form that waits for its secret, as its page shows it. */
export interface Form {
  readonly address: Address;
  readonly reply: Reply;
}

/** Somebody whose browser has come back from their bank's page. */
interface CameBack {
  /** Of the customer whose payment it is. */
  readonly language: Language;
  readonly channel: ChannelName;
  /** Somebody else has paid: no conversation waits for them. */
  readonly isStranger?: true;
  /** An administrator has loaded the float of the principal agent: the console says how it goes on. */
  readonly isOperator?: true;
}

/** A keypad for one PIN prompt: the digit at each place, and how many were tapped. The tapped digits stay sealed. */
export interface Keypad {
  readonly keys: readonly number[];
  readonly typed: number;
}

/** A typed secret that must not stay where it was typed: a PIN, a code or password for one use, a card's number. */
export type TypedSecret = 'pin' | 'code' | 'card';

/** Something said by Wasl on its own (an outcome, money received), shown once by its id. */
export interface Notice {
  readonly id: string;
  readonly screen: Screen;
}

export interface Reply {
  readonly language: Language;
  readonly screenId: number;
  readonly screen: Screen;
  /** From 0. Counts up at each `more`. A renderer takes it modulo the number of pages. */
  readonly page: number;
  /** Messages from while the customer was away, oldest first. Only USSD gets them here. Chats get them pushed. */
  readonly missed: readonly Notice[];
  /** True when nothing can be expected of this session any more (deadline struck, or a place of rest). */
  readonly rests: boolean;
  readonly keypad?: Keypad;
  /** The token in the form's address. Present where the screen asks for a secret that the channel can take on the form. */
  readonly form?: string;
  /** The channel's note from when it last showed a screen (`Conversations.screenShown`). */
  readonly view?: string;
  /** A call is running, or an outcome is awaited. This screen says so, and another screen follows on its own. */
  readonly underway?: true;
  /** Messages that wait for this address and say the same as this screen: a customer who sees the screen has seen them. */
  readonly says?: readonly string[];
  /** Something was said of money before this input, and the chat does not show it yet: it comes before this screen. */
  readonly hasMoneyMessage?: true;
  /** The input was known already, so its result may have been shown. */
  readonly repeated?: true;
  /** The input answered a screen that is gone. */
  readonly stale?: true;
  /** The channel has asked for a pause in this chat: nothing can be shown there before this many ms have passed. */
  readonly retryAfterMs?: number;
  /** The input was for a person, who answers when they have read it, so a chat shows nothing now. */
  readonly toPerson?: true;
  /** The deadline struck before anything was kept: this is no screen of the conversation. */
  readonly late?: true;
  /**
   * Identifies the reader: the same for as long as one wallet is linked to this chat, and for no other. Absent while
   * none is linked. A channel that keeps its shown screens deletes them when the reader changes.
   */
  readonly reader?: string;
  /** It was asked for with the PIN: nobody is to find it again in the chat's past. */
  readonly isPrivate?: true;
}

/** A screen that was shown in a chat, and the channel's note of then. */
export interface ShownScreen {
  readonly screenId: number;
  readonly view?: string;
}

/**
 * The topics of messages that go to the next link where they cannot be delivered, and that may cost an SMS as the operator
 * says. `debit`: a payment that was made at another address. `receipt`: sent as well where the outcome was read.
 */
export type Topic = 'outcome' | 'received' | 'debit' | 'receipt';

/** A message to push to an address: rendered by its channel at the moment of delivery. */
export interface Push extends Notice {
  readonly language: Language;
  /** It is about money, so it is not dropped before its customer has it. */
  readonly money: boolean;
  /** When it was first said, in ms since 1970, and has waited since. Absent: it is said now. */
  readonly at?: number;
  /** Absent: it goes to no other link. */
  readonly topic?: Topic;
  /**
   * The window of its chat is closed, and no other chat has the message: only an approved template may say it. `held`:
   * there is none, so it goes to the next link.
   */
  readonly isClosed?: true;
  /** It carries a secret: shown only to its customer, once, and never kept by the channel. */
  readonly isSecret?: boolean;
  /** A call is running, or an outcome is waited for: another screen follows. */
  readonly underway?: true;
  /** The screen id its buttons carry, when it is the conversation's current screen. */
  readonly screenId?: number;
  /** An earlier screen that it makes untrue: the chat replaces that screen's text, too. */
  readonly replaces?: ShownScreen;
  readonly keypad?: Keypad;
  readonly form?: string;
  readonly view?: string;
  /** As in `Reply`. */
  readonly reader?: string;
  readonly isPrivate?: true;
}

/**
 * `delivered`: out of our hands. `held`: stays until the customer fetches it (closed web chat, next USSD dial).
 * `accepted`: the provider has it, and says later whether the customer does. `later`: nothing was sent, try again with
 * back-off. `unknown`: it may have been sent, but the answer was lost. `gone`: nobody there any more (blocked bot).
 */
export const DELIVERY_STATUSES = ['delivered', 'accepted', 'held', 'later', 'unknown', 'gone'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
/**
 * `afterMs`: when the channel allows the next try. `view`: the channel's note to itself about what is shown now, which
 * comes back with every reply and push. It is absent where it stays as it was. `bySms`: an SMS with it has gone out. `as`: the
 * provider's id of an accepted message, or of that SMS.
 */
export type Delivery =
  | DeliveryStatus
  | {
      readonly status: DeliveryStatus;
      readonly afterMs?: number;
      readonly view?: string;
      readonly bySms?: true;
      readonly as?: string;
    };
/** A provider's later report on a message. It may come twice, in any order, and before the answer that accepts it. */
export type ProviderStatus = 'delivered' | 'read' | 'failed';

/** How a channel pushes. Injected by main: the engine knows no channel, and a channel that delivers asks no engine. */
export type Deliver = (address: Address, push: Push) => Promise<Delivery>;

/** A chat that shows one thing after the other, so that a message depends on what its customer has done meanwhile. */
export interface Chat {
  /**
   * Does work while this process shows nothing else in the chat: neither a turn's screen nor another message. Never called
   * by work that is in order already.
   */
  readonly inOrder: <T>(work: () => Promise<T>) => Promise<T>;
  /** Shows "typing…", for the `typingMs` of the channel or until something is said. Never throws: it is only a sign. */
  readonly showTyping: () => void;
  /** The file of a delivered message. Undefined where it is not to be had. Never rejects for that. */
  readonly sendFile: (push: Push, file: WalletFile | undefined) => Promise<void>;
  /**
   * The bytes of a file that was sent in the chat, by the channel's name for it. No more of it is read than a document
   * may have. `gone`: the channel no longer has it. `notNow`: it could not be read now. Never rejects.
   */
  readonly fetchFile: (file: string) => Promise<Uint8Array | Unfetched>;
  /** Takes files out of the chat that were sent there: true where none of them is left. Never rejects. */
  readonly eraseFiles: (files: readonly string[]) => Promise<boolean>;
}

export type Unfetched = 'gone' | 'notNow' | 'tooLarge';

/** The chat of an address. Undefined where its channel shows messages in no chat of its own. */
export type ChatAt = (address: Address) => Chat | undefined;

/** How a customer will read the outcome of a payment that is under way. `channel`: of the chat where they read it. */
export interface AnswerComes {
  readonly way: AnswerWay;
  readonly channel?: ChannelName;
}

/** The part of the engine that channels see. */
export interface Conversations {
  /**
   * Carries one input all the way to the next screen. Never rejects for a customer's mistake or a slow wallet. Rejects
   * with `StoreDown` when nothing could be kept.
   * @param deadlineMs how long the channel can wait. After it the reply says what is known, and the work that was
   *   already committed goes on.
   * @param onTyped called at once, before anything else is done, with the kind of secret in the typed text, which must
   *   not stay in the chat. Undefined: there is none.
   * @param sendingMs how long the channel waits once a payment is being sent. After it the reply says so, and the
   *   outcome is pushed. Absent: as long as for anything else.
   */
  receive(
    incoming: Incoming,
    deadlineMs: number,
    onTyped?: (secret: TypedSecret | undefined) => void,
    sendingMs?: number,
  ): Promise<Reply>;
  /**
   * The contact of this dialog is over: its caller reads no page any more. What was left for the page to say is sent now,
   * and the same dialog id begins a new contact. An end of an earlier contact changes nothing. `unseen`: its last page has
   * provably not left, so that an outcome on it is sent. `shown`: it has reached the handset, so that no dial repeats what it said.
   */
  left(
    contact: Pick<Incoming, 'address' | 'id' | 'dialog' | 'formerly'> & {
      readonly unseen?: true;
      readonly shown?: true;
    },
  ): Promise<void>;
  /**
   * Waits a while for the outcome of a payment that a reply says is under way, for a channel that can show nothing
   * later. Gives the reply that says how it ended, or the same reply where that is not known in time. Never rejects.
   */
  settled(reply: Reply, withinMs: number): Promise<Reply>;
  /** How the customer will read the outcome that a reply waits for. Undefined where that is not known. Never rejects. */
  answerComes(reply: Reply): Promise<AnswerComes | undefined>;
  /**
   * The reply of a channel when `receive` has rejected, or when its answer cannot be shown. It is made from the memory
   * of this process alone, and is true whether the customer has just paid or not.
   * @param guess the language, where this process has not met the customer
   */
  fallback(address: Address, guess: Language): Reply;
  /**
   * A chat's screen is out of our hands, so messages that only waited in case it was lost are dropped. `view` is a note
   * of the channel to itself, such as which message shows the screen. It comes back with every reply and push. It is
   * written with the session's next commit. A process that dies before that, or another one that is faster, has the
   * note before it.
   * @param reply the reply that was shown, where it was one. It saves looking for the session once more
   */
  screenShown(address: Address, screenId: number, view?: string, reply?: Reply): Promise<void>;
  /**
   * A reply could not be shown. The current screen is delivered like a message, as soon as the channel takes it.
   * @param afterMs when the channel allows the next try, if it says so
   */
  screenNotShown(address: Address, afterMs?: number): Promise<void>;
  /**
   * The form that a token is for. Changes nothing. Undefined for a token that is not ours or too old, or whose screen
   * is gone. The answer on a form uses it up, so a form is used once.
   */
  form(token: string): Promise<Form | undefined>;
  /**
   * A payer's browser, or the wallet's notification, has come back from their bank's page. Its words prove nothing, so
   * the payment is looked at soon. Undefined for a token that is not ours or too old.
   * @param isDeclined it says that nothing was paid: its customer reads once that this is not confirmed, and what to do
   *   then
   */
  cameBack(token: string, isDeclined?: boolean): Promise<CameBack | undefined>;
  /** Messages that wait for an address, oldest first, for a chat that has just connected or needs them now. */
  waiting(address: Address): Promise<readonly Push[]>;
  isLinked(address: Address): Promise<boolean>;
  /** Whether the chat waits for a file `now` (no QR code is read then), or `next`. It may be old at once. */
  asksFile(address: Address): Promise<'now' | 'next' | undefined>;
  /** A file of the customer's own wallet. Undefined where there is none, or where the chat is not theirs. */
  document(address: Address, document: Document): Promise<WalletFile | undefined>;
  /**
   * A provider says what has become of a message. One that has failed waits for the customer's next message.
   * @param name the provider's id of it, or ours where the provider gives that back
   */
  statusCame(address: Address, name: string, status: ProviderStatus): Promise<void>;
  /** The customer has seen these messages. They are never shown again. */
  saw(address: Address, ids: readonly string[]): Promise<void>;
}
