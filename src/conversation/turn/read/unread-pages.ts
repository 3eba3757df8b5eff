import { GOES_ON, goesOnByOne } from '../../../../machines/kit/choice-numbers.ts';
import { monthsIn } from '../../../../machines/kit/months.ts';
import type { Screen, Sentence } from '../../../../machines/kit/screen.ts';
import { rowsIn } from '../../../../machines/kit/several.ts';
import { latinDigits } from '../../../wallet/digits.ts';
import { abilitiesOf } from '../../channel.ts';
import type { Incoming, Input, Origin, Reply } from '../../incoming.ts';
import { typedChoice } from '../../session/choice.ts';
import { currentScreen, MENUS } from '../../session/current-screen.ts';
import { showMissed, withTold } from '../../session/missed-messages.ts';
import { replyOf } from '../../session/reply.ts';
import { contentOf, lastShown, type PageNotices, type Session } from '../../session/session.ts';
import type { LoadedSession } from '../../session/sessions.ts';
import type { TurnDeps } from '../../turn-deps.ts';
import { YES } from './typed-label.ts';

/** The next page of a long screen. On a last page it may be the answer: an amount, some fields of a bill form, words for a person. */
export const MORE = '98';

/** True for what asks for the next page wherever it is no answer. */
export function asksForMore(input: Input | undefined): boolean {
  return (
    (input?.type === 'went' && input.to === 'more') ||
    (input?.type === 'said' && latinDigits(input.text.trim()) === MORE)
  );
}

/**
 * How many pages a reply has on a channel that shows pages, and how many of its choices and messages were shown by the end of the one that is read.
 * The text above the screen counts, and how much a page holds there (`origin`: the gateway).
 */
export type PagesOf = (
  reply: Reply,
  origin: Origin | undefined,
) => { readonly pages: number; readonly choices: number; readonly asked: boolean; readonly told: 0 | 1 | 2 };

type ShowDeps = Pick<TurnDeps, 'served' | 'secrets' | 'now'>;

/** An input as it counts on the pages that its customer was shown. */
export interface OnPages {
  readonly incoming: Incoming;
  /** It answers what was not shown yet: the page is turned in its place, and that is said. */
  readonly isTooEarly?: true;
  /** It turns the page, and a payment that the page before named first is not open any more. */
  readonly isNews?: true;
  /** It is a PIN, and every page that it confirms was shown. */
  readonly wasRead?: true;
  /** The page that it answers has nothing of the menu yet: open payments fill it. */
  readonly isAboveMenu?: true;
  /** The messages that were shown by the end of the page that it answers (`Page.told`). */
  readonly told?: 0 | 1 | 2;
  /** The part of the screen that was shown by the end of the page that a word is typed on. */
  readonly onPage?: ShownPage;
}

/** The part of a screen that was shown by the end of a page. */
export interface ShownPage {
  /** So many of its choices, from the first on. */
  readonly choices: number;
  /** It asks for its PIN on a later page. */
  readonly asksLater?: true;
}

/**
 * A digit answers only a choice that was shown, and a PIN a screen that was shown up to its question (docs/safety.md, "Nothing unseen").
 * Anything else turns the page, and is neither read nor kept. A dial answers blind on purpose, and is let pass.
 */
export function onPages(deps: ShowDeps, loaded: LoadedSession, received: Incoming): OnPages {
  const { session } = loaded;
  if (!showsPages(received) || received.dialog !== session.dialog) return { incoming: received };
  const last = lastShown(session);
  const incoming = inOneLine(received, last?.inputs);
  const input = incoming.inputs.at(-1);
  const named = (last?.screen === session.screen && last.pages?.first) || 0;
  if (asksForMore(input) && named > (pagesShown(deps, loaded).first ?? 0)) return { incoming, isNews: true };
  if (session.unseen) return { incoming };
  const screen = currentScreen(session);
  const shown = last?.screen === session.screen ? last.pages : undefined;
  const page: AnsweredPage = {
    ...{ screen, named, wasRead: last?.read === contentOf(screen) },
    shown: () => shown ?? pagesShown(deps, loaded),
  };
  // Open payments fill the page above the menu, and were read: the way home leads past them.
  if (goesHome(input) && isAboveMenu(page)) {
    const { told } = page.shown();
    return { incoming: withTurning(incoming), ...(told && { told }) };
  }
  return input?.type === 'said' ? saidOn(page, incoming, input.text) : { incoming };
}

