import { assign } from 'xstate';
import { isPaymentKind } from '../src/payments/payments.ts';
import { type Asked, asked, opening } from './kit/adviser.ts';
import {
  type Filled,
  type HelpOffer,
  type LockedSays,
  machine,
  type Remembered,
  type Start,
  type Stopped,
} from './kit/conversation.ts';
import { parts } from './kit/parts.ts';
import type { Choice, Screen, Sentence } from './kit/screen.ts';
import type { SentenceKey } from './kit/sentence-key.ts';

interface Context extends Remembered, Asked {
  /** There are people who can be asked for. */
  readonly advisers: boolean;
  /** There is a wallet, and it is the customer's own here. */
  readonly mayFreeze: boolean;
  /** Its payments are frozen. Absent in what was begun by an earlier version, and where they are not. */
  readonly isFrozen?: true;
  /** The same, and it has not said that it issues no cards. */
  readonly mayHaveCards: boolean;
  /** The wallet is locked, and this says so. */
  readonly locked?: LockedSays;
  /** The customer has chosen an adviser already, on the screen before. */
  readonly wantsPerson?: true;
  /** The customer has written what the adviser shall read. */
  readonly hasWritten?: true;
  /** The bot offers the help by itself. If there are meanings, they are offered in its place. */
  readonly offer?: HelpOffer;
  readonly chosen?: string;
  /** A payment that was ordered in words for the adviser. */
  readonly order?: Pick<HelpOffer, 'meanings' | 'filled'> | undefined;
  /** The last payment, where the customer wants it back. */
  readonly payment?: { readonly called: Sentence; readonly reference: string };
  /** The customer misses the money of a deposit whose reference is still open. */
  readonly hasOpenDeposit?: true;
}

/**
 * Conversations by the labels of the entries that lead to them. They can be offered to a customer who was not understood: none of them does
 * anything before it has asked.
 */
export const LABELS = {
  transfer: 'menu.transfer',
  balance: 'menu.balance',
  'top-up': 'menu.top-up',
  'bill-payment': 'menu.bill-payment',
  statement: 'menu.statement',
  'bank-transfer': 'menu.bank-transfer',
  'receive-payment': 'menu.receive-payment',
  'merchant-refund': 'menu.merchant-refund',
  voucher: 'shopping.voucher',
  'voucher-codes': 'shopping.voucher-codes',
  'merchant-payment': 'shopping.merchant-payment',
  cards: 'shopping.cards',
  'card-order': 'shopping.card-order',
  'cash-in': 'cash.cash-in',
  'card-cash-in': 'cash.card-cash-in',
  'cash-out': 'cash.cash-out',
  references: 'cash.references',
  'saved-cards': 'cash.saved-cards',
  beneficiaries: 'account.beneficiaries',
  'pin-change': 'account.pin-change',
  'pin-reset': 'account.pin-reset',
  upgrade: 'account.upgrade',
  profile: 'account.profile',
  closing: 'account.closing',
  'lost-card': 'help.lost-card',
} as const satisfies Readonly<Record<string, SentenceKey>>;
/** Entries of the conversations themselves: what was paid before. */
export const LOOKING_BACK: readonly Choice[] = [
  { id: 'bill-payment', key: 'bill-payment.history' },
  { id: 'top-up', key: 'top-up.openHistory' },
];
type Meaning = keyof typeof LABELS;
/** Conversations that only a merchant has. */
const OF_MERCHANTS: ReadonlySet<string> = new Set(['receive-payment', 'merchant-refund']);
/** The way out for a wallet that wrong PINs have locked. */
const NEW_PIN = { id: 'pin-reset', key: 'menu.pin-reset' } as const satisfies Choice;
/** So many are offered: a page has room for them. */
const MEANINGS_MAX = 3;

const { call, choose, decide, state } = parts<Context>();

/**
 * The customer asks for help. The interrupted conversation waits and comes back unchanged. If there are support
 * agents, the customer can ask for one, who writes into a chat and calls back on USSD. From here the customer also
 * freezes payments and suspends a lost card. A customer who was not understood chooses among meanings instead.
 */
