import type { BudgetName } from '../conversation/budgets.ts';
import type { ChannelName, DeliveryStatus } from '../conversation/incoming.ts';
import type { Intent } from '../conversation/intents/intent.ts';
import type { EventOf } from '../conversation/record/turn-event.ts';
import type { DeliveryOutcome } from '../conversation/session/delivery-record.ts';
import type { Store } from '../store/store.ts';
import type { Answer } from '../wallet/answer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import type { Circuit, Connections } from './circuits.ts';
import type { RecordingProgress } from './worker-lag.ts';

/**
 * The end of a turn, as its channel saw it:
 * - `shown`: with a screen that goes on
 * - `ended`: with the last screen of its session
 * - `underway`: a call goes on behind the answer
 * - `unchanged`: the input was known already, or came too late for its screen
 * - `late`: nothing was kept within the deadline
 * - `lost`: the store could not be reached
 * - `shed`: too many turns were under way
 */
export const TURN_OUTCOMES = ['shown', 'ended', 'underway', 'unchanged', 'late', 'lost', 'shed'] as const;
export type TurnOutcome = (typeof TURN_OUTCOMES)[number];

export type WalletCall = keyof Wallet & string;
/** The methods of the store whose round trips are counted. */
export const STORE_OPERATIONS = ['read', 'commit', 'due', 'turns', 'scheduled'] as const;
export type StoreOperation = (typeof STORE_OPERATIONS)[number];
/** `conflict`: somebody else had written first. `down`: it rejected. */
export const STORE_RESULTS = ['ok', 'conflict', 'down'] as const;
type StoreResult = (typeof STORE_RESULTS)[number];

/** How a call to the wallet ended. */
export const CALL_ANSWERS = [
  'ok',
  'refused',
  'unsent',
  'unknown',
] as const satisfies Answer<unknown>['kind'][];

/** The counters and timers. Every label is one of a closed list: nothing of a customer can become one. */
export interface Meter {
  /** @param machine the conversation that the answer belongs to. Empty where there is none */
  turn(channel: ChannelName, machine: string, outcome: TurnOutcome, seconds: number): void;
  turnsUnderWay(change: 1 | -1): void;
  budget(budget: BudgetName, hasRoom: boolean): void;
  /** These calls can be made: each is counted from 0. */
  walletCalls(calls: readonly WalletCall[]): void;
  walletCall(call: WalletCall, answer: Answer<unknown>['kind'], seconds: number): void;
  floatEmpty(call: WalletCall): void;
  /** A field of the wallet's answer or event breaks the contract. @param from a path of the contract, or `webhook` */
  oddField(from: string): void;
  storeTrip(operation: StoreOperation, result: StoreResult, seconds: number): void;
  /** A message that is no reply was handed to its channel. */
  delivery(channel: ChannelName, status: DeliveryStatus, seconds: number): void;
  /** The end of a message that was no reply, so long after the moment when it was to be delivered. */
  deliveryLag(channel: ChannelName, outcome: DeliveryOutcome, seconds: number): void;
  /** A webhook was written down, or could not be. */
  webhook(isSaved: boolean, seconds: number): void;
  /** Something was learnt of a payment. @param lagSeconds how long after it had happened, where the news says when */
  payment(event: EventOf<'payment'>, lagSeconds: number | undefined): void;
  /** The worker has looked at a payment. @param nextLookAt in ms since 1970. Undefined when none follows */
  look(intent: Intent, nextLookAt: number | undefined): void;
  /** The worker does these kinds of chores: each is counted from 0. */
  chores(kinds: readonly string[]): void;
  chore(kind: string, isDone: boolean, seconds: number): void;
  /** So long after its moment the worker began what was due. */
  workerLag(seconds: number): void;
  /** A group of partitions was recorded, or could not be. @param lost turns that have gone before they were recorded */
  recording(progress: RecordingProgress & { readonly lost: number }): void;
}

/** Values that are read at the moment when somebody looks at the metrics. */
export interface Readings {
  /** The circuit breakers towards the wallet that have opened since the start. */
  readonly circuits: () => readonly Circuit[];
  /** How full the connections to the wallet are. */
  readonly connections: () => readonly Connections[];
  /** Work whose limit follows its duration: how much is under way, and how much may be. */
  readonly concurrency: () => readonly WorkUnderWay[];
  readonly lacksReplicas: Store['lacksReplicas'];
  /** How far the wallet's clock is ahead of ours, in ms. */
  readonly skewMs: () => number;
  /** Whether the process is about to end. */
  readonly isDraining: () => boolean;
  /** The doors are still closed, as conversations of another release are under way. */
  readonly waitsForRelease: () => boolean;
}

interface WorkUnderWay {
  readonly work: 'due' | 'webhooks';
  readonly underWay: number;
  readonly limit: number;
}
