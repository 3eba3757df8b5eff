import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import {
  type Address,
  type FilesInHand,
  LANGUAGES,
  type Language,
  type Push,
} from '../../conversation/incoming.ts';
import { browserLanguage } from './browser-language.ts';
import { type Message, readMessage, readPhotoQuery } from './message.ts';
import type { PageScreen } from './page-screen.ts';
import type { ReadFiles } from './photos.ts';
import { type TurnDeps, turn } from './turn.ts';
import type { Visitor } from './visitor.ts';
import { LABELS } from './words.ts';

type Html = ReturnType<typeof html>;

const WAYS = ['back', 'menu', 'help'] as const;
const NAMES: Readonly<Record<Language, string>> = { fr: 'Français', ar: 'العربية', en: 'English' };
const SECRETS: ReadonlySet<string> = new Set(['pin', 'newPin', 'password']);
const FILES: ReadonlySet<string> = new Set(['document', 'twoSided']);
/** The text between these is hidden until it is opened (`src/screen/marks.ts`). */
const HIDDEN = /\ue000(.*?)\ue001/s;
const BOLD = /[\ue002\ue003]/;
const SEEN_MAX = 100;
/** So many choices are one card of rows. */
const ROWS_FROM = 5;
const SEND = html`<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><path d="M5 12h13M12.5 6l6 6-6 6" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

interface PlainDeps extends TurnDeps {
  readonly visitor: Visitor;
  readonly readFiles: ReadFiles;
}

/**
 * The chat without JavaScript: a page of forms, which the server answers with the next page. It is the same session
 * under the same cookie. Each page has one id for whatever its customer does on it, so a form that is sent again does
 * nothing again.
 */
export function plainRoutes(deps: PlainDeps): Hono {
  return new Hono()
    .get('/', (c) => open(c, deps))
    .post('/', (c) => take(c, deps))
    .post('/files', (c) => takeFiles(c, deps));
}

function open(c: Context, deps: PlainDeps): Response | Promise<Response> {
  const address = deps.visitor.of(c);
  if (address) return answer(c, deps, address, opened(c));
  const language = browserLanguage(c);
  // A browser that comes back without its cookie keeps none.
  if (c.req.query('again') !== undefined)
    return c.html(page(language, html`<p>${LABELS[language].cookies}</p>`), 403);
  deps.visitor.welcome(c);
  return c.redirect('/chat/plain?again', 303);
}

function opened(c: Context): Message {
  return { id: randomUUID(), guess: browserLanguage(c), input: { type: 'opened' } };
}

async function take(c: Context, deps: PlainDeps): Promise<Response> {
  const address = deps.visitor.of(c);
  if (!address) return c.redirect('/chat/plain', 303);
  const form = c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded');
  const { seen, answers, ...given }: Record<string, unknown> = form ? await c.req.parseBody() : {};
  const message = readMessage({ ...given, ...(answers !== undefined && { answers: Number(answers) }) });
  if (!message) return c.html(page(browserLanguage(c), refresh(browserLanguage(c))), 400);
  const ids = `${seen ?? ''}`.split(' ').filter(Boolean).slice(0, SEEN_MAX);
  // A message counts as read once the page that showed it is answered. A store that is down has the turn say so.
  if (ids.length > 0) await deps.conversations.saw(address, ids).catch(() => {});
  const isEmpty = message.input.type === 'said' && message.input.text.trim() === '';
  return answer(c, deps, address, isEmpty ? opened(c) : message);
}

/** The sides of a document, where the screen asks for them. */
async function takeFiles(c: Context, deps: PlainDeps): Promise<Response> {
  const address = deps.visitor.of(c);
  const sent = readPhotoQuery(c.req.query());
  if (!address || !sent) return c.redirect('/chat/plain', 303);
  const asked = await deps.conversations.asksFile(address).catch(() => undefined);
  const files = asked === 'now' && (await deps.readFiles(c, address, deps.networkOf(c)));
  if (!files || files === 'busy') return c.redirect('/chat/plain', 303);
  return answer(c, deps, address, { ...sent, input: { type: 'photo' } }, files);
}

async function answer(
  c: Context,
  deps: PlainDeps,
  address: Address,
  message: Message,
  document?: FilesInHand,
): Promise<Response> {
  const turned = await turn(c, address, message, deps, { document });
  if (turned.kind === 'toPerson') return answer(c, deps, address, opened(c));
  if (turned.kind === 'unavailable') {
    const { language } = turned.says;
    return c.html(page(language, html`${log([turned.says])}${refresh(language)}`), 503);
  }
  const { screen } = turned;
  const waiting = await deps.conversations.waiting(address).catch(() => []);
  const news = waiting.filter((push) => !isSaidBy(push, screen));
  const shown = await Promise.all(news.map(deps.show));
  // A newer screen takes the place of the one that stands.
  const newest = shown.findLast(({ screenId }) => screenId !== null && screenId > (screen.screenId ?? 0));
  const before = shown.filter((each) => each !== newest);
  const ids = [...news.filter(({ isSecret }) => !isSecret).map(({ id }) => id), ...(screen.says ?? [])];
  const said = newest ? [...before, screen] : before;
  return c.html(conversation(said, newest ?? screen, ids.slice(0, SEEN_MAX)));
}

function isSaidBy({ id, screenId }: Push, screen: PageScreen): boolean {
  return screen.says?.includes(id) === true || (screenId !== undefined && screenId === screen.screenId);
}

/** A page of the conversation: what was said meanwhile, the screen that stands, and the ways to answer it. */
function conversation(before: readonly PageScreen[], screen: PageScreen, seen: readonly string[]): Html {
  const labels = LABELS[screen.language];
  const id = randomUUID();
  const hidden = html`<input type="hidden" name="id" value="${id}">
