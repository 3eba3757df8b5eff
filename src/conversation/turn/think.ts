import { type Ending, type Start, wishOf } from '../../../machines/kit/conversation.ts';
import { type Screen, SECRETS, type Sentence } from '../../../machines/kit/screen.ts';
import type { FilesWith } from '../../../machines/kit/sentence-key.ts';
import { isPaymentKind } from '../../payments/payments.ts';
import { ownWallet } from '../channel.ts';
import {
  answer,
  begin,
  type Conversation,
  hasTag,
  type Invoked,
  type Step,
  screenOf,
  tell,
} from '../chart/machines.ts';
import { INTERRUPTIONS, isUnfinished, matterOf } from '../chart/matter.ts';
import type { Address, Incoming, Language, Navigation, Raw } from '../incoming.ts';
import type { Secrets } from '../secrets.ts';
import { showMissed, withoutShown } from '../session/missed.ts';
import type { Session } from '../session/session.ts';
import { type Loaded, linkExpired, lockedAgain, unlinked, withoutWallet } from '../session/sessions.ts';
import { isBlind, later, meantIn, talkScreen } from '../session/talk.ts';
import { readShortcut, type Shortcut } from '../shortcuts/shortcut.ts';
import { hear, PHOTO_LATER, shortcutOf, TEXT_MAX_CHARS } from './hear.ts';
import { tapped } from './keypad.ts';

/** How many conversations and reads may follow one another in one step before it is taken for a loop. */
const FOLLOW_MAX = 20;
/** What a step needs of its surroundings. `read` runs a read effect, or gives undefined for any other kind. */
export interface Surroundings {
  readonly address: Address;
  readonly now: number;
  readonly secrets: Secrets;
  /** There are support agents. */
  readonly advisers: boolean;
  /** A payment of this wallet is under way, and no other one could be made now. */
  readonly busy: boolean;
  readonly read: (session: Session, invoked: Invoked) => Promise<{ output: unknown } | undefined>;
}

/** What a step makes of a session. Nothing is written yet. */
export interface Thought {
  readonly session: Session;
  /** A guarded or money call that the conversation waits for. */
  readonly call?: Invoked;
  /** Said above the screen once, and not kept. */
  readonly notice?: Sentence;
  /** True when the input meant something here. */
  readonly heard: boolean;
  /** True when the customer only turned the page. */
  readonly turned?: true;
  /** It was said to a person: the bot has nothing to answer. */
  readonly toPerson?: true;
}

/** Carries one input to the next screen, or to the guarded call before it. */
export async function think(session: Session, incoming: Incoming, around: Surroundings): Promise<Thought> {
  const dialed = incoming.dialog !== undefined && incoming.dialog !== session.dialog;
  const { unseen: _now, ...seen } = session;
  const before = linkExpired(seen, around) ? lockedAgain(seen) : seen;
  const raws: readonly Raw[] = dialed ? [{ type: 'dialed' }, ...incoming.inputs] : incoming.inputs.slice(-1);
  let thought: Thought = {
    session: {
      // Only an answer proves that what a dial has shown was seen: another dial shows it again.
      ...(dialed ? before : withoutShown(before)),
      page: 0,
      at: around.now,
      ...(incoming.dialog !== undefined && { dialog: incoming.dialog }),
      ...(!session.language && incoming.language && { language: incoming.language }),
    },
    heard: true,
  };
  if (!dialed && isBlind(session, incoming, raws.at(-1)))
    return { session: showMissed(thought.session), heard: false };
  // A button that turns the page of a list opens nothing.
  const isContact = dialed || (raws[0]?.type === 'opened' && incoming.answers === undefined);
  if (thought.session.owner) {
    const meant = await hearForPerson(thought.session, raws.at(-1) ?? { type: 'opened' }, around);
    return isContact ? beginsContact(meant) : meant;
  }
  for (const [i, raw] of raws.entries()) {
    if (i > 0 && !goesOn(thought)) break;
    thought = await take(thought.session, raw, around);
  }
  // The next page of the same screen: nothing else changes, not even what a dial has shown.
  if (thought.turned) return { ...thought, session: { ...session, at: around.now, page: session.page + 1 } };
  return isContact ? beginsContact(thought) : thought;
}

/** The screen that a dial or an opened chat has led to: payments that are open are named on it. */
function beginsContact(thought: Thought): Thought {
  const { session } = thought;
  return { ...thought, session: { ...session, contact: session.screen } };
}

