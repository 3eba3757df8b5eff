import { conversation, type Remembered, screen } from './conversation.ts';

/** Where the customer goes from there. Each is the name of a state. */
interface WaysOn {
  readonly back: string;
  readonly cancel: string;
}

/** The customer's payments are frozen: nothing was sent. They go on to where a freeze is undone, or leave it. */
export function frozenStop<Context extends Remembered>({ back, cancel }: WaysOn) {
  const { createStateConfig } = conversation<Context>();
  return {
    frozen: createStateConfig({
      meta: screen(() => ({
        key: 'freeze.stopped',
        choices: [
          { id: 'thaw', key: 'freeze.thaw' },
          { id: 'cancel', key: 'pay.cancel' },
        ],
        expects: 'choice',
      })),
      on: {
        chose: [{ guard: ({ event }) => event.choice === 'thaw', target: 'toFreeze' }, { target: cancel }],
        back,
      },
    }),
    toFreeze: createStateConfig({ type: 'final', output: { next: 'freeze' } }),
  };
}
