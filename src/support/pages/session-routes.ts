import { type Context, Hono } from 'hono';
import type { Sealed } from '../../../machines/kit/secret.ts';
import type { Acted, Agent } from '../../conversation/desk/desk.ts';
import type { Address } from '../../conversation/incoming.ts';
import type { TurnRecord } from '../../conversation/turn/record.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import type { Audited } from '../audit/audit.ts';
import { sightOf } from '../masks.ts';
import { REASON_MAX_CHARACTERS, REASON_MIN_CHARACTERS } from './acts.ts';
import { answer, notFound } from './answer.ts';
import type { Tools } from './options.ts';
import { isSaid, type View } from './parts.ts';
import { type Known, sessionPage, sessionParts } from './session.ts';

/** How many turns of a session are shown. */
const TURNS_MAX = 60;
/** How many payments of its wallet. */
const PAYMENTS_MAX = 5;
/** A page that is open for longer must be opened anew, and is then in the audit again. */
const LOOK_MS = 12 * 3_600_000;
/** Turns that follow each other faster are shown together. */
const GAP_MS = 50;
const EVERY_MS = 10_000;

type Ctx = Context<Guarded, '/sessions/:id'>;

/** One session: what its customer sees, live, and what an agent can do about it. */
export function sessionRoutes(tools: Tools): Hono<Guarded> {
  const { desk, audit, ids, reveals, live, queue, secrets, streams, isStillIn, onError, now } = tools;
  const drawing = { renderer: tools.renderer, diagrams: tools.diagrams, chart: desk.chart };

  const app = new Hono<Guarded>();
  app.get('/sessions/:id', async (c) => {
    const { who } = c.var;
    const address = ids.addressOf(c.req.param('id'));
    if (!address) return notFound(c);
    await audit.append({ who: who.id, act: 'seeSession', on: address });
    const known = await read(c, address, (await desk.turns(address, TURNS_MAX)).reverse());
    if (!known) return notFound(c);
    const view = viewOf(c, known.revealedUntil);
    const said = c.req.query('said');
    // The stream goes on with this look; nobody begins one there that is not in the audit.
    const look = secrets.seal(address, lookOf(who.id), now());
    const parts = await sessionParts(known, view, drawing);
    return c.html(sessionPage(known, parts, look, isSaid(said) ? said : undefined, view));
  });

  app.get('/sessions/:id/live', async (c) => {
    const { who } = c.var;
    const address = ids.addressOf(c.req.param('id'));
    const look = c.req.query('look') ?? '';
    if (!address || secrets.open(look as Sealed, lookOf(who.id), now(), LOOK_MS) !== address)
      return c.text('open the page first\n', 403);
    await live.watching();
    let records: TurnRecord[] | undefined;
    let isLost = true;
    return streams.open(c, {
      agent: who.id,
      gapMs: GAP_MS,
      everyMs: EVERY_MS,
      onError,
      isStillIn: () => isStillIn(who),
      follow: (changed) =>
        live.follow(address, (record) => {
          if (record && records) records = [...records, record].slice(-TURNS_MAX);
          else isLost = true;
          changed();
        }),
      async render() {
        if (isLost || !records) {
          isLost = false;
          records = (await desk.turns(address, TURNS_MAX)).reverse();
        }
        const known = await read(c, address, records);
        return known ? sessionParts(known, viewOf(c, known.revealedUntil), drawing) : {};
      },
    });
  });

  acts('take-over', 'takeOver', (address, by) => desk.takeOver(address, by));
  acts('hand-back', 'handBack', (address, by) => desk.handBack(address, by));
  acts('nudge', 'nudge', (address, by) => desk.nudge(address, by));
  acts('menu', 'toMenu', (address, by) => desk.toMenu(address, by));
  acts('end', 'end', (address, by) => desk.end(address, by));
  acts('answered', 'answerHelp', (address, by) => desk.answered(address, by));
  acts('write', 'write', (address, by, { text }) => desk.write(address, by, String(text ?? '')));

  // Who has the conversation keeps it: that is no act, so it is not in the audit either.
  app.post('/sessions/:id/renew', async (c) => {
    const id = c.req.param('id');
    const address = ids.addressOf(id);
    if (!address) return notFound(c);
    return answer(c, await desk.renew(address, agentOf(c)), `${BASE}/sessions/${id}`);
  });

  app.post('/sessions/:id/reveal', async (c) => {
    const { who } = c.var;
    const id = c.req.param('id');
    const address = ids.addressOf(id);
    if (!address) return notFound(c);
    const back = `${BASE}/sessions/${id}`;
    const { why, tell } = await c.req.parseBody();
    const reason = typeof why === 'string' ? why.trim().slice(0, REASON_MAX_CHARACTERS) : '';
    if (reason.length < REASON_MIN_CHARACTERS) return answer(c, 'noReason', back);
    await audit.append({ who: who.id, act: 'reveal', on: address, why: reason });
    if (!(await reveals.reveal(who.id, address))) return answer(c, 'tooMany', back);
    if (tell === 'yes') await desk.tellRevealed(address, agentOf(c));
    return answer(c, 'revealed', back);
  });
  return app;

  /** One act in a session, by whoever is signed in. It is in the audit before it is done. */
  function acts(
    path: string,
    act: Audited,
    run: (address: Address, by: Agent, form: Record<string, unknown>) => Promise<Acted>,
  ): void {
    app.post(`/sessions/:id/${path}`, async (c) => {
      const id = c.req.param('id') ?? '';
      const address = ids.addressOf(id);
      if (!address) return notFound(c);
      const form = await c.req.parseBody();
      await audit.append({ who: c.var.who.id, act, on: address });
      const acted = await run(address, agentOf(c), form);
      queue.expire();
      return answer(c, acted, `${BASE}/sessions/${id}`);
    });
  }

  async function read(
    c: Context<Guarded>,
    address: Address,
    records: readonly TurnRecord[],
  ): Promise<Known | undefined> {
    const [session, { help }, revealedUntil] = await Promise.all([
      desk.session(address),
      queue.read(),
      reveals.until(c.var.who.id, address),
    ]);
    if (!session) return undefined;
    const payments = session.wallet ? await desk.payments(session.wallet, PAYMENTS_MAX) : [];
    const asked = help.some((each) => each.address === address);
    return { id: c.req.param('id') ?? '', session, records, payments, asked, revealedUntil };
  }

  function viewOf(c: Ctx | Context<Guarded>, revealedUntil: number | undefined): View {
    const { who, language } = c.var;
    return { who, language, now: now(), sight: sightOf(who.role, revealedUntil !== undefined) };
  }
}

function agentOf(c: Context<Guarded>): Agent {
  const { id, name } = c.var.who;
  return { id, name };
}

function lookOf(agent: string): string {
  return `support-look ${agent}`;
}