/** A deep dial is followed until a mistake, a question that came in between, or a secret: that one is always asked. */
function goesOn({ session, call, heard }: Thought): boolean {
  const { expects, notice } = currentScreen(session);
  const asked = INTERRUPTIONS.has(session.conversation?.machine ?? '') || SECRETS.has(expects);
  return heard && !call && !asked && !notice;
}

/** While a person talks to the customer the bot only hears whether it is wanted back. */
async function hearForPerson(session: Session, raw: Raw, around: Surroundings): Promise<Thought> {
  const { owner } = session;
  const meant = owner ? meantIn(owner, raw) : 'leaves';
  if (meant === 'words') return { session, heard: true, toPerson: true };
  if (meant !== 'nothing') return goOn(session, around, meant === 'toMenu');
  if (raw.type === 'dialed') return { session: showMissed(session), heard: true };
  return { session, heard: raw.type === 'opened' };
}

/**
 * The bot goes on where an agent has paused it, or at the menu where nothing is to be gone on with. For the conversation
 * no time has passed.
 */
export function goOn(session: Session, around: Surroundings, toTheMenu = false): Promise<Thought> {
  const { owner, ...rest } = session;
  const { conversation, suspended } = rest;
  const matter = matterOf(session);
  const left: Sentence = { key: 'support.left' };
  if (!conversation || !matter || !isUnfinished(matter) || toTheMenu) {
    return toMenu({ ...rest, at: around.now }, around, left);
  }
  const pausedMs = around.now - (owner?.since ?? around.now);
  const { context, ...paused } = later(conversation, pausedMs);
  const resumed: Session = {
    ...rest,
    at: around.now,
    conversation: { ...paused, context: { ...context, notice: left } },
    ...(suspended && { suspended: later(suspended, pausedMs) }),
  };
  return Promise.resolve({ session: shownAnew(resumed), heard: true });
}

async function take(session: Session, raw: Raw, around: Surroundings): Promise<Thought> {
  const { conversation } = session;
  if (raw.type === 'tapped' && session.keypad) {
    const tap = tapped(session, raw.position, around);
    if (tap?.pin !== undefined) return take(tap.session, { type: 'said', text: tap.pin }, around);
    if (tap) return { session: tap.session, heard: true };
  }
  if (!conversation) {
    const shortcut = wishIn(raw);
    if (shortcut) return toMenu(session, around, undefined, shortcut);
    const started = await arrive(session, raw, around);
    return raw.type === 'went' && raw.to !== 'menu' ? go(started.session, raw.to, around) : started;
  }
  const meaning = hear(raw, currentScreen(session), around.address, around.now, around.secrets);
  switch (meaning.kind) {
    case 'unclear':
      return { session, notice: meaning.notice, heard: false };
    case 'speaks':
      return { session: { ...session, language: meaning.language }, heard: true };
    case 'opened': {
      // The screen on show is shown again. What is said of money waits until the page has seen it: this answer may be lost.
      const outbox = session.outbox?.filter(({ screenId, money }) => screenId === undefined || money) ?? [];
      return { session: { ...session, outbox }, heard: true };
    }
    case 'dialed':
      return redial(session, around);
    case 'went':
      return go(session, meaning.to, around, meaning.typed);
    case 'wants':
      if (raw.type === 'photo' && !takesPhotos(session)) return { session, ...PHOTO_LATER, heard: false };
      return toMenu(session, around, undefined, meaning.shortcut);
    case 'event': {
      const step = tell(forgetNotice(conversation), meaning.event, around.now);
      if (!step.heard) return { session, notice: { key: 'nav.notUnderstood' }, heard: false };
      return follow(session, step, around);
    }
  }
}

/** What somebody without a conversation asks for at once. */
function wishIn(raw: Raw): Shortcut | undefined {
  if (raw.type === 'photo') return shortcutOf(raw.qr);
  return raw.type === 'said' ? readShortcut(raw.text.slice(0, TEXT_MAX_CHARS)) : undefined;
}

/** A photo starts nothing while money is under way, nor before the wallet is the customer's own here. */
function takesPhotos(session: Session): boolean {
  const matter = matterOf(session);
  return session.linked === true && !(matter && hasTag(matter, 'sent'));
}

/** What answers a screen, even one that is gone. */
const ANSWERS: ReadonlySet<Raw['type']> = new Set(['said', 'chose', 'picked', 'tapped']);

