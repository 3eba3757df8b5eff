import type { Sentence } from './screen.ts';

/** What is known of when an agent comes, from the answer to the request. */
export function opening({ opensAt }: { readonly opensAt?: number }): { readonly opensAt?: number } {
  return opensAt === undefined ? {} : { opensAt };
}

/** That the request is noted, and when somebody is there where nobody is now. */
export function asked({ opensAt }: { readonly opensAt?: number }): Sentence {
  return opensAt === undefined
    ? { key: 'help.asked' }
    : { key: 'help.askedClosed', values: { at: { date: opensAt } } };
}
