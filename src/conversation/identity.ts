import { z } from 'zod';
import { type Failure, isRefusal, problem } from '../../machines/kit/problem.ts';
import type { Sentence } from '../../machines/kit/screen.ts';
import type { Sealed } from '../../machines/kit/secret.ts';
import { codec } from '../store/codec.ts';
import { partitionOf } from '../store/partition.ts';
import type { Store } from '../store/store.ts';
import { type Update, update } from '../store/update.ts';
import { type Msisdn, nationalNumber, readPhone } from '../wallet/phone.ts';
import type { Identification, UpgradeLevel, Wallet } from '../wallet/wallet.ts';
import { pendingKey, pendingWrite, settledWrites } from './pending/pending.ts';
import { newPlainRef } from './record/ref.ts';
import type { Secrets } from './secrets.ts';

const IDENTITY_LINK_MS = 10 * 60_000;
/** How long a customer who has opened it may take to scan and to take a selfie. */
const SCAN_MS = 60 * 60_000;
/** The purpose that a link is sealed for. It opens nothing else. */
const BOUND = 'identity link';

/** The result of a link that was opened. It can be opened once. */
const openedCodec = codec(
  'opened identity link',
  z.object({
    /** In ms since 1970. */
    at: z.number(),
    /** The upgrade was requested: once for each link. */
    requested: z.literal(true).exactOptional(),
  }),
);

/** The wallet whose owner's identity is checked, and the level that the check is for. */
interface Ticket {
  readonly wallet: Msisdn;
  readonly level: UpgradeLevel;
}

export type Begun =
  | { readonly kind: 'begun'; readonly value: Identification }
  /** The link is too old, was opened before, or is none of ours. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly why: Sentence };
type Requested =
  | { readonly kind: 'requested' | 'notKnown' | 'gone' }
  | { readonly kind: 'refused'; readonly why: Sentence };

/** Requests of the page of identification. The link went to its customer's own chat or number alone. */
export interface Identifications {
  /** Asks the wallet for what opens the provider's SDK. Its token is for the page, and written nowhere. */
  beginIdentification(link: string): Promise<Begun>;
  /** The customer has scanned: requests the upgrade, once, and follows it. */
  requestUpgrade(link: string): Promise<Requested>;
}

interface IdentityDeps {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly api: Pick<Wallet, 'startIdentification' | 'requestUpgrade'>;
  readonly now: () => number;
}

export function createIdentifications(deps: IdentityDeps): Identifications {
  return {
    beginIdentification: (link) => begin(deps, link),
    requestUpgrade: (link) => request(deps, link),
  };
}

/** The secret in a link's fragment, which no server, proxy or other site is sent. */
export function identityTicket(secrets: Secrets, { wallet, level }: Ticket, now: number): Sealed {
  return secrets.seal(`${nationalNumber(wallet)}${level}`, BOUND, now);
}

async function begin(deps: IdentityDeps, link: string): Promise<Begun> {
  const { store, api, now } = deps;
  const ticket = ticketIn(deps, link, IDENTITY_LINK_MS);
  if (!ticket) return { kind: 'gone' };
  const { wallet } = ticket;
  const isFirst = await update(store, partitionOf(wallet), [keyOf(deps, link)], (doc): Update<boolean> => {
    if (doc.version > 0) return { result: false };
    const writes = [openedCodec.write(doc, { at: now() }, { keepUntil: now() + SCAN_MS })];
    return { writes, durable: true, result: true };
  });
  if (!isFirst) return { kind: 'gone' };
  const answer = await api.startIdentification(wallet);
  return answer.kind === 'ok' ? { kind: 'begun', value: answer.value } : refusal(answer);
}

async function request(deps: IdentityDeps, link: string): Promise<Requested> {
  const { store, api } = deps;
  const ticket = ticketIn(deps, link, IDENTITY_LINK_MS + SCAN_MS);
  const ref = newPlainRef();
  if (!ticket || !(await claim(deps, link, ticket, ref))) return { kind: 'gone' };
  const { wallet, level } = ticket;
  const answer = await api.requestUpgrade({ phone: wallet, level }, { requestId: ref });
  await update(store, partitionOf(wallet), [pendingKey(wallet, ref)], (doc) => ({
    writes: doc.version > 0 ? settledWrites([doc], answer) : [],
    durable: true,
    result: undefined,
  }));
  // An earlier request has arrived, and is followed as itself.
  if (answer.kind === 'ok' || isRefusal(answer, 'upgradePending')) return { kind: 'requested' };
  return answer.kind === 'unknown' ? { kind: 'notKnown' } : refusal(answer);
}

/** Writes down that the upgrade is requested, and that it is followed, before it is. False where it was before. */
function claim(deps: IdentityDeps, link: string, { wallet, level }: Ticket, ref: string): Promise<boolean> {
  const keys = [keyOf(deps, link), pendingKey(wallet, ref)] as const;
  return update(deps.store, partitionOf(wallet), keys, (opened, pending): Update<boolean> => {
    const before = openedCodec.read(opened);
    const at = deps.now();
    if (!before || before.requested || at > before.at + SCAN_MS) return { result: false };
    const writes = [
      openedCodec.write(opened, { ...before, requested: true }, { keepUntil: at + SCAN_MS }),
      pendingWrite(pending, { kind: 'upgrade', wallet, level: level - 1, at }, at),
    ];
    return { writes, durable: true, result: true };
  });
}

function refusal(answer: Failure): Extract<Begun, { kind: 'refused' }> {
  return { kind: 'refused', why: problem(answer) ?? { key: 'problem.unavailable' } };
}

function ticketIn({ secrets, now }: IdentityDeps, link: string, maxAgeMs: number): Ticket | undefined {
  const text = secrets.open(link as Sealed, BOUND, now(), maxAgeMs) ?? '';
  const wallet = readPhone(text.slice(0, -1));
  const level = Number(text.slice(-1));
  return wallet && (level === 2 || level === 3 || level === 4) ? { wallet, level } : undefined;
}

function keyOf({ secrets }: IdentityDeps, link: string): string {
  return `identity:${secrets.digest(link)}`;
}
