import { html, raw } from 'hono/html';
import type { Case } from '../../conversation/cases/case.ts';
import { channelOf, ownAddress } from '../../conversation/channel.ts';
import type { Details, Intent, Note, Person, TimelinePage, Watched } from '../../conversation/desk/desk.ts';
import { NOTES_SHOWN_MAX } from '../../conversation/desk/people.ts';
import type { Address } from '../../conversation/incoming.ts';
import type { TurnRecord } from '../../conversation/record/record.ts';
import type { Renderer } from '../../screen/renderer.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { BASE } from '../access/endpoints.ts';
import { may } from '../access/roles.ts';
import { type Html, LANGUAGE_NAMES } from '../layout.ts';
import { maskName, type Sight } from '../masks.ts';
import { keyIn, say } from '../sentences.ts';
import { day } from '../times.ts';
import { type ShownTurn, transcript, withAgents } from '../transcript.ts';
import { revealPart } from './acts.ts';
import { caseState } from './case.ts';
import { type CasePane, deskPage } from './desk-page.ts';
import type { Tools } from './options.ts';
import {
  ago,
  around,
  CHANNEL_NAMES,
  code,
  draft,
  flash,
  liveForm,
  panel,
  partialNote,
  phone,
  placePart,
  row,
  type View,
} from './parts.ts';
import { paymentsPart } from './payment.ts';
import { turnPart } from './transcript.ts';

/** The newest notes, which are open. Earlier ones unfold. */
const NOTES_OPEN = 10;

/** How URLs name a customer. */
export function personPath({ ids }: Pick<Tools, 'ids'>, wallet: Msisdn): string {
  return `${BASE}/persons/${ids.idOf(ownAddress(wallet))}`;
}

/** The known facts about a customer that stand beside a conversation. */
interface PanePerson {
  readonly id: string;
  readonly person: Person;
  readonly details: Details | undefined;
  readonly revealedUntil: number | undefined;
  /** How URLs name a session. */
  readonly idOf: (address: Address) => string;
}

/** The same with the customer's history. */
interface KnownPerson extends PanePerson {
  readonly agents: Parameters<typeof withAgents>[1];
  readonly timeline: TimelinePage;
  /** The page of the timeline that is asked for is not the first one: what is on it was before then. */
  readonly before: number | undefined;
  readonly payments: readonly Intent[];
  readonly hasMore: boolean;
  readonly paidBefore: number | undefined;
}

/**
 * A customer beside a conversation: their wallet, the chats that are linked to it, their cases, and what agents note for each other.
 * @param isAnew an answer to a script puts it in its place
 */
export function personPane(known: PanePerson, view: View, isAnew = false): Html {
  const { id, person, details } = known;
  const path = `${BASE}/persons/${id}`;
  const whole = html`<p><a class="whole" href="${path}">${say(view.language, 'console.personTimeline')}</a></p>`;
  return html`<div id="person-facts" ${isAnew ? raw('hx-swap-oob="true"') : ''}>
${panel('who', 'console.wallet', view)`${detailsPart(details, view)}${whole}`}
${panel('addresses', 'console.personAddresses', view)`${addressesPart(known, view)}`}
${panel('cases', 'console.cases', view)`${casesPart(person.cases, view)}`}
${panel('notes', 'console.personNotes', view)`${notesPart(id, person.notes, view)}`}</div>`;
}

/** One customer over all their channels: who they are, what they said and were told, and what agents know of them. */
export function personPage(
  known: KnownPerson,
  pane: CasePane,
  view: View,
  renderer: Pick<Renderer, 'chat' | 'ussd'>,
): Html {
  const { id, person, revealedUntil } = known;
  const { language, who } = view;
  const title = say(language, 'console.person');
  const work = html`<header class="session-head"><h1>${title} ${phone(person.wallet, view)}</h1>
${may(who.role, 'seeAudit') && html`<p><a href="${BASE}/audit?${new URLSearchParams({ about: id })}">${say(language, 'console.personLooks')}</a></p>`}</header>
${flash(view)}
<h2 class="unseen" id="h-timeline">${say(language, 'console.personTimeline')}</h2>${timelinePart(known, view, renderer)}`;
  const beside = html`${revealPart(`/persons/${id}`, revealedUntil, view)}
${panel('payments', 'console.payments', view)`${pagedPayments(known, view, renderer)}`}${personPane(known, view)}`;
  return deskPage({ title, pane, work, person: beside }, view);
}

function detailsPart(details: Details | undefined, view: View): Html {
  const { language, sight } = view;
  if (!details) return html`<p class="empty">${say(language, 'console.personNoDetails')}</p>`;
  const { fullName, level, status } = details;
  return html`<dl class="rows">
${fullName !== '' && row('console.personName', html`<bdi>${sight.personal ? fullName : maskName(fullName)}</bdi>`, view)}
${row('console.personLevel', String(level), view)}
${row('console.personStatus', say(language, keyIn('personStatus', status)), view)}</dl>`;
}

function addressesPart({ person, idOf }: PanePerson, view: View): Html {
  const { language } = view;
  if (person.sessions.length === 0)
    return html`<p class="empty">${say(language, 'console.noConversation')}</p>`;
  return html`<ul class="queue">${person.sessions.map((session) => html`<li>${addressLine(session, idOf(session.address), view)}</li>`)}</ul>`;
}

function addressLine(
  { address, language, machine, state, at, owner }: Watched,
  id: string,
  view: View,
): Html {
  return html`<a href="${BASE}/sessions/${id}">${CHANNEL_NAMES[channelOf(address)]}</a>
<span lang="${language}">${LANGUAGE_NAMES[language]}</span>
${machine && html`<span>${placePart(`${machine}.${state}`, view)}</span>`}
${owner && html`<span class="badge good"><bdi>${owner.name}</bdi></span>`}
<span class="hint">${around('console.personLastSeen', ago(at, view), view)}</span>`;
}

