import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { LinkCodeChecked } from '../../../machines/kit/effects.ts';
import { codec } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import { readDocs, type Update, update } from '../../store/update.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { ALL_SMS, BUDGETS, type Charge } from '../budgets.ts';
import type { Address } from '../incoming.ts';
import type { EffectEnv, EffectOf } from './effect.ts';

/** How long our code can be used. */
const LINK_CODE_MS = 10 * 60_000;
/** A budget with a longer window than this is empty for the day. */
const HOUR_MS = 3_600_000;
/** Wrong codes before it must be asked for again. */
const LINK_CODE_TRIES_MAX = 5;
/** How long it is remembered who has proven a number, and how many of them. */
const PROVEN_MS = 90 * 24 * 3_600_000;
const PROVEN_MAX = 10;

/** The code that a chat was sent last: one that somebody else asks for to the same number does not replace it. */
interface LinkCode {
  /** HMAC of number, address and code: never the code. Absent once it was right. */
  readonly digest?: string;
  readonly until: number;
  readonly tries: number;
}
const linkCodeCodec = codec<LinkCode>(
  'link code',
  z.object({ digest: z.string().exactOptional(), until: z.number(), tries: z.number() }),
);

/** Who has answered a code of a number right: digests of chats and network addresses, the newest last. */
interface Proven {
  readonly by: readonly string[];
}
const provenCodec = codec<Proven>('proven number', z.object({ by: z.array(z.string()) }));

/**
 * Sends our own one-time code to the number that a chat's customer says is theirs. What is charged for it must be written
 * first: while the store is down no code is sent, and the customer reads that it could not be.
 */
export const sendLinkCode: EffectOf<'sendLinkCode'> = {
  kind: 'guarded',
  async run({ phone }, env) {
    const spent = await env.budgets.charge(await chargesFor(phone, env));
    if (spent === 'codesPerNumber') return { kind: 'tooMany', byOthers: true };
    if (spent) return { kind: 'tooMany', ...(BUDGETS[spent].ms > HOUR_MS && { isForToday: true }) };
    const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
    const written = `${code.slice(0, 3)}-${code.slice(3)}`;
    await keepCode(env.secrets.digest(`${phone} ${env.address} ${written}`), env);
    const sent = await env.sendCode(phone, written, env.language);
    return { kind: sent === 'none' ? 'noSms' : sent };
  },
};

/** Checks the code. Each check counts, and the right one uses it up. */
export const checkLinkCode: EffectOf<'checkLinkCode'> = {
  kind: 'guarded',
  run({ phone, code }, env) {
    const typed = env.open(code);
    const digests = typed === undefined ? [] : env.secrets.digests(`${phone} ${env.address} ${typed}`);
    return update(
      env.store,
      partitionOf(env.address),
      [linkCodeKey(env.address)],
      (doc): Update<LinkCodeChecked> => {
        const before = linkCodeCodec.read(doc);
        const isUsable = before?.digest && before.until > env.now() && before.tries < LINK_CODE_TRIES_MAX;
        if (!before || !isUsable || typed === undefined) return { result: { kind: 'expired' } };
        const isRight = digests.includes(before.digest ?? '');
        const { digest: _used, ...used } = before;
        const after: LinkCode = isRight ? used : { ...before, tries: before.tries + 1 };
        const writes = [linkCodeCodec.write(doc, after, { keepUntil: before.until })];
        return { writes, durable: true, result: { kind: isRight ? 'right' : 'wrong' } };
      },
    );
  },
  async noted({ phone }, { kind }, env) {
    if (kind === 'right') await rememberProof(phone, env);
  },
};

/** Keeps the digest of the code that a chat is sent, in place of the one before. */
function keepCode(digest: string, env: EffectEnv): Promise<void> {
  return update(env.store, partitionOf(env.address), [linkCodeKey(env.address)], (doc) => {
    const until = env.now() + LINK_CODE_MS;
    const writes = [linkCodeCodec.write(doc, { digest, until, tries: 0 }, { keepUntil: until })];
    return { writes, durable: true, result: undefined };
  });
}

/** Where a code lies for the chat that has asked for it. */
export function linkCodeKey(address: Address): string {
  return `link-code:${address}`;
}

/**
 * What a code is charged to, the narrowest first: a stranger is refused for what they have asked for themselves before they use
 * up what all strangers may have sent to this number, and who has proven that it is theirs is no stranger.
 */
async function chargesFor(phone: Msisdn, env: EffectEnv): Promise<Charge[]> {
  const { address } = env;
  const network = networkOf(env);
  const isStranger = env.wallet !== phone && !(await hasProven(phone, env));
  return [
    { budget: 'codesPerChat', of: address },
    { budget: 'codesPerAsker', of: `${network ?? address} ${phone}` },
    ...(network === undefined ? [] : [{ budget: 'codesPerNetwork', of: network } as const]),
    ...(isStranger ? [{ budget: 'codesPerNumber', of: phone } as const] : []),
    ...ALL_SMS,
  ];
}

/**
 * A code was answered right: the network address that it comes from had asked for an honest one, and whoever asks from there, or
 * in this chat, is no stranger to the number from now on.
 */
async function rememberProof(phone: Msisdn, env: EffectEnv): Promise<void> {
  const network = networkOf(env);
  if (network !== undefined) await env.budgets.giveBack({ budget: 'codesPerNetwork', of: network });
  const key = provenKey(phone, env);
  const askers = askersOf(phone, env);
  await update(env.store, partitionOf(key), [key], (doc) => {
    const others = (provenCodec.readable(doc)?.by ?? []).filter((by) => !askers.includes(by));
    const after = { by: [...others, ...askers].slice(-PROVEN_MAX) };
    return {
      writes: [provenCodec.write(doc, after, { keepUntil: env.now() + PROVEN_MS })],
      result: undefined,
    };
  });
}

async function hasProven(phone: Msisdn, env: EffectEnv): Promise<boolean> {
  const key = provenKey(phone, env);
  const [doc] = await readDocs(env.store, partitionOf(key), [key]);
  const by = provenCodec.readable(doc)?.by ?? [];
  return askersOf(phone, env).some((asker) => by.includes(asker));
}

function provenKey(phone: Msisdn, { secrets }: EffectEnv): string {
  return `proven:${secrets.digest(`proven ${phone}`)}`;
}

/** The chat and the network address that ask, as digests that say nothing where the number is not known. */
function askersOf(phone: Msisdn, env: EffectEnv): string[] {
  const network = networkOf(env);
  return [env.address, ...(network === undefined ? [] : [network])].map((asker) =>
    env.secrets.digest(`asker ${phone} ${asker}`),
  );
}

function networkOf({ origin }: EffectEnv): string | undefined {
  return origin?.kind === 'network' ? origin.name : undefined;
}
