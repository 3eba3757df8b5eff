import type { IssuedCard } from '../src/wallet/issued-cards.ts';
import type { Centimes } from '../src/wallet/money.ts';
import { type Authenticating, authentication, secretOf } from './kit/authentication.ts';
import { known, machine, type Stopped, screen } from './kit/conversation.ts';
import type { Frozen, ReferenceEntry, Thawed } from './kit/effects.ts';
import { parts } from './kit/parts.ts';
import { problem, saysNotEnabled } from './kit/problem.ts';
import type { Choice, Screen, Sentence } from './kit/screen.ts';
import type { SentenceKey } from './kit/sentence-key.ts';

interface Freezing extends Authenticating {
  frozen?: Frozen | undefined;
  /** Open withdrawals: references for cash that nobody can cancel. */
  withdrawals: readonly Centimes[];
  cards: readonly IssuedCard[];
  /** The wallet has said that it issues no cards, or there is none left to suspend. */
  isWithoutCards: boolean;
  /** There are people who can be asked for. */
  advisers?: true;
  /** A card could not be suspended, or nobody knows whether it was. */
  isNotAll?: boolean;
  thawed?: Thawed | undefined;
  /** The customer has asked to thaw: nothing more is asked before the PIN. */
  thaws?: true | undefined;
  /** A payment was asked for, and none of its questions is. */
  refuses?: true;
  /** That payment, which is offered once nothing is frozen. */
  stopped?: Stopped | undefined;
  /** Another code was asked for. */
  resends?: true | undefined;
  /** No other code is sent for now. */
  noMoreCodes?: true | undefined;
}

const { call, given, choose, decide, question, state } = parts<Freezing>();

/** The choice of a payment that was stopped. */
const TAKE_UP = 'take-up';

/** A freeze stops these besides payments: references for withdrawals, and new cards. */
export const STOPPED_BESIDES: ReadonlySet<string> = new Set(['cash-out', 'card-order']);

/**
 * The customer stops every payment through Wasl on all channels. Only a choice of the help is asked about before. The bot
 * names what the freeze does not stop, and offers to suspend the cards. A payment that is asked for later is refused here,
 * before its first question. The PIN and a code by SMS undo it. A freeze by support is undone by support.
 */
