import { type Authenticating, authentication } from './kit/authentication.ts';
import { calls } from './kit/call.ts';
import { choices } from './kit/choosing.ts';
import { known, last, machine, states } from './kit/conversation.ts';
import type { NumberedReference, ReferenceEntry, ReferenceHints, ReferenceState } from './kit/effects.ts';
import { referenceScreen } from './kit/reference.ts';
import type { Choice, Screen, Value } from './kit/screen.ts';

/** How many are listed: who has more looks at the newest. */
const LISTED_MAX = 5;

interface Looking extends Authenticating {
  listed: readonly ReferenceEntry[];
  /** The one that is looked at. */
  chosen?: string;
  given?: NumberedReference | undefined;
  hints?: ReferenceHints;
}

const call = calls<Looking>();
const choose = choices<Looking>();
const state = states<Looking>();

/** The customer looks over the references that Wasl has asked for: the API lists none, and lets none be cancelled. */
export const references = machine<Looking>({
  id: 'references',
  context: ({ input }) => ({ wallet: known(input.wallet), listed: [] }),
  initial: 'reading',
  states: {
    reading: call('readReferences', {
      says: 'references.reading',
      input: ({ wallet }) => ({ wallet }),
      ok: [
        { if: (listed) => listed.length === 0, target: 'empty' },
        { target: 'listing', know: (listed) => ({ listed: listed.slice(0, LISTED_MAX) }) },
      ],
    }),
    listing: state({
      shows: ({ listed }) => ({
        key: 'references.list',
        choices: listed.map(referenceChoice),
        expects: 'choice',
      }),
      chose: choose({
        target: 'opening',
        know: (choice, context) => ({
          chosen: context.listed[Number(choice.slice('reference'.length))]?.id ?? '',
        }),
      }),
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
      { next: 'shown', back: 'showing', checkpoint: 'reading' },
    ),
    shown: last<Looking>(({ given, hints = {} }) => referenceScreen(known(given), hints)),
    empty: last('references.empty'),
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

function referenceChoice(entry: ReferenceEntry, i: number): Choice {
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
