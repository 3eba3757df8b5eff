import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_KEY_DEFAULT } from '../src/sandbox/sandbox.ts';
import { partitionOf } from '../src/store/partition.ts';
import { API } from '../src/wallet/contract/api.ts';
import { type Balancer, startBalancer } from '../test/kit/balancer.ts';
import { ASKS_FROM_500_DH } from '../test/kit/first-payments.ts';
import { type Program, startProgram } from '../test/kit/program.ts';
import {
  addReplicas,
  type RedisCluster,
  type RedisServer,
  startRedisCluster,
} from '../test/kit/redis-server.ts';
import { createPost, formOf, type Post } from './gateway.ts';
import { NODE_FLAGS, quantile } from './measure.ts';
import { benchWallet, withWallets } from './sandbox.ts';

/**
 * What customers of a whole deployment read while parts of it fail: a Redis Cluster of three masters and three replicas, two
 * processes behind a plain balancer, the sandbox as the wallet. Customers dial at a steady rate, whether or not those before have
 * been answered, each at their own moment.
 */
const CUSTOMERS = 700;
/** So many of them are in the middle of a conversation when the wallet begins to hang; the others dial then. */
const IN_CONVERSATION = 600;
/** Turns a second: half of what two processes carry on this machine, so that what is seen is the failure. */
const RATE = 60;
const STEADY_MS = 15_000;
/** How long a fault lasts, and how long one looks at what follows. */
const PAUSED_MS = 4_000;
const AFTER_MS = 12_000;
const HUNG_MS = 40_000;
/** A gateway hangs up after so long. */
const GATEWAY_MS = 10_000;
const NODE_TIMEOUT_MS = 2_000;
const PIN = '1234';
const SECRET = 'a secret of the gateway for the bench';
/** What is said where the service cannot serve. */
const UNAVAILABLE = /ne répond pas|est lent|indisponible/;
/** A dial: the menu, one step into a transfer, and back. */
const DIAL = ['', '1', '1*0'] as const;
/** How one goes on after the menu without the wallet: a step into a transfer, and the help. The menu itself asks for the wallet's status. */
const WITHOUT_WALLET = ['1', '1*99'] as const;
/** The menu, and the balance after the PIN. */
const WITH_WALLET = ['', '2', `2*${PIN}`] as const;

interface Answer {
  readonly partition: number;
  readonly text: string;
  readonly at: number;
  readonly ms: number;
  readonly page: string;
}

interface Deployment {
  readonly cluster: RedisCluster;
  readonly replicas: readonly RedisServer[];
  readonly balancer: Balancer;
  readonly door: string;
  readonly sandbox: Program;
  readonly launch: () => Promise<Program>;
  readonly running: Program[];
}

interface Row {
  readonly what: string;
  readonly turns: number;
  readonly 'without a page': number;
  readonly 'unavailable %': number;
  readonly 'of others %': number | string;
  readonly 'p50 ms': number;
  readonly 'p99 ms': number;
  readonly 'most ms': number;
}

/** @param directory for the sandbox's file */
export async function benchCluster(directory: string): Promise<readonly Row[]> {
  const deployment = await deploy(directory);
  const { cluster, replicas, balancer, running, sandbox } = deployment;
  try {
    await warm(deployment);
    return [
      await during(deployment, 'nothing', () => sleep(STEADY_MS)),
      await during(deployment, 'rolling restart', () => restart(deployment)),
      await during(deployment, 'a master paused for 4 s', () => pause(cluster.nodes[0]), 0),
      await during(deployment, 'a master killed', () => kill(cluster.nodes[1]), 1),
      ...(await hangWallet(deployment)),
    ];
  } finally {
    await Promise.all(running.map((program) => program.stop()));
    await balancer.close();
    await sandbox.stop();
    await Promise.all([...cluster.nodes, ...replicas].map((node) => node.kill()));
  }
}

async function deploy(directory: string): Promise<Deployment> {
  const folder = join(directory, 'cluster');
  await withWallets(folder, CUSTOMERS, { pin: PIN });
  const sandbox = await startProgram('src/sandbox/main.ts', { DATA_DIR: folder, SANDBOX_PORT: '0' });
  const cluster = await startRedisCluster(['--cluster-node-timeout', `${NODE_TIMEOUT_MS}`]);
  const replicas = await addReplicas(cluster, ['--cluster-node-timeout', `${NODE_TIMEOUT_MS}`]);
  const balancer = await startBalancer();
  const running: Program[] = [];
  const launch = async () => {
    const environment = {
      PORT: '0',
      DATA_DIR: folder,
      REDIS_URL: cluster.url,
      WALLET_URL: sandbox.url,
      WALLET_API_KEY: API_KEY_DEFAULT,
      WEBHOOK_KEYS: 'a webhook key of the bench',
      SECRETS_KEY: 'q7Hn2VbXw9TzLr4Kd8Gy5Mc3Jf6Ps1Ra',
      CHANNELS: 'ussd',
      USSD_SECRETS: SECRET,
      LOG_LEVEL: 'silent',
      DRAIN_MS: '2000',
      ...ASKS_FROM_500_DH,
    };
    const program = await startProgram('src/main.ts', environment, NODE_FLAGS);
    running.push(program);
    balancer.add(program.url);
    return program;
  };
  await launch();
  await launch();
  await balancer.serves(2);
  const door = `${balancer.url}/ussd/africastalking?secret=${encodeURIComponent(SECRET)}`;
  return { cluster, replicas, balancer, door, sandbox, launch, running };
}

