import { assign } from 'xstate';
import { type conversation, type Remembered, screen } from './conversation.ts';
import type { EffectName, InputOf, OutputOf } from './effects.ts';
import type { MachineEvent } from './input.ts';
import { type Failure, isFailure, problem, saysNotEnabled } from './problem.ts';
import type { Sentence } from './screen.ts';
import type { SentenceKey } from './sentence-key.ts';

/** A state as XState takes it in a machine with this context. */
type State<Context extends Remembered> = Parameters<
  ReturnType<typeof conversation<Context>>['createStateConfig']
>[0];

/** An answer leads to a state, if something holds, and adds to the context. */
export interface Case<Context, Value> {
  readonly if?: (value: Value, context: Context) => boolean;
  readonly target: string;
  readonly know?: (value: Value, context: Context) => Partial<Context>;
}
/** The first case that holds is taken. A state's name alone is a case that always holds. */
export type Cases<Context, Value> =
  | string
  | Case<Context, Value>
  | readonly (string | Case<Context, Value>)[];

/** The part of an answer that a case gets: the value of a success, else the whole answer. */
type OutputValue<Output, Kind> =
  Extract<Output, { kind: Kind }> extends { readonly kind: 'ok'; readonly value: infer Value }
    ? Value
    : Extract<Output, { kind: Kind }>;

/** Cases for each kind of answer that a call can have: a kind without its cases does not compile. */
type Answers<Context, Output extends { kind: string }> = {
  readonly [Kind in Exclude<Output['kind'], Failure['kind']>]: Cases<Context, OutputValue<Output, Kind>>;
} & {
  /** Failures of one kind that lead elsewhere than `failed`. */
  readonly [Kind in Extract<Output['kind'], Failure['kind']>]?: Cases<Context, OutputValue<Output, Kind>>;
} & (Extract<Output['kind'], Failure['kind']> extends never
    ? unknown
    : {
        /** Every failure that no case above has taken: said above the next screen, unless the case says what else to know. */
        readonly failed: Cases<Context, Failure>;
        /** The wallet does not have this service. */
        readonly notEnabled?: string;
      }) & {
    /** The answer of a guarded call was lost with the process that made it. */
    readonly lost?: Case<Context, undefined> | string;
  };

/** The part of it that each call has. */
interface CallBasics<Context, Name extends EffectName> {
  /** The sentence while the call is under way. */
  readonly says: SentenceKey | ((context: Context) => Sentence);
  readonly input: (context: Context, event: MachineEvent) => InputOf<Name>;
}

/** A state in which a call runs. */
type Calling<Context, Name extends EffectName> = CallBasics<Context, Name> & Answers<Context, OutputOf<Name>>;

/**
 * States in which a call runs. Each case is given what its kind of answer holds, so that no answer is narrowed twice:
 * `const call = calls<Context>()`, then `reading: call('readBalance', { says, input, ok, failed })`.
 */
export function calls<Context extends Remembered>() {
  return <Name extends EffectName>(
    src: Name,
    { says, input, ...on }: Calling<Context, Name>,
  ): State<Context> => {
    const meta = screen<Context>((context) => ({ ...said(says, context), expects: 'nothing' }));
    const state = {
      meta,
      invoke: {
        src,
        input: ({ context, event }: { context: Context; event: MachineEvent }) => input(context, event),
        ...transitionsOf<Context>(on as unknown as Rows<Context>),
      },
    };
    // XState types a call by the literal of its name. Here the name can be any of them, and `Calling` has typed it.
    return state as unknown as State<Context>;
  };
}

/** The same cases once their types have been checked. */
interface Rows<Context> {
  readonly [kind: string]: Cases<Context, unknown>;
}
interface Answered {
  readonly kind: string;
  readonly value?: unknown;
}
interface Args<Context> {
  readonly context: Context;
  readonly event: { readonly output: Answered };
}

function transitionsOf<Context extends Remembered>(rows: Rows<Context>) {
  const { notEnabled = [], failed = [], lost = [], ...kinds } = rows;
  const noticeOf = (failure: unknown) => ({ notice: problem(failure as Failure) }) as Partial<Context>;
  const onDone = [
    ...inOrder(notEnabled).map((each) => when(saysNotEnabled, each)),
    ...Object.entries(kinds).flatMap(([kind, cases]) =>
      (isFailure({ kind }) ? inOrder(cases) : total(kind, cases)).map((each) =>
        when((answer) => answer.kind === kind, each),
      ),
    ),
    ...total('failed', failed).map((each) => when(isFailure, { know: noticeOf, ...each })),
  ];
  const onError = inOrder(lost).map((each) => ({ target: each.target, actions: knowing(each) }));
  return { onDone, ...(onError.length > 0 && { onError }) };
}

function inOrder<Context>(cases: Cases<Context, unknown>): readonly Case<Context, unknown>[] {
  const list = Array.isArray(cases) ? cases : [cases];
  return list.map((each) => (typeof each === 'string' ? { target: each } : each));
}

/** The cases in their order. Throws where an answer could fit none of them: the conversation would wait for ever. */
function total<Context>(kind: string, cases: Cases<Context, unknown>): readonly Case<Context, unknown>[] {
  const list = inOrder(cases);
  if (list.at(-1)?.if) throw new Error(`the last case of ${kind} must always hold`);
  return list;
}

function when<Context extends Remembered>(is: (answer: Answered) => boolean, each: Case<Context, unknown>) {
  return {
    guard: ({ context, event: { output } }: Args<Context>) =>
      is(output) && (each.if?.(outputValue(output), context) ?? true),
    target: each.target,
    actions: knowing(each),
  };
}

function knowing<Context extends Remembered>({ know }: Case<Context, unknown>) {
  return assign(({ context, event }: { context: Context; event: object }): Partial<Context> => {
    const { output }: { readonly output?: Answered } = event;
    return know?.(output && outputValue(output), context) ?? {};
  });
}

function outputValue(answer: Answered): unknown {
  return answer.kind === 'ok' && 'value' in answer ? answer.value : answer;
}

function said<Context>(says: CallBasics<Context, EffectName>['says'], context: Context): Sentence {
  return typeof says === 'string' ? { key: says } : says(context);
}
