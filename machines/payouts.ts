import { assign } from 'xstate';
import { type Centimes, centimes } from '../src/wallet/money.ts';
import { type Authenticating, authentication } from './kit/authentication.ts';
import { known, last, machine } from './kit/conversation.ts';
import type { PayoutEntry, PayoutPlace, PayoutWrong } from './kit/effects.ts';
import { parts } from './kit/parts.ts';
import type { Choice, Screen, Sentence, Values } from './kit/screen.ts';

/** As long as the address of the form is good. */
const FILE_PROMPT_MS = 10 * 60_000;
/** The number of faulty lines that one answer names. The merchant begins with these. */
const WRONG_SHOWN_MAX = 8;
const GIVE = 'give';
const MORE = 'more';

interface Releasing extends Authenticating {
  files: readonly PayoutEntry[];
  /** The last file of the screen before. */
  after?: PayoutPlace | undefined;
  hasMore?: boolean;
  takesFiles?: boolean;
  float?: Centimes;
  chosen?: PayoutEntry | undefined;
  /** A file was sent where none is asked for: the page that takes it is shown at once. */
  givesFile?: true | undefined;
}

const { call, choose, question, state } = parts<Releasing>();
/** Nobody knows whether it was released, or given: how the files are now says so. */
const LOOKED_UP = { target: 'reading', know: () => ({ notice: { key: 'payouts.notKnown' } as const }) };

/**
 * Files of payouts for the principal agent: given on the form or at the console, looked at, and released with the PIN by another one who
 * acts for it. From then on they are paid line by line, and what stops is told to go on here.
 */
export const payouts = machine<Releasing>({
  id: 'payouts',
  context: ({ input: { wallet, filled } }) => ({
    ...{ wallet: known(wallet), files: [] },
    ...(filled?.givesFile && { givesFile: true }),
  }),
  initial: 'reading',
  states: {
    reading: call('readPayouts', {
      says: 'payouts.moment',
      input: ({ wallet, after }) => ({ wallet, ...(after && { after }) }),
      ok: [
        {
          if: ({ takesFiles }, c) => takesFiles && c.givesFile === true,
          target: 'askingFile',
          know: (read) => ({
            ...read,
            givesFile: undefined,
            notice: { key: 'payouts.onThePage' } as const,
          }),
        },
        { target: 'listing', know: (read) => ({ ...read, chosen: undefined, givesFile: undefined }) },
      ],
      failed: 'unavailable',
    }),
    listing: state({
      shows: ({ files, hasMore, takesFiles }) => ({
        key: files.length > 0 ? 'payouts.list' : takesFiles ? 'payouts.none' : 'payouts.noneHere',
        choices: [
          ...files.map(lineOf),
          ...(hasMore ? [{ id: MORE, key: 'beneficiaries.more', listed: true } as const] : []),
          ...(takesFiles ? [{ id: GIVE, key: 'payouts.give' } as const] : []),
        ],
        expects: 'choice',
      }),
      chose: choose(
        // A new file comes first.
        { if: GIVE, target: 'askingFile', know: () => ({ after: undefined }) },
        { if: MORE, target: 'reading', know: (_, { files }) => ({ after: placeOf(files.at(-1)) }) },
        {
          target: 'showing',
          know: (choice, context) => ({ chosen: context.files.find(({ id }) => id === choice) }),
        },
      ),
      back: [
        {
          guard: ({ context }) => context.after !== undefined,
          target: 'reading',
          actions: assign({ after: undefined }),
        },
        { target: 'left' },
      ],
    }),
    /** It is checked whole before anything of it is taken, and nothing moves before another one releases it. */
    askingFile: state({
      shows: () => ({ key: 'payouts.askFile', expects: 'csv' }),
      after: {
        [FILE_PROMPT_MS]: { target: 'reading', actions: assign({ notice: { key: 'payouts.lapsed' } }) },
      },
      filed: 'giving',
      back: 'reading',
    }),
    giving: call('givePayouts', {
      says: 'payouts.moment',
      input: ({ wallet }) => ({ wallet }),
      ok: { target: 'showing', know: (chosen) => ({ chosen, notice: { key: 'payouts.given' } as const }) },
      none: { target: 'askingFile', know: () => ({ notice: { key: 'payouts.onThePage' } }) },
      wrong: { target: 'askingFile', know: ({ wrong }) => ({ notice: whatIsWrong(wrong) }) },
      twice: { target: 'reading', know: () => ({ notice: { key: 'payouts.twice' } }) },
      tooMany: { target: 'reading', know: () => ({ notice: { key: 'payouts.tooMany' } }) },
      unknown: LOOKED_UP,
      failed: 'reading',
      lost: LOOKED_UP,
    }),
    showing: state({
      shows: (c) => fileScreen(c),
      chose: choose({ if: 'release', target: 'readingFloat' }, { target: 'reading' }),
      back: 'reading',
    }),
    /** It is as it is now, and not as it was when the files were listed. Where nobody can say, the wallet does, line by line. */
    readingFloat: call('readFloat', {
      says: 'payouts.moment',
      input: ({ wallet }) => ({ wallet }),
      ok: [
        {
          if: ({ balance }, { chosen }) => balance < (chosen?.needs ?? 0),
          target: 'short',
          know: ({ balance }) => ({ float: balance }),
        },
        { target: 'askingPin', know: ({ balance }) => ({ float: balance }) },
      ],
      failed: { target: 'askingPin', know: () => ({}) },
    }),
    /** Released all the same it is paid as far as the float goes: it may be loaded meanwhile. */
    short: question(
      (c) => ({ key: 'payouts.short', values: valuesOf(c) }),
      [
        { id: 'anyway', key: 'payouts.anyway', target: 'askingPin' },
        { id: 'look', key: 'payouts.look', target: 'reading' },
      ],
      { back: 'showing' },
    ),
    ...authentication<Releasing>(
      (c) => ({
        key: c.chosen?.state === 'stopped' ? 'payouts.askPinGoOn' : 'payouts.askPin',
        values: valuesOf(c),
        choices: [{ id: 'cancel', key: 'pay.cancel' }],
        expects: 'pin',
      }),
      { next: 'releasing', back: 'showing', cancel: 'reading' },
    ),
    releasing: call('releasePayouts', {
      says: 'payouts.moment',
      input: ({ wallet, chosen }) => ({ wallet, id: known(chosen).id, next: known(chosen).next }),
      ok: { target: 'released', know: (chosen) => ({ chosen }) },
      own: { target: 'reading', know: () => ({ notice: { key: 'payouts.own' } }) },
      notNow: { target: 'reading', know: () => ({ notice: { key: 'payouts.notNow' } }) },
      unknown: LOOKED_UP,
      failed: 'reading',
      lost: LOOKED_UP,
    }),
    released: last<Releasing>((c) => ({ key: 'payouts.released', values: valuesOf(c) })),
    unavailable: last('payouts.unavailable'),
    left: { type: 'final', output: { next: 'principal' } },
  },
});

