import type { Offer } from '../../../../machines/kit/conversation.ts';
import type { MachineEvent } from '../../../../machines/kit/input.ts';
import { type Choice, PINS, type Screen, type Sentence } from '../../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../../machines/kit/sentence-key.ts';
import { isPaymentKind } from '../../../payments/payments.ts';
import { latinDigits } from '../../../wallet/digits.ts';
import { readPhone } from '../../../wallet/phone.ts';
import { abilitiesOf } from '../../channel.ts';
import { type Conversation, hasTag, tell } from '../../chart/machines.ts';
import {
  GUESTS,
  isGuest,
  isRequest,
  mainConversation,
  mayLeave,
  mayPause,
  opensWallet,
} from '../../chart/main-conversation.ts';
import { wasNotRead } from '../../chart/releases.ts';
import type { Incoming, Input } from '../../incoming.ts';
import { messageFor } from '../../session/attachment.ts';
import { typedChoice } from '../../session/choice.ts';
import {
  atHold,
  atLink,
  currentScreen,
  hasAnswered,
  isHeld,
  lockedIn,
  MENUS,
  offerOf,
  receiptBehind,
} from '../../session/current-screen.ts';
import { tapped } from '../../session/keypad.ts';
import { showMissed, withoutShown } from '../../session/missed-messages.ts';
import { enqueue, type Session } from '../../session/session.ts';
import { interpret, isBlind, withCustomerReply } from '../../session/talk.ts';
import { namesPayee, readShortcut, type Shortcut, shortcutOfQr } from '../../shortcuts/shortcut.ts';
import type { Several } from '../../shortcuts/understand.ts';
import { languageOfWords } from '../../shortcuts/vocabulary.ts';
import type { InputMeaning } from '../read/input-meaning.ts';
import { navigationOf, PHOTO_LATER, readInput, WRONG_NUMBER } from '../read/read-input.ts';
import { HAS_LETTER, TEXT_MAX_CHARS } from '../read/typed-request.ts';
import { secretIn } from '../read/typed-secret.ts';
import { arrive, offerResume, redial, takeOffered } from './arrival.ts';
import { filledBy, mayContinue, picksFromList } from './dial.ts';
import {
  askHow,
  follow,
  forgetNotice,
  goOn,
  goOnWithout,
  handBack,
  interrupt,
  isOwnRefund,
  open,
  stillBusy,
  toMenu,
  withNotice,
} from './follow.ts';
import { go } from './navigate.ts';
import { isAskedAgain, offerIn, repaired } from './repair.ts';
import type { StepEnv, Thought } from './thought.ts';

/** Carries one input to the next screen, or to the guarded call before it. */
export async function think(before: Session, incoming: Incoming, env: StepEnv): Promise<Thought> {
  // A card answers the question that has asked for it, also where a dial has put that aside. The screen on show is gone then.
  const isCard = incoming.inputs.at(-1)?.type === 'carded';
  const session = isCard ? { ...atLink(before, before.suspended?.askedOn), screen: before.screen } : before;
  const dialed = incoming.dialog !== undefined && incoming.dialog !== session.dialog;
  const { unseen: _now, afterPin, ...seen } = session;
  const inputs: readonly Input[] = dialed
    ? [{ type: 'dialed' }, ...incoming.inputs]
    : incoming.inputs.slice(-1);
  let thought: Thought = {
    session: {
      // Only an answer proves that what a dial has shown was seen: another dial shows it again.
      ...(dialed ? withoutView(seen) : withoutShown(seen)),
      page: 0,
      at: env.now,
      ...(incoming.dialog !== undefined && { dialog: incoming.dialog }),
      ...(!session.language && incoming.language && { language: incoming.language }),
      ...(mayBePin(session, inputs.at(-1)) && { afterPin: true }),
    },
    isUnderstood: true,
  };
  if (!dialed && isBlind(session, incoming, inputs.at(-1)))
    return { session: showMissed(thought.session), isUnderstood: false };
  // A button that turns the page of a list opens nothing.
  const isContact = dialed || (inputs[0]?.type === 'opened' && incoming.screenId === undefined);
  if (thought.session.owner) {
    // The digits of a dial are for the menu: none of them answers the person, whose words are shown first.
    const input = dialed ? inputs[0] : inputs.at(-1);
    const interpretation = await readForPerson(thought.session, input ?? { type: 'opened' }, env);
    return isContact ? startsContact(interpretation) : afterTurning(interpretation, session, env);
  }
  // The digits of a new dial were typed before its first screen, so that none of them is a late PIN.
  const reading = afterPin && !dialed ? { ...env, afterPin } : env;
  thought = await takeAll(thought, inputs, reading, dialed);
  if (thought.turned) return afterTurning(thought, session, env);
  const isBeside = session.conversation?.machine === 'resume' && !dialed;
  const offers = startsWithoutRequest(inputs, isContact, env) && !isBeside;
  const asked = await offering(session, await repaired(session, inputs, thought, env), offers, env);
  return isContact ? startsContact(asked) : asked;
}

