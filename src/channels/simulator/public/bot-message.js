/** One message of the Telegram view, made from what the bot or the person has sent. */

/**
 * @param owner gives the number of the phone; `press` tells the bot what was pressed, and resolves once it has answered;
 *   `write` sends a command that was touched in the text; `onGrown` hears that a picture has come.
 */
export function bubble(
  { id, by, text, buttons, isProtected, file },
  { owner, label, press, write, onGrown },
) {
  const item = document.createElement('li');
  item.className = by;
  const said = document.createElement('div');
  said.className = isProtected ? 'said protected' : 'said';
  said.dir = 'auto';
  if (file) said.append(attached(file, id, owner(), onGrown));
  if (by === 'bot') said.append(...formatted(text, label('telegramReveal'), write));
  else said.append(text);
  item.append(said);
  for (const [row, keys] of buttons.entries()) {
    const line = document.createElement('div');
    line.className = 'keys';
    line.append(...keys.map((key, at) => keyOf(key, `${id} ${row} ${at}`)));
    item.append(line);
  }
  return item;

  function keyOf({ text: name, data, copies, isDisabled = false }, place) {
    const button = buttonOf(name, () => {
      if (copies !== undefined) return void navigator.clipboard?.writeText(copies);
      button.ariaBusy = 'true';
      void press(id, data).then(() => {
        button.ariaBusy = null;
      });
    });
    button.disabled = isDisabled;
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

function attached({ name, bytes, isPicture }, message, phone, onGrown) {
  const address = `/simulator/telegram/file?${new URLSearchParams({ phone, message })}`;
  if (isPicture) return Object.assign(new Image(), { src: address, alt: name, onload: onGrown });
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  const size = document.createElement('small');
  size.textContent = `${Math.ceil(bytes / 1024)} KB`;
  link.append(name, size);
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
