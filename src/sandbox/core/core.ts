import type { z } from 'zod';
import type { Api, ApiName } from '../../wallet/contract/api.ts';
import type { Endpoint } from '../../wallet/contract/endpoint.ts';
import { ERRORS, type ErrorName } from '../../wallet/contract/errors.ts';
import type { Struck } from '../faults/faults.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { MovableClock } from '../time/clock.ts';
import type { Database } from './database.ts';
import type { Seeded } from './random.ts';

/** Where v2.3 is silent, the reading can be changed here. None of these values is shown in v2.3. */
export interface Settings {
  /** How long an execution stays OPEN; 0 settles it before the answer. */
  readonly settleAfterMs: number;
  /** How long a bank takes to settle a transfer to it. */
  readonly bankSettleAfterMs: number;
  /** Open question 28: how long a reference for cash can be executed. */
  readonly referenceValidMs: number;
  /** Open question 2: a wrong PIN is refused with 26001, or a success says `logged: false`. */
  readonly wrongPin: 'refused' | 'notLogged';
  /** Open question 3: wrong PINs until the wallet is locked temporarily. */
  readonly pinAttemptsMax: number;
  readonly otpValidMs: number;
  /** Wrong one-time codes until registration is locked (20008), and for how long. */
  readonly otpTriesMax: number;
  readonly otpLockMs: number;
  /** How long it takes to verify who a customer is, once an upgrade is requested or a merchant's documents are complete. */
  readonly verifyAfterMs: number;
  /** How long the 3D Secure page of a card payment waits for its payer. */
  readonly threeDsValidMs: number;
  /** How long a card payment stays authorised without being captured; then it is released. */
  readonly authorizationValidMs: number;
  /** How long a card that is made of plastic stays in each step of its delivery. */
  readonly cardDeliveryStepMs: number;
  readonly webhookTimeoutMs: number;
  /** `down`: the bill network answers every question with 908, also that for its creditors. */
  readonly billNetwork: 'up' | 'down';
  /** Other delays than those of the closed list, for the faults that magic numbers ask for. */
  readonly faultDelaysMs: Struck;
  /** What partners have chosen for themselves alone, by their ids. */
  readonly own: Readonly<Record<number, OwnSettings>>;
}

/** The settings that a partner can have of its own: how the API is read where it is silent, and what is down. */
export type OwnSettings = Partial<Pick<Settings, 'wrongPin' | 'billNetwork'>>;

/** A partner: whoever holds an API key. All data belongs to one. */
export interface Tenant {
  readonly id: number;
  readonly apiKey: string;
  /** Scopes separated by spaces; `*` is all of them. */
  readonly scopes: string;
  readonly webhookUrl: string | null;
  readonly webhookKey: string | null;
  /** Modules that are enabled, separated by spaces. */
  readonly modules: string;
}

/** What every room of the sandbox works with. */
export interface Core {
  readonly db: Database;
  readonly ledger: Ledger;
  readonly clock: MovableClock;
  /** By the current seed. */
  readonly random: Seeded;
  readonly settings: Settings;
}

/** A business error, as a value. What was written before it stays written: a wrong PIN costs an attempt. */
export interface Refusal {
  readonly refused: ErrorName;
  readonly detail?: string;
  readonly remainingAttempts?: number;
}

export function refuse(refused: ErrorName, more: Omit<Refusal, 'refused'> = {}): Refusal {
  return { refused, ...more };
}

export function isRefusal(answer: unknown): answer is Refusal {
  return typeof answer === 'object' && answer !== null && 'refused' in answer;
}

/** A refusal as v2.3, "Errors" 2 writes it. */
export function toBusinessError({ refused, detail, remainingAttempts }: Refusal) {
  const { code, means, status = 400 } = { status: undefined, ...ERRORS[refused] };
  const errorDescription = detail ? `${means}: ${detail}` : means;
  return { status, body: { errorCode: code, errorDescription, remainingAttempts } } as const;
}

/** A request that has been let in and read. */
export interface Request<E extends Endpoint = Endpoint> {
  readonly tenant: Tenant;
  /** Empty where the partner sent none. */
  readonly requestId: string;
  readonly struck: Struck;
  /** Where the partner has reached the sandbox: so can the browser that is sent to one of its pages. */
  readonly origin: string;
  readonly params: z.output<E['params']>;
  readonly query: z.output<E['query']>;
  readonly body: z.output<E['body']>;
  /** The bytes of the files in the body, which a handler does not wait for. Absent where there can be none. */
  readonly files?: ReadonlyMap<File, Uint8Array>;
}

/**
 * What the sandbox does for some operations of the contract. Runs inside one database transaction. Null is an
 * answer without a body, for the operations that may answer so (`none`).
 */
export type Handlers<Name extends ApiName> = {
  readonly [N in Name]: (request: Request<Api[N]>) => z.input<Api[N]['data']> | Refusal | null;
};
