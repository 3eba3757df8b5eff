import type { z } from 'zod';

/** Told of each field that breaks the contract: of which path, or `webhook`, and by the contract's own name. Never its value. */
export type OnOdd = (from: string, field: string) => void;

/** The fields that are not as the contract says, by the contract's own names: `collection.transactionStatus`. */
export function oddFields({ issues }: z.ZodError): readonly string[] {
  const names = issues.map(({ path }) => path.filter((step) => typeof step === 'string').join('.'));
  return [...new Set(names)].map((name) => name || 'body');
}
