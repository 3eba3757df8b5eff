import { stoppedOf } from '../../../../machines/help.ts';
import { type Ending, type Filled, type Start, wishOf } from '../../../../machines/kit/conversation.ts';
import type { Screen, Sentence } from '../../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../../machines/kit/sentence-key.ts';
import { BUSY } from '../../../../machines/kit/stopped.ts';
import { isPaymentKind, methodOf, paysIn } from '../../../payments/payments.ts';
import { refusalCode } from '../../../wallet/contract/errors.ts';
import { abilitiesOf, canPush, numberOf } from '../../channel.ts';
import { answer, begin, type Conversation, hasTag, type Step, screenOf, tell } from '../../chart/machines.ts';
import {
  GUESTS,
  INTERRUPTIONS,
  isGuest,
  isStoppedByFreeze,
  isUnfinished,
  mainConversation,
  mayPause,
  opensWallet,
} from '../../chart/main-conversation.ts';
import { atHold, currentScreen, held, isHeld, lockedIn, offerOf } from '../../session/current-screen.ts';
import { showMissed } from '../../session/missed-messages.ts';
import { mayView, type Session } from '../../session/session.ts';
import { unlinked, withoutWallet } from '../../session/sessions.ts';
import { later } from '../../session/talk.ts';
import type { Shortcut } from '../../shortcuts/shortcut.ts';
import type { StepEnv, Thought } from './thought.ts';

/** How many conversations and reads may follow one another in one step before it is taken for a loop. */
const FOLLOW_MAX = 20;

/** How it was is not asked about a case that was dealt with longer ago. */
const RATES_MS = 3 * 24 * 3_600_000;

/**
 * The bot continues where an agent has paused it, or at the menu where no conversation is unfinished. For the conversation
 * no time has passed.
 * @param to where the customer wants to go: to the menu, or to say that their request is settled
 * @param says that the agent is with them no more
 */
export async function goOn(
  session: Session,
  env: StepEnv,
  to?: 'menu' | 'rating',
  says: Sentence | false = { key: 'support.left' },
): Promise<Thought> {
  // A person has been in between: the statement takes a PIN again.
  const { owner, viewed: _before, ...rest } = session;
  const { conversation } = rest;
  const main = mainConversation(session);
  const left = says ? { notice: says } : {};
  if (!conversation || !main || !isUnfinished(main) || to === 'menu') {
    const { suspended: _left, ...ended } = { ...rest, at: env.now };
    if (to === 'rating') return open(ended, 'rating', left, env);
    const thought = await toMenu(ended, env, left.notice);
    // Where nothing can be shown they are asked when they come.
    return canPush(env.address, session, env.now) ? askHow(thought, env) : thought;
  }
  const pausedMs = env.now - (owner?.since ?? env.now);
  // Help has led to this person: its screen would promise that one comes.
  const { suspended: interrupted, ...others } = rest;
  const isHelped = conversation.machine === 'help' && interrupted !== undefined;
  const { context, ...paused } = later(isHelped ? interrupted : conversation, pausedMs);
  const { notice: _said, ...known } = context;
  const resumed: Session = {
    ...others,
    at: env.now,
    conversation: { ...paused, context: { ...known, ...left } },
    ...(interrupted && !isHelped && { suspended: later(interrupted, pausedMs) }),
  };
  if (to !== 'rating') return { session: asNewScreen(resumed), isUnderstood: true };
  const waits = resumed.suspended ?? resumed.conversation;
  return open({ ...resumed, ...(waits && { suspended: waits }) }, 'rating', {}, env);
}

/** The bot continues though no agent has ended the talk: the request stays open, so nobody is asked yet how it was dealt with. */
export function goOnWithout(
  { rates: _later, ...session }: Session,
  env: StepEnv,
  to?: 'menu',
): Promise<Thought> {
  const { openCase } = env;
  const isOpen: Sentence | undefined = openCase
    ? { key: 'help.isOpen', values: { case: { code: openCase } } }
    : undefined;
  return goOn(session, env, to, isOpen);
}

