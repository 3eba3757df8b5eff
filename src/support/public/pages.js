// What htmx does not do: keys, durations that go on, and pieces that are only replaced when they have changed.
// Without it every page still works: links, forms and reloading.

const language = document.documentElement.lang;
const durations =
  language === 'ar'
    ? new Intl.DurationFormat('ar-MA', { style: 'narrow' })
    : new Intl.DurationFormat(language || 'fr', { style: 'short' });
const TICK_MS = 1_000;
const NEAR_THE_END_PX = 60;
const RENEW_MS = 60_000;
const STALE_AFTER_MS = 3_000;

/** As `times.ts` says it. */
function duration(ms) {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3_600)];
  const parts =
    seconds < 60
      ? { seconds }
      : seconds < 3_600
        ? { minutes }
        : seconds < 86_400
          ? { hours, minutes: minutes % 60 }
          : { days: Math.floor(hours / 24) };
  return durations.format(parts).replace(/( et|,) /, ' ');
}

function tick() {
  for (const time of document.querySelectorAll('time[data-since], time[data-until]')) {
    const { since, until } = time.dataset;
    const text = duration(since ? Date.now() - Number(since) : Number(until) - Date.now());
    if (time.textContent !== text) time.textContent = text;
  }
}
setInterval(tick, TICK_MS);

/** The newest words are at the end; whoever reads further up stays there. */
const talk = document.getElementById('talk');
let wasAtEnd = true;
/** On a phone the whole conversation moves, not the words alone. */
const moving = () => (getComputedStyle(talk).overflowY === 'visible' ? talk.closest('.work') : talk);
function toEnd() {
  if (talk) moving().scrollTop = moving().scrollHeight;
}
toEnd();
if (talk) {
  const moved = () => {
    const { scrollHeight, scrollTop, clientHeight } = moving();
    wasAtEnd = scrollHeight - scrollTop - clientHeight < NEAR_THE_END_PX;
  };
  for (const each of [talk, talk.closest('.work')]) each.addEventListener('scroll', moved);
  // The answer field takes room from it.
  new ResizeObserver(() => wasAtEnd && toEnd()).observe(talk);
}

/** The list stays where it was. */
const list = document.getElementById('list');
if (list) {
  list.scrollTop = Number(sessionStorage.getItem('wasl-list') ?? 0);
  addEventListener('pagehide', () => sessionStorage.setItem('wasl-list', String(list.scrollTop)));
}

/** A diagram, and on a phone the menu, is larger than its place: where one is comes to the middle. */
document.querySelector('.diagram .now')?.scrollIntoView({ block: 'center', inline: 'center' });
const tab = document.querySelector('.bar nav [aria-current]');
if (tab) {
  const [part, place] = [tab, tab.closest('nav')].map((each) => each.getBoundingClientRect());
  tab.closest('nav').scrollLeft += part.left - place.left - (place.width - part.width) / 2;
}

/** A form that is being filled in must not be put anew by a piece that says the same. */
document.body.addEventListener('htmx:sseBeforeMessage', (event) => {
  const template = document.createElement('template');
  template.innerHTML = event.detail.data;
  const bare = (html) => html.replaceAll(' open=""', '');
  if (bare(template.innerHTML) === bare(event.detail.elt.innerHTML)) event.preventDefault();
});
document.body.addEventListener('htmx:sseMessage', (event) => {
  if (event.target === talk && wasAtEnd) toEnd();
});

/** An act that was refused says why, too. */
document.body.addEventListener('htmx:beforeSwap', ({ detail }) => {
  if (detail.xhr.status !== 409) return;
  detail.shouldSwap = true;
  detail.isError = false;
});

/**
 * Says that it is not known whether an act was done, where its answer did not come or cannot be read. It is the request that
 * is listened to: when the stream is faster than the answer the form has left the page, and its events reach nobody. What the
 * page asks for by itself is no act. Whoever is signed out comes back here after the sign-in.
 */
