import { type AnyActorRef, type AnyMachineSnapshot, type AnyStateMachine, createEmptyActor } from 'xstate';
import type { Ending, Start, Tag } from '../../../machines/kit/conversation.ts';
import type { MachineEvent } from '../../../machines/kit/input.ts';
import type { Screen, StateMeta } from '../../../machines/kit/screen.ts';
import * as machines from './machine-list.ts';

/** Every kind of conversation there is, by the id of its machine. */
export const MACHINES: Readonly<Record<string, AnyStateMachine>> = Object.fromEntries(
  Object.values(machines).map((machine) => [machine.id, machine as unknown as AnyStateMachine]),
);

/**
 * The states met so far as snapshots without context, by `<machine>.<state>`. Nothing but the context differs between two
 * conversations in one state, so `resolveState` is not called on every turn.
 */
const SNAPSHOTS = new Map<string, AnyMachineSnapshot>();

/** One run of a machine, as it is stored: plain JSON. */
export interface Conversation {
  readonly machine: string;
  /** The version of the machine: it tells what its states and contexts mean. */
  readonly version: string;
  /** The release on whose charts it began, and ends. */
  readonly release?: string;
  readonly state: string;
  readonly context: Readonly<Record<string, unknown>>;
  /** Moments in ms since 1970 at which the machine's `after` events fall due, by event type. */
  readonly timers?: Readonly<Record<string, number>>;
  /** The screen of its question for a card, once another dial has put it aside: the link in the SMS still answers it. */
  readonly askedOn?: number;
  /** How it ended. A finished conversation stays while its last screen is on show. */
  readonly ended?: Ending;
}

/** A call that a machine asks for. */
export interface Invoked {
  /** XState's own id of it, under which the answer goes back. */
  readonly id: string;
  readonly src: string;
  readonly input: unknown;
}

/** The result of one event: the conversation after it, and the call that it asks for. */
export interface Step {
  readonly conversation: Conversation;
  readonly invoked?: Invoked;
  /** False when the machine had no transition for the event. */
  readonly isHandled: boolean;
}

/**
 * The charts of one release behind one small door: plain JSON in, plain JSON out, nothing of XState. A release brings
 * the charts of the one before as a bundle of this file. So the next release calls the functions here, and they are
 * only ever added to.
 */
export interface Charts {
  /** True for the id of an existing machine. */
  has(machine: string): boolean;
  /** False for a machine, a version of it or a state that this release does not have. */
  isKnown(conversation: Conversation): boolean;
  begin(machine: string, start: Start, now: number): Step;
  /** Gives a conversation an event, and returns what it becomes. Runs nothing and changes nothing ("pure machines"). */
  tell(conversation: Conversation, event: MachineEvent, now: number): Step;
  answer(conversation: Conversation, invokeId: string, output: unknown, now: number): Step;
  /** Says that a call's answer was lost: the process that made it died. */
  lose(conversation: Conversation, invokeId: string, now: number): Step;
  fire(conversation: Conversation, timer: string, now: number): Step;
  /** The screen of the state a conversation is in. Undefined where the state has none, or is not known. */
  screenOf(conversation: Conversation): Screen | undefined;
  hasTag(conversation: Conversation, tag: Tag): boolean;
  /** How many steps conversations have taken on these charts in this process, without those that end or wait at the menu. */
  steps(): number;
}

/** The stamp for the steps on some charts, and the number of those steps. */
interface Stamp {
  readonly release: string;
  steps: number;
}

/** @param release the id of the release that the charts belong to */
export function createCharts(release: string): Charts {
  const stamp: Stamp = { release, steps: 0 };
  return {
    has: (machine) => Object.hasOwn(MACHINES, machine),
    isKnown: ({ machine, version, state }) => nodeOf(machine, version, state) !== undefined,
    begin: (machine, start, now) => begin(stamp, machine, start, now),
    tell: (conversation, event, now) => advance(stamp, conversation, event, now),
    answer: (conversation, invokeId, output, now) =>
      advance(stamp, conversation, doneEvent(invokeId, output), now),
    lose: (conversation, invokeId, now) => advance(stamp, conversation, lostEvent(invokeId), now),
    fire: (conversation, timer, now) => fire(stamp, conversation, timer, now),
    screenOf,
    hasTag: ({ machine, version, state }, tag) =>
      nodeOf(machine, version, state)?.tags.includes(tag) ?? false,
    steps: () => stamp.steps,
  };
}

function begin(stamp: Stamp, machine: string, start: Start, now: number): Step {
  const logic = logicOf(machine);
  actions.length = 0;
  const snapshot = logic.getInitialSnapshot(scope, start);
  return stepped(stamp, logic, snapshot as Snapshot, {}, now);
}

function fire(stamp: Stamp, conversation: Conversation, timer: string, now: number): Step {
  const { [timer]: _fired, ...timers } = conversation.timers ?? {};
  return advance(stamp, { ...conversation, timers }, { type: timer }, now);
}

