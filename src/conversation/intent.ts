import { randomUUID } from 'node:crypto';
import type { Order, Quote } from '../../machines/kit/order.ts';
import { PARTITIONS, type Partition } from '../store/store.ts';
import type { Msisdn } from '../wallet/phone.ts';
import type { Address } from './incoming.ts';

/**
 * How far a confirmed payment has come (docs/safety.md). `sent` is written before the first byte goes out; whoever
 * finds it without an answer treats it as `unknown` and never sends again.
 */
export type IntentState = 'sent' | 'accepted' | 'unknown' | 'rejected' | 'unsent' | 'succeeded' | 'failed';

/** A confirmed money movement, written down before it is sent and followed until its outcome is known. */
export interface Intent {
  readonly id: string;
  readonly wallet: Msisdn;
  readonly address: Address;
  readonly order: Order;
  readonly quote: Quote;
  readonly state: IntentState;
  readonly operationId?: number;
  /** Every step: when (ms since 1970), the state, and why. Only ever added to. */
  readonly audit: readonly (readonly [at: number, state: IntentState, why: string])[];
}

const ENDED: ReadonlySet<IntentState> = new Set<IntentState>(['rejected', 'unsent', 'succeeded', 'failed']);
/** How long an intent can be read after its last change. */
export const INTENT_KEPT_MS = 400 * 24 * 3_600_000;

export function hasEnded(intent: Intent): boolean {
  return ENDED.has(intent.state);
}

/** The intent one step further. */
export function moved(
  intent: Intent,
  state: IntentState,
  at: number,
  why: string,
  operationId?: number,
): Intent {
  return {
    ...intent,
    state,
    ...(operationId !== undefined && { operationId }),
    audit: [...intent.audit, [at, state, why]],
  };
}

export function intentKey(id: string): string {
  return `intent:${id}`;
}

/** The one payment that a wallet may have under way. */
export function slotKey(wallet: Msisdn): string {
  return `slot:${wallet}`;
}

/**
 * A new id for a call: a UUID v4 whose first byte is the partition, so that a webhook that echoes it as `CRequestId`
 * leads to its intent in one read. The other 114 random bits are far more than enough.
 */
export function newRef(partition: Partition): string {
  return PREFIXES[partition] + randomUUID().slice(2);
}
const PREFIXES = Array.from({ length: PARTITIONS }, (_, partition) => partition.toString(16).padStart(2, '0'));

/** The partition in an id made by `newRef`; undefined for what is no UUID. */
export function partitionOfRef(ref: string): Partition | undefined {
  return /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(ref)
    ? Number.parseInt(ref.slice(0, 2), 16)
    : undefined;
}
