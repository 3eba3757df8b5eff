const PAGE = { width: 595, height: 842, margin: 56, line: 18 } as const;
const HEADER = '%PDF-1.4\n';
const FONT = { title: 18, text: 11 } as const;

/**
 * A PDF of one page: a title, and rows of a name and a value. Written by hand, for it takes five objects; the
 * font is one that every reader has, in WinAnsi, which holds French.
 */
export function pdf(title: string, rows: readonly (readonly [string, string])[]): Uint8Array<ArrayBuffer> {
  const top = PAGE.height - PAGE.margin;
  const text = (x: number, y: number, size: number, words: string) =>
    `BT /F1 ${size} Tf ${x} ${y} Td (${escaped(words)}) Tj ET`;
  const lines = rows.flatMap(([name, value], i) => {
    const y = top - (i + 2) * PAGE.line;
    return [text(PAGE.margin, y, FONT.text, name), text(PAGE.width / 2, y, FONT.text, value)];
  });
  const content = [text(PAGE.margin, top, FONT.title, title), ...lines].join('\n');
  return toPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ]);
}

/** Objects, numbered from 1, with the table that says at which byte each begins. The first is the catalog. */
function toPdf(objects: readonly string[]): Uint8Array<ArrayBuffer> {
  const numbered = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`);
  const entries = numbered.map((_, i) => {
    const at = [HEADER, ...numbered.slice(0, i)].join('').length;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const body = HEADER + numbered.join('');
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  // One byte per character: what Latin-1 does not have became a question mark, so lengths and offsets hold.
  return new Uint8Array(Buffer.from(body + table + trailer, 'latin1'));
}

function escaped(words: string): string {
  return words
    .replace(/[’‘]/g, "'")
    .replace(/[^\x20-\x7e\xa0-\xff]/g, '?')
    .replace(/[\\()]/g, '\\$&');
}
