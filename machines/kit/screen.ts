import type { Centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';

/** A value in a sentence, before language and channel decide how it is written. */
export type Value =
  | { money: Centimes }
  | { phone: Msisdn }
  | { count: number }
  /** Milliseconds since 1970. */
  | { date: number }
  /** A name or label from outside: isolated and escaped wherever it is shown. */
  | { name: string }
  /** A reference or code: always written left to right, never cut. */
  | { code: string }
  /** Another sentence, by its locale key. */
  | { say: string };

export type Values = Readonly<Record<string, Value>>;

/** A sentence in no language yet: `key` is `<conversation>.<sentence>`, found in `locales/<language>/<conversation>.json`. */
export interface Sentence {
  readonly key: string;
  readonly values?: Values;
}

/** One of the things a customer can choose. `id` is what the machine hears; the label is a sentence. */
export interface Choice extends Sentence {
  readonly id: string;
}

/** What the customer is asked for. The channel says how: keypad, buttons, masked field. */
export type Expected =
  | 'choice'
  | 'amount'
  | 'phone'
  | 'name'
  | 'nationalId'
  | 'pin'
  | 'newPin'
  | 'otp'
  | 'nothing';

/** The answers that are secret: sealed by the engine before a machine sees them (design rule 6). */
export const SECRETS: ReadonlySet<Expected> = new Set<Expected>(['pin', 'newPin', 'otp']);

/**
 * What the customer should see, before language and channel are chosen. `expects: 'nothing'` is a place of rest: USSD
 * ends its session there, a chat offers the menu.
 */
export interface Screen extends Sentence {
  readonly expects: Expected;
  readonly choices?: readonly Choice[];
  /** What went wrong or has just happened, said above the screen. */
  readonly notice?: Sentence;
}

/** What hangs on a state: its screen, made from the conversation's context. */
export interface StateMeta<Context> {
  readonly screen: (context: Context) => Screen;
}