document.body.addEventListener('htmx:beforeSend', ({ detail: { elt, xhr } }) => {
  if (!elt.matches('form')) return;
  // What it says is on its way, and no longer being written.
  elt.dataset.sent = 'yes';
  const drafts = [...elt.querySelectorAll('[data-draft]')].map((field) => field.dataset.draft);
  for (const key of drafts) onTheirWay.add(key);
  xhr.addEventListener('loadend', () => {
    delete elt.dataset.sent;
    for (const key of drafts) onTheirWay.delete(key);
    if (xhr.status === 401) return location.reload();
    const isAnswered = (xhr.status >= 200 && xhr.status < 400) || xhr.status === 409;
    show('undone', !isAnswered);
    if (xhr.status === 200 && elt.matches('form.write, form.file, [data-key] form')) {
      forgetDrafts(elt);
      elt.reset();
      elt.closest('[data-key]')?.removeAttribute('open');
    }
    // What was not taken is still to be sent, and so is what stands in other forms: any of them may have been put anew.
    restoreDrafts(document);
  });
});

/** A piece that did not come says so, and leads to where it stands by itself. */
for (const name of ['htmx:responseError', 'htmx:sendError'])
  document.body.addEventListener(name, ({ detail: { elt } }) =>
    elt.querySelector('[aria-busy]')?.removeAttribute('aria-busy'),
  );

/** The page is only as true as its stream. After a short break the browser has come back by itself. */
let staleSoon;
for (const name of ['htmx:sseError', 'htmx:sseClose']) {
  document.body.addEventListener(name, () => {
    staleSoon ??= setTimeout(show, STALE_AFTER_MS, 'stale', true);
  });
}
document.body.addEventListener('htmx:sseOpen', () => {
  clearTimeout(staleSoon);
  staleSoon = undefined;
  show('stale', false);
});

function show(id, isShown) {
  const note = document.getElementById(id);
  if (note) note.hidden = !isShown;
}

/** A conversation is kept for an agent who is there, not for a page that was left open. */
let isThere = false;
let pointedAt = '';
for (const name of ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchmove']) {
  document.addEventListener(
    name,
    (event) => {
      const { type, screenX, screenY } = event;
      // A browser also reports a move when the page has changed under a pointer that rests.
      if (type === 'pointermove' && pointedAt === `${screenX} ${screenY}`) return;
      if (type.startsWith('pointer')) pointedAt = `${screenX} ${screenY}`;
      isThere = true;
    },
    { capture: true, passive: true },
  );
}
setInterval(() => {
  if (isThere) document.querySelector('.renewal')?.dispatchEvent(new Event('renew'));
  isThere = false;
}, RENEW_MS);

function csrf() {
  return document.querySelector('input[name="csrf"]')?.value;
}

/** Others see who is here, what they look at, and that they write: said now and then, and as soon as they begin. */
const PRESENT_MS = 20_000;
const WRITING_MS = 4_000;
let wroteAt = 0;
function isHere(isWriting) {
  const token = csrf();
  if (!token || document.hidden) return;
  const where = document.querySelector('[data-where]')?.dataset.where ?? '';
  const body = new URLSearchParams({ where, writing: isWriting ? 'yes' : '' });
  fetch('/support/presence', { method: 'POST', body, headers: { 'x-csrf-token': token } }).catch(() => {});
}
isHere(false);
setInterval(isHere, PRESENT_MS, false);
document.addEventListener('input', ({ target }) => {
  if (target.id !== 'words' || Date.now() - wroteAt < WRITING_MS) return;
  wroteAt = Date.now();
  isHere(true);
});

