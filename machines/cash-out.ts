import { assign } from 'xstate';
import type { Centimes } from '../src/wallet/money.ts';
import { type Authenticating, authentication } from './kit/authentication.ts';
import { cancelled, known, last, machine, screen } from './kit/conversation.ts';
import { type Held, heldBack, WHERE_HELD } from './kit/held-back.ts';
import { parts } from './kit/parts.ts';
import { type AsksReference, alikeIn, costOf, lastScreen, named } from './kit/reference.ts';
import type { Sentence } from './kit/screen.ts';
import { type Short, short, WHERE_SHORT } from './kit/short.ts';
import { amountIn } from './kit/typed.ts';

interface CashOut extends Authenticating, AsksReference, Held, Short {
  /** As the operator's tariff says. */
  fees?: Centimes | undefined;
}

const { call, typed, decide, question, state } = parts<CashOut>();

/**
 * The customer gets a reference and draws cash with it. Anybody who has it may draw the money. So it stands behind the
 * PIN, though the API asks for none, and is hidden like a voucher's code. The money leaves the wallet at the pay-out.
 */
export const cashOut = machine<CashOut>({
  id: 'cash-out',
  context: ({ input: { wallet, filled } }) => ({ wallet: known(wallet), amount: filled?.amount }),
  initial: 'preparing',
  states: {
    preparing: call('readCashDesk', {
      says: 'cash-out.preparing',
      input: ({ wallet }) => ({ wallet, kind: 'cash-out' }),
      ok: { target: 'beginning', know: (desk) => ({ desk, hints: desk.hints }) },
    }),
    beginning: decide(
      { if: (context) => context.amount === undefined, target: 'askingAmount' },
      { if: (context) => alike(context) !== undefined, target: 'offering' },
      'previewing',
    ),
    /** Nobody types their PIN for what can be refused without it. */
    previewing: call('previewWithdrawal', {
      says: 'cash-out.preparing',
      input: ({ wallet, amount }) => ({ wallet, amount: known(amount) }),
      ok: [
        {
          if: ({ asks }) => asks.length > 0,
          target: 'confirming',
          know: ({ fees }) => ({ fees, looks: undefined }),
        },
        { target: 'askingPin', know: ({ fees }) => ({ fees, looks: undefined }) },
      ],
      refused: [WHERE_HELD, WHERE_SHORT],
      failed: 'askingAmount',
    }),
    askingAmount: state({
      entry: assign({ amount: undefined, another: undefined, looks: undefined }),
      shows: () => ({ key: 'cash-out.askAmount', expects: 'amount' }),
      said: typed(amountIn, { target: 'beginning', know: (amount) => ({ amount }) }),
      back: 'left',
      // One that was made meanwhile, in another chat, is offered.
      resumed: 'preparing',
    }),
    /** An open one of the same amount is shown again, after the PIN: nobody can cancel the one that is not needed. */
    offering: question(
      (c) => ({ key: 'cash-out.alike', values: named(c) }),
      [
        { id: 'again', key: 'cash-in.showAgain', target: 'askingPin' },
        { id: 'another', key: 'cash-in.another', target: 'previewing', know: () => ({ another: true }) },
      ],
      { back: 'askingAmount' },
    ),
    /** A customer under pressure to draw an unusual amount reads first how to stop. */
    confirming: question(
      (c) => ({ key: 'cash-out.askUnusual', values: named(c) }),
      [
        { id: 'cancel', key: 'pay.cancel', target: 'left' },
        { id: 'confirm', key: 'pay.goOn', target: 'askingPin' },
      ],
      { tags: 'resumable', back: 'askingAmount', resumed: 'preparing' },
    ),
    ...authentication<CashOut>(
      (c) => ({
        ...asksPin(c),
        // One that is open already cannot be cancelled.
        ...(!alike(c) && { choices: [{ id: 'cancel', key: 'pay.cancel' }] }),
        expects: 'pin',
      }),
      { next: 'authenticated', back: 'askingAmount', checkpoint: 'preparing', cancel: 'cancelled' },
    ),
    authenticated: decide(
      { if: (context) => context.looks === true, target: 'previewing' },
      { if: (context) => alike(context) !== undefined, target: 'reading' },
      { if: ({ another }) => another === true, target: 'requesting' },
      'lookingAgain',
    ),
    /** While the PIN was typed, another chat may have asked for the same one: a second one would draw the amount twice. */
    lookingAgain: call('readCashDesk', {
      says: 'cash-out.preparing',
      input: ({ wallet }) => ({ wallet, kind: 'cash-out' }),
      ok: [
        {
          if: (desk, context) => alike({ ...context, desk }) !== undefined,
          target: 'offering',
          know: (desk) => ({ desk }),
        },
        { target: 'requesting', know: (desk) => ({ desk }) },
      ],
    }),
    reading: call('readReference', {
      says: 'cash-out.preparing',
      input: (c) => ({ wallet: c.wallet, id: known(alike(c)).id }),
      ok: [
        { if: ({ state }) => state !== 'open', target: 'requesting', know: () => ({ another: true }) },
        { target: 'shown', know: ({ hints, ...given }) => ({ given, hints }) },
      ],
      failed: 'askingAmount',
    }),
    requesting: call('requestReference', {
      says: (c) => ({ key: 'cash-out.requesting', values: named(c) }),
      input: (c) => ({ wallet: c.wallet, kind: 'cash-out', amount: known(c.amount) }),
      ok: { target: 'shown', know: (given) => ({ given }) },
      tooMany: { target: 'askingAmount', know: () => ({ notice: { key: 'cash-in.tooMany' } }) },
      notEnabled: 'notEnabled',
      refused: WHERE_HELD,
      unknown: [{ if: (answer) => 'isHeld' in answer, target: 'heldByWallet' }, 'lost'],
      failed: 'askingAmount',
    }),
    shown: { type: 'final', meta: screen(lastScreen) },
    /** Nobody knows the number of a reference whose answer was lost, so nobody can draw money with it. */
    lost: question(
      (c) => ({ key: 'cash-out.lost', values: named(c) }),
      [{ id: 'another', key: 'cash-in.another', target: 'previewing', know: () => ({ another: true }) }],
      { back: 'askingAmount' },
    ),
    /** The balance has fallen all the same: another reference would take it down once more. */
    heldByWallet: last<CashOut>((c) => ({ key: 'cash-out.held', values: named(c) }), { tags: 'news' }),
    ...short<CashOut>({
      named: (c) => ({ key: 'cash-out.named', values: named(c) }),
      back: 'askingAmount',
      asksAmount: true,
      cancel: 'left',
    }),
    ...heldBack<CashOut>({ back: 'askingAmount', cancel: 'left' }),
    notEnabled: last('cash-out.notEnabled', { output: { notEnabled: 'cash-out' } }),
    cancelled,
    left: { type: 'final' },
  },
});

/** The amount, and its price where that is known. */
function asksPin(context: CashOut): Sentence {
  const { amount, fees } = context;
  const values = named(context);
  if (context.looks) return { key: 'pay.askLeft', values };
  if (alike(context)) return { key: 'cash-out.askPinAgain', values };
  return fees === undefined
    ? { key: 'cash-out.askPin', values }
    : { key: 'cash-out.askPinPriced', values: { ...values, ...costOf(known(amount), fees) } };
}

function alike(context: CashOut) {
  return alikeIn(context, 'cash-out');
}