/**
 * Asks a customer who would be at the menu how an adviser has dealt with their request, if one has: nobody is kept from a request that
 * is under way.
 */
export function askHow(thought: Thought, env: StepEnv): Promise<Thought> | Thought {
  const { rates, conversation: suspended } = thought.session;
  const { key, notice } = currentScreen(thought.session);
  if (!rates || !thought.isUnderstood || thought.call || key !== 'menu.choose') return thought;
  if (env.now - rates.at > RATES_MS) return thought;
  const waits = { ...thought.session, ...(suspended && { suspended }) };
  return open(waits, 'rating', { case: rates.case, ...(notice && { notice }) }, env);
}

/** @param shortcut what the customer asked for in one line: begun at once where the menu would offer it */
export function toMenu(
  session: Session,
  env: StepEnv,
  notice?: Sentence,
  shortcut?: Shortcut,
): Promise<Thought> {
  const { suspended: _left, offered: _there, intent: _known, expired: _said, ...rest } = session;
  const wanted = shortcut && {
    wanted: offeredFor(env, shortcut.machine, currentScreen(session).key),
    filled: shortcut.filled,
  };
  // A customer who has to choose a language first still gets what they asked for.
  const first = wanted && !session.language ? 'language' : 'menu';
  return open(rest, first, { ...(notice && { notice }), ...wanted }, env);
}

/** An agent who speaks of cash means a customer's, not that of their own wallet, unless its menu is on show. */
const AT_COUNTER: ReadonlyMap<string, string> = new Map([
  ['cash-in', 'agent-cash-in'],
  ['cash-out', 'agent-cash-out'],
  ['references', 'agent-check'],
]);
const OWN_MENU = 'menu.choose';

/**
 * Only a merchant sends documents: anybody else who names them is at the same place of the menu, and raises their level.
 * @param from the screen on show
 */
function offeredFor(env: StepEnv, machine: string, from: string): string {
  const served = AT_COUNTER.get(machine);
  if (served !== undefined && env.agent() !== undefined && from !== OWN_MENU) return served;
  return machine === 'documents' && !env.isMerchant() ? 'upgrade' : machine;
}

/** Only a merchant pays back: `rembourser` of anybody else is about what they have paid. */
export function isOwnRefund({ linked }: Session, { machine }: Shortcut, env: StepEnv): boolean {
  return machine === 'merchant-refund' && linked === true && !env.isMerchant();
}

/** Begins a conversation in place of the one under way. */
export function open(
  session: Session,
  machine: string,
  start: Partial<Start>,
  env: StepEnv,
): Promise<Thought> {
  const { next, refusing } = unlessFrozen(machine, start.filled, env);
  const begun = { ...startOf(session, next, env), ...start, ...refusing };
  return follow(session, begin(next, begun, env.now, env.begins), env, !start.filled?.looksBack);
}

/** The gate of a freeze: nothing is asked for what it stops, and the way to thaw comes in its place. What was paid before can be looked at. */
function unlessFrozen(machine: string, filled: Filled | undefined, { isFrozen }: StepEnv) {
  const isStopped = isFrozen && isStoppedByFreeze(machine) && !filled?.looksBack;
  return isStopped
    ? {
        next: 'freeze',
        refusing: { filled: { refuses: true as const, stopped: stoppedOf(machine, filled) } },
      }
    : { next: machine };
}

/** Begins a conversation that hands back. An interruption of an interruption leads back to what was interrupted first. */
export function interrupt(
  session: Session,
  machine: string,
  start: Partial<Start>,
  env: StepEnv,
): Promise<Thought> {
  const main = mainConversation(session);
  const suspended = main && atHold(session) ? held(main) : main;
  return open({ ...session, ...(suspended && { suspended }) }, machine, start, env);
}

/**
 * Goes on from a transition until the conversation waits for the customer or for a guarded call: runs reads, leads from
 * an ended conversation to the next.
 * @param starts a request is at its start here: another payment that is under way can hold it back
 */