/** What an agent writes: Ctrl+Enter sends it, as it does the forms that have a key; and what begins with a stroke is looked for among the canned answers. */
document.addEventListener(
  'keydown',
  (event) => {
    const { target, key } = event;
    if (key === 'Enter' && (event.ctrlKey || event.metaKey) && target.closest('.write, [data-key], #bulk')) {
      event.preventDefault();
      // With Shift, the last answer: the case is closed, and the next one opens.
      const last = event.shiftKey ? target.form.querySelector('[name="last"]') : undefined;
      if (last) last.click();
      else target.form.requestSubmit();
      return;
    }
    const list = listOf(target);
    if (!list || list.hidden) return;
    const options = [...list.children].filter((option) => !option.hidden);
    const at = options.findIndex((option) => option.getAttribute('aria-selected') === 'true');
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      select(options, (at + (key === 'ArrowDown' ? 1 : -1) + options.length) % options.length);
    } else if (key === 'Enter' || key === 'Tab') {
      if (!options[at]) return;
      pick(options[at]);
    } else if (key === 'Escape') {
      close(target);
      event.stopImmediatePropagation();
    } else return;
    event.preventDefault();
  },
  { capture: true },
);
/** What is offered while a field is typed in; undefined where nothing is. */
function listOf(field) {
  return document.getElementById(field.getAttribute?.('aria-controls') ?? '');
}
/** What is looked for: a canned answer by a field that begins with a stroke, an agent by what follows an @ before the cursor. */
function wantedIn({ value, selectionStart }, list) {
  const found =
    list.id === 'canned'
      ? /^\/(\S*)$/.exec(value)
      : /(?:^|[\s(])@([^\s@]*)$/.exec(value.slice(0, selectionStart));
  return found?.[1]?.toLowerCase();
}
document.addEventListener('input', ({ target }) => offer(target));
/** Shows what fits what is typed; chosen is the one with that id, else the first. */
function offer(field, id) {
  const list = listOf(field);
  if (!list) return;
  const wanted = wantedIn(field, list);
  for (const option of list.children) {
    const { word, also = '' } = option.dataset;
    option.hidden = ![word, also].some((each) => each.toLowerCase().startsWith(wanted ?? ' '));
  }
  const options = [...list.children].filter((option) => !option.hidden);
  list.hidden = wanted === undefined || options.length === 0;
  field.setAttribute('aria-expanded', String(!list.hidden));
  const at = options.findIndex((option) => option.id === id);
  select(options, Math.max(at, 0));
}
document.addEventListener('click', ({ target }) => {
  const option = target.closest('[role="listbox"] [role="option"]');
  if (option) pick(option);
});
function select(options, at) {
  for (const [i, option] of options.entries()) option.setAttribute('aria-selected', String(i === at));
  fieldOf(options[at])?.setAttribute('aria-activedescendant', options[at]?.id ?? '');
  options[at]?.scrollIntoView({ block: 'nearest' });
}
function fieldOf(option) {
  return option ? document.querySelector(`[aria-controls="${option.parentElement.id}"]`) : undefined;
}
function pick(option) {
  const field = fieldOf(option);
  const { text, word } = option.dataset;
  if (text === undefined) {
    const before = field.value.slice(0, field.selectionStart).replace(/@[^\s@]*$/, `@${word} `);
    field.value = before + field.value.slice(field.selectionStart).trimStart();
    field.setSelectionRange(before.length, before.length);
  } else field.value = text;
  keepDraft(field);
  close(field);
  field.focus();
}
function close(field) {
  field.setAttribute('aria-expanded', 'false');
  listOf(field).hidden = true;
}

/** What is being written stays where the piece around it is put anew: the connection was lost, or what can be done has changed. */
let written = [];
let picked = [];
let opened = [];
let pointed;
/** How a link, a button or what opens a form is found again once its piece is put anew; undefined where nothing tells it from others. */
function placeOf(element) {
  if (element.matches('a[href]')) return `a[href="${element.getAttribute('href')}"]`;
  if (element.matches('[form="bulk"]')) return `[form="bulk"][value="${element.value}"]`;
  const action = (element.closest('form') ?? element.parentElement?.querySelector('form'))?.getAttribute(
    'action',
  );
  if (!action || !element.matches('button, summary')) return undefined;
  if (element.matches('summary')) return `details:has(> form[action="${action}"]) > summary`;
  return `form[action="${action}"] button${element.name ? `[name="${element.name}"]` : ':not([name])'}`;
}
document.body.addEventListener('htmx:sseBeforeMessage', ({ detail: { elt } }) => {
  const fields = elt.querySelectorAll(
    '.write textarea, details[open] form :is(textarea, select, input:not([type="hidden"], [type="file"]))',
  );
  picked = [...elt.querySelectorAll('[form="bulk"]:checked')].map(({ value }) => value);
  pointed = elt.contains(document.activeElement) ? placeOf(document.activeElement) : undefined;
  opened = [...elt.querySelectorAll('details[open] > form:not([data-sent])')].map((form) =>
    form.getAttribute('action'),
  );
  written = [...fields].flatMap((field) => {
    const { form, name, value, selectionStart, selectionEnd } = field;
    const isChosen = field.matches('[type="checkbox"], [type="radio"]') ? field.checked : undefined;
    const of = isChosen === undefined ? '' : `[value="${value}"]`;
    const at = `form[action="${form.getAttribute('action')}"] [name="${name}"]${of}`;
    const isFocused = document.activeElement === field;
    const offered = listOf(field)?.hidden === false ? field.getAttribute('aria-activedescendant') : undefined;
    return form.dataset.sent ? [] : { at, value, isChosen, selectionStart, selectionEnd, isFocused, offered };
  });
});
document.body.addEventListener('htmx:sseMessage', ({ target }) => {
  for (const box of target.querySelectorAll('[form="bulk"]')) box.checked ||= picked.includes(box.value);
  for (const action of opened.splice(0))
    target.querySelector(`details:has(> form[action="${action}"])`)?.setAttribute('open', '');
  if (pointed) target.querySelector(pointed)?.focus();
  countChosen();
  for (const { at, value, isChosen, selectionStart, selectionEnd, isFocused, offered } of written.splice(0)) {
    const field = document.querySelector(at);
    if (!field) continue;
    if (isChosen !== undefined) field.checked = isChosen;
    else if (!field.matches('.write textarea') || field.value === '') field.value = value;
    if (typeof selectionStart === 'number') field.setSelectionRange(selectionStart, selectionEnd);
    if (isFocused) field.focus();
    if (offered !== undefined) offer(field, offered);
  }
});

/**
 * Drafts outlive a reload: in this browser alone, for one account, by what they are about, until they are sent, the account signs
 * out or another one signs in, and for as long as a sign-in can last. Numbers that might be a PIN, a code, a card's or a customer's
 * are left out.
 */
const DRAFTS = 'wasl-drafts';
const DRAFTS_MS = 12 * 3_600_000;
const MAYBE_SECRET = /\p{Nd}(?:[^\p{L}\p{Nd}]{0,3}\p{Nd}){3,}|(?=[^\s]*\d)(?=[^\s]*[a-z])[a-z\d-]{8,}/giu;
const MASK = '••••';
const { who } = document.body.dataset;
/** What has been sent and is not answered yet: it is not written anew into a form that the stream brings meanwhile. */
const onTheirWay = new Set();
function kept() {
  try {
    return Object(JSON.parse(localStorage.getItem(DRAFTS)));
  } catch {
    return {};
  }
}
function drafts() {
  const { who: whose, at, texts } = kept();
  return whose === who && Date.now() - at < DRAFTS_MS ? Object(texts) : {};
}
/** Somebody else has signed in since this page was opened. */
function isLeft() {
  const { who: whose = who } = kept();
  return whose !== who;
}
function keepDraft(field, text = field.value) {
  const key = field.dataset.draft;
  if (!key || !who || isLeft()) return;
  const { [key]: _before, ...texts } = drafts();
  if (text.trim() !== '') texts[key] = text.replace(MAYBE_SECRET, MASK);
  if (Object.keys(texts).length === 0) localStorage.removeItem(DRAFTS);
  else localStorage.setItem(DRAFTS, JSON.stringify({ who, at: Date.now(), texts }));
}
/** Where something was left out nothing is sent until it is put in again. */
function checkMask(field) {
  field.setCustomValidity(field.value.includes(MASK) ? field.dataset.masked : '');
}
function restoreDrafts(part) {
  const texts = drafts();
  for (const field of part.querySelectorAll('[data-draft]')) {
    const key = field.dataset.draft;
    if (field.value === '' && !onTheirWay.has(key)) field.value = texts[key] ?? '';
    checkMask(field);
  }
}
function forgetDrafts(form) {
  for (const field of form.querySelectorAll('[data-draft]')) keepDraft(field, '');
}
/** Nobody else reads what an account has left. */
if (who ? kept().who !== who : !(Date.now() - kept().at < DRAFTS_MS)) localStorage.removeItem(DRAFTS);
restoreDrafts(document);
document.body.addEventListener('htmx:sseMessage', ({ target }) => restoreDrafts(target));
document.addEventListener('input', ({ target }) => {
  if (!target.dataset.draft) return;
  keepDraft(target);
  checkMask(target);
});
document.addEventListener('submit', ({ target, defaultPrevented }) => {
  if (/\/sign-out(?:-everywhere)?$/.test(target.getAttribute('action') ?? ''))
    localStorage.removeItem(DRAFTS);
  if (!defaultPrevented) forgetDrafts(target);
});

/** A file that is dropped on the conversation, or pasted there, goes into the form for one and is sent. */
function sendFile(event, files) {
  const field = document.querySelector('form.file input[type="file"]');
  if (!document.getElementById('talk') || !files?.length) return;
  event.preventDefault();
  // Where the channel takes no file, the page says so.
  document.querySelector('.no-files')?.classList.add('note', 'bad');
  if (!field) return;
  field.files = files;
  field.form.requestSubmit();
}
document.addEventListener('paste', (event) => sendFile(event, event.clipboardData?.files));
document.addEventListener('drop', (event) => {
  document.querySelector('.composer')?.classList.remove('over');
  sendFile(event, event.dataTransfer?.files);
});
for (const name of ['dragover', 'dragleave'])
  document.addEventListener(name, (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    document.querySelector('.composer')?.classList.toggle('over', name === 'dragover');
  });

/** How many cases are chosen for what is done about several at once. */
function countChosen() {
  const boxes = [...document.querySelectorAll('[form="bulk"]')];
  const count = boxes.filter(({ checked }) => checked).length;
  const [chosen, all] = [document.getElementById('chosen'), document.getElementById('choose-all')];
  if (chosen) chosen.textContent = String(count);
  if (all) all.checked = count > 0 && count === boxes.length;
}
countChosen();
document.addEventListener('change', ({ target }) => {
  if (target.id === 'choose-all')
    for (const box of document.querySelectorAll('[form="bulk"]')) box.checked = target.checked;
  countChosen();
});

/** Whoever has taken a conversation over is to write: the field is in sight, and the keys go there. */
let hasTakenOver = false;
document.addEventListener('submit', ({ target }) => {
  if (/\/take-(?:over|from)$/.test(target.getAttribute('action') ?? '')) hasTakenOver = true;
});
document.body.addEventListener('htmx:sseMessage', () => {
  const words = hasTakenOver ? document.getElementById('words') : null;
  if (!words) return;
  hasTakenOver = false;
  words.scrollIntoView({ block: 'nearest' });
  words.focus();
});

/** What is new in the inbox: in the title, and aloud and on the desktop for who wants that. */
const TITLE = document.title;
const WANTED = 'wasl-alerts';
let known;
document.body.addEventListener('htmx:afterSettle', () => {
  const news = document.getElementById('news');
  if (!news) return;
  const count = Number(news.textContent);
  document.title = count > 0 ? `(${count}) ${TITLE}` : TITLE;
  // Each by itself: that somebody takes a free case hides no answer in one's own.
  const now = [Number(news.dataset.news), Number(news.dataset.free)];
  const isMore = known !== undefined && now.some((each, i) => each > known[i]);
  known = now;
  if (!isMore || localStorage.getItem(WANTED) !== 'yes') return;
  beep();
  if (document.hidden && window.Notification?.permission === 'granted')
    new Notification('Wasl', { body: news.dataset.says, tag: 'wasl-inbox' });
});
function beep() {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  volume.gain.value = 0.05;
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.15);
  tone.addEventListener('ended', () => audio.close());
}
const alerts = document.getElementById('alerts');
if (alerts) {
  const isOn = () => localStorage.getItem(WANTED) === 'yes';
  const tell = () => alerts.setAttribute('aria-pressed', String(isOn()));
  alerts.hidden = false;
  tell();
  alerts.addEventListener('click', async () => {
    localStorage.setItem(WANTED, isOn() ? 'no' : 'yes');
    tell();
    if (isOn()) await window.Notification?.requestPermission();
  });
}

