import { assign } from 'xstate';
import { conversation, type Remembered, states } from './conversation.ts';
import type { Sentence } from './screen.ts';

/**
 * A deposit that the customer's own level does not allow: the way to a higher level, or another amount. A question of its own, as on
 * USSD a typed `1` must not be both an amount and a choice.
 * @param amend the state that asks for the amount
 */
export function overLevel<Context extends Remembered>(says: (context: Context) => Sentence, amend: string) {
  const { createStateConfig } = conversation<Context>();
  return {
    overLevel: createStateConfig(askingLevel(says, amend)),
    toUpgrade: createStateConfig({ type: 'final', output: { next: 'upgrade' } }),
  };
}

/** The same where the PIN was entered: what is left may be said, which tells the balance. Needs the states of `overLevel`. */
export function overRoom<Context extends Remembered>(says: (context: Context) => Sentence, amend: string) {
  const { createStateConfig } = conversation<Context>();
  return createStateConfig({ ...askingLevel(says, amend), tags: 'private' });
}

function askingLevel<Context extends Remembered>(says: (context: Context) => Sentence, amend: string) {
  return states<Context>()({
    // The wallet speaks of a recipient, who is the customer here.
    entry: assign(() => ({ notice: undefined }) as Partial<Context>),
    shows: (context) => ({
      ...says(context),
      choices: [
        { id: 'upgrade', key: 'account.upgrade' },
        { id: 'amend', key: 'pay.otherAmount' },
      ],
      expects: 'choice',
      takesAmount: true,
    }),
    chose: [{ guard: ({ event }) => event.choice === 'upgrade', target: 'toUpgrade' }, { target: amend }],
    back: amend,
  });
}
