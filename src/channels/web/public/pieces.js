/** The parts of a message or a choice beside its words. */

/** What stands between these is hidden until it is tapped (`src/screen/marks.ts`). */
const HIDDEN = /\ue000(.*?)\ue001/;
/** Marks of direction, which nobody wants in what they copy. */
const ISOLATES = /[\u2066-\u2069]/g;

export function hidesSomething(text) {
  return HIDDEN.test(text);
}

/** A text, with a button in place of what it hides; `onReveal` hears that it was looked at. */
export function withHidden(text, { reveal, copy: label, copied }, onReveal) {
  const [before, hidden, after] = text.split(HIDDEN);
  if (hidden === undefined) return signed(text);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'reveal';
  button.textContent = reveal;
  button.addEventListener('click', () => {
    const page = pageOf(hidden);
    if (page) {
      button.replaceWith(page);
      page.focus();
      return onReveal();
    }
    const code = document.createElement('bdi');
    code.className = 'code';
    code.dir = 'ltr';
    code.tabIndex = -1;
    code.textContent = hidden.replace(ISOLATES, '').replaceAll('\u00a0', ' ');
    button.replaceWith(code, copyButton(code.textContent, label, copied));
    code.focus();
    onReveal();
  });
  // The button has a line of its own.
  return [...signed(before), button, ...signed(after.replace(/^\n/, ''))];
}

/**
 * A text whose signs are drawn by the style sheet, the same on every telephone, whose amount is bold (`src/screen/marks.ts`), and whose
 * references and ranges hold together: a browser breaks `c-8a2tsk8` at its hyphen. The signs stay words for whoever copies or hears them.
 */
export function signed(text) {
  const lines = text.split(/(?<=\n)/);
  const facts = lines.map((line) => FACT.exec(line));
  const areMany = facts.filter(Boolean).length >= FACTS_MIN;
  return lines.flatMap((line, i) => {
    const { what, value } = facts[i]?.groups ?? {};
    if (!what || !(areMany || IS_SUM.test(value))) return inLine(line);
    const row = piece('span', 'fact', `${what} `);
    row.append(piece('span', 'value', value), line.endsWith('\n') ? '\n' : '');
    return [row];
  });
}

function inLine(text) {
  return text.split(/(✅|⏳|\ue002.*?\ue003|[^\s\ue000-\ue003]*[-/][^\s\ue000-\ue003]*)/).map((part) => {
    if (part.startsWith('\ue002')) return piece('strong', '', part.slice(1, -1));
    if (part === '✅' || part === '⏳') return piece('span', part === '✅' ? 'sign done' : 'sign', part);
    const isWhole = part.length < WHOLE_CHARS_MAX && /^\S*[-/]\S*$/.test(part) && /\d|^\W*c-/.test(part);
    return isWhole ? piece('span', 'whole', part) : part;
  });
}

/** An amount of money, with or without its sign, in one of the three languages. */
const SUM = '[+−]?(?:MAD\\u00a0\\d[\\d,.]*|\\u2066?[+−]?\\d[\\d\\u00a0,]*\\u2069?\\u00a0(?:DH|درهم))';
const IS_SUM = new RegExp(`^${SUM}$`);
/** A line such as `Frais : 2,00 DH`. A sum has a column of its own, and so have all values where several lines are facts. */
const FACT = /^(?<what>[^:\n\ue000-\ue003]{1,60}:) (?<value>[^\n\ue000-\ue003]{1,32})\n?$/u;
const FACTS_MIN = 3;

/** A longer one, such as an address, fits no line of a narrow chat. */
const WHOLE_CHARS_MAX = 28;

export function piece(name, className, textContent) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = textContent;
  return made;
}

/** Hidden text as a link, where it leads to a page of ours: no other text becomes one. */
function pageOf(hidden) {
  const address = hidden.replace(ISOLATES, '');
  if (!URL.canParse(address) || new URL(address).origin !== location.origin) return undefined;
  const link = document.createElement('a');
  link.href = address;
  link.target = '_blank';
  link.rel = 'noopener';
  link.textContent = `${new URL(address).host}${new URL(address).pathname}`;
  return link;
}

const COPIED_FOR_MS = 2_000;

/** A button that puts a text on the clipboard, and says so. */
export function copyButton(text, label, copied) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = label;
  button.addEventListener('click', async () => {
    if (!(await copy(text))) return;
    button.replaceChildren(unseen(label), copied);
    button.ariaLive = 'polite';
    setTimeout(() => {
      button.textContent = label;
    }, COPIED_FOR_MS);
  });
  return button;
}

