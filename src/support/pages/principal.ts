import { html } from 'hono/html';
import type { AgentProposal, AgentWish, BoundNumber, Principal } from '../../conversation/desk/desk.ts';
import type { Answer } from '../../wallet/answer.ts';
import { nationalNumber } from '../../wallet/phone.ts';
import type { Paged, PrincipalAccount, RetailAgentFile } from '../../wallet/services.ts';
import { BASE } from '../access/endpoints.ts';
import { type Html, layout } from '../layout.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import { proposalPart, proposeForm } from './freeze.ts';
import { code, flash, form, money, phone, type View } from './parts.ts';
import { reasonField } from './words.ts';

/** Names at the wallet have at least two letters. */
const NAME_MAX_CHARACTERS = 60;

/** A text that is asked for: its name, how it is called, and whether it must be there. */
type Asked = readonly [name: string, key: ConsoleKey, isRequired: boolean];
const OPENED: readonly Asked[] = [
  ['phone', 'console.retailPhone', true],
  ['name', 'console.retailName', true],
  ['firstName', 'console.retailFirstName', true],
  ['lastName', 'console.retailLastName', true],
  ['cin', 'console.retailCin', true],
  ['address', 'console.retailAddress', false],
  ['email', 'console.retailEmail', false],
];

/**
 * The fields that one administrator changes alone. The national ID number is not shown and stays, and two agree on the
 * number.
 */
const CHANGED = OPENED.filter(([field]) => field !== 'cin' && field !== 'phone');

/** The principal agent: its float, a reference to load it, and its retail agents. */
export async function principalPage(
  principal: Principal | undefined,
  page: number,
  view: View,
): Promise<Html> {
  const title = say(view.language, 'console.principal');
  const body = principal
    ? await principalParts(principal, page, view)
    : html`<p class="hint">${say(view.language, 'console.principalNone')}</p>`;
  return layout(view, title, 'principal')`<h1>${title}</h1>
${flash(view)}
${body}`;
}

async function principalParts(principal: Principal, page: number, view: View): Promise<Html> {
  const [account, agents, numbers, proposed] = await Promise.all([
    principal.account(),
    principal.agents(page),
    principal.numbers(),
    principal.proposedAgents(),
  ]);
  return html`${accountPart(principal.code, account, view)}
${numbersPart(numbers, view)}
<section class="panel"><h2>${say(view.language, 'console.payouts')}</h2><p><a href="${BASE}/principal/payouts">${say(view.language, 'console.payoutsGive')}</a></p></section>
${proposed.length > 0 && proposedPart(proposed, view)}
${agents.kind === 'ok' ? agentsPart(agents.value, { page, size: principal.pageSize }, view) : unread(view)}
${openPart(view)}`;
}

function accountPart(own: string, account: Answer<PrincipalAccount>, view: View): Html {
  const { language } = view;
  const { name, balance, rib } = account.kind === 'ok' ? account.value : {};
  return html`<section class="panel" aria-labelledby="h-float"><h2 id="h-float">${say(language, 'console.float')}</h2>
<p>${code(own)} ${name && html`<bdi>${name}</bdi>`}</p>
${
  balance === undefined
    ? unread(view)
    : html`<p>${money(balance, language)}</p>${rib && html`<p>RIB ${code(rib)}</p>`}`
}
${form(
  '/principal/load',
  view,
)`<label>${say(language, 'console.floatAmount')}<input name="amount" inputmode="decimal" required maxlength="12" dir="ltr"></label>
<p class="hint">${say(language, 'console.floatHint')}</p><button>${say(language, 'console.floatLoad')}</button>`}
<p><a href="${BASE}/principal/card">${say(language, 'console.floatCard')}</a></p></section>`;
}

function unread({ language }: View): Html {
  return html`<p class="note bad">${say(language, 'console.walletSilent')}</p>`;
}

function agentsPart(
  { entries, count }: Paged<RetailAgentFile>,
  { page, size }: { readonly page: number; readonly size: number },
  view: View,
): Html {
  const { language } = view;
  const hasMore = entries.length > 0 && page * size < count;
  return html`<section class="panel" aria-labelledby="h-retail"><h2 id="h-retail">${say(language, 'console.retailAgents', { count: { count } })}</h2>
${entries.map((each) => agentPart(each, view))}
<nav>${page > 1 && html`<a href="${BASE}/principal?page=${page - 1}">${say(language, 'console.retailBefore')}</a>`}
${hasMore && html`<a href="${BASE}/principal?page=${page + 1}">${say(language, 'console.retailNext')}</a>`}</nav></section>`;
}

/** The people who act for it in chats: the operator's own, whose numbers two administrators compare whole. */
function numbersPart(numbers: readonly BoundNumber[], view: View): Html {
  const { language } = view;
  return html`<section class="panel" aria-labelledby="h-numbers"><h2 id="h-numbers">${say(language, 'console.numbers')}</h2>
<p class="hint">${say(language, 'console.numbersHint')}</p>
${numbers.map((each) => numberPart(each, view))}
<details class="reveal"><summary>${say(language, 'console.bindNumber')}</summary>
${form('/principal/numbers/bind', view)`${input(['phone', 'console.retailPhone', true], view)}${reasonField(view)}<button>${say(language, 'console.propose')}</button>`}</details></section>`;
}

