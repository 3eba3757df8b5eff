import type { Paying } from '../../../../machines/kit/paying.ts';
import type { Sentence } from '../../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../../machines/kit/sentence-key.ts';
import { isPaymentKind } from '../../../payments/payments.ts';
import { type Conversation, hasTag, screenOf, tell } from '../../chart/machines.ts';
import {
  isGuest,
  isRequest,
  isUnfinished,
  mainConversation,
  opensWallet,
} from '../../chart/main-conversation.ts';
import type { Navigation } from '../../incoming.ts';
import { currentScreen, offerOf } from '../../session/current-screen.ts';
import type { Session } from '../../session/session.ts';
import { follow, forgetNotice, handBack, interrupt, open, toMenu } from './follow.ts';
import type { StepEnv, Thought } from './thought.ts';

/** Screens of a reference that is open already. Nobody can cancel one, and a customer who gives it up must not believe so. */
const OF_OPEN_REFERENCES: ReadonlySet<string> = new Set<SentenceKey>([
  ...([
    'cash-in.alike',
    'cash-in.shown',
    'cash-out.alike',
    'cash-out.shown',
    'cash-out.askPinAgain',
  ] as const),
  ...(['references.list', 'references.withdrawalOpen', 'references.withdrawalAsKnown'] as const),
]);

/** Moves that work on every screen ("navigation is the same everywhere"). */
export async function go(session: Session, to: Navigation, env: StepEnv, typed?: string): Promise<Thought> {
  const { conversation } = session;
  const main = mainConversation(session);
  if (!conversation || !main) return toMenu(session, env);
  // In which language would the next screen be?
  if (!session.language && to !== 'more') return open(session, 'language', {}, env);
  if (typed && (to === 'back' || to === 'menu') && currentScreen(session).takesAnyNumber) {
    const event = { type: 'typedMove', text: typed, leads: to, at: env.now } as const;
    const step = tell(forgetNotice(conversation), event, env.now);
    if (step.isHandled) return follow(session, step, env);
  }
  switch (to) {
    case 'more':
      return { session, isUnderstood: true, turned: true };
    case 'back': {
      const step = tell(forgetNotice(conversation), { type: 'back', at: env.now }, env.now);
      if (step.isHandled) return follow(session, step, env);
      return isGuest(session) ? handBack(session, env) : out(session, main, env);
    }
    case 'menu':
      return out(session, main, env, leftAtPin(main, env));
    case 'cancel':
      return cancel(session, conversation, main, env);
    case 'help':
    case 'language': {
      if (conversation.machine === to) return open(session, to, {}, env);
      return interrupt(session, to, {}, env);
    }
  }
}

/** Gives up the request, unless money is under way. */
async function cancel(
  session: Session,
  conversation: Conversation,
  main: Conversation,
  env: StepEnv,
): Promise<Thought> {
  if (isGuest(session)) return handBack(session, env);
  // Money that is under way cannot be called back: its status is the answer.
  if (hasTag(main, 'sent')) {
    const { suspended: _shown, ...rest } = session;
    return follow(rest, { conversation: main, isHandled: true }, env);
  }
  // Nothing is under way: what was paid may be meant.
  if (conversation.machine === 'menu' && conversation.state === 'choosing')
    return interrupt(session, 'help', { filled: { help: { why: 'cancel' } } }, env);
  const given = stillAsked(conversation, main, env) ?? givenUp(main, env);
  // A customer with an open case calls that their request.
  const isCase = given?.key === 'nav.cancelled' && env.openCase !== undefined;
  return out(session, main, env, isCase ? { key: 'help.onlyNew' } : given);
}

/**
 * To the menu. Before there is one, nothing that was typed is lost: it leads to the offer to go on with the registration. If nothing
 * was typed yet, it leads to the very question that is left: one step back from there is out.
 */
async function out(session: Session, main: Conversation, env: StepEnv, notice?: Sentence): Promise<Thought> {
  const shown = screenOf(main);
  if (opensWallet(main) && shown && hasTag(main, 'resumable') && !notice)
    return open({ ...session, suspended: main }, 'resume', { broken: offerOf(main, shown) }, env);
  const thought = await toMenu(session, env, notice);
  const { conversation } = thought.session;
  const isSame = main.machine === 'onboarding' && !main.ended && conversation?.machine === main.machine;
  const step = isSame
    ? tell(notice ? conversation : forgetNotice(conversation), { type: 'back', at: env.now }, env.now)
    : undefined;
  return step?.isHandled ? follow(thought.session, step, env) : thought;
}

/** A payment whose PIN was asked for: its customer reads that nothing was debited. */
function leftAtPin(main: Conversation, env: StepEnv): Sentence | undefined {
  const isAsked = screenOf(main)?.expects === 'pin' && isPaymentKind(main.machine);
  const given = isAsked ? givenUp(main, env) : undefined;
  return given?.key === 'nav.cancelled' ? undefined : given;
}

/** A payment is named once it is ordered. That nothing was debited is said of one that was quoted, and that has no other one just like it. */
function givenUp(conversation: Conversation, { isMade }: StepEnv): Sentence | undefined {
  if (conversation.machine === 'closing' && isUnfinished(conversation)) return { key: 'closing.kept' };
  const stays = staysIn(conversation);
  if (stays || !isRequest(conversation)) return stays;
  const { key, values = {} } = screenOf(conversation) ?? {};
  const { machine } = conversation;
  // Some screens of the paying tail come before the quote.
  const isOrdered = values.fees || key?.startsWith('pay.');
  if (!isPaymentKind(machine) || !values.amount || !isOrdered) return { key: 'nav.cancelled' };
  const { quote } = conversation.context as Pick<Paying, 'quote'>;
  const isAlone = quote?.alike.length === 0 && !isMade(conversation);
  return { key: `${machine}.${isAlone ? 'cancelled' : 'givenUp'}`, values };
}

/** Nobody takes back what an adviser was asked for: it stays open, whatever else is given up. */
function stillAsked(conversation: Conversation, main: Conversation, env: StepEnv): Sentence | undefined {
  if (conversation.machine !== 'help' || conversation.state !== 'asked') return undefined;
  const given = givenUp(main, env);
  if (!given) return { key: 'help.staysOpen' };
  return given.key === 'nav.cancelled' ? { key: 'help.onlyNew' } : undefined;
}

/** The sentence about a reference that stays valid, in place of "given up". */
function staysIn(conversation: Conversation): Sentence | undefined {
  const isOpen = OF_OPEN_REFERENCES.has(screenOf(conversation)?.key ?? '');
  return isOpen ? { key: 'references.stays' } : undefined;
}
