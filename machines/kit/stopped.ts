import { assign } from 'xstate';
import { type Remembered, states } from './conversation.ts';
import type { Choice, Sentence } from './screen.ts';

/** The customer's ways on from a stop. Each is the name of a state. */
interface WaysOn<Context> {
  readonly again: string;
  readonly cancel: string;
  readonly back: { readonly target: string; readonly know: (context: Context) => Partial<Context> };
  /** A redial goes on here. Absent: it shows the stop again. */
  readonly resumed?: string;
  /** The customer's choices. Absent: try again, or cancel. */
  readonly choices?: readonly Choice[];
}

const AGAIN_OR_CANCEL: readonly Choice[] = [
  { id: 'again', key: 'pay.again' },
  { id: 'cancel', key: 'pay.cancel' },
];

/** Another payment of this wallet is under way: nothing was sent, and this one can go on once that is over. */
export const BUSY = 'pay.busy';
export const CHECK_OR_MENU: readonly Choice[] = [
  { id: 'again', key: 'pay.check' },
  { id: 'menu', key: 'nav.menu' },
];

/** A stop where nothing has been sent: the customer tries again, goes back or leaves. */
export function stopped<Context extends Remembered>(
  says: (context: Context) => Sentence,
  { again, cancel, back, resumed, choices = AGAIN_OR_CANCEL }: WaysOn<Context>,
) {
  return states<Context>()({
    tags: 'resumable',
    shows: (context) => ({
      ...says(context),
      choices,
      expects: 'choice',
    }),
    chose: [{ guard: ({ event }) => event.choice === 'again', target: again }, { target: cancel }],
    back: { target: back.target, actions: assign(({ context }) => back.know(context)) },
    ...(resumed !== undefined && { resumed }),
  });
}
