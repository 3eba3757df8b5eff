import { CARDS, type Sentence } from '../../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../../machines/kit/sentence-key.ts';
import type { Centimes } from '../../../wallet/money.ts';
import { type Conversation, hasTag, screenOf } from '../../chart/machines.ts';
import type { Input } from '../../incoming.ts';
import { currentScreen, MENUS, offerOf } from '../../session/current-screen.ts';
import { keepMissed, showMissed } from '../../session/missed-messages.ts';
import type { Session } from '../../session/session.ts';
import { open, toMenu } from './follow.ts';
import type { StepEnv, Thought } from './thought.ts';

/** A PIN that was wrong, with tries left, is not said again above the offer to go on. */
const TOLD_ONCE: ReadonlySet<string> = new Set<SentenceKey>(['pin.wrong', 'pin.wrongWithTries']);

/** Inputs that answer a screen, even one that is gone. */
const ANSWERS = new Set<Input['type']>(['said', 'secret', 'chose', 'picked', 'tapped', 'carded']);

/** Someone without a conversation: new here, or one that ended while they were away. */
export function arrive(session: Session, input: Input, env: StepEnv, isExplicit = false): Promise<Thought> {
  if (input.type === 'speaks')
    return arrive({ ...session, language: input.language }, { type: 'opened' }, env);
  const next = input.type === 'dialed' ? dialledTo(session, isExplicit) : session;
  if (!next.language) return open(next, 'language', {}, env);
  const goesOn = ANSWERS.has(input.type);
  const key = session.expired === 'elsewhere' ? 'resume.elsewhere' : 'nav.expired';
  return toMenu(next, env, goesOn && session.expired ? { key } : undefined);
}

/**
 * A new USSD session: what was missed, then the offer to go on, or the menu.
 * @param isExplicit the dial says what it is for
 */
export async function redial(session: Session, env: StepEnv, isExplicit: boolean): Promise<Thought> {
  if (!session.language) return open(dialledTo(session, isExplicit), 'language', {}, env);
  // A conversation that can be resumed has sent nothing: the payment that this address waits for is another conversation's.
  const { suspended, without: _perhapsEnabled, intent: _other, ...rest } = dialledTo(session, isExplicit);
  const broken = suspended ?? session.conversation;
  const shown = broken && screenOf(broken);
  const amount = broken && amountToSend(broken);
  const isBegun = broken && (hasTag(broken, 'resumable') || amount !== undefined);
  const isOpen = isBegun && !broken.ended && !env.isMade(broken);
  if (broken && shown && isOpen && !isExplicit) {
    // The result of the last PIN is shown again where its customer may not know it. One that was no PIN has cost no try, and a code is sent anew.
    const { expects, notice } = shown;
    const wasTold = notice && TOLD_ONCE.has(notice.key) && session.shown?.screen === session.screen;
    const aboutPin = expects === 'pin' && notice && notice.key !== 'pin.format' && !wasTold && { notice };
    const link = CARDS.has(expects) && {
      aside: { ...broken, askedOn: broken.askedOn ?? session.screen },
      offer: { key: 'card-cash-in.resumeLink', ...(shown.values && { values: shown.values }) } as const,
    };
    const { aside, offer } = link || { aside: broken, offer: amount ?? offerOf(broken, shown) };
    return open({ ...rest, suspended: aside }, 'resume', { broken: offer, ...aboutPin }, env);
  }
  return toMenu(rest, env, broken && unsaid(session, broken));
}

/** The offer to go on with an order that has named an amount, and nobody who can be paid yet. */
function amountToSend({ machine, context: { amount, to } }: Conversation): Sentence | undefined {
  return machine === 'transfer' && typeof amount === 'number' && to === undefined
    ? { key: 'transfer.resumeAmount', values: { amount: { money: amount as Centimes } } }
    : undefined;
}

/**
 * Missed messages wait for a plain dial: the first page of a longer one stands alone on its page, and a PIN would turn to the next. It also
 * waits for the choice of a language, to be told in that.
 */
function dialledTo(session: Session, isExplicit: boolean): Session {
  return isExplicit || !session.language ? keepMissed(session) : showMissed(session);
}

/** The result of a request that nobody has seen. Only what may be read without a PIN is shown again. */
function unsaid(session: Session, conversation: Conversation): Sentence | undefined {
  const shown = screenOf(conversation);
  if (!shown || !session.outbox?.some(({ screenId }) => screenId === session.screen)) return undefined;
  if (!hasTag(conversation, 'news')) return conversation.machine === 'menu' ? shown.notice : undefined;
  return { key: shown.key, ...(shown.values && { values: shown.values }) };
}

/** Before the menu, offers to go on with a conversation from another channel. It stays there until the customer goes on with it here. */
export async function offerResume(thought: Thought, env: StepEnv): Promise<Thought> {
  const { conversation } = thought.session;
  const { key, notice } = currentScreen(thought.session);
  if (!conversation || thought.call || !MENUS.has(key)) return thought;
  const taken = await env.findResumeOffer();
  const shown = taken && screenOf(taken.conversation);
  if (!taken || !shown) return thought;
  const broken = offerOf(taken.conversation, shown);
  const suspended = taken.conversation;
  const offered = { from: taken.from.address, screen: taken.from.session.screen };
  return open(
    { ...thought.session, suspended, offered },
    'resume',
    { broken, ...(notice && { notice }) },
    env,
  );
}

/** The offered conversation goes on here, and ends there. If it has gone on there meanwhile, the customer is at the menu. */
export async function takeOffered(before: Session, thought: Thought, env: StepEnv): Promise<Thought> {
  const { offered, ...session } = thought.session;
  if (!offered || session.suspended) return thought;
  // Of an offer that has expired nothing goes on.
  if (!before.suspended) return { ...thought, session };
  const taken = await env.findResumeOffer(offered);
  return taken ? { ...thought, session, taken } : toMenu(session, env, { key: 'nav.stale' });
}
