import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { LANGUAGES, type Language } from '../conversation/incoming.ts';
import { BASE } from './access/endpoints.ts';
import type { Who } from './access/guard.ts';
import { type Act, may } from './access/roles.ts';
import { type ConsoleKey, say } from './sentences.ts';

/** As long as the id of a webhook may be. */
export const SEARCHED_MAX_CHARACTERS = 200;

/** A piece of a page. Everything put into one with `html` is escaped, unless it is such a piece itself. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Stands around a piece of a page that is written behind it: form('/x', view)`<button>Go</button>`. */
export type Around = (text: TemplateStringsArray, ...values: readonly unknown[]) => Html;

export function around(made: (inside: Html) => Html): Around {
  return (...template) => made(html(...template));
}

/** The menu: where it leads, what it says, and who is offered it. The guard decides who may open it. */
const MENU = [
  { section: 'inbox', path: '/inbox', key: 'console.inbox', act: 'seeCases' },
  { section: 'live', path: '', key: 'console.live', act: 'seeSessions' },
  { section: 'today', path: '/today', key: 'console.today', act: 'seeStats' },
  { section: 'figures', path: '/figures', key: 'console.figures', act: 'seeStats' },
  { section: 'reports', path: '/reports', key: 'console.reports', act: 'seeAudit' },
  { section: 'machines', path: '/machines', key: 'console.machines', act: 'seeMachines' },
  { section: 'organisation', path: '/organisation', key: 'console.organisation', act: 'organise' },
  { section: 'audit', path: '/audit', key: 'console.audit', act: 'seeAudit' },
  { section: 'accounts', path: '/accounts', key: 'console.accounts', act: 'manageAccounts' },
  { section: 'principal', path: '/principal', key: 'console.principal', act: 'managePrincipal' },
] as const satisfies readonly { section: string; path: string; key: ConsoleKey; act: Act }[];
type Section = (typeof MENU)[number]['section'] | 'me';
/** How many of them stand in the bar: the longest language has no room for more. The others fold away. */
const DAILY = 4;
/** How each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  fr: 'Français',
  ar: 'العربية',
  en: 'English',
};
const STYLES = ['palette', 'look', 'frame', 'forms', 'lists', 'session', 'diagram'];
/**
 * htmx evaluates no text and adds no style of its own: the pages' policy allows neither. It takes over new parts of a
 * page at once. Otherwise a key that is pressed before would send the form to another page.
 */
const HTMX = JSON.stringify({
  allowEval: false,
  includeIndicatorStyles: false,
  historyCacheSize: 0,
  defaultSettleDelay: 0,
});

/**
 * The frame of every page of the console, around what it shows.
 * @param view for whom: nobody before the sign-in
 * @param at the page of the menu that it is
 * @param head more for the head, such as a refresh
 */
export function layout(
  { language, who }: { readonly language: Language; readonly who?: Who | undefined },
  title: string,
  at?: Section,
  head?: Html,
): Around {
  return around(
    (body) => html`<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="htmx-config" content="${HTMX}">
    <title>${title} · Wasl</title>
    <link rel="icon" href="${BASE}/public/icon.svg">
    ${STYLES.map((name) => html`<link rel="stylesheet" href="${BASE}/public/${name}.css">`)}
    <script defer src="${BASE}/public/htmx.min.js"></script>
    <script defer src="${BASE}/public/sse.min.js"></script>
    <script defer src="${BASE}/public/pages.js"></script>
    ${head}
  </head>
  <body data-who="${who?.id ?? ''}">
    <a class="skip" href="#main">${say(language, 'console.skip')}</a>
    <header class="bar">
      <a class="home" href="${BASE}/inbox" aria-label="Wasl"><img src="${BASE}/public/icon.svg" alt="" width="30" height="30"><b>Wasl</b></a>
      ${who ? menu(who, language, at) : languages(language)}
    </header>
    <main id="main" tabindex="-1">${who && troubles(language)}${body}</main>
    ${who && keysPart(language)}
  </body>
</html>`,
  );
}

/** The notes that the page's script shows when the page may be out of date. */
function troubles(language: Language): Html {
  const note = (id: string, key: ConsoleKey) =>
    html`<p id="${id}" class="note bad" hidden>${say(language, key)} <a href="">${say(language, 'console.reload')}</a></p>`;
  return html`<div class="troubles" aria-live="assertive">${note('stale', 'console.stale')}${note('undone', 'console.undone')}</div>`;
}

