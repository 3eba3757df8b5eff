import { expect, test } from 'vitest';
import type { CashKind } from '../../src/wallet/services.ts';
import { type CashScene, liveByReference } from './crash-reference.ts';
import { type Points as PointsOf, playPoints } from './crash-suite.ts';
import type { ReferenceKind } from './town/kinds.ts';
import { inTurn } from './turn.ts';

type Points = PointsOf<CashScene>;

/**
 * From the claim of a reference to its answer. A claim is lost with its process, and only the customer asks once more. A
 * reference whose number is lost is known to nobody, and harms nobody.
 * @param call as Wasl's wallet names it
 * @param wire as the wire names it
 */
function asking(
  scene: CashScene,
  { name, call, wire, shown }: { name: string; call: string; wire: string; shown: string },
): readonly Points[] {
  const claim = scene.kind === 'principal-float' ? 'claim requestFloat' : 'claim requestReference';
  return [
    {
      scene: {
        ...scene,
        called: `${name}: before the wallet has made it, or after its number is shown: made once`,
      },
      made: 1,
      points: [
        `after commit of ${claim}`,
        ...inTurn(
          name,
          ...[`before commit of ${claim}`, `before ${call}`, `${wire} arrives`],
          `after commit of ${shown}`,
        ),
      ],
    },
    {
      scene: {
        ...scene,
        called: `${name}: made, and its number is lost: the customer asks for another one`,
      },
      made: 2,
      points: [
        `${wire} is executed`,
        ...inTurn(name, `${wire} arrives late`, `after ${call}`, `before commit of ${shown}`),
      ],
    },
  ];
}

/** The end of a reference is told once, wherever its process dies. */
function learning(
  scene: CashScene & { readonly kind: 'cash-in' | 'cash-out' },
  name: string,
): readonly Points[] {
  const learnt = (state: string) => {
    // The outcome of a withdrawal names the fees that its preview gave.
    const told = scene.kind === 'cash-out' && state === 'executed' ? 'executedPriced' : state;
    return [
      `before commit of cash-reference ${state}`,
      `after commit of cash-reference ${state}`,
      ...[`before delivery of ${scene.kind}.${told}`, `after delivery of ${scene.kind}.${told}`],
    ];
  };
  return [
    {
      scene: { ...scene, by: 'network', called: `${name}: executed at a counter: known, and told once` },
      made: 1,
      points: inTurn(name, 'before cashReference', 'after cashReference', ...learnt('executed')),
    },
    {
      scene: { ...scene, by: 'agent', called: `${name}: executed by an agent, without an event` },
      made: 1,
      // No agent executes a deposit that is paid in at a counter.
      points: scene.way ? [] : inTurn(name, ...learnt('executed'), 'after lease of cash-reference'),
    },
    {
      scene: { ...scene, by: 'network', isReversed: true, called: `${name}: executed, and reversed` },
      made: 1,
      points: inTurn(name, ...learnt('reversed')),
    },
    {
      scene: {
        ...scene,
        by: 'network',
        when: 'late',
        called: `${name}: executed after Wasl has stopped looking`,
      },
      made: 1,
      points: inTurn(name, ...learnt('executed')),
    },
    {
      scene: { ...scene, called: `${name}: executed by nobody` },
      made: 1,
      points: inTurn(name, ...learnt('expired')),
    },
  ];
}

/** The event is faster than the number: of one whose number is lost with its process another one is asked for, all the same. */
function overtaken(
  scene: CashScene & { readonly kind: CashKind },
  { name, wire, shown }: { name: string; wire: string; shown: string },
): readonly Points[] {
  const early = { ...scene, by: 'network', when: 'at once' } as const;
  return [
    {
      scene: { ...early, called: `${name}: executed before its number is read, and the number is lost` },
      made: 2,
      points: inTurn(name, `${wire} is executed and told`, `before commit of ${shown}`),
    },
    {
      scene: { ...early, called: `${name}: executed before its number is read` },
      made: 1,
      points: inTurn(name, `after commit of ${shown}`, `after commit of cash-reference executed`),
    },
  ];
}

const CASH_IN = {
  name: 'cash-in',
  call: 'requestCashIn',
  wire: 'requestCashIn',
  shown: 'cash-in.shown to tell',
};
const BILL_NETWORK = {
  ...CASH_IN,
  ...{ name: 'cash-in by the bill network' },
  ...{ call: 'requestBillNetworkCashIn', wire: 'requestBillNetworkCashIn' },
};
const CASH_OUT = {
  name: 'cash-out',
  call: 'requestCashOut',
  wire: 'requestCashOut',
  shown: 'cash-out.shown to tell',
};
const FLOAT = {
  ...{ name: 'principal-float', call: 'requestFloat', wire: 'requestBillNetworkCashIn' },
  shown: 'principal-float.given',
};

const POINTS: Readonly<Record<ReferenceKind | 'bill-network', readonly Points[]>> = {
  'cash-in': [
    ...asking({ kind: 'cash-in' }, CASH_IN),
    ...learning({ kind: 'cash-in' }, 'cash-in'),
    ...overtaken({ kind: 'cash-in' }, CASH_IN),
    {
      scene: {
        kind: 'cash-in',
        by: 'network',
        twice: true,
        called: 'cash-in: its event comes twice: told once',
      },
      made: 1,
      points: inTurn('twice', 'before cashReference', 'after commit of cash-reference executed'),
    },
  ],
  'bill-network': [
    ...asking({ kind: 'cash-in', way: 'bill-network' }, BILL_NETWORK),
    ...learning({ kind: 'cash-in', way: 'bill-network' }, BILL_NETWORK.name),
  ],
  'cash-out': [
    ...asking({ kind: 'cash-out' }, CASH_OUT),
    ...learning({ kind: 'cash-out' }, 'cash-out'),
    ...overtaken({ kind: 'cash-out' }, CASH_OUT),
  ],
  'principal-float': asking({ kind: 'principal-float' }, FLOAT),
};

test('the short form, too, kills each after its claim and before its answer', () => {
  const short = Object.values(POINTS).map((each) => each.flatMap(({ points }) => points.flat()));
  for (const points of short) {
    expect(points.filter((point) => point.startsWith('after commit of claim request')).length).toBe(1);
    expect(points.filter((point) => point.endsWith('is executed')).length).toBe(1);
  }
});

playPoints('T1: kill -9, references', liveByReference, Object.values(POINTS).flat(), () => {}, 1);
