import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { API_KEY_DEFAULT } from '../src/sandbox/sandbox.ts';
import { ASKS_FROM_500_DH } from '../test/kit/first-payments.ts';
import { type Program, startProgram } from '../test/kit/program.ts';
import { startRedis } from '../test/kit/redis-server.ts';
import { createGateway, formOf, type Gateway } from './gateway.ts';
import { hundredths, measure, median, NODE_FLAGS, quantile } from './measure.ts';
import { benchWallet, withWallets } from './sandbox.ts';

/**
 * The whole process as a gateway meets it: a USSD transfer over HTTP. Redis and the sandbox are other processes. Beside Wasl
 * stand the peers of `bench/peers`, which make the same wallet calls. One client asks all of them, one after the other.
 */
/** So many customers pay that each pays a few times only. A long list of payments would cost every bot. */
const PAYERS = 6_000;
/** Customers at once. Each one goes on as soon as the answer is there. */
const LANES = 32;
/** Turns that begin in a second, whether or not those before were answered, and for how long. */
const RATES = [100, 200] as const;
const STEADY_MS = 6_000;
interface Plan {
  readonly rounds: number;
  readonly warmUpRounds: number;
  /** Conversations of a bot in a round. */
  readonly conversations: number;
  readonly rates: readonly number[];
}
/** The compiler is at work on the larger process for some 40,000 turns, and real processes run for days. */
const FULL: Plan = { rounds: 5, warmUpRounds: 14, conversations: 600, rates: RATES };
const QUICK: Plan = { rounds: 3, warmUpRounds: 6, conversations: 300, rates: [] };
const QUICK_PEERS: readonly string[] = ['bare', 'usual'];
/** A bot keeps up with a rate while its 99th percentile is below this. Above it, a queue has begun to grow. */
const SUSTAINED_P99_MS = 100;
/** The rates that are tried for that, in shares of what the slower of bare and Wasl does at saturation. */
const SHARES = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3] as const;
const PIN = '1234';
/** What a customer enters. The last one is the PIN. */
const ANSWERS = ['', '1', '0698765432', 'amount', PIN] as const;
const TURNS = ANSWERS.length;
const THINKS_MS = 200;
/** Longer than a payment takes to end. Its webhook is due then. */
const QUIET_LOOKS = 8;
const LOOK_MS = 200;
const WEBHOOK_KEY = 'a webhook key of the bench';
const DOOR_SECRET = 'a secret of the gateway for the bench';
const CPU = 'CPU µs a turn';
const PEERS_FOLDER = fileURLToPath(new URL('peers', import.meta.url));

/** What people would use instead, by the name of its file in `bench/peers`. */
const PEERS = {
  bare: 'Hono, undici, node-redis, a `switch`',
  xstate: 'XState as its docs show it, ky, Hono',
  usual: 'Express, axios, ioredis, ussd-menu-builder',
  'bot-framework': 'Microsoft Bot Framework dialogs, Redis, axios',
} as const;

interface Bot {
  readonly name: string;
  readonly program: Program;
  /** Where its USSD door is. */
  readonly door: string;
}
/** A line of the table: a bot, and its medians over the rounds. */
type Row = Readonly<Record<string, string | number>>;

/**
 * @param directory for the sandbox's file
 * @param isQuick bare, usual and Wasl at saturation only: two minutes
 */
export async function benchHttp(directory: string, isQuick = false): Promise<readonly Row[]> {
  installPeers();
  const redis = await startRedis();
  const folder = join(directory, 'http');
  await withWallets(folder, PAYERS, { pin: PIN });
  const sandbox = await startProgram('src/sandbox/main.ts', { DATA_DIR: folder, SANDBOX_PORT: '0' });
  const bots: Bot[] = [];
  for (const name of Object.keys(PEERS))
    if (!isQuick || QUICK_PEERS.includes(name)) bots.push(await startPeer(name, redis.url, sandbox.url));
  bots.push(await startWasl(redis.url, sandbox.url, join(directory, 'wasl')));
  try {
    return await compare(bots, sandbox.url, isQuick ? QUICK : FULL);
  } finally {
    for (const { program } of bots) await program.stop();
    await sandbox.stop();
    await redis.stop();
  }
}

/** The peers' libraries are no part of Wasl: only this bench installs them. */
function installPeers(): void {
  if (existsSync(join(PEERS_FOLDER, 'node_modules'))) return;
  console.log('Installing the peers …');
  // A script of botbuilder-dialogs fetches a tool that it never needs at run time.
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: PEERS_FOLDER,
    stdio: 'inherit',
  });
}

