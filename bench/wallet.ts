import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { Hono } from 'hono';
import { listening } from '../src/http/listening.ts';
import { openTransport } from '../src/wallet/client/transport.ts';
import { createWallet } from '../src/wallet/client.ts';
import { API, API_HEADERS } from '../src/wallet/contract/api.ts';
import { centimes } from '../src/wallet/money.ts';
import { msisdn } from '../src/wallet/phone.ts';
import { startProgram } from '../test/kit/program.ts';
import { hundredths, measure, median } from './measure.ts';

/**
 * One call to the wallet: Wasl's client beside bare `node:http`, and what it is made of. The wallet is another process that
 * answers at once (`instant-wallet.ts`), so that the CPU counted here is the client's alone.
 */
const WARM_UP_ROUNDS = 6;
/** Many and short, so that what else goes on meets all of them alike. */
const ROUNDS = 40;
const CALLS = 500;
const LANES = 16;
const KEY = 'key';
const FROM = msisdn('0612345678');
const TO = msisdn('0698765432');
const TIMEOUT_MS = 10_000;
const BARE = 'bare node:http';
const METHODS = ['POST', 'GET'] as const;

type Method = (typeof METHODS)[number];
type Ask = (method: Method) => Promise<unknown>;
interface Row {
  readonly call: string;
  readonly client: string;
  readonly 'CPU µs': number;
  readonly 'to bare node:http': number;
}

export async function benchWallet(): Promise<readonly Row[]> {
  const wallet = await startProgram('bench/instant-wallet.ts', {});
  // As in the process that it is part of, where Hono has put its own Request and Response in place.
  const door = await listening(new Hono(), 0, '127.0.0.1');
  try {
    return await compare({
      [BARE]: bare(wallet.url),
      'the transport alone': transportAlone(wallet.url),
      "Wasl's client": waslClient(wallet.url),
    });
  } finally {
    await door.close();
    await wallet.stop();
  }
}

async function compare(clients: Readonly<Record<string, Ask>>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const method of METHODS) {
    const rounds = await interleaved(
      Object.fromEntries(Object.entries(clients).map(([name, ask]) => [name, () => ask(method)])),
    );
    for (const [client, cpus] of rounds) {
      const ratios = cpus.map((cpu, i) => cpu / (rounds.get(BARE)?.[i] ?? Number.NaN));
      const figures = { 'CPU µs': Math.round(median(cpus)), 'to bare node:http': hundredths(median(ratios)) };
      rows.push({ call: method, client, ...figures });
    }
  }
  return rows;
}

/** Microseconds of CPU a call, by client, one for each round. */
async function interleaved(asks: Readonly<Record<string, () => Promise<unknown>>>) {
  const taken = new Map<string, number[]>(Object.keys(asks).map((name) => [name, []]));
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const [name, ask] of Object.entries(asks)) {
      const { cpuUs } = await measure(CALLS, LANES, 1, async () => void (await ask()));
      if (round >= 0) taken.get(name)?.push(cpuUs / CALLS);
    }
  }
  return taken;
}

/** What all but Wasl's client send; it sends the same. */
function asking(method: Method) {
  const order = { CustomerPhoneNumber: FROM, RecipientPhoneNumber: TO, Amount: 200, Reason: 'bench' };
  return {
    path:
      method === 'POST'
        ? API.previewTransfer.path
        : `${API.customerStatus.path}?${new URLSearchParams({ PhoneNumber: FROM })}`,
    text: method === 'POST' ? JSON.stringify(order) : null,
    headers: {
      accept: 'application/json',
      [API_HEADERS.key]: KEY,
      [API_HEADERS.requestId]: randomUUID(),
      ...(method === 'POST' && { 'content-type': 'application/json' }),
    },
  };
}

function bare(url: string): Ask {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(url);
  return (method) =>
    new Promise((resolve, reject) => {
      const { path, text, headers } = asking(method);
      const length = text === null ? {} : { 'content-length': Buffer.byteLength(text) };
      const options = { hostname, port, path, method, agent, headers: { ...headers, ...length } };
      const asked = request(options, (answer) => {
        let said = '';
        answer
          .setEncoding('utf8')
          .on('data', (part: string) => {
            said += part;
          })
          .on('end', () => resolve(JSON.parse(said)));
      });
      asked.on('error', reject).end(text ?? undefined);
    });
}

function transportAlone(url: string): Ask {
  const transport = openTransport(url);
  return async (method) => {
    const { path, text, headers } = asking(method);
    const asked = { method, url: url + path, headers };
    const { bytes } = await transport(asked, text, patienceOf(method));
    return JSON.parse(bytes.toString());
  };
}

function waslClient(url: string): Ask {
  const wallet = createWallet({ url, apiKey: KEY, timeoutMs: TIMEOUT_MS });
  const order = { from: FROM, to: TO, amount: centimes(200_00), reason: 'bench' };
  return async (method) => {
    const answer =
      method === 'POST' ? await wallet.previewTransfer(order) : await wallet.customerStatus(FROM);
    if (answer.kind !== 'ok') throw new Error(`the wallet's answer was ${JSON.stringify(answer)}`);
  };
}

function patienceOf(method: Method) {
  return { kind: method === 'GET' ? 'read' : 'act', timeoutMs: TIMEOUT_MS } as const;
}