/** A PIN opens nothing behind the dial that it was typed in. */
function withoutView({ viewed: _before, ...session }: Session): Session {
  return session;
}

/** Offers beside the answer: to go on with a conversation that broke off, or to say how an adviser was. */
async function offering(before: Session, taken: Thought, offers: boolean, env: StepEnv): Promise<Thought> {
  const thought = await takeOffered(before, taken, env);
  return askHow(offers ? await offerResume(thought, env) : thought, env);
}

/** True for what a customer types or taps where a PIN is asked for: it may be the PIN, and come a second time. */
function mayBePin(session: Session, input: Input | undefined): boolean {
  const isGiven = input?.type === 'said' || input?.type === 'secret' || input?.type === 'tapped';
  return isGiven && PINS.has(currentScreen(session).expects);
}

/** The next page of the same screen: nothing else changes, not even what a dial has shown. */
function afterTurning(thought: Thought, session: Session, env: StepEnv): Thought {
  return thought.turned
    ? { ...thought, session: { ...session, at: env.now, page: session.page + 1 } }
    : thought;
}

/** True when a contact starts without a request. A chat is not always opened anew: there, asking for the menu is such a start. */
function startsWithoutRequest(inputs: readonly Input[], isContact: boolean, { address }: StepEnv): boolean {
  const [first, ...more] = inputs;
  const isChat = abilitiesOf(address).shows === 'messages';
  return more.length === 0 && (isContact || (isChat && navigationOf(first) === 'menu'));
}

/** Takes one input after the other, as far as they lead. */
async function takeAll(
  first: Thought,
  inputs: readonly Input[],
  env: StepEnv,
  dialed: boolean,
): Promise<Thought> {
  let thought = first;
  for (const [i, input] of inputs.entries()) {
    const before = thought.session;
    const isLast = i === inputs.length - 1;
    const filled = dialed && isLast ? filledBy(before, inputs) : undefined;
    if (i > 0 && (!mayContinue(thought) || (picksFromList(thought, input) && !filled))) break;
    // A dial that asks for something wins over what was broken off.
    const inDial = isLast ? ('last' as const) : ('followed' as const);
    thought = await take(before, input, dialed ? { ...env, inDial } : env, dialed && !isLast);
    const isAnswer = thought.isUnderstood && currentScreen(thought.session).notice === undefined;
    if (filled && !isAnswer) thought = await open(before, filled.machine, filled, env);
  }
  return thought;
}

/** The screen that a dial or an opened chat has led to: payments that are open are named on it. */
function startsContact(thought: Thought): Thought {
  const { session } = thought;
  return { ...thought, session: { ...session, contact: session.screen } };
}

