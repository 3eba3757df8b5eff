import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import bidiFactory from 'bidi-js';
import { Blob, ClusterLevel, Direction, Face, Font, Buffer as Shaping, shape } from 'harfbuzzjs';

const PAGE = { width: 595, height: 842, margin: 56, line: 18 } as const;
const HEADER = '%PDF-1.4\n';
const SIZE = { title: 18, text: 11 } as const;
/** A font with Latin and Arabic letters. */
const FONT_FILE = readFileSync(
  fileURLToPath(import.meta.resolve('@expo-google-fonts/cairo/400Regular/Cairo_400Regular.ttf')),
);
const FACE = new Face(new Blob(FONT_FILE));
const FONT = new Font(FACE);
const DRAWN: ReadonlySet<number> = new Set(FACE.collectUnicodes());
/** The package is CommonJS, and its types say that it is not. */
const BIDI = (bidiFactory as unknown as typeof bidiFactory.default)();
const FONT_STREAM = stream(FONT_FILE, `/Length1 ${FONT_FILE.length}`);
/** A PDF counts a thousand units to the size of a font. */
const UNITS = 1_000 / FACE.upem;

/** A glyph of the font with what it stands for, and how wide it is, in thousandths. */
interface Glyph {
  readonly id: number;
  readonly text: string;
  readonly width: number;
}

/**
 * A PDF of one page: a title, and rows of a name and a value. It embeds a font and draws shaped glyphs from left to right, so that
 * Arabic letters join and read from right to left. A character that the font has not becomes a question mark.
 * @param rows a row without a value may be as long as the page
 * @param direction `rtl`: lines begin at the right, names before values
 */
