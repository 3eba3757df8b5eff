import { html } from 'hono/html';
import type { Values } from '../../../machines/kit/screen.ts';
import type { ChannelName, Language } from '../../conversation/incoming.ts';
import { createWriter } from '../../screen/values.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { BASE } from '../access/endpoints.ts';
import type { Who } from '../access/guard.ts';
import { AUDITED, type Audited } from '../audit/deeds.ts';
import type { Label } from '../labels.ts';
import { type Around, type Html, around as wrap } from '../layout.ts';
import { MACRO_ACTS, type MacroAct } from '../macros.ts';
import { phoneFor, type Sight } from '../masks.ts';
import { placeName } from '../names.ts';
import { type ConsoleKey, isConsoleKey, keyIn, type NameIn, say, wordFor } from '../sentences.ts';
import { clock, duration, moment } from '../times.ts';

/** For whom a piece of a page is made, and how much of customers' data they see. */
export interface View {
  readonly who: Who;
  readonly language: Language;
  readonly sight: Sight;
  readonly now: number;
  readonly said?: Said | Note | undefined;
}

/** The result of an act in words of its own, such as those of the wallet. */
export interface Note {
  readonly good: boolean;
  readonly words: string;
}

export const CHANNEL_NAMES: Readonly<Record<ChannelName, string>> = {
  ussd: 'USSD',
  web: 'Web',
  telegram: 'Telegram',
  whatsapp: 'WhatsApp',
};

/** Text that reads from the left in every language: a phone number, a reference, a state's name. */
export function code(text: string): Html {
  return html`<code dir="ltr">${text}</code>`;
}

/** Words for something, with Wasl's own name for it as the tooltip. */
export function named(words: string, name: string): Html {
  return html`<span title="${name}">${words}</span>`;
}

/** Folds away details that only developers and the wallet's people need. */
export function innards(body: Html, { language }: Pick<View, 'language'>): Html {
  return html`<details class="innards"><summary>${say(language, 'console.innards')}</summary>${body}</details>`;
}

/** The state of a conversation. */
export function placePart(place: string, { language }: Pick<View, 'language'>): Html {
  return named(placeName(place, language), place);
}

export function phone(number: Msisdn, { sight }: Pick<View, 'sight'>): Html {
  return html`<bdi class="phone" dir="ltr">${phoneFor(number, sight)}</bdi>`;
}

/** An amount that no sight hides: it is the operator's own. */
export function money(amount: Centimes, language: Language): Html {
  return html`<b>${createWriter(language, 'chat')({ money: amount })}</b>`;
}

/** The age of something. The page's script keeps it true. */
export function since(at: number, { now, language }: Pick<View, 'now' | 'language'>): Html {
  return html`<time data-since="${at}" datetime="${new Date(at).toISOString()}" title="${moment(at)}">${duration(now - at, language)}</time>`;
}

/** The time that is left. The page's script counts down. */
export function timeLeft(until: number, { now, language }: Pick<View, 'now' | 'language'>): Html {
  return html`<time data-until="${until}" datetime="${new Date(until).toISOString()}">${duration(until - now, language)}</time>`;
}

/** A sentence with a part of a page for its value `time`. */
export function around(
  key: ConsoleKey,
  time: Html,
  { language }: Pick<View, 'language'>,
  values: Values = {},
): Html {
  const [before = '', after = ''] = say(language, key, { ...values, time: { text: '|' } }).split(
    /[\u2066-\u2069]*\|[\u2066-\u2069]*/,
  );
  return html`${before}${time}${after}`;
}

/** "5 min ago". */
export function ago(at: number, view: Pick<View, 'now' | 'language'>): Html {
  return around('console.ago', since(at, view), view);
}

/** A moment by its time of day, with its date behind it. @param at in ms since 1970 */
export function timeOf(at: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}" title="${moment(at)}" dir="ltr">${clock(at)}</time>`;
}

export function csrf({ who }: Pick<View, 'who'>): Html {
  return html`<input type="hidden" name="csrf" value="${who.csrf}">`;
}

/**
 * A form after which the page is shown again, with a sentence. The browser does not keep the typed text: otherwise the
 * next person who goes back to the page would see it, also with another account.
 */
export function form(path: string, view: Pick<View, 'who'>): Around {
  return wrap(
    (fields) =>
      html`<form method="post" action="${BASE}${path}" autocomplete="off">${csrf(view)}${fields}</form>`,
  );
}

/**
 * The same on a page that is live. With JavaScript the sentence appears next to it, and changes arrive over the event
 * stream. Without, it is a form like any other.
 */
export function liveForm(path: string, view: Pick<View, 'who'>, className = ''): Around {
  const action = `${BASE}${path}`;
  return wrap(
    (fields) =>
      html`<form method="post" action="${action}" hx-post="${action}" hx-target="#flash" class="${className}" autocomplete="off">${csrf(view)}${fields}</form>`,
  );
}

/** A part of a page with a title. @param id of its title: `h-float` */
export function panel(id: string, title: ConsoleKey, { language }: Pick<View, 'language'>): Around {
  return wrap(
    (body) =>
      html`<section class="panel" aria-labelledby="h-${id}"><h2 id="h-${id}">${say(language, title)}</h2>
${body}</section>`,
  );
}

/** A line in a list of facts. */
export function row(key: ConsoleKey, value: Html | string, { language }: Pick<View, 'language'>): Html {
  return html`<div><dt>${say(language, key)}</dt><dd>${value}</dd></div>`;
}

