import { afterEach, expect, test } from 'vitest';
import { live, type Scene } from './crash-history.ts';
import type { Broken } from './crash-points.ts';
import { createStage, type Stage } from './crash-stage.ts';

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
    broken: 'resends on unknown',
    scene: { kind: 'transfer', wire: 'loses answers' },
    noticed: /1 double payments/,
    doubles: 1,
  },
  {
    broken: 'resends on unknown',
    scene: { kind: 'voucher', wire: 'loses answers' },
    noticed: /1 double payments/,
    doubles: 1,
  },
  {
    broken: 'resends on unknown',
    scene: { kind: 'merchant-payment', wire: 'loses answers' },
    noticed: /1 double payments/,
    doubles: 1,
  },
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

let stage: Stage;
afterEach(() => stage.close());

test.each(BREAKS)('$broken: noticed in $scene.kind', async ({ broken, scene, point, noticed, doubles }) => {
  stage = await createStage('sqlite', broken);
  await stage.starts();
  const { verdict, faults } = await live(stage, scene, point ? [point] : [], {
    repeats: false,
    insists: true,
  });
  expect(faults.join('\n')).toMatch(noticed);
  expect(verdict.doublePayments).toBe(doubles);
});
