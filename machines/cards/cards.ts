import { CARD_SERVICES, type CardAction, type CardService } from '../../src/wallet/issued-cards.ts';
import { cardChanged, changingCard } from '../kit/card-change.ts';
import { known, last, machine, screen } from '../kit/conversation.ts';
import { parts } from '../kit/parts.ts';
import { application, card, type Listed, list, services, showsApplication, transactions } from './screens.ts';

const { call, choose, decide, state } = parts<Listed>();

const ACTIONS: readonly CardAction[] = ['activate', 'block', 'suspend', 'reactivate', 'cancel'];
/** With these a card begins to pay. */
const PAYS: ReadonlySet<string> = new Set<CardAction>(['activate', 'reactivate']);
/** Choices of the list of payments. */
const WAYS: Readonly<Record<string, number>> = { older: 1, newer: -1 };

/**
 * The customer's issued cards and applications for some: read at each visit, as no event tells of them. Everything but a
 * suspension, which protects and can be undone, is behind the PIN.
 */
export const cards = machine<Listed>({
  id: 'cards',
  context: ({ input }) => ({
    wallet: known(input.wallet),
    cards: [],
    applications: [],
    programs: [],
    page: 1,
    ...(input.isFrozen && { isFrozen: true }),
  }),
  initial: 'reading',
  states: {
    reading: call('readCards', {
      says: 'cards.reading',
      input: ({ wallet }) => ({ wallet }),
      ok: [
        {
          if: (all) => [all.cards, all.applications, all.programs].every((list) => list.length === 0),
          target: 'notEnabled',
        },
        {
          if: ({ cards, applications }) => cards.length === 1 && !applications.some(showsApplication),
          target: 'showing',
          know: (all) => ({ ...all, card: all.cards[0] }),
        },
        { target: 'listing', know: (all) => all },
      ],
      notEnabled: 'notEnabled',
      failed: 'unavailable',
    }),
    listing: state({
      shows: list,
      chose: choose(
        { if: 'order', target: 'ordering' },
        {
          if: (choice) => choice.startsWith('application'),
          target: 'showingApplication',
          know: (choice) => ({ application: Number(choice.slice('application'.length)) }),
        },
        {
          target: 'showing',
          know: (choice, context) => ({ card: context.cards.find(({ id }) => String(id) === choice) }),
        },
      ),
      back: 'left',
    }),
    showingApplication: {
      meta: screen(application),
      on: { chose: 'listing', back: 'listing' },
    },
    showing: state({
      shows: card,
      chose: choose(
        { if: 'order', target: 'ordering' },
        {
          if: (choice, { isFrozen }) => isFrozen === true && PAYS.has(choice),
          target: 'stopped',
        },
        { if: 'services', target: 'choosingService' },
        { if: 'transactions', target: 'askingPin', know: () => ({ change: undefined, page: 1 }) },
        { if: 'suspend', target: 'changing', know: () => ({ change: { action: 'suspend' } }) },
        { target: 'askingPin', know: (choice) => ({ change: { action: actionOf(choice) } }) },
      ),
      back: 'listing',
    }),
    choosingService: state({
      shows: services,
      chose: choose(
        {
          if: (choice, { isFrozen, card }) => isFrozen === true && !known(card?.services)[serviceOf(choice)],
          target: 'stopped',
        },
        {
          target: 'askingPin',
          know: (choice, context) => {
            const service = serviceOf(choice);
            return { change: { service, isOn: !known(context.card?.services)[service] } };
          },
        },
      ),
      back: 'showing',
      resumed: 'reading',
    }),
    ...changingCard<Listed>({ authenticated: 'authenticated', changed: 'cardChanged', back: 'showing' }),
    authenticated: decide(
      { if: (context) => context.change === undefined, target: 'readingTransactions' },
      'changing',
    ),
    readingTransactions: call('readCardTransactions', {
      says: 'cards.reading',
      input: ({ wallet, card, page }) => ({ wallet, card: known(card).id, page }),
      ok: { target: 'listingTransactions', know: (page) => page },
      failed: 'showing',
    }),
    listingTransactions: state({
      shows: transactions,
      chose: choose(
        {
          if: (choice) => choice in WAYS,
          target: 'readingTransactions',
          know: (choice, context) => ({ page: context.page + (WAYS[choice] ?? 0) }),
        },
        { target: 'showing' },
      ),
      back: 'showing',
    }),
    cardChanged: cardChanged<Listed>('card-order'),
    unavailable: last('cards.unavailable'),
    notEnabled: last('cards.notEnabled', { output: { notEnabled: 'cards' } }),
    stopped: { type: 'final', output: { next: 'freeze', filled: { refuses: true } } },
    ordering: { type: 'final', output: { next: 'card-order' } },
    left: { type: 'final' },
  },
});

/** The screens offer no other. */
function actionOf(choice: string): CardAction {
  return known(ACTIONS.find((action) => action === choice));
}

function serviceOf(choice: string): CardService {
  return known(CARD_SERVICES.find((service) => service === choice));
}
