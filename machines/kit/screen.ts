import type { Centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type { Rib } from '../../src/wallet/rib.ts';
import type { Sealed } from './secret.ts';
import type { SentenceKey } from './sentence-key.ts';

/** A value in a sentence, before language and channel decide how it is written. */
export type Value =
  | { money: Centimes }
  /** Money that came in (+) or went out (-). */
  | { signed: Centimes }
  | { phone: Msisdn }
  /** A number that its owner recognises and nobody else learns. */
  | { masked: Msisdn }
  /** An account of a bank: whole where there is room, else and in every SMS its last four digits. */
  | { account: Rib }
  | { count: number }
  /** Milliseconds since 1970. */
  | { date: number }
  /** The same, short: day and month. */
  | { day: number }
  /**
   * A name or label from outside: isolated and escaped wherever it is shown. `arName`: how it is called in Arabic, where
   * the wallet says so. `unkept`: no record has it, as it is somebody else's.
   */
  | { name: string; arName?: string; unkept?: true }
  /** A sentence from outside, such as an address: as harmless as a name, and as long as it must be. */
  | {
      text: string;
      arText?: string;
      enText?: string;
      /** Words of a support agent: whole, in their lines, and with links to the operator's own sites. */
      byAgent?: true;
    }
  /** A reference or code: always written left to right, never cut. */
  | { code: string }
  /** Text that is shown only when the customer asks for it: a RIB, or a voucher code, made at the moment of delivery. */
  | { hidden: string }
  /** The same, sealed for the wallet that it belongs to: it is opened at the moment it is shown, and stored nowhere else. */
  | { sealed: Sealed }
  | { say: SentenceKey }
  /** Further sentences, one under the other. */
  | { lines: readonly Sentence[] };

export type Values = Readonly<Record<string, Value>>;

/** A sentence in no language yet: `key` is `<conversation>.<sentence>`, found in `locales/<language>/<conversation>.json`. */
export interface Sentence<Key extends string = SentenceKey> {
  readonly key: Key;
  readonly values?: Values;
}

/** One choice of a screen. The machine hears its `id`; the label is a sentence. */
export interface Choice extends Sentence {
  readonly id: string;
  /**
   * A row of a list that can change: people, amounts, cards and the like. A dialled digit never chooses it, because
   * another row may stand there by now. Half a label does not choose it either.
   */
  readonly listed?: true;
  /** Its digit depends on a list that can change, or on a chosen row: no dialled digit chooses it. */
  readonly varies?: true;
  /** The number of the choice where choices are numbered (1 to 9). Absent: its place in the list. */
  readonly digit?: number;
  /** Shown where the channel shows pictures: an absolute address, or a path on the wallet's own. */
  readonly picture?: string;
}

/** The kind of answer that the screen asks for. The channel decides how: keypad, buttons, masked field. */
export type Expected =
  | 'choice'
  | 'amount'
  | 'phone'
  /** The 24 digits of a bank account, or a mobile number where either can be paid. */
  | 'account'
  | 'name'
  | 'nationalId'
  | 'pin'
  | 'newPin'
  | 'otp'
  /** The number of a cash reference, which is worth money, or a mobile number where either will do. */
  | 'reference'
  /** One of the choices, or words to look for. */
  | 'search'
  /** A field of a bill form: free text. `password`: a text that nobody may read. */
  | 'field'
  | 'password'
  /** A payment card, or the CVV of one that the wallet has saved: typed on the form, and nowhere else. */
  | 'card'
  | 'cvv'
  /** A file of one side, or of two: given on the form. */
  | 'document'
  | 'twoSided'
  /** A table of payouts: given on the form, too. */
  | 'csv'
  | 'nothing';

/** The answers that are secret: sealed by the engine before a machine sees them ("secrets pass through"). */
export const SECRETS: ReadonlySet<Expected> = new Set<Expected>([
  'pin',
  'newPin',
  'otp',
  'password',
  'reference',
]);

export const PINS: ReadonlySet<Expected> = new Set<Expected>(['pin', 'newPin']);

/** Typed on the form only. It passes through the memory of one request, and is not even sealed. */
export const CARDS: ReadonlySet<Expected> = new Set<Expected>(['card', 'cvv']);

/** Files that are given on the form: they pass through the memory of one request, too. */
export const FILES: ReadonlySet<Expected> = new Set<Expected>(['document', 'twoSided', 'csv']);

/** Parts that the engine or a channel adds to a screen, and no machine does. */
interface AddedToScreen {
  /** The release whose words the screen uses. Absent: the words of the process that shows it. */
  readonly release?: string;
  /** Said below it: what comes next. */
  readonly below?: Sentence;
  /** The customer's payments whose outcome is not known: they are said before anything else. */
  readonly first?: readonly Sentence[];
  /** It answers what the customer has just done, and so comes before them. */
  readonly isAnswer?: true;
  /** The first page of all: what this is and the languages, in all of them. It has no way to leave it. */
  readonly isFirst?: true;
  /** Pages, from 1 on, above which it is said that an answer came before they were read. */
  readonly tooEarly?: readonly number[];
  /** It asks for a PIN, and all of it was shown before a mistake at it: its short form says enough. */
  readonly wasRead?: true;
  /** It invites to try again, or says that something was not made. What is said first forbids that in full words, which are never left out. */
  readonly invitesAgain?: true;
}

interface BesideText {
  /** The customer goes on at somebody else's web address, which a chat shows as a button. */
  readonly link?: string;
  /** A page of the operator's that the customer may read first: a link, where the channel opens one. */
  readonly reads?: 'terms' | 'tariffs';
  readonly receipt?: Receipt;
  /** A file for channels that take one. Wasl fetches it from the wallet when the customer asks for it. */
  readonly document?: Document;
}

/** Answers beside the choices. */
interface BesideChoices {
  /** On a list: an amount that is none of its numbers is an answer, too. It stands for the choice of another amount, if the list has one. */
  readonly takesAmount?: true;
  /** Offers a question that may be skipped: its answer is taken here, too. One or two digits are a choice, and four may be a PIN. */
  readonly takesText?: true;
  /** On a list: a mobile number is an answer, too. */
  readonly takesPhone?: true;
}

/**
 * The content of a screen, before language and channel are chosen. `expects: 'nothing'` is a place of rest: USSD ends
 * its session there, and a chat offers the menu.
 */
export interface Screen extends Sentence, AddedToScreen, BesideText, BesideChoices {
  readonly expects: Expected;
  readonly choices?: readonly Choice[];
  /** The error or event to say above the screen. */
  readonly notice?: Sentence;
  /**
   * A number of one or two digits may be the answer here. Input that navigates on every other screen is then heard as
   * `typedMove` (navigation is the same everywhere).
   */
  readonly takesAnyNumber?: true;
  /** On a list that pays nothing: a number of it is taken from a page that was not shown, too. */
  readonly takesUnseen?: true;
  /** A number as long as a payment card's may be the answer: that of a contract, one in ten of which passes for a card's. */
  readonly takesLongNumber?: true;
  /** A file is asked for next, and not yet: what is said of one that comes sooner, or of one too many. */
  readonly filesLater?: Sentence;
  /** If the channel numbers choices, a number is one here, too. */
  readonly numbersChoices?: true;
  /** Several numbers of its list are an answer, too: `1,3` or `1-3`. So is a word for all of it. */
  readonly takesSeveral?: true;
  /**
   * A person reads later what the customer writes here beside the choices. `sentences`: one word alone is none of that. `more`: the request is
   * made already, so that a question for what only reads or protects is answered.
   */
  readonly takesWords?: true | 'sentences' | 'more';
  /** A person reads what is answered: a file is as good as words. */
  readonly takesFiles?: true;
  /** The number asked for is the customer's own: a channel that knows it can give it as proven (`owned`). */
  readonly asksOwn?: true;
  /** A picture: an address as in `Choice`, or a QR code of this content. The text says the same. */
  readonly picture?: string | { readonly qr: string };
  /** The reference for cash that it shows: once there is news of that, a chat says so in this screen's place, too. */
  readonly about?: string;
}

/** A payment that was made, for channels that show it as a card. The text of its screen says the same. */
export interface Receipt {
  readonly amount: Value;
  /** The person, number, account or company that was paid. */
  readonly to?: Value;
  readonly fees?: Value;
  readonly total?: Value;
  /** When it was sent. */
  readonly at: Value;
  readonly reference?: Value;
}

/** A file at the wallet, one that a support agent sends, or the receipt of a payment by its intent's id. */
export type Document =
  | { readonly kind: 'receipt'; readonly id: string }
  | { readonly kind: 'bill-receipt'; readonly operationId: number }
  | { readonly kind: 'agent-file'; readonly id: string };

/** The meta data of a state: its screen, made from the conversation's context. */
export interface StateMeta<Context> {
  readonly screen: (context: Context) => Screen;
}
