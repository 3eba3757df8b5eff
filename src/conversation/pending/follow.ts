import { limitOf } from '../../../machines/kit/account-level.ts';
import type { Screen, Value } from '../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import { partitionOf } from '../../store/partition.ts';
import { readDocs, update } from '../../store/update.ts';
import type { CardApplication, CardProgram } from '../../wallet/issued-cards.ts';
import { type Msisdn, readPhone } from '../../wallet/phone.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import { type Announcement, type TellDeps, tellWallet } from '../session/tell.ts';
import { levelOf } from './level.ts';
import { cardLookMs, closed, type Pending, pendingCodec, pendingKey, pendingWrite } from './pending.ts';
import { lookAtReservation } from './reservation.ts';

/** An application that nobody decides is looked at for this time. */
const APPLICATION_MS = 30 * 24 * 3_600_000;
/** A wallet that does not answer is asked again after this long. */
const AGAIN_MS = 3_600_000;

interface PendingDeps extends TellDeps {
  readonly api: Pick<Wallet, 'cardApplications' | 'profile' | 'staticQr' | 'operation'>;
}

/** The result of a look: the announcements to send, and when to look again. Without `againMs` the request is over. */
type Found = { readonly tell?: readonly Announcement[]; readonly againMs?: number };

/** Looks at requests that the wallet decides in its own time. */
export interface PendingRequests {
  /** Looks at one. Called by the worker for `pending:` documents. */
  lookAtPending(name: string): Promise<void>;
  /**
   * The wallet says that its account level has changed. The level is read, and told wherever its customer can be
   * reached.
   * @param requestId of the call that has asked for it, where it was one of ours
   * @returns `later` where the wallet does not show it yet
   */
  tellLevel(wallet: Msisdn, requestId: string): Promise<'told' | 'later'>;
}

export function createPending(deps: PendingDeps): PendingRequests {
  return {
    lookAtPending: (name) => look(deps, name),
    tellLevel: (wallet, requestId) => tellLevel(deps, wallet, requestId),
  };
}

/** Everybody is told before the request is closed. If a process dies between, nobody hears it twice. */
async function look(deps: PendingDeps, name: string): Promise<void> {
  const { store, now } = deps;
  const [number = '', ref = ''] = name.split(':');
  const wallet = readPhone(number);
  if (wallet === undefined) return;
  const partition = partitionOf(wallet);
  const key = pendingKey(wallet, ref);
  const [doc] = await readDocs(store, partition, [key]);
  const pending = pendingCodec.read(doc);
  const found = pending && (await lookAt(deps, pending));
  if (!found) return;
  for (const message of found.tell ?? []) await tellWallet(deps, wallet, message);
  await update(store, partition, [key], (latest) => {
    const { againMs } = found;
    const write = againMs === undefined ? closed(latest) : pendingWrite(latest, pending, now(), againMs);
    return { writes: latest.version === 0 ? [] : [write], durable: true, result: undefined };
  });
}

/** Undefined for a request of a later release, which follows it itself. */
function lookAt(deps: PendingDeps, pending: Pending): Promise<Found> | undefined {
  switch (pending.kind) {
    case 'card-application':
      return lookAtApplication(deps, pending);
    case 'upgrade':
      return lookAtLevel(deps, pending);
    case 'reservation':
      return lookAtReservation(deps, pending);
    default:
      return undefined;
  }
}

async function tellLevel(deps: PendingDeps, wallet: Msisdn, requestId: string): Promise<'told' | 'later'> {
  const { store, api } = deps;
  const key = pendingKey(wallet, requestId);
  const [doc] = await readDocs(store, partitionOf(wallet), [key]);
  const pending = pendingCodec.readable(doc);
  const now = await levelOf(api, wallet);
  if (now.kind === 'refused') return 'told';
  if (now.kind !== 'ok') return 'later';
  // The request was for a higher level. A wallet that still shows the old one lags behind its event.
  if (pending?.kind === 'upgrade' && now.value.level <= pending.level) return 'later';
  await tellWallet(deps, wallet, raised(now.value));
  await update(store, partitionOf(wallet), [key], (latest) => ({
    writes: latest.version === 0 ? [] : [closed(latest)],
    durable: true,
    result: undefined,
  }));
  return 'told';
}

/** A refusal is told by nothing (open question 38): after a day the level itself is looked at, once. */
async function lookAtLevel(
  { api }: PendingDeps,
  { wallet, level, at }: Extract<Pending, { kind: 'upgrade' }>,
): Promise<Found> {
  const now = await levelOf(api, wallet);
  if (now.kind !== 'ok') return { againMs: AGAIN_MS };
  if (now.value.level > level) return { tell: [raised(now.value)] };
  const about = `upgrade-${at}`;
  const screen: Screen = { key: 'upgrade.noAnswer', expects: 'nothing' };
  return { tell: [{ name: about, message: { id: about, screen, money: false } }] };
}

/** The level that was read, once: by the event, or by the look a day after the request. */
function raised({
  level,
  isMerchant,
}: {
  readonly level: number;
  readonly isMerchant: boolean;
}): Announcement {
  const about = `level-${level}`;
  const limit = isMerchant ? undefined : limitOf(level);
  const count = { count: level };
  const screen: Screen =
    limit === undefined
      ? { key: 'upgrade.raisedOther', values: { level: count }, expects: 'nothing' }
      : { key: 'upgrade.raised', values: { level: count, limit: { money: limit } }, expects: 'nothing' };
  return { name: about, message: { id: about, screen, money: false } };
}

/** No event tells of a decision, and an answer that was lost named no application: the new ones of that programme are it. */
async function lookAtApplication(
  { api, now }: PendingDeps,
  { wallet, program, before, at }: Extract<Pending, { kind: 'card-application' }>,
): Promise<Found> {
  const answer = await api.cardApplications(wallet);
  if (answer.kind !== 'ok') return { againMs: AGAIN_MS };
  const asked = answer.value.filter(
    ({ id, programId }) => !before.includes(id) && (programId ?? program.id) === program.id,
  );
  const open = asked.filter(({ state }) => state !== 'accepted' && state !== 'rejected');
  if (asked.length > 0 && open.length === 0) return { tell: asked.map((each) => decision(each, program)) };
  if (now() < at + APPLICATION_MS) return { againMs: cardLookMs(now() - at) };
  return { tell: open.map(({ id }) => announcementOf(id, 'card-order.notDecided', program)) };
}

function decision({ id, state, reason }: CardApplication, program: CardProgram): Announcement {
  if (state === 'accepted') return announcementOf(id, 'card-order.accepted', program);
  return reason === undefined
    ? announcementOf(id, 'card-order.rejected', program)
    : announcementOf(id, 'card-order.rejectedWhy', program, { reason: { text: reason } });
}

function announcementOf(
  application: number,
  key: SentenceKey,
  { id, name }: CardProgram,
  more: Readonly<Record<string, Value>> = {},
): Announcement {
  const program: Value = name === undefined ? { code: String(id) } : { name };
  const screen: Screen = { key, values: { program, ...more }, expects: 'nothing' };
  const about = `application-${application}`;
  return { name: about, message: { id: about, screen, money: false } };
}
