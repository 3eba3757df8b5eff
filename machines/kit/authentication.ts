import { assign } from 'xstate';
import type { Msisdn } from '../../src/wallet/phone.ts';
import { calls } from './call.ts';
import { conversation, type Remembered, screen } from './conversation.ts';
import type { Heard } from './input.ts';
import { isRefusal, problem } from './problem.ts';
import type { Screen, Sentence } from './screen.ts';
import type { Sealed } from './secret.ts';

/** An unattended PIN prompt closes after this long: a phone left on a table. */
export const PIN_PROMPT_MS = 120_000;

/** What a conversation must know to ask for a PIN. */
export interface Authenticating extends Remembered {
  wallet: Msisdn;
}

/**
 * Asks for the PIN and checks it: `askingPin` → `authenticating` → `next`. The PIN goes from the input into the login
 * effect and nowhere else (docs/safety.md, rule 3). A wrong one is asked again with the tries left; a lost answer says
 * that it may have cost one; a last try used up, or a refusal for any other reason, ends in `refusedLogin`.
 * @param prompt the screen that asks: it names what the PIN is for
 * @param on.checkpoint where a redial, or a prompt left unanswered, goes on
 * @param says what is said while the PIN is checked, which may be the last thing that a session on a handset shows, and
 *   when it was refused for good
 */
export function authentication<Context extends Authenticating>(
  prompt: (context: Context) => Screen,
  on: { next: string; back: string; checkpoint: string },
  says: {
    checking: (context: Context) => Sentence;
    lost: Sentence;
    refused: (context: Context) => Sentence;
  } = PLAINLY,
) {
  const wasl = conversation<Context>();
  const say = (notice: Sentence | undefined) => ({ notice }) as Partial<Context>;
  const lost = { target: 'askingPin', know: () => say(says.lost) };
  const refused = { target: 'refusedLogin', know: (answer: { kind: string }) => say(whyRefused(answer)) };
  return {
    askingPin: wasl.createStateConfig({
      tags: 'resumable',
      meta: screen(prompt),
      after: { [PIN_PROMPT_MS]: 'lapsed' },
      on: {
        gave: [
          { guard: ({ event }) => event.wellFormed, target: 'authenticating' },
          { actions: assign(() => say({ key: 'pin.format' })) },
        ],
        back: on.back,
        resumed: on.checkpoint,
      },
    }),
    authenticating: calls<Context>()('login', {
      says: says.checking,
      input: ({ wallet }, event) => ({ wallet, pin: secretOf(event) }),
      on: {
        ok: on.next,
        refused: [
          {
            if: (refusal) => isRefusal(refusal, 'pinIncorrect') && hasTriesLeft(refusal),
            target: 'askingPin',
            know: (refusal) => say(wrongPin(refusal)),
          },
        ],
        unknown: lost,
        tooMany: refused,
        unchecked: refused,
        failed: refused,
        lost,
      },
    }),
    /** Nobody answered the prompt. Nothing was sent; the customer can go on from the checkpoint. */
    lapsed: wasl.createStateConfig({
      tags: 'resumable',
      // With the prompt's values: a redial says what would be gone on with.
      meta: screen((c) => ({
        ...valuesOf(prompt(c)),
        key: 'pin.lapsed',
        choices: [{ id: 'continue', key: 'pin.continue' }],
        expects: 'choice',
      })),
      on: { chose: on.checkpoint, resumed: on.checkpoint },
    }),
    refusedLogin: wasl.createStateConfig({
      type: 'final',
      meta: screen((c) => ({ ...says.refused(c), expects: 'nothing' })),
    }),
  };
}

/** What is said where the PIN is for nothing but a look at the account. */
const PLAINLY = {
  checking: (): Sentence => ({ key: 'pin.checking' }),
  lost: { key: 'pin.lost' },
  refused: (): Sentence => ({ key: 'pin.refused' }),
} as const;

/** The secret of the input that led here. */
export function secretOf(event: Heard): Sealed {
  if (event.type !== 'gave') throw new Error(`a secret was expected, not ${event.type}`);
  return event.secret;
}

/** What a wrong PIN leaves: the tries, or a warning before the last of them. */
export function wrongPin(answer: { kind: string; remainingAttempts?: number }): Sentence {
  const left = answer.remainingAttempts;
  if (left === undefined) return { key: 'pin.wrong' };
  return left <= 1
    ? { key: 'pin.lastTry' }
    : { key: 'pin.wrongWithTries', values: { count: { count: left } } };
}

/** The wallet may not say how many are left (open question 3); when it says none, that PIN has just locked it. */
export function hasTriesLeft(answer: { kind: string; remainingAttempts?: number }): boolean {
  return answer.remainingAttempts === undefined || answer.remainingAttempts > 0;
}

/** Why a PIN, or a code like it, was not taken for good. */
export function whyRefused(answer: { kind: string }): Sentence {
  if (answer.kind === 'tooMany') return { key: 'pin.tooMany' };
  if (answer.kind === 'unchecked') return { key: 'pin.unchecked' };
  if (isRefusal(answer, 'pinIncorrect')) return { key: 'pin.locked' };
  return problem(answer) ?? { key: 'problem.unavailable' };
}

function valuesOf({ values }: Screen): Pick<Screen, 'values'> {
  return values ? { values } : {};
}
