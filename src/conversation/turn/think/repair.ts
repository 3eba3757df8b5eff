import type { HelpOffer } from '../../../../machines/kit/conversation.ts';
import { SECRETS, type Sentence } from '../../../../machines/kit/screen.ts';
import { INTERRUPTIONS } from '../../chart/main-conversation.ts';
import type { Input } from '../../incoming.ts';
import { currentScreen } from '../../session/current-screen.ts';
import type { Session } from '../../session/session.ts';
import { nearest } from '../../shortcuts/understand.ts';
import { asksToConfirm } from '../read/unread-pages.ts';
import { interrupt } from './follow.ts';
import type { StepEnv, Thought } from './thought.ts';

const HAS_LETTER = /\p{L}/u;

/** True where the same question is asked again, with a word of why. */
export function isAskedAgain(before: Session, { conversation, ...after }: Session): boolean {
  // An answer typed on the help that came by itself is one to the question that waits.
  const asked = offerIn(before) ? before.suspended : before.conversation;
  const isSame = asked?.machine === conversation?.machine && asked?.state === conversation?.state;
  return (
    isSame && conversation !== undefined && currentScreen({ ...after, conversation }).notice !== undefined
  );
}

/**
 * A customer whose words are not understood twice in a row is offered the nearest meanings, and the third time a person. To choose
 * one only opens its conversation. The question waits, and "continue" brings it back.
 */
export async function repaired(
  before: Session,
  [input, ...more]: readonly Input[],
  thought: Thought,
  env: StepEnv,
): Promise<Thought> {
  const { session, call, isUnderstood } = thought;
  const { conversation, misses = 0, language } = before;
  const isMiss = !call && !session.owner && (!isUnderstood || isAskedAgain(before, session));
  if (!isMiss || !conversation || !language) return thought;
  const screen = currentScreen(before);
  const { expects, takesWords } = screen;
  if (
    input?.type !== 'said' ||
    more.length > 0 ||
    !HAS_LETTER.test(input.text) ||
    SECRETS.has(expects) ||
    takesWords
  )
    return thought;
  // A question for a yes is not put aside.
  if (asksToConfirm(screen)) return thought;
  if (INTERRUPTIONS.has(conversation.machine) && !offerIn(before)) return thought;
  if (misses === 2)
    return offering(session, { why: 'lost' }, env, thought.notice ?? currentScreen(session).notice);
  if (misses !== 1 || !session.linked) return thought;
  const meanings = nearest(input.text).filter((deed) => deed !== session.conversation?.machine);
  const offered = await offering(session, { why: 'unclear', meanings }, env);
  return offerIn(offered.session)?.meanings?.length ? offered : thought;
}

/** The input stays one that was not understood. @param notice what the question has said of it */
async function offering(
  session: Session,
  help: HelpOffer,
  env: StepEnv,
  notice?: Sentence,
): Promise<Thought> {
  const start = { filled: { help }, ...(notice && { notice }) };
  return { ...(await interrupt(session, 'help', start, env)), isUnderstood: false };
}

/** The offer of the help on show, where the bot makes one by itself. */
export function offerIn({ conversation }: Session): HelpOffer | undefined {
  return conversation?.machine === 'help' ? (conversation.context.offer as HelpOffer | undefined) : undefined;
}
