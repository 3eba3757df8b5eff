import { setTimeout as sleep } from 'node:timers/promises';
import {
  answerIn,
  createRedisClient,
  isNotPrimary,
  probeOf,
  REDIS_DEADLINE_MS,
  type RedisServer,
  signOfLife,
} from './redis-connection.ts';
import type { RedisAddress } from './redis-nodes.ts';

/** How long a Sentinel may take to say who the primary is. */
const ANSWER_MAX_MS = 1_000;
/** Sentinels that know of no primary, or cannot be reached, are asked again after so long at the earliest. */
const AGAIN_MS = 250;

/**
 * Asks the Sentinels of an address, all at once, for the primary that they know by the name that is the host of its URL. Gives
 * that of the newest epoch, as one Sentinel may not have heard yet what the others have decided, with the user, password,
 * database and protocol of that URL. Undefined when nobody knows one, or it refuses writes as a replica does.
 */
export async function askSentinels({
  url,
  sentinels = '',
  ca,
  deadlineMs,
  prefix,
}: RedisAddress): Promise<string | undefined> {
  const patience = Math.min(ANSWER_MAX_MS, deadlineMs ?? REDIS_DEADLINE_MS);
  const question = ['SENTINEL', 'MASTER', new URL(url).hostname];
  const answers = await Promise.allSettled(
    sentinels.split(',').map((sentinel) => ask({ url: sentinel, ca }, question, patience)),
  );
  const known = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [fieldsOf(answer.value)] : []));
  const [newest] = known.sort((a, b) => Number(b['config-epoch']) - Number(a['config-epoch']));
  if (newest) {
    const { ip = '', port = '' } = newest;
    const primary = withPlace(url, ip, port);
    if (await isPrimary({ url: primary, ca, probe: probeOf(prefix) }, patience)) return primary;
  }
  await sleep(AGAIN_MS);
  return undefined;
}

/** The URL of a primary that has taken over, as a Sentinel publishes it. Undefined: the message is about another name. */
export function switchedTo(url: string, message: string): string | undefined {
  const [name, , , host, port] = message.split(' ');
  return name === new URL(url).hostname && host && port ? withPlace(url, host, port) : undefined;
}

/**
 * False where a server does not answer, or refuses a write as a replica does. Another refusal, such as of a password, is for the
 * connection to tell. `ROLE` would ask more directly, but is no command for a user without `@admin`.
 */
async function isPrimary(server: RedisServer, patience: number): Promise<boolean> {
  try {
    await ask(server, signOfLife(server), patience);
    return true;
  } catch (error) {
    return answerIn(error) !== '' && !isNotPrimary(error);
  }
}

/** Names and values, as a map or one after the other. */
function fieldsOf(answer: unknown): Record<string, string> {
  if (!Array.isArray(answer)) return answer as Record<string, string>;
  const flat = answer.map(String);
  return Object.fromEntries(flat.flatMap((word, i) => (i % 2 === 0 ? [[word, flat[i + 1] ?? '']] : [])));
}

function withPlace(url: string, host: string, port: string): string {
  const primary = new URL(url);
  primary.hostname = host.includes(':') ? `[${host}]` : host;
  primary.port = port;
  return primary.href;
}

/** One question on a connection of its own. Rejects when the answer is an error, or does not come in time. */
async function ask(server: RedisServer, command: string[], patience: number): Promise<unknown> {
  const client = createRedisClient(server);
  client.on('error', () => {});
  const late = new AbortController();
  try {
    const asked = client.connect().then(() => client.sendCommand(command));
    asked.catch(() => {});
    const silence = sleep(patience, undefined, { signal: late.signal }).then(() => {
      throw new Error(`no answer to ${command.join(' ')}`);
    });
    silence.catch(() => {});
    return await Promise.race([asked, silence]);
  } finally {
    late.abort();
    client.destroy();
  }
}