${screen.screenId !== null && html`<input type="hidden" name="answers" value="${screen.screenId}">`}
<input type="hidden" name="seen" value="${seen.join(' ')}">`;
  const isSecret = SECRETS.has(screen.expects);
  const name = `write${screen.expects.charAt(0).toUpperCase()}${screen.expects.slice(1)}`;
  const isList = screen.choices.length >= ROWS_FROM || screen.choices.some(({ isRow }) => isRow);
  const hint = Object.entries(labels).find(([each]) => each === name)?.[1] ?? labels.writeNothing;
  return page(
    screen.language,
    html`${log([...before, screen])}
<form method="post" action="/chat/plain" id="act">${hidden}</form>
<fieldset class="choices ${isList && 'rows'}" aria-label="${labels.choices}">${choices(screen)}</fieldset>
${(FILES.has(screen.expects) || screen.takes === 'files') && files(screen, id)}
<form method="post" action="/chat/plain" class="composer" autocomplete="off">${hidden}
<input name="text" maxlength="1000" required aria-label="${hint}" placeholder="${hint}" type="${isSecret ? 'password' : 'text'}"${isSecret && html` inputmode="numeric"`} autocomplete="${screen.expects === 'otp' ? 'one-time-code' : 'off'}"${before.length === 0 && html` autofocus`}>
<button class="send" aria-label="${labels.send}">${SEND}</button></form>
<fieldset class="ways" aria-label="${labels.ways}">${WAYS.filter((way) => !screen.idle.includes(way)).map(
      (way) => html`<button form="act" name="went" value="${way}">${labels[way]}</button>`,
    )}
${refresh(screen.language)}</fieldset>
<fieldset class="ways" aria-label="${labels.language}">${LANGUAGES.filter(
      (language) => language !== screen.language,
    ).map(
      (language) =>
        html`<button form="act" name="language" value="${language}" lang="${language}">${NAMES[language]}</button>`,
    )}</fieldset>
<p class="plain-note">${labels.plainNote}</p>`,
  );
}

function choices({ choices, form, link, reads, language }: PageScreen): Html[] {
  const labels = LABELS[language];
  const pages = [
    ...(form ? [{ url: form, label: labels.openForm, name: 'page' }] : []),
    ...(link ? [{ url: link, label: labels.goOn, name: 'page' }] : []),
    ...(reads ? [{ ...reads, name: 'reads' }] : []),
  ];
  return [
    ...pages.map(
      ({ url, label, name }) =>
        html`<a class="${name}" href="${url}" target="_blank" rel="noopener noreferrer">${label}</a>`,
    ),
    ...choices.map(
      ({ id, label, picture }) =>
        html`<button form="act" name="choice" value="${id}">${picture && html`<img src="${picture}" alt="" width="28" height="28">`}${label}</button>`,
    ),
  ];
}

function files({ expects, screenId, language }: PageScreen, id: string): Html {
  const labels = LABELS[language];
  const around = new URLSearchParams({ id, ...(screenId !== null && { answers: String(screenId) }) });
  return html`<form class="composer" method="post" enctype="multipart/form-data" action="/chat/plain/files?${around}">
<input type="file" name="file" required accept="image/png,image/jpeg,application/pdf" aria-label="${labels.document}"${expects === 'twoSided' && html` multiple`}>
<button class="send" aria-label="${labels.send}">${SEND}</button></form>`;
}

function log(screens: readonly Partial<PageScreen>[]): Html {
  return html`<ol class="log">${screens.map(
    ({ text = '', direction, language = 'fr', picture, qr, document, file }) => html`
<li class="bubble" dir="${direction}" lang="${language}">${[picture, qr].map((src) => src && html`<img src="${src}" alt="" height="200">`)}${words(text, LABELS[language].reveal)}
${document && html`<a class="file" href="${document}">${file === 'agent-file' ? LABELS[language].file : LABELS[language].receipt}</a>`}</li>`,
  )}</ol>`;
}

/** A text, whose hidden part is opened by a tap, and whose amount is bold. */
function words(text: string, reveal: string): Html {
  const [before, secret, after] = text.split(HIDDEN);
  if (secret === undefined) {
    const [start, amount, end] = text.split(BOLD);
    return html`${whole(start)}${amount && html`<strong>${amount}</strong>`}${whole(end)}`;
  }
  return html`${whole(before)}<details><summary>${reveal}</summary><bdi class="code" dir="ltr">${secret}</bdi></details>${whole(after)}`;
}

/** A text whose references hold together, as in the chat's script (`signed`). */
function whole(text = ''): (Html | string)[] {
  return text
    .split(/(?<=\s)(?=\S)/)
    .map((word) =>
      /^(?=\S*\d)\S*[-/]\S{1,24}\s*$/.test(word) ? html`<span class="whole">${word}</span>` : word,
    );
}

function refresh(language: Language): Html {
  return html`<a href="/chat/plain">${LABELS[language].refresh}</a>`;
}

function page(language: Language, body: Html): Html {
  const labels = LABELS[language];
  return html`<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${labels.title}</title>
<link rel="icon" href="/chat/public/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/chat/public/palette.css">
<link rel="stylesheet" href="/chat/public/look.css">
<link rel="stylesheet" href="/chat/public/chat.css">
</head>
<body>
<main class="chat plain">
<header class="top"><img src="/chat/public/icon.svg" alt="" width="36" height="36"><div class="who"><h1>${labels.title}</h1><p>${labels.tagline}</p></div></header>
${body}
</main>
</body>
</html>`;
}
