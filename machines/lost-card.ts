import type { IssuedCard } from '../src/wallet/issued-cards.ts';
import {
  type ChangingCard,
  cardName,
  changedCard,
  changingCard,
  isUsable,
  STATES,
} from './kit/card-change.ts';
import { known, last, machine } from './kit/conversation.ts';
import { parts } from './kit/parts.ts';
import { stopped } from './kit/stopped.ts';

interface Losing extends ChangingCard {
  /** Those that could still pay. */
  cards: readonly IssuedCard[];
}

const { call, choose, question, state } = parts<Losing>();

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
        { if: (cards) => !cards.some(isUsable), target: 'none' },
        {
          if: (cards) => cards.filter(isUsable).length === 1,
          target: 'choosing',
          know: (cards) => ({ card: cards.find(isUsable) }),
        },
        { target: 'choosingCard', know: (cards) => ({ cards: cards.filter(isUsable) }) },
      ],
      notEnabled: 'notEnabled',
      failed: 'unavailable',
    }),
    choosingCard: state({
      tags: 'resumable',
      shows: ({ cards }) => ({
        key: 'lost-card.chooseCard',
        choices: cards.map((card) => ({
          id: String(card.id),
          key: 'cards.line',
          values: { card: cardName({ card }), state: { say: STATES[card.state] } },
          listed: true,
        })),
        expects: 'choice',
      }),
      chose: choose({
        target: 'choosing',
        know: (choice, context) => ({ card: context.cards.find(({ id }) => String(id) === choice) }),
      }),
      back: 'left',
      resumed: 'reading',
    }),
    /** A dial ends here: whose card stands here alone may have another one by now, and looks at it first. */
    choosing: state({
      tags: 'resumable',
      shows: (context) => ({
        key: 'lost-card.choose',
        values: { card: cardName(context) },
        choices: [
          ...(known(context.card).state === 'suspended'
            ? []
            : [{ id: 'suspend', key: 'lost-card.suspend', varies: true } as const]),
          { id: 'block', key: 'lost-card.block', varies: true },
        ],
        expects: 'choice',
      }),
      chose: choose(
        {
          if: 'suspend',
          target: 'changing',
          know: () => ({ change: { action: 'suspend', isLost: true } }),
        },
        { target: 'askingPin', know: () => ({ change: { action: 'block', isLost: true } }) },
      ),
      back: 'left',
      resumed: 'reading',
    }),
    ...changingCard<Losing>({ authenticated: 'changing', changed: 'deciding', back: 'choosing' }),
    deciding: {
      always: [{ guard: ({ context }) => isSuspended(context), target: 'suspended' }, { target: 'blocked' }],
    },
    /** The card is protected. A customer who knows that it is gone for good can block it now. */
    suspended: question(
      (context) => ({ key: 'lost-card.suspended', values: { card: cardName(context) } }),
      [
        {
          id: 'block',
          key: 'lost-card.block',
          target: 'askingPin',
          know: () => ({ change: { action: 'block', isLost: true } }),
        },
        { id: 'leave', key: 'lost-card.leave', target: 'left' },
      ],
      { tags: 'news', back: 'left' },
    ),
    blocked: last(changedCard, { tags: 'news' }),
    none: last('lost-card.none'),
    unavailable: stopped<Losing>(() => ({ key: 'lost-card.unavailable' }), {
      again: 'reading',
      cancel: 'left',
      back: { target: 'left', know: () => ({}) },
      resumed: 'reading',
    }),
    notEnabled: last('cards.notEnabled', { output: { notEnabled: 'lost-card' } }),
    left: { type: 'final' },
  },
});

function isSuspended({ change }: Losing): boolean {
  return change !== undefined && 'action' in change && change.action === 'suspend';
}
