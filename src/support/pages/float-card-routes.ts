import { type Context, Hono } from 'hono';
import type { Principal } from '../../conversation/desk/desk.ts';
import type { Answer } from '../../wallet/answer.ts';
import { readAmount } from '../../wallet/money.ts';
import { readPhone } from '../../wallet/phone.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import { field } from '../form.ts';
import { sightOf } from '../masks.ts';
import { answer, notFound } from './answer.ts';
import { floatCardsPage } from './float-cards.ts';
import type { Tools } from './options.ts';
import { isSaid } from './parts.ts';
import type { Note } from './principal.ts';
import { failedNote, incompleteNote } from './principal-notes.ts';
import { REASON, typedIn } from './words.ts';

type Ctx = Context<Guarded>;
const HOME = `${BASE}/principal/card`;
const CARD_NAME_MAX = 50;

/** Administrators load the float by card, and look after the cards that the wallet has saved for it. Each act is in the audit before. */
export function floatCardRoutes(tools: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.get('/principal/card', (c) => sendPage(tools, c));
  app.post('/principal/card', (c) => begin(tools, c));
  app.post('/principal/cards/:card/rename', (c) => rename(tools, c, Number(c.req.param('card'))));
  app.post('/principal/cards/:card/delete', (c) => remove(tools, c, Number(c.req.param('card'))));
  return app;
}

/** Asks the wallet for the cost, and makes the page. The browser is sent on to an address that can be reloaded. */
async function begin(tools: Tools, c: Ctx): Promise<Response> {
  const { principal } = tools.desk;
  if (!principal) return notFound(c);
  const { id: who, name } = c.var.who;
  const [amount, phone] = [readAmount(await field(c, 'amount')), readPhone(await field(c, 'phone'))];
  const { text: why, no } = typedIn(await field(c, 'why'), REASON);
  if (!phone) return answer(c, 'noNumber', HOME);
  if (no) return answer(c, no, HOME);
  if (!amount.ok) return sendPage(tools, c, incompleteNote(c));
  const what = String(amount.centimes / 100);
  await tools.audit.append({ who, act: 'loadFloatByCard', on: principal.code, about: phone, why, what });
  const begun = await principal.beginCardLoad({ amount: amount.centimes, phone }, { id: who, name });
  if (begun.kind === 'notBound') return answer(c, 'noNumber', HOME);
  return begun.kind === 'ok'
    ? c.redirect(`${HOME}?load=${begun.value.id}`, 303)
    : sendPage(tools, c, failedNote(c, begun));
}

async function rename(tools: Tools, c: Ctx, id: number): Promise<Response> {
  const { text: name, no } = typedIn(await field(c, 'name'), { max: CARD_NAME_MAX });
  if (no) return answer(c, no, HOME);
  if (name === '') return sendPage(tools, c, incompleteNote(c));
  return changed(tools, c, { id, act: 'renameAgentCard' }, (principal) => principal.renameCard(id, name));
}

function remove(tools: Tools, c: Ctx, id: number): Promise<Response> {
  return changed(tools, c, { id, act: 'deleteAgentCard' }, (principal) => principal.deleteCard(id));
}

async function changed(
  tools: Tools,
  c: Ctx,
  { id, act }: { readonly id: number; readonly act: 'renameAgentCard' | 'deleteAgentCard' },
  run: (principal: Principal) => Promise<Answer<true>>,
): Promise<Response> {
  const { principal } = tools.desk;
  if (!principal || !Number.isSafeInteger(id)) return notFound(c);
  await tools.audit.append({ who: c.var.who.id, act, on: principal.code, what: `card ${id}` });
  const result = await run(principal);
  return result.kind === 'ok' ? answer(c, 'done', HOME) : sendPage(tools, c, failedNote(c, result));
}

async function sendPage({ desk: { principal }, now }: Tools, c: Ctx, note?: Note): Promise<Response> {
  if (!principal) return notFound(c);
  const { who, language } = c.var;
  const id = c.req.query('load');
  const [numbers, loads, cards, load] = await Promise.all([
    principal.numbers(),
    principal.cardLoads(),
    principal.cards(),
    id === undefined ? undefined : principal.cardLoad(id),
  ]);
  if (id !== undefined && !load) return notFound(c);
  const { code, takesCards } = principal;
  const said = c.req.query('said');
  const view = { who, language, now: now(), sight: sightOf(who) };
  const page = floatCardsPage(
    { code, takesCards, numbers, loads, cards, load },
    view,
    note ?? (isSaid(said) ? said : undefined),
  );
  return c.html(page, note ? 400 : 200);
}