/** The page of a screen that a customer answers. */
interface AnsweredPage {
  readonly screen: Screen;
  /** How many open payments it names first. */
  readonly named: number;
  /** All of the screen was read before. */
  readonly wasRead: boolean;
  shown(): NonNullable<PageNotices['pages']>;
}

function saidOn(page: AnsweredPage, incoming: Incoming, text: string): OnPages {
  const { screen } = page;
  // Also where 98 may be an amount, or words for a person, it asks for the next page as long as there is one.
  const turns = asksForMore({ type: 'said', text }) || goesOn(text, page);
  const place = turns ? undefined : placeOf(text, screen);
  const { choices, more, asked, told } = page.shown();
  // No number leads on to the question for a PIN but its own digit.
  const asksLater = screen.expects === 'pin' && more === true && !asked;
  if (!turns && (place === undefined || (asksLater && goesOnByOne(screen)))) {
    const onPage = { choices, ...(asksLater && { asksLater }) };
    return { incoming, onPage, ...(isAboveMenu(page) && { isAboveMenu: true as const }) };
  }
  const isPin = place === PIN;
  const all = { incoming, ...(told && { told }) };
  const isRead = !more || (isPin && asked);
  if (isRead) return { ...all, ...(screen.expects === 'pin' && { wasRead: true as const }) };
  // A PIN counts below what it confirms, also where that was read before.
  const wasRead = !isPin && page.wasRead;
  // The digits of the menu never move. Below messages an entry acts, and those of pages that nobody has turned are told again.
  // Open payments are read first: all of them stand above the first choice.
  const isBelowOpen = page.named > 0 && choices === 0;
  const isByHeart = !isBelowOpen && (MENUS.has(screen.key) || screen.takesUnseen === true);
  if (place !== undefined && (place < choices || wasRead || isByHeart)) return { incoming };
  return { ...all, incoming: withTurning(incoming), ...(!turns && { isTooEarly: true as const }) };
}

/** True for a page of the menu that open payments fill. */
function isAboveMenu({ screen, named, shown }: AnsweredPage): boolean {
  return MENUS.has(screen.key) && named > 0 && shown().choices === 0 && shown().more === true;
}

function goesHome(input: Input | undefined): boolean {
  return input?.type === 'went' && (input.to === 'menu' || input.to === 'back');
}

/** The page is turned in place of the last input. */
function withTurning(incoming: Incoming): Incoming {
  return { ...incoming, inputs: [...incoming.inputs.slice(0, -1), { type: 'went', to: 'more' }] };
}

/** True for the digit that leads on to the question for a PIN. On the page of that it is a mistyped PIN. */
function goesOn(text: string, { screen, shown }: AnsweredPage): boolean {
  if (!goesOnByOne(screen) || latinDigits(text.trim()) !== GOES_ON) return false;
  const { more, asked } = shown();
  return more === true && !asked;
}

/** The page of its screen that a session shows. */
function pagesShown(
  { served, secrets, now }: ShowDeps,
  loaded: LoadedSession,
): NonNullable<PageNotices['pages']> {
  const reply = replyOf(loaded, secrets, now());
  const { pages, choices, asked, told } = served.pagesOf(reply, loaded.origin);
  const first = reply.screen.first?.length;
  const more = loaded.session.page < pages - 1 && ({ more: true, ...(asked && { asked }) } as const);
  const says = reply.missed.length > 0 || reply.says !== undefined;
  return { choices, ...more, ...(first && { first }), ...(says && told && { told }) };
}

/**
 * The session of a turn with the part that it shows of its screen. Both are written together: the text above the screen may be gone by the next
 * answer, and other pages be cut then.
 */
export function withPages(deps: ShowDeps, loaded: LoadedSession): Session {
  const { session } = loaded;
  const last = lastShown(session);
  if (!last || session.unseen || session.underway) return session;
  const { notice: _said, tooEarly: _above, ...rest } = last;
  const shown = last.screen === session.screen ? last : { ...rest, screen: session.screen };
  try {
    const pages = pagesShown(deps, { ...loaded, session: { ...session, shown } });
    return { ...session, shown: { ...shown, pages } };
  } catch {
    // The channel reports a screen that cannot be shown: an answer of the wallet is stored all the same.
    return session;
  }
}

