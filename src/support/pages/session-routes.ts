import { type Context, Hono } from 'hono';
import type { Sealed } from '../../../machines/kit/secret.ts';
import type { Case } from '../../conversation/cases/case.ts';
import type { Acted, Agent, Desk } from '../../conversation/desk/desk.ts';
import { whenAway } from '../../conversation/desk/reading.ts';
import type { Address } from '../../conversation/incoming.ts';
import type { TurnRecord } from '../../conversation/record/record.ts';
import { withoutSecrets } from '../../conversation/session/talk.ts';
import { latinDigits } from '../../wallet/digits.ts';
import { linksRemoved } from '../../wallet/names.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import { may } from '../access/roles.ts';
import type { Audited } from '../audit/deeds.ts';
import { say } from '../sentences.ts';
import { aboutWhom, answer, audited, found, leadsOn, viewOf } from './answer.ts';
import { ownerOf } from './case-acts.ts';
import { caseAfter, casesNow, paneBeside } from './case-pane.ts';
import { noticed, type Tools } from './options.ts';
import { personPath } from './person.ts';
import { revealTo, whyClosed } from './reveal.ts';
import { type Known, ownedInstead, sessionPage, sessionParts } from './session.ts';
import { ANSWER, typedIn } from './words.ts';

const TURNS_MAX = 60;
/** How many payments of its wallet. */
const PAYMENTS_MAX = 5;
/** A page that is open for longer must be opened anew, and is then in the audit again. */
const LOOK_MS = 12 * 3_600_000;
/** Turns that follow each other faster are shown together. */
const GAP_MS = 50;
const EVERY_MS = 2_000;
const LIST_EVERY_MS = 2_000;

type Ctx = Context<Guarded, '/sessions/:id'>;
type Form = Readonly<Record<string, unknown>>;
type Run = (desk: Desk, address: Address, by: Agent, form: Form) => Promise<Acted | 'link' | 'tooLong'>;

/** The acts of an agent in a session: the end of the path, the name in the audit, and the function. */
const ACTS: readonly (readonly [path: string, act: Audited, run: Run])[] = [
  ['take-over', 'takeOver', (desk, address, by) => desk.takeOver(address, by)],
  ['take-from', 'takeFrom', (desk, address, by) => desk.takeOver(address, by, true)],
  ['hand-back', 'handBack', (desk, address, by) => desk.handBack(address, by)],
  ['nudge', 'nudge', (desk, address, by) => desk.nudge(address, by)],
  ['menu', 'toMenu', (desk, address, by) => desk.toMenu(address, by)],
  ['end', 'end', (desk, address, by) => desk.end(address, by)],
  ['answered', 'answerHelp', (desk, address, by) => desk.answered(address, by)],
];

/** One session: what its customer sees, live, and what an agent can do about it. */
export function sessionRoutes(tools: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.get('/sessions/:id', (c) => see(tools, c));
  app.get('/sessions/:id/live', (c) => seeLive(tools, c));
  for (const [path, name, run] of ACTS)
    app.post(`/sessions/:id/${path}`, (c) => act(tools, c as Ctx, name, run));
  app.post('/sessions/:id/write', (c) => write(tools, c));
  app.post('/sessions/:id/file', (c) => sendFile(tools, c));
  app.get('/sessions/:id/files/:file', (c) => seeFile(tools, c, c.req.param('file')));
  app.post('/sessions/:id/renew', (c) => renew(tools, c));
  app.post('/sessions/:id/reveal', (c) => reveal(tools, c));
  return app;
}

async function see(tools: Tools, c: Ctx): Promise<Response> {
  const { desk, secrets, now } = tools;
  const { who } = c.var;
  const address = addressIn(tools, c);
  await written(tools, c, 'seeSession', address);
  const known = found(await read(tools, c, address, (await desk.turns(address, TURNS_MAX)).reverse()));
  await noticed(tools, known.it, who);
  const view = viewOf(tools, c, known.revealedUntil !== undefined);
  // The stream goes on with this look. No agent can begin a look there that is not in the audit.
  const look = secrets.seal(address, lookOf(who.id), now());
  const parts = await sessionParts(known, view, tools);
  return c.html(sessionPage(known, parts, { look, pane: await paneBeside(tools, c, known.it?.id) }, view));
}

