import { conversation, type Remembered, screen } from './kit/conversation.ts';

/** The customer asked for help. What they were doing waits, and comes back as it was. */
export const help = conversation<Remembered>().createMachine({
  id: 'help',
  version: '1',
  context: {},
  initial: 'helping',
  output: { resume: 'asItWas' },
  states: {
    helping: {
      meta: screen(() => ({
        key: 'help.help',
        choices: [{ id: 'continue', key: 'help.continue' }],
        expects: 'choice',
      })),
      on: { chose: 'helped', back: 'helped' },
    },
    helped: { type: 'final' },
  },
});
