import { type Context, Hono } from 'hono';
import type { Case } from '../../conversation/cases/case.ts';
import type { Acted } from '../../conversation/desk/desk.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded, Who } from '../access/guard.ts';
import { cannedFor, type WrittenAnswer } from '../answers.ts';
import { actsOf, type MacroAct } from '../macros.ts';
import { answer, notFound } from './answer.ts';
import { macroRead, mayHandle, TEAM_PREFIX } from './case.ts';
import { CASE_ACTS, type CaseSaid, done, endOf, type Form, ownerOf, workPath } from './case-acts.ts';
import type { Tools } from './options.ts';
import type { Said } from './parts.ts';
import { shortReference } from './payment.ts';

type Ctx = Context<Guarded>;

/** Several acts about a case under one name. */
export function macroRoutes(tools: Tools): Hono<Guarded> {
  return new Hono<Guarded>().post('/cases/:id/macro', (c) => macro(tools, c));
}

/**
 * Does what a macro does, one act after the other, each in the audit with how it ended, until one is refused: that is said. Only what
 * the agent has read, and only about a case that they may change: else nothing is done.
 */
async function macro(tools: Tools, c: Ctx): Promise<Response> {
  const { desk, audit, caseList, queue } = tools;
  const [id, form, offered] = [c.req.param('id') ?? '', await c.req.parseBody(), await tools.offered()];
  const [macroId, read] = [String(form.macro).split(':')[0], form.macro];
  const [it, chosen] = [await desk.cases.find(id), offered.macros.find((each) => each.id === macroId)];
  if (!it) return notFound(c);
  const back = `${BASE}/cases/${it.id}`;
  if (!chosen) return answer(c, 'notFound', back);
  if (it.state === 'closed') return answer(c, 'notNow', back);
  if (!mayHandle(it, c.var.who)) return answer(c, 'owned', back);
  if (read !== macroRead(chosen, it, offered, c.var))
    return shownAnew(c, 'macroChanged', workPath(tools, it));
  let said: Said = 'done';
  for (const [name, value] of actsOf(chosen)) {
    // As the act before has left it.
    const now = (await desk.cases.find(id)) ?? it;
    const acted = await audit.part(() => actOf(tools, c, now, name, value, offered.answers), endOf);
    if (acted === 'done') continue;
    said = `stopped-${name}-${acted}`;
    break;
  }
  queue.expire();
  caseList.expire();
  return answer(c, said, back);
}

/** What the page shows is no longer so: it is shown again as it is, with the reason, also where a script has sent the form. */
function shownAnew(c: Ctx, said: Said, path: string): Response | Promise<Response> {
  if (!c.req.header('hx-request')) return answer(c, said, path);
  c.set('refusal', said);
  c.header('hx-redirect', `${path}?said=${said}`);
  return c.body(null, 204);
}

/** One act of a macro. What is so already has nothing left to do. */
async function actOf(
  tools: Tools,
  c: Ctx,
  it: Case,
  name: MacroAct,
  value: string,
  answers: readonly WrittenAnswer[],
): Promise<CaseSaid | Acted> {
  const { who } = c.var;
  const byHand = (fields: Form) => {
    const row = CASE_ACTS.find(([path]) => path === name);
    return row ? done(tools, who, it, row[1], name, row[2], fields) : ('notFound' as const);
  };
  switch (name) {
    case 'answer':
      return writeAnswer(tools, c, it, value, answers);
    case 'label':
      return it.labels?.includes(value) ? 'done' : byHand({ label: value });
    case 'give':
      return it.team === value && !it.owner ? 'done' : byHand({ to: `${TEAM_PREFIX}${value}` });
    case 'snooze':
      return byHand({ for: value });
    case 'close': {
      // Whoever closes a case is through with its conversation; whoever may not, keeps it.
      const closed = await byHand({ note: value });
      return closed === 'done' ? ((await handsBack(tools, who, it)) ?? 'done') : closed;
    }
  }
}

/** A canned answer, to the customer whom a case is about. */
async function writeAnswer(
  { desk, audit }: Tools,
  c: Ctx,
  { address, wallet, language }: Case,
  value: string,
  answers: readonly WrittenAnswer[],
): Promise<CaseSaid | Acted> {
  const { who, language: own } = c.var;
  const [newest] = wallet ? await desk.payments(wallet, 1) : [];
  const values = { agent: who.name, reference: newest && shortReference(newest) };
  const choices = cannedFor(answers, language ?? own, own, values);
  const text = choices.find(({ id }) => id === value)?.text;
  if (!address || text === undefined) return 'notFound';
  await audit.append({ who: who.id, act: 'write', on: address, ...(wallet && { about: wallet }) });
  return desk.write(address, ownerOf(who), text);
}

/** Gives back a conversation that the agent has. Undefined where there is nothing more to say of that. */
async function handsBack(
  { desk, audit }: Tools,
  who: Who,
  { address, wallet }: Case,
): Promise<Acted | undefined> {
  const session = address && (await desk.session(address));
  if (!address || (session ? session.owner?.id : undefined) !== who.id) return undefined;
  await audit.append({ who: who.id, act: 'handBack', on: address, ...(wallet && { about: wallet }) });
  const isBack = await desk.handBack(address, ownerOf(who));
  return isBack === 'done' ? undefined : isBack;
}