/** @throws NotThere for a name that was not made here */
function addressIn({ ids }: Tools, c: Ctx): Address {
  return found(ids.addressOf(c.req.param('id')));
}

async function written(tools: Tools, c: Ctx, act: Audited, address: Address, what?: string): Promise<void> {
  await audited(tools, c, act, { on: address, about: await aboutWhom(tools, address), what });
}

function pathOf(c: Ctx): string {
  return `${BASE}/sessions/${c.req.param('id')}`;
}

async function seeLive(tools: Tools, c: Ctx): Promise<Response> {
  const { desk, ids, live, secrets, streams, caseNews, now } = tools;
  const { who } = c.var;
  const address = ids.addressOf(c.req.param('id'));
  const look = c.req.query('look') ?? '';
  if (!address || secrets.open(look as Sealed, lookOf(who.id), now(), LOOK_MS) !== address) {
    c.set('refusal', 'look');
    return c.text('open the page first\n', 403);
  }
  await live.watching();
  let records: TurnRecord[] | undefined;
  let isLost = true;
  // The list beside it changes less often than a conversation.
  let [list, isListOld] = [{ at: 0, cases: '' }, true];
  return streams.open(c, {
    gapMs: GAP_MS,
    everyMs: EVERY_MS,
    follow: (changed) => {
      const stopCases = caseNews.onChange(() => {
        isListOld = true;
        changed();
      });
      const stop = live.follow(address, (record) => {
        if (record && records) records = [...records, record].slice(-TURNS_MAX);
        else isLost = true;
        changed();
      });
      return () => {
        stop();
        stopCases();
      };
    },
    async render() {
      if (isLost || !records) {
        isLost = false;
        records = (await desk.turns(address, TURNS_MAX)).reverse();
      }
      const known = await read(tools, c, address, records);
      if (!known) return {};
      if (isListOld || now() - list.at >= LIST_EVERY_MS) {
        isListOld = false;
        list = { at: now(), cases: String(await casesNow(tools, c)) };
      }
      const parts = await sessionParts(known, viewOf(tools, c, known.revealedUntil !== undefined), tools);
      return { ...parts, cases: list.cases };
    },
  });
}

/** One act in a session, by the signed-in agent. It is in the audit before it is done. */
async function act(tools: Tools, c: Ctx, name: Audited, run: Run, then?: Then): Promise<Response> {
  const { desk, queue, caseNews } = tools;
  const address = addressIn(tools, c);
  const form = await c.req.parseBody();
  await written(tools, c, name, address);
  const first = await run(desk, address, ownerOf(c.var.who), form);
  const after = first === 'done' ? await then?.(address, form) : undefined;
  const { acted = first, next, isOver = false } = after ?? {};
  queue.expire();
  caseNews.expire();
  if (isOver) return leadsOn(c, next);
  const because = ownedInstead(acted, await desk.session(address), c.var);
  return answer(c, acted, pathOf(c), { because });
}

/** Does the act of a form. `isOver`: the case is closed, and the agent is led on to the `next` one. */
type Then = (
  address: Address,
  form: Form,
) => Promise<{ readonly acted: Acted; readonly next?: string | undefined; readonly isOver?: boolean }>;

/** A message by an agent. If a part of it would not arrive, the agent is told before it is sent. */
async function write(tools: Tools, c: Ctx): Promise<Response> {
  const { text, no } = typedIn((await c.req.parseBody()).text, ANSWER);
  const refused = linksRemoved(text, tools.hosts ?? []).length > 0 ? 'link' : no;
  const sent = withoutSecrets(text);
  if (!refused && sent !== latinDigits(text)) {
    await written(tools, c, 'write', addressIn(tools, c));
    const because = say(c.var.language, 'console.hiddenInWords', { text: { text: sent } });
    return answer(c, 'hidden', pathOf(c), { because });
  }
  const then: Then = async (address, form) => {
    const it = form.last === 'yes' ? await tools.desk.cases.at(address) : undefined;
    if (!it || !may(c.var.who.role, 'workCases')) return { acted: 'done' };
    // Its place in the list is known as long as it is in it.
    const next = await caseAfter(tools, c, it.id);
    const acted = await closesAfter(tools, c, address, it);
    return { acted, next, isOver: acted === 'done' };
  };
  const writes: Run = async (desk, address, by) => refused ?? desk.write(address, by, text);
  return act(tools, c, 'write', writes, then);
}