function menu({ name, role, csrf }: Who, language: Language, at: Section | undefined): Html {
  const offered = MENU.filter(({ act }) => may(role, act));
  const [daily, others] = [offered.slice(0, DAILY), offered.slice(DAILY)];
  const linkTo = ({ section, path, key }: (typeof MENU)[number]) =>
    link(path, say(language, key), section === at);
  const isOther = others.some(({ section }) => section === at);
  return html`<nav aria-label="${say(language, 'console.menu')}">
    ${daily.map((each) =>
      each.section === 'inbox'
        ? html`<span class="with-news">${linkTo(each)}${may(role, 'workCases') && newCaseCount()}</span>`
        : linkTo(each),
    )}
  </nav>
  ${
    others.length > 0 &&
    html`<nav class="more" aria-label="${say(language, 'console.more')}"><button type="button" class="quiet" popovertarget="more" ${isOther && raw('aria-current="true"')}>${say(language, 'console.more')}</button>
    <div id="more" class="card" popover>${others.map(linkTo)}</div></nav>`
  }
  <form class="search" method="post" action="${BASE}/search" role="search"><input type="hidden" name="csrf" value="${csrf}">
    <label class="unseen" for="q">${say(language, 'console.search')}</label>
    <input id="q" name="q" type="search" required maxlength="${SEARCHED_MAX_CHARACTERS}" dir="auto" autocomplete="off" placeholder="${say(language, 'console.searchHint')}">
  </form>
  <div class="who">
    <button type="button" class="quiet" popovertarget="keys" aria-label="${say(language, 'console.keys')}">?</button>
    ${may(role, 'workCases') && html`<span class="away" hx-get="${BASE}/away" hx-trigger="load"></span>`}${link('/me', html`<bdi>${name}</bdi>`, at === 'me')}
    <form method="post" action="${BASE}/sign-out">
      <input type="hidden" name="csrf" value="${csrf}"><button class="quiet">${say(language, 'console.signOut')}</button>
    </form>
  </div>`;
}

/** The keys, as one looks them up with `?` on every page. What they do is in `pages.js`. */
const KEYS: readonly (readonly [keys: string, does: ConsoleKey])[] = [
  ['/', 'console.search'],
  ['n', 'console.inboxNext'],
  ['j k', 'console.keyMove'],
  ['o', 'console.keyOpen'],
  ['t', 'console.writeToCustomer'],
  ['Ctrl+Enter', 'console.send'],
  ['Ctrl+Shift+Enter', 'console.sendAndClose'],
  ['m', 'console.caseNote'],
  ['l', 'console.caseLabel'],
  ['r', 'console.macroRun'],
  ['a', 'console.caseGive'],
  ['z', 'console.caseSnooze'],
  ['e', 'console.caseClose'],
  ['x', 'console.keyChoose'],
  ['b', 'console.keyAct'],
  ['d', 'console.mentionRead'],
  ['f', 'console.filterSave'],
  ['g i', 'console.inbox'],
  ['g l', 'console.live'],
  ['g t', 'console.today'],
  ['Esc', 'console.keyLeave'],
];

function keysPart(language: Language): Html {
  const title = say(language, 'console.keys');
  const key = (each: string) => html`<kbd dir="ltr">${each}</kbd> `;
  return html`<div id="keys" class="card" popover role="dialog" aria-label="${title}"><h2>${title}</h2>
<dl>${KEYS.map(([keys, does]) => html`<div><dt>${keys.split(' ').map(key)}</dt><dd>${say(language, does)}</dd></div>`)}</dl></div>`;
}

/** How much is new in the inbox, asked for now and then: an event stream more for each page would be too many for a browser. */
function newCaseCount(): Html {
  return html`<span hx-get="${BASE}/inbox/news" hx-trigger="load, every 5s"></span>`;
}

function link(path: string, label: string | Html, isHere: boolean): Html {
  return isHere
    ? html`<a href="${BASE}${path}" aria-current="page">${label}</a>`
    : html`<a href="${BASE}${path}">${label}</a>`;
}

/** Before the sign-in the browser's language is guessed, and can be chosen. Afterwards it is the account's. */
function languages(current: Language): Html {
  return html`<nav class="languages" aria-label="${say(current, 'console.language')}">
    ${LANGUAGES.map((each) =>
      each === current
        ? html`<a href="?language=${each}" lang="${each}" aria-current="true">${LANGUAGE_NAMES[each]}</a>`
        : html`<a href="?language=${each}" lang="${each}">${LANGUAGE_NAMES[each]}</a>`,
    )}
  </nav>`;
}
