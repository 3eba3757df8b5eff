import type { Sealed } from '../../../machines/kit/secret.ts';
import type { Answer } from '../../wallet/answer.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { docWrite, type Effect, type EffectDoc, parsed } from './effect.ts';

/** How many wrong or unanswered PINs we let through to the wallet, over all channels together. */
export const LOGIN_TRIES_MAX = 5;
/** Over which time they are counted. */
export const LOGIN_TRIES_MS = 15 * 60_000;

interface Tries {
  /** When each try was made, ms since 1970. */
  readonly at: readonly number[];
}

/**
 * Checks the PIN. Every try is counted per wallet *before* the wallet is asked, in the claim's commit, so that several
 * channels or a crash give nobody more guesses (docs/safety.md, hazards). A right PIN clears the count.
 */
export const login: Effect<{ wallet: Msisdn; pin: Sealed }, Answer<true> | { kind: 'tooMany' }> = {
  kind: 'guarded',
  keys: ({ wallet }) => [`tries:${wallet}`],
  claim([doc], _input, { now }) {
    const tries = recent(doc, now());
    if (tries.length >= LOGIN_TRIES_MAX) return { instead: { kind: 'tooMany' } };
    const value: Tries = { at: [...tries, now()] };
    return { writes: [kept(doc, value, now())] };
  },
  async run({ wallet, pin }, { api, open, call }) {
    const opened = open(pin);
    return opened === undefined
      ? { kind: 'unknown', why: 'expired' }
      : api.login({ phone: wallet, pin: opened }, call);
  },
  settle([doc], output, { now }) {
    const clear = output.kind === 'ok' && parsed<Tries>(doc)?.at.length;
    return { output, writes: clear ? [kept(doc, { at: [] }, now())] : [] };
  },
};

function recent(doc: EffectDoc | undefined, now: number): readonly number[] {
  return (parsed<Tries>(doc)?.at ?? []).filter((at) => at > now - LOGIN_TRIES_MS);
}

/** Emptied, not deleted: a version that began again could be mistaken for the one before. */
function kept(doc: EffectDoc | undefined, tries: Tries, now: number) {
  return { ...docWrite(doc, tries), keepUntil: now + LOGIN_TRIES_MS };
}
