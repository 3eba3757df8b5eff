import { type Context, Hono } from 'hono';
import type { Principal } from '../../conversation/desk/desk.ts';
import type { Answer } from '../../wallet/answer.ts';
import { readPhone } from '../../wallet/phone.ts';
import { readAmount } from '../../wallet/typed-amount.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import { texts } from '../form.ts';
import { answer, audited, found, viewOf } from './answer.ts';
import { ownerOf } from './case-acts.ts';
import { CARD_NAME_MAX, floatCardsPage } from './float-cards.ts';
import type { Tools } from './options.ts';
import type { Note } from './parts.ts';
import { failedNote, incompleteNote } from './principal-notes.ts';
import { REASON, typedIn } from './words.ts';

type Ctx = Context<Guarded>;
const HOME = `${BASE}/principal/card`;

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
  const principal = found(tools.desk.principal);
  const form = await texts(c);
  const [amount, phone] = [readAmount(form.amount ?? ''), readPhone(form.phone ?? '')];
  const { text: why, no } = typedIn(form.why, REASON);
  if (!phone) return answer(c, 'noNumber', HOME);
  if (no) return answer(c, no, HOME);
  if (!amount.ok) return sendPage(tools, c, incompleteNote(c));
  const what = String(amount.centimes / 100);
  await audited(tools, c, 'loadFloatByCard', { on: principal.code, about: phone, why, what });
  const begun = await principal.beginCardLoad({ amount: amount.centimes, phone }, ownerOf(c.var.who));
  if (begun.kind === 'notBound') return answer(c, 'noNumber', HOME);
  return begun.kind === 'ok'
    ? c.redirect(`${HOME}?load=${begun.value.id}`, 303)
    : sendPage(tools, c, failedNote(c, begun));
}

async function rename(tools: Tools, c: Ctx, id: number): Promise<Response> {
  const { text: name, no } = typedIn((await texts(c)).name, { max: CARD_NAME_MAX });
  if (no) return answer(c, no, HOME);
  if (name === '') return sendPage(tools, c, incompleteNote(c));
  return changed(tools, c, id, 'renameAgentCard', (principal) => principal.renameCard(id, name));
}

function remove(tools: Tools, c: Ctx, id: number): Promise<Response> {
  return changed(tools, c, id, 'deleteAgentCard', (principal) => principal.deleteCard(id));
}

async function changed(
  tools: Tools,
  c: Ctx,
  id: number,
  act: 'renameAgentCard' | 'deleteAgentCard',
  run: (principal: Principal) => Promise<Answer<true>>,
): Promise<Response> {
  const principal = found(Number.isSafeInteger(id) ? tools.desk.principal : undefined);
  await audited(tools, c, act, { on: principal.code, what: `card ${id}` });
  const result = await run(principal);
  return result.kind === 'ok' ? answer(c, 'done', HOME) : sendPage(tools, c, failedNote(c, result));
}

async function sendPage(tools: Tools, c: Ctx, note?: Note): Promise<Response> {
  const principal = found(tools.desk.principal);
  const id = c.req.query('load');
  const [numbers, loads, cards, load] = await Promise.all([
    principal.numbers(),
    principal.cardLoads(),
    principal.cards(),
    id === undefined ? undefined : principal.cardLoad(id).then(found),
  ]);
  const { code, takesCards } = principal;
  const view = viewOf(tools, c);
  const shown = { code, takesCards, numbers, loads, cards, load };
  return c.html(floatCardsPage(shown, { ...view, said: note ?? view.said }), note ? 400 : 200);
}
