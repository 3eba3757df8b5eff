import type { Screen } from '../../../machines/kit/screen.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Address } from '../incoming.ts';
import { addressesOf } from './linking.ts';
import { enqueue, type Outgoing } from './session.ts';
import { type Loaded, mayRead, type Sessions } from './sessions.ts';

/** How long it is remembered that a customer was notified of money received. */
const NOTIFIED_MS = 7 * 24 * 3_600_000;

/**
 * Money that has come into a wallet: sent by a person, paid to a merchant, who does not see the payer's whole number, or given
 * back by one.
 */
export interface Received {
  readonly as: 'money' | 'payment' | 'refund';
  readonly operationId: number;
  readonly to: Msisdn;
  readonly from: Msisdn | undefined;
  readonly amount: Centimes;
}

export interface ReceivedDeps {
  readonly store: Store;
  readonly sessions: Sessions;
  /** Called with each session that has news in its outbox. */
  readonly pushed: (loaded: Loaded) => void;
  readonly now: () => number;
}

/** Notifies a customer, wherever they can be reached, that money has come. Once per operation and address. */
export function createReceived(deps: ReceivedDeps): (received: Received) => Promise<void> {
  return (received) => notifyReceived(deps, received);
}

async function notifyReceived(deps: ReceivedDeps, received: Received): Promise<void> {
  const { store, sessions, pushed } = deps;
  for (const { address } of await sessions.ofWallet(received.to, await addressesOf(store, received.to))) {
    const after = await notifyOnce(deps, received, address);
    if (after) pushed(after);
  }
}

function notifyOnce(
  { store, sessions, now }: ReceivedDeps,
  received: Received,
  address: Address,
): Promise<Loaded | undefined> {
  const partition = partitionOf(received.to);
  const key = `told:${received.operationId}:${address}`;
  return sessions.update(address, now, async ({ session }) => {
    const [done] = await store.read(partition, [key]);
    if (done || !mayRead({ address, session }, received.to, now())) return undefined;
    const marker = { key, version: 0, value: '1', keepUntil: now() + NOTIFIED_MS };
    return { session: enqueue(session, notice(received, now())), writes: [marker], durable: true };
  });
}

function notice(received: Received, now: number): Outgoing {
  const id = `received-${received.operationId}`;
  const sum = { times: 1, total: received.amount };
  return { id, screen: screenOf(received), money: true, received: sum, tries: 0, tryAt: now };
}

function screenOf({ as, operationId, from, amount }: Received): Screen {
  const values = { amount: { money: amount }, reference: { code: String(operationId) } };
  if (as === 'payment') {
    return from
      ? { key: 'received.payment', values: { ...values, from: { masked: from } }, expects: 'nothing' }
      : { key: 'received.paymentOnly', values, expects: 'nothing' };
  }
  if (as === 'refund' && from)
    return { key: 'received.refund', values: { ...values, from: { phone: from } }, expects: 'nothing' };
  return from
    ? { key: 'received.from', values: { ...values, from: { phone: from } }, expects: 'nothing' }
    : { key: 'received.money', values, expects: 'nothing' };
}