/** While a person talks to the customer, the bot only looks for the wish to have it back. */
async function readForPerson(session: Session, input: Input, env: StepEnv): Promise<Thought> {
  const { owner } = session;
  const interpretation = owner ? interpret(owner, input, env.address) : 'leaves';
  if (interpretation === 'words')
    return { session: withCustomerReply(session), isUnderstood: true, toPerson: true };
  if (interpretation === 'more') return { session, isUnderstood: true, turned: true };
  if (owner && interpretation === 'file') {
    const attachment = env.attachment ?? 'notNow';
    const replied = enqueue(withCustomerReply(session), messageFor(attachment, owner, env.now));
    const file = typeof attachment === 'string' ? undefined : attachment;
    return { session: replied, isUnderstood: true, toPerson: true, ...(file && { file }) };
  }
  if (interpretation === 'isSettled') return askHow(await goOn(session, env, 'rating'), env);
  if (interpretation === 'leaves' || interpretation === 'toMenu')
    return goOnWithout(session, env, interpretation === 'toMenu' ? 'menu' : undefined);
  if (input.type === 'dialed') return { session: showMissed(session), isUnderstood: true };
  return { session, isUnderstood: input.type === 'opened' };
}

async function take(session: Session, input: Input, env: StepEnv, isExplicit = false): Promise<Thought> {
  const { conversation } = session;
  if (input.type === 'tapped' && session.keypad) {
    const tap = tapped(session, input.position, env);
    if (tap?.pin !== undefined) return take(tap.session, { type: 'secret', secret: tap.pin }, env);
    if (tap) return { session: tap.session, isUnderstood: true };
  }
  if (!conversation) {
    const spoken = await inOwnLanguage(session, input, env);
    if (spoken) return spoken;
    const shortcut = wishIn(input);
    if (shortcut) return askedFor(session, shortcut, env);
    const started = await arrive(session, input, env, isExplicit);
    return input.type === 'went' && input.to !== 'menu' ? go(started.session, input.to, env) : started;
  }
  const shown = env.wordsNow(currentScreen(session));
  const main = mainConversation(session);
  const isLocked = lockedIn(session) !== undefined;
  const reading = {
    ...env,
    isLocked,
    mayLeave: mayLeave(session),
    hasRequest: main !== undefined && isRequest(main),
  };
  const meaning = readInput(input, shown, reading);
  const spoken = meaning.kind === 'event' ? undefined : await inOwnLanguage(session, input, env);
  if (spoken) return spoken;
  if (hasAnswered(session) && !stays(meaning)) return afterGuest(session, input, meaning, env, isExplicit);
  const thought = await act(session, conversation, input, meaning, shown, env, isExplicit);
  const isSearched = shown.expects === 'search' && meaning.kind === 'event' && meaning.event.type === 'said';
  if (!isSearched || !isAskedAgain(session, thought.session)) return thought;
  const request = readInput(input, shown, { ...reading, isUnfound: true });
  return request.kind === 'event'
    ? thought
    : act(session, conversation, input, request, shown, env, isExplicit);
}

/**
 * Words of a customer without a language choose theirs, and are read at the menu. Words in Latin letters choose it only where they ask for
 * something: many say `bonjour`, and read Arabic.
 */
async function inOwnLanguage(session: Session, input: Input, env: StepEnv): Promise<Thought | undefined> {
  if (session.language || input.type !== 'said' || !HAS_LETTER.test(input.text)) return undefined;
  if (input.text.startsWith('/')) return undefined;
  const language = languageOfWords(input.text);
  const begun = await toMenu({ ...session, language }, env);
  const thought = begun.call ? begun : await take(begun.session, input, env);
  return language === 'ar' || (thought.isUnderstood && !thought.notice) ? thought : undefined;
}

