import { assign } from 'xstate';
import { machine, type Remembered } from './kit/conversation.ts';
import { parts } from './kit/parts.ts';
import type { Sentence } from './kit/screen.ts';
import { BUSY, CHECK_OR_MENU } from './kit/stopped.ts';

/** A customer who is registering has no menu yet. Leaving the registration begins it anew, and takes that choice: back goes on. */
function leadsToMenu(broken: Sentence | undefined): boolean {
  return broken?.key !== 'onboarding.resume';
}

interface Resuming extends Remembered {
  broken?: Sentence | undefined;
  go?: boolean;
}

const { choose, state } = parts<Resuming>();

/**
 * The customer dialled again after a session that broke off: go on with it, or leave it for the menu? A payment that another one holds back
 * waits here as well.
 */
export const resume = machine<Resuming>({
  id: 'resume',
  context: ({ input }) => ({ broken: input.broken, notice: input.notice }),
  initial: 'asking',
  output: ({ context }) => (context.go ? { resume: 'fromCheckpoint' } : { next: 'menu' }),
  states: {
    asking: state({
      shows: ({ broken }) => ({
        ...(broken as Sentence),
        choices:
          broken?.key === BUSY
            ? CHECK_OR_MENU
            : [
                { id: 'continue', key: 'resume.continue' },
                { id: 'leave', key: leadsToMenu(broken) ? 'resume.leave' : 'resume.anew' },
              ],
        expects: 'choice',
      }),
      chose: choose(
        {
          if: (choice) => choice === 'continue' || choice === 'again',
          target: 'answered',
          know: () => ({ go: true }),
        },
        { target: 'answered' },
      ),
      back: [
        { guard: ({ context }) => leadsToMenu(context.broken), target: 'answered' },
        { target: 'answered', actions: assign({ go: true }) },
      ],
    }),
    answered: { type: 'final' },
  },
});
