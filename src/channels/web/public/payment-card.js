/** A payment that was made, as a card, and as a picture to keep. */

import { piece, signed } from './pieces.js';

const SCALE = 2;
const [WIDTH, MARGIN, LINE] = [360, 24, 30];

/**
 * The card of a receipt: its words, the amount, and its rows. Beside it the button that keeps a picture of it. The text of the message says the same to those who hear it.
 * @param labels `saveReceipt`: the button that keeps a picture of it
 */
export function receiptCard({ text, amount, rows }, { direction, labels }) {
  const card = document.createElement('div');
  card.className = 'receipt';
  const seen = document.createElement('div');
  seen.ariaHidden = 'true';
  const words = piece('p', 'receipt-text', '');
  words.append(...signed(text));
  seen.append(words, piece('p', 'receipt-amount', amount));
  const list = document.createElement('dl');
  for (const { name, label, value } of rows) {
    const row = document.createElement('div');
    row.dataset.row = name;
    const said = piece('dd', '', '');
    said.append(...signed(value));
    row.append(piece('dt', '', label), said);
    list.append(row);
  }
  seen.append(list);
  const save = piece('button', 'copy', labels.saveReceipt);
  save.type = 'button';
  save.addEventListener('click', () => keep({ text, amount, rows }, direction));
  card.append(seen);
  return [card, save];
}

/** Gives the picture to the browser as a file: nothing leaves the device. */
async function keep(receipt, direction) {
  const { rows } = receipt;
  const picture = drawn(receipt, direction);
  const file = await new Promise((done) => picture.toBlob(done, 'image/png'));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  const { value = '' } = rows.find(({ name }) => name === 'reference') ?? {};
  link.download = `wasl-${value.replace(/[^\w-]/g, '')}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function drawn({ text, amount, rows }, direction) {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  const words = '15px system-ui, sans-serif';
  pen.font = words;
  const lines = text.split('\n').flatMap((line) => wrapped(pen, line, WIDTH - 2 * MARGIN));
  canvas.width = WIDTH * SCALE;
  canvas.height = (2 * MARGIN + (lines.length + rows.length + 2) * LINE) * SCALE;
  pen.scale(SCALE, SCALE);
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, WIDTH, canvas.height);
  pen.fillStyle = '#111';
  pen.direction = direction;
  const [near, far] = direction === 'rtl' ? [WIDTH - MARGIN, MARGIN] : [MARGIN, WIDTH - MARGIN];
  let y = MARGIN + LINE / 2;
  const write = (line, font, align = 'start', x = near) => {
    pen.font = font;
    pen.textAlign = align;
    pen.fillText(line, x, y, WIDTH - 2 * MARGIN);
  };
  for (const line of lines) {
    write(line, words);
    y += LINE;
  }
  y += LINE / 2;
  write(amount, 'bold 28px system-ui, sans-serif');
  y += LINE * 1.5;
  for (const { label, value } of rows) {
    write(label, words);
    write(value, `bold ${words}`, 'end', far);
    y += LINE;
  }
  return canvas;
}

function wrapped(pen, line, width) {
  const cut = [''];
  for (const word of line.split(' ')) {
    const last = cut.at(-1);
    const longer = last ? `${last} ${word}` : word;
    if (last && pen.measureText(longer).width > width) cut.push(word);
    else cut[cut.length - 1] = longer;
  }
  return cut;
}