/** Browsers hand out the clipboard over https only, and in no page of somebody else's; the older way asks nobody. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = Object.assign(document.createElement('textarea'), { value: text, className: 'unseen' });
    document.body.append(field);
    field.select();
    const isDone = document.execCommand('copy');
    field.remove();
    return isDone;
  }
}

/** Says beside a message what has become of it: `sending`, `sent`, or `failed`, where a tap does `again`. */
export function mark(item, state, labels, again) {
  item.dataset.state = state;
  const sign = document.createElement('span');
  if (state === 'failed') sign.textContent = labels.failed;
  else Object.assign(sign, { role: 'img', ariaLabel: labels[state] });
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'again', textContent: labels.retry });
  button.addEventListener('click', again);
  item.querySelector('.stamp').replaceChildren(item.querySelector('time'), sign, ...(again ? [button] : []));
}

/** A file to save. */
export function fileLink(address, label) {
  const link = document.createElement('a');
  link.className = 'file';
  link.href = address;
  link.download = '';
  link.textContent = label;
  return link;
}

/** The parts of a row of a list, whose sum has a column of its own. Undefined for a label without a sum. */
export function sumColumn(label) {
  const found = new RegExp(`^(.*?)(\\s*[:،,]?\\s*)(${SUM})(\\s*[:،,]?\\s*)(.*)$`).exec(label);
  if (!found) return undefined;
  const [, what, colon, sum, comma, about] = found;
  // A row that begins with its sum is called by the words behind it.
  const parts = what
    ? [
        ['what', what],
        ['sum', sum],
        ['about', about],
      ]
    : [
        ['sum', sum],
        ['what', about],
      ];
  const [first, ...others] = parts
    .filter(([, text]) => text)
    .map(([className, text]) => piece('span', className, text));
  return [
    first,
    unseen(what ? colon : ' '),
    ...others.flatMap((each, i) => (i > 0 ? [unseen(comma), each] : [each])),
  ];
}

/** A page of its own: what is typed there is not typed in the chat, and it may be shown in no frame. */
export function pageLink(address, label, name = 'page') {
  const link = document.createElement('a');
  link.className = name;
  link.href = address;
  link.target = '_blank';
  link.rel = 'noopener';
  link.textContent = label;
  return link;
}

/** A picture beside words that say it all; one that cannot be had leaves no hole. */
export function picture(address, size) {
  const img = document.createElement('img');
  Object.assign(img, { alt: '', loading: 'lazy', ...size });
  img.addEventListener('error', () => img.remove());
  img.src = address;
  return img;
}

/** A code is readable in a picture of this size. */
const PHOTO_PIXELS_MAX = 1_600;
const PHOTO_QUALITY = 0.9;

/** A picture of a telephone, made as small as it may be to be read. */
export async function smallPhoto(file, pixelsMax = PHOTO_PIXELS_MAX) {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, pixelsMax / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  // A JPEG has no transparency: without a white sheet below it, a dark code would stand on black.
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', PHOTO_QUALITY));
}

/** As the server takes them (`src/wallet/file-types.ts`). */
const FILE_BYTES_MAX = 5_000_000;
const FILE_KINDS = ['image/png', 'image/jpeg', 'application/pdf'];
/** The small print of a page is readable. */
const FILE_PIXELS_MAX = 3_000;

/** A file for the wallet: a picture that is too large for it, or that only this telephone reads, becomes one that is not. */
export async function fittingFile(file) {
  const fits = file.size <= FILE_BYTES_MAX && FILE_KINDS.includes(file.type);
  if (fits || !file.type.startsWith('image/')) return file;
  return smallPhoto(file, FILE_PIXELS_MAX).catch(() => file);
}

/** What every file of a kind begins with, as `src/wallet/file-types.ts` has it: its name proves nothing. */
const BEGINNINGS = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', '%PDF-'];

/** Why a file is no side of a document; undefined for one that may be sent. */
export async function unfit(file, labels) {
  if (file.size === 0) return labels.emptyFile;
  if (file.size > FILE_BYTES_MAX) return labels.fileTooLarge;
  const first = String.fromCharCode(...new Uint8Array(await file.slice(0, 8).arrayBuffer()));
  return BEGINNINGS.some((beginning) => first.startsWith(beginning)) ? undefined : labels.otherType;
}

/** For whoever hears the page. */
export function unseen(text) {
  const span = document.createElement('span');
  span.className = 'unseen';
  span.textContent = text;
  return span;
}
