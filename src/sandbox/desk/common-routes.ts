import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { bodyAtMost } from '../../http/body-limit.ts';
import { parseJson } from '../../http/json.ts';
import type { Tenant } from '../core/core.ts';
import { settingsOrder } from '../core/settings.ts';
import { madeCustomer, newCustomer } from '../customers/made.ts';
import { MODULES, type Module, modulesOf } from '../door/modules.ts';
import { FAULT_NAMES, FAULTS, faultOrder } from '../faults/faults.ts';
import { SEEDED } from '../partners/seed.ts';
import { BadScenario } from '../scenario/scenario.ts';
import { type DeskDeps, notFound, ordered, versionOf } from './deps.ts';
import { SNAPSHOTS_MAX, snapshotOrder } from './snapshots.ts';
import { TEST_DATA } from './test-data.ts';

const ADVANCE_MAX_MS = 366 * 24 * 60 * 60_000;

const clockOrder = z
  .strictObject({ advanceMs: z.int().min(0).max(ADVANCE_MAX_MS).optional(), frozen: z.boolean().optional() })
  .refine(({ advanceMs, frozen }) => advanceMs !== undefined || frozen !== undefined, {
    error: 'must have advanceMs, whole milliseconds up to a year, or frozen, true or false',
  });
const recordingOrder = z.strictObject({ seed: z.string().min(1).max(200).optional() });
const SCENARIO_BYTES_MAX = 4 * 1024 * 1024;
const SNAPSHOT_BYTES_MAX = 16 * 1024 * 1024;
const tooLong = (c: Context) => c.json({ message: 'It is too long' }, 413);
const resetOrder = z.strictObject({
  seed: z.string().min(1).max(200).optional(),
  frozenAt: z.iso.datetime({ offset: true }).optional(),
});
const faultName = z.enum(FAULT_NAMES).optional();

/** Where events go: any address that is one. */
export const webhookUrl = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .nullable()
  .optional();
export const webhookKey = z.string().max(200).nullable().optional();
export const scopes = z
  .string()
  .regex(/^[\w:*-]+( [\w:*-]+)*$/, 'must be scopes separated by one space, or *')
  .max(1_000);
const newPartner = z.strictObject({
  apiKey: z
    .string()
    .regex(/^[\w-]{8,100}$/, 'must be 8 to 100 letters, digits, - or _')
    .optional(),
  scopes: scopes.default('*'),
  modules: z.array(z.enum(MODULES as [Module, ...Module[]])).optional(),
  webhookUrl,
  webhookKey,
});

/** Calls about a key as a whole: its time, its faults, its settings, and the other keys. */
export function commonRoutes(deps: DeskDeps): Hono {
  const { clock } = deps.core;
  return new Hono()
    .get('/pulse', (c) => c.json({ version: versionOf(deps), now: clock.now(), frozen: clock.isFrozen() }))
    .get('/test-data', (c) => c.json(TEST_DATA))
    .get('/customers', (c) =>
      c.json(SEEDED.map(({ balance, ...who }) => ({ ...who, balanceCentimes: balance }))),
    )
    .route('/', timeRoutes(deps))
    .route('/', scenarioRoutes(deps))
    .route('/', snapshotRoutes(deps))
    .route('/', faultRoutes(deps))
    .route('/', settingsRoutes(deps))
    .route('/', partnersRoutes(deps));
}

function timeRoutes({ core: { clock }, due, reset }: DeskDeps): Hono {
  const time = () => ({ now: clock.now(), frozen: clock.isFrozen() });
  return new Hono()
    .get('/clock', (c) => c.json(time()))
    .post('/clock', async (c) => {
      const order = await ordered(c, clockOrder);
      if (order.frozen === true && !clock.isFrozen()) clock.freeze();
      if (order.frozen === false && clock.isFrozen()) clock.run();
      if (order.advanceMs !== undefined) await due.advance(order.advanceMs);
      due.wake();
      return c.json(time());
    })
    .post('/reset', async (c) => {
      const { seed, frozenAt } = await ordered(c, resetOrder);
      reset({ seed, ...(frozenAt && { frozenAt: Date.parse(frozenAt) }) });
      return c.json({ reset: true });
    });
}

