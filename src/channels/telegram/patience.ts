import type { Api } from 'grammy';
import type { Update } from 'grammy/types';
import { createRecent, type Recent } from '../../conversation/recent.ts';
import { mayPass } from '../trouble.ts';
import { type Typed, typedIn } from './erase.ts';
import { tried, troubleOf } from './trouble.ts';

/** Before this, an answer is quick enough to need no sign of life. */
const SIGN_AFTER_MS = 300;

/** Answers the button that was pressed, if one was. Only the first call says something. */
export type Answer = (text?: string) => Promise<void>;

/** The tasks of an update before its turn: its press is answered, and a typed secret is erased. */
interface Prompt {
  readonly answer: Answer;
  readonly typed: Typed | undefined;
}

/** How many updates a bot remembers that wait for their turn. */
const WAITING_MAX = 10_000;
/** By bot: each one counts its own updates. */
const waitingAt = new WeakMap<Api, Recent<number, Prompt>>();

function waitingOf(api: Api): Recent<number, Prompt> {
  const waiting = waitingAt.get(api) ?? createRecent<number, Prompt>(WAITING_MAX);
  waitingAt.set(api, waiting);
  return waiting;
}

/** Begins, as soon as an update is here, with what does not wait for the turns before it. */
export function promptly(api: Api, update: Update): Prompt {
  const waiting = waitingOf(api);
  const message = update.message ?? update.edited_message;
  const begun: Prompt = waiting.get(update.update_id) ?? {
    answer: answering(api, update.callback_query?.id),
    typed: message?.chat.type === 'private' ? typedIn(api, message) : undefined,
  };
  waiting.set(update.update_id, begun);
  return begun;
}

/** The turn of an update is over. */
export function answered(api: Api, { update_id: id }: Update): Promise<void> | undefined {
  const waiting = waitingOf(api);
  const begun = waiting.get(id);
  waiting.delete(id);
  return begun?.answer();
}

/** A button's phone shows a clock until the press is answered. So this answer never waits, not even for a turn before it. */
function answering(api: Api, query: string | undefined): Answer {
  if (query === undefined) return async () => {};
  // A turn that ends meanwhile waits for the answer that is on its way.
  let answered: Promise<boolean> | undefined;
  const answer = async (text?: string) => {
    clearTimeout(timer);
    answered ??= triedTwice(() => api.answerCallbackQuery(query, text ? { text } : {}));
    await answered;
  };
  const timer = setTimeout(() => void answer(), SIGN_AFTER_MS);
  return answer;
}

/** A connection that the other side has just closed loses the first try. The same answer twice is one. */
async function triedTwice(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    return mayPass(troubleOf(error)) && tried(call());
  }
}