function numberPart({ phone: number, bound, proposal }: BoundNumber, view: View): Html {
  const { language } = view;
  const named = html`<input type="hidden" name="phone" value="${number}">`;
  const said = bound ? 'console.unbindProposedBy' : 'console.bindProposedBy';
  return html`<article class="card"><p>${code(nationalNumber(number))} ${
    bound &&
    say(language, 'console.boundBy', {
      one: { name: bound.by },
      other: { name: bound.approvedBy },
      at: { date: bound.at },
    })
  }</p>
${proposal && proposalPart(proposal, '/principal/numbers', view, { ...BINDING, said }, named)}
${
  bound && !proposal && proposeForm('/principal/numbers/unbind', view, 'console.unbindNumber', named)
}</article>`;
}

const BINDING = {
  approve: ['approve', 'managePrincipal'],
  withdraw: ['withdraw', 'managePrincipal'],
} as const;

/** Agents and numbers that somebody has proposed, or asked for in a chat: two administrators compare the whole number. */
function proposedPart(proposed: readonly AgentProposal[], view: View): Html {
  const { language } = view;
  return html`<section class="panel" aria-labelledby="h-proposed"><h2 id="h-proposed">${say(language, 'console.retailProposed')}</h2>
<p class="hint">${say(language, 'console.retailFourEyes')}</p>
${proposed.map((each) => proposedAgent(each, view))}</section>`;
}

function proposedAgent({ wish, at, by, from, reason: why }: AgentProposal, view: View): Html {
  const { language } = view;
  const path = '/principal/proposals';
  const named = html`<input type="hidden" name="at" value="${at}">`;
  const asked = from && say(language, 'console.retailAskedBy', { phone: { phone: from }, at: { date: at } });
  return html`<article class="card"><p>${wishPart(wish)}</p>
${asked && html`<p>${asked}</p>`}
${
  by === undefined
    ? html`${form(`${path}/take-up`, view)`${named}${reasonField(view)}<button>${say(language, 'console.propose')}</button>`}
${form(`${path}/withdraw`, view)`${named}<button>${say(language, 'console.withdraw')}</button>`}`
    : proposalPart({ by, at, reason: why }, path, view, { ...BINDING, said: saidOf(wish) })
}</article>`;
}

function saidOf(wish: AgentWish): ConsoleKey {
  return 'open' in wish ? 'console.retailOpenProposedBy' : 'console.retailNumberProposedBy';
}

/** The national ID number is not shown. */
function wishPart(wish: AgentWish): Html {
  if (!('open' in wish))
    return html`<bdi dir="ltr">${code(wish.code)} → ${code(nationalNumber(wish.phone))}</bdi>`;
  const { name, firstName, lastName, address, phone: number } = wish.open;
  return html`<b><bdi>${name}</bdi></b> ${code(nationalNumber(number))} <bdi>${firstName} ${lastName}</bdi> ${address && html`· <bdi>${address}</bdi>`}`;
}

function agentPart(agent: RetailAgentFile, view: View): Html {
  const { language } = view;
  const { phone: number, name, address, person } = agent;
  const path = `/principal/agents/${encodeURIComponent(agent.code)}`;
  const known: Readonly<Record<string, string | undefined>> = { ...agent };
  return html`<details class="card"><summary>${code(agent.code)} <b><bdi>${name}</bdi></b> ${number && phone(number, view)} ${address && html`· <bdi>${address}</bdi>`}</summary>
<p>${person && html`<bdi>${person}</bdi>`}</p>
${form(path, view)`${CHANGED.map(([field, key]) => input([field, key, false], view, known[field]))}
<p class="hint">${say(language, 'console.retailChangeHint')}</p><button>${say(language, 'console.save')}</button>`}
<details class="reveal"><summary>${say(language, 'console.retailNumber')}</summary>
<p class="hint">${say(language, 'console.retailNumberHint')}</p>
${form(`${path}/number`, view)`${input(['phone', 'console.retailPhone', true], view)}${reasonField(view)}<button>${say(language, 'console.propose')}</button>`}</details></details>`;
}

function openPart(view: View): Html {
  const { language } = view;
  return html`<section class="panel" aria-labelledby="h-open"><h2 id="h-open">${say(language, 'console.retailOpen')}</h2>
<p class="hint">${say(language, 'console.retailFourEyes')}</p>
${form('/principal/agents', view)`${OPENED.map((each) => input(each, view))}${reasonField(view)}<button>${say(language, 'console.propose')}</button>`}</section>`;
}

function input([name, key, isRequired]: Asked, { language }: View, value = ''): Html {
  return html`<label>${say(language, key)}<input name="${name}" value="${value}" ${isRequired ? 'required' : ''} maxlength="${NAME_MAX_CHARACTERS}" dir="auto" autocomplete="off"></label>`;
}
