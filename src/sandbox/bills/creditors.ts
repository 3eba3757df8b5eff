import { CREDITORS } from './catalog.ts';
import type { Field } from './form.ts';

/** A creditor's services and their bills. All of it is invented (facts E7). */
export interface Receivable {
  readonly code: string;
  readonly name: string;
  readonly form: readonly Field[];
  /** One bill for each of the last months or years: from how many to how many, and from how much to how much. */
  readonly bills: {
    readonly name: string;
    readonly every: 'month' | 'year';
    readonly count: readonly [number, number];
    readonly dirhams: readonly [number, number];
  };
  /** Comes once with the newest bill, and cannot be left out. */
  readonly extras?: readonly { readonly type: number; readonly name: string; readonly dirhams: number }[];
}

export interface Creditor {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly site: string;
  /** Of its logo. */
  readonly colour: string;
  /** The customer's fee per transaction. Utilities bear it themselves since 2024 (facts E7). The rest is invented. */
  readonly feesDirhams: number;
  /** The fields by which a customer recognises a contract. */
  readonly shows: readonly ('nomClient' | 'adresse')[];
  /** The number and text of a tax receipt (`numCRC`, `texteCRC`). */
  readonly crc?: true;
  /** Listed, but closed: 104. */
  readonly inactive?: true;
  readonly receivables: readonly Receivable[];
}

/** The service that can be paid now under these codes. Undefined is 104. */
export function receivableOf(
  creditor: string,
  receivable: string,
): { readonly creditor: Creditor; readonly receivable: Receivable } | undefined {
  const open = creditorOf(creditor);
  const found = open?.receivables.find(({ code }) => code === receivable);
  return open && found && { creditor: open, receivable: found };
}

/** Undefined where there is none, or it is closed. */
export function creditorOf(code: string): Creditor | undefined {
  return CREDITORS.find((each) => each.code === code && !each.inactive);
}
