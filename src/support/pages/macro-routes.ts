import { type Context, Hono } from 'hono';
import { type Case, isSnoozedUntil } from '../../conversation/cases/case.ts';
import type { Acted } from '../../conversation/desk/desk.ts';
import type { Language } from '../../conversation/incoming.ts';
import type { Guarded } from '../access/guard.ts';
import { may } from '../access/roles.ts';
import { cannedFor, type WrittenAnswer } from '../answers.ts';
import { actsOf, type Macro, type MacroAct } from '../macros.ts';
import { audited, found, saysOn } from './answer.ts';
import { macroRead, mayHandle, TEAM_PREFIX } from './case.ts';
import {
  answerAbout,
  CASE_ACTS,
  done,
  endOf,
  type Form,
  ownerOf,
  type Ran,
  untilOf,
  workPath,
} from './case-acts.ts';
import { stepBefore } from './earlier-step.ts';
import type { Offered, Tools } from './options.ts';
import type { PlainSaid } from './parts.ts';
import { shortReference } from './payment.ts';

type Ctx = Context<Guarded>;

/** Several acts about a case under one name. */
export function macroRoutes(tools: Tools): Hono<Guarded> {
  return new Hono<Guarded>().post('/cases/:id/macro', (c) => macro(tools, c));
}

async function macro(tools: Tools, c: Ctx): Promise<Response> {
  const { desk, caseNews, queue } = tools;
  const [form, offered] = [await c.req.parseBody(), await tools.offered()];
  const it = found(await desk.cases.find(c.req.param('id') ?? ''));
  const chosen = macroIn(form, [it.language], offered, c);
  const ran = await runMacro(tools, c, it, chosen && { ...chosen, stepsIn: true }, offered);
  // The page is out of date: it is shown again as it is now, with the reason.
  if (ran.said === 'macroChanged') return saysOn(c, ran.said, workPath(tools, it));
  queue.expire();
  caseNews.expire();
  return answerAbout(tools, c, it.id, ran);
}

/** The macro that a form asks for, and whether the agent has read its acts. Undefined where there is none. */
interface ChosenMacro {
  readonly macro: Macro;
  readonly isRead: boolean;
  /** The agent steps in where nobody is in the conversation, so that it can write. */
  readonly stepsIn?: boolean;
}

/** @param languages those of the customers whom it may write to, as where it was read */
export function macroIn(
  { macro: read }: Form,
  languages: readonly (Language | undefined)[],
  offered: Offered,
  c: Ctx,
): ChosenMacro | undefined {
  const macro = offered.macros.find(({ id }) => id === String(read).split(':')[0]);
  return macro && { macro, isRead: read === macroRead(macro, languages, offered, c.var) };
}

/**
 * Does what a macro does, one act after the other, until one is refused: that is said. Only what the agent has read, and only about a
 * case that they may change: else nothing is done. The macro is in the audit, and each act with how it ended.
 */
export async function runMacro(
  tools: Tools,
  c: Ctx,
  it: Case,
  chosen: ChosenMacro | undefined,
  offered: Offered,
): Promise<Ran> {
  const { desk, audit } = tools;
  const { who } = c.var;
  await audited(tools, c, 'runMacro', { on: it.id, about: it.wallet, what: chosen?.macro.name });
  if (!chosen) return { said: 'notFound' };
  const refused = it.state === 'closed' ? 'notNow' : mayHandle(it, who) ? undefined : 'owned';
  if (refused) return { said: refused, before: stepBefore(it, refused, 'macro', {}) };
  if (!chosen.isRead) return { said: 'macroChanged' };
  const taken = chosen.stepsIn && chosen.macro.answer !== undefined && (await stepsIn(tools, c, it));
  if (taken && taken !== 'done') return { said: `stopped-answer-${taken}` };
  for (const [name, value] of actsOf(chosen.macro)) {
    // As the act before has left it.
    const now = (await desk.cases.find(it.id)) ?? it;
    const { said, before } = await audit.part(
      () => actOf(tools, c, now, name, value, offered.answers),
      endOf,
    );
    if (said !== 'done') return { said: `stopped-${name}-${said}`, before };
  }
  return { said: 'done' };
}

