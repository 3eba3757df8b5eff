import { Agent } from 'node:http';
import axios from 'axios';
import express from 'express';
import { Redis } from 'ioredis';
import UssdMenu from 'ussd-menu-builder';
import { international, PAGES, STATE_KEPT_SECONDS } from './pages.ts';
import { keepOutcomes, settings, type WebhookBody, walletCalls } from './wallet-calls.ts';

/**
 * The usual stack: Express, axios, ioredis and ussd-menu-builder, each as its own README shows it. A menu object holds the
 * request that it serves, so each request has one of its own. The library walks from the first state through all that was typed.
 */
const { redis: url, wallet: base, key } = settings();
const redis = new Redis(url);
const http = axios.create({
  baseURL: base,
  httpAgent: new Agent({ keepAlive: true, maxSockets: 64 }),
  validateStatus: () => true,
});
const wallet = walletCalls(key, async ({ method, path, headers, body }) => {
  const answer = await http.request({ method, url: path, headers, ...(body && { data: body }) });
  return answer.status === 200 ? answer.data : undefined;
});
const keep = (at: string, text: string) => redis.set(at, text, 'EX', STATE_KEPT_SECONDS);

const app = express();
app.use(express.urlencoded({ extended: false }));
app.use(express.json());

app.post('/ussd/africastalking', async (request, response) => {
  response.send(await menuOf().run(request.body));
});

app.post('/webhooks/wallet', async (request, response) => {
  await keepOutcomes(wallet, request.body as WebhookBody, keep);
  response.sendStatus(200);
});

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`);
});
process.once('SIGTERM', () => process.exit(0));

function menuOf(): UssdMenu {
  const menu = new UssdMenu();
  menu.sessionConfig({
    start: async (id) => void (await redis.expire(`peer:${id}`, STATE_KEPT_SECONDS)),
    get: (id, name) => redis.hget(`peer:${id}`, name),
    set: async (id, name, value) => {
      await redis.hset(`peer:${id}`, name, value);
      await redis.expire(`peer:${id}`, STATE_KEPT_SECONDS);
    },
    end: async (id) => void (await redis.del(`peer:${id}`)),
  });
  menu.startState({
    run: async () => {
      if ((await wallet.status(menu.args.phoneNumber)) === undefined) menu.end(PAGES.away);
      else menu.con(PAGES.menu);
    },
    next: { '1': 'transfer' },
  });
  menu.state('transfer', {
    run: async () => {
      await wallet.beneficiaries(menu.args.phoneNumber);
      menu.con(PAGES.askRecipient);
    },
    next: { '*^0[67]\\d{8}$': 'transfer.recipient' },
    defaultNext: 'transfer.badNumber',
  });
  menu.state('transfer.badNumber', { run: () => menu.con(PAGES.badNumber) });
  menu.state('transfer.recipient', {
    run: async () => {
      const to = international(menu.val) ?? '';
      await menu.session.set('to', to);
      menu.con(PAGES.askAmount(to));
    },
    next: { '*^\\d+$': 'transfer.amount' },
  });
  menu.state('transfer.amount', {
    run: () => quote(menu, Number(menu.val)),
    next: { '*^\\d{4}$': 'transfer.pin' },
  });
  menu.state('transfer.pin', { run: () => pay(menu, menu.val) });
  return menu;
}

async function quote(menu: UssdMenu, amount: number): Promise<void> {
  const from = menu.args.phoneNumber;
  const to = await menu.session.get('to');
  const preview = await wallet.preview({ from, to, amount });
  if (!preview) return menu.end(PAGES.away);
  await wallet.recent(from);
  await menu.session.set('amount', `${amount}`);
  menu.con(PAGES.askPin(to, amount, amount + (preview.feesAmount ?? 0)));
}

async function pay(menu: UssdMenu, pin: string): Promise<void> {
  const from = menu.args.phoneNumber;
  const [to, amount] = [await menu.session.get('to'), Number(await menu.session.get('amount'))];
  if (!(await wallet.login(from, pin))?.logged) return menu.con(PAGES.wrongPin);
  await wallet.recent(from);
  menu.end((await wallet.execute({ from, to, amount })) ? PAGES.sent(to, amount) : PAGES.refused);
}