/** A filter applies as soon as it is chosen. */
for (const form of document.querySelectorAll('form.filters')) {
  form.querySelector('button').hidden = true;
  form.addEventListener('change', () => form.requestSubmit());
}

const PLACES = { i: '/support/inbox', l: '/support', t: '/support/today' };
let prefix = '';

/** A case of the list further on or back: from the one that has the focus, else from the open one, else the first. */
function toLine(step) {
  const lines = [...document.querySelectorAll('.cases .opens')];
  const focused = lines.indexOf(document.activeElement.closest('.case')?.querySelector('.opens'));
  const at = focused < 0 ? lines.findIndex((line) => line.ariaCurrent) : focused;
  lines[at < 0 ? 0 : Math.min(Math.max(at + step, 0), lines.length - 1)]?.focus();
}
const DOES = {
  j: () => toLine(1),
  k: () => toLine(-1),
  x: () => document.activeElement.closest('.case')?.querySelector('[form="bulk"]')?.click(),
  d: () => document.activeElement.closest('.case')?.querySelector('form.read')?.requestSubmit(),
  '?': () => document.getElementById('keys')?.togglePopover(),
  b: (event) => {
    event.preventDefault();
    document.querySelector('#bulk select')?.focus();
  },
  n: () => (document.getElementById('next') ? document.getElementById('next').requestSubmit() : nextCase()),
  o: () => {
    const line = document.activeElement.closest('.case')?.querySelector('.opens:not([aria-current])');
    if (line) line.click();
    else document.querySelector('form[action$="/take-over"]')?.requestSubmit();
  },
};

