import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
/** What `npm start` gives Node. */
export const NODE_FLAGS: readonly string[] = scripts.start.match(/--[\w=-]+/g);

/** What one round of work took. */
export interface Sample {
  readonly turns: number;
  readonly seconds: number;
  readonly cpuUs: number;
  readonly us: readonly number[];
}

/** Does some work over and over, so many at a time; `took` is told the microseconds of each turn in it. */
export async function measure(
  count: number,
  concurrency: number,
  turnsEach: number,
  work: (i: number, took: (us: number) => void) => Promise<void>,
): Promise<Sample> {
  const us: number[] = [];
  let next = 0;
  const cpu = process.cpuUsage();
  const startedAt = process.hrtime.bigint();
  const lane = async () => {
    while (next < count) await work(next++, (took) => us.push(took));
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
  const { user, system } = process.cpuUsage(cpu);
  return { turns: count * turnsEach, seconds, cpuUs: user + system, us };
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** @param share 0.99 for the 99th percentile */
export function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

export function never(): never {
  throw new Error('the bench lost its thread');
}

export function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
