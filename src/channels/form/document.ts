import { html } from 'hono/html';
import { inHand } from '../../conversation/incoming.ts';
import { DOCUMENT_FILE_BYTES_MAX, documentFileOf } from '../../wallet/file-types.ts';
import type { Answer, Entry, Wrong } from './entry.ts';
import { labelled, submit } from './page.ts';

/** A document: its front, and its back where it has two sides. A phone offers its camera. */
export function documentEntry(asked: 'document' | 'twoSided'): Entry {
  const sides = asked === 'twoSided' ? (['front', 'back'] as const) : (['front'] as const);
  return {
    fields(labels, wrong = []) {
      const names = { front: asked === 'twoSided' ? labels.front : labels.file, back: labels.backSide };
      const fields = sides.map((side) =>
        labelled(
          { name: side, label: names[side], why: labels.fileFormat, isWrong: wrong.includes(side) },
          html`type="file" accept="image/png,image/jpeg,application/pdf"`,
        ),
      );
      return html`${fields}${submit(labels.send)}`;
    },
    hint: (labels) => labels.fileOnce,
    read: (given) => readDocument(sides, given),
  };
}

/** Reads the files by their first bytes. It believes neither their names nor the types that the browser gives. */
async function readDocument(sides: readonly string[], given: FormData): Promise<Answer | Wrong> {
  const files = await Promise.all(sides.map((side) => fileIn(given.get(side))));
  const wrong = sides.filter((_, i) => !files[i]);
  if (wrong.length > 0) return { wrong };
  return { inputs: [{ type: 'photo' }], document: inHand(files.filter((file) => file !== undefined)) };
}

/** Undefined where there is no file of a kind and size that can be sent. */
async function fileIn(value: File | string | null): Promise<Uint8Array | undefined> {
  if (!(value instanceof File) || value.size > DOCUMENT_FILE_BYTES_MAX) return undefined;
  const bytes = new Uint8Array(await value.arrayBuffer());
  return typeof documentFileOf(bytes) === 'string' ? undefined : bytes;
}
