import type { z } from 'zod';
import type { Api, ApiName } from '../../wallet/contract/api.ts';
import type { Endpoint } from '../../wallet/contract/endpoint.ts';
import type { Struck } from '../faults/faults.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { MovableClock } from '../time/clock.ts';
import type { Targets } from '../webhooks/targets.ts';
import type { Database } from './database.ts';
import type { Seeded } from './random.ts';
import type { Refusal } from './refusal.ts';
import type { Settings } from './settings.ts';

/** A partner: whoever holds an API key. All data belongs to one. */
export interface Tenant {
  readonly id: number;
  readonly apiKey: string;
  /** Scopes separated by spaces. `*` is all of them. */
  readonly scopes: string;
  readonly webhookUrl: string | null;
  readonly webhookKey: string | null;
  /** Modules that are enabled, separated by spaces. */
  readonly modules: string;
}

/** The parts that every room of the sandbox works with. */
export interface Core {
  /** Its number among the keys of the sandbox, from 1. */
  readonly partner: number;
  readonly db: Database;
  readonly ledger: Ledger;
  readonly clock: MovableClock;
  readonly random: Seeded;
  readonly settings: Settings;
  /** Where webhooks go. */
  readonly targets: Targets;
}

/** A request that has been let in and read. */
export interface Request<E extends Endpoint = Endpoint> {
  readonly tenant: Tenant;
  /** Empty where the partner sent none. */
  readonly requestId: string;
  readonly struck: Struck;
  /** The address at which the partner reached the sandbox, and at which a browser reaches its pages. */
  readonly origin: string;
  readonly params: z.output<E['params']>;
  readonly query: z.output<E['query']>;
  readonly body: z.output<E['body']>;
  /** The bytes of the files in the body, which a handler does not wait for. Absent where there can be none. */
  readonly files?: ReadonlyMap<File, Uint8Array>;
}

/**
 * The sandbox's handlers of some operations of the contract. Each runs inside one database transaction. A refusal that is
 * thrown (`refuse`) undoes the writes, and one that is returned keeps them. Null is an answer without a body, for the
 * operations that may answer so (`none`).
 */
export type Handlers<Name extends ApiName> = {
  readonly [N in Name]: (
    core: Core,
    request: Request<Api[N]>,
  ) => z.input<Api[N]['data']> | FileToDraw | Refusal | null;
};

/** The handlers of one part of the sandbox. `handlers.ts` proves that all parts together have every operation. */
export type SomeHandlers = Partial<Handlers<ApiName>>;

/** A file as an answer. It is drawn after the transaction. */
export interface FileToDraw {
  readonly type: string;
  readonly draw: () => Promise<Uint8Array<ArrayBuffer>>;
}
