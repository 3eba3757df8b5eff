import { html, raw } from 'hono/html';
import type { Case } from '../../conversation/cases/case.ts';
import { channelOf } from '../../conversation/channel.ts';
import type { Intent, Watched } from '../../conversation/desk/desk.ts';
import { BETWEEN } from '../../conversation/record/purpose.ts';
import type { TurnRecord } from '../../conversation/record/record.ts';
import type { DeliveryRecord } from '../../conversation/session/delivery-record.ts';
import { SENT_FILE_KEPT_MS } from '../../conversation/session/sent-file.ts';
import type { Renderer } from '../../screen/renderer.ts';
import { BASE } from '../access/endpoints.ts';
import { may } from '../access/roles.ts';
import { cannedFor } from '../answers.ts';
import { machineOf } from '../board.ts';
import { type Html, LANGUAGE_NAMES } from '../layout.ts';
import { stepName } from '../names.ts';
import type { Present } from '../presence.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import type { Fragments } from '../stream.ts';
import { suggestion } from '../suggestions.ts';
import { transcript, withAgents, withDeliveries } from '../transcript.ts';
import { actsPart, revealPart } from './acts.ts';
import { caseBar } from './case.ts';
import { type CasePane, deskPage, personSlot } from './desk-page.ts';
import { contextPart, statePart } from './facts.ts';
import { agentPart, freezePart } from './freeze.ts';
import type { Offered } from './options.ts';
import { CHANNEL_NAMES, flash, panel, partialNote, phone, type View } from './parts.ts';
import { paymentsPart, shortReference } from './payment.ts';
import { ownCase } from './reveal.ts';
import { timelinePart } from './timeline.ts';
import { newTurnsPart, transcriptPart } from './transcript.ts';

/** Steps that are shown of the way to where a customer stands. */
const WAY_MAX = 8;

/** The known facts about one session. */
export interface Known {
  readonly id: string;
  /** The page of its customer. Absent where no wallet is known. */
  readonly personPath?: string | undefined;
  readonly session: Watched;
  /** The earliest first. */
  readonly records: readonly TurnRecord[];
  readonly payments: readonly Intent[];
  /** Of their messages, the earliest first. */
  readonly deliveries: readonly DeliveryRecord[];
  /** False where the records could not be read: then only the last turns are there. */
  readonly isWhole: boolean;
  /** The case that agents have about them. */
  readonly it?: Case | undefined;
  /** The other open cases of the same customer, also from another channel. */
  readonly otherCases: readonly Case[];
  /** Other agents who look at the same. */
  readonly others: readonly Present[];
  /** The customer has asked for a person. */
  readonly asked: boolean;
  readonly revealedUntil?: number | undefined;
  readonly offered: Offered;
}

/** The other agent who has a conversation, where an act was refused for that, in a sentence. Undefined where it was not. */
export function ownedInstead(
  said: View['said'],
  session: Pick<Watched, 'owner'> | undefined,
  { who, language }: Pick<View, 'who' | 'language'>,
): string | undefined {
  const owner = session?.owner;
  if (!owner || owner.id === who.id || (said !== 'owned' && said !== 'notOwner')) return undefined;
  return say(language, 'console.ownedBy', { agent: { name: owner.name } });
}

/** The pieces of the page that change while somebody looks at it, by the name of the event that brings them. */
export async function sessionParts(
  known: Known,
  view: View,
  { renderer }: { readonly renderer: Pick<Renderer, 'chat' | 'ussd'> },
): Promise<Fragments> {
  const { id, session, payments, asked, revealedUntil, it } = known;
  const records = withAgents(known.records, known.offered.agents);
  const own = ownCase(it, view.who.id);
  const seesFiles =
    [revealedUntil, own].some((each) => each !== undefined) || session.owner?.id === view.who.id;
  const turns = withDeliveries(transcript(records, view.sight, renderer), records, known.deliveries);
  const parts: Readonly<Record<string, Html>> = {
    case: caseBar(known.it, known.otherCases, known.offered, view),
    others: othersPart(known.others, view),
    state: statePart(session, view),
    acts: actsPart(session, id, asked, choicesFor(known, view), it, view),
    suggested: suggestedPart(known, view),
    freeze: html`${freezePart(session, id, known.offered.agents, view)}${agentPart(session, id, view)}`,
    reveal: revealPart(`/sessions/${id}`, revealedUntil, view, { own }),
    transcript: transcriptPart(turns, view.language, seesFiles ? fileAt(id, view) : undefined),
    news: newTurnsPart(turns, view.language),
    way: wayPart(known, view),
    context: contextPart(session, view),
    timeline: html`${known.isWhole ? '' : partialNote(view.language)}${timelinePart(records, view)}`,
    payments: paymentsPart(payments, view, renderer),
  };
  const texts = Object.entries(parts).map(async ([name, part]) => [name, String(await part)] as const);
  return Object.fromEntries(await Promise.all(texts));
}

