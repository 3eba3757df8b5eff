import { assign } from 'xstate';
import type { Centimes } from '../src/wallet/money.ts';
import { type Authenticating, authentication } from './kit/authentication.ts';
import { calls } from './kit/call.ts';
import { conversation, ending, known, screen } from './kit/conversation.ts';
import type { PayoutEntry } from './kit/effects.ts';
import type { Choice, Screen, Values } from './kit/screen.ts';

interface Releasing extends Authenticating {
  files: readonly PayoutEntry[];
  float?: Centimes;
  chosen?: PayoutEntry | undefined;
}

const call = calls<Releasing>();
/** Nobody knows whether it was released: how the file is now says so. */
const LOOKED_UP = { target: 'reading', know: () => ({ notice: { key: 'payouts.notKnown' } as const }) };

/**
 * Files of payouts that somebody has given for the principal agent: looked at, and released with the PIN by another one who acts for it.
 * From then on they are paid line by line, and what stops is told to go on here.
 */
export const payouts = conversation<Releasing>().createMachine({
  id: 'payouts',
  version: '1',
  context: ({ input: { wallet } }) => ({ wallet: known(wallet), files: [] }),
  initial: 'reading',
  output: ending,
  states: {
    reading: call('readPayouts', {
      says: 'payouts.moment',
      input: ({ wallet }) => ({ wallet }),
      on: {
        ok: { target: 'listing', know: (read) => ({ ...read, chosen: undefined }) },
        failed: 'unavailable',
      },
    }),
    listing: {
      meta: screen(({ files }) => ({
        key: files.length > 0 ? 'payouts.list' : 'payouts.none',
        choices: files.map(lineOf),
        expects: 'choice',
      })),
      on: {
        chose: {
          target: 'showing',
          actions: assign(({ event, context }) => ({
            chosen: context.files.find(({ id }) => id === event.choice),
          })),
        },
        back: 'left',
      },
    },
    showing: {
      meta: screen((c) => shown(c)),
      on: {
        chose: [
          { guard: ({ event }) => event.choice === 'release', target: 'askingPin' },
          { target: 'reading' },
        ],
        back: 'reading',
      },
    },
    ...authentication<Releasing>(
      (c) => ({
        key: c.chosen?.state === 'stopped' ? 'payouts.askPinGoOn' : 'payouts.askPin',
        values: valuesOf(c),
        expects: 'pin',
      }),
      { next: 'releasing', back: 'showing' },
    ),
    releasing: call('releasePayouts', {
      says: 'payouts.moment',
      input: ({ wallet, chosen }) => ({ wallet, id: known(chosen).id, next: known(chosen).next }),
      on: {
        ok: { target: 'released', know: (chosen) => ({ chosen }) },
        own: { target: 'reading', know: () => ({ notice: { key: 'payouts.own' } }) },
        notNow: { target: 'reading', know: () => ({ notice: { key: 'payouts.notNow' } }) },
        unknown: LOOKED_UP,
        failed: 'reading',
        lost: LOOKED_UP,
      },
    }),
    released: {
      type: 'final',
      meta: screen((c) => ({ key: 'payouts.released', values: valuesOf(c), expects: 'nothing' })),
    },
    unavailable: { type: 'final', meta: screen(() => ({ key: 'payouts.unavailable', expects: 'nothing' })) },
    left: { type: 'final', output: { next: 'principal' } },
  },
});

function lineOf({ id, fileName, state, payable }: PayoutEntry): Choice {
  return {
    id,
    key: 'payouts.line',
    values: {
      file: { name: fileName },
      total: { money: payable.sum },
      state: { say: `payouts.${state}` },
    },
    listed: true,
  };
}

function valuesOf({ chosen, float }: Releasing): Values {
  const { fileName, count, payable, fees, refused, next, why } = known(chosen);
  return {
    file: { name: fileName },
    lines: { count },
    payments: { count: payable.count },
    amount: { money: payable.sum },
    fees: { money: fees },
    refused: { count: refused },
    line: { count: next },
    ...(float !== undefined && { float: { money: float } }),
    ...(why && { why: { say: `payouts.why-${why}` } }),
  };
}

/** What would be paid, against what there is; who has given it reads that another one releases it. */
function shown(context: Releasing): Screen {
  const { state, isOwn } = known(context.chosen);
  const waits = state === 'ready' || state === 'stopped';
  const release: Choice = { id: 'release', key: state === 'stopped' ? 'payouts.goOn' : 'payouts.release' };
  return {
    key: waits && isOwn ? 'payouts.shownOwn' : `payouts.shown-${state}`,
    values: valuesOf(context),
    choices: [...(waits && !isOwn ? [release] : []), { id: 'look', key: 'payouts.look' }],
    expects: 'choice',
  };
}