/** Someone without a conversation: new here, or one that ended while they were away. */
function arrive(session: Session, raw: Raw, around: Surroundings): Promise<Thought> {
  if (raw.type === 'speaks')
    return arrive({ ...session, language: raw.language }, { type: 'opened' }, around);
  if (!session.language) return open(session, 'language', {}, around);
  const next = raw.type === 'dialed' ? showMissed(session) : session;
  const goesOn = ANSWERS.has(raw.type);
  return toMenu(next, around, goesOn && session.expired ? { key: 'nav.expired' } : undefined);
}

/** A new USSD session: what was missed, then the offer to go on, or the menu. */
async function redial(session: Session, around: Surroundings): Promise<Thought> {
  if (!session.language) return open(showMissed(session), 'language', {}, around);
  const { suspended, without: _perhapsEnabled, ...rest } = showMissed(session);
  const broken = suspended ?? session.conversation;
  const shown = broken && screenOf(broken);
  if (broken && shown && !broken.ended && hasTag(broken, 'resumable')) {
    const offer: Sentence = { key: resumeOf(broken), ...(shown.values && { values: shown.values }) };
    // What became of the last PIN is said again: it may have cost a try.
    const aboutPin = SECRETS.has(shown.expects) && shown.notice && { notice: shown.notice };
    return open({ ...rest, suspended: broken }, 'resume', { broken: offer, ...aboutPin }, around);
  }
  return toMenu(rest, around, broken && unsaid(session, broken));
}

/** The sentence that offers to go on. Every machine with a resumable state has one (`test/sentences.test.ts`). */
function resumeOf({ machine }: Conversation): `${FilesWith<'resume'>}.resume` {
  return `${machine as FilesWith<'resume'>}.resume`;
}

/** What became of a request while nobody was there to hear it. Only what may be read without a PIN is said again. */
function unsaid(session: Session, conversation: Conversation): Sentence | undefined {
  const shown = screenOf(conversation);
  if (!shown || !session.outbox?.some(({ screenId }) => screenId === session.screen)) return undefined;
  if (!hasTag(conversation, 'news')) return conversation.machine === 'menu' ? shown.notice : undefined;
  return { key: shown.key, ...(shown.values && { values: shown.values }) };
}

/** Moves that work on every screen (design rule 11). */
async function go(session: Session, to: Navigation, around: Surroundings, typed?: string): Promise<Thought> {
  const { conversation } = session;
  const matter = matterOf(session);
  if (!conversation || !matter) return toMenu(session, around);
  if (typed && (to === 'back' || to === 'menu') && currentScreen(session).takesAnyNumber) {
    const event = { type: 'typedMove', text: typed, leads: to, at: around.now } as const;
    const step = tell(forgetNotice(conversation), event, around.now);
    if (step.heard) return follow(session, step, around);
  }
  switch (to) {
    case 'more':
      return { session, heard: true, turned: true };
    case 'back': {
      const step = tell(forgetNotice(conversation), { type: 'back', at: around.now }, around.now);
      return step.heard ? follow(session, step, around) : toMenu(session, around);
    }
    case 'menu':
      return toMenu(session, around);
    case 'cancel': {
      // Money that is under way cannot be called back: its status is the answer.
      if (hasTag(matter, 'sent')) {
        const { suspended: _shown, ...rest } = session;
        return follow(rest, { conversation: matter, heard: true }, around);
      }
      return toMenu(session, around, isUnfinished(matter) ? { key: 'nav.cancelled' } : undefined);
    }
    case 'help':
    case 'language': {
      if (conversation.machine === to) return open(session, to, {}, around);
      // An interruption of an interruption leads back to what was interrupted first.
      const suspended = matter === conversation ? conversation : session.suspended;
      return open({ ...session, ...(suspended && { suspended }) }, to, {}, around);
    }
  }
}

/** @param shortcut what the customer asked for in one line: begun at once where the menu would offer it */
export function toMenu(
  session: Session,
  around: Surroundings,
  notice?: Sentence,
  shortcut?: Shortcut,
): Promise<Thought> {
  const { suspended: _left, intent: _told, expired: _said, ...rest } = session;
  const wanted = shortcut && { wanted: shortcut.machine, filled: shortcut.filled };
  // What is asked for is not forgotten over the choice of a language.
  const first = wanted && !session.language ? 'language' : 'menu';
  return open(rest, first, { ...(notice && { notice }), ...wanted }, around);
}

