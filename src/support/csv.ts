/**
 * The signs that a spreadsheet reads as a formula, at the beginning of a cell or of a part that it makes a cell. Where
 * its country separates columns by semicolons, a comma separates none. A signed number, such as a phone's, is no
 * formula, also masked. Invisible signs hide no formula. One class has them all: a sign that two classes had (U+FEFF)
 * would be tried in both, and the next again.
 */
const FORMULA = /(^|[,;\t\r\n])(?=[\p{Z}\p{Cf}]*(?:[=@＝＠]|[+\-＋－](?![\d •]+$)))/gu;
/** Controls other than tabs and line ends: spreadsheets drop them, and take what follows for the beginning of the cell. */
const CONTROLS = /(?![\t\r\n])\p{Cc}/gu;

export type Line = readonly (string | number | undefined)[];

/** One line of a CSV (RFC 4180), that a spreadsheet opens as text and never as a formula. */
export function csvLine(cells: Line): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(value: string | number | undefined): string {
  if (typeof value === 'number') return String(value);
  const text = (value ?? '').replace(CONTROLS, '').replace(FORMULA, "$1'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** All lines of a CSV. */
export async function* csvOf(lines: Iterable<Line> | AsyncIterable<Line>): AsyncGenerator<string> {
  for await (const line of lines) yield csvLine(line);
}

/** Tells a spreadsheet that a CSV is UTF-8. Otherwise Excel reads its accents, masks and Arabic as other letters. */
const BYTE_ORDER_MARK = '\ufeff';

/** A file that a browser saves, made of what comes. A CSV begins with the mark by which spreadsheets read its letters. */
export function download(name: string, type: string, parts: AsyncIterable<string>): Response {
  const headers = {
    'content-type': `${type}; charset=utf-8`,
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
  };
  const all = type === 'text/csv' ? marked(parts) : parts;
  return new Response(ReadableStream.from(all).pipeThrough(new TextEncoderStream()), { headers });
}

async function* marked(parts: AsyncIterable<string>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  yield* parts;
}
