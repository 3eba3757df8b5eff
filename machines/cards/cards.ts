import { assign } from 'xstate';
import { CARD_SERVICES, type CardAction, type CardService } from '../../src/wallet/issued-cards.ts';
import { calls } from '../kit/call.ts';
import { changedCard, changingCard } from '../kit/card-change.ts';
import { conversation, ending, known, screen } from '../kit/conversation.ts';
import { application, card, type Listed, list, services, showsApplication, transactions } from './screens.ts';

const call = calls<Listed>();

/** Choices of a card that are a change of it. */
const ACTIONS: readonly CardAction[] = ['activate', 'block', 'suspend', 'reactivate', 'cancel'];
/** Choices of the list of payments. */
const WAYS: Readonly<Record<string, number>> = { older: 1, newer: -1 };

/**
 * The customer's issued cards and applications for some: read at each visit, as no event tells of them. Everything but a
 * suspension, which protects and can be undone, is behind the PIN.
 */
export const cards = conversation<Listed>().createMachine({
  id: 'cards',
  version: '1',
  context: ({ input }) => ({
    wallet: known(input.wallet),
    cards: [],
    applications: [],
    programs: [],
    page: 1,
  }),
  initial: 'reading',
  output: ending,
  states: {
    reading: call('readCards', {
      says: 'cards.reading',
      input: ({ wallet }) => ({ wallet }),
      on: {
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
      },
    }),
    listing: {
      meta: screen(list),
      on: {
        chose: [
          { guard: ({ event }) => event.choice === 'order', target: 'ordering' },
          {
            guard: ({ event }) => event.choice.startsWith('application'),
            target: 'showingApplication',
            actions: assign(({ event }) => ({
              application: Number(event.choice.slice('application'.length)),
            })),
          },
          {
            target: 'showing',
            actions: assign(({ context, event }) => ({
              card: context.cards.find(({ id }) => String(id) === event.choice),
            })),
          },
        ],
        back: 'left',
      },
    },
    showingApplication: {
      meta: screen(application),
      on: { chose: 'listing', back: 'listing' },
    },
    showing: {
      meta: screen(card),
      on: {
        chose: [
          { guard: ({ event }) => event.choice === 'services', target: 'choosingService' },
          {
            guard: ({ event }) => event.choice === 'transactions',
            target: 'askingPin',
            actions: assign({ change: undefined, page: 1 }),
          },
          {
            guard: ({ event }) => event.choice === 'suspend',
            target: 'changing',
            actions: assign({ change: { action: 'suspend' } }),
          },
          {
            target: 'askingPin',
            actions: assign(({ event }) => ({ change: { action: actionOf(event.choice) } })),
          },
        ],
        back: 'listing',
      },
    },
    choosingService: {
      tags: 'resumable',
      meta: screen(services),
      on: {
        chose: {
          target: 'askingPin',
          actions: assign(({ context, event }) => {
            const service = serviceOf(event.choice);
            return { change: { service, isOn: !known(context.card?.services)[service] } };
          }),
        },
        back: 'showing',
        resumed: 'reading',
      },
    },
    ...changingCard<Listed>({ authenticated: 'authenticated', changed: 'cardChanged', back: 'showing' }),
    authenticated: {
      always: [
        { guard: ({ context }) => context.change === undefined, target: 'readingTransactions' },
        { target: 'changing' },
      ],
    },
    readingTransactions: call('readCardTransactions', {
      says: 'cards.reading',
      input: ({ wallet, card, page }) => ({ wallet, card: known(card).id, page }),
      on: { ok: { target: 'listingTransactions', know: (page) => page }, failed: 'showing' },
    }),
    listingTransactions: {
      meta: screen(transactions),
      on: {
        chose: [
          {
            guard: ({ event }) => event.choice in WAYS,
            target: 'readingTransactions',
            actions: assign(({ context, event }) => ({ page: context.page + (WAYS[event.choice] ?? 0) })),
          },
          { target: 'showing' },
        ],
        back: 'showing',
      },
    },
    cardChanged: {
      type: 'final',
      tags: 'news',
      meta: screen((c) => ({ ...changedCard(c), expects: 'nothing' })),
    },
    unavailable: { type: 'final', meta: screen(() => ({ key: 'cards.unavailable', expects: 'nothing' })) },
    notEnabled: {
      type: 'final',
      meta: screen(() => ({ key: 'cards.notEnabled', expects: 'nothing' })),
      output: { notEnabled: 'cards' },
    },
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