/** Does what an input means. */
async function act(
  session: Session,
  conversation: Conversation,
  input: Input,
  meaning: InputMeaning,
  shown: Screen,
  env: StepEnv,
  isExplicit: boolean,
): Promise<Thought> {
  if ('shortcut' in meaning && isOwnRefund(session, meaning.shortcut, env))
    return went(session, { kind: 'went', to: 'help', why: 'undo' }, env);
  switch (meaning.kind) {
    case 'unclear':
      return (await byHeart(session, input, env)) ?? notRead(session, input, meaning.notice, env);
    case 'fees':
      return feesOf(session, conversation, meaning, env);
    case 'speaks':
      return { session: { ...session, language: meaning.language }, isUnderstood: true };
    case 'opened':
      return wasNotRead(currentScreen(session).key)
        ? toMenu(session, env)
        : { session: showAgain(session, conversation, input), isUnderstood: true };
    case 'dialed':
      return redial(session, env, isExplicit);
    case 'courtesy':
      // A customer without a wallet is led to one by the question itself.
      if (meaning.notice.key === 'menu.isOpen' && !hasWallet(session)) return openingAnew(session, env);
      return currentScreen(session).expects === 'nothing'
        ? belowNotice(session, env, meaning.notice)
        : { session, notice: meaning.notice, isUnderstood: true };
    case 'went':
      return went(session, meaning, env);
    case 'wants':
      return input.type === 'photo' && !takesPhotos(session)
        ? { session, notice: PHOTO_LATER.notice, isUnderstood: false }
        : wanted(session, meaning.shortcut, env);
    case 'either':
      return chosenAmong(session, input, meaning, env);
    case 'renumbers':
      return renumbered(session, meaning, env);
    case 'amends':
      return amended(session, meaning, env);
    case 'leaves':
      return leaving(session, meaning.shortcut, env);
    case 'event':
      return happened(session, conversation, meaning.event, shown, env);
  }
}

/** False where a wallet is still to be opened, or linked to this chat. */
function hasWallet(session: Session): boolean {
  const main = mainConversation(session);
  return session.linked === true && !(main && opensWallet(main));
}

/** The wish for a wallet of a customer who has none yet. */
function openingAnew(session: Session, env: StepEnv): Promise<Thought> | Thought {
  const { key, expects } = currentScreen(session);
  if (expects === 'nothing') return toMenu(session, env);
  const isFirst = key === 'linking.askPhone';
  return { session, ...(isFirst && { notice: { key: 'linking.toOpen' } }), isUnderstood: true };
}

async function went(
  session: Session,
  { notice, leavesWords, ...way }: Extract<InputMeaning, { kind: 'went' }>,
  env: StepEnv,
): Promise<Thought> {
  if (way.to === 'menu' && notice && isReadReceipt(session)) return belowNotice(session, env, notice);
  // The notice about the wish stands before the help's own one.
  const isHelp = way.to === 'help' && !way.why && !way.asksPerson && notice !== undefined;
  const gone = await (isHelp ? interrupt(session, 'help', { notice }, env) : wentTo(session, way, env));
  return { ...(notice ? noticed(gone, notice) : gone), ...(leavesWords && { leavesWords }) };
}

function wentTo(
  session: Session,
  { to, typed, why, about, asksPerson }: Extract<InputMeaning, { kind: 'went' }>,
  env: StepEnv,
): Promise<Thought> {
  if (asksPerson === 'follows' && env.openCase === undefined)
    return interrupt(session, 'help', { notice: { key: 'help.noRequest' } }, env);
  // A request that is open is named, and goes on here.
  if (asksPerson) return interrupt(session, 'help', { wanted: 'adviser' }, env);
  return why
    ? interrupt(session, 'help', { filled: { help: { why, ...about } } }, env)
    : go(session, to, env, typed);
}

/** True for what leaves a guest's answer on show. */
function stays(meaning: InputMeaning): boolean {
  if (meaning.kind === 'went') return meaning.to === 'more';
  return ['unclear', 'speaks', 'opened', 'courtesy'].includes(meaning.kind);
}

