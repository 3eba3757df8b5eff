import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';
import { createWallet } from '../../src/wallet/client.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';

export const FATIMA = msisdn('0600000001');
export const YOUSSEF = msisdn('0600000002');

/**
 * The time of a call that is not answered. Half of it is for the connection, without which the call was never sent: a busy machine may
 * take a tenth of a second for one.
 */
export const HASTY_MS = 1_000;

/** The port of a server that lives as long as the test. */
export async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A wallet that answers as told, over real HTTP, and counts what reaches it. */
export async function answering(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const requests: { line: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    requests.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
    handle(request, response);
  });
  const port = await listening(server);
  onTestFinished(() => server.closeAllConnections());
  const url = `http://127.0.0.1:${port}`;
  return { requests, url, wallet: createWallet({ url, apiKey: 'key', timeoutMs: 5_000 }) };
}

/** A `location` is always there: nothing may ever follow it. */
export const say = (status: number, body: unknown) => (_: IncomingMessage, response: ServerResponse) =>
  void response
    .writeHead(status, { 'content-type': 'application/json', location: '/api/elsewhere' })
    .end(typeof body === 'string' ? body : JSON.stringify(body));

export const error = (errorCode: unknown) => ({ errorCode, errorDescription: 'No' });
export const unknown = (why: string) => ({ kind: 'unknown', why });
export const refused = (code: string, description = '') => ({ kind: 'refused', code, description });
export const ok = (value: unknown) => ({ kind: 'ok', value });

export type Ask = (wallet: Wallet) => Promise<unknown>;

/** The result of a call when the wallet answers so, and the request that reached the wallet. */
export async function asked(status: number, body: unknown, ask: Ask) {
  const { wallet, requests } = await answering(say(status, body));
  return { answer: await ask(wallet), requests };
}

/** The one request that a call makes, as it reaches the wallet. */
export async function sent(ask: Ask) {
  const { requests } = await asked(500, '', ask);
  const [request, ...more] = requests;
  if (!request || more.length > 0) throw new Error(`sent ${requests.length} times`);
  return { line: request.line, body: request.body === '' ? undefined : JSON.parse(request.body) };
}