export async function follow(session: Session, first: Step, env: StepEnv, starts = false): Promise<Thought> {
  // The last entry of a longer dial comes before the first question that its customer reads.
  let [step, isStart] = [first, starts || env.inDial === 'last'];
  let now: Session = { ...session, conversation: step.conversation };
  for (let i = 0; i < FOLLOW_MAX; i++) {
    if (step.invoked) {
      // It looks itself whether another payment holds this one back.
      isStart &&= step.invoked.src !== 'preview';
      const read = await env.read(now, step.invoked);
      if (!read) return { session: asNewScreen(now), call: step.invoked, isUnderstood: true };
      step = answer(step.conversation, step.invoked.id, read.output, env.now);
      now = { ...now, conversation: step.conversation };
      continue;
    }
    const { ended } = step.conversation;
    if (!ended)
      return isStart && isHeldBack(now, env)
        ? holdBack(now, env)
        : { session: asNewScreen(withLimit(now, env)), isUnderstood: true };
    now = withFacts(now, ended, env);
    if (screenOf(step.conversation)) return { session: asNewScreen(now), isUnderstood: true };
    isStart = leadsToStart(now, ended);
    [now, step] = leadOn(now, ended, env);
  }
  throw new Error(`${first.conversation.machine} does not come to rest`);
}

/** True where a request starts behind an ended conversation, or one comes back that was held back. Help gives a question back as it was. */
function leadsToStart({ suspended }: Session, { filled, resume }: Ending): boolean {
  return isHeld(suspended) || (!filled?.looksBack && resume !== 'asItWas');
}

/** The gate of a second payment: it would be kept waiting after the PIN, so it asks for nothing before. */
function isHeldBack({ conversation }: Session, { busy, inDial }: StepEnv): boolean {
  if (!busy || inDial === 'followed' || !conversation || hasTag(conversation, 'sent')) return false;
  return isPaymentKind(conversation.machine) && paysIn(conversation.machine);
}

/** The payment waits, with all that was ordered, behind the page that looks whether the other one is over. */
function holdBack({ conversation, ...rest }: Session, env: StepEnv): Promise<Thought> {
  const waits = conversation && { suspended: conversation };
  return open({ ...rest, ...waits }, 'resume', { broken: { key: BUSY } }, env);
}

/** Why large payments wait. */
const WHY_AT_MOST = ['newLink', 'newPin', 'newThaw'] as const;

/** The question for an amount says above which one payments wait, and why, before that is hit. */
function withLimit(session: Session, { atMost, address }: StepEnv): Session {
  const { conversation } = session;
  if (!conversation || currentScreen(session).expects !== 'amount') return session;
  const { machine: kind } = conversation;
  const { listed, ofAgent } = isPaymentKind(kind) ? methodOf({ kind }) : {};
  const leaves = listed ? listed.side !== 'credit' && !ofAgent : kind === 'cash-out';
  const { above, until, code } = (leaves && atMost()) || {};
  if (above === undefined || until === undefined) return session;
  const why = WHY_AT_MOST.find((name) => code === refusalCode(name)) ?? 'newLink';
  const values = { amount: { money: above }, until: { date: until } };
  // A page has no room for the end of it.
  const notice: Sentence =
    abilitiesOf(address).shows === 'messages'
      ? { key: 'pay.atMostUntil', values: { ...values, why: { say: `pay.${why}` } } }
      : { key: 'pay.atMost', values: { amount: values.amount } };
  return { ...session, conversation: withNotice(conversation, notice) };
}

/** Facts about the customer that an ended conversation has found. */
function withFacts(session: Session, ending: Ending, { address, now: at }: StepEnv): Session {
  const isFirst = ending.language !== undefined && !session.language && session.dialog !== undefined;
  // The dial that asked for the language told nothing yet. A longer one stands alone on its page.
  const known = isFirst && !ending.wanted ? showMissed(session) : session;
  return {
    ...(ending.closed ? withoutWallet(known, address) : ending.unlinked ? unlinked(known) : known),
    ...(ending.language && { language: ending.language }),
    ...(ending.consent && { consent: { version: ending.consent, at } }),
    ...(ending.proven && { wallet: ending.proven, ...(ending.provenBy && { provenBy: ending.provenBy }) }),
    ...(ending.linked && { linked: true }),
    ...(ending.notEnabled && { without: [...(session.without ?? []), ending.notEnabled] }),
  };
}