/** Opens a form that has a key of its own, and goes to its first field; closes one that is open. */
function toForm(form) {
  form.open = !form.open;
  if (form.open) form.querySelector('select, textarea, input:not([type="hidden"])')?.focus();
}

/** From a page without the list, too. What the list is narrowed to is known where it goes. */
function nextCase() {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: '/support/inbox/next', hidden: true });
  form.append(Object.assign(document.createElement('input'), { name: 'csrf', value: csrf() ?? '' }));
  document.body.append(form);
  form.requestSubmit();
}
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.matches('input:not([type="checkbox"]), textarea, select');
  if (event.key === 'Escape' && isTyping) event.target.blur();
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  // Where a keyboard writes no Latin letter, the place of the key counts.
  const placed = event.code === 'Slash' ? '/' : event.code.replace(/^Key/, '');
  const key = (/^[ -~]$/.test(event.key) ? event.key : placed).toLowerCase();
  const place = prefix === 'g' ? PLACES[key] : undefined;
  prefix = key;
  if (place) location.assign(place);
  else if (DOES[key]) DOES[key](event);
  else if (/^[aeflmrz]$/.test(key)) {
    const form = document.querySelector(`details[data-key="${key}"]`);
    if (!form) return;
    event.preventDefault();
    toForm(form);
  } else if (key === '/' || key === 't') {
    const field = document.getElementById(key === '/' ? 'q' : 'words');
    if (!field) return;
    event.preventDefault();
    field.focus();
  }
});
