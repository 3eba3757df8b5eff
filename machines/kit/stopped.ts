import { assign } from 'xstate';
import { conversation, type Remembered, screen } from './conversation.ts';
import type { Sentence } from './screen.ts';

/** Where the customer goes from a stop. Each is the name of a state. */
export interface WaysOn<Context> {
  readonly again: string;
  readonly cancel: string;
  readonly back: { readonly target: string; readonly know: (context: Context) => Partial<Context> };
  /** Where a redial goes on. Absent: it shows the stop again. */
  readonly resumed?: string;
}

/** A stop where nothing has been sent: the customer tries again, goes back or leaves. */
export function stopped<Context extends Remembered>(
  says: (context: Context) => Sentence,
  { again, cancel, back, resumed }: WaysOn<Context>,
) {
  return conversation<Context>().createStateConfig({
    tags: 'resumable',
    meta: screen((context) => ({
      ...says(context),
      choices: [
        { id: 'again', key: 'pay.again' },
        { id: 'cancel', key: 'pay.cancel' },
      ],
      expects: 'choice',
    })),
    on: {
      chose: [{ guard: ({ event }) => event.choice === 'cancel', target: cancel }, { target: again }],
      back: { target: back.target, actions: assign(({ context }) => back.know(context)) },
      ...(resumed !== undefined && { resumed }),
    },
  });
}
