import { type Authenticating, authentication } from './kit/authentication.ts';
import { known, last, machine, screen } from './kit/conversation.ts';
import type { NumberedReference, ReferenceEntry, ReferenceHints, ReferenceState } from './kit/effects.ts';
import { parts } from './kit/parts.ts';
import { referenceScreen } from './kit/reference.ts';
import type { Choice, Screen, Value } from './kit/screen.ts';

/** How many are listed where not more are open. */
const LISTED_MAX = 5;

interface Looking extends Authenticating {
  listed: readonly NumberedReference[];
  /** There are vouchers, whose codes are references of another kind. */
  hasVouchers?: boolean;
  /** The one that is looked at. */
  chosen?: string;
  given?: NumberedReference | undefined;
  hints?: ReferenceHints;
}

const VOUCHERS: Choice = { id: 'vouchers', key: 'voucher-codes.list', varies: true };

const { call, choose, state } = parts<Looking>();

/**
 * The customer looks over the references that Wasl has asked for: the API lists none, and lets none be cancelled. All open ones stand on one
 * screen: a deposit with its number, a withdrawal without, and the way to the codes of vouchers.
 */
export const references = machine<Looking>({
  id: 'references',
  context: ({ input }) => ({ wallet: known(input.wallet), listed: [] }),
  initial: 'readingVouchers',
  states: {
    readingVouchers: call('readVouchers', {
      says: 'references.reading',
      input: ({ wallet }) => ({ wallet }),
      ok: { target: 'reading', know: (vouchers) => ({ hasVouchers: vouchers.length > 0 }) },
    }),
    reading: call('readReferences', {
      says: 'references.reading',
      input: ({ wallet }) => ({ wallet }),
      ok: [
        { if: (listed) => listed.length === 0, target: 'empty' },
        { target: 'listing', know: (all) => ({ listed: openFirst(all) }) },
      ],
    }),
    listing: state({
      shows: ({ listed, hasVouchers }) => ({
        key: 'references.list',
        choices: [...listed.map(referenceChoice), ...(hasVouchers ? [VOUCHERS] : [])],
        expects: 'choice',
      }),
      chose: choose(
        { if: VOUCHERS.id, target: 'toVouchers' },
        {
          target: 'opening',
          know: (choice, context) => ({
            chosen: context.listed[Number(choice.slice('reference'.length))]?.id ?? '',
          }),
        },
      ),
      back: 'left',
    }),
    /** The reference as the wallet has it now. */
    opening: call('readReference', {
      says: 'references.reading',
      input: ({ wallet, chosen }) => ({ wallet, id: known(chosen) }),
      ok: { target: 'showing', know: ({ hints, ...given }) => ({ given, hints }) },
      failed: 'listing',
    }),
    showing: state({
      shows: detail,
      chose: choose({ if: 'again', target: 'askingPin' }, { target: 'reading' }),
      back: 'reading',
    }),
    ...authentication<Looking>(
      ({ given }) => ({
        key: 'cash-out.askPinAgain',
        values: { amount: { money: known(given).amount } },
        expects: 'pin',
      }),
      { next: 'shown', back: 'showing' },
    ),
    shown: last<Looking>(({ given, hints = {} }) => referenceScreen(known(given), hints)),
    toVouchers: { type: 'final', output: { next: 'voucher-codes' } },
    empty: {
      type: 'final',
      meta: screen(({ hasVouchers }) => ({
        key: 'references.empty',
        expects: 'nothing',
        ...(hasVouchers && { choices: [VOUCHERS] }),
      })),
      output: ({ context: { hasVouchers } }) =>
        hasVouchers ? { offer: { choice: VOUCHERS.id, next: 'voucher-codes', filled: {} } } : {},
    },
    left: { type: 'final' },
  },
});

const STATES: Readonly<Record<ReferenceState, Value>> = {
  asked: { say: 'references.asked' },
  open: { say: 'references.open' },
  executed: { say: 'references.executed' },
  expired: { say: 'references.expired' },
  reversed: { say: 'references.reversed' },
  lost: { say: 'references.lost' },
};

function valuesOf({ kind, amount, at, state }: ReferenceEntry) {
  const what: Value = { say: kind === 'cash-in' ? 'references.deposit' : 'references.withdrawal' };
  return { what, amount: { money: amount }, at: { date: at }, state: STATES[state] };
}

/** All that are open, then the newest of the others. */
function openFirst(all: readonly NumberedReference[]): readonly NumberedReference[] {
  const isOpen = ({ state }: ReferenceEntry) => state === 'open' || state === 'asked';
  const open = all.filter(isOpen);
  return [...open, ...all.filter((each) => !isOpen(each))].slice(0, Math.max(LISTED_MAX, open.length));
}

function referenceChoice(entry: NumberedReference, i: number): Choice {
  const { number } = entry;
  const { what, amount } = valuesOf(entry);
  if (number && 'code' in number)
    return {
      id: `reference${i}`,
      key: 'references.numbered',
      values: { what, amount, reference: number },
      listed: true,
    };
  return { id: `reference${i}`, key: 'references.line', values: valuesOf(entry), listed: true };
}

/** One that is open with what can be done with it, which is to use it: that of a withdrawal is shown after the PIN. */
function detail({ given, hints = {} }: Looking): Screen {
  const reference = known(given);
  const list: Choice = { id: 'list', key: 'references.backToList' };
  if (reference.state !== 'open' || !reference.number)
    return { key: 'references.ended', values: valuesOf(reference), choices: [list], expects: 'choice' };
  if (reference.kind === 'cash-in')
    return { ...referenceScreen(reference, hints), choices: [list], expects: 'choice' };
  return {
    about: reference.id,
    key: reference.isAsKnown ? 'references.withdrawalAsKnown' : 'references.withdrawalOpen',
    values: { amount: { money: reference.amount } },
    choices: [{ id: 'again', key: 'references.show' }, list],
    expects: 'choice',
  };
}
