import type { Screen } from '../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import { latinDigits } from '../../wallet/money.ts';
import { abilitiesOf } from '../channel.ts';
import type { Incoming, Origin, Reply } from '../incoming.ts';
import { choiceAt } from '../session/choice.ts';
import { currentScreen } from '../session/current-screen.ts';
import type { Loaded } from '../session/sessions.ts';

/** Said once a PIN was taken on this very screen: all of it had been shown by then. */
const AFTER_A_PIN: ReadonlySet<SentenceKey | undefined> = new Set<SentenceKey>([
  'pin.wrong',
  'pin.wrongWithTries',
  'pin.lastTry',
  'pin.lost',
  'pay.pinLost',
]);

/**
 * How many pages a reply has on a channel that shows pages: what is above the screen counts, and how much a page holds there
 * (`origin`: the gateway).
 */
export type PagesOf = (reply: Reply, origin: Origin | undefined) => number;

/**
 * The input, or a turn of the page in its place: what confirms a payment counts once all pages that name it were shown
 * (docs/safety.md, "The PIN comes last"). A PIN that comes too early is neither read nor kept.
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
  if (!confirms(last.text, screen) || AFTER_A_PIN.has(screen.notice?.key)) return incoming;
  if (session.page >= pagesOf(reply(), incoming.origin) - 1) return incoming;
  return { ...incoming, inputs: [...inputs.slice(0, -1), { type: 'went', to: 'more' }] };
}

function confirms(text: string, screen: Screen): boolean {
  const digits = latinDigits(text.trim());
  if (screen.expects === 'pin') return /^\d{4}$/.test(digits);
  return screen.expects === 'choice' && choiceAt(digits, screen)?.id === 'confirm';
}

/** True for a screen that asks for a yes: nobody says it before they have seen what to. */
export function asksToConfirm({ choices = [] }: Screen): boolean {
  return choices.some(({ id }) => id === 'confirm');
}
