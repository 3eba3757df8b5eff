import type { CardAction, CardService, CardState, IssuedCard } from '../../src/wallet/issued-cards.ts';
import { type Authenticating, authentication } from './authentication.ts';
import { calls } from './call.ts';
import { conversation, known, last, screen } from './conversation.ts';
import type { CardChange } from './effects.ts';
import { isRefusal, problem } from './problem.ts';
import type { Screen, Sentence, Value } from './screen.ts';
import type { SentenceKey } from './sentence-key.ts';

/** The context that a conversation needs to change a card. */
export interface ChangingCard extends Authenticating {
  card?: IssuedCard | undefined;
  change?: CardChange | undefined;
}

/** The ways on from a change of a card. Each is the name of a state. */
interface CardExits {
  /** After the PIN: `changing`, or a state that decides between it and something else. */
  readonly authenticated: string;
  /** The card is as the customer wants it. */
  readonly changed: string;
  /** The card with what can be done about it: after "back", and where nothing was changed. */
  readonly back: string;
}

/**
 * Changes a card: PIN → `changing` → `exits.changed`. A conversation goes to `askingPin`, or straight to `changing` where what
 * it asks for protects and can be undone. If the answer is lost, the card itself is read: it says whether it is done.
 */
export function changingCard<Context extends ChangingCard>(exits: CardExits) {
  return {
    ...authentication<Context>(prompt, {
      next: exits.authenticated,
      back: exits.back,
      cancel: exits.back,
    }),
    changing: changing<Context>(exits),
    checking: checking<Context>(exits),
    notKnown: last<Context>((c) => ({ key: 'cards.notKnown', values: { card: cardName(c) } }), {
      tags: 'news',
    }),
  };
}

function changing<Context extends ChangingCard>({ changed, back }: CardExits) {
  return calls<Context>()('changeCard', {
    says: 'cards.waiting',
    input: ({ wallet, card, change }) => ({ wallet, card: known(card).id, change: known(change) }),
    ok: changed,
    // It may have been done already: by another chat, or by an earlier try whose answer was lost.
    refused: {
      if: (refusal) => isRefusal(refusal, 'issuedCardState'),
      target: 'checking',
      know: (refusal) => noticing<Context>(problem(refusal)),
    },
    unknown: 'checking',
    failed: back,
    lost: 'checking',
  });
}

/** After "try again" the customer sees the card as it is. Wasl sends nothing again by itself. */
function checking<Context extends ChangingCard>({ changed, back }: CardExits) {
  return calls<Context>()('readCard', {
    says: 'cards.waiting',
    input: ({ wallet, card }) => ({ wallet, card: known(card).id }),
    ok: [
      {
        if: (card, { change }) => isAs(card, known(change)),
        target: changed,
        know: () => noticing(undefined),
      },
      {
        target: back,
        know: (card, { notice }) =>
          ({ card, notice: notice ?? { key: 'cards.notChanged' } }) as Partial<Context>,
      },
    ],
    failed: { target: 'notKnown', know: () => noticing(undefined) },
  });
}

function noticing<Context extends ChangingCard>(notice: Sentence | undefined): Partial<Context> {
  return { notice } as Partial<Context>;
}

/** Partner API v2.3, "States and transitions / Card". */
const BECOMES: Readonly<Record<CardAction, CardState>> = {
  activate: 'active',
  block: 'blocked',
  suspend: 'suspended',
  reactivate: 'active',
  cancel: 'cancelled',
};

function isAs({ state, services }: IssuedCard, change: CardChange): boolean {
  return 'action' in change ? state === BECOMES[change.action] : services?.[change.service] === change.isOn;
}

/** The purpose named where the PIN is asked. */
const WILL: Readonly<Record<CardAction, SentenceKey>> = {
  activate: 'cards.willActivate',
  block: 'cards.willBlock',
  suspend: 'cards.willSuspend',
  reactivate: 'cards.willReactivate',
  cancel: 'cards.willCancel',
};

function prompt(context: ChangingCard): Screen {
  const { change } = context;
  const card = cardName(context);
  const what: Sentence =
    change === undefined
      ? { key: 'cards.willShow', values: { card } }
      : 'action' in change
        ? { key: WILL[change.action], values: { card } }
        : {
            key: change.isOn ? 'cards.willAllow' : 'cards.willRefuse',
            values: { card, service: { say: SERVICES[change.service] } },
          };
  return {
    key: 'cards.askPin',
    values: { what: { lines: [what] } },
    choices: [{ id: 'cancel', key: 'pay.cancel' }],
    expects: 'pin',
  };
}

const DONE: Readonly<Record<CardAction, SentenceKey>> = {
  activate: 'cards.activated',
  block: 'cards.blocked',
  suspend: 'cards.suspended',
  reactivate: 'cards.reactivated',
  cancel: 'cards.cancelled',
};

/**
 * The card is as the customer wants it. In the place of one that is gone for good another one can be ordered at once.
 * @param order the conversation that orders it
 */
export function cardChanged<Context extends ChangingCard>(order: string) {
  return conversation<Context>().createStateConfig({
    type: 'final',
    tags: 'news',
    meta: screen((c) => ({
      ...changedCard(c),
      ...(isGone(c) && { choices: [{ id: 'order', key: 'cards.order' }] }),
      expects: 'nothing',
    })),
    output: ({ context }) => (isGone(context) ? { offer: { choice: 'order', next: order, filled: {} } } : {}),
  });
}

function isGone({ change }: ChangingCard): boolean {
  return change !== undefined && 'action' in change && /^(?:block|cancel)$/.test(change.action);
}

function changedCard(context: ChangingCard): Sentence {
  const change = known(context.change);
  const card = cardName(context);
  if ('action' in change) return { key: DONE[change.action], values: { card } };
  const service = { say: SERVICES[change.service] } as const;
  return { key: change.isOn ? 'cards.allowed' : 'cards.refused', values: { card, service } };
}

export const SERVICES: Readonly<Record<CardService, SentenceKey>> = {
  allowAtm: 'cards.atm',
  allowOnline: 'cards.online',
  allowPos: 'cards.pos',
  contactlessEnabled: 'cards.contactless',
};

export const STATES: Readonly<Record<CardState, SentenceKey>> = {
  issued: 'cards.issued',
  active: 'cards.active',
  blocked: 'cards.isBlocked',
  suspended: 'cards.isSuspended',
  expired: 'cards.expired',
  cancelled: 'cards.isCancelled',
  unknown: 'cards.unknown',
};

/** Names the card by its last digits, the only ones that the API gives, or by its id where it gives none. */
export function cardName({ card }: Pick<ChangingCard, 'card'>): Value {
  const { last4, id } = known(card);
  return { code: last4 === undefined ? String(id) : `...${last4}` };
}

/** Not shown in v2.3 which cards are "usable" (open question 20): one in a state that nobody knows may be, and can be lost. */
export function isUsable({ state }: IssuedCard): boolean {
  return state === 'issued' || state === 'active' || state === 'suspended' || state === 'unknown';
}
