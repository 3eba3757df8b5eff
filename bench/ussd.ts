import { startProgram } from '../test/kit/program.ts';
import { createGateway, formOf } from './gateway.ts';
import { measure, median } from './measure.ts';

/** Wasl's USSD route without the engine, beside a bare Hono handler with the same answer, each in a process of its own. */
/** The compiler of the larger door is at work for longer: doors that have been open for a while are what is compared. */
const WARM_UP_ROUNDS = 80;
const ROUNDS = 40;
const REQUESTS = 500;
const LANES = 16;
const SECRET = 'a secret of the gateway for the bench';
const DOORS = ['bare', 'wasl'] as const;

interface Row {
  readonly door: string;
  readonly 'CPU µs a request': number;
  readonly 'to bare Hono': number;
}

export async function benchUssd(): Promise<readonly Row[]> {
  const doors = await Promise.all(
    DOORS.map(async (DOOR) => ({
      DOOR,
      program: await startProgram('bench/ussd-door.ts', { DOOR, SECRET }),
    })),
  );
  const gateway = createGateway();
  const pages = new Set<string>();
  const cpus: number[][] = DOORS.map(() => []);
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const [i, { program }] of doors.entries()) {
      const url = `${program.url}/ussd/africastalking?secret=${encodeURIComponent(SECRET)}`;
      const before = program.cpuSeconds();
      await measure(REQUESTS, LANES, 1, async (n) => {
        const phone = `+2127${String(n).padStart(8, '0')}`;
        pages.add(await gateway(url, formOf(phone, `ATUid_${round}_${n}`, '1*0698765432')));
      });
      if (round >= 0) cpus[i]?.push(((program.cpuSeconds() - before) * 1e6) / REQUESTS);
    }
  }
  for (const { program } of doors) await program.stop();
  if (pages.size !== 1) throw new Error(`the doors differ: ${[...pages].join(' | ')}`);
  const [bare = []] = cpus;
  return doors.map(({ DOOR }, i) => {
    const ratios = (cpus[i] ?? []).map((cpu, at) => cpu / (bare[at] ?? Number.NaN));
    return {
      door: DOOR,
      'CPU µs a request': Math.round(median(cpus[i] ?? [])),
      'to bare Hono': Math.round(median(ratios) * 100) / 100,
    };
  });
}
