import { assign } from 'xstate';
import { type Asked, asked, opening } from './kit/adviser.ts';
import { calls } from './kit/call.ts';
import { choices } from './kit/choosing.ts';
import { machine, type Remembered, states } from './kit/conversation.ts';

interface Context extends Remembered, Asked {
  /** There are people who can be asked for. */
  readonly advisers: boolean;
  /** There is a wallet, and it is the customer's own here. */
  readonly mayFreeze: boolean;
  /** Its payments are frozen. Absent in what was begun by an earlier version, and where they are not. */
  readonly isFrozen?: true;
  /** The same, and it has not said that it issues no cards. */
  readonly mayHaveCards: boolean;
  /** The customer has chosen an adviser already, on the screen before. */
  readonly wantsPerson?: true;
  /** The customer has written before choosing an adviser. */
  readonly hasWritten?: boolean;
}

const call = calls<Context>();
const choose = choices<Context>();
const state = states<Context>();

/**
 * The customer asks for help. The interrupted conversation waits and comes back unchanged. Where there are support
 * agents, the customer can ask for one, who writes into a chat and calls back on USSD. From here the customer also
 * freezes payments and suspends a lost card.
 */
export const help = machine<Context>({
  id: 'help',
  context: ({ input }) => ({
    advisers: input.advisers ?? false,
    mayFreeze: input.linked && input.wallet !== undefined && !input.isOpening,
    ...(input.isFrozen && { isFrozen: true as const }),
    mayHaveCards: input.linked && !input.isOpening && !input.without?.includes('lost-card'),
    ...(input.wanted === 'adviser' && { wantsPerson: true as const }),
  }),
  initial: 'arriving',
  states: {
    arriving: {
      always: [
        { guard: ({ context }) => context.advisers && context.wantsPerson === true, target: 'asking' },
        { target: 'helping' },
      ],
    },
    helping: state({
      shows: ({ advisers, mayFreeze, isFrozen, mayHaveCards }) => ({
        key: 'help.help',
        // Customers dial them (`*123*9*2#`), so each keeps its digit where there is a menu to dial through.
        choices: [
          ...(mayFreeze
            ? [{ id: 'freeze', key: isFrozen ? 'help.thaw' : 'help.freeze', digit: 1 } as const]
            : []),
          ...(mayHaveCards ? [{ id: 'lost-card', key: 'help.lost-card', digit: 2 } as const] : []),
          ...(advisers
            ? [{ id: 'adviser', key: 'help.adviser', ...(mayFreeze && { digit: 3 }) } as const]
            : []),
          { id: 'continue', key: 'help.continue', ...(mayFreeze && { digit: 4 }) },
        ],
        expects: 'choice',
        ...(advisers && { takesWords: 'sentences' as const }),
      }),
      said: { target: 'asking', actions: assign({ hasWritten: true }) },
      chose: choose(
        { if: (choice, context) => context.advisers && choice === 'adviser', target: 'asking' },
        { if: (choice, context) => context.mayHaveCards && choice === 'lost-card', target: 'losing' },
        { if: (choice, context) => context.mayFreeze && choice === 'freeze', target: 'freezing' },
        { target: 'helped' },
      ),
      back: 'helped',
    }),
    asking: call('askForPerson', {
      says: 'help.waiting',
      input: () => ({}),
      ok: {
        target: 'asked',
        know: (answer, { hasWritten }) => ({
          ...opening(answer),
          ...(hasWritten && { notice: { key: 'help.noted' } as const }),
        }),
      },
      tooMany: { target: 'helping', know: () => ({ notice: { key: 'help.tooMany' } }) },
      lost: { target: 'helping', know: () => ({ notice: { key: 'nav.down' } }) },
    }),
    asked: state({
      shows: (context) => ({
        ...asked(context),
        choices: [
          { id: 'continue', key: 'help.continue' },
          ...(context.since === undefined ? [] : [{ id: 'settled', key: 'help.settled' } as const]),
        ],
        expects: 'choice',
        takesWords: true,
      }),
      said: { actions: assign({ notice: { key: 'help.noted' } }) },
      chose: choose({ if: 'settled', target: 'settled' }, { target: 'helped' }),
      back: 'helped',
    }),
    settled: { type: 'final', output: { next: 'rating' } },
    helped: { type: 'final', output: { resume: 'asItWas' } },
    /** Through the menu, which knows whether there is a wallet that can be used. */
    freezing: {
      type: 'final',
      output: ({ context }) => ({
        ...{ next: 'menu', wanted: 'freeze' },
        ...(context.isFrozen && { filled: { thaws: true } }),
      }),
    },
    losing: { type: 'final', output: { next: 'menu', wanted: 'lost-card' } },
  },
});
