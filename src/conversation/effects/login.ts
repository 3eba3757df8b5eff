import type { Sealed } from '../../../machines/kit/secret.ts';
import type { Answer } from '../../wallet/answer.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Effect } from './effect.ts';
import { PIN_TRIES, type TooMany } from './tries.ts';

/** Checks the PIN. Every try is counted before the wallet is asked; a right PIN clears the count. */
export const login: Effect<{ wallet: Msisdn; pin: Sealed }, Answer<true> | TooMany> = {
  kind: 'guarded',
  keys: (env) => [PIN_TRIES.key(env)],
  claim: ([tries], _input, { now }) => PIN_TRIES.count(tries, now()),
  async run({ wallet, pin }, { api, open, call }) {
    const opened = open(pin);
    return opened === undefined
      ? { kind: 'unknown', why: 'expired' }
      : api.login({ phone: wallet, pin: opened }, call);
  },
  settle: ([tries], output, { now }) => ({
    output,
    writes: output.kind === 'ok' ? PIN_TRIES.clear(tries, now()) : [],
  }),
};
