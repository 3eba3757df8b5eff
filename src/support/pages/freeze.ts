import { html } from 'hono/html';
import type { CaseOwner } from '../../conversation/cases/case.ts';
import type { Watched } from '../../conversation/desk/desk.ts';
import { type Act, may } from '../access/roles.ts';
import type { Html } from '../layout.ts';
import { type ConsoleKey, keyIn, say } from '../sentences.ts';
import { moment } from '../times.ts';
import { form, type View } from './parts.ts';
import { reasonField } from './words.ts';

/** Whether the wallet's payments are frozen, and what an agent can do about it. */
export function freezePart(
  { wallet, frozen }: Watched,
  id: string,
  agents: readonly CaseOwner[],
  view: View,
): Html {
  const { who, language } = view;
  const path = `/sessions/${id}`;
  const mayFreeze = may(who.role, 'freeze');
  if (!wallet) return html``;
  if (!frozen)
    return html`${mayFreeze && reasonForm(`${path}/freeze`, view, 'console.freeze', 'console.freezeHint')}`;
  const { at, by, proposal } = frozen;
  const words =
    by === undefined
      ? say(language, 'console.frozenByCustomer')
      : say(language, 'console.frozenBy', {
          agent: { name: agents.find((each) => each.id === by)?.name ?? by },
        });
  return html`<p class="note bad">${words} <time dir="ltr">${moment(at)}</time></p>
${proposal ? proposalPart(proposal, path, view, THAW) : may(who.role, 'proposeThaw') && proposeForm(`${path}/propose-thaw`, view, 'console.thaw')}
${by === undefined && mayFreeze && form(`${path}/freeze`, view)`${reasonField(view)}<button>${say(language, 'console.freezeToo')}</button>`}`;
}

/** Tells that a customer is a retail agent, whether they were stopped, and what a support agent can do about it. */
export function agentPart({ agent }: Watched, id: string, view: View): Html {
  if (!agent) return html``;
  const { who, language } = view;
  const path = `/sessions/${id}`;
  const { code, name, stopped } = agent;
  const known = html`<p>${say(language, 'console.isAgent', { code: { code }, name: { name } })}</p>`;
  if (!stopped)
    return html`${known}${may(who.role, 'stopAgent') && reasonForm(`${path}/stop-agent`, view, 'console.stopAgent', 'console.stopAgentHint')}`;
  const { by, at, reason: why, proposal } = stopped;
  return html`${known}<p class="note bad">${say(language, 'console.agentStoppedBy', { agent: { name: by } })} <time dir="ltr">${moment(at)}</time></p>
<blockquote dir="auto">${why}</blockquote>
${proposal ? proposalPart(proposal, path, view, RESTORE) : may(who.role, 'proposeRestore') && proposeForm(`${path}/propose-restore`, view, 'console.restoreAgent')}`;
}

/** An act that unfolds, says what it does and asks for a reason. */
function reasonForm(path: string, view: View, act: ConsoleKey, hint: ConsoleKey): Html {
  const button = html`<button class="danger">${say(view.language, act)}</button>`;
  return html`<details class="reveal"><summary>${say(view.language, act)}</summary>
<p class="hint">${say(view.language, hint)}</p>
${form(path, view)`${reasonField(view)}${button}`}</details>`;
}

/** An act that one agent proposes and another one approves. @param named fields that say what it is about, where the path does not */
export function proposeForm(path: string, view: View, act: ConsoleKey, named: Html = html``): Html {
  const { language } = view;
  return html`<details class="reveal"><summary>${say(language, act)}</summary>
<p class="hint">${say(language, 'console.anotherApproves')}</p>
${form(path, view)`${named}${reasonField(view)}<button>${say(language, 'console.propose')}</button>`}</details>`;
}

/** The proposal: its sentence, and the paths and acts by which it is approved and taken back. */
interface Proposed {
  readonly said: ConsoleKey;
  readonly approve: readonly [path: string, act: Act];
  readonly withdraw: readonly [path: string, act: Act];
}

const THAW: Proposed = {
  said: 'console.thawProposedBy',
  approve: ['approve-thaw', 'approveThaw'],
  withdraw: ['withdraw-thaw', 'withdrawThaw'],
};
const RESTORE: Proposed = {
  said: 'console.restoreProposedBy',
  approve: ['approve-restore', 'approveRestore'],
  withdraw: ['withdraw-restore', 'withdrawRestore'],
};

/**
 * The proposal of one agent. Another one approves it, and any agent who sees that it is wrong takes it back.
 * @param named fields that say what it is about, where the path does not
 */
export function proposalPart(
  { by, at, reason: why }: { readonly by: string; readonly at: number; readonly reason: string },
  path: string,
  view: View,
  { said, approve, withdraw }: Proposed,
  named: Html = html``,
): Html {
  const { who, language } = view;
  const read = html`${named}<input type="hidden" name="at" value="${at}">`;
  return html`<p>${say(language, said, { agent: { name: by }, at: { date: at } })}</p>
<blockquote dir="auto">${why}</blockquote>
<div class="acts">
${approves(by, approve[1], view) && form(`${path}/${approve[0]}`, view)`${read}<button class="main">${say(language, 'console.approve')}</button>`}
${may(who.role, withdraw[1]) && form(`${path}/${withdraw[0]}`, view)`${read}<button>${say(language, 'console.withdraw')}</button>`}
</div>
${whyNot(by, approve[1], view)}`;
}

/** True where the signed-in agent may approve the proposal of `by`, as far as a page can know. */
export function approves(by: string, act: Act, { who }: View): boolean {
  return may(who.role, act) && by !== who.id && who.kin?.[by] === undefined;
}

/** Why somebody who could approve it otherwise does not: they have proposed it, or count as the same person as who has. */
export function whyNot(by: string, act: Act, { who, language }: View): Html {
  if (by === who.id) return html`<p class="hint">${say(language, 'console.anotherApproves')}</p>`;
  const kin = may(who.role, act) ? who.kin?.[by] : undefined;
  return kin
    ? html`<p class="hint">${say(language, keyIn('kin', kin), { agent: { name: by } })}</p>`
    : html``;
}