export const freeze = machine<Freezing>({
  id: 'freeze',
  context: ({ input }) => ({
    wallet: known(input.wallet),
    withdrawals: [],
    cards: [],
    isWithoutCards: input.without?.includes('lost-card') ?? false,
    ...(input.advisers && { advisers: true }),
    ...(input.filled?.thaws && { thaws: true }),
    ...(input.filled?.refuses && { refuses: true }),
    ...(input.filled?.stopped && { stopped: input.filled.stopped }),
  }),
  initial: 'beginning',
  states: {
    beginning: decide({ if: ({ refuses }) => refuses === true, target: 'held' }, 'freezing'),
    held: question(
      'freeze.stopped',
      [
        { id: 'thaw', key: 'freeze.thaw', target: 'freezing', know: () => ({ thaws: true }) },
        { id: 'cancel', key: 'pay.cancel', target: 'left' },
      ],
      { back: 'left' },
    ),
    freezing: call('freeze', {
      says: 'freeze.freezing',
      input: ({ wallet, frozen, thaws }) => ({ wallet, ...((frozen || thaws) && { toThaw: true as const }) }),
      ok: { target: 'reading', know: (frozen) => ({ frozen }) },
      // It was thawed elsewhere meanwhile.
      none: 'left',
      // The claim has written it: who asks again sees it.
      lost: 'askingAgain',
    }),
    askingAgain: decide('freezing'),
    reading: call('readReferences', {
      says: 'freeze.freezing',
      input: ({ wallet }) => ({ wallet }),
      ok: [
        {
          if: (_, { thaws, frozen }) => thaws === true && !known(frozen).bySupport,
          target: 'askingPin',
          know: drawable,
        },
        { if: (_, { isWithoutCards }) => isWithoutCards, target: 'frozen', know: drawable },
        { target: 'lookingForCards', know: drawable },
      ],
    }),
    /** Cards are offered to a customer who has some, and where nobody knows at once. */
    lookingForCards: call('readOwnCards', {
      says: 'freeze.freezing',
      input: ({ wallet }) => ({ wallet, isSpare: true }),
      ok: { target: 'frozen', know: (cards) => ({ isWithoutCards: !cards.some(isToSuspend) }) },
      refused: { if: saysNotEnabled, target: 'frozen', know: () => ({ isWithoutCards: true }) },
      failed: { target: 'frozen', know: () => ({}) },
    }),
    frozen: state({
      tags: 'news',
      shows: frozenScreen,
      chose: choose(
        { if: 'cards', target: 'readingCards' },
        { if: 'thaw', target: 'askingPin', know: () => ({ resends: undefined, noMoreCodes: undefined }) },
        { if: 'adviser', target: 'toAdviser' },
        { target: 'left' },
      ),
      back: 'left',
    }),
    ...suspendingCards(),
    ...authentication<Freezing>(() => ({ key: 'freeze.askPin', expects: 'pin' }), {
      next: 'sendingCode',
      back: 'frozen',
    }),
    ...provingThePhone(),
    thawing: call('thaw', {
      says: 'freeze.thawing',
      input: ({ wallet, frozen }) => ({ wallet, at: known(frozen).at }),
      ok: { target: 'thawed', know: (thawed) => ({ thawed }) },
      // It was frozen anew meanwhile: what is thawed is what the customer has seen.
      refused: { target: 'freezing', know: (refusal) => ({ notice: problem(refusal) }) },
      failed: 'freezing',
      lost: 'freezing',
    }),
    thawed: {
      type: 'final',
      tags: 'news',
      meta: screen<Freezing>(({ thawed, stopped }) => ({
        key: 'freeze.thawed',
        values: { until: { date: known(thawed).until }, amount: { money: known(thawed).above } },
        ...(stopped && { choices: [{ id: TAKE_UP, ...stopped.called }] }),
        expects: 'nothing',
      })),
      output: ({ context: { stopped } }) =>
        stopped ? { offer: { choice: TAKE_UP, next: stopped.next, filled: stopped.filled } } : {},
    },
    toAdviser: { type: 'final', output: { next: 'help', wanted: 'adviser' } },
    left: { type: 'final' },
  },
});

/** The withdrawals that are still open. */
function drawable(references: readonly ReferenceEntry[]): Pick<Freezing, 'withdrawals'> {
  return {
    withdrawals: references
      .filter(({ kind, state }) => kind === 'cash-out' && state === 'open')
      .map(({ amount }) => amount),
  };
}

/** Every card that could pay is suspended, one after the other: one that cannot be holds no other one back, and is said at the end. */
function suspendingCards() {
  const without = (key: SentenceKey) => ({
    target: 'frozen',
    know: () => ({ isWithoutCards: true, notice: { key } as const }),
  });
  const notAll = {
    target: 'frozen',
    know: () => ({ notice: { key: 'freeze.cardsNotSuspended' } as const }),
  };
  const notThisOne = {
    target: 'nextCard',
    know: (_: unknown, { cards }: Freezing) => ({ cards: cards.slice(1), isNotAll: true }),
  };
  return {
    readingCards: call('readOwnCards', {
      says: 'cards.reading',
      input: ({ wallet }) => ({ wallet }),
      ok: [
        { if: (cards) => !cards.some(isToSuspend), ...without('freeze.noCards') },
        {
          target: 'suspending',
          know: (cards) => ({ cards: cards.filter(isToSuspend), isNotAll: false }),
        },
      ],
      refused: { if: saysNotEnabled, ...without('freeze.noCards') },
      failed: notAll,
    }),
    suspending: call('changeCard', {
      says: 'cards.waiting',
      input: ({ wallet, cards }) => ({
        wallet,
        card: known(cards[0]).id,
        change: { action: 'suspend', isLost: true },
      }),
      ok: { target: 'nextCard', know: (_, { cards }) => ({ cards: cards.slice(1) }) },
      failed: notThisOne,
      lost: notThisOne,
    }),
    nextCard: decide(
      { if: ({ cards }) => cards.length > 0, target: 'suspending' },
      { if: ({ isNotAll }) => isNotAll === true, ...notAll },
      without('freeze.cardsSuspended'),
    ),
  };
}

