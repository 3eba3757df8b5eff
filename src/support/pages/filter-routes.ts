import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import { wrongIn } from '../filters.ts';
import { texts } from '../form.ts';
import { answer, audited } from './answer.ts';
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

async function saveFilter(tools: Tools, c: Ctx, isShared: boolean): Promise<Response> {
  const form = await texts(c);
  const [id, query] = [randomUUID().slice(0, 8), queryOf(chosenOf(form))];
  const name = form.name?.trim().slice(0, 100) ?? '';
  const what = `${isShared ? 'for all: ' : ''}${name}: ${query}`.slice(0, 200);
  await audited(tools, c, 'writeFilter', { on: id, what });
  const filter = { id, name, query };
  const book = tools.filters.of(isShared ? undefined : c.var.who.id);
  return answer(c, await book.put(filter, (others) => wrongIn(filter, others)), `${BASE}/inbox?${query}`);
}

async function removeFilter(tools: Tools, c: Ctx, isShared: boolean): Promise<Response> {
  const form = await texts(c);
  const id = idIn(form.id) ?? '';
  await audited(tools, c, 'removeFilter', { on: id, what: isShared ? 'for all' : '' });
  const removed = await tools.filters.of(isShared ? undefined : c.var.who.id).remove(id);
  return answer(c, removed, `${BASE}/inbox?${queryOf(chosenOf(form))}`);
}