export const help = machine<Context>({
  id: 'help',
  context: ({ input }) => ({
    advisers: input.advisers ?? false,
    mayFreeze: input.linked && input.wallet !== undefined && !input.isOpening,
    ...(input.isFrozen && { isFrozen: true as const }),
    ...(input.locked && { locked: input.locked }),
    // A customer who has none comes from there.
    mayHaveCards:
      input.linked &&
      !input.isOpening &&
      !input.without?.includes('lost-card') &&
      input.wanted !== 'lost-card',
    notice: input.notice ?? openCaseIn(input),
    ...(input.wanted === 'adviser' && { wantsPerson: true as const }),
    ...(input.filled?.help && { offer: offered(input.filled.help, input) }),
  }),
  initial: 'arriving',
  states: {
    arriving: decide(
      { if: ({ advisers, wantsPerson }) => advisers && wantsPerson === true, target: 'asking' },
      { if: ({ offer }) => offer !== undefined && ABOUT_LAST.has(offer.why), target: 'recalling' },
      'helping',
    ),
    /** The payment is named that the customer may want back, or is looking for. */
    recalling: call('readLastPayment', {
      says: 'help.waiting',
      input: ({ offer }) => (offer?.why === 'again' ? namedIn({ ...offer, filled: {} }) : namedIn(offer)),
      ok: [
        { if: ({ payment }, { offer }) => !payment && offer?.why === 'cancel', target: 'none' },
        {
          if: (_, { offer }) => offer?.why === 'again',
          target: 'chosen',
          // Where none was made lately, it is for the last recipient.
          know: ({ again = TO_LAST }, { offer }) => ({
            chosen: again.wanted,
            offer: { why: 'again' as const, filled: { ...again.filled, ...offer?.filled } },
          }),
        },
        {
          if: ({ deposit }, { offer }) => offer?.why === 'missing' && deposit !== undefined,
          target: 'helping',
          know: ({ deposit }) => ({ notice: deposit, hasOpenDeposit: true as const }),
        },
        {
          if: ({ isOther }, { offer }) =>
            offer?.why === 'missing' && offer.of !== 'incoming' && isOther === true,
          target: 'helping',
          know: () => ({ offer: UNMATCHED }),
        },
        {
          if: (_, { offer }) => offer?.why === 'missing',
          target: 'helping',
          know: ({ stands, isOpen }, { offer }) => ({ notice: lastPayment(stands, isOpen, offer) }),
        },
        { target: 'helping', know: ({ payment }) => ({ ...(payment && { payment }) }) },
      ],
    }),
    helping: state({
      shows: (context) =>
        context.offer?.meanings ? meaningScreen(context.offer, context.advisers) : helpScreen(context),
      said: { target: 'asking', actions: assign({ hasWritten: true as const }) },
      chose: choose(
        {
          if: (choice, { offer }) => choice === STATEMENT.id || offer?.meanings?.includes(choice) === true,
          target: 'chosen',
          know: (chosen) => ({ chosen }),
        },
        { if: (choice, { advisers }) => advisers && choice === 'adviser', target: 'asking' },
        { if: (choice, context) => context.mayHaveCards && choice === 'lost-card', target: 'losing' },
        {
          if: (choice, context) => context.mayFreeze && choice === 'freeze' && !context.isFrozen,
          target: 'askingToFreeze',
        },
        { if: (choice, context) => context.mayFreeze && choice === 'freeze', target: 'freezing' },
        { target: 'helped' },
      ),
      back: 'helped',
    }),
    // A digit is easily meant for another page, and a thaw costs much.
    askingToFreeze: state({
      shows: () => ({
        key: 'freeze.ask',
        choices: [
          { id: 'yes', key: 'freeze.yes' },
          { id: 'no', key: 'freeze.no' },
        ],
        expects: 'choice',
      }),
      chose: choose({ if: 'yes', target: 'freezing' }, { target: 'helping' }),
      back: 'helping',
    }),
    // The case is made before its customer is asked what happened: whoever leaves without an answer loses nothing.
    asking: call('askForPerson', {
      says: 'help.waiting',
      input: () => ({}),
      ok: {
        target: 'asked',
        know: (output, { offer }) => opening(output, offer?.why === 'undo' || offer?.why === 'cancel'),
      },
      tooMany: { target: 'helping', know: () => ({ notice: { key: 'help.tooMany' } }) },
      lost: { target: 'helping', know: () => ({ notice: { key: 'nav.down' } }) },
    }),
    asked: state({
      shows: (context) => ({
        ...asked(context, context.hasWritten),
        choices: [
          { id: 'continue', key: 'help.continue' },
          ...(context.since === undefined ? [] : [{ id: 'settled', key: 'help.settled' } as const]),
          ...beside(context),
        ],
        expects: 'choice',
        takesWords: 'more',
      }),
      said: {
        // The screen itself says that it was added to an open case.
        actions: assign(({ context, event: { order } }) => ({
          hasWritten: true as const,
          order,
          notice: saidTo(context, order),
        })),
      },
      chose: choose(
        { if: 'settled', target: 'settled' },
        { if: NEW_PIN.id, target: 'resetting' },
        {
          if: (choice, context) => beside(context).some(({ id }) => id === choice),
          target: 'chosen',
          know: (chosen) => ({ chosen }),
        },
        { target: 'helped' },
      ),
      back: 'helped',
    }),
    settled: { type: 'final', output: { next: 'rating' } },
    helped: { type: 'final', output: { resume: 'asItWas' } },
    none: { type: 'final', output: { resume: 'asItWas', notice: { key: 'help.idle' } } },
    /** Through the menu, which knows whether there is a wallet that can be used. */
    freezing: {
      type: 'final',
      output: ({ context }) => ({
        ...{ next: 'menu', wanted: 'freeze' },
        ...(context.isFrozen && { filled: { thaws: true } }),
      }),
    },
    resetting: { type: 'final', output: { next: NEW_PIN.id } },
    losing: { type: 'final', output: { next: 'menu', wanted: 'lost-card' } },
    chosen: {
      type: 'final',
      output: ({ context: { chosen, order, offer } }) => {
        const { filled } = order ?? offer ?? {};
        return { next: 'menu', wanted: chosen, filled };
      },
    },
  },
});

