import { html } from 'hono/html';
import { BILL_CODES } from '../../../wallet/contract/bills.ts';
import type { Logged } from '../../door/request-log.ts';
import { canRepeat } from '../again.ts';
import { operationsOfRequest } from '../books.ts';
import { curlOf } from '../curl.ts';
import { at, type Visit } from './frame.ts';
import { operationsTable } from './ledger.ts';
import { act, badge, code, facts, type Html, json, live, panel, search, table, when } from './parts.ts';

const LISTED_MAX = 200;
const NO_ANSWER = 'no answer';
const FILTERS = [
  ['', 'All'],
  ['errorCode', 'Refused'],
  [NO_ANSWER, 'Without an answer'],
] as const;

function statusBadge({ status }: Logged): Html {
  if (status === null) return badge(NO_ANSWER, 'bad');
  return badge(status, status < 400 ? 'good' : status < 500 ? 'wait' : 'bad');
}

/** The code of a refusal, beside the HTTP status, with its words as a title. */
function refusalOf({ answer }: Logged): Html | string {
  const { errorCode, errorDescription, codeRetour, msg } = (answer ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const code = errorCode ?? (codeRetour === BILL_CODES.DONE ? undefined : codeRetour);
  return code === undefined
    ? ''
    : html` <span class="number" title="${errorDescription ?? msg ?? ''}">${code}</span>`;
}

export function requestsTable(visit: Visit, most = LISTED_MAX): Html {
  const { deps } = visit;
  const wanted = visit.search.toLowerCase();
  const found = deps.log
    .entries()
    .filter((each) =>
      JSON.stringify([
        ...[each.operation, each.path, each.query, each.requestId, each.status ?? NO_ANSWER, each.body],
        ...[each.struck, each.status === null ? null : each.answer],
      ])
        .toLowerCase()
        .includes(wanted),
    )
    .slice(0, most);
  return table(
    ['Request', 'Operation', 'Status', 'Time', 'Took', 'Faults'],
    found.map((each) => [
      html`<a class="path" href="${at(visit, `requests/${each.id}`)}"><b>${each.method}</b> ${each.path}</a>`,
      each.operation ?? html`<i>none</i>`,
      html`${statusBadge(each)}${refusalOf(each)}`,
      when(each.at),
      html`<span class="number">${each.durationMs} ms</span>`,
      each.struck.join(', '),
    ]),
    wanted ? 'No request in the log is like that.' : 'No request yet. Send the one on the overview.',
  );
}

export function requestsPage(visit: Visit): Html {
  return html`<p class="lead">The newest calls of the Partner API. Keys, PINs, codes, card numbers and passwords are masked before
they are kept. A call with a key that nobody has is shown to every partner, without what it said.</p>
${search(visit.search, 'Path, operation, number, request id, error code')}
<p class="links">${FILTERS.map(([words, label]) => html`<a href="${at(visit, 'requests')}&search=${words}"${words === visit.search ? html` aria-current="true"` : ''}>${label}</a>`)}</p>
${live('requests', requestsTable(visit))}`;
}

/** One request: what came, what was answered, its operation, and the command that makes it again. Undefined where it is gone. */
export function requestPage(visit: Visit, id: number): { title: string; body: Html } | undefined {
  const { deps, tenant } = visit;
  const found = deps.log.entries().find((each) => each.id === id);
  if (!found) return undefined;
  const operations = operationsOfRequest(deps.core, tenant, found);
  const again = act('Send this request again', `POST /sandbox/requests/${id}/again`);
  const body = html`${panel(
    'Request',
    html`${facts([
      ['Operation', found.operation ?? 'there is none of this method and path'],
      ['C-Request-Id', found.requestId],
      ['Time', when(found.at)],
      ...found.query.map(([name, value]) => [`?${name}`, value] as const),
    ])}${found.body === undefined ? '' : json(found.body)}`,
  )}
${panel(
  'Answer',
  html`${facts([
    ['Status', html`${statusBadge(found)}${refusalOf(found)}`],
    ['Took', `${found.durationMs} ms`],
    ['Faults', found.struck.join(', ')],
  ])}${found.answer === undefined || found.answer === null ? '' : json(found.answer)}`,
  found.status === null ? 'A fault has kept it; this is what it would have said.' : undefined,
)}
${operations.length > 0 ? live('operation', panel('Its operation', operationsTable(visit, operations))) : ''}
${panel('Again', html`${canRepeat(found) ? html`<div class="acts">${again}</div>` : ''}${code('curl', curlOf(found, visit.origin))}`, 'For curl, set API_KEY in your shell first, and a variable for each masked value.')}`;
  return { title: `${found.method} ${found.path}`, body };
}
