/** The chat page: shows screens, takes answers. It decides nothing; the server says what is expected next. */

import { FIELDS, FILES, isHidden, SECRETS } from './fields.js';
import {
  forget,
  isSame,
  keptAnswer,
  keptText,
  remember,
  remembered,
  rememberInPlace,
  rememberSent,
} from './history.js';
import { acknowledge, listen, NoChat, send } from './line.js';
import { clear, keepAnswer, mayAsk, renew, turnOff, turnOn } from './notifications.js';
import { receiptCard } from './payment-card.js';
import {
  copyButton,
  fileLink,
  fittingFile,
  hidesSomething,
  mark,
  pageLink,
  picture,
  signed,
  smallPhoto,
  sumColumn,
  unfit,
  unseen,
  withHidden,
} from './pieces.js';
import { nameDays, place, timeElement, unreadLine } from './times.js';

const LABELS = JSON.parse(document.getElementById('labels').textContent);
const LANGUAGES = Object.keys(LABELS);
/** Before this, an answer is quick enough to need no sign of life. */
const TYPING_AFTER_MS = 300;
const TROUBLE_AFTER_MS = 1500;

const $ = (id) => document.getElementById(id);
const ui = {
  log: $('log'),
  live: $('live'),
  scroll: $('scroll'),
  choices: $('choices'),
  newest: $('newest'),
  tagline: $('tagline'),
  typing: $('typing'),
  offline: $('offline'),
  composer: $('composer'),
  answer: $('answer'),
  photo: $('photo'),
  asks: $('asks'),
  languages: $('languages'),
  ways: $('ways'),
};

let language = guessLanguage();
let current = { screenId: -1, expects: 'nothing', choices: [] };
let busy = false;
/** Whether the newest message is in sight: not while its customer reads older ones. */
let isAtEnd = true;
/** What was said before that, and comes now, has waited for its reader. */
const openedAt = Date.now();
/** Whose wallet this chat is linked to, in the server's words for it; null: nobody's. Before its first answer it is not known. */
let reader;

/** Carries one thing the customer did to Wasl and shows what comes back. */
async function act(input, { mine, focus = true, box } = {}) {
  if (busy) return;
  const message = { id: crypto.randomUUID(), guess: language, ...input };
  if (mine) {
    ui.log.querySelector('.unread')?.remove();
    // Who goes on without an answer is asked after the next payment.
    ui.asks.hidden = true;
  }
  const item = mine && (mine.secret ? hiddenAnswer() : bubble(mine.text, 'mine'));
  if (item) {
    mark(item, 'sending', LABELS[language]);
    place(ui.log, item, language);
  }
  if (reader && mine) {
    const spoken = mine.secret && LABELS[language].hidden;
    const { kind } = item.said;
    remember(reader, { kind, ids: [message.id], text: keptAnswer(mine.text), spoken, isSent: false });
  }
  await deliver(message, { focus, item, box });
}

/** Typed text that is or may be a secret. */
function hiddenAnswer() {
  return bubble('••••', 'mine hidden-answer', LABELS[language].hidden);
}

/**
 * @param item what the customer has said, where it stands; undefined where they have said nothing
 * @param box the place of the check box that was ticked: the list stays where it is
 */
async function deliver(message, { focus, item: mine, box }) {
  let item = mine;
  setBusy(true);
  const typing = setTimeout(() => {
    ui.typing.hidden = false;
    toEnd();
  }, TYPING_AFTER_MS);
  try {
    const { screen, isSecret } = await send(message, { onTrouble });
    if (isSecret && item?.said.kind === 'mine') item = replaced(item, hiddenAnswer());
    if (item) mark(item, 'sent', LABELS[language]);
    if (item && reader) rememberSent(reader, message.id);
    if (screen) showAnswer(screen, { isAnswer: item !== undefined, isTicked: box !== undefined });
    else ui.answer.value = '';
  } catch (error) {
    onTrouble(false);
    unsent(message, item, error);
  } finally {
    clearTimeout(typing);
    ui.typing.hidden = true;
    setBusy(false);
    early.splice(0).forEach(onPush);
    const ticked = box === undefined ? undefined : ui.choices.children[box];
    if (ticked?.role === 'checkbox') ticked.focus({ preventScroll: true });
    else {
      if (focus) focusNext();
      toEnd();
    }
  }
}

