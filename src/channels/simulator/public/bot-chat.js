/** Telegram or WhatsApp on the smartphone: what Wasl says, its buttons, and what a person can write, press, share or send. */

import { bubble, buttonOf } from './bot-message.js';
import { createSheet } from './sheet.js';

const LOOK_MS = 1000;
/** While the bot is at work, its messages come one after the other. */
const LOOK_QUICKLY_MS = 200;
const TOAST_MS = 4000;

const $ = (id) => document.getElementById(id);

/** The parts of an app's view, made from the one template of the page. `tg-log` is the log of Telegram. */
function partsOf(app, prefix) {
  const made = $('bot-chat').content.cloneNode(true);
  const parts = {};
  for (const part of made.querySelectorAll('[data-part]')) {
    part.id = `${prefix}-${part.dataset.part}`;
    if (part.dataset.own) part.dataset.label = app + part.dataset.own;
    parts[part.dataset.part] = part;
  }
  parts.menu.setAttribute('aria-controls', parts.commands.id);
  $(app).append(made);
  return parts;
}

/**
 * @param app `telegram` or `whatsapp`; `prefix` begins the ids of its elements; `begins` gives the first words of a person;
 *   `owner` gives the number of the phone; `language` and `label` the page's language and its sentences; `onNews` is
 *   told when the bot has said something.
 */