/** Offers that are about the last payment. */
const ABOUT_LAST: ReadonlySet<HelpOffer['why']> = new Set(['undo', 'cancel', 'missing', 'again']);
/** The way back to the question that waits. */
export const CONTINUE: Choice = { id: 'continue', key: 'help.continue' };
const PERSON: Choice = { id: 'adviser', key: 'help.adviser' };
const STATEMENT = { id: 'statement', key: LABELS.statement } as const satisfies Choice;
const TO_LAST = { wanted: 'transfer', filled: { toLast: true } } as const;
const UNMATCHED: HelpOffer = { why: 'unmatched', meanings: [STATEMENT.id] };

/** The choices beside an open case: a payment that was ordered there, and a new PIN for a wallet that is locked. */
function beside({ order, locked }: Context): readonly Choice[] {
  if (locked) return locked === 'menu.lockedForNow' ? [NEW_PIN] : [];
  return ordersOf(order);
}

/** The notice about words for the adviser. The screen itself says that they were added to an open case. */
function saidTo({ case: id, since, locked }: Context, order: Context['order']): Sentence | undefined {
  if (locked === 'menu.lockedForNow') return { key: locked };
  if (order) return { key: 'help.paysNothing' };
  if (id === undefined) return { key: 'help.noted' };
  return since === undefined ? { key: 'help.notedIn', values: { case: { code: id } } } : undefined;
}

/** The figures that the customer gave of the payment that they mean. */
function namedIn({ of, daysAgo, filled: { to, payee, amount } = {} }: HelpOffer = { why: 'undo' }) {
  return {
    ...(of && { of }),
    ...(to && { to }),
    ...(payee && { payee }),
    ...(amount !== undefined && { amount }),
    ...(daysAgo !== undefined && { daysAgo }),
  };
}

function helpScreen(context: Context): Screen {
  const { advisers, mayFreeze, isFrozen, mayHaveCards, offer, payment, hasOpenDeposit, notice } = context;
  // Nothing but a person: an Arabic page has no room for more. Any other typed words answer the question that waits.
  if ((offer?.why === 'lost' || hasOpenDeposit) && advisers)
    return {
      key: 'help.person',
      choices: [PERSON, CONTINUE],
      expects: 'choice',
    };
  if (offer?.why === 'undo' || offer?.why === 'cancel')
    return {
      ...wantedBack(payment),
      choices: [...(advisers ? [PERSON] : []), CONTINUE],
      expects: 'choice',
      ...(advisers && { takesWords: 'sentences' as const }),
    };
  const isMissing = offer?.why === 'missing';
  const protecting: readonly Choice[] = [
    ...(mayFreeze ? [{ id: 'freeze', key: isFrozen ? 'help.thaw' : 'help.freeze', digit: 1 } as const] : []),
    ...(mayHaveCards ? [{ id: 'lost-card', key: 'help.lost-card', digit: 2 } as const] : []),
  ];
  // Below a payment that is missed a page has room for one choice: the person who can look for it. No dial leads there.
  const first = isMissing
    ? [
        ...(advisers ? [PERSON] : []),
        ...(offer.of === 'incoming' || notice?.key === 'help.noLast' ? [STATEMENT] : []),
        ...protecting.map(withoutDigit),
        CONTINUE,
      ]
    : undefined;
  return {
    key: offer?.why === 'urgent' || isMissing ? 'help.urgent' : 'help.help',
    // Customers dial them (`*123*9*2#`), so each keeps its digit where there is a menu to dial through.
    choices: first ?? [
      ...protecting,
      ...(advisers ? [{ ...PERSON, ...(mayFreeze && { digit: 3 }) }] : []),
      { ...CONTINUE, ...(mayFreeze && { digit: 4 }) },
    ],
    expects: 'choice',
    ...(advisers && { takesWords: 'sentences' as const }),
  };
}

