import { assign } from 'xstate';
import type { Msisdn } from '../../src/wallet/phone.ts';
import { PIN_PROMPT_MS } from './authentication.ts';
import { conversation, type Remembered, screen } from './conversation.ts';
import type { Thawed } from './effects.ts';
import type { Sealed } from './secret.ts';

/** The context that a conversation needs to replace a PIN. */
export interface Renewing extends Remembered {
  wallet: Msisdn;
  /** The permission for it, sealed: the old PIN, or the code of an SMS. */
  proof?: Sealed | undefined;
  /** The new PIN, sealed, while it is typed again. */
  first?: Sealed | undefined;
  /** It was typed twice. */
  isRepeated?: true | undefined;
  /** Since it was changed larger payments wait. Absent in what an earlier version has changed. */
  waits?: Thawed;
  /** The wallet did not answer the PIN before this one. */
  wasLost?: boolean;
}

/**
 * Asks for a new PIN twice: `askingNewPin` → `repeatingPin` → `next`. Sealed values can be opened for two minutes. A
 * slower customer, or one who redials, begins again at `start`, which forgets them.
 */
export function newPin<Context extends Renewing>(on: { next: string; start: string }) {
  const wasl = conversation<Context>();
  const know = (facts: Partial<Renewing>) => facts as Partial<Context>;
  const tooLate = () => know({ notice: { key: 'problem.expired' } });
  return {
    askingNewPin: wasl.createStateConfig({
      tags: 'resumable',
      meta: screen(() => ({ key: 'pin.askNew', expects: 'newPin' })),
      after: { [PIN_PROMPT_MS]: { target: on.start, actions: assign(tooLate) } },
      on: {
        gave: [
          {
            guard: ({ event }) => event.isWeak === true,
            actions: assign(() => know({ notice: { key: 'pin.weak' } })),
          },
          {
            guard: ({ event }) => event.wellFormed,
            target: 'repeatingPin',
            actions: assign(({ event }) => know({ first: event.secret })),
          },
          { actions: assign(() => know({ notice: { key: 'pin.format' } })) },
        ],
        back: on.start,
        resumed: on.start,
      },
    }),
    repeatingPin: wasl.createStateConfig({
      tags: 'resumable',
      meta: screen(() => ({ key: 'pin.repeatNew', expects: 'newPin' })),
      after: { [PIN_PROMPT_MS]: { target: on.start, actions: assign(tooLate) } },
      on: {
        gave: on.next,
        back: { target: 'askingNewPin', actions: assign(() => know({ first: undefined })) },
        resumed: on.start,
      },
    }),
  };
}

/** Drops what was sealed: it was used, or the customer begins again. */
export const FORGOTTEN = { proof: undefined, first: undefined, isRepeated: undefined } as const;
