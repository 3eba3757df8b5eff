import type { Screen } from '../../../machines/kit/screen.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Address } from '../incoming.ts';
import { enqueue, type Outgoing } from './session.ts';
import { type createSessions, type Loaded, linkExpired, sessionWrite } from './sessions.ts';
import { addressesOf } from './wallet-doc.ts';

/** How long it is remembered that a customer was told of money received. */
const TOLD_MS = 7 * 24 * 3_600_000;

/** Money that has come into a wallet: sent by a person, or paid to a merchant, who is not told the payer's whole number. */
export interface Received {
  readonly as: 'money' | 'payment';
  readonly operationId: number;
  readonly to: Msisdn;
  readonly from: Msisdn | undefined;
  readonly amount: Centimes;
}

/** Tells a customer, wherever they can be told, that money has come. Once per operation and address. */
export function createReceived(
  store: Store,
  sessions: ReturnType<typeof createSessions>,
  pushed: (loaded: Loaded) => void,
  now: () => number,
) {
  return async (received: Received): Promise<void> => {
    for (const { address } of await sessions.ofWallet(received.to, await addressesOf(store, received.to))) {
      while (!(await tellOnce(received, address)));
    }
  };

  /** False when somebody was faster and it must be looked at again. */
  async function tellOnce(received: Received, address: Address): Promise<boolean> {
    const partition = partitionOf(received.to);
    const key = `told:${received.operationId}:${address}`;
    const [done] = await store.read(partition, [key]);
    const loaded = await sessions.load(address, now());
    if (done || loaded.partition !== partition || !loaded.session.linked) return true;
    if (linkExpired(loaded.session, { address, now: now() })) return true;
    const session = enqueue(loaded.session, notice(received, now()));
    const marker = { key, version: 0, value: '1', keepUntil: now() + TOLD_MS };
    const written = sessionWrite({ ...loaded, session });
    const writes = [written, marker];
    if (!(await store.commit(partition, { writes, durable: true }))) return false;
    pushed({ ...loaded, version: written.next, session });
    return true;
  }
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
  return from
    ? { key: 'received.from', values: { ...values, from: { phone: from } }, expects: 'nothing' }
    : { key: 'received.money', values, expects: 'nothing' };
}
