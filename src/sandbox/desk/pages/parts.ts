import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** A piece of a page. Text that is put into one is escaped, unless it is such a piece itself. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;
type Cell = Html | string | number;
export type Tone = 'good' | 'bad' | 'wait' | 'plain';

/** `3,500.00`, and `−62.00` with a true minus. */
export function money(dirhams: number): string {
  const style = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return dirhams.toLocaleString('en-US', style).replace('-', '−');
}

/** The same in a column of figures. */
export function figure(dirhams: number): Html {
  return html`<span class="number">${money(dirhams)}</span>`;
}

/** A moment of the sandbox's clock, in UTC: `20 Nov 2026, 10:00:01`. */
export function when(ms: number): Html {
  const iso = new Date(ms).toISOString();
  const day = new Date(ms).toLocaleDateString('en-GB', {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return html`<time datetime="${iso}" title="${iso}">${day}, ${iso.slice(11, 19)}</time>`;
}

export function badge(text: string | number, tone: Tone = 'plain'): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

/** On a narrow page each row is a card, and each cell says which column it is of. */
export function table(columns: readonly string[], rows: readonly (readonly Cell[])[], none: string): Html {
  if (rows.length === 0) return html`<p class="none">${none}</p>`;
  const side = (title = '') => (/DH$|^Amount$/.test(title) ? html` class="sums"` : '');
  const cellOf = (cell: Cell, title = '') => html`<td data-label="${title}"${side(title)}>${cell}</td>`;
  return html`<div class="scroll"><table>
<thead><tr>${columns.map((each) => html`<th scope="col"${side(each)}>${each}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell, n) => cellOf(cell, columns[n]))}</tr>`)}</tbody></table></div>`;
}

export function panel(title: string, body: Html | readonly Html[], about?: Html | string): Html {
  return html`<section class="panel"><h2>${title}</h2>${about && html`<p class="about">${about}</p>`}${body}</section>`;
}

/** A piece that is kept up to date: the page's script fetches it again when something has changed. */
export function live(id: string, body: Html | readonly Html[]): Html {
  return html`<div id="${id}" data-live>${body}</div>`;
}

/** Names and values. Those that are undefined are left out. */
export function facts(all: readonly (readonly [name: string, value: Cell | undefined])[]): Html {
  return html`<dl>${all
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** A button that makes one call of the admin API. */
export function act(
  label: string,
  call: string,
  body: object = {},
  more: { confirm?: string; quiet?: boolean } = {},
): Html {
  return html`<button type="button" class="${more.quiet === false ? 'main' : ''}" data-call="${call}" data-body="${JSON.stringify(body)}"
${more.confirm && html` data-confirm="${more.confirm}"`}>${label}</button>`;
}

export function code(id: string, text: string): Html {
  return html`<div class="code"><pre id="${id}" tabindex="0">${text}</pre><button type="button" class="copy" data-copy="${id}">Copy</button></div>`;
}

export function json(value: unknown): Html {
  return html`<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;
}

/** A form whose fields are sent as one call of the admin API. */
export function form(call: string, button: string, fields: Html | readonly Html[]): Html {
  return html`<form data-call="${call}">${fields}<button class="main">${button}</button></form>`;
}

interface Field {
  readonly value?: string | number;
  readonly hint?: string;
  readonly type?: 'text' | 'number' | 'json' | 'search';
  readonly required?: boolean;
}

export function field(
  label: string,
  name: string,
  { value = '', hint, type = 'text', required }: Field = {},
): Html {
  const input =
    type === 'json'
      ? html`<textarea name="${name}" data-type="json" rows="15" spellcheck="false">${value}</textarea>`
      : html`<input name="${name}" value="${value}" type="${type === 'number' ? 'number' : 'text'}" data-type="${type}" step="any" autocomplete="off"${required ? html` required` : ''}>`;
  return html`<label><span>${label}</span>${input}${hint && html`<small>${hint}</small>`}</label>`;
}

export function file(label: string, name: string, accept: string): Html {
  return html`<label><span>${label}</span><input type="file" name="${name}" accept="${accept}" required></label>`;
}

export function choice(
  label: string,
  name: string,
  options: readonly (readonly [value: string, text: string])[],
  now = '',
): Html {
  return html`<label><span>${label}</span><select name="${name}">${options.map(
    ([value, text]) => html`<option value="${value}"${value === now ? html` selected` : ''}>${text}</option>`,
  )}</select></label>`;
}

export function search(value: string, label: string): Html {
  return html`<form class="search" role="search" method="get"><input type="search" name="search" value="${value}" placeholder="${label}" aria-label="${label}" autocomplete="off"><button>Search</button></form>`;
}
