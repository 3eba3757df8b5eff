import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { helpOn } from '../src/help.ts';
import { createPost, formOf, type Post } from './gateway.ts';
import { quantile } from './measure.ts';

/** Africa's Talking hangs up after so long. */
const GATEWAY_MS = 10_000;
const FIRST_LINE_CHARS = 70;
const PAGES_SHOWN_MAX = 25;

/** What is played, and against what. */
export interface Load {
  /** The door: `https://…/ussd/africastalking?secret=…`. */
  readonly door: string;
  /** The number of the first customer, in the form +212…; the others follow. */
  readonly first: string;
  readonly customers: number;
  /** What a customer answers after the dial. `{n}` counts up, so that no two payments of one customer are alike. */
  readonly answers: readonly string[];
  readonly seconds: number;
  /** Turns begun in a second, answered or not; undefined: each of `lanes` as fast as it is answered. */
  readonly rate?: number | undefined;
  readonly lanes: number;
  /** Between two turns of one customer, on average. */
  readonly thinksMs: number;
}

/** What came of it. Milliseconds are counted from the moment when a turn was to begin. */
interface LoadReport {
  readonly turns: number;
  readonly turnsPerSecond: number;
  readonly ms: readonly number[];
  /** What customers read: the first line of each page, figures as `#`, and how often. No answer and errors too. */
  readonly pages: ReadonlyMap<string, number>;
  readonly failures: number;
}

/** Plays customers until the time is up, and waits for those who are in the middle of something. */
export async function play(load: Load, post: Post = createPost(GATEWAY_MS)): Promise<LoadReport> {
  const startedAt = performance.now();
  const run = {
    load,
    post,
    name: `load-${startedAt.toString(36)}`,
    begun: 0,
    turnsPlanned: 0,
    ms: [] as number[],
    pages: new Map<string, number>(),
    failures: 0,
    endsAt: startedAt + load.seconds * 1_000,
  };
  await (load.rate === undefined ? inLanes(run) : atRate(run, load.rate));
  const { ms, pages, failures } = run;
  const turnsPerSecond = ms.length / ((performance.now() - startedAt) / 1_000);
  return { turns: ms.length, turnsPerSecond, ms, pages, failures };
}

interface Run {
  readonly load: Load;
  readonly post: Post;
  /** Begins every session id: no two runs have the same. */
  readonly name: string;
  readonly endsAt: number;
  begun: number;
  /** Turns of all conversations that were begun, also of those that nobody has foreseen. */
  turnsPlanned: number;
  readonly ms: number[];
  readonly pages: Map<string, number>;
  failures: number;
}

async function inLanes(run: Run): Promise<void> {
  const lane = async () => {
    while (performance.now() < run.endsAt) await converse(run, performance.now());
  };
  await Promise.all(Array.from({ length: run.load.lanes }, lane));
}

/** Conversations begin at their moments, also while earlier ones wait: a slow deployment is not spared the load. */
async function atRate(run: Run, turnsPerSecond: number): Promise<void> {
  const startedAt = performance.now();
  const next = () => startedAt + (run.turnsPlanned / turnsPerSecond) * 1_000;
  const all: Promise<void>[] = [];
  for (let at = next(); at < run.endsAt; at = next()) {
    await sleep(at - performance.now());
    // A customer who is new has been asked for a language meanwhile: that turn counts, too.
    if (next() > performance.now()) continue;
    all.push(converse(run, at));
    run.turnsPlanned += run.load.answers.length + 1;
  }
  await Promise.all(all);
}

/** One session: the dial, then the answers. A customer who is asked for a language chooses the first. */
async function converse(run: Run, plannedAt: number): Promise<void> {
  const { load, name } = run;
  const n = run.begun++;
  const phone = `+${BigInt(load.first.replace(/\D/g, '')) + BigInt(n % load.customers)}`;
  const left = load.answers.map((answer) =>
    answer.replaceAll('{n}', `${Math.floor(n / load.customers) + 1}`),
  );
  const given: string[] = [];
  let startsAt = plannedAt;
  for (;;) {
    const page = await turn(run, formOf(phone, `${name}-${n}`, given.join('*')), startsAt);
    if (page === undefined || page.startsWith('END')) return;
    const isNew = given.length === 0 && page.includes('العربية');
    if (isNew) run.turnsPlanned++;
    const next = isNew ? '1' : left.shift();
    if (next === undefined) return;
    given.push(next);
    if (load.thinksMs > 0) await sleep(load.thinksMs * (0.5 + Math.random()));
    startsAt = performance.now();
  }
}

/** One request. Gives the page, or undefined where there is none: the gateway would end the session. */
async function turn(run: Run, form: string, startsAt: number): Promise<string | undefined> {
  const answer = await run.post(run.load.door, form).catch((error: NodeJS.ErrnoException) => ({
    status: 0,
    text: error.code ?? error.message,
  }));
  run.ms.push(performance.now() - startsAt);
  const isPage = answer.status === 200 && /^(?:CON|END) /.test(answer.text);
  if (!isPage) run.failures += 1;
  const line = (isPage ? '' : `${answer.status || 'no answer'}: `) + firstLine(answer.text);
  run.pages.set(line, (run.pages.get(line) ?? 0) + 1);
  return isPage ? answer.text : undefined;
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return line.replace(/\d+/g, '#').slice(0, FIRST_LINE_CHARS);
}

/** The report as an operator reads it. */
export function printed({ turns, turnsPerSecond, ms, pages, failures }: LoadReport): string {
  const at = (share: number) => Math.round(quantile(ms, share));
  const read = [...pages].sort(([, a], [, b]) => b - a).slice(0, PAGES_SHOWN_MAX);
  return [
    `${turns} turns, ${turnsPerSecond.toFixed(1)} a second, ${failures} without a page`,
    `ms: p50 ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}, most ${Math.round(ms.reduce((a, b) => Math.max(a, b), 0))}`,
    'what customers read:',
    ...read.map(([line, count]) => `${String(count).padStart(8)}  ${line}`),
  ].join('\n');
}

const USAGE = `npm run load -- --door <address> [--answers 1,0612345678,{n},1234] [--first +212600000001]
  [--customers 100] [--seconds 30] [--rate <turns a second> | --lanes 32] [--thinks 0]
Plays customers of a USSD gateway (Africa's Talking) and prints turns a second, percentiles and what they read. Without
--answers they only dial. With answers that end in a PIN they pay: never against a wallet with real money.`;

if (import.meta.main) {
  helpOn(USAGE);
  await main();
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      door: { type: 'string' },
      answers: { type: 'string', default: '' },
      first: { type: 'string', default: '+212600000001' },
      customers: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '30' },
      rate: { type: 'string' },
      lanes: { type: 'string', default: '32' },
      thinks: { type: 'string', default: '0' },
    },
  });
  const { door, answers, first, rate } = values;
  const [customers, seconds, lanes, thinksMs] = [
    values.customers,
    values.seconds,
    values.lanes,
    values.thinks,
  ].map(Number) as [number, number, number, number];
  const figures = [customers, seconds, lanes, thinksMs, Number(rate ?? 1)];
  if (!door || !URL.canParse(door) || figures.some((figure) => !(figure >= 0))) {
    console.error(USAGE);
    process.exitCode = 1;
    return;
  }
  const load: Load = {
    door,
    first,
    customers,
    seconds,
    lanes,
    thinksMs,
    answers: answers === '' ? [] : answers.split(','),
    ...(rate !== undefined && { rate: Number(rate) }),
  };
  console.log(printed(await play(load)));
}