function withoutDigit({ digit: _own, ...choice }: Choice): Choice {
  return choice;
}

/** The bot takes no payment back, however it ended. */
function wantedBack(payment: Context['payment']): Sentence {
  if (!payment) return { key: 'help.undo' };
  const { called, reference } = payment;
  return { key: 'help.undoThis', values: { payment: { lines: [called] }, reference: { code: reference } } };
}

/** The page of help names a request that is open. A page on USSD has no room for it. */
function openCaseIn({ case: id, isChat, advisers, wanted, filled }: Start): Sentence | undefined {
  const isPlain = wanted === undefined && filled?.help === undefined;
  return id !== undefined && isChat && advisers && isPlain
    ? { key: 'help.isOpen', values: { case: { code: id } } }
    : undefined;
}

function lastPayment(
  stands: Sentence | undefined,
  isOpen: true | undefined,
  offer: HelpOffer | undefined,
): Sentence {
  if (offer?.of === 'incoming') return { key: 'help.received' };
  if (!stands) return { key: 'help.noLast' };
  // Nobody takes an open payment for a new receipt, and its Arabic page has no room for more.
  if (isOpen) return stands;
  // One that the customer has named need not be the last.
  const { of, ...more } = namedIn(offer);
  const isNamed = (of ?? 'paid') !== 'paid' || Object.keys(more).length > 0;
  return { key: isNamed ? 'help.named' : 'help.last', values: { payment: { lines: [stands] } } };
}

/** Choosing a meaning only opens its conversation, which asks for all that it needs. */
function meaningScreen({ why, meanings = [], leaves, filled = {} }: HelpOffer, advisers: boolean): Screen {
  const named = ordersOf({ meanings, filled });
  if (leaves) return { ...leaves, choices: [CONTINUE, ...named], expects: 'choice' };
  if (why === 'unmatched')
    return {
      key: 'help.unmatched',
      choices: [...(advisers ? [PERSON] : []), ...named, CONTINUE],
      expects: 'choice',
      ...(advisers && { takesWords: 'sentences' as const }),
    };
  const key = why === 'several' ? 'help.several' : 'help.meant';
  return { key, choices: [...named, CONTINUE], expects: 'choice' };
}

function ordersOf({ meanings = [], filled = {} }: Context['order'] = {}): readonly Choice[] {
  return meanings.filter(isMeaning).map((id) => orderOf(id, filled));
}

/** A request of one line that was stopped, as a choice names it. Undefined where nothing was given with it. */
export function stoppedOf(next: string, filled: Filled = {}): Stopped | undefined {
  if (!isMeaning(next) || Object.keys(filled).length === 0) return undefined;
  const { id: _next, ...called } = orderOf(next, filled);
  return { next, filled, called };
}

/** The choice that begins a request: an order says how much, and to whom. A bill says whose. */
function orderOf(id: Meaning, { amount: sum, to: number, payee, search }: Filled): Choice {
  if (id === 'bill-payment' && search !== undefined)
    return { id, key: 'help.ofBiller', values: { deed: { say: LABELS[id] }, search: { text: search } } };
  if (sum === undefined || !isPaymentKind(id)) return { id, key: LABELS[id] };
  const amount = { money: sum };
  const deed = { say: LABELS[id] };
  if (number) return { id, key: 'help.ofAmountTo', values: { deed, amount, to: { phone: number } } };
  if (payee === undefined) return { id, key: 'help.ofAmount', values: { deed, amount } };
  const name = { name: payee };
  return id === 'transfer'
    ? { id, key: 'help.sendTo', values: { amount, name } }
    : { id, key: 'help.ofAmountTo', values: { deed, amount, to: name } };
}

/** The offer with the meanings that this customer has here. */
function offered({ meanings, ...offer }: HelpOffer, { without, isMerchant }: Start): HelpOffer {
  if (!meanings) return offer;
  const here = meanings
    .filter((each) => isMeaning(each) && !without?.includes(each))
    .filter((each) => isMerchant || !OF_MERCHANTS.has(each));
  return { ...offer, meanings: here.slice(0, MEANINGS_MAX) };
}

function isMeaning(machine: string): machine is Meaning {
  return Object.hasOwn(LABELS, machine);
}
