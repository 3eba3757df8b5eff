import { html } from 'hono/html';
import type { Logged } from '../../door/request-log.ts';
import { canRepeat } from '../again.ts';
import { curlOf } from '../curl.ts';
import { at, type Visit } from './frame.ts';
import { act, badge, code, facts, type Html, json, live, panel, search, table, when } from './parts.ts';

const LISTED_MAX = 200;

function statusBadge({ status }: Logged): Html {
  if (status === null) return badge('no answer', 'bad');
  return badge(status, status < 400 ? 'good' : status < 500 ? 'wait' : 'bad');
}

export function requestsTable(visit: Visit, most = LISTED_MAX): Html {
  const { deps } = visit;
  const wanted = visit.search.toLowerCase();
  const found = deps.log
    .entries()
    .filter((each) =>
      JSON.stringify([each.operation, each.path, each.query, each.requestId, each.status, each.body])
        .toLowerCase()
        .includes(wanted),
    )
    .slice(0, most);
  return table(
    ['Request', 'Operation', 'Status', 'Time', 'Took', 'Faults'],
    found.map((each) => [
      html`<a class="path" href="${at(visit, `requests/${each.id}`)}"><b>${each.method}</b> ${each.path}</a>`,
      each.operation ?? html`<i>none</i>`,
      statusBadge(each),
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
${search(visit.search, 'Path, operation, number, request id')}
${live('requests', requestsTable(visit))}`;
}

/** One request, with the command that makes it again. Undefined where it is not in the log any more. */
export function requestPage(visit: Visit, id: number): Html | undefined {
  const found = visit.deps.log.entries().find((each) => each.id === id);
  if (!found) return undefined;
  return html`${panel('Again', html`${canRepeat(found) ? html`<div class="acts">${act('Send this request again', `POST /sandbox/requests/${id}/again`)}</div>` : ''}${code('curl', curlOf(found, visit.origin))}`, 'For curl, set API_KEY in your shell first, and a variable for each masked value.')}
${panel(
  'Request',
  html`${facts([
    ['Operation', found.operation ?? 'there is none of this method and path'],
    ['Path', html`<span class="path"><b>${found.method}</b> ${found.path}</span>`],
    ['C-Request-Id', found.requestId],
    ['Time', when(found.at)],
    ...found.query.map(([name, value]) => [`?${name}`, value] as const),
  ])}${found.body === undefined ? '' : json(found.body)}`,
)}
${panel(
  'Answer',
  html`${facts([
    ['Status', statusBadge(found)],
    ['Took', `${found.durationMs} ms`],
    ['Faults', found.struck.join(', ')],
  ])}${found.answer === undefined || found.answer === null ? '' : json(found.answer)}`,
  found.status === null ? 'A fault has kept it; this is what it would have said.' : undefined,
)}`;
}
