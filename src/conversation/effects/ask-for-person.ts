import type { Address, Language } from '../incoming.ts';
import { docWrite, type Effect, parsed } from './effect.ts';

/** A request that nobody has answered is forgotten after this long. Until then it is scheduled, and so can be listed. */
export const HELP_KEPT_MS = 7 * 24 * 3_600_000;

/** A customer's wish to talk to a person, in their session's partition. */
export interface HelpDoc {
  readonly address: Address;
  readonly language: Language;
  /** In ms since 1970. */
  readonly at: number;
}

export function helpKey(address: Address): string {
  return `help:${address}`;
}

/** Writes down that the customer wants a person. Asked again, the first wish stands. */
export const askForPerson: Effect<Record<never, never>, { kind: 'ok' }> = {
  kind: 'guarded',
  keys: ({ address }) => [helpKey(address)],
  claim([doc], _input, { address, language, at }) {
    if (parsed(doc)) return { instead: { kind: 'ok' } };
    const wish: HelpDoc = { address, language, at };
    const write = docWrite(doc, wish);
    const until = at + HELP_KEPT_MS;
    return { writes: [{ ...write, dueAt: until, keepUntil: until }] };
  },
  // The wish was written with the claim: there is nothing left to do, and nothing to lose.
  run: async () => ({ kind: 'ok' }),
  lost: { kind: 'ok' },
};