/** In place of a choice. A number that is as long as a PIN, or longer, may be meant for another question: the page says where the PIN is asked for. */
const PIN = Number.POSITIVE_INFINITY;

/**
 * How many choices must have been shown before this answers the screen: all that there is for a PIN, the last one of several numbers;
 * undefined for other answers.
 */
function placeOf(text: string, screen: Screen): number | undefined {
  const { expects, choices = [], takesSeveral } = screen;
  const digits = latinDigits(text.trim());
  if (expects === 'pin' && /^[\d ]{4,}$/.test(digits)) return PIN;
  const rows = takesSeveral && rowsIn(text);
  if (takesSeveral && (rows === 'all' || rows === 'both' || monthsIn(text)))
    return choices.findLastIndex(({ listed }) => listed);
  const numbers = takesSeveral
    ? ((Array.isArray(rows) ? rows.join() : digits).match(/\d+/g) ?? [])
    : [digits];
  const chosen = numbers.flatMap((number) => typedChoice(number, screen) ?? []);
  return chosen.length > 0 ? Math.max(...chosen.map((choice) => choices.indexOf(choice))) : undefined;
}

/** `12*50` is one answer, which a gateway that joins answers by `*` brings as two: neither is dropped. */
function inOneLine(incoming: Incoming, before: number | undefined): Incoming {
  const { inputs } = incoming;
  if (before === undefined || inputs.length - before < 2) return incoming;
  const text = inputs.slice(before).map(textOf).join('*');
  return { ...incoming, inputs: [...inputs.slice(0, before), { type: 'said', text }] };
}

function textOf(input: Input): string {
  if (input.type === 'said') return input.text;
  return (input.type === 'went' && input.typed) || '';
}

/** A thought as it is shown: the session, the notice above its screen, and which page of the same one. */
interface Showing {
  readonly session: Session;
  readonly notice?: Sentence;
  readonly turned?: true;
}

/**
 * The session with what its customer is shown beside the screen, for their next answer to be read by.
 * @param received as the gateway has brought it
 */
export function withShown(
  { session: before }: LoadedSession,
  { session, notice, turned }: Showing,
  { incoming, isTooEarly, isNews, wasRead, told = 0 }: OnPages,
  received: Incoming,
): Session {
  if (!showsPages(incoming)) return session;
  // Other pages are cut now: they are read from the first one, with what has come above it.
  if (turned && isNews) return { ...showMissed(session), page: 0, shown: emptyNotices(session, received) };
  const last = lastShown(before);
  const screen = currentScreen(before);
  const isSame = incoming.dialog === before.dialog;
  // A mistake puts a word above the screen and so moves it to other pages: it need not be read again. One at a PIN has a number of its own.
  const shownAs = screen.expects === 'pin' ? before.screen : session.screen;
  const wasWhole =
    isSame &&
    last?.screen === shownAs &&
    (last.pages?.more !== true || (screen.expects === 'pin' && last.pages.asked === true));
  const read = wasRead || wasWhole ? contentOf(screen) : isSame && last?.read;
  // The pages before count where they are of this screen: an outcome may have taken the place of another one.
  const pages = turned && last?.screen === before.screen ? last : undefined;
  // Behind the last page comes the first one, as it was before anything was typed too early.
  const goesRound = pages?.pages && !pages.pages.more;
  const early = [...((!goesRound && pages?.tooEarly) || []), ...(isTooEarly ? [session.page] : [])];
  const above = turned ? pages?.notice : notice;
  const shown: PageNotices = {
    at: session.at,
    screen: session.screen,
    inputs: received.inputs.length,
    ...(above && { notice: above }),
    ...(early.length > 0 && { tooEarly: early }),
    ...(read && { read }),
  };
  return { ...(turned ? withTold(session, told) : session), ...(goesRound && { page: 0 }), shown };
}

function emptyNotices({ at, screen }: Session, { inputs }: Incoming): PageNotices {
  return { at, screen, inputs: inputs.length };
}

function showsPages({ address }: Incoming): boolean {
  return abilitiesOf(address).shows === 'pages';
}

/** True for a screen that asks for a yes: nobody says it before they have seen what to. */
export function asksToConfirm({ choices = [] }: Screen): boolean {
  return choices.some(({ id }) => YES.has(id));
}
