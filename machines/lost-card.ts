import type { IssuedCard } from '../src/wallet/issued-cards.ts';
import {
  type ChangingCard,
  cardChanged,
  cardName,
  changingCard,
  isUsable,
  STATES,
} from './kit/card-change.ts';
import { type Ending, known, machine } from './kit/conversation.ts';
import { parts } from './kit/parts.ts';
import type { Sentence } from './kit/screen.ts';

interface Losing extends ChangingCard {
  /** Those that could still pay. */
  cards: readonly IssuedCard[];
}

const { call, choose, decide, question, state } = parts<Losing>();

const BLOCK = {
  id: 'block',
  key: 'lost-card.block',
  varies: true,
  target: 'askingPin',
  know: () => ({ change: { action: 'block', isLost: true } as const }),
} as const;

/**
 * A card is lost or stolen. It is suspended without a question: that protects at once and can be undone. Blocking it is
 * final (open question 20), so it needs the PIN.
 */
export const lostCard = machine<Losing>({
  id: 'lost-card',
  context: ({ input }) => ({ wallet: known(input.wallet), cards: [] }),
  initial: 'reading',
  states: {
    reading: call('readOwnCards', {
      says: 'cards.reading',
      input: ({ wallet }) => ({ wallet }),
      ok: [
        {
          if: (cards) => !cards.some(isUsable),
          target: 'none',
          know: (cards) => ({ card: cards.find((card) => card.state === 'blocked') }),
        },
        {
          if: (cards) => cards.filter(isUsable).length === 1,
          target: 'looking',
          know: (cards) => ({ card: cards.find(isUsable) }),
        },
        { target: 'choosingCard', know: (cards) => ({ cards: cards.filter(isUsable) }) },
      ],
      notEnabled: 'notEnabled',
      failed: 'unavailable',
    }),
    choosingCard: state({
      shows: ({ cards }) => ({
        key: 'lost-card.chooseCard',
        choices: cards.map((card) => ({ id: String(card.id), ...line(card), listed: true })),
        expects: 'choice',
      }),
      chose: choose({
        target: 'looking',
        know: (choice, context) => ({ card: context.cards.find(({ id }) => String(id) === choice) }),
      }),
      back: 'left',
      resumed: 'reading',
    }),
    looking: decide({ if: ({ card }) => known(card).state === 'suspended', target: 'suspended' }, 'choosing'),
    /** A dial ends here: whose card stands here alone may have another one by now, and looks at it first. */
    choosing: question(
      (context) => ({ key: 'lost-card.choose', values: { card: cardName(context) } }),
      [
        {
          id: 'suspend',
          key: 'lost-card.suspend',
          varies: true,
          target: 'changing',
          know: () => ({ change: { action: 'suspend', isLost: true } }),
        },
        BLOCK,
      ],
      { back: 'left', resumed: 'reading' },
    ),
    ...changingCard<Losing>({ authenticated: 'changing', changed: 'deciding', back: 'looking' }),
    deciding: decide(
      {
        if: isSuspended,
        target: 'suspended',
        know: ({ card }) => ({ card: { ...known(card), state: 'suspended' } }),
      },
      'blocked',
    ),
    /** The card is protected. A customer who knows that it is gone for good can block it now. */
    suspended: question(
      (context) => ({ key: 'lost-card.suspended', values: { card: cardName(context) } }),
      [BLOCK, { id: 'leave', key: 'lost-card.leave', target: 'left' }],
      { tags: 'news', back: 'left' },
    ),
    blocked: cardChanged<Losing>('card-order'),
    none: toHelp(({ card }) => (card ? line(card) : { key: 'lost-card.none' })),
    unavailable: question(
      'lost-card.unavailable',
      [
        { id: 'again', key: 'pay.again', target: 'reading' },
        { id: 'cancel', key: 'pay.cancel', target: 'left' },
      ],
      { back: 'left', resumed: 'reading' },
    ),
    notEnabled: toHelp(() => ({ key: 'cards.notEnabled' }), { notEnabled: 'lost-card' }),
    left: { type: 'final' },
  },
});

/** A card and how it is, such as one that is blocked already. */
function line(card: IssuedCard): Sentence {
  return { key: 'cards.line', values: { card: cardName({ card }), state: { say: STATES[card.state] } } };
}

/** There is no card to protect. Payments can still be frozen, and a person asked for. */
function toHelp(why: (context: Losing) => Sentence, more: Ending = {}) {
  const help = { why: 'urgent' } as const;
  const output = ({ context }: { readonly context: Losing }): Ending => ({
    ...more,
    ...{ next: 'help', wanted: 'lost-card', filled: { help }, notice: why(context) },
  });
  return { type: 'final' as const, output };
}

function isSuspended({ change }: Losing): boolean {
  return change !== undefined && 'action' in change && change.action === 'suspend';
}