/** Shows an answer, below what Wasl had said on its own before it; one to nothing that the customer has said, where it stood. */
function showAnswer(screen, { isAnswer, isTicked }) {
  if (screen.reader !== undefined && screen.reader !== reader) readBy(screen);
  const said = new Set(screen.says);
  for (const push of early.splice(0)) {
    const isOlder = push.screenId !== null && push.screenId < screen.screenId;
    if ((screen.news || isOlder) && !said.has(push.id)) tell(push);
    else early.push(push);
  }
  for (const id of said) {
    shownIds.add(id);
    void acknowledge(id);
  }
  // An answer that names no reader is no screen of the conversation.
  show(screen, { isAnswer, isTicked, isLate: screen.reader === undefined });
}

/** Somebody else reads here from now on, or nobody; after a reload it is who did before, and sees what was said. */
function readBy(screen) {
  const isReload = reader === undefined;
  if (reader) empty();
  reader = screen.reader;
  ui.asks.hidden = true;
  if (!reader) {
    forget();
    return void turnOff().catch(() => {});
  }
  void renew(reader).catch(() => {});
  const entries = remembered(reader);
  if (!isReload) return;
  speak(screen.language);
  const labels = LABELS[language];
  // It was read out when it was said.
  ui.live.ariaLive = 'off';
  const since = [...ui.log.children];
  empty();
  for (const { kind, text, spoken, isSent, ...of } of entries) {
    const item = bubble(text ?? labels.notKept, kind, spoken, of);
    item.classList.toggle('not-kept', text === undefined);
    // Of what an older page has kept nobody knows.
    if (isSent !== undefined) mark(item, isSent ? 'sent' : 'failed', labels);
    place(ui.log, item, language);
  }
  ui.log.append(...since);
  ui.live.ariaLive = 'polite';
}

/** Whether the customer does not see the end of the conversation. */
function isAway() {
  return document.hidden || !isAtEnd;
}

function empty() {
  ui.log.replaceChildren();
  delete ui.log.dataset.day;
}

/** Puts a message where another one stands. It was said when that one was. */
function replaced(before, item) {
  item.said.at = before.said.at;
  item.querySelector('time').replaceWith(timeElement(before.said.at));
  before.replaceWith(item);
  return item;
}

/** Says something, and keeps it for after a reload. What was said before is said where it stands; an answer, below the question. */
function say(said, kind, { isAnswer = false } = {}) {
  const {
    id,
    says = [],
    screenId,
    was,
    language,
    direction,
    document,
    file,
    copies,
    expects,
    receipt,
  } = said;
  const ids = id === undefined ? says : [id, ...says];
  const before = isAnswer ? undefined : itemOf({ screenId, was, ids });
  const at = Date.now() - (said.agoMs ?? 0);
  const item = bubble(said.text, before?.said.kind ?? kind, undefined, { ...said, ids, at });
  if (before) replaced(before, item);
  else {
    if (kind === 'news' && (isAway() || at < openedAt)) unreadLine(ui.log, LABELS[language].unread);
    place(ui.log, item, language);
  }
  if (!reader) return;
  if (said.isPaid) void askToNotify();
  const text = keptText(said);
  // A text that is not kept cannot be copied either.
  const copied = text === undefined ? undefined : copies;
  const entry = {
    kind,
    text,
    screenId,
    was,
    ids,
    language,
    direction,
    document,
    file,
    receipt,
    copies: copied,
  };
  // In another tab it may have been said already; only a question is asked again.
  remember(reader, entry, { inPlace: !isAnswer, moved: isAnswer && expects === 'nothing' });
}

