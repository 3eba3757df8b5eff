import { refusalCode } from '../../wallet/contract/errors.ts';
import type { TooMany } from '../session/counter.ts';
import type { PinTries, WalletDoc } from '../session/wallet-doc.ts';
import type { EffectEnv } from './effect.ts';

/** How many wrong PINs we let through to the wallet, over all channels together. */
const LOGIN_TRIES_MAX = 5;
/** Over which time they are counted. */
const LOGIN_TRIES_MS = 15 * 60_000;

/** PINs that the wallet has not answered, in that time, before it is asked no more: nobody knows whether they were right. */
const UNANSWERED_MAX = 20;
/** After this the answer to a guess is not awaited any more: its process has died. */
const PENDING_MS = 45_000;

/** The wallet has left too many guesses without an answer: this one was not made. */
type Unchecked = { readonly kind: 'unchecked' };

/**
 * Guesses of a PIN: by logging in, or as the old one when it is changed. Each is counted before the wallet is asked, so
 * several channels together cannot guess more. A PIN that nobody checked is not wrong. So guesses that the wallet has
 * not answered are counted apart, and forgotten with the next good one (docs/safety.md, "The truth").
 */
export const PIN_TRIES = {
  /** The wallet with one more counted, or why the guess must not be made. */
  count(
    wallet: WalletDoc,
    { at }: Pick<EffectEnv, 'at'>,
  ): { wallet: WalletDoc } | { instead: TooMany | Unchecked } {
    const tries = pinTriesIn(wallet, at);
    if (tries.at.length >= LOGIN_TRIES_MAX) return { instead: { kind: 'tooMany' } };
    const isCrowded = tries.at.length + tries.pending.length >= LOGIN_TRIES_MAX;
    if (isCrowded || tries.unanswered.length >= UNANSWERED_MAX) return { instead: { kind: 'unchecked' } };
    return { wallet: withPinTries(wallet, { ...tries, pending: [...tries.pending, at] }) };
  },

  /** The wallet once the result of a guess is known that was counted at `at`. */
  settle(
    wallet: WalletDoc,
    output: { readonly kind: string; readonly code?: string },
    { at, now }: Pick<EffectEnv, 'at' | 'now'>,
  ): WalletDoc {
    if (output.kind === 'ok') return this.clear(wallet);
    const { pending, ...tries } = pinTriesIn(wallet, now());
    const after = { ...tries, pending: pending.filter((each) => each !== at) };
    if (output.kind === 'refused' && output.code === refusalCode('pinIncorrect'))
      after.at = [...tries.at, at];
    if (output.kind === 'unknown') after.unanswered = [...tries.unanswered, at];
    return withPinTries(wallet, after);
  },

  clear(wallet: WalletDoc): WalletDoc {
    if (!wallet.pinTries && !wallet.amountsTried) return wallet;
    const { pinTries: _guesses, amountsTried: _amounts, ...rest } = wallet;
    return rest;
  },
};

function pinTriesIn({ pinTries }: WalletDoc, now: number) {
  const { at = [], pending = [], unanswered = [] } = pinTries ?? {};
  const recent = (all: readonly number[]) => all.filter((each) => each > now - LOGIN_TRIES_MS);
  const isAwaited = (each: number) => each > now - PENDING_MS;
  return {
    at: recent(at),
    pending: pending.filter(isAwaited),
    unanswered: recent([...unanswered, ...pending.filter((each) => !isAwaited(each))]),
  };
}

function withPinTries(wallet: WalletDoc, { at, pending, unanswered }: Required<PinTries>): WalletDoc {
  const pinTries: PinTries = {
    at,
    ...(pending.length > 0 && { pending }),
    ...(unanswered.length > 0 && { unanswered }),
  };
  return { ...wallet, pinTries };
}
