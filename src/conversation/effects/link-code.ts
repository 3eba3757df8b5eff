import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { LinkCodeChecked } from '../../../machines/kit/effects.ts';
import { codec } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import { readDocs, type Update, update } from '../../store/update.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { ALL_SMS, BUDGETS, type Charge } from '../budgets.ts';
import { ownAddress } from '../channel.ts';
import type { Address } from '../incoming.ts';
import { counter } from '../session/counter.ts';
import { sealForWallet } from '../session/wallet-secret.ts';
import { type EffectEnv, type EffectOf, guarded } from './effect.ts';

/** How long our code can be used. */
const LINK_CODE_MS = 10 * 60_000;
/** A budget with a longer window than this is empty for the day. */
const HOUR_MS = 3_600_000;
/** Wrong codes before it must be asked for again. */
const LINK_CODE_TRIES_MAX = 5;
/** The same of a code that was shown on USSD, of all askers together: as many tell one in a thousand, and the PIN comes after it. */
const SHOWN_TRIES_MAX = 1_000;
const SHOWN = counter({ name: 'shownCodes', max: 10, ms: HOUR_MS });
/** How long a proof of a number is remembered, and how many of them. */
const PROVEN_MS = 90 * 24 * 3_600_000;
const PROVEN_MAX = 10;

/** The code that a chat was sent last. A code that another chat asks for to the same number does not replace it. */
const linkCode = z.object({
  /** HMAC of number, address and code: never the code. Absent once it was right. */
  digest: z.string().exactOptional(),
  /** Digest of the number that it was sent to by SMS. Absent where it was shown, or where no SMS has left. */
  sentTo: z.string().exactOptional(),
  until: z.number(),
  tries: z.number(),
});
type LinkCode = z.infer<typeof linkCode>;
const linkCodeCodec = codec('link code', linkCode);

/** Digests of the chats and network addresses that have answered a code of a number right, the newest last. */
const provenCodec = codec('proven number', z.object({ by: z.array(z.string()) }));

/**
 * Sends our own one-time code to the number that a chat's customer says is theirs. Its charges must be written first.
 * So while the store is down no code is sent, and the customer reads that it could not be.
 * A customer who left the question for the code still has its SMS, so no other one is sent or charged while that code can be used.
 */
export const sendLinkCode: EffectOf<'sendLinkCode'> = guarded(async ({ phone, isAnew }, env) => {
  if (!isAnew && (await hasCode(phone, env))) return { kind: 'sent', isEarlier: true };
  const spent = await env.budgets.charge(await chargesFor(phone, env));
  if (spent === 'codesPerNumber') return { kind: 'tooMany', byOthers: true };
  if (spent) return { kind: 'tooMany', ...(BUDGETS[spent].ms > HOUR_MS && { isForToday: true }) };
  const sentTo = env.secrets.digest(sentToName(phone));
  const sent = await env.sendCode(phone, await newCode(phone, env, { sentTo }), env.language);
  if (sent !== 'sent') await forgetSending(env);
  return { kind: sent === 'none' ? 'noSms' : sent };
});

/** True while the SMS that this number was sent last holds a code that can be used. */
async function hasCode(phone: Msisdn, env: EffectEnv): Promise<boolean> {
  const [doc] = await readDocs(env.store, partitionOf(env.address), [linkCodeKey(env.address)]);
  const code = linkCodeCodec.read(doc);
  if (!isUsable(code, LINK_CODE_TRIES_MAX, env) || code.sentTo === undefined) return false;
  return env.secrets.digests(sentToName(phone)).includes(code.sentTo);
}

function sentToName(phone: Msisdn): string {
  return `code sent to ${phone}`;
}

/** No SMS has left, as far as its provider knows: the next request sends one. */
async function forgetSending({ store, address }: EffectEnv): Promise<void> {
  await update(store, partitionOf(address), [linkCodeKey(address)], (doc) => {
    const stored = linkCodeCodec.read(doc);
    if (!stored) return { result: undefined };
    const { sentTo: _nobody, ...code } = stored;
    return { writes: [linkCodeCodec.write(doc, code, { keepUntil: code.until })], result: undefined };
  });
}

/**
 * Shows a code on USSD, where the SIM proves the reader. Typed in a chat, it proves the number there just as a code by
 * SMS does. No SMS is sent, so no stranger can use it up.
 */
export const showLinkCode: EffectOf<'showLinkCode'> = {
  kind: 'guarded',
  claim: ({ wallet }, _input, { at }) => SHOWN.count(wallet, at),
  async run({ wallet }, env) {
    const code = await newCode(wallet, env);
    return { kind: 'ok', value: sealForWallet(env.secrets, code, wallet, env.now()) };
  },
};

