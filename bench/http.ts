import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_KEY_DEFAULT } from '../src/sandbox/sandbox.ts';
import { startRedis } from '../test/kit/redis-server.ts';
import { median, quantile } from './measure.ts';
import { type Program, startProgram } from './program.ts';
import { benchWallet, withWallets } from './sandbox.ts';

/**
 * The whole process as a gateway meets it: a USSD transfer over HTTP, with Redis and the sandbox as other processes, beside
 * the same from a bot without any promise (`peer.ts`). Both are asked by one client, against one sandbox, turn about.
 */
const PAYERS = 2_500;
const ROUNDS = 3;
/** Customers at once, each as fast as it is answered. */
const LANES = 32;
const CONVERSATIONS = 400;
/** Turns a second that begin whether or not those before have been answered, and for how long. */
const RATES = [100, 200] as const;
const STEADY_MS = 10_000;
const PIN = '1234';
/** What a customer does; the last one is the PIN. */
const ANSWERS = ['', '1', '0698765432', 'amount', '1', PIN] as const;
const TURNS = ANSWERS.length;
const THINKS_MS = 200;
const WEBHOOK_KEY = 'a webhook key of the bench';
const DOOR_SECRET = 'a secret of the gateway for the bench';

interface Bot {
  readonly name: string;
  readonly program: Program;
  /** Where its USSD door is. */
  readonly door: string;
}
interface Row {
  readonly name: string;
  readonly [figure: string]: string | number;
}

/** @param directory for the sandbox's file */
export async function benchHttp(directory: string): Promise<readonly Row[]> {
  const redis = await startRedis();
  const folder = join(directory, 'http');
  await withWallets(folder, PAYERS, { pin: PIN });
  const sandbox = await startProgram('../src/sandbox/main.ts', { DATA_DIR: folder, SANDBOX_PORT: '0' });
  const bots = [
    await startPeer(redis.url, sandbox.url),
    await startWasl(redis.url, sandbox.url, join(directory, 'wasl')),
  ];
  try {
    return await compare(bots, sandbox.url);
  } finally {
    for (const { program } of bots) await program.stop();
    await sandbox.stop();
    await redis.stop();
  }
}

async function startPeer(redis: string, wallet: string): Promise<Bot> {
  const program = await startProgram('./peer.ts', {
    PEER_REDIS: redis,
    PEER_WALLET: wallet,
    PEER_KEY: API_KEY_DEFAULT,
  });
  return { name: 'peer', program, door: `${program.url}/ussd/africastalking` };
}

async function startWasl(redis: string, wallet: string, directory: string): Promise<Bot> {
  const environment = {
    PORT: '0',
    DATA_DIR: directory,
    REDIS_URL: redis,
    WALLET_URL: wallet,
    WALLET_API_KEY: API_KEY_DEFAULT,
    WEBHOOK_KEYS: WEBHOOK_KEY,
    SECRETS_KEY: 'a secrets key for the bench: 32 characters',
    CHANNELS: 'ussd',
    USSD_SECRETS: DOOR_SECRET,
    SECURE: 'false',
    LOG_LEVEL: 'info',
  };
  const program = await startProgram('../src/main.ts', environment, ['--max-semi-space-size=16']);
  return {
    name: 'wasl',
    program,
    door: `${program.url}/ussd/africastalking?secret=${encodeURIComponent(DOOR_SECRET)}`,
  };
}

async function compare(bots: readonly Bot[], sandbox: string): Promise<readonly Row[]> {
  const rows = new Map(bots.map(({ name }) => [name, new Map<string, number[]>()]));
  const note = (name: string, figure: string, value: number) => {
    const figures = rows.get(name);
    figures?.set(figure, [...(figures.get(figure) ?? []), value]);
  };
  const client = createClient();
  for (const { door } of bots) await chooseLanguage(client, door);
  for (let round = -1; round < ROUNDS; round++) {
    for (const { name, program, door } of bots) {
      await tellWebhooks(sandbox, `${program.url}/webhooks/wallet`);
      const before = program.cpuSeconds();
      const full = await saturate(client, door);
      const cpu = program.cpuSeconds() - before;
      // The first round only warms up.
      if (round < 0) continue;
      note(name, 'turns/s', full.turns / full.seconds);
      note(name, 'CPU µs a turn', (cpu * 1e6) / full.turns);
      for (const rate of RATES) {
        const { others, pins } = await steadily(client, door, rate);
        note(name, `p50 ms at ${rate}/s`, quantile(others, 0.5));
        note(name, `p99 ms at ${rate}/s`, quantile(others, 0.99));
        note(name, `p99 ms of the PIN at ${rate}/s`, quantile(pins, 0.99));
      }
    }
  }
  return withRatios([...rows].map(([name, figures]) => row(name, figures)));
}

