import type { Screen } from '../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import { latinDigits } from '../../wallet/money.ts';
import { abilitiesOf } from '../channel.ts';
import type { Incoming, Input, Origin, Reply } from '../incoming.ts';
import { choiceAt } from '../session/choice.ts';
import { currentScreen } from '../session/current-screen.ts';
import type { Loaded } from '../session/sessions.ts';

/** The next page of a long screen. Everywhere but where `98` may be the answer: an amount, some fields of a bill form, words for a person. */
export const MORE = '98';
/** What ends or stops something at once, on screens that have more to say than a page holds: its digit counts once it was shown. */
const AT_ONCE: ReadonlyMap<SentenceKey, ReadonlySet<string>> = new Map([
  ['support.talking', new Set(['settled', 'leave'])],
  ...(['freeze.frozen', 'freeze.frozenBut'] as const).map((key) => [key, new Set(['cards'])] as const),
  // Below an adviser's words: a digit there was meant for the menu.
  ...(['rating.ask', 'rating.askClosed'] as const).map(
    (key) => [key, new Set(['good', 'fair', 'poor', 'not-yet'])] as const,
  ),
]);

/** Said once this very screen was answered: all of it had been shown by then. */
const ANSWERED: ReadonlySet<SentenceKey | undefined> = new Set<SentenceKey>([
  'pin.wrong',
  'pin.wrongWithTries',
  'pin.lastTry',
  'pin.lost',
  'pay.pinLost',
  'freeze.cardsNotSuspended',
]);

/** True for what asks for the next page wherever it is no answer. */
export function asksForMore(input: Input | undefined): boolean {
  return (
    (input?.type === 'went' && input.to === 'more') ||
    (input?.type === 'said' && latinDigits(input.text.trim()) === MORE)
  );
}

/**
 * How many pages a reply has on a channel that shows pages, and how many of its choices were shown by the end of the one that is read: what
 * is above the screen counts, and how much a page holds there (`origin`: the gateway).
 */
export type PagesOf = (
  reply: Reply,
  origin: Origin | undefined,
) => { readonly pages: number; readonly choices: number };

/**
 * The input, or a turn of the page in its place: what confirms a payment counts once all pages that name it were shown
 * (docs/safety.md, "The PIN comes last"), and so does what acts at once. A PIN that comes too early is neither read nor kept. Where a
 * person reads what the customer writes, the next page is asked for as anywhere, as long as there is one.
 * @param reply makes what the customer has before them
 */
export function readOn(
  loaded: Loaded,
  incoming: Incoming,
  { pagesOf, reply }: { readonly pagesOf: PagesOf; readonly reply: () => Reply },
): Incoming {
  const { session } = loaded;
  const { address, dialog, inputs } = incoming;
  const last = inputs.at(-1);
  if (abilitiesOf(address).shows !== 'pages' || dialog !== session.dialog || last?.type !== 'said')
    return incoming;
  const screen = currentScreen(session);
  const turns = session.owner !== undefined && asksForMore(last);
  const act = turns ? undefined : actOf(last.text, screen);
  if (!turns && (!act || ANSWERED.has(screen.notice?.key))) return incoming;
  const { pages, choices } = pagesOf(reply(), incoming.origin);
  if (session.page >= pages - 1 || (act && act !== 'confirms' && act.place < choices)) return incoming;
  return { ...incoming, inputs: [...inputs.slice(0, -1), { type: 'went', to: 'more' }] };
}

/** What somebody does: confirm all that stands on the pages before it, or what only has to be shown itself, at its place among the choices. */
function actOf(text: string, screen: Screen): 'confirms' | { readonly place: number } | undefined {
  const digits = latinDigits(text.trim());
  if (screen.expects === 'pin') return /^\d{4}$/.test(digits) ? 'confirms' : undefined;
  const choice = choiceAt(digits, screen);
  if (!choice) return undefined;
  const { id } = choice;
  // What is said above the terms can push their question off the page.
  if ((id === 'agree' && screen.notice) || (id === 'confirm' && screen.expects === 'choice'))
    return 'confirms';
  return AT_ONCE.get(screen.key)?.has(id) ? { place: screen.choices?.indexOf(choice) ?? 0 } : undefined;
}

/** True for a screen that asks for a yes: nobody says it before they have seen what to. */
export function asksToConfirm({ choices = [] }: Screen): boolean {
  return choices.some(({ id }) => id === 'confirm');
}
