import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createClient } from 'redis';
import { Agent, request } from 'undici';
import { international, PAGES, STATE_KEPT_SECONDS } from './pages.ts';
import { keepOutcomes, settings, type WebhookBody, walletCalls } from './wallet-calls.ts';

/**
 * The floor: a USSD bot as a good engineer writes it in an afternoon, with Hono, undici, node-redis and a `switch`. It promises
 * nothing: no version, no repeated request, no record, no timer, no sealed PIN, no payment that is followed.
 */
interface State {
  step: 'menu' | 'recipient' | 'amount' | 'pin';
  to?: string;
  amount?: number;
}

const { redis: url, wallet: base, key } = settings();
const redis = createClient({ url });
redis.on('error', (error) => console.error(error));
await redis.connect();
const dispatcher = new Agent({ connections: 64 });
const wallet = walletCalls(key, async ({ method, path, headers, body }) => {
  const answer = await request(`${base}${path}`, {
    method: method as 'GET' | 'POST',
    dispatcher,
    headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const json = await answer.body.json();
  return answer.statusCode === 200 ? json : undefined;
});
const app = new Hono();

app.post('/ussd/africastalking', async (c) => {
  const form = new URLSearchParams(await c.req.text());
  const phone = form.get('phoneNumber') ?? '';
  const text = form.get('text') ?? '';
  const saved = text === '' ? null : await redis.get(`peer:${phone}`);
  const state: State = saved ? (JSON.parse(saved) as State) : { step: 'menu' };
  const page = text === '' ? await menu(phone) : await answer(state, phone, text.split('*').at(-1) ?? '');
  await keep(`peer:${phone}`, JSON.stringify(state));
  return c.text(page);
});

app.post('/webhooks/wallet', async (c) => {
  await keepOutcomes(wallet, JSON.parse(await c.req.text()) as WebhookBody, keep);
  return c.body(null, 200);
});

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}`),
);
process.once('SIGTERM', () => process.exit(0));

async function keep(at: string, text: string): Promise<void> {
  await redis.set(at, text, { EX: STATE_KEPT_SECONDS });
}

async function menu(phone: string): Promise<string> {
  return (await wallet.status(phone)) === undefined ? `END ${PAGES.away}` : `CON ${PAGES.menu}`;
}

async function answer(state: State, from: string, said: string): Promise<string> {
  switch (state.step) {
    case 'menu':
      state.step = 'recipient';
      await wallet.beneficiaries(from);
      return `CON ${PAGES.askRecipient}`;
    case 'recipient': {
      const to = international(said);
      if (!to) return `CON ${PAGES.badNumber}`;
      Object.assign(state, { to, step: 'amount' });
      return `CON ${PAGES.askAmount(to)}`;
    }
    case 'amount': {
      const order = { from, to: state.to ?? '', amount: Number(said) };
      const preview = await wallet.preview(order);
      if (!preview) return `END ${PAGES.away}`;
      await wallet.recent(from);
      Object.assign(state, { amount: order.amount, step: 'pin' });
      return `CON ${PAGES.askPin(order.to, order.amount, order.amount + (preview.feesAmount ?? 0))}`;
    }
    case 'pin':
      return pay(state, from, said);
  }
}

async function pay(state: State, from: string, pin: string): Promise<string> {
  const order = { from, to: state.to ?? '', amount: state.amount ?? 0 };
  if (!(await wallet.login(from, pin))?.logged) return `CON ${PAGES.wrongPin}`;
  await wallet.recent(from);
  state.step = 'menu';
  return (await wallet.execute(order)) ? `END ${PAGES.sent(order.to, order.amount)}` : `END ${PAGES.refused}`;
}
