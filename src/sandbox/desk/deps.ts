import { hash } from 'node:crypto';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';
import { parseJson } from '../../http/json.ts';
import type { Core, Tenant } from '../core/core.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { RequestLog } from '../door/request-log.ts';
import type { Faults } from '../faults/fault-control.ts';
import type { KeyOrder } from '../partners/partners.ts';
import type { Recorder } from '../scenario/recorder.ts';
import type { Played } from '../scenario/scenario.ts';
import type { DueWork } from '../time/due.ts';
import type { Snapshots } from './snapshots.ts';

const VERSION_LENGTH = 16;

/** The choices of a reset. */
export interface ResetOrder {
  /** Absent: the seed that the sandbox was started with, or a new one. */
  readonly seed?: string | undefined;
  /** The clock is then stopped at this moment, in ms since 1970. Absent: it shows the time of day. */
  readonly frozenAt?: number | undefined;
}

export interface Keys {
  /** The partners that this key may see, each with the number of its key. The first one first. */
  list(): readonly Tenant[];
  isTaken(apiKey: string): boolean;
  isFull(): boolean;
  /** A missing key is made. */
  add(order: KeyOrder): Tenant;
  /** False for the first one, for one there is not, and for one that this key may not see. */
  remove(id: number): Promise<boolean>;
}

/** All that the desk's pages and the admin API of one key work with. */
export interface DeskDeps {
  /** The number of the key, as `?partner=` names it. */
  readonly id: number;
  readonly keys: Keys;
  readonly core: Core;
  readonly due: DueWork;
  readonly faults: Faults;
  readonly settings: SettingsStore;
  readonly log: RequestLog;
  readonly snapshots: Snapshots;
  readonly recorder: Recorder;
  reset(order?: ResetOrder): void;
  /** Plays a scenario file. Throws `BadScenario` for one that makes no sense. */
  play(content: unknown): Promise<Played>;
}

/** Another text whenever something that the desk shows may have changed, but for the time. */
export function versionOf({ core, faults, settings, log, keys }: DeskDeps): string {
  const { db, clock } = core;
  const all = [
    db.era(),
    db.changes(),
    log.count(),
    faults.list(),
    settings.all(),
    clock.isFrozen(),
    keys.list(),
  ];
  return hash('sha256', JSON.stringify(all), 'base64url').slice(0, VERSION_LENGTH);
}

/**
 * Reads an order from a body of JSON. One that makes no sense ends the request with 400. No body is an empty one, which says
 * enough where everything may be left out.
 */
export async function ordered<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  const text = await c.req.text();
  const order = schema.safeParse(text.trim() === '' ? {} : parseJson(text));
  if (order.success) return order.data;
  throw new HTTPException(400, { res: c.json({ message: z.prettifyError(order.error) }, 400) });
}

export function notFound(c: Context, what: string): Response {
  return c.json({ message: `There is no such ${what}` }, 404);
}
