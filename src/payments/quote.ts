import type { Preview } from '../wallet/wallet.ts';

/** A payment that looks like the one about to be made: same type, beneficiary and amount, a short time ago. */
export interface LookAlike {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Nobody knows yet what became of it. */
  readonly open?: boolean;
}

/** The recipient or amount that a customer may not expect. */
export type Ask = 'newRecipient' | 'unusual';

/** A preview, when it was made (ms since 1970), and what looks like it. */
export interface Quote extends Preview {
  readonly at: number;
  readonly alike: readonly LookAlike[];
  /** How the recipient may be named where the preview names nobody: `Youssef B.`. No payment keeps it. */
  readonly maskedName?: string;
  /** The question before the PIN. Absent: there is none. */
  readonly asks?: readonly Ask[];
}

/** A preview older than this is made again before money moves (docs/safety.md: the preview decides). */
export const QUOTE_FRESH_MS = 120_000;

/** True when two previews ask the same of the customer: money, provider and name. */
export function costsSame(a: Preview, b: Preview): boolean {
  return a.total === b.total && a.openLoop === b.openLoop && a.recipientName === b.recipientName;
}

/** The result of the look after the PIN: the listed operations, and the changes since the confirmation. */
export interface LookedAgain {
  /** Operations listed before this payment: none of them can be it. */
  readonly before: readonly number[];
  readonly alike: readonly LookAlike[];
  /** The recipient can be saved: the wallet has said that they are not saved yet. */
  readonly canSave?: true;
  /** Another price, where the preview had grown old. */
  readonly requoted?: Quote;
}

/** A quote as a payment keeps it: without the name of somebody else. */
export function keptQuote({ maskedName: _name, ...quote }: Quote): Quote {
  return quote;
}
