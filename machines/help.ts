import { calls } from './kit/call.ts';
import { conversation, type Remembered, screen } from './kit/conversation.ts';

interface Context extends Remembered {
  /** There are people who can be asked for. */
  readonly advisers: boolean;
}

const call = calls<Context>();

/**
 * The customer asked for help. What they were doing waits, and comes back as it was. Where there are support agents, one
 * can be asked for: they write into a chat and call back on USSD.
 */
export const help = conversation<Context>().createMachine({
  id: 'help',
  version: '1',
  context: ({ input }) => ({ advisers: input.advisers ?? false }),
  initial: 'helping',
  output: { resume: 'asItWas' },
  states: {
    helping: {
      meta: screen(({ advisers }) => ({
        key: 'help.help',
        choices: [
          { id: 'continue', key: 'help.continue' },
          ...(advisers ? [{ id: 'adviser', key: 'help.adviser' } as const] : []),
        ],
        expects: 'choice',
      })),
      on: {
        chose: [
          { guard: ({ context, event }) => context.advisers && event.choice === 'adviser', target: 'asking' },
          { target: 'helped' },
        ],
        back: 'helped',
      },
    },
    asking: call('askForPerson', {
      says: 'help.waiting',
      input: () => ({}),
      on: {
        ok: 'asked',
        lost: { target: 'helping', know: () => ({ notice: { key: 'nav.down' } }) },
      },
    }),
    asked: {
      meta: screen(() => ({
        key: 'help.asked',
        choices: [{ id: 'continue', key: 'help.continue' }],
        expects: 'choice',
      })),
      on: { chose: 'helped', back: 'helped' },
    },
    helped: { type: 'final' },
  },
});
