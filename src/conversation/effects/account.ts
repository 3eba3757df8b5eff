import type { PinsTyped } from '../../../machines/kit/effects.ts';
import type { Served } from '../served.ts';
import { counter } from '../session/counter.ts';
import { withSafety } from '../session/safety.ts';
import { type EffectOf, guarded } from './effect.ts';
import { gatewayCharges } from './registration.ts';
import { PIN_TRIES } from './tries.ts';

/** Codes of a PIN reset that are sent to one wallet in an hour: an SMS costs money and patience. */
export const RESET_CODES_MAX = 5;
/** The number of codes that may be tried in that time: a person who guesses one has the wallet. */
export const RESET_TRIES_MAX = 5;
const HOUR_MS = 3_600_000;
const CODES = counter({ name: 'reset-codes', max: RESET_CODES_MAX, ms: HOUR_MS });
const RESETS = counter({ name: 'resets', max: RESET_TRIES_MAX, ms: HOUR_MS });

/**
 * Changes the PIN. The old PIN is a guess like any login, and is counted with them. Some errors are visible without the
 * wallet: two new PINs that differ, a missing new PIN, or a sealed PIN that is too old. They are answered before, and
 * cost no try.
 */
export const changePin: EffectOf<'changePin'> = {
  kind: 'guarded',
  claim({ wallet }, { old, first, second }, env) {
    const { open } = env;
    const [oldPin, newPin] = [open(old), open(first)];
    const typed = checked(newPin, open(second), oldPin);
    if (typed) return { instead: typed };
    return newPin === oldPin ? { instead: { kind: 'same' } } : PIN_TRIES.count(wallet, env);
  },
  async run({ wallet, old, first }, { api, at, open, call, served }) {
    const [oldPin, newPin] = [open(old), open(first)];
    if (oldPin === undefined || newPin === undefined) return { kind: 'expired' };
    const answer = await api.changePin({ phone: wallet, oldPin, newPin }, call);
    return answer.kind === 'ok' ? newPinSince(at, served) : answer;
  },
  settle({ wallet }, output, env) {
    const after = PIN_TRIES.settle(wallet, output, env);
    return { output, wallet: output.kind === 'ok' ? withSafety(after, { newPinAt: env.at }) : after };
  },
};

/** Above which amount payments wait after a new PIN, and until when. */
function newPinSince(at: number, { safety: { coolDownMs, coolDownAbove } }: Served) {
  return { kind: 'ok', value: { until: at + coolDownMs, above: coolDownAbove } } as const;
}

/** Sends the code that resets the PIN (open question 4: the call that sends a registration's code again). */
export const sendResetCode: EffectOf<'sendResetCode'> = {
  kind: 'guarded',
  claim: ({ wallet }, _input, { now }) => CODES.count(wallet, now()),
  async run({ wallet }, env) {
    const spent = await env.budgets.charge(gatewayCharges(env));
    return spent ? { kind: 'tooMany' } : env.api.resendOtp(wallet, env.call);
  },
};

/** Sets a new PIN with the code of the SMS. After it the earlier wrong PINs no longer count. */
export const resetPin: EffectOf<'resetPin'> = {
  kind: 'guarded',
  claim({ wallet }, { code, first, second }, { open, now }) {
    const typed = checked(open(first), open(second), open(code));
    return typed ? { instead: typed } : RESETS.count(wallet, now());
  },
  async run({ wallet, code, first }, { api, at, open, call, served }) {
    const [otp, pin] = [open(code), open(first)];
    if (otp === undefined || pin === undefined) return { kind: 'expired' };
    const answer = await api.resetPin({ phone: wallet, otp, pin }, call);
    return answer.kind === 'ok' ? newPinSince(at, served) : answer;
  },
  settle: ({ wallet }, output, { now }) => ({
    output,
    ...(output.kind === 'ok' && {
      wallet: withSafety(RESETS.clear(PIN_TRIES.clear(wallet)), { newPinAt: now() }),
    }),
  }),
};

/** Closes the wallet for good. Partner API v2.3, "Customers": reasons 3 to 5 are the client's. */
export const unregister: EffectOf<'unregister'> = guarded(({ wallet, reason }, { api, call }) =>
  api.unregister({ phone: wallet, reason }, call),
);

/** A merchant's QR code for one payment. It leaves a code at the wallet each time. */
export const createQr: EffectOf<'createQr'> = guarded(({ wallet, amount }, { api, call }) =>
  api.dynamicQr({ merchant: wallet, amount }, call),
);

/** A payment card that the wallet has saved. A second deletion is refused, and changes nothing. */
export const deleteSavedCard: EffectOf<'deleteSavedCard'> = guarded((of, { api, call }) =>
  api.deleteSavedCard(of, call),
);

/** Errors that need no wallet: a PIN that was typed too long ago, or two PINs that differ. */
function checked(first?: string, second?: string, proof?: string): PinsTyped | undefined {
  if (first === undefined || proof === undefined) return { kind: 'expired' };
  return first === second ? undefined : { kind: 'differ' };
}