/** Checks the code: that of an SMS to this chat, or one that the number was shown on USSD. Each check counts, and the right one uses it up. */
export const checkLinkCode: EffectOf<'checkLinkCode'> = {
  kind: 'guarded',
  async run({ phone, code }, env) {
    const typed = env.open(code);
    if (typed === undefined) return { kind: 'expired' };
    const sent = await check(phone, typed, env.address, LINK_CODE_TRIES_MAX, env);
    if (sent.kind === 'right') return sent;
    const shown = await checkShown(phone, typed, env);
    return sent.kind === 'expired' || shown.kind === 'right' ? shown : sent;
  },
  async noted({ phone }, answer, env) {
    if (answer.kind === 'right') await rememberProof(phone, answer.shown === true, env);
  },
};

/**
 * The code that the number was shown. Guesses are limited for each asker, and not by the code itself as in a chat: a few wrong ones of
 * strangers do not keep its owner from using it.
 */
async function checkShown(phone: Msisdn, typed: string, env: EffectEnv): Promise<LinkCodeChecked> {
  const at = ownAddress(phone);
  const [doc] = await readDocs(env.store, partitionOf(at), [linkCodeKey(at)]);
  if (!isUsable(linkCodeCodec.read(doc), SHOWN_TRIES_MAX, env)) return { kind: 'expired' };
  const of = `${networkOf(env) ?? env.address} ${phone}`;
  if (await env.budgets.charge([{ budget: 'shownCodeTries', of }])) return { kind: 'expired' };
  const checked = await check(phone, typed, at, SHOWN_TRIES_MAX, env);
  return checked.kind === 'right' ? { kind: 'right', shown: true } : checked;
}

/** @param at where the code lies that it is compared with */
function check(
  phone: Msisdn,
  typed: string,
  at: Address,
  triesMax: number,
  env: EffectEnv,
): Promise<LinkCodeChecked> {
  const digests = env.secrets.digests(`${phone} ${at} ${typed}`);
  return update(env.store, partitionOf(at), [linkCodeKey(at)], (doc): Update<LinkCodeChecked> => {
    const before = linkCodeCodec.read(doc);
    if (!isUsable(before, triesMax, env)) return { result: { kind: 'expired' } };
    const isRight = digests.includes(before.digest);
    const { digest: _used, ...used } = before;
    const after: LinkCode = isRight ? used : { ...before, tries: before.tries + 1 };
    const writes = [linkCodeCodec.write(doc, after, { keepUntil: before.until })];
    return { writes, durable: true, result: { kind: isRight ? 'right' : 'wrong' } };
  });
}

function isUsable(
  code: LinkCode | undefined,
  triesMax: number,
  { now }: EffectEnv,
): code is LinkCode & { readonly digest: string } {
  return code?.digest !== undefined && code.until > now() && code.tries < triesMax;
}

/** A new code for a number, which replaces the earlier one that this address was given. Only its digest is kept. */
async function newCode(
  phone: Msisdn,
  env: EffectEnv,
  sending: Pick<LinkCode, 'sentTo'> = {},
): Promise<string> {
  const digits = String(randomInt(0, 1_000_000)).padStart(6, '0');
  const code = `${digits.slice(0, 3)}-${digits.slice(3)}`;
  const digest = env.secrets.digest(`${phone} ${env.address} ${code}`);
  await update(env.store, partitionOf(env.address), [linkCodeKey(env.address)], (doc) => {
    const until = env.now() + LINK_CODE_MS;
    const writes = [linkCodeCodec.write(doc, { digest, ...sending, until, tries: 0 }, { keepUntil: until })];
    return { writes, durable: true, result: undefined };
  });
  return code;
}

export function linkCodeKey(address: Address): string {
  return `link-code:${address}`;
}

const OF_STRANGERS = [{ budget: 'strangersPerHour' }, { budget: 'strangersPerDay' }] as const;

/**
 * The budgets that a code is charged to, the narrowest first. So a stranger's own budget refuses them before they use
 * up the budget of all strangers for this number. A person who has proven that the number is theirs is no stranger.
 */
async function chargesFor(phone: Msisdn, env: EffectEnv): Promise<Charge[]> {
  const { address } = env;
  const network = networkOf(env);
  const isStranger = env.wallet !== phone && !(await hasProven(phone, env));
  return [
    { budget: 'codesPerChat', of: address },
    { budget: 'codesPerAsker', of: `${network ?? address} ${phone}` },
    ...(network === undefined ? [] : [{ budget: 'codesPerNetwork', of: network } as const]),
    ...(isStranger ? ([{ budget: 'codesPerNumber', of: phone }, ...OF_STRANGERS] as const) : []),
    ...ALL_SMS,
  ];
}

/**
 * A code was answered right. From now on this chat and this network address are no strangers to the number. For a code
 * by SMS, the network address that the answer comes from had asked for an honest one.
 */
async function rememberProof(phone: Msisdn, wasShown: boolean, env: EffectEnv): Promise<void> {
  const network = networkOf(env);
  if (network !== undefined && !wasShown)
    await env.budgets.giveBack({ budget: 'codesPerNetwork', of: network });
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

function networkOf({ came: { origin } }: EffectEnv): string | undefined {
  return origin?.kind === 'network' ? origin.name : undefined;
}
