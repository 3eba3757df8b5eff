import { z } from 'zod';
import { codec, type KeyedDoc } from '../../store/codec.ts';
import type { Write } from '../../store/store.ts';
import { refusalCode } from '../../wallet/contract/errors.ts';
import type { EffectEnv } from './effect.ts';

/** How many wrong PINs we let through to the wallet, over all channels together. */
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
const moments = z.array(z.number());
const triesCodec = codec<Tries>('count', z.object({ at: moments }));

export type TooMany = { readonly kind: 'tooMany' };

/**
 * Counts something per wallet *before* it is done, in the claim's commit, so that several channels or a crash give nobody
 * more of it (docs/safety.md, hazards). Every effect that lets a customer guess the same secret shares one limit.
 */
export function counter({ name, max, ms }: Limit) {
  const recent = (doc: KeyedDoc | undefined, now: number) =>
    (triesCodec.read(doc)?.at ?? []).filter((at) => at > now - ms);
  /** Emptied, not deleted: a version that began again could be mistaken for the one before. */
  const kept = (doc: KeyedDoc | undefined, tries: Tries, now: number): Write =>
    triesCodec.write(doc, tries, { keepUntil: now + ms });

  return {
    key: ({ wallet }: Pick<EffectEnv, 'wallet'>): string => `${name}:${wallet}`,

    /** The write that counts one more, or the answer that there were too many. */
    count(doc: KeyedDoc | undefined, now: number): { writes: Write[] } | { instead: TooMany } {
      const at = recent(doc, now);
      return at.length >= max
        ? { instead: { kind: 'tooMany' } }
        : { writes: [kept(doc, { at: [...at, now] }, now)] };
    },

    /** The write that forgets them all, where there are any. */
    clear(doc: KeyedDoc | undefined, now: number): Write[] {
      return triesCodec.read(doc)?.at.length ? [kept(doc, { at: [] }, now)] : [];
    },
  };
}

/** PINs that the wallet has not answered, in that time, before it is asked no more: nobody knows whether they were right. */
const UNANSWERED_MAX = 20;
/** After this the answer to a guess is not awaited any more: its process has died. */
const PENDING_MS = 45_000;

/** Moments of guesses, ms since 1970. */
interface PinTries {
  /** Called wrong by the wallet. */
  readonly at: readonly number[];
  /** Asked, and the answer is awaited. */
  readonly pending?: readonly number[];
  /** Asked, and never answered. */
  readonly unanswered?: readonly number[];
}
const pinTriesCodec = codec<PinTries>(
  'count of PINs',
  z.object({ at: moments, pending: moments.exactOptional(), unanswered: moments.exactOptional() }),
);

/** The wallet has left too many guesses without an answer: this one was not made. */
export type Unchecked = { readonly kind: 'unchecked' };

/**
 * Guesses of a PIN: by logging in, or as the old one when it is changed. Each is counted before the wallet is asked, so that
 * several channels together cannot guess more. A PIN that nobody checked is not wrong: what the wallet has not answered is
 * counted apart, and forgotten with the next good one (docs/safety.md, "The truth").
 */
export const PIN_TRIES = {
  key: ({ wallet }: Pick<EffectEnv, 'wallet'>): string => `tries:${wallet}`,

  /** The write that counts one more, or why the guess must not be made. */
  count(
    doc: KeyedDoc | undefined,
    { at }: Pick<EffectEnv, 'at'>,
  ): { writes: Write[] } | { instead: TooMany | Unchecked } {
    const tries = pinTriesIn(doc, at);
    if (tries.at.length >= LOGIN_TRIES_MAX) return { instead: { kind: 'tooMany' } };
    const isCrowded = tries.at.length + tries.pending.length >= LOGIN_TRIES_MAX;
    if (isCrowded || tries.unanswered.length >= UNANSWERED_MAX) return { instead: { kind: 'unchecked' } };
    return { writes: [pinTriesWrite(doc, { ...tries, pending: [...tries.pending, at] }, at)] };
  },

  /** The write that says what became of a guess that was counted at `at`. */
  settle(
    doc: KeyedDoc | undefined,
    output: { readonly kind: string; readonly code?: string },
    { at, now }: Pick<EffectEnv, 'at' | 'now'>,
  ): Write[] {
    if (output.kind === 'ok') return this.clear(doc, now());
    const { pending, ...tries } = pinTriesIn(doc, now());
    const after = { ...tries, pending: pending.filter((each) => each !== at) };
    if (output.kind === 'refused' && output.code === refusalCode('pinIncorrect'))
      after.at = [...tries.at, at];
    if (output.kind === 'unknown') after.unanswered = [...tries.unanswered, at];
    return [pinTriesWrite(doc, after, now())];
  },

  /** The write that forgets them all, where there are any. */
  clear(doc: KeyedDoc | undefined, now: number): Write[] {
    const { at, pending, unanswered } = pinTriesIn(doc, now);
    const isEmpty = at.length + pending.length + unanswered.length === 0;
    return isEmpty ? [] : [pinTriesWrite(doc, { at: [] }, now)];
  },
};

function pinTriesIn(doc: KeyedDoc | undefined, now: number) {
  const { at = [], pending = [], unanswered = [] } = pinTriesCodec.read(doc) ?? {};
  const recent = (all: readonly number[]) => all.filter((each) => each > now - LOGIN_TRIES_MS);
  const isAwaited = (each: number) => each > now - PENDING_MS;
  return {
    at: recent(at),
    pending: pending.filter(isAwaited),
    unanswered: recent([...unanswered, ...pending.filter((each) => !isAwaited(each))]),
  };
}

function pinTriesWrite(doc: KeyedDoc | undefined, tries: PinTries, now: number): Write {
  return pinTriesCodec.write(doc, tries, { keepUntil: now + LOGIN_TRIES_MS });
}
