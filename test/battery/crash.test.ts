import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { live, type Scene } from './crash-history.ts';
import { createStage, type Stage } from './crash-stage.ts';
import { report } from './oracle.ts';
import { randomOf } from './simulation/random.ts';

/** Moments of the money path at which a process dies by `kill -9`, and what must come of the customer's payment. */
const POINTS: readonly {
  readonly scene: Scene & { readonly called: string };
  readonly made: 0 | 1;
  readonly points: readonly (string | readonly [string, string])[];
}[] = [
  {
    scene: { called: 'before the claim: the payment is made once, by whoever is there' },
    made: 1,
    points: [
      'after commit of transfer.askingAmount',
      'after previewTransfer',
      'after commit of transfer.confirming',
      'before commit of claim login',
      'after commit of claim login',
      'login arrives',
      'login is executed',
      'after login',
      'after operations #2',
      'before commit of claim pay',
      ['after login', 'after login'],
    ],
  },
  {
    scene: { called: 'after the claim, before the wallet has it: never sent again' },
    made: 0,
    points: [
      'after commit of claim pay',
      'before transfer',
      'transfer arrives',
      ['after commit of claim pay', 'before commit of intent not-found'],
      ['transfer arrives', 'after commit of intent not-found'],
    ],
  },
  {
    scene: { called: 'after the wallet has it: made once, and known' },
    made: 1,
    points: [
      'transfer arrives late',
      'transfer is executed',
      'after transfer',
      'before commit of transfer.processing',
      'after commit of transfer.processing',
      'before commit of webhook waiting',
      'after commit of webhook waiting',
      'after operation',
      'before commit of intent succeeded',
      'after commit of intent succeeded',
      'before delivery of transfer.done',
      'after delivery of transfer.done',
      'after commit of transfer.settled told',
      'before commit of webhook done',
      ['transfer arrives late', 'before commit of intent succeeded'],
      ['after commit of webhook waiting', 'before commit of webhook done'],
      ['after transfer', 'after commit of intent succeeded'],
      ['after commit of intent succeeded', 'after delivery of transfer.done'],
    ],
  },
  {
    scene: {
      called: 'the answer is lost and no webhook comes: found in the list',
      wire: 'loses answers',
      webhooks: false,
    },
    made: 1,
    points: [
      'before commit of transfer.notConfirmed',
      'after commit of transfer.notConfirmed',
      'after lease of intent',
      'before operations #3',
      'after operations #3',
      'before commit of intent unknown',
      'after commit of intent unknown',
      'before operation',
      'after operation',
      'before commit of intent succeeded',
      'after commit of intent succeeded',
      ['before commit of intent unknown', 'after commit of intent unknown'],
    ],
  },
  {
    scene: { called: 'the request is lost: watched until the horizon', wire: 'loses requests' },
    made: 0,
    points: [
      'after transfer',
      'after commit of transfer.notConfirmed',
      'after commit of intent unknown',
      'before commit of intent not-found',
      'after commit of intent not-found',
      'after delivery of transfer.notFound',
    ],
  },
  {
    scene: { called: 'the webhook is faster than the answer', wire: 'brings the webhook first' },
    made: 1,
    points: [
      'transfer is executed and told',
      'after commit of webhook waiting',
      'after transfer',
      'after commit of intent succeeded',
    ],
  },
  {
    scene: { called: 'the transfer fails after it was accepted', fails: true },
    made: 1,
    points: [
      'before commit of intent failed',
      'after commit of intent failed',
      'before delivery of transfer.failed',
      'after delivery of transfer.failed',
    ],
  },
  {
    scene: { called: 'the operation stays open: a timer speaks', settles: false },
    made: 1,
    points: [
      'after lease of session',
      'before commit of transfer.notConfirmed to tell',
      'after commit of transfer.notConfirmed to tell',
    ],
  },
];

const LONG = process.env.LONG === '1';
const ROUNDS = Number(process.env.ROUNDS ?? (LONG ? 25 : 1));
/** A history comes past about so many moments: where the second death of the long form may be. */
const MOMENTS = 60;
const SEED = Number(process.env.SEED ?? 1);

describe.each(['sqlite', 'redis'] as const)('T1: kill -9, on %s', (kind) => {
  const figures = { points: 0, kills: 0, histories: 0, 'double payments': 0, 'lost outcomes': 0 };
  const random = randomOf(SEED);
  let stage: Stage;
  beforeAll(async () => {
    stage = await createStage(kind);
    await stage.starts();
  });
  afterAll(async () => {
    report(`T1 on ${kind}`, { ...figures, kills: stage.kills, ...(ROUNDS > 1 && { seed: SEED }) });
    await stage.close();
  });

  async function liveOnce(
    deaths: readonly string[],
    made: number,
    scene: Scene,
    round: number,
  ): Promise<void> {
    // On each store half of the customers repeat, and half of them insist; every one of the four in the long form.
    const turn = figures.points + round + (kind === 'redis' ? 2 : 0);
    const manners = { repeats: turn % 2 === 0, insists: turn % 4 > 1 };
    const again = round > 0 ? [`anything #${random.between(1, MOMENTS)}`] : [];
    const { died, verdict, faults } = await live(stage, scene, [...deaths, ...again], manners);
    figures.histories++;
    figures['double payments'] += verdict.doublePayments;
    figures['lost outcomes'] += verdict.lostOutcomes.length + verdict.forgotten.length;
    const where = `${kind}, ${JSON.stringify({ manners, again })}`;
    expect(faults, where).toEqual([]);
    expect(died, `${where}: deaths met`).toBeGreaterThanOrEqual(deaths.length);
    // A second death may come after the claim: then the payment is not made either.
    if (round === 0) expect(verdict.executions, where).toHaveLength(made);
    else expect(verdict.executions.length, where).toBeLessThanOrEqual(made);
  }

  describe.each(POINTS)('$scene.called', ({ scene, made, points }) => {
    test.each(points.map((point) => [[point].flat()]))(
      'at %j',
      async (deaths) => {
        figures.points++;
        for (let round = 0; round < ROUNDS; round++) await liveOnce(deaths, made, scene, round);
      },
      600_000,
    );
  });

  test('at least 40 points', () => {
    expect(figures.points).toBeGreaterThanOrEqual(40);
  });
});
