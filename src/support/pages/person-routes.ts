import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { ownAddress, ownWallet } from '../../conversation/channel.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Guarded } from '../access/guard.ts';
import { texts } from '../form.ts';
import { answer, audited, found, isByScript, viewOf } from './answer.ts';
import { ownerOf } from './case-acts.ts';
import { paneBeside } from './case-pane.ts';
import type { Tools } from './options.ts';
import { personPage, personPane, personPath } from './person.ts';
import { revealTo } from './reveal.ts';
import { NOTE, typedIn } from './words.ts';

const TURNS_PER_PAGE = 60;
/** How many payments a page beside it has. */
const PAYMENTS_MAX = 10;

type Ctx = Context<Guarded, '/persons/:id'>;

/** One customer over all their channels. URLs name them by the seal of their own number. */
export function personRoutes(tools: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.get('/persons/:id', (c) => see(tools, c));
  app.get('/persons/:id/pane', (c) => seePane(tools, c as Ctx));
  app.post('/persons/:id/note', (c) => addNote(tools, c));
  app.post('/persons/:id/reveal', (c) => reveal(tools, c));
  return app;
}

/** @throws NotThere for a name that was not made here */
function walletIn({ ids }: Tools, c: Ctx): Msisdn {
  const address = ids.addressOf(c.req.param('id'));
  return found(address && ownWallet(address));
}

async function see(tools: Tools, c: Ctx): Promise<Response> {
  const { desk, renderer } = tools;
  const wallet = walletIn(tools, c);
  await audited(tools, c, 'seePerson', { on: wallet, about: wallet });
  const [before, paidBefore] = [momentIn(c.req.query('before')), momentIn(c.req.query('paid'))];
  const [read, timeline, payments, agents, pane] = await Promise.all([
    readPerson(tools, c, wallet),
    desk.timeline(wallet, TURNS_PER_PAGE, before),
    desk.payments(wallet, PAYMENTS_MAX + 1, paidBefore),
    tools.agents(),
    paneBeside(tools, c, undefined),
  ]);
  const { known, view } = found(read);
  const paid = { payments: payments.slice(0, PAYMENTS_MAX), hasMore: payments.length > PAYMENTS_MAX };
  const shown = { ...known, agents, timeline, before, ...paid, paidBefore };
  return c.html(personPage(shown, pane, view, renderer));
}

/** The pane beside a conversation. It is in the audit as the page is. */
async function seePane(tools: Tools, c: Ctx): Promise<Response> {
  const wallet = walletIn(tools, c);
  await audited(tools, c, 'seePerson', { on: wallet, about: wallet });
  const shown = await readPerson(tools, c, wallet);
  return c.html(shown ? personPane(shown.known, shown.view) : html``);
}

/** Reads all that is known about a customer, and how much of it the agent sees. Undefined where nothing is known. */
async function readPerson(tools: Tools, c: Ctx, wallet: Msisdn) {
  const { desk, ids, reveals } = tools;
  // Of whom nothing is known here, the wallet is asked nothing: who was forgotten stays so.
  const person = await desk.person(wallet);
  if (!person) return undefined;
  const details = await desk.details(wallet);
  const addresses = [ownAddress(wallet), ...person.sessions.map(({ address }) => address)];
  const looks = await Promise.all(addresses.map((address) => reveals.until(c.var.who.id, address)));
  const revealedUntil = looks.find((until) => until !== undefined);
  return {
    known: { id: c.req.param('id'), person, details, revealedUntil, idOf: ids.idOf },
    view: viewOf(tools, c, revealedUntil !== undefined),
  };
}

/** A moment that a page begins before, in ms since 1970. */
function momentIn(asked: string | undefined): number | undefined {
  const moment = Number(asked);
  return Number.isSafeInteger(moment) && moment > 0 ? moment : undefined;
}

async function addNote(tools: Tools, c: Ctx): Promise<Response> {
  const wallet = walletIn(tools, c);
  found(await tools.desk.person(wallet));
  const { text: note, no } = typedIn((await texts(c)).text, NOTE);
  await audited(tools, c, 'addNote', { on: wallet, about: wallet });
  const noted = no ?? (await tools.desk.note(wallet, ownerOf(c.var.who), note));
  const shown = isByScript(c) ? await readPerson(tools, c, wallet) : undefined;
  const piece = shown && personPane(shown.known, shown.view, true);
  return answer(c, noted, personPath(tools, wallet), { piece });
}

async function reveal(tools: Tools, c: Ctx): Promise<Response> {
  const wallet = walletIn(tools, c);
  return revealTo(tools, c, ownAddress(wallet), personPath(tools, wallet));
}