/** Takes a conversation over that nobody has. Undefined for any other one. */
async function stepsIn(tools: Tools, c: Ctx, { address, wallet }: Case): Promise<Acted | undefined> {
  const { desk, audit } = tools;
  const session = address && (await desk.session(address));
  if (!address || !session || session.owner || !may(c.var.who.role, 'takeOver')) return undefined;
  const { said } = await audit.part(async () => {
    await audited(tools, c, 'takeOver', { on: address, about: wallet });
    return { said: await desk.takeOver(address, ownerOf(c.var.who)) };
  }, endOf);
  return said;
}

async function actOf(
  tools: Tools,
  c: Ctx,
  it: Case,
  name: MacroAct,
  value: string,
  answers: readonly WrittenAnswer[],
): Promise<Ran<PlainSaid>> {
  if (isSo(tools, it, name, value)) return { said: 'done' };
  const ran = await actsOn(tools, c, it, name, value, answers);
  if (ran.said !== 'notNow') return ran;
  const now = await tools.desk.cases.find(it.id);
  return now && isSo(tools, now, name, value) ? { said: 'done', isSo: true } : ran;
}

function isSo(tools: Tools, it: Case, name: MacroAct, value: string): boolean {
  switch (name) {
    case 'label':
      return it.labels?.includes(value) ?? false;
    case 'give':
      return it.team === value && !it.owner;
    case 'snooze': {
      const until = untilOf(tools, { for: value });
      return until !== undefined && isSnoozedUntil(it, until, tools.now());
    }
    default:
      return false;
  }
}

async function actsOn(
  tools: Tools,
  c: Ctx,
  it: Case,
  name: MacroAct,
  value: string,
  answers: readonly WrittenAnswer[],
): Promise<Ran<PlainSaid>> {
  const { who } = c.var;
  const byHand = async (fields: Form): Promise<Ran<PlainSaid>> => {
    const row = CASE_ACTS.find(([path]) => path === name);
    return row ? done(tools, who, it, row, fields) : { said: 'notFound' };
  };
  switch (name) {
    case 'answer': {
      // The same press, repeated: the customer has it.
      const said = await writeAnswer(tools, c, it, value, answers);
      return said === 'again' ? { said: 'done', isSo: true } : { said };
    }
    case 'label':
      return byHand({ label: value });
    case 'give':
      return byHand({ to: `${TEAM_PREFIX}${value}` });
    case 'snooze':
      return byHand({ for: value });
    case 'close': {
      // An agent who closes a case also hands back its conversation. An agent who may not hand it back keeps it.
      const closed = await byHand({ note: value });
      return closed.said === 'done' ? { said: (await handsBack(tools, c, it)) ?? 'done' } : closed;
    }
  }
}

async function writeAnswer(
  tools: Tools,
  c: Ctx,
  { address, wallet, language }: Case,
  value: string,
  answers: readonly WrittenAnswer[],
): Promise<Acted> {
  const { desk } = tools;
  const { who, language: own } = c.var;
  const [newest] = wallet ? await desk.payments(wallet, 1) : [];
  const values = { agent: who.name, reference: newest && shortReference(newest) };
  const choices = cannedFor(answers, language ?? own, own, values);
  const text = choices.find(({ id }) => id === value)?.text;
  if (!address || text === undefined) return 'notFound';
  await audited(tools, c, 'write', { on: address, about: wallet });
  return desk.write(address, ownerOf(who), text);
}

/** Gives back a conversation that the agent has. Undefined where there is nothing more to say of that. */
async function handsBack(tools: Tools, c: Ctx, { address, wallet }: Case): Promise<Acted | undefined> {
  const { desk } = tools;
  const { who } = c.var;
  const session = address && (await desk.session(address));
  if (!address || (session ? session.owner?.id : undefined) !== who.id) return undefined;
  await audited(tools, c, 'handBack', { on: address, about: wallet });
  const isBack = await desk.handBack(address, ownerOf(who));
  return isBack === 'done' ? undefined : isBack;
}
