import type { CardPaymentEntry } from '../../../machines/kit/effects.ts';
import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import { readDocs, type Update, update } from '../../store/update.ts';
import { STATUSES } from '../../wallet/contract/fields.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import { withCardPaymentChanged } from '../session/card-payments.ts';
import type { Announcement } from '../session/tell.ts';
import { walletKey, walletStateOf, walletWrite } from '../session/wallet-doc.ts';
import type { Pending } from './pending.ts';

const DAY_MS = 24 * 3_600_000;
/**
 * When its merchant is reminded, in days since it was paid. How long a reservation holds is not shown in v2.3 (open question 11): it
 * is looked at once more after the seven days of the sandbox.
 */
const REMINDED_DAYS: readonly number[] = [1, 3, 6];
const LAST_LOOK_DAYS = 8;

interface ReservationDeps {
  readonly store: Store;
  readonly api: Pick<Wallet, 'operation'>;
  readonly now: () => number;
}

/**
 * Reminds a merchant of money that a card has reserved, until it is taken or released, here or elsewhere. No event says that it has
 * lapsed: its operation does, which is shown to nobody while it is still reserved.
 */
export async function lookAtReservation(
  { store, api, now }: ReservationDeps,
  { wallet, payment, at }: Extract<Pending, { kind: 'reservation' }>,
): Promise<{ readonly tell?: readonly Announcement[]; readonly againMs?: number }> {
  const [doc] = await readDocs(store, partitionOf(wallet), [walletKey(wallet)]);
  const entry = walletStateOf(doc).value.cardPayments?.find(({ id }) => id === payment);
  // The payment was not made, or it is done with.
  if (entry?.state !== 'reserved') return {};
  const days = (now() - at) / DAY_MS;
  const next = [...REMINDED_DAYS, LAST_LOOK_DAYS].find((day) => day > days);
  const again = next === undefined ? {} : { againMs: at + next * DAY_MS - now() };
  const answer = await api.operation(wallet, entry.operationId);
  const ended = answer.kind === 'ok' && answer.value.status !== STATUSES.OPEN ? answer.value : undefined;
  if (!ended) return { tell: [announcementOf(entry, 'card-payments.reminder', Math.floor(days))], ...again };
  const isTaken = ended.status === STATUSES.COMPLETED;
  await end(
    store,
    wallet,
    payment,
    isTaken ? { state: 'captured', captured: ended.amount } : { state: 'released' },
  );
  return { tell: isTaken ? [] : [announcementOf(entry, 'card-payments.lapsed', LAST_LOOK_DAYS)] };
}

/** Something else than Wasl has ended it. */
function end(
  store: Store,
  wallet: Msisdn,
  payment: string,
  as: Pick<CardPaymentEntry, 'state' | 'captured'>,
): Promise<void> {
  return update(store, partitionOf(wallet), [walletKey(wallet)], (doc): Update<void> => {
    const state = walletStateOf(doc);
    const after = withCardPaymentChanged(state.value, payment, (entry) =>
      entry.state === 'reserved' ? { ...entry, ...as } : entry,
    );
    const writes = [walletWrite(wallet, state, after)];
    return { writes, durable: true, result: undefined };
  });
}

/** Each reminder is another message: nobody hears the same one twice. */
function announcementOf({ id, amount, at }: CardPaymentEntry, key: SentenceKey, day: number): Announcement {
  const name = `reservation-${id}-${day}`;
  const screen = {
    key,
    values: { amount: { money: amount }, at: { date: at } },
    expects: 'nothing',
  } as const;
  return { name, message: { id: name, screen, money: true, topic: 'outcome' } };
}
