import type { Frozen } from '../../../machines/kit/effects.ts';
import { FROZEN, type Freeze, thawed, withSafety } from '../session/safety.ts';
import type { EffectOf } from './effect.ts';

/**
 * Stops every payment of a wallet through Wasl. The claim does all of it. An earlier freeze stays in force as it is. A
 * customer who is about to thaw a wallet freezes nothing anew.
 */
export const freeze: EffectOf<'freeze'> = {
  kind: 'guarded',
  claim({ wallet }, { toThaw }, { at }) {
    const frozen = wallet.safety?.frozen;
    if (!frozen && toThaw) return { instead: { kind: 'none' } };
    return frozen
      ? { instead: { kind: 'ok', value: frozenOf(frozen) } }
      : { wallet: withSafety(wallet, { frozen: { at } }) };
  },
  run: async (_, { at }) => ({ kind: 'ok', value: { at } }),
};

/** Undoes a freeze, once PIN and code were right. Only the one that the customer has seen, and none of a support agent's. */
export const thaw: EffectOf<'thaw'> = {
  kind: 'guarded',
  claim({ wallet }, seen, { at }) {
    const frozen = wallet.safety?.frozen;
    const isTheirs = frozen?.by === undefined && frozen?.at === seen.at;
    return frozen === undefined || isTheirs ? { wallet: thawed(wallet, at) } : { instead: FROZEN };
  },
  run: async (
    _,
    {
      at,
      served: {
        safety: { coolDownMs, coolDownAbove },
      },
    },
  ) => ({
    kind: 'ok',
    value: { until: at + coolDownMs, above: coolDownAbove },
  }),
};

function frozenOf({ at, by }: Freeze): Frozen {
  return { at, ...(by !== undefined && { bySupport: true }) };
}
