import type { Centimes } from '../src/wallet/money.ts';
import { type Authenticating, authentication } from './kit/authentication.ts';
import { known, last, machine, screen } from './kit/conversation.ts';
import type { ReferenceEntry } from './kit/effects.ts';
import { parts } from './kit/parts.ts';
import { choicesOf, type Entry, type Offered } from './kit/submenu.ts';

/** The entries offered below the balance. A merchant's limit is negotiated, and its digit leads nowhere else. */
const FURTHER: readonly Entry[] = [
  [1, 'statement', 'menu.statement'],
  [2, 'upgrade', 'account.upgrade'],
];

interface ReadingBalance extends Authenticating, Pick<Offered, 'isMerchant' | 'without'> {
  balance?: Centimes;
  /** The amount of a deposit whose reference is open. */
  deposit?: Centimes | undefined;
}

const { call, question } = parts<ReadingBalance>();

/** The customer reads the balance. The PIN protects it from others who hold the phone. */
export const balance = machine<ReadingBalance>({
  id: 'balance',
  context: ({ input: { wallet, isMerchant, without } }) => ({ wallet: known(wallet), isMerchant, without }),
  initial: 'askingPin',
  states: {
    ...authentication<ReadingBalance>(() => ({ key: 'balance.askPin', expects: 'pin' }), {
      next: 'reading',
      back: 'left',
    }),
    reading: call('readBalance', {
      says: 'balance.reading',
      input: ({ wallet }) => ({ wallet }),
      ok: [
        { if: (balance) => balance === 0, target: 'lookingForDeposit', know: (balance) => ({ balance }) },
        { target: 'shown', know: (balance) => ({ balance }) },
      ],
      failed: 'unavailable',
    }),
    shown: {
      type: 'final',
      tags: 'private',
      meta: screen((c) => ({
        key: 'balance.shown',
        values: { balance: { money: known(c.balance) } },
        choices: choicesOf(FURTHER, c),
        expects: 'nothing',
      })),
      output: ({ context }) => ({
        offer: choicesOf(FURTHER, context).map(({ id }) => ({ choice: id, next: id, filled: {} })),
      }),
    },
    lookingForDeposit: call('readReferences', {
      says: 'balance.reading',
      input: ({ wallet }) => ({ wallet }),
      ok: [
        { if: (all) => all.some(isOpenDeposit), target: 'awaitingDeposit', know: depositIn },
        { target: 'empty' },
      ],
    }),
    /** Whoever has asked for a deposit is told of that one, and need not ask for another. */
    awaitingDeposit: question(
      ({ balance, deposit }) => ({
        key: 'balance.emptyOpen',
        values: { balance: { money: known(balance) }, amount: { money: known(deposit) } },
      }),
      [
        { id: 'references', key: 'cash.references', target: 'toReferences' },
        { id: 'cash-in', key: 'balance.load', target: 'loading' },
      ],
      { tags: 'private', back: 'left' },
    ),
    toReferences: { type: 'final', output: { next: 'references' } },
    /** A new wallet is no dead end: it says how to load money. */
    empty: question(
      ({ balance }) => ({ key: 'balance.empty', values: { balance: { money: known(balance) } } }),
      [{ id: 'cash-in', key: 'balance.load', target: 'loading' }],
      { tags: 'private', back: 'left' },
    ),
    loading: { type: 'final', output: { next: 'cash-in' } },
    unavailable: last('balance.unavailable'),
    left: { type: 'final' },
  },
});

function isOpenDeposit({ kind, state }: ReferenceEntry): boolean {
  return kind === 'cash-in' && state === 'open';
}

function depositIn(references: readonly ReferenceEntry[]): Pick<ReadingBalance, 'deposit'> {
  return { deposit: references.find(isOpenDeposit)?.amount };
}
