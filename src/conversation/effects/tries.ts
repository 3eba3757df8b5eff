import type { Write } from '../../store/store.ts';
import { docWrite, type EffectDoc, type EffectEnv, parsed } from './effect.ts';

/** How many wrong or unanswered PINs we let through to the wallet, over all channels together. */
const LOGIN_TRIES_MAX = 5;
/** Over which time they are counted. */
const LOGIN_TRIES_MS = 15 * 60_000;

/** What may be done so many times, by one wallet, over all channels and processes together. */
export interface Limit {
  /** Names the document that counts. */
  readonly name: string;
  readonly max: number;
  readonly ms: number;
}

interface Tries {
  /** When each try was made, ms since 1970. */
  readonly at: readonly number[];
}

export type TooMany = { readonly kind: 'tooMany' };

/**
 * Counts something per wallet *before* it is done, in the claim's commit, so that several channels or a crash give nobody
 * more of it (docs/safety.md, hazards). Every effect that lets a customer guess the same secret shares one limit.
 */
export function counter({ name, max, ms }: Limit) {
  const recent = (doc: EffectDoc | undefined, now: number) =>
    (parsed<Tries>(doc)?.at ?? []).filter((at) => at > now - ms);
  /** Emptied, not deleted: a version that began again could be mistaken for the one before. */
  const kept = (doc: EffectDoc | undefined, tries: Tries, now: number): Write => ({
    ...docWrite(doc, tries),
    keepUntil: now + ms,
  });

  return {
    key: ({ wallet }: Pick<EffectEnv, 'wallet'>): string => `${name}:${wallet}`,

    /** The write that counts one more, or the answer that there were too many. */
    count(doc: EffectDoc | undefined, now: number): { writes: Write[] } | { instead: TooMany } {
      const at = recent(doc, now);
      return at.length >= max
        ? { instead: { kind: 'tooMany' } }
        : { writes: [kept(doc, { at: [...at, now] }, now)] };
    },

    /** The write that forgets them all, where there are any. */
    clear(doc: EffectDoc | undefined, now: number): Write[] {
      return parsed<Tries>(doc)?.at.length ? [kept(doc, { at: [] }, now)] : [];
    },
  };
}

/** Guesses of a PIN: by logging in, or as the old one when it is changed. */
export const PIN_TRIES = counter({ name: 'tries', max: LOGIN_TRIES_MAX, ms: LOGIN_TRIES_MS });
