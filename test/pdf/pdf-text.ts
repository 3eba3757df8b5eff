import { inflateSync } from 'node:zlib';

/** The texts of one of our receipts, each with where it begins, glyph by glyph from left to right. */
interface DrawnGlyph {
  readonly glyph: string;
  readonly x: number;
  readonly text: string;
}

/** Reads what `src/pdf/write.ts` draws, by the table that tells viewers what each glyph stands for. */
export function glyphsIn(file: Uint8Array): readonly DrawnGlyph[] {
  const bytes = Buffer.from(file);
  const streams = [
    ...bytes.toString('latin1').matchAll(/\/Length (\d+) \/Filter \/FlateDecode [^>]*>>\nstream\n/g),
  ].map((match) => {
    const from = match.index + match[0].length;
    return inflateSync(bytes.subarray(from, from + Number(match[1]))).toString('latin1');
  });
  const [content = '', table = ''] = streams;
  const texts = new Map(
    [...table.matchAll(/^<(\w{4})> <(\w+)>$/gm)].map(([, glyph = '', text = '']) => [
      glyph,
      Buffer.from(text, 'hex').swap16().toString('utf16le'),
    ]),
  );
  return [...content.matchAll(/^1 0 0 1 ([\d.]+) [\d.]+ Tm <(\w{4})> Tj$/gm)].map(([, x, glyph = '']) => ({
    glyph,
    x: Number(x),
    text: texts.get(glyph) ?? '',
  }));
}
