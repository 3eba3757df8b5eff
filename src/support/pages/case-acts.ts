import type { Context } from 'hono';
import type { Case, CaseOwner, CaseStep, Handler } from '../../conversation/cases/case.ts';
import type { Cases } from '../../conversation/cases/cases.ts';
import { type CaseActed, SNOOZE_MAX_MS } from '../../conversation/cases/changes.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded, Who } from '../access/guard.ts';
import type { Audited, End } from '../audit/deeds.ts';
import { mentionResult, namedIn } from '../mentions.ts';
import { snoozedUntil } from '../snooze.ts';
import { answer, isByScript, viewOf } from './answer.ts';
import { caseBar, handlerOf, TEAM_PREFIX } from './case.ts';
import { beforeSentence, nameOf, stepBefore } from './earlier-step.ts';
import type { Tools } from './options.ts';
import { isGood, type PlainSaid, type Said } from './parts.ts';
import { CASE_NOTE, typedIn } from './words.ts';

const WHAT_MAX_CHARACTERS = 80;

export type Form = Readonly<Record<string, unknown>>;
type CaseSaid = CaseActed | 'badTime' | 'toldNobody' | 'toldSome' | 'tooLong';
type Run = (cases: Cases, it: Case, who: Who, form: Form, tools: Tools) => Promise<CaseSaid>;
type CaseAct = readonly [path: string, act: Audited, run: Run];

/** The acts about a case: the end of the path, the name in the audit, and the function. */
export const CASE_ACTS: readonly CaseAct[] = [
  [
    'take',
    'nextCase',
    (_, { id }, who, __, { desk }) => desk.giveCase(id, { agent: ownerOf(who) }, agentOf(who)),
  ],
  ['give', 'giveCase', (_, it, who, { to }, tools) => give(it, who, String(to ?? ''), tools)],
  ['wait', 'changeCase', (cases, { id }, who) => cases.setWaiting(id, true, handlerOf(who))],
  ['go-on', 'changeCase', (cases, { id }, who) => cases.setWaiting(id, false, handlerOf(who))],
  ['urgent', 'changeCase', (cases, { id }, who) => cases.setUrgent(id, true, handlerOf(who))],
  ['not-urgent', 'changeCase', (cases, { id }, who) => cases.setUrgent(id, false, handlerOf(who))],
  ['label', 'labelCase', (cases, it, who, { label }, tools) => relabel(cases, it, who, label, true, tools)],
  [
    'unlabel',
    'labelCase',
    (cases, it, who, { label }, tools) => relabel(cases, it, who, label, false, tools),
  ],
  ['note', 'addNote', (cases, it, who, { text }, tools) => note(cases, it, who, text, tools)],
  ['snooze', 'snoozeCase', (_, { id }, who, form, tools) => snooze(tools, id, who, form)],
  [
    'merge',
    'mergeCase',
    (cases, { id }, who, { into }) => cases.merge(id, String(into ?? ''), handlerOf(who)),
  ],
  [
    'close',
    'closeCase',
    async (_, { id }, who, { note }, { desk }) => {
      const { text, no } = typedIn(note, CASE_NOTE);
      return no ?? desk.closeCase(id, agentOf(who), text);
    },
  ],
  ['reopen', 'reopenCase', (_, { id }, who, _form, { desk }) => desk.reopenCase(id, agentOf(who))],
];

export interface Ran<S extends Said = Said> {
  readonly said: S;
  /** The earlier step because of which it was refused. */
  readonly before?: CaseStep | undefined;
  /** It was so already: it is well, and was not done. */
  readonly isSo?: boolean;
}

/** Does something about a case: it is in the audit before. */
export async function done(
  tools: Tools,
  who: Who,
  it: Case,
  [path, name, run]: CaseAct,
  form: Form,
): Promise<Ran<PlainSaid>> {
  const { desk, audit } = tools;
  await audit.append({ who: who.id, act: name, on: it.id, ...aboutOf(it), ...whatIn(path, form) });
  const said = await run(desk.cases, it, who, form, tools);
  if (isGood(said)) return { said };
  return { said, before: stepBefore((await desk.cases.find(it.id)) ?? it, said, path, form) };
}

/** How it ended, for the audit. */
export function endOf({ said, isSo }: Ran): End {
  if (isSo) return { end: 'refused', endWhy: 'again' };
  return isGood(said) ? { end: 'done' } : { end: 'refused', endWhy: said };
}

/**
 * Says the result of an act about a case, and shows the case as it is now. Without a script, the answer is the case's
 * own page. A form sent by a script gets the case over the page's stream. On a page without a stream (a payment's, a
 * webhook's), the answer holds the new piece.
 */