function placeOf(file: PayoutEntry | undefined): PayoutPlace | undefined {
  return file && { id: file.id, state: file.state, at: file.at };
}

function lineOf({ id, fileName, state, payable, tally }: PayoutEntry): Choice {
  return {
    id,
    key: tally ? 'payouts.linePaid' : 'payouts.line',
    values: {
      file: { name: fileName },
      total: { money: payable.sum },
      ...(tally && { sum: { money: tally.paid.sum } }),
      state: { say: `payouts.${state}` },
    },
    listed: true,
  };
}

const NOTHING = { count: 0, sum: centimes(0) };

function valuesOf({ chosen, float }: Releasing): Values {
  const { fileName, count, payable, fees, refused, next, why, needs, waitsUntil, tally } = known(chosen);
  const { paid, open } = tally ?? { paid: NOTHING, open: NOTHING };
  return {
    paid: { count: paid.count },
    sum: { money: paid.sum },
    open: { count: open.count },
    unpaid: { count: next - paid.count - open.count },
    ...(waitsUntil !== undefined && { until: { date: waitsUntil } }),
    file: { name: fileName },
    lines: { count },
    payments: { count: payable.count },
    amount: { money: payable.sum },
    fees: { money: fees },
    refused: { count: refused },
    line: { count: next },
    ...(float !== undefined && {
      float: { money: float },
      missing: { money: centimes(Math.max((needs ?? 0) - float, 0)) },
    }),
    ...(why && { why: { say: `payouts.why-${why}` } }),
  };
}

const OTHERS = { giver: 'payouts.shownOwn', named: 'payouts.shownNamed' } as const;

/** The amount to pay, against the float. A person who may not release it reads that another one does. */
function fileScreen(context: Releasing): Screen {
  const { state, notBy, waitsUntil, tally } = known(context.chosen);
  const waits = state === 'ready' || state === 'stopped';
  // Files of a release that counted nothing are said as they were.
  const went =
    state === 'running' && waitsUntil !== undefined
      ? 'payouts.shownWaiting'
      : tally && (state === 'done' || state === 'stopped')
        ? (`payouts.went-${state}` as const)
        : undefined;
  const release: Choice = { id: 'release', key: state === 'stopped' ? 'payouts.goOn' : 'payouts.release' };
  return {
    key: waits && notBy ? OTHERS[notBy] : (went ?? `payouts.shown-${state}`),
    values: valuesOf(context),
    choices: [...(waits && !notBy ? [release] : []), { id: 'look', key: 'payouts.look' }],
    expects: 'choice',
  };
}

/** Line by line, so that all of it can be mended at once. */
function whatIsWrong(wrong: readonly PayoutWrong[]): Sentence {
  const lines = wrong.slice(0, WRONG_SHOWN_MAX).map(({ line, why }): Sentence => {
    const said = { say: `payouts.wrong-${why}` } as const;
    return line === undefined
      ? { key: 'payouts.wrongFile', values: { why: said } }
      : { key: 'payouts.wrongLine', values: { line: { count: line }, why: said } };
  });
  return { key: 'payouts.wrong', values: { lines: { lines } } };
}