/** Nobody is new: each has chosen a language, and entered the PIN once. */
async function warm({ door }: Deployment): Promise<void> {
  const post = createPost(GATEWAY_MS);
  const visit = async (n: number) => {
    for (const texts of [['', '1'], WITH_WALLET])
      for (const text of texts) await post(door, formOf(benchWallet(n), `warm-${n}-${texts.length}`, text));
  };
  for (let n = 0; n < CUSTOMERS; n += 10)
    await Promise.all(Array.from({ length: 10 }, (_, i) => visit(n + i)));
}

/** Plays customers until `work` is done. @param own which third of the slots the fault is about */
async function during(
  deployment: Deployment,
  what: string,
  work: () => Promise<unknown>,
  own?: number,
): Promise<Row> {
  const load = dialing(deployment.door, DIAL, RATE);
  await work();
  return row(what, await load.stop(), own);
}

/** A process of the new kind comes, and one of the old kind goes, until all are replaced. */
async function restart({ launch, balancer, running }: Deployment): Promise<void> {
  for (const old of running.splice(0)) {
    await launch();
    await balancer.serves(3);
    await old.stop();
    await balancer.serves(2);
  }
}

async function pause(node: RedisServer | undefined): Promise<void> {
  if (!node) return;
  process.kill(node.pid, 'SIGSTOP');
  await sleep(PAUSED_MS);
  process.kill(node.pid, 'SIGCONT');
  await sleep(AFTER_MS);
}

async function kill(node: RedisServer | undefined): Promise<void> {
  await sleep(1_000);
  await node?.kill();
  await sleep(AFTER_MS);
}

/** The wallet takes every request and answers none: some customers are in the middle of a conversation, others dial. */
async function hangWallet({ door, sandbox }: Deployment): Promise<readonly Row[]> {
  const post = createPost(GATEWAY_MS);
  for (let n = 0; n < IN_CONVERSATION; n += 10)
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => post(door, formOf(benchWallet(n + i), `open-${n + i}`, ''))),
    );
  const faults = `${sandbox.url}/sandbox/faults`;
  const headers = { 'content-type': 'application/json' };
  for (const operation of Object.keys(API)) {
    const body = JSON.stringify({ name: 'slowAnswer', operation, delayMs: HUNG_MS });
    const posted = await fetch(faults, { method: 'POST', headers, body });
    if (!posted.ok) throw new Error(`the sandbox did not take the fault: ${await posted.text()}`);
  }
  const without = dialing(door, WITHOUT_WALLET, RATE / 2, { name: 'open', from: 0, count: IN_CONVERSATION });
  const asking = dialing(door, WITH_WALLET, RATE / 6, {
    name: 'asking',
    from: IN_CONVERSATION,
    count: CUSTOMERS - IN_CONVERSATION,
  });
  await sleep(HUNG_MS);
  const rows = [
    row('a wallet hung for 40 s: turns in a conversation', await without.stop()),
    row('a wallet hung for 40 s: dials and balances', await asking.stop()),
  ];
  await fetch(`${faults}?name=slowAnswer`, { method: 'DELETE' });
  return rows;
}

let rounds = 0;

/** Whose sessions they are, and how they are named. */
interface Sessions {
  readonly name: string;
  readonly from: number;
  readonly count: number;
}

/** Conversations begin, or go on, at their moments until it is stopped; each goes its steps at once. */
function dialing(
  door: string,
  texts: readonly string[],
  turnsPerSecond: number,
  { name, from, count }: Sessions = { name: `dial-${rounds++}`, from: 0, count: CUSTOMERS },
) {
  const post: Post = createPost(GATEWAY_MS);
  const answers: Answer[] = [];
  const all: Promise<void>[] = [];
  let isOver = false;
  const dial = async (n: number) => {
    const phone = benchWallet(from + (n % count));
    for (const text of texts) {
      const at = performance.now();
      const page = await post(door, formOf(phone, `${name}-${n}`, text)).then(
        (answer) => (answer.status === 200 ? answer.text : `${answer.status}`),
        (error: Error) => error.message,
      );
      answers.push({ partition: partitionOf(phone), text, at, ms: performance.now() - at, page });
      if (!page.startsWith('CON')) return;
    }
  };
  const begin = async () => {
    const everyMs = (texts.length / turnsPerSecond) * 1_000;
    let n = 0;
    for (let at = performance.now(); !isOver; at += everyMs) {
      await sleep(Math.max(0, at - performance.now()));
      all.push(dial(n++));
    }
  };
  const begun = begin();
  return {
    async stop(): Promise<readonly Answer[]> {
      isOver = true;
      await begun;
      await Promise.all(all);
      return answers;
    },
  };
}

function row(what: string, answers: readonly Answer[], own?: number): Row {
  const isPage = ({ page }: Answer) => /^(?:CON|END) /.test(page);
  const isUnavailable = (answer: Answer) => !isPage(answer) || UNAVAILABLE.test(answer.page);
  const bad = answers.filter(isUnavailable);
  const others = bad.filter(({ partition }) => thirdOf(partition) !== own);
  const ms = answers.map((answer) => answer.ms);
  const percent = (count: number) => Math.round((count / answers.length) * 10_000) / 100;
  return {
    what,
    turns: answers.length,
    'without a page': answers.filter((answer) => !isPage(answer)).length,
    'unavailable %': percent(bad.length),
    'of others %': own === undefined ? '' : percent(others.length),
    'p50 ms': Math.round(quantile(ms, 0.5)),
    'p99 ms': Math.round(quantile(ms, 0.99)),
    'most ms': Math.round(Math.max(...ms)),
  };
}

/** Which of the three masters has a partition's slot (CRC16 of its hash tag, as Redis Cluster has it). */
function thirdOf(partition: number): number {
  const tag = `p${String(partition).padStart(3, '0')}`;
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  const slot = crc % 16_384;
  return slot < 5_461 ? 0 : slot < 10_923 ? 1 : 2;
}