export async function answerAbout(
  tools: Tools,
  c: Context<Guarded>,
  id: string,
  { said, before }: Ran,
): Promise<Response> {
  const back = `${BASE}/cases/${id}${before ? `?before=${nameOf(before)}` : ''}`;
  if (!isByScript(c)) return answer(c, said, back);
  const [it, offered] = await Promise.all([tools.desk.cases.find(id), tools.offered()]);
  const view = viewOf(tools, c);
  const because = it && before && beforeSentence(it, nameOf(before), offered, view);
  const isLive = it?.kind === 'asked' || it?.kind === 'stuck';
  const piece = isLive ? undefined : caseBar(it, await othersOf(tools, it), offered, view, true);
  return answer(c, said, back, { because, piece });
}

/** The other open cases of the customer whom a case is about. */
export async function othersOf({ desk }: Pick<Tools, 'desk'>, it: Case | undefined): Promise<Case[]> {
  return it ? (await desk.cases.ofCustomer(it)).filter(({ id }) => id !== it.id) : [];
}

async function give({ id }: Case, who: Who, to: string, tools: Tools): Promise<CaseActed> {
  const { agents, desk, teams } = tools;
  if (to.startsWith(TEAM_PREFIX)) {
    const team = (await teams.all()).find((each) => `${TEAM_PREFIX}${each.id}` === to);
    return team ? desk.giveCase(id, { team }, agentOf(who)) : 'notFound';
  }
  const agent = (await agents()).find((each) => each.id === to);
  return agent ? desk.giveCase(id, { agent }, agentOf(who)) : 'notFound';
}

async function note(
  cases: Cases,
  { id }: Case,
  who: Who,
  typed: unknown,
  { agents }: Tools,
): Promise<CaseSaid> {
  const { text, no } = typedIn(typed, CASE_NOTE);
  if (no) return no;
  const everybody = await agents();
  const noted = await cases.note(id, who.id, text, namedIn(text, everybody));
  return noted === 'done' ? mentionResult(text, everybody) : noted;
}

/** Only existing labels can be added. A removed one can still be taken off. */
async function relabel(
  cases: Cases,
  { id }: Case,
  who: Who,
  label: unknown,
  isOn: boolean,
  { labels }: Tools,
): Promise<CaseActed> {
  const asked = [label ?? []].flat();
  const known = (await labels.all()).filter((each) => asked.includes(each.id) && !(isOn && each.isRemoved));
  return known.length === 0
    ? 'notFound'
    : cases.label(
        id,
        known.map((each) => each.id),
        isOn,
        who.id,
      );
}

async function snooze(
  { desk, now }: Tools,
  id: string,
  who: Who,
  form: Form,
): Promise<CaseActed | 'badTime'> {
  const until = untilOf({ desk, now }, form) ?? 0;
  const isInTime = until === 'customer' || (until > now() && until <= now() + SNOOZE_MAX_MS);
  return isInTime ? desk.snoozeCase(id, until, handlerOf(who)) : 'badTime';
}

/** The time until which a form puts off a case. Undefined for an invalid time. */
export function untilOf(
  { desk, now }: Pick<Tools, 'desk' | 'now'>,
  form: Form,
): number | 'customer' | undefined {
  return snoozedUntil(form, now(), (at) => desk.cases.opensAt(at));
}

/** The customer of a case, for the audit. */
function aboutOf({ wallet }: Case): { readonly about?: string } {
  return wallet ? { about: wallet } : {};
}

/**
 * The details of an act about a case, for the audit: the new owner, the case that it goes into, the time until which it
 * is put off, the labels.
 */
function whatIn(path: string, form: Form): { readonly what: string; readonly why?: string } {
  const { to, into, at, for: until, label, note } = form;
  const other = [to, into, at, until, [label ?? []].flat().join(' ')].find(
    (each) => typeof each === 'string' && each !== '',
  );
  const why = path === 'close' ? typedIn(note, CASE_NOTE).text : '';
  return { what: [path, other].filter(Boolean).join(' ').slice(0, WHAT_MAX_CHARACTERS), ...(why && { why }) };
}

/** The signed-in agent, as an owner of cases. */
export function ownerOf({ id, name }: Who): CaseOwner {
  return { id, name };
}

/** The agent who closes a case is also the one who asks its customer how it was. */
function agentOf(who: Who): CaseOwner & Handler {
  return { ...ownerOf(who), ...handlerOf(who) };
}

/** The page on which agents work on a case. */
export function workPath({ ids }: Pick<Tools, 'ids'>, { id, kind, subject, address }: Case): string {
  switch (kind) {
    case 'payment':
      return `${BASE}/payments/${subject}`;
    case 'webhook':
      return `${BASE}/webhooks/${encodeURIComponent(subject)}`;
    case 'asked':
    case 'stuck':
      return address ? `${BASE}/sessions/${ids.idOf(address)}` : `${BASE}/cases/${id}`;
  }
}
