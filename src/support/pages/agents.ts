import { html } from 'hono/html';
import type { Watched } from '../../conversation/desk/desk.ts';
import { may } from '../access/roles.ts';
import type { Html } from '../layout.ts';
import { say } from '../sentences.ts';
import { moment } from '../times.ts';
import { proposalPart } from './freeze.ts';
import { form, type View } from './parts.ts';
import { reasonField } from './words.ts';

/** Tells that a customer is a retail agent, whether they were stopped, and what a support agent can do about it. */
export function agentPart({ agent }: Watched, id: string, view: View): Html {
  if (!agent) return html``;
  const { who, language } = view;
  const path = `/sessions/${id}`;
  const { code, name, stopped } = agent;
  const known = html`<p>${say(language, 'console.isAgent', { code: { code }, name: { name } })}</p>`;
  if (!stopped)
    return html`${known}${
      may(who.role, 'stopAgent') &&
      html`<details class="reveal"><summary>${say(language, 'console.stopAgent')}</summary>
<p class="hint">${say(language, 'console.stopAgentHint')}</p>
${form(`${path}/stop-agent`, view, html`${reasonField(view)}<button class="danger">${say(language, 'console.stopAgent')}</button>`)}</details>`
    }`;
  const { by, at, reason: why, proposal } = stopped;
  return html`${known}<p class="note bad">${say(language, 'console.agentStoppedBy', { agent: { name: by } })} <time dir="ltr">${moment(at)}</time></p>
<blockquote dir="auto">${why}</blockquote>
${proposal ? proposalPart(proposal, path, view, RESTORE) : proposeForm(path, view)}`;
}

const RESTORE = {
  said: 'console.restoreProposedBy',
  approve: ['approve-restore', 'approveRestore'],
  withdraw: ['withdraw-restore', 'withdrawRestore'],
} as const;

function proposeForm(path: string, view: View): Html {
  const { who, language } = view;
  if (!may(who.role, 'proposeRestore')) return html``;
  return html`<details class="reveal"><summary>${say(language, 'console.restoreAgent')}</summary>
<p class="hint">${say(language, 'console.anotherApproves')}</p>
${form(`${path}/propose-restore`, view, html`${reasonField(view)}<button>${say(language, 'console.propose')}</button>`)}</details>`;
}