function casesPart(cases: readonly Case[], view: View): Html {
  const { language } = view;
  if (cases.length === 0) return html`<p class="empty">${say(language, 'console.noCases')}</p>`;
  return html`<ul class="queue">${cases.map(
    (
      it,
    ) => html`<li><a href="${BASE}/cases/${it.id}">${code(it.id)}</a> ${say(language, keyIn('case', it.kind))} <span>${caseState(it, view)}</span>
<span class="hint">${ago(it.openedAt, view)}</span></li>`,
  )}</ul>`;
}

function notesPart(id: string, notes: readonly Note[], view: View): Html {
  const { language, who } = view;
  return html`${
    notes.length === 0
      ? html`<p class="empty">${say(language, 'console.personNoNotes')}</p>`
      : noteLines(notes.slice(0, NOTES_OPEN), view)
  }${
    notes.length > NOTES_OPEN &&
    html`<details class="reveal"><summary>${say(language, 'console.personEarlier')}</summary>${noteLines(notes.slice(NOTES_OPEN), view)}${
      notes.length >= NOTES_SHOWN_MAX &&
      html`<p class="hint">${say(language, 'console.personNotesMore', { count: { count: NOTES_SHOWN_MAX } })}</p>`
    }</details>`
  }${
    may(who.role, 'note') &&
    liveForm(
      `/persons/${id}/note`,
      view,
    )`<label class="wide">${say(language, 'console.personAddNote')}<textarea name="text" rows="2" required dir="auto" ${draft(`person ${id}`, view)}></textarea></label>
<p class="hint">${say(language, 'console.personNoteHint')}</p>
<button>${say(language, 'console.save')}</button>`
  }`;
}

function noteLines(notes: readonly Note[], view: View): Html {
  return html`<ul class="notes">${notes.map(
    ({ at, by, text }) =>
      html`<li><p class="meta"><bdi>${by}</bdi> · ${ago(at, view)}</p><p dir="auto">${text}</p></li>`,
  )}</ul>`;
}

/** The earliest first, as one reads a conversation. Still earlier entries are on a page of their own. */
function timelinePart(
  { id, timeline, agents, before, paidBefore }: KnownPerson,
  { language, sight }: View,
  renderer: Pick<Renderer, 'chat' | 'ussd'>,
): Html {
  const { records, next, isWhole } = timeline;
  const turns = turnsOf(withAgents([...records].reverse(), agents), sight, renderer);
  const path = (asked: number | undefined) => pagePath(id, asked, paidBefore);
  return html`${!isWhole && partialNote(language)}
<div class="talk-scroll" id="talk" tabindex="0" role="region" aria-labelledby="h-timeline">
${next !== undefined && html`<p><a rel="prev" href="${path(next)}">${say(language, 'console.personEarlier')}</a></p>`}
${
  turns.length === 0
    ? html`<p class="empty">${say(language, 'console.personNothing')}</p>`
    : html`<ol class="transcript">${turns.map(
        ({ address, turn }, i) =>
          html`${headPart(address, turn, turns[i - 1])}<li>${turnPart(turn, language)}</li>`,
      )}</ol>`
}
${before !== undefined && html`<p><a href="${path(undefined)}">${say(language, 'console.personLatest')}</a></p>`}</div>`;
}

/** The payments beside it, a page at a time. The timeline stays where it is. */
function pagedPayments(
  { id, before, payments, hasMore, paidBefore }: KnownPerson,
  view: View,
  renderer: Pick<Renderer, 'chat'>,
): Html {
  const { language } = view;
  const path = (asked: number | undefined) => `${pagePath(id, before, asked)}#h-payments`;
  return html`${paymentsPart(payments, view, renderer)}${
    hasMore &&
    html`<p><a href="${path(payments.at(-1)?.sentAt)}" rel="prev">${say(language, 'console.personEarlier')}</a></p>`
  }${
    paidBefore !== undefined &&
    html`<p><a href="${path(undefined)}">${say(language, 'console.personLatest')}</a></p>`
  }`;
}

/** A page of the timeline and one of the payments. */
function pagePath(id: string, before: number | undefined, paid: number | undefined): string {
  const asked = Object.entries({ before, paid }).flatMap(([name, at]) =>
    at === undefined ? [] : [`${name}=${at}`],
  );
  return `${BASE}/persons/${id}${asked.length > 0 ? `?${asked.join('&')}` : ''}`;
}

interface PlacedTurn {
  readonly address: Address;
  readonly turn: ShownTurn;
}

function headPart(address: Address, turn: ShownTurn, before: PlacedTurn | undefined): Html {
  const isSame = before?.address === address && day(before.turn.at) === day(turn.at);
  return isSame
    ? html``
    : html`<li class="line"><span class="badge">${CHANNEL_NAMES[channelOf(address)]}</span> <time dir="ltr">${day(turn.at)}</time></li>`;
}

/** The turns on every channel, in the order in which they happened. @param records the earliest first */
function turnsOf(
  records: readonly TurnRecord[],
  sight: Sight,
  renderer: Pick<Renderer, 'chat' | 'ussd'>,
): PlacedTurn[] {
  const byAddress = Map.groupBy(records, ({ address }) => address);
  const placed = [...byAddress].flatMap(([address, theirs]) =>
    transcript(theirs, sight, renderer).map((turn) => ({ address, turn })),
  );
  return placed.sort((a, b) => a.turn.at - b.turn.at);
}