function tooManyCodes({ isForToday }: { readonly isForToday?: true }): Partial<Freezing> {
  return { noMoreCodes: true, notice: { key: isForToday ? 'linking.tooManyToday' : 'linking.tooMany' } };
}

/** The PIN was right: a code by SMS proves the phone as well. */
function provingThePhone() {
  const askAgain = (key: SentenceKey) => ({
    target: 'askingCode',
    know: () => ({ notice: { key } as const }),
  });
  const stays = (key: SentenceKey) => ({ target: 'frozen', know: () => ({ notice: { key } as const }) });
  return {
    sendingCode: call('sendLinkCode', {
      says: 'linking.waiting',
      input: ({ wallet, resends }) => ({ phone: wallet, ...(resends && { isAnew: true as const }) }),
      sent: [
        { if: ({ isEarlier }) => isEarlier === true, ...askAgain('linking.codeStill') },
        { if: (_, { resends }) => resends === true, ...askAgain('onboarding.codeSent') },
        { target: 'askingCode' },
      ],
      tooMany: [
        // The code of the last SMS may still be good.
        { if: (_, { resends }) => resends === true, target: 'askingCode', know: tooManyCodes },
        { target: 'frozen', know: tooManyCodes },
      ],
      noSms: stays('freeze.noCode'),
      later: stays('freeze.noCode'),
      // It may have been sent.
      lost: 'askingCode',
    }),
    askingCode: state({
      tags: 'resumable',
      shows: ({ wallet, advisers, noMoreCodes }) => ({
        key: 'freeze.askCode',
        values: { phone: { phone: wallet } },
        choices: [
          ...(noMoreCodes ? [] : [{ id: 'resend', key: 'linking.resend' } as const]),
          ...(noMoreCodes && advisers ? [{ id: 'adviser', key: 'help.adviser' } as const] : []),
        ],
        expects: 'otp',
      }),
      gave: given({ target: 'checkingCode' }, 'linking.codeFormat'),
      chose: choose(
        { if: 'adviser', target: 'toAdviser' },
        { target: 'sendingCode', know: () => ({ resends: true }) },
      ),
      back: 'frozen',
      resumed: 'askingCode',
    }),
    checkingCode: call('checkLinkCode', {
      says: 'linking.waiting',
      input: ({ wallet }, event) => ({ phone: wallet, code: secretOf(event) }),
      right: 'thawing',
      wrong: askAgain('linking.wrongCode'),
      expired: askAgain('freeze.codeExpired'),
      lost: askAgain('freeze.codeExpired'),
    }),
  };
}

function frozenScreen({ frozen, withdrawals, isWithoutCards, advisers }: Freezing): Screen {
  const cards: Choice = { id: 'cards', key: 'freeze.cards' };
  const thaw: Choice = { id: 'thaw', key: 'freeze.thaw' };
  const bySupport = known(frozen).bySupport === true;
  const adviser: Choice = { id: 'adviser', key: 'help.adviser' };
  const choices = [
    ...(isWithoutCards ? [] : [cards]),
    ...(bySupport ? [] : [thaw]),
    ...(advisers ? [adviser] : []),
  ];
  const open = withdrawals.map(
    (amount): Sentence => ({ key: 'freeze.withdrawal', values: { amount: { money: amount } } }),
  );
  return {
    key: bySupport ? 'freeze.bySupport' : open.length > 0 ? 'freeze.frozenBut' : 'freeze.frozen',
    ...(!bySupport && open.length > 0 && { values: { open: { lines: open } } }),
    ...(choices.length > 0 ? { choices, expects: 'choice' } : { expects: 'nothing' }),
  };
}

function isToSuspend({ state }: IssuedCard): boolean {
  return state === 'active' || state === 'issued' || state === 'unknown';
}