/** The last answer of many conversations: what is left to do is done with it. */
async function closesAfter(tools: Tools, c: Ctx, address: Address, it: Case): Promise<Acted> {
  const { desk } = tools;
  const by = ownerOf(c.var.who);
  const about = await aboutWhom(tools, address);
  await audited(tools, c, 'handBack', { on: address, about });
  const isBack = await desk.handBack(address, by);
  if (isBack !== 'done') return isBack;
  await audited(tools, c, 'closeCase', { on: it.id, about, what: 'close' });
  return desk.closeCase(it.id, by);
}

/** A picture or a PDF. Its bytes tell its type, and the audit has its size. */
async function sendFile(tools: Tools, c: Ctx): Promise<Response> {
  const address = addressIn(tools, c);
  const { file } = await c.req.parseBody();
  const bytes = file instanceof File ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array();
  await written(tools, c, 'sendFile', address, `${bytes.length} bytes`);
  const sent = await tools.desk.sendFile(address, ownerOf(c.var.who), bytes);
  tools.caseNews.expire();
  return answer(c, sent, pathOf(c));
}

const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
};

/** The customer's file: a picture is shown, a PDF saved. It opens like their other data, and each look is in the audit. */
async function seeFile(tools: Tools, c: Ctx, file: string): Promise<Response> {
  const address = addressIn(tools, c);
  await written(tools, c, 'seeFile', address, file.slice(0, 40));
  const closed = await whyClosed(tools, c.var.who.id, address);
  if (closed) return answer(c, closed, pathOf(c));
  const { type = '', bytes } = (await tools.desk.sentFile(address, file)) ?? {};
  const ending = ENDINGS[type];
  if (!bytes || !ending) return answer(c, 'notFound', pathOf(c));
  const shown = type === 'application/pdf' ? 'attachment' : 'inline';
  return c.body(Uint8Array.from(bytes), 200, {
    'content-type': type,
    'content-disposition': `${shown}; filename="wasl-${file.slice(0, 8)}.${ending}"`,
  });
}

/** Keeps the conversation with the agent who has it. This is no act, so it is not in the audit either. */
async function renew(tools: Tools, c: Ctx): Promise<Response> {
  return answer(c, await tools.desk.renew(addressIn(tools, c), ownerOf(c.var.who)), pathOf(c));
}

async function reveal(tools: Tools, c: Ctx): Promise<Response> {
  return revealTo(tools, c, addressIn(tools, c), pathOf(c));
}

async function read(
  { desk, queue, reveals, ids, presence, offered: choices, recordsAnswer }: Tools,
  c: Ctx,
  address: Address,
  records: readonly TurnRecord[],
): Promise<Known | undefined> {
  const id = c.req.param('id');
  const { who } = c.var;
  const [session, { help }, revealedUntil, it, present, offered, deliveries, isWhole] = await Promise.all([
    desk.session(address),
    queue.read(),
    reveals.until(who.id, address),
    desk.cases.at(address).catch(whenAway),
    presence.all(),
    choices(),
    desk.deliveredTo(address, TURNS_MAX),
    recordsAnswer(),
  ]);
  if (!session) return undefined;
  const payments = session.wallet ? await desk.payments(session.wallet, PAYMENTS_MAX) : [];
  // A case knows whose it is also where the session has been unlinked since.
  const wallet = session.wallet ?? it?.wallet;
  const whose = { address, ...(wallet && { wallet }) };
  const theirs = (await desk.cases.ofCustomer(whose).catch(whenAway)) ?? [];
  const otherCases = theirs.filter((each) => each.id !== it?.id);
  const asked = help.some((each) => each.address === address);
  const person = session.wallet && { personPath: personPath({ ids }, session.wallet) };
  // The same session has another name in each URL.
  const others = present.filter((each) => each.id !== who.id && ids.addressOf(each.where ?? '') === address);
  return {
    id,
    ...person,
    it,
    otherCases,
    others,
    session,
    records,
    payments,
    deliveries,
    isWhole,
    asked,
    revealedUntil,
    offered,
  };
}

function lookOf(agent: string): string {
  return `support-look ${agent}`;
}
