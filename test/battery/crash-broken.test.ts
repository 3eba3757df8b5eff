import { afterEach, expect, test } from 'vitest';
import { PAYMENT_KINDS, type PaymentKind } from '../../src/payments/payments.ts';
import { live, type Scene } from './crash-history.ts';
import type { Broken } from './crash-points.ts';
import { createStage, type Stage } from './crash-stage.ts';
import { ERRANDS } from './town/kinds.ts';

/**
 * An answer of docs/safety.md is taken away, between the engine and its store or its wallet: a battery that does not
 * notice would be worth nothing.
 */
const BREAKS: readonly {
  readonly broken: Broken;
  readonly scene: Scene;
  readonly point?: string;
  readonly noticed: RegExp;
  readonly doubles: number;
}[] = [
  {
    broken: 'takes silence for a no',
    scene: { kind: 'bill-payment', wire: 'loses answers', webhooks: false },
    noticed: /is unsent, and the money moved/,
    doubles: 0,
  },
  {
    broken: 'takes silence for a no',
    scene: { kind: 'transfer', wire: 'loses answers', webhooks: false },
    noticed: /is unsent, and the money moved/,
    doubles: 0,
  },
  {
    broken: 'commits after the call',
    scene: { kind: 'transfer' },
    point: 'transfer arrives late',
    // Its webhook rebuilds the forgotten payment; what its customer does meanwhile cannot be taken back.
    noticed: /double payments/,
    doubles: 1,
  },
  {
    broken: 'keeps no book',
    scene: { kind: 'top-up' },
    point: 'topUp arrives late',
    noticed: /1 double payments/,
    doubles: 1,
  },
  {
    broken: 'keeps no book',
    scene: { kind: 'transfer' },
    point: 'transfer arrives late',
    noticed: /1 double payments/,
    doubles: 1,
  },
];

const MANNERS = { repeats: false, insists: true };
let stage: Stage;
afterEach(() => stage.close());

test.each(BREAKS)('$broken: noticed in $scene.kind', async ({ broken, scene, point, noticed, doubles }) => {
  stage = await createStage('sqlite', broken);
  await stage.starts();
  const { doublePayments, faults } = await live(stage, scene, point ? [point] : [], MANNERS);
  expect(faults.join('\n')).toMatch(noticed);
  expect(doublePayments).toBe(doubles);
});

test('resends on unknown: noticed in every kind of payment', async () => {
  stage = await createStage('sqlite', 'resends on unknown');
  await stage.starts();
  const unnoticed: PaymentKind[] = [];
  // Merchants first: so many lost answers open the circuit breaker, without which there is no link.
  const place = (kind: PaymentKind) => (ERRANDS[kind].by === 'merchant' ? 0 : 1);
  for (const kind of PAYMENT_KINDS.toSorted((a, b) => place(a) - place(b))) {
    const { faults } = await live(stage, { kind, wire: 'loses answers' }, [], MANNERS);
    if (!/was sent 2 times/.test(faults.join('\n'))) unnoticed.push(kind);
  }
  expect(unnoticed).toEqual([]);
});
