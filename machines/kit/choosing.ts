import { assign } from 'xstate';
import { type Remembered, screen, type Tag } from './conversation.ts';
import type { MachineEvent } from './input.ts';
import type { Choice, Screen } from './screen.ts';
import type { SentenceKey } from './sentence-key.ts';

type Chose = Extract<MachineEvent, { type: 'chose' }>;

/** The next state of a choice, and what it adds to the context. Without a target the same question is asked again. */
interface Way<Context> {
  /** The id of the choice, or what must hold. Absent: every choice that no way before has taken. */
  readonly if?: string | ((choice: string, context: Context) => boolean);
  readonly target?: string;
  readonly know?: (choice: string, context: Context) => Partial<Context>;
}

/**
 * Transitions for a choice: the first way that fits is taken.
 * `const choose = choices<Context>()`, then `on: { chose: choose({ if: 'add', target: 'adding' }, { target: 'showing', know }) }`.
 */
export function choices<Context extends Remembered>() {
  return (...ways: readonly Way<Context>[]) =>
    ways.map(({ if: fits = () => true, target, know = () => ({}) }) => ({
      guard: ({ event, context }: { event: Chose; context: Context }) =>
        typeof fits === 'string' ? event.choice === fits : fits(event.choice, context),
      ...(target !== undefined && { target }),
      actions: assign<Context, Chose, undefined, MachineEvent, never>(({ event, context }) =>
        know(event.choice, context),
      ),
    }));
}

/** A way on from a state that shows nothing, if something holds, and the part that it adds to the context. */
export interface Decision<Context> {
  /** Absent: always. The last one must always hold. */
  readonly if?: (context: Context) => boolean;
  readonly target: string;
  readonly know?: (context: Context) => Partial<Context>;
}

/**
 * States that show nothing and lead on at once: the first decision that holds is taken. A state's name alone always holds.
 * `const decide = decisions<Context>()`, then
 * `beginning: decide({ if: ({ amount }) => amount === undefined, target: 'askingAmount' }, 'previewing')`.
 */
export function decisions<Context extends Remembered>() {
  return (...ways: readonly (string | Decision<Context>)[]) => {
    const decided = ways.map((way): Decision<Context> => (typeof way === 'string' ? { target: way } : way));
    if (decided.at(-1)?.if) throw new Error('the last decision must always hold');
    return {
      always: decided.map(({ if: holds = () => true, target, know = () => ({}) }) => ({
        guard: ({ context }: { context: Context }) => holds(context),
        target,
        actions: assign<Context, MachineEvent, undefined, MachineEvent, never>(({ context }) =>
          know(context),
        ),
      })),
    };
  };
}

/** A choice of a question, and where it leads. */
interface Option<Context> extends Choice, Pick<Way<Context>, 'know'> {
  readonly target: string;
}

/**
 * States that ask a question with the same choices each time: `const question = questions<Context>()`, then
 * `confirming: question(says, [{ id, key, target }, …], { back })`.
 */
export function questions<Context extends Remembered>() {
  const choose = choices<Context>();
  return (
    says: SentenceKey | ((context: Context) => Omit<Screen, 'choices' | 'expects'>),
    options: readonly Option<Context>[],
    {
      tags,
      back,
      resumed,
    }: { readonly tags?: Tag | Tag[]; readonly back?: string; readonly resumed?: string } = {},
  ) => ({
    ...(tags && { tags }),
    meta: screen<Context>((context) => ({
      ...(typeof says === 'string' ? { key: says } : says(context)),
      choices: options.map(({ target: _target, know: _know, ...shown }) => shown),
      expects: 'choice',
    })),
    on: {
      chose: choose(...options.map(({ id, target, know }) => ({ if: id, target, ...(know && { know }) }))),
      ...(back !== undefined && { back }),
      ...(resumed !== undefined && { resumed }),
    },
  });
}
