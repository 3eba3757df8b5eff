import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { files, LOOK } from '../../http/files.ts';
import { OWN_FILES_ONLY, pageHeaders } from '../../http/page-headers.ts';
import { ownPartner } from '../partners/partners.ts';
import type { DeskDeps } from './deps.ts';
import { faultsPage } from './pages/faults.ts';
import { frame, type Section, type Visit } from './pages/frame.ts';
import { ledgerPage, operationPage } from './pages/ledger.ts';
import { overview } from './pages/overview.ts';
import type { Html } from './pages/parts.ts';
import { requestPage, requestsPage } from './pages/requests.ts';
import { settingsPage } from './pages/settings.ts';
import { smsPage } from './pages/sms.ts';
import { testDataPage } from './pages/test-data.ts';
import { timePage } from './pages/time.ts';
import { walletPage, walletsPage } from './pages/wallets.ts';
import { webhookPage, webhooksPage } from './pages/webhooks.ts';

const PUBLIC = new URL('public/', import.meta.url);
const FILES = ['desk.css', 'parts.css', 'forms.css', 'narrow.css', 'desk.js', 'icon.svg'];

const GONE = html`<p class="lead">It is not here, or not any more: a reset, a restore or another partner may be why.</p>`;

interface Page {
  readonly title: string;
  readonly body: Html;
}

/** The desk: pages that show the sandbox and drive it, at `/` and `/desk/…`. Every act on them is a call under `/sandbox`. */
export function deskPages(deps: DeskDeps): Hono {
  const app = new Hono();
  app.route('/desk', files(LOOK, ['palette.css', 'look.css']));
  app.route('/desk', files(PUBLIC, FILES));

  const headers = pageHeaders(OWN_FILES_ONLY);
  const serve = (path: string, section: Section, page: (visit: Visit, c: Context) => Page | undefined) =>
    app.get(path, headers, (c) => {
      const visit: Visit = {
        deps,
        tenant: ownPartner(deps.core),
        origin: new URL(c.req.url).origin,
        search: c.req.query('search') ?? '',
      };
      const made = page(visit, c);
      return made
        ? c.html(frame(visit, section, made.title, made.body))
        : c.html(frame(visit, section, 'Not here', GONE), 404);
    });
  const titled = (title: string, body: Html | undefined) => body && { title, body };
  const idIn = (c: Context) => Number(c.req.param('id')) || 0;

  serve('/', '', (visit) => titled('Overview', overview(visit)));
  serve('/desk/wallets', 'wallets', (visit) => titled('Wallets', walletsPage(visit)));
  serve('/desk/wallets/:wallet', 'wallets', (visit, c) => walletPage(visit, c.req.param('wallet') ?? ''));
  serve('/desk/ledger', 'ledger', (visit) => titled('Ledger', ledgerPage(visit)));
  serve('/desk/operations/:id', 'ledger', (visit, c) => titled('Operation', operationPage(visit, idIn(c))));
  serve('/desk/requests', 'requests', (visit) => titled('Requests', requestsPage(visit)));
  serve('/desk/requests/:id', 'requests', (visit, c) => requestPage(visit, idIn(c)));
  serve('/desk/sms', 'sms', (visit) => titled('SMS', smsPage(visit)));
  serve('/desk/webhooks', 'webhooks', (visit) => titled('Webhooks', webhooksPage(visit)));
  serve('/desk/webhooks/:id', 'webhooks', (visit, c) => titled('Webhook', webhookPage(visit, idIn(c))));
  serve('/desk/faults', 'faults', (visit) => titled('Faults', faultsPage(visit)));
  serve('/desk/time', 'time', (visit) => titled('Time and state', timePage(visit)));
  serve('/desk/test-data', 'test-data', () => titled('Test data', testDataPage()));
  serve('/desk/settings', 'settings', (visit) => titled('Settings', settingsPage(visit)));
  return app;
}