/** A digit that is none of the offer to go on is the menu's, where those never move: its entry leaves what was broken off. */
async function byHeart(session: Session, input: Input, env: StepEnv): Promise<Thought | undefined> {
  const isOffer = session.conversation?.machine === 'resume' && !atHold(session);
  if (!isOffer || input.type !== 'said') return undefined;
  const { session: atMenu } = await toMenu(session, env);
  const screen = env.wordsNow(currentScreen(atMenu));
  const isEntry = MENUS.has(screen.key) && typedChoice(latinDigits(input.text.trim()), screen);
  return isEntry ? take(atMenu, input, env) : undefined;
}

/** An answer to the question that waits is taken there, where the help came by itself. */
async function notRead(session: Session, input: Input, notice: Sentence, env: StepEnv): Promise<Thought> {
  const { suspended, ...rest } = session;
  const offer = offerIn(session);
  // An order that may be either of two payments has no other question that waits: it is asked about until it is answered.
  const isOrder = offer?.why === 'several' && offer.filled?.amount !== undefined;
  if (isOrder && suspended && !isRequest(suspended)) return { session, notice, isUnderstood: false };
  const isAnswer = input.type === 'said' && !WRONG_NUMBER.test(latinDigits(input.text.trim()));
  if (isAnswer && suspended && offer && offer.why !== 'urgent' && offer.why !== 'missing') {
    const asked = { ...rest, conversation: forgetNotice(suspended) };
    const isPin = currentScreen(asked).expects === 'pin';
    if (secretIn(input, currentScreen(session)) !== 'pin')
      // No number or name is a PIN: the payment that was prepared is not gone on with unasked.
      return isPin ? { session, notice, isUnderstood: false } : take(asked, input, env);
    // Four digits may be a PIN, which pays nothing and is no amount on a page that asks for neither: their question is shown first.
    return { session: asked, ...(!isPin && { notice: { key: 'nav.pinNotAsked' } }), isUnderstood: false };
  }
  if (input.type === 'said' && isReadReceipt(session))
    return { ...(await belowNotice(session, env, notice)), isUnderstood: false };
  return { session, notice, isUnderstood: false };
}

/** A request that only reads or protects is a guest in the middle of another one. */
function wanted(session: Session, shortcut: Shortcut, env: StepEnv): Promise<Thought> {
  const { machine, filled } = shortcut;
  // The help is beside the request, and so is a guest that is asked for on it.
  const { conversation, suspended, ...rest } = session;
  const isOnHelp = suspended !== undefined && (ASIDE.has(conversation?.machine ?? '') || atHold(session));
  const isBeside = mayPause(isOnHelp ? { ...rest, conversation: suspended } : session);
  // The words of its own choice: the freeze keeps the payment that it has stopped.
  const shown = currentScreen(session);
  const isThaw = conversation?.machine === 'freeze' && filled.thaws;
  if (isThaw && shown.choices?.some(({ id }) => id === 'thaw'))
    return happened(session, conversation, { type: 'chose', choice: 'thaw', at: env.now }, shown, env);
  return GUESTS.has(machine) && !filled.thaws && isBeside
    ? interrupt(session, machine, {}, env)
    : askedFor(session, shortcut, env);
}

const ASIDE: ReadonlySet<string> = new Set(['help', 'rating']);

/** The guest is over with the customer's next act, which answers the question that was shown below the answer. */
async function afterGuest(
  session: Session,
  input: Input,
  meaning: InputMeaning,
  env: StepEnv,
  isExplicit: boolean,
): Promise<Thought> {
  const isQuestionNext = currentScreen(session).choices?.some(({ id }) => id === 'continue');
  const isBack = meaning.kind === 'event' || (meaning.kind === 'went' && meaning.to === 'back');
  const { suspended, ...rest } = session;
  if ((isQuestionNext && isBack) || isHeld(suspended)) {
    const back = await handBack(session, env);
    return isBack || back.call ? back : take(back.session, input, env, isExplicit);
  }
  return take(
    { ...rest, ...(suspended && { conversation: forgetNotice(suspended) }) },
    input,
    env,
    isExplicit,
  );
}

