import type { z } from 'zod';

/** Called for each field that breaks the contract, with the path (or `webhook`) and the contract's name of the field. Never with its value. */
export type OnOdd = (from: string, field: string) => void;

/** The fields that are not as the contract says, by the contract's own names: `collection.transactionStatus`. */
export function oddFields({ issues }: z.ZodError): readonly string[] {
  const names = issues.map(({ path }) => path.filter((step) => typeof step === 'string').join('.'));
  return [...new Set(names)].map((name) => name || 'body');
}