export function createBotChat({ app, prefix, begins, owner, language, label, onNews }) {
  const ui = partsOf(app, prefix);
  const at = `/simulator/${app}`;
  const isTimed = app === 'whatsapp';
  const sheet = createSheet(ui.sheet, { label });
  /** What each message on show was made from, by its id. */
  let shown = new Map();
  let of;
  let asked = 0;
  let toasted;
  let doing = Promise.resolve();
  let working = 0;

  async function look() {
    if (document.visibilityState !== 'visible') return;
    const mine = ++asked;
    const phone = owner();
    const query = new URLSearchParams({ phone, language: language() });
    const answer = await fetch(`${at}/chat?${query}`).catch(() => undefined);
    // Another question was asked meanwhile, and will be answered with something newer.
    if (!answer?.ok || mine !== asked || phone !== owner()) return;
    draw(await answer.json(), phone);
  }

  function draw({ messages, keyboard, said, isTyping, commands }, phone) {
    const isNew = of !== phone;
    if (isNew) forget(said?.id);
    of = phone;
    const { log } = ui;
    const focus = log.contains(document.activeElement) && document.activeElement.dataset.place;
    const wasAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 8;
    const came = drawMessages(messages);
    drawKeyboard(keyboard);
    drawCommands(commands);
    ui.start.hidden = messages.length > 0;
    ui.form.hidden = messages.length === 0;
    ui.status.textContent = isTyping ? label('telegramTyping') : label(ui.status.dataset.label);
    ui.field.placeholder = label('telegramWrite');
    if (said && said.id !== toasted) toast(said.text, said.id);
    if (came.length > 0 || wasAtEnd) toEnd();
    if (focus && !log.contains(document.activeElement)) focusAgain(focus);
    if (!isNew && came.some(({ by }) => by === 'bot')) onNews();
  }

  /** A pressed button is replaced by the one in its place: the keyboard's user goes on from there. */
  function focusAgain(place) {
    const same = ui.log.querySelector(`[data-place="${place}"]`);
    (same ?? ui.log.querySelector('li:last-child .keys button') ?? ui.field).focus({ preventScroll: true });
  }

  function toEnd() {
    ui.log.scrollTop = ui.log.scrollHeight;
  }

  /** Changes only what has changed, so that nothing else loses its place. Gives the messages that are new. */
  function drawMessages(messages) {
    const next = new Map();
    for (const message of messages) {
      const made = JSON.stringify(message);
      const before = shown.get(message.id);
      const element =
        before?.made === made
          ? before.element
          : bubble(message, { at, isTimed, owner, label, ...acts, sheet, onGrown: toEnd });
      if (!before) ui.log.append(element);
      else if (before.element !== element) before.element.replaceWith(element);
      next.set(message.id, { made, element });
    }
    for (const [id, { element }] of shown) if (!next.has(id)) element.remove();
    const came = messages.filter(({ id }) => !shown.has(id));
    shown = next;
    return came;
  }

  function forget(toastId) {
    ui.log.replaceChildren();
    ui.toast.textContent = '';
    ui.commands.hidden = true;
    sheet.close();
    toasted = toastId;
    shown = new Map();
  }

  function drawKeyboard(keys) {
    const made = JSON.stringify(keys);
    if (ui.keyboard.dataset.made === made) return;
    ui.keyboard.dataset.made = made;
    ui.keyboard.hidden = keys.length === 0;
    ui.keyboard.replaceChildren(
      ...keys.map(({ text, sharesContact }) =>
        buttonOf(text, () => (sharesContact ? acts.share() : acts.write(text))),
      ),
    );
  }

  function drawCommands(commands) {
    const made = JSON.stringify(commands);
    if (ui.commands.dataset.made === made) return;
    ui.commands.dataset.made = made;
    ui.menu.hidden = commands.length === 0;
    ui.commands.replaceChildren(
      ...commands.map(({ command, description }) => {
        const button = buttonOf(description, () => {
          openCommands(false);
          void acts.write(`/${command}`);
        });
        const name = Object.assign(document.createElement('small'), {
          textContent: `/${command}`,
          dir: 'ltr',
        });
        button.append(name);
        return button;
      }),
    );
  }

  function openCommands(isOpen) {
    ui.commands.hidden = !isOpen;
    ui.menu.ariaExpanded = String(isOpen);
    if (isOpen) ui.commands.firstElementChild?.focus();
    else if (ui.commands.contains(document.activeElement)) ui.menu.focus();
  }

  function toast(text, id) {
    toasted = id;
    ui.toast.textContent = text;
    setTimeout(() => {
      if (toasted === id) ui.toast.textContent = '';
    }, TOAST_MS);
  }

  /** What a person does goes to the bot in order, as one phone sends it. */
  function act(done) {
    const body = JSON.stringify({ ...done, phone: owner(), language: language() });
    return send(at, { body, headers: { 'content-type': 'application/json' } });
  }

  const acts = {
    press: (message, data) => act({ does: 'press', message, data }),
    write: (text) => act({ does: 'write', text }),
    share: () => act({ does: 'share' }),
    async answerFlow(message, secret) {
      const answer = await act({ does: 'flow', message, secret });
      if (answer?.ok) return answer.json();
      toast(label('telegramFailed'));
    },
  };

  function send(path, options) {
    working++;
    doing = doing.then(async () => {
      const quickly = setInterval(look, LOOK_QUICKLY_MS);
      const answer = await fetch(path, { method: 'POST', ...options }).catch(() => undefined);
      clearInterval(quickly);
      working--;
      // A button that is not there any more was pressed twice: nothing to say.
      if (!answer?.ok && answer?.status !== 404) toast(label('telegramFailed'));
      await look();
      return answer;
    });
    return doing;
  }

  ui.start.addEventListener('click', async () => {
    await acts.write(begins());
    // The button is gone: whoever goes by keyboard is asked for the number next.
    (ui.keyboard.querySelector('button') ?? ui.field).focus({ preventScroll: true });
  });
  ui.form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = ui.field.value.trim();
    ui.field.value = '';
    if (text !== '') void acts.write(text);
  });
  ui.photo.addEventListener('change', () => {
    const [file] = ui.photo.files;
    ui.photo.value = '';
    const query = new URLSearchParams({ phone: owner(), language: language() });
    if (file) void send(`${at}/photo?${query}`, { body: file });
  });
  ui.menu.addEventListener('click', () => openCommands(ui.commands.hidden));
  ui.commands.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') openCommands(false);
  });
  setInterval(() => {
    if (working === 0) void look();
  }, LOOK_MS);

  return {
    look,
    type(text) {
      ui.field.value = text;
      ui.field.focus({ preventScroll: true });
    },
  };
}
