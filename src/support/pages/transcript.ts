import { html } from 'hono/html';
import type { Language } from '../../conversation/incoming.ts';
import type { Html } from '../layout.ts';
import { eventName } from '../names.ts';
import { say } from '../sentences.ts';
import type { Entry, ShownTurn } from '../transcript.ts';
import { named, timeOf } from './parts.ts';

/** What customers do that has no words: by its name in the record. */
const DID: Readonly<Record<string, string>> = {
  pin: 'console.didPin',
  newPin: 'console.didNewPin',
  otp: 'console.didOtp',
  password: 'console.didPassword',
  said: 'console.didSay',
  chose: 'console.didChoose',
  picked: 'console.didChoose',
  tapped: 'console.didTap',
  contact: 'console.didContact',
  photo: 'console.didPhoto',
  dialed: 'console.didDial',
  opened: 'console.didOpen',
  speaks: 'console.didSpeak',
  'went back': 'console.didGoBack',
  'went menu': 'console.didGoToMenu',
  'went cancel': 'console.didCancel',
  'went help': 'console.didAskHelp',
  'went language': 'console.didAskLanguage',
  'went more': 'console.didTurnPage',
};
const STEPPED_IN: Readonly<Record<string, string>> = {
  joined: 'console.agentJoined',
  left: 'console.agentLeft',
  nudged: 'console.agentNudged',
  'sent to the menu': 'console.agentSentToMenu',
  ended: 'console.agentEnded',
  'answered the request': 'console.agentAnswered',
  'told of a look at personal data': 'console.agentToldReveal',
};

/** The conversation as its customer saw it, the earliest turn first. */
export function transcriptPart(turns: readonly ShownTurn[], language: Language): Html {
  if (turns.length === 0) return html`<p class="empty">${say(language, 'console.noTurns')}</p>`;
  return html`<ol class="transcript">${turns.map(
    (turn) => html`<li>${turn.entries.map((entry) => entryPart(entry, turn, language))}</li>`,
  )}</ol>`;
}

function entryPart(entry: Entry, turn: ShownTurn, language: Language): Html {
  const time = timeOf(turn.at);
  const theirs = { lang: turn.language, dir: turn.language === 'ar' ? 'rtl' : 'ltr' };
  switch (entry.kind) {
    case 'words':
      return html`<p class="bubble mine ${entry.isMasked ? 'masked' : ''}" lang="${theirs.lang}" dir="auto">${entry.text}</p>${meta(time, turn, language, 'mine')}`;
    case 'did':
      return html`<p class="bubble mine deed">${deedName(entry, language)}</p>${meta(time, turn, language, 'mine')}`;
    case 'stepIn':
      return html`<p class="line stepin">${time} ${deedName(entry, language)}</p>`;
    case 'event':
      return html`<p class="line">${time} ${named(deedName(entry, language), entry.what)}</p>`;
    default:
      return html`<div class="bubble ${entry.kind}" lang="${theirs.lang}" dir="${theirs.dir}">${entry.text}${
        entry.choices.length > 0 &&
        html`<ul class="offered">${entry.choices.map((choice) => html`<li>${choice}</li>`)}</ul>`
      }</div>`;
  }
}

function meta(time: Html, { isUnheard }: ShownTurn, language: Language, className: string): Html {
  return html`<p class="meta ${className}">${time}${isUnheard && html` · <span class="missed">${say(language, 'console.notUnderstood')}</span>`}</p>`;
}

/** The last thing that happened, for those who listen to the page instead of looking at it. */
export function newsPart(turns: readonly ShownTurn[], language: Language): Html {
  const entry = turns.at(-1)?.entries.at(-1);
  if (!entry) return html``;
  if ('text' in entry) return html`<span lang="${turns.at(-1)?.language}">${entry.text}</span>`;
  return html`${deedName(entry, language)}`;
}

/** What somebody did without words of their own, or the world. */
function deedName(entry: Extract<Entry, { readonly what: string }>, language: Language): string {
  switch (entry.kind) {
    case 'did':
      return say(language, DID[entry.what] ?? 'console.didSay');
    case 'stepIn':
      return say(language, STEPPED_IN[entry.what] ?? 'console.agentDid', { agent: { name: entry.by } });
    case 'event':
      return eventName(entry.what, language);
  }
}
