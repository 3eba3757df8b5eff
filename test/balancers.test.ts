import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DOCUMENT_BODY_BYTES_MAX } from '../src/wallet/file-types.ts';
import { freePort } from './kit/free-port.ts';
import { newDirectory } from './kit/new-directory.ts';
import { redisClient, startRedisPair } from './kit/redis-server.ts';
import { ROOT, readText } from './kit/tree.ts';

const OWN_SENTENCE = 'END Le service est momentanément indisponible.';

/** How each example of deploy/balancers is started on a port, before two processes. */
const BALANCERS = {
  haproxy: (port: number, [one, two]: readonly [string, string]) => ({
    command: ['/usr/sbin/haproxy', '-db', '-f', join(ROOT, 'deploy/balancers/haproxy.cfg')],
    env: { LISTEN: `127.0.0.1:${port}`, ONE: one, TWO: two },
  }),
  nginx: (port: number, [one, two]: readonly [string, string]) => {
    const directory = newDirectory('nginx');
    const file = join(directory, 'nginx.conf');
    const text = readText('deploy/balancers/nginx.conf')
      .replace('listen 8080', `listen 127.0.0.1:${port}`)
      .replace('10.0.0.1:8080', one)
      .replace('10.0.0.2:8080', two);
    writeFileSync(file, text);
    const globals = `daemon off; pid ${directory}/pid; error_log stderr;`;
    return { command: ['/usr/sbin/nginx', '-p', directory, '-c', file, '-g', globals], env: {} };
  },
};
type BalancerName = keyof typeof BALANCERS;

/** A process of Wasl, as far as a balancer sees it. */
async function startProcess() {
  const state = { isReady: true, refused: 0, asked: 0, bytes: 0 };
  const server = createServer(async (request, answer) => {
    if (request.url === '/ready') {
      if (!state.isReady) state.refused++;
      return answer.writeHead(state.isReady ? 200 : 503).end();
    }
    state.asked++;
    for await (const part of request) state.bytes += (part as Buffer).length;
    return answer.end(OWN_SENTENCE);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return { state, at: `127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

function start([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): void {
  const child = spawn(program, args, { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
}

async function startBalanced(name: BalancerName) {
  const [one, two] = [await startProcess(), await startProcess()];
  const port = await freePort();
  const { command, env } = BALANCERS[name](port, [one.at, two.at]);
  start(command, env);
  const dial = async (body = 'text=') => {
    const answer = await fetch(`http://127.0.0.1:${port}/ussd/africastalking`, { method: 'POST', body });
    return [answer.status, await answer.text()];
  };
  await expect.poll(() => dial().catch(() => 'not there')).toEqual([200, OWN_SENTENCE]);
  return { one, two, dial };
}

test.each(Object.keys(BALANCERS) as BalancerName[])(
  '%s: with no process ready, a customer reads the sentence of Wasl',
  async (name) => {
    const { one, two, dial } = await startBalanced(name);
    one.state.isReady = two.state.isReady = false;
    const answers: unknown[] = [];
    // haproxy believes the third refusal. nginx asks for none.
    const isBelieved = () => [one, two].every(({ state }) => state.refused > 3);
    for (let i = 0; i < 20 || (name === 'haproxy' && !isBelieved()); i++) answers.push(await dial());
    expect(new Set(answers.map(String))).toEqual(new Set([String([200, OWN_SENTENCE])]));
  },
);

test.each(Object.keys(BALANCERS) as BalancerName[])(
  '%s: a process that has ended loses no dial, and each dial is sent once',
  async (name) => {
    const { one, two, dial } = await startBalanced(name);
    one.close();
    const before = two.state.asked;
    const answers = [];
    for (let i = 0; i < 20; i++) answers.push(await dial());
    expect(answers).toEqual(answers.map(() => [200, OWN_SENTENCE]));
    expect(two.state.asked - before).toBe(20);
  },
);

test.each(Object.keys(BALANCERS) as BalancerName[])(
  '%s: the largest upload of a customer passes',
  async (name) => {
    const { one, two, dial } = await startBalanced(name);
    const before = one.state.bytes + two.state.bytes;
    expect(await dial('x'.repeat(DOCUMENT_BODY_BYTES_MAX))).toEqual([200, OWN_SENTENCE]);
    expect(one.state.bytes + two.state.bytes - before).toBe(DOCUMENT_BODY_BYTES_MAX);
  },
);

test('haproxy: one address leads to the Redis that is the primary now', async () => {
  const pair = await startRedisPair();
  onTestFinished(() => pair.stop());
  const port = await freePort();
  const at = (url: string) => new URL(url).host;
  const env = {
    ...{ LISTEN: `127.0.0.1:${port}`, REDIS_USER: 'default', REDIS_PASSWORD: 'any' },
    ...{ ONE: at(pair.primary.url), TWO: at(pair.replica.url) },
  };
  start(['/usr/sbin/haproxy', '-db', '-f', join(ROOT, 'deploy/balancers/redis.cfg')], env);
  const writes = async () => {
    const client = redisClient(`redis://127.0.0.1:${port}`);
    try {
      await client.connect();
      return await client.set('a', 'x');
    } finally {
      client.destroy();
    }
  };
  await expect.poll(() => writes().catch(() => 'not there')).toBe('OK');
  const [one, two] = [redisClient(pair.primary.url), redisClient(pair.replica.url)];
  await Promise.all([one.connect(), two.connect()]);
  await two.sendCommand(['REPLICAOF', 'NO', 'ONE']);
  await one.sendCommand(['REPLICAOF', '127.0.0.1', new URL(pair.replica.url).port]);
  await expect.poll(() => writes().catch(() => 'not there')).toBe('OK');
  await two.set('b', 'of the new primary');
  one.destroy();
  two.destroy();
});
