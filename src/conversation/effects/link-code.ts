import { randomInt } from 'node:crypto';
import type { LinkCodeChecked } from '../../../machines/kit/effects.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import type { EffectEnv, EffectOf } from './effect.ts';

/** How long our code can be used. */
const LINK_CODE_MS = 10 * 60_000;
/** Wrong codes before it must be asked for again. */
const LINK_CODE_TRIES_MAX = 5;
/** Codes sent to one number, and asked for by one address, in an hour: an SMS costs money and patience. */
const LINK_CODES_PER_HOUR = 5;
const HOUR_MS = 3_600_000;

interface LinkCode {
  /** HMAC of number, address and code: never the code. */
  readonly digest?: string;
  readonly until: number;
  readonly tries: number;
  readonly sentAt: readonly number[];
}

/** Sends our own one-time code to the number that a chat's customer says is theirs. */
export const sendLinkCode: EffectOf<'sendLinkCode'> = {
  kind: 'guarded',
  async run({ phone }, env) {
    const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
    const written = `${code.slice(0, 3)}-${code.slice(3)}`;
    if (!(await allowed(`asked:${env.address}`, partitionOf(env.address), env))) return { kind: 'tooMany' };
    const digest = env.secrets.digest(`${phone} ${env.address} ${written}`);
    if (!(await allowed(`code:${phone}`, partitionOf(phone), env, digest))) return { kind: 'tooMany' };
    const sent = await env.sendCode(phone, written, env.language);
    return { kind: sent === 'none' ? 'noSms' : sent };
  },
};

/** Checks the code. Each check counts, and the right one uses it up. */
export const checkLinkCode: EffectOf<'checkLinkCode'> = {
  kind: 'guarded',
  async run({ phone, code }, env) {
    const typed = env.open(code);
    const key = `code:${phone}`;
    return update<LinkCode, LinkCodeChecked>(env.store, partitionOf(phone), key, (before) => {
      const usable = before?.digest && before.until > env.now() && before.tries < LINK_CODE_TRIES_MAX;
      if (!before || !usable || typed === undefined) return { result: { kind: 'expired' } };
      const right = before.digest === env.secrets.digest(`${phone} ${env.address} ${typed}`);
      const { digest: _used, ...spent } = before;
      const after: LinkCode = right ? spent : { ...before, tries: before.tries + 1 };
      return { after, keepUntil: env.now() + HOUR_MS, result: { kind: right ? 'right' : 'wrong' } };
    });
  },
};

/** Counts one more code under `key`, if an hour's limit allows it, and remembers the digest of the new one. */
function allowed(key: string, partition: number, env: EffectEnv, digest?: string): Promise<boolean> {
  return update<LinkCode, boolean>(env.store, partition, key, (before) => {
    const now = env.now();
    const sentAt = (before?.sentAt ?? []).filter((at) => at > now - HOUR_MS);
    if (sentAt.length >= LINK_CODES_PER_HOUR) return { result: false };
    const after = {
      ...(digest && { digest }),
      until: now + LINK_CODE_MS,
      tries: 0,
      sentAt: [...sentAt, now],
    };
    return { after, keepUntil: now + HOUR_MS, result: true };
  });
}

/** Changes one document by compare-and-set, again until nobody was in between. */
async function update<T, R>(
  store: Store,
  partition: number,
  key: string,
  change: (before: T | undefined) => { after?: T; keepUntil?: number; result: R },
): Promise<R> {
  for (;;) {
    const [doc] = await store.read(partition, [key]);
    const { after, keepUntil, result } = change(doc && (JSON.parse(doc.value) as T));
    if (after === undefined) return result;
    const write = {
      key,
      version: doc?.version ?? 0,
      value: JSON.stringify(after),
      ...(keepUntil && { keepUntil }),
    };
    if (await store.commit(partition, { writes: [write], durable: true })) return result;
  }
}