/** The address of a session's files, for agents who may open them, for as long as they are kept. */
function fileAt(id: string, { who, now }: View) {
  return (file: string, sentAt: number) =>
    may(who.role, 'reveal') && now < sentAt + SENT_FILE_KEPT_MS
      ? `${BASE}/sessions/${id}/files/${file}`
      : undefined;
}

function choicesFor({ session, offered, payments: [newest] }: Known, { who, language }: View) {
  const reference = newest && shortReference(newest);
  return cannedFor(offered.answers, session.language, language, { agent: who.name, reference });
}

function suggestedPart({ session, payments, asked, it }: Known, { language }: View): Html {
  const isAsked = asked || it?.kind === 'asked';
  const key = suggestion({ session, payments, asked: isAsked, stuck: it?.kind === 'stuck' });
  return html`${key && html`<p class="note"><b>${say(language, 'console.suggest')}</b> · ${say(language, key)}</p>`}`;
}

/** Agents who may be in the way: they look at this conversation, or are writing. */
function othersPart(others: readonly Present[], { language, now }: View): Html {
  return html`${others.map(({ name, writingUntil = 0 }) => {
    const key = writingUntil > now ? 'console.othersWrite' : 'console.othersLook';
    return html`<p class="note busy">${say(language, key, { agent: { name } })}</p>`;
  })}`;
}

/** The path that led here. Agents who may see the machines see it on the diagram, in a tab of its own. */
function wayPart({ session, records }: Known, { language, who }: View): Html {
  const { machine, state } = session;
  const path = machine && state ? pathIn(machine, state, records) : [];
  if (!machine || path.length === 0)
    return html`<p class="empty">${say(language, 'console.noConversation')}</p>`;
  const steps = path.slice(-WAY_MAX).map((step) => stepName(`${machine}.${step}`, language) || step);
  return html`<ol class="way">${steps.map((step, i) => html`<li ${i === steps.length - 1 ? raw('aria-current="step"') : ''}>${step}</li>`)}</ol>
${may(who.role, 'seeMachines') && html`<p><a href="${BASE}/machines/${machine}?at=${state}" target="_blank">${say(language, 'console.seeDiagram')}</a></p>`}`;
}

/** The states that were passed since this conversation began, the earliest first, and the one that it is in. */
function pathIn(machine: string, state: string, records: readonly TurnRecord[]): string[] {
  let path: string[] = [];
  for (const { to } of records) {
    const here = machineOf(to);
    if (here === machine) {
      const passed = to.slice(machine.length + 1);
      if (path.at(-1) !== passed) path.push(passed);
    } else if (!BETWEEN.has(here)) path = [];
  }
  return path.at(-1) === state ? path : [...path, state];
}

/** The whole page, with the pieces as they are now. */
export function sessionPage(
  known: Known,
  parts: Fragments,
  { look, pane }: { readonly look: string; readonly pane: CasePane },
  view: View,
): Html {
  const { id, session, personPath } = known;
  const { language } = view;
  const piece = (name: string, className = '') =>
    html`<div class="${className}" sse-swap="${name}">${raw(parts[name] ?? '')}</div>`;
  const part = (name: string, key: ConsoleKey) => panel(name, key, view)`${piece(name)}`;
  const work = html`<header class="session-head"><h1>${session.wallet ? phone(session.wallet, view) : say(language, 'console.unlinked')}</h1>
<p class="hint">${CHANNEL_NAMES[channelOf(session.address)]} · <span lang="${session.language}">${LANGUAGE_NAMES[session.language]}</span></p></header>
${piece('case')}
<p class="unseen" aria-live="polite" sse-swap="news"></p>
<h2 class="unseen" id="h-transcript">${say(language, 'console.transcript')}</h2>
<div class="talk-scroll" id="talk" tabindex="0" role="region" aria-labelledby="h-transcript" sse-swap="transcript">${raw(parts.transcript ?? '')}</div>
<div class="composer">${flash(view, ownedInstead(view.said, known.session, view))}<div class="suggested" sse-swap="suggested">${raw(parts.suggested ?? '')}</div>
<div class="others" sse-swap="others" aria-live="polite">${raw(parts.others ?? '')}</div>
${piece('acts', 'step-in')}</div>`;
  const person = html`${panel('state', 'console.state', view)`${piece('state')}${piece('freeze')}${piece('reveal')}`}
${part('payments', 'console.payments')}
${personSlot(personPath, view)}
${part('way', 'console.wayHere')}
${part('context', 'console.context')}
${part('timeline', 'console.timeline')}`;
  const live = `/sessions/${id}/live?look=${look}`;
  return deskPage({ title: say(language, 'console.session'), pane, live, where: id, work, person }, view);
}