/** The messages, without the lines between. */
function messages() {
  return [...ui.log.querySelectorAll('.bubble')];
}

/** Where this stands, if it was said before. */
function itemOf(said) {
  return messages().findLast((item) => isSame(item.said, said));
}

/**
 * Shows the screen that now stands. One that says what the last one says, such as "processing", is no news, and a list with another box
 * ticked stands where it stood.
 */
function show(screen, { news = false, isAnswer = false, isLate = false, isTicked = false } = {}) {
  const isSameList = isTicked && screen.choices.some(({ label }) => BOX.test(label));
  const was = isSameList || (news && screen.text === current.text) ? current.screenId : undefined;
  if (!isSameList) keepRows(current);
  current = screen;
  speak(screen.language);
  say({ ...screen, was, ...(isLate && { screenId: null }) }, news ? 'news' : '', { isAnswer });
  showChoices(screen);
  ui.choices.dir = screen.direction;
  prepareField(screen);
  if (!isSameList && (!news || isAtEnd)) toEnd();
}

const ROWS_FROM = 5;

function showChoices(screen) {
  for (const way of ui.ways.children) way.hidden = screen.idle?.includes(way.value) ?? false;
  for (const old of ui.log.querySelectorAll('button.file')) old.remove();
  ui.choices.replaceChildren(...buttonsFor(screen));
  const file = screen.receipt && screen.choices.find(isFile);
  if (file) itemOf(screen)?.querySelector('.stamp').before(fileButton(file));
  const hasBoxes = ui.choices.querySelector('[role="checkbox"]') !== null;
  ui.choices.classList.toggle('checks', hasBoxes);
  // A list, and many choices, are one card of equal rows.
  const isList =
    hasBoxes || ui.choices.children.length >= ROWS_FROM || screen.choices.some(({ isRow }) => isRow);
  ui.choices.classList.toggle('rows', isList);
}

/** A payment's file is had where that of a bill stands, in the card: for as long as its screen stands. */
const isFile = ({ id }) => id === 'receipt';

function fileButton({ id, label }) {
  const button = choiceButton(label, () => ({ choice: id, ...answers() }));
  button.className = 'file';
  return button;
}

/** A heading without its list says nothing to who reads it again: the rows stay, though nothing can be chosen there any more. */
function keepRows({ screenId, text, choices, isPrivate, language: lang, direction }) {
  const rows = choices.filter(({ isRow }) => isRow).map(({ label }) => label);
  const item = messages().findLast(({ said }) => said.screenId === screenId);
  if (!item || rows.length === 0 || !/:[\u2066-\u2069]*$/.test(text)) return;
  const whole = [text, ...rows].join('\n');
  item.querySelector('bdi').replaceChildren(...signed(whole));
  if (reader && !isPrivate) rememberInPlace(reader, screenId, { text: whole, language: lang, direction });
}

/** Shows what Wasl says on its own: a newer screen takes the place of the one that stands, which is not said twice. */
const shownIds = new Set();
/** Messages that came while an answer was awaited: one may be that answer. */
const early = [];
function onPush(push) {
  if (busy) {
    early.push(push);
    return;
  }
  tell(push);
}

function tell(push) {
  if (!shownIds.has(push.id)) {
    shownIds.add(push.id);
    const isSaid = push.replaces !== undefined && replace(push);
    if (isSaid) settle(push);
    else if (push.screenId !== null && push.screenId > current.screenId) show(push, { news: true });
    else if (push.screenId !== current.screenId) say(push, 'news');
    if (isAtEnd) toEnd();
  }
  // A hidden code counts as seen once it was looked at: until then it comes again.
  if (!(push.isSecret && hidesSomething(push.text))) void acknowledge(push.id);
}

