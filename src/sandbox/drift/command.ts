import { writeFileSync } from 'node:fs';
import { createSandbox } from '../sandbox.ts';
import { drift, type Report, type Row, type Target } from './drift.ts';

const NOBODY = '+212600099999';

/** The command's options: the wallet, from the environment, and the file of the page. */
interface DriftOptions {
  readonly url: string;
  readonly apiKey: string;
  /** A customer of the partner's wallet, and whom they pay. Absent: those of the sandbox. */
  readonly phone?: string | undefined;
  readonly recipient?: string | undefined;
  readonly page?: string | undefined;
  readonly writes: boolean;
}

/**
 * Asks a partner's real wallet and our sandbox the same questions, prints where they differ, and writes one page about it. Gives
 * whether they answer alike and as v2.3 says. It only reads, unless `writes` is true: then 1 DH moves.
 */
export async function driftCommand(options: DriftOptions): Promise<boolean> {
  const { url, apiKey, page, writes } = options;
  const { phone = '+212600000001', recipient = '+212600000002' } = options;
  const sandbox = createSandbox({ file: ':memory:', past: true });
  try {
    const ours: Target = {
      ...{ url: 'http://sandbox', apiKey: sandbox.apiKey },
      known: { phone: '+212600000001', recipient: '+212600000002', nobody: NOBODY },
      send: (request) => sandbox.app.fetch(request),
    };
    const theirs: Target = {
      ...{ url, apiKey, known: { phone, recipient, nobody: NOBODY } },
      send: (request) => fetch(request),
    };
    const report = await drift(ours, theirs, writes);
    if (page) writeFileSync(page, driftPage(report, url, new Date()));
    console.log(driftText(report));
    return report.rows.length === 0;
  } finally {
    await sandbox.close();
  }
}

const escaped = (text: string): string =>
  text.replace(
    /[&<>"]/g,
    (each) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[each] ?? each,
  );

/** One page: where the sandbox, the partner's wallet and the document differ. It needs nothing else. */
export function driftPage({ rows, compared, leftOut }: Report, partner: string, at: Date): string {
  const cells = ({ check, where, document, sandbox, partner: theirs }: Row) =>
    [check, where, document, sandbox, theirs].map((each) => `<td>${escaped(each)}</td>`).join('');
  const body = rows.map(
    (row) => `<tr class="${row.document === '–' ? 'silent' : 'against'}">${cells(row)}</tr>`,
  );
  const against = rows.filter(({ document }) => document !== '–').length;
  const table =
    rows.length === 0
      ? '<p>They answer alike, and as the document says.</p>'
      : `<table><thead><tr><th>Question</th><th>Place</th><th>Document</th><th>Sandbox</th><th>Partner</th></tr></thead><tbody>${body.join('\n')}</tbody></table>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Drift from v2.3</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #8884;vertical-align:top;overflow-wrap:anywhere}
.against td:nth-child(2){font-weight:600}.silent{opacity:.8}</style></head>
<body><h1>Drift from the Partner API v2.3</h1>
<p>${escaped(partner)}, ${at.toISOString()}. ${compared.length} questions were asked of both wallets. ${against} places are otherwise
than the document says, and ${rows.length - against} where it says nothing.</p>
${table}
${leftOut.length > 0 ? `<p>Not asked, because one of them had nothing to ask about: ${escaped(leftOut.join(', '))}.</p>` : ''}
</body></html>
`;
}

/** The same for a terminal, a line for each place. */
export function driftText({ rows, compared }: Report): string {
  const lines = rows.map(
    ({ check, where, document, sandbox, partner }) =>
      `${check}: ${where}: document ${document}; sandbox ${sandbox}; partner ${partner}`,
  );
  return [...lines, `${compared.length} questions, ${rows.length} differences`].join('\n');
}