function scenarioRoutes({ core, recorder, play }: DeskDeps): Hono {
  return new Hono()
    .post('/customers', async (c) => {
      const order = await ordered(c, newCustomer);
      const made = core.db.transaction(() => madeCustomer(core, order));
      if (!made) return c.json({ message: 'That number is somebody else’s' }, 409);
      const { phone, firstName, lastName, walletType, level, status, id } = made;
      const { pin, balance } = order;
      return c.json({ id, phone, firstName, lastName, walletType, level, status, pin, balance }, 201);
    })
    .post('/scenario', bodyAtMost(SCENARIO_BYTES_MAX, tooLong), async (c) => {
      try {
        return c.json(await play(parseJson(await c.req.text())));
      } catch (error) {
        if (error instanceof BadScenario) return c.json({ message: error.message }, 400);
        throw error;
      }
    })
    .get('/recording', (c) => c.json(recorder.scenario() ?? null))
    .post('/recording', async (c) => {
      recorder.start((await ordered(c, recordingOrder)).seed);
      return c.json(recorder.scenario(), 201);
    })
    .delete('/recording', (c) => c.json(recorder.stop() ?? null));
}

function snapshotRoutes({ snapshots, due }: DeskDeps): Hono {
  return new Hono()
    .get('/snapshots', (c) => c.json(snapshots.list()))
    .post('/snapshots', async (c) => {
      const { name } = await ordered(c, snapshotOrder);
      if (snapshots.save(name)) return c.json(snapshots.list());
      return c.json({ message: `There are ${SNAPSHOTS_MAX} snapshots already` }, 409);
    })
    .post('/snapshots/:name{[\\w-]{1,40}}/restore', (c) => {
      const name = c.req.param('name');
      if (!snapshots.has(name)) return notFound(c, 'snapshot');
      if (!snapshots.restore(name))
        return c.json({ message: `${name} is of another version of the sandbox` }, 409);
      due.wake();
      return c.json({ restored: name });
    })
    .get('/snapshots/:name{[\\w-]{1,40}}', (c) => {
      const name = c.req.param('name');
      if (!snapshots.has(name)) return notFound(c, 'snapshot');
      return c.body(snapshots.read(name), 200, {
        'content-type': 'application/vnd.sqlite3',
        'content-disposition': `attachment; filename="${name}.db"`,
      });
    })
    .put('/snapshots/:name{[\\w-]{1,40}}', bodyAtMost(SNAPSHOT_BYTES_MAX, tooLong), async (c) => {
      const refusal = snapshots.load(c.req.param('name'), new Uint8Array(await c.req.arrayBuffer()));
      return refusal ? c.json({ message: refusal }, 400) : c.json(snapshots.list());
    })
    .delete('/snapshots/:name{[\\w-]{1,40}}', (c) => {
      if (!snapshots.has(c.req.param('name'))) return notFound(c, 'snapshot');
      snapshots.remove(c.req.param('name'));
      return c.json(snapshots.list());
    });
}

function faultRoutes({ faults }: DeskDeps): Hono {
  return new Hono()
    .get('/faults', (c) => c.json({ faults: FAULTS, set: faults.list() }))
    .post('/faults', async (c) => {
      faults.set(await ordered(c, faultOrder));
      return c.json({ set: faults.list() });
    })
    .delete('/faults', (c) => {
      const name = faultName.safeParse(c.req.query('name'));
      if (!name.success) return c.json({ message: 'no fault has that name' }, 400);
      faults.clear(name.data);
      return c.json({ set: faults.list() });
    });
}

function settingsRoutes({ settings }: DeskDeps): Hono {
  return new Hono()
    .get('/settings', (c) => c.json(settings.all()))
    .post('/settings', async (c) => c.json(settings.set(await ordered(c, settingsOrder))));
}

function partnersRoutes({ keys }: DeskDeps): Hono {
  const shown = ({ modules, ...each }: Tenant) => ({ ...each, modules: modulesOf({ modules }) });
  const known = () => keys.list().map(shown);
  return new Hono()
    .get('/partners', (c) => c.json(known()))
    .post('/partners', async (c) => {
      const order = await ordered(c, newPartner);
      if (order.apiKey && keys.isTaken(order.apiKey))
        return c.json({ message: 'That key is somebody else’s' }, 409);
      if (keys.isFull()) return c.json({ message: 'There are too many keys already: delete one' }, 409);
      return c.json(shown(keys.add(order)), 201);
    })
    .delete('/partners/:id', async (c) => {
      if (!(await keys.remove(Number(c.req.param('id'))))) return notFound(c, 'key that can be deleted');
      return c.json(known());
    });
}
