import { html } from 'hono/html';
import { type FilesInHand, inHand } from '../../conversation/incoming.ts';
import { DOCUMENT_FILE_BYTES_MAX, documentFileOf } from '../../wallet/file-types.ts';
import type { Html, Labels } from './page.ts';

export type Side = 'front' | 'back';
export type DocumentAsked = 'document' | 'twoSided';

/** A document in hand, or the sides in which there is no file of a kind and size that can be sent. */
type DocumentReading =
  | { readonly ok: true; readonly document: FilesInHand }
  | { readonly ok: false; readonly wrong: readonly Side[] };

/** Reads the files of a form, by their first bytes. It believes neither their names nor the types that the browser gives. */
export async function readDocument(asked: DocumentAsked, form: FormData): Promise<DocumentReading> {
  const [front, back] = await Promise.all([fileIn(form.get('front')), fileIn(form.get('back'))]);
  const wrong: Side[] = [
    ...(front ? [] : (['front'] as const)),
    ...(back || asked === 'document' ? [] : (['back'] as const)),
  ];
  if (!front || wrong.length > 0) return { ok: false, wrong };
  return { ok: true, document: inHand([front, ...(asked === 'twoSided' && back ? [back] : [])]) };
}

async function fileIn(value: File | string | null): Promise<Uint8Array | undefined> {
  if (!(value instanceof File) || value.size > DOCUMENT_FILE_BYTES_MAX) return undefined;
  const bytes = new Uint8Array(await value.arrayBuffer());
  return typeof documentFileOf(bytes) === 'string' ? undefined : bytes;
}

/** The fields of the page: a phone offers its camera. */
export function documentFields(asked: DocumentAsked, labels: Labels, wrong: readonly string[]): Html {
  const front = field('front', asked === 'twoSided' ? labels.front : labels.file, labels, wrong);
  return asked === 'twoSided' ? html`${front}${field('back', labels.backSide, labels, wrong)}` : front;
}

function field(side: Side, label: string, labels: Labels, all: readonly string[]): Html {
  const isWrong = all.includes(side);
  return html`<div class="field"><label for="${side}">${label}</label>
<input id="${side}" name="${side}" type="file" required accept="image/png,image/jpeg,application/pdf"
 aria-describedby="${side}-wrong"${isWrong && html` aria-invalid="true"`}>
<p id="${side}-wrong" class="wrong" role="alert"${!isWrong && html` hidden`}>${labels.fileFormat}</p></div>`;
}