/** Two things were asked for, or meant: the customer chooses which comes first. To choose one only opens its conversation. */
async function chosenAmong(
  session: Session,
  input: Input,
  { meanings, filled, says }: Several,
  env: StepEnv,
): Promise<Thought> {
  const start = {
    filled: { help: { why: 'several', meanings, filled } },
    ...(says && { notice: { key: says } }),
  } as const;
  const offered = await interrupt(session, 'help', start, env);
  return offerIn(offered.session)?.meanings?.length
    ? offered
    : notRead(session, input, { key: 'nav.chooseOne' }, env);
}

/** Whom to pay is asked for again, and the new number answers. If nobody is paid by a number, the wrong one was typed a step before. */
async function renumbered(
  session: Session,
  { keepsAmount, to, machine }: Extract<InputMeaning, { kind: 'renumbers' }>,
  env: StepEnv,
): Promise<Thought> {
  const { suspended: _beside, ...rest } = session;
  const main = mainConversation(session);
  if (machine !== undefined && main?.machine !== machine)
    return leaving(session, { machine, filled: { ...(to && { to }) } }, env);
  const isSent = !main || hasTag(main, 'sent');
  const event = { type: 'renumbered', keepsAmount, at: env.now } as const;
  const step = isSent ? undefined : tell(forgetNotice(main), event, env.now);
  const asked = await (step?.isHandled ? follow(rest, step, env) : go(session, 'back', env));
  const { expects } = currentScreen(asked.session);
  const asksNumber = !asked.call && (expects === 'phone' || expects === 'account');
  return to && asksNumber ? take(asked.session, { type: 'said', text: to }, env) : asked;
}

/** The way back leads to the question for the amount, which the new one answers. */
async function amended(
  session: Session,
  { amount, machine }: Extract<InputMeaning, { kind: 'amends' }>,
  env: StepEnv,
): Promise<Thought> {
  if (machine !== undefined && mainConversation(session)?.machine !== machine)
    return leaving(session, { machine, filled: { ...(amount && { amount }) } }, env);
  const asked = await go(session, 'back', env);
  const asksAmount = currentScreen(asked.session).expects === 'amount' && !asked.call;
  if (amount && asksAmount)
    return take(asked.session, { type: 'said', text: (amount / 100).toFixed(2) }, env);
  // A voucher has no other amount than its own: its page stands.
  const isPin = currentScreen(session).expects === 'pin';
  return amount && isPin ? { session, notice: { key: 'pin.noPin' }, isUnderstood: false } : asked;
}

/** A payment in the middle of another request begins once the customer has said that they leave that. */
async function leaving(session: Session, shortcut: Shortcut, env: StepEnv): Promise<Thought> {
  const { machine, filled } = shortcut;
  const main = mainConversation(session);
  // Nothing is lost where nothing was given yet, or where it has ended in a refusal or a result.
  if (!main || main.ended || !hasTag(main, 'resumable')) return askedFor(session, shortcut, env);
  // A freeze is no payment to choose in place of another: the help offers all that protects, and the request waits.
  if (shortcut.isUrgent) return interrupt(session, 'help', { filled: { help: { why: 'urgent' } } }, env);
  const { to } = main.context;
  // The same payment with another amount: its number was given.
  const isOther = filled.amount === undefined || namesPayee(filled);
  const kept = main.machine === machine && !isOther && readPhone(typeof to === 'string' ? to : '');
  const leaves = offerOf(main, currentScreen({ ...session, conversation: main }));
  const help = {
    why: 'leaves',
    leaves,
    meanings: [machine],
    filled: { ...filled, ...(kept && { to: kept }) },
  } as const;
  const offered = await interrupt(session, 'help', { filled: { help } }, env);
  return offerIn(offered.session)?.meanings?.length
    ? offered
    : { session, notice: { key: 'nav.notUnderstood' }, isUnderstood: false };
}

