import { html } from 'hono/html';
import { at, type Visit } from './frame.ts';
import { type Html, live, search, table, when } from './parts.ts';

const LISTED_MAX = 200;

/** Shows the SMS of the wallet, newest first. */
export function smsPage(visit: Visit): Html {
  const { deps, tenant } = visit;
  const like = `%${visit.search.trim().replace(/^0(?=\d)/, '')}%`;
  const sent = deps.core.db.all<{ phone: string; text: string; at: number }>(
    'SELECT phone, text, at FROM messages WHERE tenant = ? AND phone LIKE ? ORDER BY id DESC LIMIT ?',
    ...[tenant.id, like, LISTED_MAX],
  );
  return html`<p class="lead">One-time codes arrive here and nowhere else.</p>
${search(visit.search, 'Number')}
${live(
  'sms',
  table(
    ['To', 'Text', 'Time'],
    sent.map((each) => [
      html`<a href="${at(visit, `wallets/${encodeURIComponent(each.phone)}`)}">${each.phone}</a>`,
      each.text,
      when(each.at),
    ]),
    'No SMS yet.',
  ),
)}`;
}
