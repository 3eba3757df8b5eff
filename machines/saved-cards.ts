import type { SavedCard } from '../src/wallet/bank-cards.ts';
import { type Authenticating, authentication } from './kit/authentication.ts';
import { known, last, machine } from './kit/conversation.ts';
import { parts } from './kit/parts.ts';
import { isRefusal, problem } from './kit/problem.ts';

interface Keeping extends Authenticating {
  cards?: readonly SavedCard[];
  card?: SavedCard | undefined;
}

const { call, choose, question, state } = parts<Keeping>();

/** The cards that the wallet has saved with the customer's consent: they look at them, and delete them. */
export const savedCards = machine<Keeping>({
  id: 'saved-cards',
  context: ({ input }) => ({ wallet: known(input.wallet) }),
  initial: 'askingPin',
  states: {
    ...authentication<Keeping>(() => ({ key: 'saved-cards.askPin', expects: 'pin' }), {
      next: 'reading',
      back: 'left',
    }),
    reading: call('readSavedCards', {
      says: 'saved-cards.reading',
      input: ({ wallet }) => ({ wallet }),
      ok: [
        { if: (cards) => cards.length === 0, target: 'none' },
        { target: 'choosing', know: (cards) => ({ cards }) },
      ],
      notEnabled: 'notEnabled',
      failed: 'unavailable',
    }),
    choosing: state({
      shows: ({ cards = [] }) => ({
        key: 'saved-cards.choose',
        choices: cards.map((card) => ({
          id: String(card.id),
          key: 'saved-cards.card' as const,
          values: seen(card),
          listed: true as const,
        })),
        expects: 'choice',
      }),
      chose: choose({
        target: 'confirming',
        know: (choice, context) => ({ card: context.cards?.find(({ id }) => String(id) === choice) }),
      }),
      back: 'left',
    }),
    /** The safe answer comes last: what is typed first, `1`, was meant. */
    confirming: question(
      ({ card }) => ({ key: 'saved-cards.confirm', values: seen(known(card)) }),
      [
        { id: 'delete', key: 'saved-cards.delete', target: 'deleting' },
        { id: 'keep', key: 'saved-cards.keep', target: 'choosing' },
      ],
      { back: 'choosing' },
    ),
    deleting: call('deleteSavedCard', {
      says: 'saved-cards.deleting',
      input: ({ wallet, card }) => ({ wallet, card: known(card).id }),
      ok: 'deleted',
      // Somebody else was faster, or an answer that was lost had done it.
      refused: [
        { if: (refusal) => isRefusal(refusal, 'savedCardUnknown'), target: 'deleted' },
        { target: 'reading', know: (refusal) => ({ notice: problem(refusal) }) },
      ],
      // The list tells whether it was done.
      failed: { target: 'reading', know: () => ({ notice: { key: 'saved-cards.notKnown' } }) },
      lost: { target: 'reading', know: () => ({ notice: { key: 'saved-cards.notKnown' } }) },
    }),
    deleted: last<Keeping>(({ card }) => ({ key: 'saved-cards.deleted', values: seen(known(card)) })),
    none: question(
      'saved-cards.none',
      [{ id: 'card-cash-in', key: 'cash.card-cash-in', target: 'loading' }],
      { back: 'left' },
    ),
    loading: { type: 'final', output: { next: 'card-cash-in' } },
    unavailable: last('saved-cards.unavailable'),
    notEnabled: last('saved-cards.notEnabled', { output: { notEnabled: 'saved-cards' } }),
    left: { type: 'final' },
  },
});

/** The part of a saved card that may be shown. */
function seen({ scheme = '', last4 }: SavedCard) {
  return { card: { code: `${scheme} •••• ${last4}`.trim() } };
}
