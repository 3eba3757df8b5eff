import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { History } from './crash-history.ts';
import { createStage, type Stage } from './crash-stage.ts';
import { report } from './town/oracle.ts';
import type { Manners } from './town/payer.ts';
import { randomOf } from './town/random.ts';
import { drawn } from './turn.ts';

/** Plays one history, in which a process dies at each of some moments in turn. */
type Live<S> = (stage: Stage, scene: S, points: readonly string[], manners: Manners) => Promise<History>;

/** Moments of the money path at which a process dies by `kill -9`, and what must come of what its customer wants. */
export interface Points<S> {
  readonly scene: S & { readonly called: string };
  /** How often the wallet has made what was to be paid, in the end. */
  readonly made: 0 | 1 | 2;
  readonly points: readonly (string | readonly [string, string])[];
  /** In the short form each point is played on one of the two stores, but for these. */
  readonly onBoth?: true;
}

const LONG = process.env.LONG === '1';
const ROUNDS = Number(process.env.ROUNDS ?? (LONG ? 25 : 1));
/** A history comes past about so many moments: where the second death of the long form may be. */
const MOMENTS = 60;
const SEED = Number(process.env.SEED ?? 1);
/** So many of them are enough to see what is wrong. */
const LIES_SHOWN = 10;

/**
 * Plays every point on both stores. The short form plays each on one of them, which changes with the sources.
 * @param afterwards a check of everything that was played on a store
 * @param moreAgain how many more a second death may add, when the customer asks once more for a lost number
 */
export function playPoints<S extends object>(
  name: string,
  live: Live<S>,
  every: readonly Points<S>[],
  afterwards: (stage: Stage) => void = () => {},
  moreAgain = 0,
): void {
  describe.each(['sqlite', 'redis'] as const)(`${name}, on %s`, (kind) => {
    const all = ROUNDS === 1 ? everySecond(every, (drawn(name, 2) + (kind === 'sqlite' ? 0 : 1)) % 2) : every;
    const figures = {
      points: 0,
      kills: 0,
      histories: 0,
      'double payments': 0,
      'lost outcomes': 0,
      texts: 0,
      false: 0,
    };
    const lies: string[] = [];
    const random = randomOf(SEED);
    let stage: Stage;
    beforeAll(async () => {
      stage = await createStage(kind);
      await stage.starts();
    });
    afterAll(async () => {
      report(`${name} on ${kind}`, { ...figures, kills: stage.kills, ...(ROUNDS > 1 && { seed: SEED }) });
      await stage.close();
    });

    async function liveOnce(deaths: readonly string[], made: number, scene: S, round: number): Promise<void> {
      // On each store half of the customers repeat, and half of them insist. The long form plays all four manners.
      const turn = figures.points + round + (kind === 'redis' ? 2 : 0);
      const manners = { repeats: turn % 2 === 0, insists: turn % 4 > 1 };
      const again = round > 0 ? [`anything #${random.between(1, MOMENTS)}`] : [];
      const {
        died,
        doublePayments,
        lostOutcomes,
        made: times,
        faults,
        heard,
      } = await live(stage, scene, [...deaths, ...again], manners);
      figures.histories++;
      figures.texts += heard.texts;
      figures.false += heard.lies.length;
      lies.push(...heard.lies.map((lie) => `${deaths}: ${lie}`));
      figures['double payments'] += doublePayments;
      figures['lost outcomes'] += lostOutcomes;
      const where = `${kind}, ${JSON.stringify({ manners, again })}`;
      expect(faults, where).toEqual([]);
      expect(died, `${where}: deaths met`).toBeGreaterThanOrEqual(deaths.length);
      // A second death may come after the claim: then the payment is not made either.
      if (round === 0) expect(times, where).toBe(made);
      else expect(times, where).toBeLessThanOrEqual(made + moreAgain);
    }

    describe.each(all.filter(({ points }) => points.length > 0))(
      '$scene.called',
      ({ scene, made, points }) => {
        test.each(points.map((point) => [[point].flat()]))(
          'at %j',
          async (deaths) => {
            figures.points++;
            for (let round = 0; round < ROUNDS; round++) await liveOnce(deaths, made, scene, round);
          },
          600_000,
        );
      },
    );

    test(`all ${all.flatMap(({ points }) => points).length} points`, () => {
      expect(figures.points).toBe(all.flatMap(({ points }) => points).length);
      afterwards(stage);
    });

    test('T10: customers read nothing false', () => {
      expect(figures.texts).toBeGreaterThan(figures.histories);
      expect(lies.slice(0, LIES_SHOWN)).toEqual([]);
    });
  });
}

/** Every second point of all, from the first or from the second one on. */
function everySecond<S>(all: readonly Points<S>[], first: number): readonly Points<S>[] {
  let count = first;
  return all.map((each) => ({ ...each, points: each.points.filter(() => count++ % 2 === 0 || each.onBoth) }));
}
