import { Hono } from 'hono';
import { ussdRoutes } from '../src/channels/ussd/routes.ts';
import type { Conversations, Reply } from '../src/conversation/incoming.ts';
import { createSecrets } from '../src/conversation/secrets.ts';
import { listening } from '../src/http/listening.ts';
import { openLog } from '../src/log.ts';
import { createRenderer } from '../src/screen/renderer.ts';
import { msisdn } from '../src/wallet/phone.ts';

/**
 * A USSD door in a process of its own, for `ussd.ts`. `DOOR=wasl`: Wasl's own route with everything but the engine, which
 * answers at once. `DOOR=bare`: a bare Hono handler with the same answer. `SECRET` is the gateway's.
 */
const { DOOR, SECRET = '' } = process.env;
const REPLY: Reply = {
  language: 'fr',
  screenId: 3,
  screen: {
    key: 'transfer.askAmount',
    values: { to: { phone: msisdn('0698765432') } },
    expects: 'amount',
  },
  page: 0,
  missed: [],
  rests: false,
};

const renderer = createRenderer();
const app = new Hono();
if (DOOR === 'wasl') {
  const conversations: Pick<Conversations, 'receive' | 'fallback'> = {
    receive: async () => REPLY,
    fallback: () => REPLY,
  };
  const routes = ussdRoutes({
    conversations: conversations as Conversations,
    renderer,
    secrets: createSecrets('a secrets key for the bench, 32 characters'),
    door: () => ({ secrets: [SECRET], addresses: [], proxies: [] }),
    serviceCode: '*123#',
    language: 'fr',
    log: openLog('info', 'doors'),
  });
  app.route('/ussd', routes);
} else {
  const page = `CON ${renderer.ussd(REPLY.screen, REPLY.language, REPLY.page).text}`;
  app.post('/ussd/africastalking', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    return form.has('text') ? c.text(page) : c.text('bad request', 400);
  });
}
const server = await listening(app, 0, '127.0.0.1');
console.log(server.url);
process.once('SIGTERM', () => process.exit(0));
