import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import { wrongIn } from '../filters.ts';
import { answer } from './answer.ts';
import { chosenOf, idIn, queryOf } from './case-selection.ts';
import type { Tools } from './options.ts';

type Ctx = Context<Guarded>;

/** The inbox's filters, saved under a name. */
export function filterRoutes(tools: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();
  for (const whose of ['', '/shared']) {
    app.post(`/inbox/filters${whose}`, (c) => saveFilter(tools, c, whose !== ''));
    app.post(`/inbox/filters${whose}/remove`, (c) => removeFilter(tools, c, whose !== ''));
  }
  return app;
}

/** Saves the inbox's filters under a name, for one agent or for all. */
async function saveFilter({ audit, filters }: Tools, c: Ctx, isShared: boolean): Promise<Response> {
  const { who } = c.var;
  const fields = await c.req.parseBody();
  const [id, query] = [randomUUID().slice(0, 8), queryOf(chosenOf(fields))];
  const name = typeof fields.name === 'string' ? fields.name.trim().slice(0, 100) : '';
  const what = `${isShared ? 'for all: ' : ''}${name}: ${query}`.slice(0, 200);
  await audit.append({ who: who.id, act: 'writeFilter', on: id, what });
  const filter = { id, name, query };
  const book = filters.of(isShared ? undefined : who.id);
  return answer(c, await book.put(filter, (others) => wrongIn(filter, others)), `${BASE}/inbox?${query}`);
}

async function removeFilter({ audit, filters }: Tools, c: Ctx, isShared: boolean): Promise<Response> {
  const { who } = c.var;
  const fields = await c.req.parseBody();
  const id = idIn(fields.id) ?? '';
  await audit.append({ who: who.id, act: 'removeFilter', on: id, ...(isShared && { what: 'for all' }) });
  const removed = await filters.of(isShared ? undefined : who.id).remove(id);
  return answer(c, removed, `${BASE}/inbox?${queryOf(chosenOf(fields))}`);
}