function row(name: string, figures: ReadonlyMap<string, number[]>): Row {
  const medians = [...figures].map(([figure, values]) => [figure, Math.round(median(values) * 100) / 100]);
  return { name, ...Object.fromEntries(medians) };
}

function withRatios([peer, wasl]: readonly Row[]): readonly Row[] {
  if (!peer || !wasl) throw new Error('two bots are compared');
  const ratios = Object.entries(wasl).flatMap(([figure, value]) =>
    typeof value === 'number' ? [[figure, Math.round((value / Number(peer[figure])) * 100) / 100]] : [],
  );
  return [peer, wasl, { name: 'wasl : peer', ...Object.fromEntries(ratios) }];
}

async function tellWebhooks(sandbox: string, webhookUrl: string): Promise<void> {
  const body = JSON.stringify({ webhookUrl, webhookKey: WEBHOOK_KEY });
  const headers = { 'content-type': 'application/json' };
  const told = await fetch(`${sandbox}/sandbox/partner`, { method: 'POST', headers, body });
  if (!told.ok) throw new Error(`the sandbox did not take the webhook: ${await told.text()}`);
}

/** Nobody is new: the language was chosen on an earlier day. */
async function chooseLanguage(client: Client, door: string): Promise<void> {
  for (let n = 0; n < PAYERS; n++) {
    for (const text of ['', '1']) await client(door, formOf(n, `language-${n}`, text));
  }
}

function formOf(payer: number, sessionId: string, text: string): string {
  const phoneNumber = benchWallet(payer % PAYERS);
  return new URLSearchParams({ sessionId, phoneNumber, serviceCode: '*123#', text }).toString();
}

let conversations = 0;

async function saturate(client: Client, door: string) {
  const startedAt = performance.now();
  let left = CONVERSATIONS;
  const lane = async () => {
    while (left-- > 0) await converse(client, door, () => {});
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { turns: CONVERSATIONS * TURNS, seconds: (performance.now() - startedAt) / 1000 };
}

/** Milliseconds of the turns before the PIN, and of those with it. */
async function steadily(client: Client, door: string, turnsPerSecond: number) {
  const others: number[] = [];
  const pins: number[] = [];
  const took = (turn: number, ms: number) => void (turn === TURNS - 1 ? pins : others).push(ms);
  const startedAt = performance.now();
  const all: Promise<void>[] = [];
  for (let at = 0; at < STEADY_MS; at = performance.now() - startedAt) {
    while (all.length < (at * turnsPerSecond) / 1000 / TURNS)
      all.push(converse(client, door, took, THINKS_MS));
    await sleep(2);
  }
  await Promise.all(all);
  return { others, pins };
}

async function converse(
  client: Client,
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
    const form = formOf(n, `bench-${n}`, answers.slice(1, turn + 1).join('*'));
    const startedAt = performance.now();
    page = await client(door, form);
    took(turn, performance.now() - startedAt);
  }
  if (!/^END .*(?:en cours|envoy)/s.test(page)) throw new Error(`a conversation ended with: ${page}`);
}

type Client = (url: string, form: string) => Promise<string>;

/** Posts forms over connections that stay open. */
function createClient(): Client {
  const agent = new Agent({ keepAlive: true, timeout: 2_000 });
  return (url, form) =>
    new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': Buffer.byteLength(form),
      };
      const asked = request(url, { method: 'POST', agent, headers }, (answer) => {
        let text = '';
        answer
          .setEncoding('utf8')
          .on('data', (part: string) => {
            text += part;
          })
          .on('end', () =>
            answer.statusCode === 200 ? resolve(text) : reject(new Error(`${answer.statusCode} ${text}`)),
          );
      });
      asked.on('error', reject).end(form);
    });
}