/** What is untrue now says what is so, where it stands. True where that is the last thing that was said, the question on show. */
function replace({ replaces, text, language, direction }) {
  for (const item of messages().filter(({ said }) => said.screenId === replaces)) {
    item.replaceChildren(...signed(text), stampOf(item.said.at));
    item.dir = direction;
    item.lang = language;
  }
  if (reader) rememberInPlace(reader, replaces, { text, language, direction });
  return replaces === current.screenId && ui.log.lastElementChild?.said.screenId === replaces;
}

/** The question that stands is answered by nobody any more. */
function settle({ choices, expects, idle }) {
  current = { ...current, choices, expects, idle };
  showChoices(current);
  prepareField(current);
}

function bubble(
  text,
  kind,
  spoken,
  {
    id,
    screenId,
    ids,
    language: lang,
    direction,
    document: file,
    file: kindOfFile,
    picture: image,
    qr,
    receipt,
    copies = [],
    hides = 'code',
    at = Date.now(),
  } = {},
) {
  const labels = LABELS[language];
  const item = document.createElement('li');
  item.className = `bubble ${kind}`;
  item.dir = direction ?? 'auto';
  if (lang) item.lang = lang;
  item.said = { screenId, ids, kind, at };
  if (kind.startsWith('mine')) item.append(unseen(`${labels.you}: `));
  if (spoken) {
    const dots = document.createElement('span');
    dots.ariaHidden = 'true';
    dots.textContent = text;
    item.append(unseen(spoken), dots);
  } else {
    // Beside the unseen word before it, what was typed keeps a direction of its own: `/menu` in an Arabic chat.
    const words = document.createElement('bdi');
    item.append(words);
    words.append(
      ...withHidden(
        text,
        { reveal: labels.reveal, copy: copyLabel(hides), copied: labels.copied },
        () => id && void acknowledge(id),
      ),
    );
  }
  if (receipt) {
    item.firstElementChild.className = 'unseen';
    item.append(...receiptCard(receipt, { direction: direction ?? 'ltr', labels }));
  }
  for (const { what, text: copied } of copies)
    item.append(copyButton(copied, copyLabel(what), labels.copied));
  if (image) item.prepend(picture(image, { height: 150 }));
  if (qr) item.prepend(picture(qr, { width: 260, height: 260 }));
  if (file) item.append(fileLink(file, kindOfFile === 'agent-file' ? labels.file : labels.receipt));
  item.append(stampOf(at));
  return item;
}

function stampOf(at) {
  const stamp = document.createElement('span');
  stamp.className = 'stamp';
  stamp.append(timeElement(at));
  return stamp;
}

/** The first payment is done: the moment at which it is plain what a notification is good for. */
async function askToNotify() {
  const whose = reader;
  const what = whose && (await mayAsk(whose).catch(() => undefined));
  if (!what || whose !== reader) return;
  const isBelow = isAway();
  ui.asks.dataset.asks = what;
  ui.asks.hidden = false;
  if (!isBelow) ui.asks.scrollIntoView({ block: 'nearest' });
}

/** Something that the page says itself. It is kept nowhere. */
function note(text, kind = 'news') {
  const item = bubble(text, kind);
  place(ui.log, item, language);
  toEnd();
  return item;
}

function copyLabel(what) {
  const labels = LABELS[language];
  const own = { reference: labels.copyReference, rib: labels.copyRib, code: labels.copyCode };
  return { ...own, link: labels.copyLink }[what];
}

/** The choices of a screen; where nothing is asked any more, the way on is the menu. */
function buttonsFor({ choices, expects, form, link, reads, receipt }) {
  const labels = LABELS[language];
  const pages = [
    form && pageLink(form, labels.openForm),
    link && pageLink(link, labels.goOn),
    reads && pageLink(reads.url, reads.label, 'reads'),
  ].filter(Boolean);
  // The ways below have a "menu" of their own.
  const menu = choiceButton(labels.toMenu, () => ({ went: 'menu' }));
  const below = receipt ? choices.filter((choice) => !isFile(choice)) : choices;
  const buttons = below.map((choice) =>
    choiceButton(choice.label, () => ({ choice: choice.id, ...answers() }), choice),
  );
  return expects === 'nothing' ? [...pages, ...buttons, menu] : [...pages, ...buttons];
}