export function pdf(
  title: string,
  rows: readonly (readonly [name: string, value: string])[],
  direction: 'ltr' | 'rtl' = 'ltr',
): Uint8Array<ArrayBuffer> {
  const top = PAGE.height - PAGE.margin;
  const glyphs = new Map<number, Glyph>();
  const at = (x: number, y: number, size: number, text: string) => {
    const line = shaped(glyphs, size, text);
    const left = direction === 'ltr' ? x : PAGE.width - x - line.width;
    return [
      `/F1 ${size} Tf`,
      ...line.glyphs.map(({ id, x: on, y: above }) => tj(id, left + on, y + above)),
    ].join('\n');
  };
  const lines = rows.flatMap(([name, value], i) => {
    const y = top - (i + 2) * PAGE.line;
    return [at(PAGE.margin, y, SIZE.text, name), at(PAGE.width / 2, y, SIZE.text, value)];
  });
  const content = ['BT', at(PAGE.margin, top, SIZE.title, title), ...lines, 'ET'].join('\n');
  return toPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /Cairo /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 8 0 R >>',
    stream(Buffer.from(content)),
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Cairo /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /CIDToGIDMap /Identity /FontDescriptor 7 0 R /W [${[...glyphs.values()].map(({ id, width }) => `${id} [${width}]`).join(' ')}] >>`,
    descriptor(),
    stream(Buffer.from(toUnicode([...glyphs.values()]))),
    FONT_STREAM,
  ]);
}

/** A glyph of a line, in points from its beginning. */
interface Placed {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

function tj(id: number, x: number, y: number): string {
  return `1 0 0 1 ${x.toFixed(2)} ${y.toFixed(2)} Tm <${hex(id)}> Tj`;
}

/** A line of text, glyph by glyph. Adds the glyphs that it uses. */
function shaped(
  glyphs: Map<number, Glyph>,
  size: number,
  text: string,
): { readonly glyphs: readonly Placed[]; readonly width: number } {
  const words = drawable(text);
  const levels = BIDI.getEmbeddingLevels(words);
  const order = BIDI.getReorderedIndices(words, levels);
  let at = 0;
  const placed: Placed[] = [];
  for (const { from, to, level } of runsIn(order, levels.levels)) {
    const shaping = new Shaping();
    shaping.addText(words, from, to - from);
    shaping.guessSegmentProperties();
    shaping.setClusterLevel(ClusterLevel.MONOTONE_CHARACTERS);
    shaping.setDirection(level % 2 === 1 ? Direction.RTL : Direction.LTR);
    shape(FONT, shaping);
    const infos = shaping.getGlyphInfos();
    const starts = [...new Set(infos.map(({ cluster }) => cluster)), to].sort((a, b) => a - b);
    for (const [i, { xAdvance, xOffset, yOffset }] of shaping.getGlyphPositions().entries()) {
      const { codepoint: id = 0, cluster = 0 } = infos[i] ?? {};
      // Of several glyphs for one character, the first stands for it.
      const isFirst = infos.findIndex((info) => info.cluster === cluster) === i;
      const stands = isFirst ? words.slice(cluster, starts[starts.indexOf(cluster) + 1]) : '';
      const width = Math.round(FONT.glyphHAdvance(id) * UNITS);
      glyphs.set(id, { id, text: glyphs.get(id)?.text || stands, width });
      const points = (units: number) => (units * size) / FACE.upem;
      placed.push({ id, x: at + points(xOffset), y: points(yOffset) });
      at += points(xAdvance);
    }
  }
  return { glyphs: placed, width: at };
}

/** The runs of one direction, as they are seen from left to right. */
function runsIn(order: readonly number[], levels: Uint8Array) {
  const runs: { from: number; to: number; level: number }[] = [];
  for (const at of order) {
    const level = levels[at] ?? 0;
    const last = runs.at(-1);
    if (last?.level === level && at === last.to) last.to++;
    else if (last?.level === level && at === last.from - 1) last.from--;
    else runs.push({ from: at, to: at + 1, level });
  }
  return runs;
}

function drawable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\s/g, ' ')
    .replace(/\P{Cf}/gu, (sign) => (DRAWN.has(sign.codePointAt(0) ?? 0) ? sign : '?'));
}

function hex(id: number): string {
  return id.toString(16).padStart(4, '0');
}

/** The meaning of each glyph (ISO 32000-1, 9.10.3). Without it the text can be neither searched nor copied. */
function toUnicode(glyphs: readonly Glyph[]): string {
  const rows = glyphs
    .filter(({ text }) => text !== '')
    .map(({ id, text }) => `<${hex(id)}> <${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`);
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /ToText def
1 begincodespacerange <0000> <ffff> endcodespacerange
${rows.length} beginbfchar
${rows.join('\n')}
endbfchar
endcmap end end`;
}

function descriptor(): string {
  const { ascender, descender } = FONT.hExtents();
  const [top, bottom] = [ascender, descender].map((units) => Math.round(units * UNITS));
  return `<< /Type /FontDescriptor /FontName /Cairo /Flags 4 /FontBBox [-1000 ${bottom} 2000 ${top}] /ItalicAngle 0 /Ascent ${top} /Descent ${bottom} /CapHeight ${top} /StemV 80 /FontFile2 9 0 R >>`;
}

function stream(bytes: Buffer, more = ''): string {
  const packed = deflateSync(bytes);
  return `<< /Length ${packed.length} /Filter /FlateDecode ${more} >>\nstream\n${packed.toString('latin1')}\nendstream`;
}

/** Objects, numbered from 1, with the table that says at which byte each begins. The first is the catalog. */
function toPdf(objects: readonly string[]): Uint8Array<ArrayBuffer> {
  const numbered = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`);
  let at = HEADER.length;
  const entries = numbered.map((object) => {
    const entry = `${String(at).padStart(10, '0')} 00000 n \n`;
    at += object.length;
    return entry;
  });
  const body = HEADER + numbered.join('');
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  // One byte for each character, also of what is packed: lengths and offsets hold.
  return new Uint8Array(Buffer.from(body + table + trailer, 'latin1'));
}
