import type { Start, Tag } from '../../../machines/kit/conversation.ts';
import type { MachineEvent } from '../../../machines/kit/input.ts';
import type { Screen } from '../../../machines/kit/screen.ts';
import type { Conversation, Step } from './charts.ts';
import { chartsOf, chartsWith, OWN_RELEASE } from './releases.ts';

export { type Conversation, type Invoked, MACHINES, type Step } from './charts.ts';

/*
 * Conversations, each on the charts of the release that it began on ("versions live side by side"). Those of another release
 * are loaded once a session with one is read (`loadCharts`).
 */

/** False where another version of Wasl has stored it, with a machine or a state that nobody here knows ("old conversations survive a deploy"). */
export function isKnown(conversation: Conversation): boolean {
  return chartsOf(conversation).isKnown(conversation);
}

/** Starts a conversation on the charts of a release, or of another one where that has no such machine. */
export function begin(machine: string, start: Start, now: number, release: string = OWN_RELEASE): Step {
  return chartsWith(machine, release).begin(machine, start, now);
}

/** Gives a conversation an event, and returns what it becomes. Runs nothing and changes nothing ("pure machines"). */
export function tell(conversation: Conversation, event: MachineEvent, now: number): Step {
  return chartsOf(conversation).tell(conversation, event, now);
}

/** Gives a call's answer back to the conversation that asked for it. */
export function answer(conversation: Conversation, invokeId: string, output: unknown, now: number): Step {
  return chartsOf(conversation).answer(conversation, invokeId, output, now);
}

/** Says that a call's answer was lost: the process that made it died. */
export function lose(conversation: Conversation, invokeId: string, now: number): Step {
  return chartsOf(conversation).lose(conversation, invokeId, now);
}

export function fire(conversation: Conversation, timer: string, now: number): Step {
  return chartsOf(conversation).fire(conversation, timer, now);
}

/** The screen of the state a conversation is in. Undefined where the state has none, or is not known any more. */
export function screenOf(conversation: Conversation): Screen | undefined {
  const screen = chartsOf(conversation).screenOf(conversation);
  const { release } = conversation;
  return screen && release !== undefined && release !== OWN_RELEASE ? { ...screen, release } : screen;
}

/** True where the state of a conversation has this tag, by the charts of the release that it is of. */
export function hasTag(conversation: Conversation, tag: Tag): boolean {
  return chartsOf(conversation).hasTag(conversation, tag);
}