/** A choice in a form. @param options each with its value */
export function choice(
  label: Html | string,
  name: string,
  options: readonly (readonly [value: string, shown: string])[],
  chosen: string | undefined,
): Html {
  return html`<label>${label}<select name="${name}">${options.map(([value, shown]) => html`<option value="${value}" ${value === (chosen ?? '') ? 'selected' : ''}>${shown}</option>`)}</select></label>`;
}

/** A table that can be wider than the page. @param label its name, where no title stands above it */
export function table(
  heads: readonly ConsoleKey[],
  rows: readonly unknown[],
  { language }: Pick<View, 'language'>,
  {
    label,
    caption,
    className = '',
  }: Readonly<Partial<Record<'label' | 'caption' | 'className', string>>> = {},
): Html {
  const region = label === undefined ? '' : html` tabindex="0" role="region" aria-label="${label}"`;
  return html`<div class="scroll"${region}><table class="${className}">${caption && html`<caption>${caption}</caption>`}<thead><tr>${heads.map((key) => html`<th scope="col">${say(language, key)}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

/** On a field whose text outlives a reload in this browser (`pages.js`). @param key what it is about: the same on every page that shows it */
export function draft(key: string, { language }: Pick<View, 'language'>): Html {
  return html`data-draft="${key}" data-masked="${say(language, 'console.draftMasked')}"`;
}

/** A label of a case. */
export function labelPart({ names, colour }: Label, { language }: Pick<View, 'language'>): Html {
  return html`<span class="label ${colour}"><bdi>${names[language]}</bdi></span>`;
}

export const MACRO_ACT_NAMES: Readonly<Record<MacroAct, ConsoleKey>> = {
  answer: 'console.writeToCustomer',
  label: 'console.label',
  give: 'console.caseGive',
  snooze: 'console.caseSnooze',
  close: 'console.caseClose',
};

/** The result of an act, or of a macro that has stopped, as the agent reads it. */
export type Said =
  | PlainSaid
  | `done-${Audited}`
  | `done-${Audited}-${number}`
  | `stopped-${MacroAct}-${PlainSaid}`;
export type PlainSaid = NameIn<'said'>;

export function isSaid(text: string | undefined): text is Said {
  return text !== undefined && (isPlain(text) || doneIn(text) !== undefined || stoppedIn(text) !== undefined);
}

function isPlain(text: string): text is PlainSaid {
  return /^[a-z][A-Za-z]+$/.test(text) && isConsoleKey(keyIn<string, string>('said', text));
}

/** The act that was done, and about how many cases. Undefined for anything else. */
function doneIn(text: string): { readonly act: Audited; readonly count: string } | undefined {
  const [, name, count = '1'] = /^done-([A-Za-z]+)(?:-(\d{1,3}))?$/.exec(text) ?? [];
  const act = AUDITED.find((each) => each === name);
  return act && { act, count };
}

/** The act at which a macro has stopped, and why. Undefined for anything else. */
function stoppedIn(text: string): { readonly act: MacroAct; readonly why: PlainSaid } | undefined {
  const [, name, why = ''] = /^stopped-([a-z]+)-([A-Za-z]+)$/.exec(text) ?? [];
  const act = MACRO_ACTS.find((each) => each === name);
  return act && isPlain(why) ? { act, why } : undefined;
}

/** True where it was done. */
export function isGood(said: Said): boolean {
  return /^done\b/.test(said) || said === 'revealed' || said === 'toldNobody' || said === 'toldSome';
}

/** The reason for a refusal or failure, from its word in the audit. Undefined where there is no sentence for that. */
export function endedBecause(why: string, language: Language): string | undefined {
  const key: string = keyIn('ended', why);
  if (isConsoleKey(key)) return say(language, key);
  return isSaid(why) ? sentence(why, language) : undefined;
}

/** Tells that the records cannot be read, and the store has the last turns only. */
export function partialNote(language: Language): Html {
  return html`<p class="note busy">${say(language, 'console.personPartial')}</p>`;
}

/** The place on the page for the answer of an act. */
export function flash({ said, language }: Pick<View, 'said' | 'language'>, because?: string): Html {
  return html`<div id="flash" role="status">${said && saidNote(said, language, because)}</div>`;
}

export function saidNote(said: Said | Note, language: Language, because?: string): Html {
  const { good, words } =
    typeof said === 'object' ? said : { good: isGood(said), words: sentence(said, language, because) };
  return html`<p class="note ${good ? 'good' : 'bad'}">${words}</p>`;
}

/** The name of an act within a sentence: French goes on in small letters after a colon. An abbreviation stays. */
function asInSentence(name: string, language: Language): string {
  return language === 'fr' && /^\p{Lu}\p{Ll}/u.test(name) ? name[0]?.toLowerCase() + name.slice(1) : name;
}

/** The result of an act in words. @param because in a sentence, what somebody else had done before it was refused */
export function sentence(said: Said, language: Language, because?: string): string {
  if (isPlain(said))
    return because
      ? `${say(language, 'console.resultUnchanged')} ${because}`
      : say(language, keyIn('said', said));
  const did = doneIn(said);
  if (did) {
    const text = `${asInSentence(wordFor(language, 'audit', did.act), language)}${did.count === '1' ? '' : ` (${did.count})`}`;
    return say(language, 'console.resultDone', { act: { text } });
  }
  const stopped = stoppedIn(said);
  if (!stopped) return '';
  const at = { text: say(language, MACRO_ACT_NAMES[stopped.act]) };
  return `${say(language, 'console.resultStopped', { act: at })} ${because ?? say(language, keyIn('said', stopped.why))}`;
}
