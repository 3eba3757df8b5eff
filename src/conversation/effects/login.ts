import type { Sealed } from '../../../machines/kit/secret.ts';
import type { Answer } from '../../wallet/answer.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Effect } from './effect.ts';
import { PIN_TRIES, type TooMany, type Unchecked } from './tries.ts';

/** Checks the PIN. Every try is counted before the wallet is asked, and sorted by its answer. */
export const login: Effect<{ wallet: Msisdn; pin: Sealed }, Answer<true> | TooMany | Unchecked> = {
  kind: 'guarded',
  keys: (env) => [PIN_TRIES.key(env)],
  claim: ([tries], _input, env) => PIN_TRIES.count(tries, env),
  async run({ wallet, pin }, { api, open, call }) {
    const opened = open(pin);
    return opened === undefined
      ? { kind: 'unknown', why: 'expired' }
      : api.login({ phone: wallet, pin: opened }, call);
  },
  settle: ([tries], output, env) => ({ output, writes: PIN_TRIES.settle(tries, output, env) }),
};
