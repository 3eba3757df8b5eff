import { conversation, type Remembered, type Stopped, screen } from './conversation.ts';
import { type Failure, isRefusal, problem } from './problem.ts';
import type { Choice, Sentence } from './screen.ts';
import type { SentenceKey } from './sentence-key.ts';

/** The context of a payment that Wasl holds back for its customer's safety. */
export interface Held extends Remembered {
  /** Why, and until when. Absent: payments are frozen. */
  held?: Sentence | undefined;
}

/** The customer's ways on. Each is the name of a state. */
interface WaysOn<Context> {
  /** A smaller amount can be said here. */
  readonly back: string;
  /** How the way there is called where no amount is typed there. Absent: another amount, which can be typed here as well. */
  readonly amend?: SentenceKey | undefined;
  readonly cancel: string;
  /** The request, to be offered again after the thaw. */
  readonly stops?: (context: Context) => Stopped | undefined;
}

/**
 * Nothing was sent. Either payments are frozen, and the customer goes to the thaw; or the amount is too large for now,
 * and the customer types another one.
 */
export function heldBack<Context extends Held>({ back, amend, cancel, stops }: WaysOn<Context>) {
  const { createStateConfig } = conversation<Context>();
  const other: Choice = { id: 'amend', key: amend ?? 'pay.otherAmount' };
  const thaw: Choice = { id: 'thaw', key: 'freeze.thaw' };
  return {
    held: createStateConfig({
      meta: screen(({ held }) => ({
        ...(held ?? { key: 'freeze.stopped' }),
        choices: [held ? other : thaw, { id: 'cancel', key: 'pay.cancel' }],
        expects: 'choice',
        ...(held && !amend && { takesAmount: true }),
      })),
      on: {
        chose: [
          { guard: ({ event }) => event.choice === 'thaw', target: 'toFreeze' },
          { guard: ({ event }) => event.choice === 'amend', target: back },
          { target: cancel },
        ],
        back,
      },
    }),
    toFreeze: createStateConfig({
      type: 'final',
      output: ({ context }) => ({ next: 'freeze', filled: { thaws: true, stopped: stops?.(context) } }),
    }),
  };
}

/** The case of a call that Wasl itself has refused for the customer's safety. */
export const WHERE_HELD = {
  if: (refusal: Failure) =>
    isRefusal(refusal, 'frozen', 'newLink', 'newLinkOfPrincipal', 'newPin', 'newThaw'),
  target: 'held',
  know: (refusal: Failure): Pick<Held, 'held'> => ({
    held: isRefusal(refusal, 'frozen') ? undefined : problem(refusal),
  }),
};