/** A guest hands back: the request goes on at its question, and a payment that was previewed is previewed again. */
export function handBack(session: Session, env: StepEnv): Promise<Thought> {
  const [now, step] = leadOn(session, { resume: 'fromCheckpoint' }, env);
  return follow(now, step, env, isHeld(session.suspended));
}

/** True where a customer has been asked how an adviser was: what they did before that is long ago. */
function wasSurveyed({ conversation, suspended }: Session): boolean {
  const isSurvey = conversation?.machine === 'rating' && conversation.context.case !== undefined;
  return isSurvey && suspended !== undefined && isUnfinished(suspended) && !hasTag(suspended, 'sent');
}

/** Their request is named before it goes on. One that was given nothing yet is left for the menu. */
function reminded(
  { suspended: _left, ...session }: Session,
  suspended: Conversation,
  { notice }: Ending,
  env: StepEnv,
): [Session, Step] {
  const shown = screenOf(suspended);
  const said = notice && { notice };
  if (!shown || !hasTag(suspended, 'resumable')) return leadOn(session, { next: 'menu', ...said }, env);
  const start = { ...startOf(session, 'resume', env), broken: offerOf(suspended, shown), ...said };
  const step = begin('resume', start, env.now, env.begins);
  return [{ ...session, suspended, conversation: step.conversation }, step];
}

/** The interrupted conversation goes on. */
function resumed(session: Session, suspended: Conversation, ending: Ending, env: StepEnv): [Session, Step] {
  const { suspended: _here, ...rest } = session;
  const { now: at } = env;
  const again = forgetNotice(suspended);
  const isAnew = ending.resume !== 'asItWas';
  const step = isAnew ? tell(again, { type: 'resumed', at }, at) : { conversation: again, isHandled: true };
  const isStopped = isGuest(session) && env.isFrozen && isPaymentKind(suspended.machine);
  const notice = isStopped ? ({ key: 'freeze.still' } as const) : ending.notice;
  const conversation = notice ? withNotice(step.conversation, notice) : step.conversation;
  return [
    { ...rest, conversation },
    { ...step, conversation },
  ];
}

/** The conversation after one that ended without a last screen: the suspended one, or the next. */
function leadOn(session: Session, ending: Ending, env: StepEnv): [Session, Step] {
  const { now: at } = env;
  const { suspended, ...rest } = session;
  const handsBack = ending.resume ?? (isGuest(session) && ending.next === undefined);
  // A receipt that was read before the help is not read again.
  const isReceipt = suspended?.ended !== undefined && isPaymentKind(suspended.machine);
  if (isReceipt && session.conversation?.machine === 'help' && handsBack)
    return leadOn(rest, { next: 'menu', ...(ending.notice && { notice: ending.notice }) }, env);
  if (suspended && handsBack)
    return wasSurveyed(session)
      ? reminded(session, suspended, ending, env)
      : resumed(session, suspended, ending, env);
  // A conversation that begins here waits for no payment: the one that the address waited for is in the wallet's book.
  const { intent: _before, offered: _there, via = [], ...left } = rest;
  // A conversation that names no next one was left at its first question: that is one step back, to the list that has led there.
  const guest = guestOf(session, ending);
  const { next: leads = via.at(-1) ?? 'menu', status, notice } = { ...ending, ...(guest && { next: guest }) };
  const { next, refusing } = unlessFrozen(leads, ending.filled, env);
  const lists = listsAfter(session, ending);
  // One interruption may lead to another: what they interrupt waits for both.
  const waits = (guest ?? INTERRUPTIONS.has(next)) && suspended ? { suspended } : {};
  const start = {
    ...startOf(session, next, env),
    ...(status !== undefined && { status }),
    ...(notice && { notice }),
    ...(ending.proven && { isProven: true }),
    ...(refusing ?? wishOf(ending)),
  };
  const step = begin(next, start, at, env.begins);
  const why = paysIn(next) && step.invoked?.src !== 'preview' ? whyNoPayment(env) : undefined;
  const conversation = why ? withNotice(step.conversation, { key: why }) : step.conversation;
  return [
    { ...left, ...waits, ...(lists.length > 0 && { via: lists }), conversation },
    { ...step, conversation },
  ];
}

