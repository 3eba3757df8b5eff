import { html } from 'hono/html';
import { inHand } from '../../conversation/incoming.ts';
import { FILE_BYTES_MAX } from '../../conversation/payouts/file.ts';
import type { Entry } from './entry.ts';
import { labelled, submit } from './page.ts';

/** The file, and the form's bytes around it. */
export const TABLE_BODY_BYTES_MAX = FILE_BYTES_MAX + 64 * 1024;

/** A table of payouts. The conversation looks at its content. */
export const tableEntry: Entry = {
  fields: (labels, wrong) =>
    html`${labelled(
      { name: 'table', label: labels.table, why: labels.tableFormat, isWrong: wrong !== undefined },
      html`type="file" accept=".csv,text/csv"`,
    )}${submit(labels.send)}`,
  hint: (labels) => labels.tableOnce,
  async read(given) {
    const file = given.get('table');
    if (!(file instanceof File) || file.size === 0 || file.size > FILE_BYTES_MAX) return { wrong: ['table'] };
    const bytes = new Uint8Array(await file.arrayBuffer());
    return { inputs: [{ type: 'photo' }], table: inHand({ bytes, fileName: file.name }) };
  },
};