async function startPeer(name: string, redis: string, wallet: string): Promise<Bot> {
  const program = await startProgram(`bench/peers/${name}.ts`, {
    PEER_REDIS: redis,
    PEER_WALLET: wallet,
    PEER_KEY: API_KEY_DEFAULT,
    // Express tells its errors in full otherwise, and is slower.
    NODE_ENV: 'production',
  });
  return { name, program, door: `${program.url}/ussd/africastalking` };
}

async function startWasl(redis: string, wallet: string, directory: string): Promise<Bot> {
  const environment = {
    PORT: '0',
    DATA_DIR: directory,
    REDIS_URL: redis,
    WALLET_URL: wallet,
    WALLET_API_KEY: API_KEY_DEFAULT,
    WEBHOOK_KEYS: WEBHOOK_KEY,
    SECRETS_KEY: 'q7Hn2VbXw9TzLr4Kd8Gy5Mc3Jf6Ps1Ra',
    CHANNELS: 'ussd',
    USSD_SECRETS: DOOR_SECRET,
    SECURE: 'false',
    DRAIN_MS: '0',
    // What is measured is a turn, and no outcome that is waited for.
    OUTCOME_WAIT_MS: '0',
    ...ASKS_FROM_500_DH,
    LOG_LEVEL: 'info',
  };
  const program = await startProgram('src/main.ts', environment, NODE_FLAGS);
  return {
    name: 'wasl',
    program,
    door: `${program.url}/ussd/africastalking?secret=${encodeURIComponent(DOOR_SECRET)}`,
  };
}

async function compare(bots: readonly Bot[], sandbox: string, plan: Plan): Promise<readonly Row[]> {
  const rows: Rows = new Map(bots.map(({ name }) => [name, new Map<string, number[]>()]));
  const gateway = createGateway();
  for (const { door } of bots) await chooseLanguage(gateway, door);
  for (let round = -plan.warmUpRounds; round < plan.rounds; round++) {
    const into: Rows = round < 0 ? new Map() : rows;
    for (const bot of bots) {
      await tellWebhooks(sandbox, `${bot.program.url}/webhooks/wallet`);
      await atSaturation(gateway, bot, sandbox, plan.conversations, into);
      if (round < 0) continue;
      for (const rate of plan.rates) {
        await atRate(gateway, bot, rate, `${rate}/s`, into);
        await webhooksDelivered(sandbox);
      }
    }
  }
  if (plan.rates.length > 0) {
    const ends = bots.filter(({ name }) => name === 'bare' || name === 'wasl');
    await whatBothSustain(gateway, ends, sandbox, rows);
  }
  return tableOf(rows);
}

/** Figures of a bot, by its name and theirs: one value a round. */
type Rows = Map<string, Map<string, number[]>>;

function note(rows: Rows, { name }: Bot, figure: string, value: number): void {
  const figures = rows.get(name);
  figures?.set(figure, [...(figures.get(figure) ?? []), value]);
}

async function atSaturation(
  gateway: Gateway,
  bot: Bot,
  sandbox: string,
  conversations: number,
  rows: Rows,
): Promise<void> {
  const before = bot.program.cpuSeconds();
  const machine = processors();
  const { turns, seconds } = await saturate(gateway, bot.door, conversations);
  // What its webhook costs belongs to the turn.
  await webhooksDelivered(sandbox);
  const { stolen, all } = processors();
  note(rows, bot, 'turns/s', turns / seconds);
  note(rows, bot, CPU, ((bot.program.cpuSeconds() - before) * 1e6) / turns);
  note(rows, bot, 'taken by the host meanwhile, %', (100 * (stolen - machine.stolen)) / (all - machine.all));
}

/** What the machine's processors have been through, in ticks: a host that takes them for others makes whoever is measured then dearer. */
function processors(): { readonly stolen: number; readonly all: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const ticks = line.split(/ +/).slice(1, 9).map(Number);
  return { stolen: ticks[7] ?? 0, all: ticks.reduce((sum, each) => sum + each, 0) };
}

/** @returns the 99th percentile of the turns without a PIN, in ms */
async function atRate(gateway: Gateway, bot: Bot, rate: number, at: string, rows: Rows): Promise<number> {
  const { others, pins } = await steadily(gateway, bot.door, rate);
  const p99 = quantile(others, 0.99);
  note(rows, bot, `p50 ms at ${at}`, quantile(others, 0.5));
  note(rows, bot, `p99 ms at ${at}`, p99);
  note(rows, bot, `p99 ms of the PIN at ${at}`, quantile(pins, 0.99));
  return p99;
}