/** A customer whose payment would be refused after the PIN reads so before the first question. */
function whyNoPayment({ isFrozen, cannotSend }: StepEnv): SentenceKey | undefined {
  if (isFrozen) return 'freeze.still';
  return cannotSend ? 'pay.notNow' : undefined;
}

/** The notice for a customer who has looked whether another payment still holds theirs back, and it does. */
export function stillBusy(before: Screen, session: Session): Sentence | undefined {
  const isStill = [before, currentScreen(session)].every(({ key }) => key === BUSY);
  return isStill ? { key: 'pay.stillBusy' } : undefined;
}

/** The guest that an interruption leads to. It hands back to what that has interrupted. */
function guestOf({ conversation, suspended, ...rest }: Session, ending: Ending): string | undefined {
  const { wanted = '', filled } = ending;
  const isAside = suspended !== undefined && INTERRUPTIONS.has(conversation?.machine ?? '');
  const isKept = isAside && GUESTS.has(wanted) && !filled?.thaws;
  return isKept && mayPause({ ...rest, conversation: suspended }) ? wanted : undefined;
}

/** The lists that have led to what follows an ended conversation. */
function listsAfter({ conversation, via = [] }: Session, { next }: Ending): readonly string[] {
  if (next === undefined) return via.slice(0, -1);
  return conversation && hasTag(conversation, 'list') ? [...via, conversation.machine] : [];
}

function startOf(session: Session, machine: string, env: StepEnv): Start {
  const { wallet, linked } = session;
  const { address, advisers, identifies, without: off } = env;
  const without = [...off, ...(session.without ?? [])];
  const [agent, principal] = [env.agent(), env.principal()];
  const isChat = abilitiesOf(address).shows === 'messages';
  const locked = lockedIn(session);
  return {
    linked: linked ?? false,
    ...(advisers && { advisers }),
    ...(machine === 'help' && env.openCase !== undefined && { case: env.openCase }),
    ...(env.isFrozen && { isFrozen: true }),
    ...(env.inDial === 'followed' && { isFollowed: true }),
    ...(mayView(session, env.now) && !env.isFrozen && { mayView: true }),
    ...(machine === 'help' && locked !== undefined && { locked }),
    ...(session.suspended && opensWallet(session.suspended) && { isOpening: true }),
    ...(identifies && { identifies }),
    ...(wallet && env.isMerchant() && { isMerchant: true }),
    ...(wallet && agent !== undefined && { agent }),
    ...(wallet && numberOf(address, session).provenBy === 'code' && { hadCode: true }),
    ...(wallet && isChat && principal !== undefined && { principal }),
    ...(isChat && { isChat: true }),
    ...(linked && numberOf(address, session).provenBy !== 'network' && { canUnlink: true }),
    ...(wallet && { wallet }),
    ...(without.length > 0 && { without }),
  };
}

/** Buttons of the screen before are stale from here on. How a case was is asked once. */
function asNewScreen({ rates, ...session }: Session): Session {
  const { machine, context } = session.conversation ?? {};
  // A rating that closes its case first has it in its context only then.
  const isAsked = machine === 'rating' && context?.case !== undefined;
  return { ...session, ...(rates && !isAsked && { rates }), screen: session.screen + 1 };
}

/** The conversation with a notice above its screen, unless it has one of its own. */
export function withNotice(conversation: Conversation, notice: Sentence): Conversation {
  const { context } = conversation;
  return context.notice === undefined ? { ...conversation, context: { ...context, notice } } : conversation;
}

/** The conversation without what was said above its last screen: it is said once. */
export function forgetNotice(conversation: Conversation): Conversation {
  if (conversation.context.notice === undefined) return conversation;
  const { notice: _said, ...context } = conversation.context;
  return { ...conversation, context };
}
