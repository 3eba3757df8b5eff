import type { Filled } from '../../../../machines/kit/conversation.ts';
import { SECRETS } from '../../../../machines/kit/screen.ts';
import { isPaymentKind } from '../../../payments/payments.ts';
import { latinDigits } from '../../../wallet/digits.ts';
import { readPhone } from '../../../wallet/phone.ts';
import { ribIn } from '../../../wallet/rib.ts';
import { readAmount } from '../../../wallet/typed-amount.ts';
import { INTERRUPTIONS } from '../../chart/main-conversation.ts';
import type { Input } from '../../incoming.ts';
import { choiceAt } from '../../session/choice.ts';
import { currentScreen } from '../../session/current-screen.ts';
import type { Session } from '../../session/session.ts';
import { asksToConfirm } from '../read/unread-pages.ts';
import type { Thought } from './thought.ts';

/** An amount that is no choice and as long as no PIN. */
const DIALED_AMOUNT = /^\d{2,3}(?:[.,]\d{1,2})?$/;

/** A deep dial is followed until a mistake, a question that interrupts it, or what is always asked for: a yes, and a secret. */
export function mayContinue({ session, call, isUnderstood }: Thought): boolean {
  const screen = currentScreen(session);
  const interrupts = INTERRUPTIONS.has(session.conversation?.machine ?? '');
  // The help that the menu has led to interrupts nothing: its entries can be dialled.
  const isEntry = session.conversation?.machine === 'help' && !session.suspended;
  // The number of a reference is dialled: `*123*2*215500000005#`.
  const isSecret = SECRETS.has(screen.expects) && screen.expects !== 'reference';
  const asked = (interrupts && !isEntry) || isSecret || asksToConfirm(screen);
  // A frozen payment is refused with all that was dialled.
  const isRefused = screen.key === 'freeze.stopped';
  return isUnderstood && !call && !asked && !isRefused && screen.notice === undefined;
}

/** A digit of a dial means what it meant when it was learnt: on a list that can change, nothing, but for what has a digit of its own. */
export function picksFromList({ session }: Thought, input: Input): boolean {
  const digits = input.type === 'said' ? latinDigits(input.text.trim()) : '';
  const screen = currentScreen(session);
  const canChange = screen.choices?.some(({ listed, varies }) => listed || varies) === true;
  return canChange && /^\d{1,2}$/.test(digits) && choiceAt(digits, screen)?.digit === undefined;
}

/**
 * The values that a dial such as `*123*3*0612345678*50#` or `*123*3*50#` fills in. It ends in an amount, perhaps behind a number or a
 * RIB, or behind the choice of one's own number. Only what is missing is asked for then.
 */
export function filledBy(
  session: Session,
  inputs: readonly Input[],
): { readonly machine: string; readonly filled: Filled } | undefined {
  const [number, sum] = inputs.slice(-2);
  const { machine = '', context } = session.conversation ?? {};
  const screen = currentScreen(session);
  if (!isPaymentKind(machine) || screen.expects === 'amount') return undefined;
  if (number?.type !== 'said' || sum?.type !== 'said') return undefined;
  const [to, rib, amount] = [readPhone(number.text), ribIn(number.text), readAmount(sum.text)];
  if (!amount.ok) return undefined;
  const filled = { amount: amount.centimes };
  const payee = (to && { to }) ?? (rib && { rib });
  if (payee) return { machine, filled: { ...payee, ...filled } };
  const digits = latinDigits(sum.text.trim());
  if (!DIALED_AMOUNT.test(digits) || choiceAt(digits, screen)) return undefined;
  const chosen = readPhone(typeof context?.to === 'string' ? context.to : '');
  const asksWho = screen.expects === 'phone' || screen.expects === 'account';
  return chosen || asksWho ? { machine, filled: { ...(chosen && { to: chosen }), ...filled } } : undefined;
}
