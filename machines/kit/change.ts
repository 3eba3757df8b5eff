import { assign, type MachineContext } from 'xstate';
import type { MachineEvent } from './input.ts';
import type { Choice } from './screen.ts';

type Chose = Extract<MachineEvent, { type: 'chose' }>;

/** A part of the order that can be changed on a screen of the payment: a choice and its state. */
export interface Change<Context> {
  /** With a digit it is offered on USSD as well, where a PIN screen shows no other choice. */
  readonly choice: Choice;
  readonly state: string;
  readonly if: (context: Context) => boolean;
  readonly know?: () => Partial<Context>;
}

export function changesOf<Context>(changes: readonly Change<Context>[], context: Context): readonly Choice[] {
  return changes.flatMap(({ choice, if: fits }) => (fits(context) ? [choice] : []));
}

/** The way to each of them. */
export function changing<Context extends MachineContext>(changes: readonly Change<Context>[]) {
  return changes.map(({ choice, state, if: fits, know = () => ({}) }) => ({
    guard: ({ event, context }: { event: Chose; context: Context }) =>
      event.choice === choice.id && fits(context),
    target: state,
    actions: assign<Context, Chose, undefined, MachineEvent, never>(know),
  }));
}