/**
 * A turn asks more than ten times for the screen of a conversation, which never changes once it is made ("pure
 * machines"). So the screen is kept with the conversation, where neither a copy nor JSON has it. In a `WeakMap` that
 * has grown old, each screen would live until the collector goes through the whole heap.
 */
const SCREEN = Symbol('screen');

function screenOf(conversation: Conversation & { readonly [SCREEN]?: Screen }): Screen | undefined {
  const known = conversation[SCREEN];
  if (known !== undefined) return known;
  const { machine, version, state, context } = conversation;
  const meta = nodeOf(machine, version, state)?.meta as StateMeta<unknown> | undefined;
  const screen = meta?.screen(context);
  if (screen && Object.isExtensible(conversation))
    Object.defineProperty(conversation, SCREEN, { value: screen });
  return screen;
}

function doneEvent(invokeId: string, output: unknown) {
  return { type: `xstate.done.actor.${invokeId}`, output, actorId: invokeId };
}

function lostEvent(invokeId: string) {
  return { type: `xstate.error.actor.${invokeId}`, error: 'lost', actorId: invokeId };
}

function advance(
  stamp: Stamp,
  conversation: Conversation,
  event: MachineEvent | { readonly type: string; readonly [fact: string]: unknown },
  now: number,
): Step {
  const { machine, version, state, context, timers } = conversation;
  const logic = logicOf(machine, version);
  const before = { ...snapshotOf(machine, state), context } as AnyMachineSnapshot;
  actions.length = 0;
  const after = logic.transition(before, event, scope) as unknown as Snapshot;
  if ((after as unknown) === before) return { conversation, isHandled: false };
  return stepped(stamp, logic, after, timers ?? {}, now);
}

interface Snapshot {
  readonly value: string;
  readonly context: Record<string, unknown>;
  readonly status: 'active' | 'done' | 'error' | 'stopped';
  readonly output: Ending | undefined;
  readonly error: unknown;
}

/** Reads the result of a transition: its snapshot and the actions it collected. */
function stepped(
  stamp: Stamp,
  logic: AnyStateMachine,
  snapshot: Snapshot,
  before: Readonly<Record<string, number>>,
  now: number,
): Step {
  if (snapshot.status === 'error') throw snapshot.error;
  const timers: Record<string, number> = { ...before };
  let invoked: Invoked | undefined;
  for (const { type, params } of actions) {
    // An immediate raise was already taken in the same macrostep. Only a delayed one is a timer.
    if (type === 'xstate.raise' && typeof params?.delay === 'number')
      timers[params.id as string] = now + params.delay;
    else if (type === 'xstate.cancel') delete timers[params?.sendId as string];
    else if (type === 'xstate.spawnChild') {
      invoked = { id: params?.id as string, src: params?.src as string, input: params?.input };
    }
  }
  if (snapshot.status !== 'done' && logic.id !== 'menu') stamp.steps++;
  const conversation: Conversation = {
    machine: logic.id,
    version: logic.version ?? '',
    release: stamp.release,
    state: snapshot.value,
    context: snapshot.context,
    ...(Object.keys(timers).length > 0 && { timers }),
    ...(snapshot.status === 'done' && { ended: snapshot.output ?? {} }),
  };
  return { conversation, ...(invoked && { invoked }), isHandled: true };
}

function logicOf(machine: string, version?: string): AnyStateMachine {
  const logic = MACHINES[machine];
  if (!logic || (version !== undefined && logic.version !== version)) {
    throw new Error(`there is no machine ${machine} ${version ?? ''}`);
  }
  return logic;
}

function snapshotOf(machine: string, state: string): AnyMachineSnapshot {
  const name = `${machine}.${state}`;
  const known = SNAPSHOTS.get(name);
  if (known) return known;
  const logic = logicOf(machine);
  if (!Object.hasOwn(logic.states, state)) throw new Error(`there is no state ${name}`);
  const snapshot = logic.resolveState({ value: state, context: {} }) as AnyMachineSnapshot;
  SNAPSHOTS.set(name, snapshot);
  return snapshot;
}

function nodeOf(machine: string, version: string, state: string) {
  const logic = MACHINES[machine];
  return logic?.version === version ? logic.states[state] : undefined;
}

interface Action {
  readonly type: string;
  readonly params?: Readonly<Record<string, unknown>>;
}
const actions: Action[] = [];
const self = createEmptyActor() as AnyActorRef;
/**
 * The actor that a transition believes to run in. `transition()` of XState builds one for every call. A kept actor
 * gives the same result in a third of the time (facts H). It collects the actions and runs none of them.
 */
const scope = {
  self,
  id: 'wasl',
  sessionId: 'wasl',
  system: self.system,
  logger: () => {},
  defer: () => {},
  stopChild: () => {},
  emit: () => {},
  actionExecutor: (action: Action) => {
    actions.push(action);
  },
} as unknown as Parameters<AnyStateMachine['transition']>[2];
