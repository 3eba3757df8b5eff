import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { LinkCodeChecked } from '../../../machines/kit/effects.ts';
import { codec } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import { type Update, update } from '../../store/update.ts';
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
const linkCodeCodec = codec<LinkCode>(
  'link code',
  z.object({
    digest: z.string().exactOptional(),
    until: z.number(),
    tries: z.number(),
    sentAt: z.array(z.number()),
  }),
);

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
    return update(env.store, partitionOf(phone), [key], (doc): Update<LinkCodeChecked> => {
      const before = linkCodeCodec.read(doc);
      const usable = before?.digest && before.until > env.now() && before.tries < LINK_CODE_TRIES_MAX;
      if (!before || !usable || typed === undefined) return { result: { kind: 'expired' } };
      const right = env.secrets.digests(`${phone} ${env.address} ${typed}`).includes(before.digest ?? '');
      const { digest: _used, ...spent } = before;
      const after: LinkCode = right ? spent : { ...before, tries: before.tries + 1 };
      const writes = [linkCodeCodec.write(doc, after, { keepUntil: env.now() + HOUR_MS })];
      return { writes, durable: true, result: { kind: right ? 'right' : 'wrong' } };
    });
  },
};

/** Counts one more code under `key`, if an hour's limit allows it, and remembers the digest of the new one. */
function allowed(key: string, partition: number, env: EffectEnv, digest?: string): Promise<boolean> {
  return update(env.store, partition, [key], (doc) => {
    const now = env.now();
    const sentAt = (linkCodeCodec.read(doc)?.sentAt ?? []).filter((at) => at > now - HOUR_MS);
    if (sentAt.length >= LINK_CODES_PER_HOUR) return { result: false };
    const after: LinkCode = {
      ...(digest && { digest }),
      until: now + LINK_CODE_MS,
      tries: 0,
      sentAt: [...sentAt, now],
    };
    const writes = [linkCodeCodec.write(doc, after, { keepUntil: now + HOUR_MS })];
    return { writes, durable: true, result: true };
  });
}
