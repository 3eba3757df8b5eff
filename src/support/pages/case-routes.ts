import { type Context, Hono } from 'hono';
import { type Case, isOver } from '../../conversation/cases/case.ts';
import { whenAway } from '../../conversation/desk/reading.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import { teamOf } from '../teams.ts';
import { audited, found, leadsOn, viewOf } from './answer.ts';
import { casePage } from './case.ts';
import { answerAbout, CASE_ACTS, done, othersOf, workPath } from './case-acts.ts';
import { caseAfter, paneBeside } from './case-pane.ts';
import { beforeSentence } from './earlier-step.ts';
import { noticed, type Tools } from './options.ts';
import { isGood, isSaid } from './parts.ts';
import { personPath } from './person.ts';

type Ctx = Context<Guarded>;

/** Cases: each has a page, and what is done about it. */
export function caseRoutes(tools: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.post('/presence', (c) => isHere(tools, c));
  app.get('/cases/:id', (c) => see(tools, c));
  app.get('/cases/:id/work', (c) => work(tools, c));
  for (const each of CASE_ACTS) app.post(`/cases/:id/${each[0]}`, (c) => act(tools, c, each));
  return app;
}

async function caseIn({ desk }: Tools, c: Ctx): Promise<Case> {
  return found(await desk.cases.find(c.req.param('id') ?? ''));
}

/** An agent is here. What is new in the conversation that they look at is read. */
async function isHere(tools: Tools, c: Ctx): Promise<Response> {
  const { presence, ids, desk, assignment, caseNews, onError } = tools;
  const { where, writing } = await c.req.parseBody();
  const { id, name } = c.var.who;
  const address = typeof where === 'string' ? ids.addressOf(where) : undefined;
  if (address) await noticed(tools, await desk.cases.at(address).catch(whenAway), c.var.who);
  await presence.isHere(
    { id, name },
    typeof where === 'string' && where !== '' ? where : undefined,
    writing === 'yes',
  );
  assignment.soon(onError, caseNews.expire);
  return c.body(null, 204);
}

async function see(tools: Tools, c: Ctx): Promise<Response> {
  const it = await caseIn(tools, c);
  const isKept = isOver(it, tools.now());
  await audited(tools, c, 'seeCase', { on: it.id, about: it.wallet });
  await noticed(tools, it, c.var.who);
  const [others, offered] = await Promise.all([othersOf(tools, it), tools.offered()]);
  const context = {
    // The content of a webhook is kept for less time than its case can be opened again.
    ...((!isKept || it.kind !== 'webhook') && { workPath: workPath(tools, it) }),
    isKept,
    ...(it.wallet && { personPath: personPath(tools, it.wallet) }),
    team: teamOf(it, offered.teams),
    offered,
    others,
  };
  const { before } = c.req.query();
  const view = viewOf(tools, c);
  const because = beforeSentence(it, before, offered, view);
  const pane = await paneBeside(tools, c, it.id);
  return c.html(casePage(it, { ...context, because }, pane, view));
}

/** From a list to where a case is worked on: a session, a payment or a webhook has pages of their own, which show no closed one. */
async function work(tools: Tools, c: Ctx): Promise<Response> {
  const it = await caseIn(tools, c);
  const { said } = c.req.query();
  const path = it.state === 'closed' ? `${BASE}/cases/${it.id}` : workPath(tools, it);
  return c.redirect(isSaid(said) ? `${path}?said=${said}` : path, 303);
}

async function act(tools: Tools, c: Ctx, row: (typeof CASE_ACTS)[number]): Promise<Response> {
  const it = await caseIn(tools, c);
  // Its place in the list is known as long as it is in it.
  const after = row[0] === 'close' ? await caseAfter(tools, c, it.id) : undefined;
  const ran = await done(tools, c.var.who, it, row, await c.req.parseBody({ all: true }));
  tools.caseNews.expire();
  if (row[0] === 'close' && isGood(ran.said)) return leadsOn(c, after);
  return answerAbout(tools, c, it.id, ran);
}