/** The sign before a row that can be ticked: the page draws it as a check box, and a tap says nothing in the conversation. */
const BOX = /^[\u200e\u200f\u2066-\u2069]*([☐☑])\s/;

/** A longer label does not stand beside another one. */
const LABEL_CHARS_MAX = 28;

function choiceButton(label, input, { picture: image, isRow, style } = {}) {
  const button = document.createElement('button');
  button.type = 'button';
  if (image) button.append(picture(image, { width: 28, height: 28 }));
  if (style) button.dataset.style = style;
  const box = BOX.exec(label);
  if (box) Object.assign(button, { role: 'checkbox', ariaChecked: String(box[1] === '☑') });
  const sums = isRow || box ? sumColumn(label.replace(BOX, '')) : undefined;
  button.classList.toggle('sums', sums !== undefined);
  button.classList.toggle('long', label.length > LABEL_CHARS_MAX);
  const words = document.createElement('span');
  words.append(...signed(label.replace(BOX, '')));
  button.append(...(sums ?? [words]));
  button.addEventListener('click', () => {
    const place = [...ui.choices.children].indexOf(button);
    void act(input(), box ? { box: place } : { mine: { text: label } });
  });
  return button;
}

/** A message that never got through: said plainly, and sent again only if the customer wants. */
function unsent(message, mine, error) {
  const labels = LABELS[language];
  const noChat = error instanceof NoChat;
  const item = note(noChat ? labels.cookies : (error.says?.text ?? labels.unsent), 'unsent');
  if (noChat) return;
  // The same message under the same id, once for each tap: whatever the server has done with it is not done again.
  mark(mine ?? item, 'failed', labels, () => {
    if (busy) return;
    item.remove();
    if (mine) mark(mine, 'sending', labels);
    void deliver(message, { focus: true, item: mine });
  });
}

function prepareField(screen) {
  const { expects } = screen;
  const {
    type = 'text',
    inputMode = 'text',
    autocomplete = 'off',
    autocapitalize = 'sentences',
  } = FIELDS[expects] ?? {};
  Object.assign(ui.answer, { type, inputMode, autocomplete, autocapitalize, value: '' });
  const label = LABELS[language][`write${expects[0].toUpperCase()}${expects.slice(1)}`];
  ui.answer.placeholder = label;
  ui.answer.ariaLabel = label;
  ui.answer.classList.toggle('masked', expects === 'otp');
  ui.composer.classList.toggle('secret', SECRETS.has(expects));
  const sides = filesOf(screen);
  ui.composer.classList.toggle('files', sides !== undefined && screen.takes !== 'files');
  ui.composer.classList.toggle('also-files', screen.takes === 'files');
  ui.photo.accept = sides
    ? 'image/png,image/jpeg,application/pdf'
    : 'image/png,image/jpeg,image/webp,image/gif';
  ui.photo.multiple = sides > 1;
  const labels = LABELS[language];
  ui.photo.ariaLabel = sides ? labels.document : labels.photo;
  if (String(screen.screenId) !== frontKept()) chosenFiles = [];
  else if (chosenFiles.length === 0) {
    keepFront();
    note(labels.frontGone);
  }
  // A number is typed left to right, also where the page reads right to left.
  ui.answer.dir = inputMode === 'text' ? 'auto' : document.documentElement.dir;
}

function speak(next) {
  language = next;
  const labels = LABELS[next];
  document.documentElement.lang = next;
  document.documentElement.dir = next === 'ar' ? 'rtl' : 'ltr';
  document.title = labels.title;
  ui.tagline.textContent = current.takes === 'files' ? labels.withAgent : labels.tagline;
  nameDays(ui.log, next);
  for (const element of document.querySelectorAll('[data-label]')) {
    element.textContent = labels[element.dataset.label];
  }
  for (const element of document.querySelectorAll('[data-aria]')) {
    element.ariaLabel = labels[element.dataset.aria];
  }
  for (const button of ui.languages.children) button.ariaPressed = String(button.value === next);
}

