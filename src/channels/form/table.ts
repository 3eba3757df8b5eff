import { html } from 'hono/html';
import { type InHand, inHand } from '../../conversation/incoming.ts';
import { FILE_BYTES_MAX, type UploadedTable } from '../../conversation/payouts/file.ts';
import type { Html, Labels } from './page.ts';

/** The file, and the form's bytes around it. */
export const TABLE_BODY_BYTES_MAX = FILE_BYTES_MAX + 64 * 1024;

/**
 * A table in hand. None where there is no file, or the file is larger than we read. The conversation looks at its
 * content.
 */
type TableReading =
  | { readonly ok: true; readonly table: InHand<UploadedTable> }
  | { readonly ok: false; readonly wrong: readonly ['table'] };

export async function readTable(form: FormData): Promise<TableReading> {
  const file = form.get('table');
  if (!(file instanceof File) || file.size === 0 || file.size > FILE_BYTES_MAX)
    return { ok: false, wrong: ['table'] };
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { ok: true, table: inHand({ bytes, fileName: file.name }) };
}

/** The field of the page. */
export function tableFields(labels: Labels, isWrong: boolean): Html {
  return html`<div class="field"><label for="table">${labels.table}</label>
<input id="table" name="table" type="file" required accept=".csv,text/csv" aria-describedby="table-wrong"${isWrong && html` aria-invalid="true"`}>
<p id="table-wrong" class="wrong" role="alert"${!isWrong && html` hidden`}>${labels.tableFormat}</p></div>`;
}