/** The conversation goes on with what the customer did. */
async function happened(
  session: Session,
  conversation: Conversation,
  event: MachineEvent,
  shown: Screen,
  env: StepEnv,
): Promise<Thought> {
  if (isGuest(session) && event.type === 'chose' && event.choice === 'continue')
    return handBack(session, env);
  const receipt = receiptBehind(session);
  const offer = offered(receipt ?? conversation, event);
  if (offer) {
    const { intent: _over, suspended, ...rest } = session;
    const waits = !receipt && suspended && { suspended };
    return open({ ...rest, ...waits }, offer.next, { filled: offer.filled }, env);
  }
  if (leadsToMenu(shown, event)) return toMenu(session, env);
  const other = event.type === 'said' && shown.takesAmount && shown.choices?.find(isOtherAmount);
  if (other) {
    const asked = await happened(
      session,
      conversation,
      { ...event, type: 'chose', choice: other.id },
      shown,
      env,
    );
    const asksAmount = currentScreen(asked.session).expects === 'amount' && !asked.call;
    return asksAmount ? take(asked.session, { type: 'said', text: event.text }, env) : asked;
  }
  const step = tell(forgetNotice(conversation), event, env.now);
  if (!step.isHandled) return { session, notice: { key: 'nav.notUnderstood' }, isUnderstood: false };
  const followed = await follow(declinedIn(session, event), step, env);
  const still = stillBusy(shown, followed.session);
  const thought = still ? noticed(followed, still) : followed;
  return event.type === 'said' && shown.takesWords ? { ...thought, leavesWords: true } : thought;
}

/**
 * The fee of an amount, read from the preview that the payment would make. Nothing of the preview is kept: the question comes back. If
 * nothing is under way, the payment itself begins: it shows its fee before the PIN.
 * @param meaning has no amount where the customer named none
 */
async function feesOf(
  session: Session,
  conversation: Conversation,
  { amount, pays }: Extract<InputMeaning, { kind: 'fees' }>,
  env: StepEnv,
): Promise<Thought> {
  const screen = currentScreen(session);
  if (pays && (MENUS.has(screen.key) || screen.expects === 'nothing'))
    return noticed(await askedFor(session, pays, env), { key: 'nav.feesShown' });
  const said: Thought = { session, notice: { key: 'nav.feesBefore' }, isUnderstood: true };
  if (isReadReceipt(session)) return belowNotice(session, env, said.notice);
  // It stands on the screen that asks for the PIN.
  if (screen.values?.fees && amount === undefined) return { session, isUnderstood: true };
  if (screen.expects === 'nothing') return toMenu(session, env, said.notice);
  if (amount === undefined || screen.expects !== 'amount' || !isPaymentKind(conversation.machine))
    return said;
  const text = (amount / 100).toFixed(2);
  const asked = await happened(session, conversation, { type: 'said', text, at: env.now }, screen, env);
  const { amount: of, fees, total } = currentScreen(asked.session).values ?? {};
  if (of && fees && total)
    return { ...said, notice: { key: 'nav.fees', values: { amount: of, fees, total } } };
  return isAskedAgain(session, asked.session) ? asked : said;
}

/** A payment's receipt is on show, and nothing waits for the customer: a word that only gets a notice does not print it again. */
function isReadReceipt({ conversation, suspended }: Session): boolean {
  return conversation?.ended !== undefined && !suspended && isPaymentKind(conversation.machine);
}

/** The menu, below a word that only gets a notice. In a chat a receipt waits behind it: what it offers stays until a request begins. */
async function belowNotice(session: Session, env: StepEnv, notice: Sentence | undefined): Promise<Thought> {
  const thought = await toMenu(session, env, notice);
  const { conversation: receipt } = session;
  const stays = isReadReceipt(session) && abilitiesOf(env.address).shows === 'messages' && !thought.call;
  return stays
    ? { ...thought, session: { ...thought.session, ...(receipt && { suspended: receipt }) } }
    : thought;
}

/** The choice that leads to the question for another amount. */
function isOtherAmount({ key }: Choice): boolean {
  return key === 'pay.otherAmount';
}

