/** One message of the Telegram or the WhatsApp view, made from what Wasl or the person has sent. */

/**
 * @param at the address of the app's routes; `isTimed`: messages have their time and marks; `owner` gives the number of the
 *   phone; `press` tells Wasl what was pressed, and resolves once it has answered; `write` sends a command that was touched
 *   in the text; `share` the phone's number; `answerFlow` gives an answer to a Flow, and gets its next screen; `sheet` shows lists, pages and Flows; `onGrown` hears that a picture has come.
 */
export function bubble(
  { id, by, at: sentAt, text, buttons, isProtected, file, isRead, isTemplate },
  { at, isTimed, owner, label, press, write, share, answerFlow, sheet, onGrown },
) {
  const item = document.createElement('li');
  item.className = by;
  const said = document.createElement('div');
  said.className = isProtected ? 'said protected' : 'said';
  said.dir = 'auto';
  if (file)
    said.append(
      attached(file, `${at}/file?${new URLSearchParams({ phone: owner(), message: id })}`, onGrown),
    );
  if (by === 'bot') said.append(...formatted(text, label('telegramReveal'), write));
  else said.append(text);
  if (isTemplate) said.prepend(small('template', label('whatsappTemplate')));
  if (isTimed) said.append(timeOf(sentAt, by === 'person' && isRead));
  item.append(said);
  for (const [row, keys] of buttons.entries()) {
    const line = document.createElement('div');
    line.className = 'keys';
    line.append(...keys.map((key, at) => keyOf(key, `${id} ${row} ${at}`)));
    item.append(line);
  }
  return item;

  function keyOf({ text: name, data, copies, url, rows, sharesContact, flow, isDisabled = false }, place) {
    const button = buttonOf(name || label('whatsappShare'), () => {
      if (copies !== undefined) return void navigator.clipboard?.writeText(copies);
      if (sharesContact) return void share();
      if (url !== undefined) return void sheet.page(name, url);
      if (flow !== undefined) return void sheet.flow(name, (secret) => answerFlow(id, secret));
      if (rows) return void sheet.list(name, rows, (chosen) => press(id, chosen));
      button.ariaBusy = 'true';
      void press(id, data).then(() => {
        button.ariaBusy = null;
      });
    });
    button.disabled = isDisabled;
    button.dataset.kind = (url ?? flow) !== undefined ? 'page' : rows ? 'list' : 'reply';
    button.dataset.place = place;
    return button;
  }
}

export function buttonOf(text, onClick) {
  const button = Object.assign(document.createElement('button'), { type: 'button', dir: 'auto' });
  button.append(text);
  button.addEventListener('click', onClick);
  return button;
}

/** `14:05 ✓✓`: the marks of a person's message, coloured once it was read. */
function timeOf(sentAt, isRead) {
  const time = new Intl.DateTimeFormat('fr', { hour: '2-digit', minute: '2-digit' }).format(sentAt);
  const line = small('when', time);
  line.classList.toggle('read', isRead === true);
  return line;
}

function small(className, textContent) {
  return Object.assign(document.createElement('small'), { className, textContent });
}

function attached({ name, bytes, isPicture }, address, onGrown) {
  if (isPicture) return Object.assign(new Image(), { src: address, alt: name, onload: onGrown });
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.append(name, small('size', `${Math.ceil(bytes / 1024)} KB`));
  return link;
}

const TAGS = { B: 'strong', I: 'em', U: 'u', S: 's', CODE: 'code', PRE: 'pre' };

/** Telegram's HTML as elements of ours: nothing else can come in with it. */
function formatted(html, reveal, write) {
  // Told that it is preformatted, the parser keeps what a document's beginning would lose: spaces and lines.
  const { body } = new DOMParser().parseFromString(`<body><pre>\n${html}</pre>`, 'text/html');
  return [...body.firstElementChild.childNodes].flatMap(made);

  function made(node) {
    if (node.nodeName === 'TG-SPOILER') return [spoiler(node.textContent, reveal)];
    const tag = TAGS[node.nodeName];
    if (!tag) return withCommands(node.textContent, write);
    const element = document.createElement(tag);
    element.append(...[...node.childNodes].flatMap(made));
    return [element];
  }
}

const COMMAND = /(?<![\w/])(\/[a-z]{1,32})\b/;

/** A command in a text can be touched, as in Telegram. */
function withCommands(text, write) {
  return text.split(COMMAND).map((part, i) => {
    if (i % 2 === 0) return document.createTextNode(part);
    const button = buttonOf(part, () => void write(part));
    button.className = 'command';
    button.dir = 'ltr';
    return button;
  });
}

/** Hidden until it is touched, as Telegram does. */
function spoiler(text, reveal) {
  const button = buttonOf('\u2022'.repeat(Math.min(text.length, 16)), () => {
    const seen = document.createElement('bdi');
    Object.assign(seen, { textContent: text, className: 'seen', tabIndex: -1 });
    button.replaceWith(seen);
    seen.focus();
  });
  button.className = 'spoiler';
  button.ariaLabel = reveal;
  return button;
}