/** The highest of some rates that both keep up with, and how they do there. */
async function whatBothSustain(
  gateway: Gateway,
  bots: readonly Bot[],
  sandbox: string,
  rows: Rows,
): Promise<void> {
  const slower = Math.min(...bots.map(({ name }) => median(rows.get(name)?.get('turns/s') ?? [])));
  for (const share of SHARES) {
    const rate = Math.round(slower * share);
    const there: Rows = new Map(bots.map(({ name }) => [name, new Map<string, number[]>()]));
    const p99s: number[] = [];
    for (const bot of bots) {
      await tellWebhooks(sandbox, `${bot.program.url}/webhooks/wallet`);
      p99s.push(await atRate(gateway, bot, rate, 'the rate both sustain', there));
      await webhooksDelivered(sandbox);
    }
    if (Math.max(...p99s) > SUSTAINED_P99_MS) continue;
    for (const bot of bots) {
      note(rows, bot, 'rate both sustain, turns/s', rate);
      for (const [figure, [value = Number.NaN]] of there.get(bot.name) ?? []) note(rows, bot, figure, value);
    }
    return;
  }
}

/** A line for each bot: the medians of its figures, its CPU beside the bare one, and how far that moved over the rounds. */
function tableOf(rows: Rows): readonly Row[] {
  const bare = median(rows.get('bare')?.get(CPU) ?? []);
  return [...rows].map(([name, figures]) => {
    const cpus = figures.get(CPU) ?? [];
    return {
      bot: name,
      'made of': name in PEERS ? PEERS[name as keyof typeof PEERS] : 'with every promise',
      [CPU]: Math.round(median(cpus)),
      'from, to': `${Math.round(Math.min(...cpus))}, ${Math.round(Math.max(...cpus))}`,
      'to bare': hundredths(median(cpus) / bare),
      ...Object.fromEntries(
        [...figures]
          .filter(([figure]) => figure !== CPU)
          .map(([figure, values]) => [figure, hundredths(median(values))]),
      ),
    };
  });
}

async function tellWebhooks(sandbox: string, webhookUrl: string): Promise<void> {
  const body = JSON.stringify({ webhookUrl, webhookKey: WEBHOOK_KEY });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${sandbox}/sandbox/partner`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`the sandbox did not take the webhook: ${await answer.text()}`);
}

/** Every payment has ended, and the bot that has made it was told: the webhooks of the next one go elsewhere. */
async function webhooksDelivered(sandbox: string): Promise<void> {
  for (let quiet = 0; quiet < QUIET_LOOKS; ) {
    await sleep(LOOK_MS);
    const answer = await fetch(`${sandbox}/sandbox/webhooks`);
    const deliveries = (await answer.json()) as readonly { readonly state: string }[];
    quiet = deliveries.some(({ state }) => state === 'due') ? 0 : quiet + 1;
  }
}

/** Nobody is new: the language was chosen on an earlier day. */
async function chooseLanguage(gateway: Gateway, door: string): Promise<void> {
  await measure(PAYERS, LANES, 2, async (n) => {
    for (const text of ['', '1']) await gateway(door, formOf(benchWallet(n), `language-${n}`, text));
  });
}

let conversations = 0;

async function saturate(gateway: Gateway, door: string, count: number) {
  const startedAt = performance.now();
  let left = count;
  const lane = async () => {
    while (left-- > 0) await converse(gateway, door, () => {});
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { turns: count * TURNS, seconds: (performance.now() - startedAt) / 1000 };
}

/** Milliseconds of the turns before the PIN, and of those with it. */
async function steadily(gateway: Gateway, door: string, turnsPerSecond: number) {
  const others: number[] = [];
  const pins: number[] = [];
  const took = (turn: number, ms: number) => void (turn === TURNS - 1 ? pins : others).push(ms);
  const startedAt = performance.now();
  const all: Promise<void>[] = [];
  for (let at = 0; at < STEADY_MS; at = performance.now() - startedAt) {
    while (all.length < (at * turnsPerSecond) / 1000 / TURNS)
      all.push(converse(gateway, door, took, THINKS_MS));
    await sleep(2);
  }
  await Promise.all(all);
  return { others, pins };
}

async function converse(
  gateway: Gateway,
  door: string,
  took: (turn: number, ms: number) => void,
  thinksMs = 0,
): Promise<void> {
  const n = conversations++;
  // No two payments of one customer are alike.
  const answers = ANSWERS.map((answer) =>
    answer === 'amount' ? String(10 + Math.floor(n / PAYERS)) : answer,
  );
  let page = '';
  for (let turn = 0; turn < TURNS; turn++) {
    if (thinksMs > 0 && turn > 0) await sleep(thinksMs * (0.5 + Math.random()));
    const form = formOf(benchWallet(n % PAYERS), `bench-${n}`, answers.slice(1, turn + 1).join('*'));
    const startedAt = performance.now();
    page = await gateway(door, form);
    took(turn, performance.now() - startedAt);
  }
  if (!/^END .*(?:en cours|envoy)/s.test(page)) throw new Error(`a conversation ended with: ${page}`);
}
