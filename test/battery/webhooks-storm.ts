import type { Intent } from '../../src/conversation/intents/intent.ts';
import { newRef } from '../../src/conversation/record/ref.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import type { TransferOrder } from '../../src/payments/transfer.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { centimes } from '../../src/wallet/money.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import type { Operation, OperationStatus } from '../../src/wallet/wallet.ts';
import type { Random } from './town/random.ts';

const HOUR_MS = 3_600_000;
/** Under these the storm's request ids are ours. */
export const SECRETS = createSecrets('a secrets key of the storm, 32 characters');
/** The wallet gives up after this (Partner API v2.3, "Delivery contract"). */
export const LATE_MAX_MS = 72 * HOUR_MS;

/** The fate of one payment, and of its webhooks. */
type Fate = 'succeeded' | 'failed' | 'reversed' | 'conflicting' | 'opensLate';

export interface Payment {
  readonly intent: Intent & { readonly order: TransferOrder };
  readonly fate: Fate;
  readonly operation: { -readonly [Field in keyof Operation]: Operation[Field] };
}

/** One delivery: a body, whether its key is right, and when it comes. */
export interface Delivery {
  readonly kind: 'first' | 'duplicate' | 'forged' | 'malformed' | 'orphan';
  readonly body: string;
  readonly webhookId: string | undefined;
  readonly afterMs: number;
}

const MALFORMED: readonly ((id: string) => string)[] = [
  () => '',
  () => 'null',
  () => '[]',
  () => '{',
  () => '{"data":null}',
  () => '{"data":{"WebhookId":7}}',
  () => '\u0000\ufffd',
  () => '<xml/>',
  (id) => JSON.stringify({ data: { WebhookId: id } }),
  (id) => JSON.stringify({ data: { WebhookId: id, EventId: 'transfer.invented', Amount: 1 } }),
  (id) => JSON.stringify({ data: { WebhookId: id, EventId: 'transfer.received', Amount: '200' } }),
  (id) => JSON.stringify({ data: { WebhookId: id, EventId: 'transfer.received', OperationId: -1 } }),
  (id) => `{"data":{"WebhookId":"${id}","EventId":"transfer.received","Amount":1e999}}`,
];

/** Payments on their way, each of a wallet of its own, and the storm of webhooks about them. */
export function createStorm(random: Random, deliveries: number, malformed: number, now: number) {
  const share = (part: number) => Math.round(deliveries * part);
  const count = { forged: share(0.1), duplicates: share(0.3), orphans: share(0.04) };
  const firsts = deliveries - malformed - count.forged - count.duplicates - count.orphans;
  const payments = Array.from({ length: firsts }, (_, i) => payment(i, random, now));
  const late = () => (random.chance(0.3) ? random.between(0, LATE_MAX_MS) : random.between(0, HOUR_MS));
  let ids = 0;

  const storm: Delivery[] = payments.map((each) => deliver('first', eventOf(each)));
  for (let i = 0; i < count.duplicates; i++) {
    const { body, webhookId } = random.pick(storm.slice(0, firsts));
    storm.push({ kind: 'duplicate', body, webhookId, afterMs: late() });
  }
  for (let i = 0; i < count.forged; i++) storm.push(deliver('forged', eventOf(random.pick(payments))));
  for (let i = 0; i < count.orphans; i++) {
    const stranger = payment(firsts + i, random, now);
    const requestId = random.pick([stranger.intent.id, 'not an id of ours', '']);
    storm.push(deliver('orphan', { ...eventOf(stranger), CRequestId: requestId }));
  }
  for (let i = 0; i < malformed; i++) {
    const id = `malformed-${i}`;
    const body = (MALFORMED[i % MALFORMED.length] as (id: string) => string)(id);
    storm.push({ kind: 'malformed', body, webhookId: body.includes(id) ? id : undefined, afterMs: late() });
  }
  return { payments, storm: storm.sort((a, b) => a.afterMs - b.afterMs) };

  function deliver(kind: Delivery['kind'], event: object): Delivery {
    const webhookId = `event-${ids++}`;
    return {
      kind,
      webhookId,
      body: JSON.stringify({ data: { ...event, WebhookId: webhookId } }),
      afterMs: late(),
    };
  }
}

function payment(i: number, random: Random, now: number): Payment {
  const from = msisdn(`+2126${String(10_000_000 + i)}`);
  const to = msisdn(`+2127${String(10_000_000 + i)}`);
  const amount = centimes(10_000 + i);
  const fate = random.pick<Fate>([
    'succeeded',
    'succeeded',
    'succeeded',
    'failed',
    'reversed',
    'conflicting',
    'opensLate',
  ]);
  const order: TransferOrder = { kind: 'transfer', from, to, amount };
  const state = random.pick(['sent', 'accepted', 'unknown'] as const);
  const intent: Payment['intent'] = {
    id: newRef(partitionOf(from), SECRETS),
    wallet: from,
    address: `ussd:${from}`,
    order,
    quote: { fees: centimes(0), total: amount, openLoop: false, at: now, alike: [] },
    state,
    sentAt: now,
    before: [],
    evidence: [],
    audit: [[now, 'sent', 'planted']],
  };
  const status: OperationStatus = fate === 'failed' ? 3 : fate === 'opensLate' ? 1 : 2;
  const operation: Operation = {
    id: 1_000 + i,
    type: 3,
    status,
    direction: 2,
    amount: fate === 'conflicting' ? centimes(amount + 1) : amount,
    fees: centimes(0),
    total: amount,
    at: now,
    sender: from,
    receiver: to,
  };
  return { intent, fate, operation };
}

/** The event as the wallet would send it, without its id. */
export function eventOf({ intent, operation }: Payment): object {
  const { from, to, amount } = intent.order;
  return {
    EventId: 'transfer.received',
    CRequestId: intent.id,
    OperationId: operation.id,
    TransactionId: operation.id,
    OperationType: 3,
    OperationStatus: operation.status,
    CreatedAt: new Date(operation.at).toISOString(),
    ExecutedAt: new Date(operation.at).toISOString(),
    Amount: amount / 100,
    FeeAmount: 0,
    PrimaryAccountNumber: from,
    SecondaryAccountNumber: to,
  };
}