function setBusy(now) {
  busy = now;
  const buttons = [ui.choices, ui.ways, ui.languages, ui.composer].flatMap((part) => [
    ...part.querySelectorAll('button'),
  ]);
  for (const button of [...buttons, ui.photo]) button.disabled = now;
}

/** After an answer the next key goes to the field, or into the choices, where no choice looks chosen yet. */
function focusNext() {
  const chosen = current.expects === 'choice' || current.expects === 'nothing';
  (chosen ? ui.choices : ui.answer).focus({ preventScroll: true });
}

let trouble;
/** A short stumble is not worth a word; the customer is told once it lasts: by the server, where it can be reached. */
function onTrouble(now, says) {
  if (now) {
    ui.offline.textContent = says?.text ?? LABELS[language].offline;
    ui.offline.dir = says?.direction ?? document.documentElement.dir;
    trouble ??= setTimeout(() => {
      ui.offline.hidden = false;
    }, TROUBLE_AFTER_MS);
    return;
  }
  clearTimeout(trouble);
  trouble = undefined;
  ui.offline.hidden = true;
}

/** To the end; never past the last message, however long the list of choices below it is. */
function toEnd() {
  isAtEnd = true;
  ui.newest.hidden = true;
  ui.scroll.scrollTop = ui.typing.hidden
    ? (ui.log.lastElementChild?.offsetTop ?? 0) - 12
    : ui.scroll.scrollHeight;
}

let scrolled = 0;
ui.scroll.addEventListener('scroll', () => {
  const { scrollTop, clientHeight } = ui.scroll;
  const { offsetTop = 0, offsetHeight = 0 } = ui.log.lastElementChild ?? {};
  const isInSight = scrollTop + clientHeight >= offsetTop + Math.min(offsetHeight, clientHeight);
  // On its way down it is not there yet.
  isAtEnd = isInSight || (isAtEnd && scrollTop >= scrolled);
  scrolled = scrollTop;
  ui.newest.hidden = isAtEnd;
});
ui.newest.addEventListener('click', () => {
  toEnd();
  ui.answer.focus({ preventScroll: true });
});
/** What comes to stand below the messages, or is shown in one of them, covers none; and a frame that was not on show could not be scrolled. */
const follow = new ResizeObserver(() => isAtEnd && toEnd());
for (const grows of [ui.scroll, ui.log]) follow.observe(grows);

/** Which screen this answers: an old button must never answer a new question. */
function answers() {
  return current.screenId >= 0 ? { answers: current.screenId } : {};
}

function guessLanguage() {
  const wanted = [new URLSearchParams(location.search).get('language'), ...navigator.languages];
  const known = wanted.map((tag) => tag?.slice(0, 2)).find((tag) => LANGUAGES.includes(tag));
  return known ?? 'fr';
}

ui.composer.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = ui.answer.value.trim();
  if (text === '' || busy) return;
  const secret = isHidden(text, current);
  ui.answer.value = '';
  void act({ text, ...answers() }, { mine: { text: secret ? '••••' : text, secret } });
});

/** The first side of a document waits here for the second one: both are sent together, and kept nowhere. */
let chosenFiles = [];

/** The question whose front was chosen. A reload loses the file, and the customer must not take the back for it. */
const FRONT = 'wasl-front';
function keepFront(screenId) {
  try {
    if (screenId === undefined) sessionStorage.removeItem(FRONT);
    else sessionStorage.setItem(FRONT, screenId);
  } catch {
    // A browser that keeps nothing asks for the front and does not say that it is gone.
  }
}
function frontKept() {
  try {
    return sessionStorage.getItem(FRONT);
  } catch {
    return undefined;
  }
}

