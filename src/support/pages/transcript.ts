import { html } from 'hono/html';
import type { Language } from '../../conversation/incoming.ts';
import type { InputDone } from '../../conversation/record/turn-event.ts';
import type { Html } from '../layout.ts';
import { actName, eventCode, eventName, inputName } from '../names.ts';
import { keyIn, say } from '../sentences.ts';
import type { Entry, ShownTurn } from '../transcript.ts';
import { named, timeOf } from './parts.ts';

/** The address at which a customer's file can be opened. Undefined where this agent cannot open it, or not any more. */
type FileAt = (id: string, sentAt: number) => string | undefined;

/** The conversation as its customer saw it, the earliest turn first. */
export function transcriptPart(turns: readonly ShownTurn[], language: Language, fileAt?: FileAt): Html {
  if (turns.length === 0) return html`<p class="empty">${say(language, 'console.noTurns')}</p>`;
  return html`<ol class="transcript">${turns.map((turn) => html`<li>${turnPart(turn, language, fileAt)}</li>`)}</ol>`;
}

/** The sentences and acts of one turn. */
export function turnPart(turn: ShownTurn, language: Language, fileAt?: FileAt): Html {
  return html`${turn.entries.map((entry) => entryPart(entry, turn, language, fileAt))}`;
}

function entryPart(entry: Entry, turn: ShownTurn, language: Language, fileAt?: FileAt): Html {
  const time = timeOf(turn.at);
  const theirs = { lang: turn.language, dir: turn.language === 'ar' ? 'rtl' : 'ltr' };
  switch (entry.kind) {
    case 'words':
      return html`<p class="bubble mine ${entry.isMasked ? 'masked' : ''}" lang="${theirs.lang}" dir="auto">${entry.text}</p>${meta(time, turn, language, 'mine')}`;
    case 'did':
      return html`<p class="bubble mine deed">${deedName(entry, language)}${fileLink(entry.input, turn, language, fileAt)}</p>${meta(time, turn, language, 'mine')}`;
    case 'stepIn':
      return html`<p class="line stepin">${time} ${deedName(entry, language)}</p>`;
    case 'event':
      return html`<p class="line">${time} ${named(deedName(entry, language), eventCode(entry.event))}</p>`;
    default:
      return html`<div class="bubble ${entry.kind}" lang="${theirs.lang}" dir="${theirs.dir}">${entry.text}${
        entry.choices.length > 0 &&
        html`<ul class="offered">${entry.choices.map((choice) => html`<li>${choice}</li>`)}</ul>`
      }</div>${entry.kind !== 'screen' && html`<p class="meta">${time}${turn.delivered && html` · ${say(language, keyIn('delivery', turn.delivered))}`}</p>`}`;
  }
}

function fileLink(input: InputDone, { at }: ShownTurn, language: Language, fileAt?: FileAt): Html | false {
  const path = input.type === 'photo' && input.file && fileAt?.(input.file.id, at);
  return path
    ? html` · <a href="${path}" target="_blank" rel="noopener">${say(language, 'console.openFile')}</a>`
    : false;
}

function meta(time: Html, { isUnclear }: ShownTurn, language: Language, className: string): Html {
  return html`<p class="meta ${className}">${time}${isUnclear && html` · <span class="missed">${say(language, 'console.notUnderstood')}</span>`}</p>`;
}

/** The last thing that happened, for those who listen to the page instead of looking at it. */
export function newTurnsPart(turns: readonly ShownTurn[], language: Language): Html {
  const entry = turns.at(-1)?.entries.at(-1);
  if (!entry) return html``;
  if ('text' in entry) return html`<span lang="${turns.at(-1)?.language}">${entry.text}</span>`;
  return html`${deedName(entry, language)}`;
}

/** Names an event without words of its own. */
export function deedName(entry: Exclude<Entry, { readonly text: string }>, language: Language): string {
  switch (entry.kind) {
    case 'did':
      return inputName(entry.input, language);
    case 'stepIn':
      return actName(entry.event, language);
    case 'event':
      return eventName(entry.event, language);
  }
}
