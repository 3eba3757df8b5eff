import type { EffectOf } from './effect.ts';
import { PIN_TRIES } from './tries.ts';

/** Checks the PIN. Every try is counted before the wallet is asked, and sorted by its answer. */
export const login: EffectOf<'login'> = {
  kind: 'guarded',
  claim: ({ wallet }, _input, env) => PIN_TRIES.count(wallet, env),
  async run({ wallet, pin }, { api, open, call }) {
    const opened = open(pin);
    return opened === undefined
      ? { kind: 'unknown', why: 'expired' }
      : api.login({ phone: wallet, pin: opened }, call);
  },
  settle({ wallet }, output, env) {
    const after = PIN_TRIES.settle(wallet, output, env);
    return {
      output,
      wallet: output.kind === 'ok' ? { ...after, naming: { ...after.naming, provenAt: env.now() } } : after,
    };
  },
};