/** How many files a screen takes at once: the sides of a document, or one that an adviser looks at. */
function filesOf({ expects, takes }) {
  return takes === 'files' ? 1 : FILES[expects];
}

/** Takes the files of a document, as many as it has sides. */
async function attach(files) {
  const { screenId } = current;
  const sides = filesOf(current);
  const labels = LABELS[language];
  const fitting = await Promise.all(files.map(fittingFile));
  const why = (await Promise.all(fitting.map((file) => unfit(file, labels)))).find(Boolean);
  if (busy || screenId !== current.screenId) return;
  const all = [...chosenFiles, ...fitting];
  const wrong = all.length > sides ? labels.tooManyFiles : why;
  if (!wrong) keepFront(all.length === sides ? undefined : screenId);
  if (!wrong && all.length === sides)
    return act({ files: all, ...answers() }, { mine: { text: labels.fileAttached } });
  if (!wrong) chosenFiles = all;
  note(wrong || labels.frontChosen);
}

function give(files) {
  if (files.length === 0 || busy) return;
  void (filesOf(current) ? attach(files) : sendPhoto(files[0]));
}

ui.photo.addEventListener('change', () => {
  const files = [...ui.photo.files];
  ui.photo.value = '';
  give(files);
});
// A browser opens a file that is dropped on a page which does not want it, and the chat is gone.
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  give([...event.dataTransfer.files]);
});

async function sendPhoto(file) {
  const labels = LABELS[language];
  const photo = await smallPhoto(file).catch(() => undefined);
  // Of what is no picture nothing is sent but that it was there: the server says what it wants.
  const said = photo ? labels.photoSent : labels.fileAttached;
  const kind = /\.(csv|xlsx?|ods)$/i.test(file.name) ? 'text/csv' : '';
  await act({ photo: photo ?? new Blob([], { type: kind }), ...answers() }, { mine: { text: said } });
}

ui.ways.addEventListener('click', ({ target }) => {
  if (target.value) void act({ went: target.value }, { mine: { text: target.textContent } });
});

ui.asks.addEventListener('click', async ({ target }) => {
  if (!target.value) return;
  ui.asks.hidden = true;
  const isWanted = target.value === 'yes';
  const became = isWanted && (await turnOn().catch(() => 'failed'));
  keepAnswer(reader, became === 'granted');
  const { notifyOn, notifyDenied, notifyFailed } = LABELS[language];
  if (isWanted) note({ granted: notifyOn, denied: notifyDenied }[became] ?? notifyFailed);
});

document.addEventListener('visibilitychange', () => {
  if (document.hidden) return;
  nameDays(ui.log, language);
  void clear().catch(() => {});
});

ui.languages.addEventListener('click', ({ target }) => {
  if (target.value && target.value !== language) void act({ language: target.value });
});

/**
 * Begins what was chosen at the icon of the installed app: one of these, once, and only there. A link on somebody's page
 * begins nothing.
 */
async function start() {
  const STARTS = { startTransfer: '/transfer', startBalance: '/balance', startBill: '/bill-payment' };
  const wanted = new URLSearchParams(location.search).get('start');
  if (wanted === null) return;
  history.replaceState(null, '', '/chat');
  const isInstalled = matchMedia('(display-mode: standalone)').matches || navigator.standalone === true;
  if (!isInstalled || !reader || !Object.hasOwn(STARTS, wanted)) return;
  await act({ text: STARTS[wanted] }, { mine: { text: LABELS[language][wanted] } });
}

speak(language);
await act({ opened: true }, { focus: false });
// What is typed before there is a screen would answer nothing: a form without this script loads its page anew.
ui.answer.disabled = false;
listen({ onPush, onTrouble });
await start();
// In somebody else's page there is nothing to install.
if (window.top === window)
  void navigator.serviceWorker?.register('/chat/sw.js', { scope: '/chat' }).catch(() => {});
