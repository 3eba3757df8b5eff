import { html } from 'hono/html';
import type { Values } from '../../../machines/kit/screen.ts';
import type { Case } from '../../conversation/cases/case.ts';
import { type Address, abilitiesOf } from '../../conversation/channel.ts';
import type { Watched } from '../../conversation/desk/desk.ts';
import { AGENT_FILE_MAX_BYTES } from '../../conversation/session/agent-file.ts';
import { BASE } from '../access/endpoints.ts';
import { may } from '../access/roles.ts';
import type { Canned } from '../canned.ts';
import type { Html } from '../layout.ts';
import { REVEALED_MS, REVEALS_PER_HOUR } from '../reveals.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import { clock } from '../times.ts';
import { around, csrf, draft, form, liveForm, timeLeft, type View } from './parts.ts';
import { reasonField } from './words.ts';

/**
 * The acts that an agent can do in a conversation. The part is sent again only when the acts change, so nothing that is
 * being typed is lost.
 * @param asked the customer has asked for a person
 * @param it the open case that it is about
 */
export function actsPart(
  session: Watched,
  id: string,
  asked: boolean,
  canned: readonly Canned[],
  it: Case | undefined,
  view: View,
): Html {
  const { who, language } = view;
  const { owner, machine, address } = session;
  const isMine = owner?.id === who.id;
  const isFree = !owner || isMine;
  if (!may(who.role, 'takeOver')) return html`<p class="hint">${say(language, 'console.onlyLook')}</p>`;
  const path = `/sessions/${id}`;
  const button = (act: string, key: ConsoleKey, className = '') =>
    liveForm(`${path}/${act}`, view)`<button class="${className}">${say(language, key)}</button>`;
  const takeFrom = owner && !isMine && may(who.role, 'takeFrom');
  return html`${isMine && html`${writeForm(path, canned, it, view)}${fileForm(path, address, view)}`}
<div class="acts">
${!owner && button('take-over', 'console.takeOver', 'main')}
${isMine && button('hand-back', 'console.handBack')}
${asked && button('answered', 'console.answered')}
${!owner && machine && session.canPush && button('nudge', 'console.nudge')}
${isFree && machine && button('menu', 'console.toMenu')}
${isFree && (machine || isMine) && sureForm(`${path}/end`, 'console.end', 'console.endSure', 'console.endYes', {}, view)}
${takeFrom && sureForm(`${path}/take-from`, 'console.takeFrom', 'console.takeFromHint', 'console.takeFromSure', { agent: { name: owner.name } }, view)}
</div>
${isMine && renewal(path, view)}`;
}

/** An act that cannot be undone asks for a confirmation. */
function sureForm(
  path: string,
  key: ConsoleKey,
  hint: ConsoleKey,
  yes: ConsoleKey,
  values: Values,
  view: View,
): Html {
  const { language } = view;
  const asked = html`<p class="hint">${say(language, hint, values)}</p><button class="danger">${say(language, yes)}</button>`;
  return html`<details class="sure"><summary>${say(language, key, values)}</summary>${liveForm(path, view)`${asked}`}</details>`;
}

function writeForm(path: string, canned: readonly Canned[], it: Case | undefined, view: View): Html {
  const { language } = view;
  return liveForm(
    `${path}/write`,
    view,
    'write',
  )`<label class="unseen" for="words">${say(language, 'console.writeToCustomer')}</label>
<textarea id="words" name="text" rows="2" required dir="auto" placeholder="${say(language, 'console.writeToCustomer')}" ${draft(`write ${it?.id ?? path}`, view)} role="combobox" aria-expanded="false" aria-controls="canned" aria-autocomplete="list"></textarea>
<ul id="canned" role="listbox" aria-label="${say(language, 'console.canned')}" hidden>${canned.map(({ word, text }, i) => html`<li role="option" id="canned-${i}" aria-selected="false" data-word="${word}" data-text="${text}"><b>/${word}</b> <span dir="auto">${text}</span></li>`)}</ul>
<p class="hint">${say(language, 'console.canned')}</p>
<div class="acts"><button class="main" title="Ctrl+Enter">${say(language, 'console.send')}</button>
${it && may(view.who.role, 'workCases') && html`<button name="last" value="yes">${say(language, 'console.sendAndClose')}</button>`}</div>`;
}

/**
 * A form to send a file, where the customer's channel takes files. Elsewhere the page says so before the agent looks
 * for one.
 */
function fileForm(path: string, address: Address, view: View): Html {
  const { language } = view;
  if (!abilitiesOf(address).takesFiles)
    return html`<p class="hint no-files">${say(language, 'console.noFilesHere')}</p>`;
  const size = { text: (AGENT_FILE_MAX_BYTES / 1_000_000).toLocaleString(`${language}-MA`) };
  const action = `${BASE}${path}/file`;
  return html`<form class="file" method="post" action="${action}" enctype="multipart/form-data" hx-post="${action}" hx-encoding="multipart/form-data" hx-target="#flash">${csrf(view)}
<label><span class="unseen">${say(language, 'console.fileToSend', { size })}</span><input type="file" title="${say(language, 'console.fileToSend', { size })}" name="file" required accept="image/png,image/jpeg,application/pdf"></label>
<button class="small">${say(language, 'console.sendFile')}</button></form>`;
}

/** The lease is made longer for as long as the agent is there: the page's script notices. */
function renewal(path: string, { who }: View): Html {
  const values = JSON.stringify({ csrf: who.csrf });
  return html`<div class="renewal" hx-post="${BASE}${path}/renew" hx-trigger="renew" hx-swap="none" hx-vals="${values}"></div>`;
}

/**
 * Asks for the reason to see a customer's data, or shows how long the agent still sees it. @param path the page that it
 * is on, below the console's @param own the agent's own case about it
 */
export function revealPart(
  path: string,
  revealedUntil: number | undefined,
  view: View,
  { tells = true, own }: { tells?: boolean; own?: string | undefined } = {},
): Html {
  const { who, language } = view;
  if (!may(who.role, 'reveal')) return html``;
  if (revealedUntil !== undefined) {
    return html`<p class="note busy">${around('console.revealedFor', timeLeft(revealedUntil, view), view, { at: { text: clock(revealedUntil) } })}</p>`;
  }
  const minutes = { count: REVEALED_MS / 60_000 };
  return html`<details class="reveal"><summary>${say(language, 'console.reveal')}</summary>
${form(
  `${path}/reveal`,
  view,
)`<p class="hint">${say(language, 'console.revealHint', { count: minutes, limit: { count: REVEALS_PER_HOUR } })}</p>
${reasonField(view, own)}
${tells && html`<label class="check"><input type="checkbox" name="tell" value="yes"> ${say(language, 'console.tellCustomer')}</label>`}
<button>${say(language, 'console.showData')}</button>`}</details>`;
}