/** The session of a customer who leaves an offer of what they have begun elsewhere: it is not made again. */
function declinedIn(session: Session, event: MachineEvent): Session {
  const { offered, conversation } = session;
  const isLeft = conversation?.machine === 'resume' && event.type === 'chose' && event.choice === 'leave';
  return isLeft && offered ? { ...session, declined: offered } : session;
}

/** Begins a request of one line. The number of a reference in it answers the question for one, which a dial may answer as well. */
async function askedFor(session: Session, shortcut: Shortcut, env: StepEnv): Promise<Thought> {
  const begun = await toMenu(session, env, undefined, shortcut);
  const isKept = currentScreen(begun.session).key === 'unlocking.askPin';
  const says = isKept ? 'unlocking.kept' : shortcut.says;
  const bare = withoutLimit(begun);
  // The notice about the first of two orders says as well which of them it is.
  const isTold = says === 'nav.firstOnly' && currentScreen(bare.session).notice !== undefined;
  const thought = says && !isTold ? noticed(bare, saidOf(says, shortcut)) : begun;
  const { expects, notice } = currentScreen(thought.session);
  const isAsked = expects === 'reference' && !notice && !thought.call && shortcut.reference !== undefined;
  return isAsked ? take(thought.session, { type: 'secret', secret: shortcut.reference }, env) : thought;
}

function saidOf(key: SentenceKey, { filled: { amount } }: Shortcut): Sentence {
  return key === 'mobile.unfinishedKept' && amount !== undefined
    ? { key, values: { amount: { money: amount } } }
    : { key };
}

/** How much may be paid at once waits for the next question, where there is more to say about this one. */
function withoutLimit(thought: Thought): Thought {
  const { conversation } = thought.session;
  const isLimit = currentScreen(thought.session).notice?.key.startsWith('pay.atMost');
  return conversation && isLimit
    ? { ...thought, session: { ...thought.session, conversation: forgetNotice(conversation) } }
    : thought;
}

/** The screen with a notice above its question. */
function noticed(thought: Thought, notice: Sentence): Thought {
  const { session } = thought;
  const { conversation } = session;
  return conversation
    ? { ...thought, session: { ...session, conversation: withNotice(conversation, notice) } }
    : thought;
}

/** True for a choice that reads “Menu” by now, whatever it was when its screen was made. */
function leadsToMenu({ choices = [] }: Screen, event: MachineEvent): boolean {
  return event.type === 'chose' && choices.some(({ id, key }) => id === event.choice && key === 'nav.menu');
}

/** The offer of a last screen, by the choice that was taken. */
function offered({ ended }: Conversation, event: MachineEvent): Offer | undefined {
  if (ended?.offer === undefined || event.type !== 'chose') return undefined;
  return [ended.offer].flat().find(({ choice }) => choice === event.choice);
}

/** The screen on show is shown again. A statement about money waits until the page has seen it: this answer may be lost. */
function showAgain(
  session: Session,
  conversation: NonNullable<Session['conversation']>,
  input: Input,
): Session {
  const outbox = session.outbox?.filter(({ screenId, money }) => screenId === undefined || money) ?? [];
  // A question that was asked for anew is not the answer to what was said above it.
  const isExplained = input.type !== 'opened' || input.isExplained;
  return { ...session, outbox, conversation: isExplained ? forgetNotice(conversation) : conversation };
}

/** The request of a customer without a conversation. */
function wishIn(input: Input): Shortcut | undefined {
  if (input.type === 'photo') return shortcutOfQr(input.qr);
  return input.type === 'said' ? readShortcut(input.text.slice(0, TEXT_MAX_CHARS)) : undefined;
}

/** A photo starts nothing while money is under way, nor before the wallet is the customer's own here. */
function takesPhotos(session: Session): boolean {
  const main = mainConversation(session);
  return session.linked === true && !(main && hasTag(main, 'sent'));
}