function open(
  session: Session,
  machine: string,
  start: Partial<Start>,
  around: Surroundings,
): Promise<Thought> {
  return follow(session, begin(machine, { ...startOf(session, around), ...start }, around.now), around);
}

/**
 * Goes on from a transition until the conversation waits for the customer or for a guarded call: runs reads, leads from
 * an ended conversation to the next.
 */
export async function follow(session: Session, first: Step, around: Surroundings): Promise<Thought> {
  let step = first;
  let now: Session = { ...session, conversation: step.conversation };
  for (let i = 0; i < FOLLOW_MAX; i++) {
    if (step.invoked) {
      const read = await around.read(now, step.invoked);
      if (!read) return { session: shownAnew(now), call: step.invoked, heard: true };
      step = answer(step.conversation, step.invoked.id, read.output, around.now);
      now = { ...now, conversation: step.conversation };
      continue;
    }
    const { ended } = step.conversation;
    if (!ended) return { session: shownAnew(now), heard: true };
    now = withFacts(now, ended, around);
    if (screenOf(step.conversation)) return { session: shownAnew(now), heard: true };
    [now, step] = leadOn(now, ended, around);
  }
  throw new Error(`${first.conversation.machine} does not come to rest`);
}

/** What an ended conversation has found out about the customer. */
function withFacts(session: Session, ending: Ending, { address, now: at }: Surroundings): Session {
  return {
    ...(ending.closed ? withoutWallet(session, address) : ending.unlinked ? unlinked(session) : session),
    ...(ending.language && { language: ending.language }),
    ...(ending.consent && { consent: { version: ending.consent, at } }),
    ...(ending.proven && { wallet: ending.proven }),
    ...(ending.linked && { linked: true }),
    ...(ending.notEnabled && { without: [...(session.without ?? []), ending.notEnabled] }),
  };
}

/** Where an ended conversation without a last screen leads. */
function leadOn(session: Session, ending: Ending, around: Surroundings): [Session, Step] {
  const { now: at } = around;
  const { suspended, ...rest } = session;
  if (ending.resume && suspended) {
    const again = forgetNotice(suspended);
    const resumed = ending.resume === 'fromCheckpoint' ? tell(again, { type: 'resumed', at }, at) : undefined;
    const step = resumed ?? { conversation: again, heard: true };
    return [{ ...rest, conversation: step.conversation }, step];
  }
  const { next = 'menu', status, notice } = ending;
  const start = {
    ...startOf(session, around),
    ...(status !== undefined && { status }),
    ...(notice && { notice }),
    ...wishOf(ending),
  };
  const step = begin(next, start, at);
  // Whoever would be kept waiting after the PIN is told so before the first question.
  const conversation =
    around.busy && isPaymentKind(next) && !step.invoked
      ? withNotice(step.conversation, { key: 'pay.busy' })
      : step.conversation;
  return [
    { ...rest, conversation },
    { ...step, conversation },
  ];
}

function startOf({ wallet, linked, without }: Session, { address, advisers }: Surroundings): Start {
  return {
    linked: linked ?? false,
    ...(advisers && { advisers }),
    ...(linked && !ownWallet(address) && { canUnlink: true }),
    ...(wallet && { wallet }),
    ...(without && { without }),
  };
}

/** The screen a session stands on. */
export function currentScreen({ conversation, owner }: Session): Screen {
  if (owner) return talkScreen(owner);
  const screen = conversation && screenOf(conversation);
  return screen ?? { key: 'nav.unavailable', expects: 'nothing' };
}

/** Buttons of the screen before are stale from here on. */
function shownAnew(session: Session): Session {
  return { ...session, screen: session.screen + 1 };
}

/** What the conversation itself has to say first stands. */
function withNotice(conversation: Conversation, notice: Sentence): Conversation {
  const { context } = conversation;
  return context.notice === undefined ? { ...conversation, context: { ...context, notice } } : conversation;
}

function forgetNotice(conversation: Conversation): Conversation {
  if (conversation.context.notice === undefined) return conversation;
  const { notice: _said, ...context } = conversation.context;
  return { ...conversation, context };
}

/** The language to speak: the customer's, or the one that is configured. */
export function languageOf({
  session,
  defaultLanguage,
}: Pick<Loaded, 'session' | 'defaultLanguage'>): Language {
  return session.language ?? defaultLanguage;
}
