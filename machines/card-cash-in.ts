import { assign } from 'xstate';
import type { SavedCard } from '../src/wallet/bank-cards.ts';
import type { Centimes } from '../src/wallet/money.ts';
import { conversation, known, machine, type Start } from './kit/conversation.ts';
import { overLevel, roomLeft, within } from './kit/over-level.ts';
import { parts } from './kit/parts.ts';
import { notEnabled, type Paying, payingTail } from './kit/paying.ts';
import type { Sentence } from './kit/screen.ts';
import { amountIn } from './kit/typed.ts';

/** A form for a card that nobody fills in closes after this long, as its address does. */
const CARD_PROMPT_MS = 10 * 60_000;
/** More than fit a page are of no use to anybody. */
const CARDS_SHOWN_MAX = 5;
const ANOTHER = 'another';
const TO_AMOUNT = 'askingAmount';

interface Depositing extends Paying {
  /** Said before it was asked for. */
  amount?: Centimes | undefined;
  /** The most that the wallet may hold at its level, where that can be read. */
  limit?: Centimes | undefined;
  /** The room that is left below the limit, read after the PIN. */
  left?: Centimes | undefined;
  /** The cards that the wallet has saved, read after the PIN. */
  cards?: readonly SavedCard[];
}

const ASKS_AMOUNT = [
  'card-cash-in.askAmount',
  'card-cash-in.askAmountWithin',
  'card-cash-in.askAmountLeft',
] as const;
const { call, typed, choose, decide, question, state } = parts<Depositing>();

/**
 * The customer loads their own wallet by card. They type the card on the form, whose one request claims the payment and
 * makes the call. They continue on the bank's page, and the wallet tells whether money has come.
 */
export const cardCashIn = machine<Depositing>({
  id: 'card-cash-in',
  context: ({ input }) => started(input),
  initial: 'preparing',
  states: {
    preparing: call('readCashDesk', {
      says: 'cash-in.preparing',
      input: ({ wallet }) => ({ wallet, kind: 'cash-in' }),
      ok: { target: 'beginning', know: ({ limit, left }) => ({ limit, left }) },
    }),
    beginning: decide(
      { if: (context) => context.amount !== undefined, target: 'previewing', know: placeOrder },
      'askingAmount',
    ),
    askingAmount: state({
      tags: 'private',
      entry: assign({ amount: undefined, quote: undefined, looks: undefined }),
      shows: (context) => ({ ...within(ASKS_AMOUNT, context), expects: 'amount' }),
      said: typed(amountIn, {
        target: 'previewing',
        know: (amount, context) => placeOrder({ ...context, amount }),
      }),
      back: 'left',
      // The room that is left tells the balance, and was said after a PIN.
      resumed: 'preparing',
    }),
    ...payingTail<Depositing>({
      amend: 'askingAmount',
      amends: {
        refusals: ['recipientLimit'],
        state: 'overLevel',
        afterPin: 'readingRoom',
        asksPin: 'cash-in.askPin',
      },
      notEnabled: 'notEnabled',
      takesDays: true,
      afterPin: 'readingCards',
    }),
    /** The saved cards are shown after the PIN only. Where they cannot be read, the customer types a card. */
    readingCards: call('readSavedCards', {
      says: 'pay.previewing',
      input: ({ wallet }) => ({ wallet }),
      ok: [
        {
          if: (cards) => cards.length > 0,
          target: 'choosingCard',
          know: (cards) => ({ cards: cards.slice(0, CARDS_SHOWN_MAX) }),
        },
        'askingCard',
      ],
      failed: { target: 'askingCard', know: () => ({}) },
    }),
    choosingCard: state({
      shows: ({ cards = [] }) => ({
        key: 'card-cash-in.chooseCard',
        choices: [
          ...cards.map((card) => ({
            id: String(card.id),
            key: 'card-cash-in.card' as const,
            values: seen(card),
            listed: true as const,
          })),
          { id: ANOTHER, key: 'card-cash-in.anotherCard', varies: true },
        ],
        expects: 'choice',
      }),
      after: { [CARD_PROMPT_MS]: 'lapsedCard' },
      chose: choose(
        { if: ANOTHER, target: 'askingCard', know: (_, context) => withCard(context) },
        {
          target: 'askingCvv',
          know: (choice, context) =>
            withCard(
              context,
              context.cards?.find(({ id }) => String(id) === choice),
            ),
        },
      ),
      back: TO_AMOUNT,
      resumed: 'previewing',
    }),
    askingCard: askingSecret('card', 'card-cash-in.askCard'),
    askingCvv: askingSecret('cvv', 'card-cash-in.askCvv'),
    /** The form timed out. Nothing was sent, and the customer can continue from the confirmation. */
    lapsedCard: question(
      ({ order }) => ({
        key: 'card-cash-in.lapsed',
        ...(order && { values: { amount: { money: order.amount } } }),
      }),
      [{ id: 'continue', key: 'pin.continue', target: 'previewing' }],
      { tags: 'resumable', back: 'cancelled', resumed: 'previewing' },
    ),
    ...overLevel<Depositing>(overTheirLevel, TO_AMOUNT, {
      state: 'askingPin',
      isKnown: ({ limit }) => limit !== undefined,
      know: { looks: true },
    }),
    ...roomLeft<Depositing>(({ limit }) => limit, TO_AMOUNT),
    notEnabled: notEnabled<Depositing>('card-cash-in'),
    left: { type: 'final' },
  },
});

/** The form is open. A card that is typed in the chat is refused there as everywhere. */
function askingSecret(expects: 'card' | 'cvv', key: 'card-cash-in.askCard' | 'card-cash-in.askCvv') {
  return conversation<Depositing>().createStateConfig(
    state({
      tags: 'resumable',
      shows: ({ order }) => ({
        key,
        values: {
          amount: { money: known(order).amount },
          ...seen(order?.kind === 'card-cash-in' ? order.card : undefined),
        },
        expects,
      }),
      after: { [CARD_PROMPT_MS]: 'lapsedCard' },
      carded: 'lookingAgain',
      back: TO_AMOUNT,
      resumed: 'previewing',
    }),
  );
}

/** The part of a saved card that may be shown. */
function seen({ scheme = '', last4 = '' }: Partial<SavedCard> = {}) {
  return { card: { code: `${scheme} •••• ${last4}`.trim() } };
}

/** The order with the saved card that was chosen, or with one that is yet to be typed. */
function withCard({ wallet, order }: Depositing, card?: SavedCard): Partial<Depositing> {
  const { amount } = known(order);
  return { order: { kind: 'card-cash-in', from: wallet, amount, ...(card && { card }) } };
}

function overTheirLevel({ limit }: Depositing): Sentence {
  return limit === undefined
    ? { key: 'card-cash-in.overLevel' }
    : { key: 'cash-in.overLimit', values: { limit: { money: limit } } };
}

function started({ wallet, filled = {} }: Start): Depositing {
  const { amount } = filled;
  return { wallet: known(wallet), ...(amount && { amount }) };
}

function placeOrder({ wallet, amount }: Depositing): Partial<Depositing> {
  return { order: { kind: 'card-cash-in', from: wallet, amount: known(amount) } };
}
