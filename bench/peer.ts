import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createClient } from 'redis';
import { Agent, request } from 'undici';
import { API, API_HEADERS } from '../src/wallet/contract/api.ts';
import type { Endpoint } from '../src/wallet/contract/endpoint.ts';
import { OPERATION_TYPES } from '../src/wallet/contract/fields.ts';

/**
 * The peer of the whole: a USSD bot as a good engineer writes it in an afternoon, with Hono, undici and node-redis. It shows
 * the screens of Wasl's transfer and makes the same wallet calls in the same turns (status; saved recipients; preview and list; login, list and
 * execution; and after the webhook a read for the payer and one for the recipient), and promises nothing: no version, no
 * repeated request, no record, no timer, no sealed PIN, no payment that is followed. `PEER_REDIS`, `PEER_WALLET` and `PEER_KEY` say where things are.
 */
const STATE_KEPT_SECONDS = 1_800;
const RECENT_MS = 15 * 60_000;

interface State {
  step: 'menu' | 'recipient' | 'amount' | 'pin';
  to?: string;
  amount?: number;
  total?: number;
}

interface WebhookData {
  readonly OperationId: number;
  readonly PrimaryAccountNumber: string;
  readonly SecondaryAccountNumber: string;
}

const { PEER_REDIS = '', PEER_WALLET = '', PEER_KEY = '' } = process.env;
const redis = createClient({ url: PEER_REDIS });
redis.on('error', (error) => console.error(error));
await redis.connect();
const wallet = new Agent({ connections: 64 });
const app = new Hono();

app.post('/ussd/africastalking', async (c) => {
  const form = new URLSearchParams(await c.req.text());
  const phone = form.get('phoneNumber') ?? '';
  const key = `peer:${phone}`;
  const text = form.get('text') ?? '';
  const saved = text === '' ? null : await redis.get(key);
  const state: State = saved ? (JSON.parse(saved) as State) : { step: 'menu' };
  const page = text === '' ? await menu(phone) : await answer(state, phone, text.split('*').at(-1) ?? '');
  await keep(key, JSON.stringify(state));
  return c.text(page);
});

app.post('/webhooks/wallet', async (c) => {
  const { data } = JSON.parse(await c.req.text()) as { data: WebhookData };
  const path = API.readOperation.path.replace('{id}', `${data.OperationId}`);
  for (const PhoneNumber of [data.PrimaryAccountNumber, data.SecondaryAccountNumber]) {
    const operation = await call({ method: 'GET', path }, { PhoneNumber });
    if (operation) await keep(`peer:outcome:${PhoneNumber}`, JSON.stringify(operation));
  }
  return c.body(null, 200);
});

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}`),
);
process.once('SIGTERM', () => {
  server.close();
  process.exit(0);
});

async function keep(key: string, text: string): Promise<void> {
  await redis.set(key, text, { EX: STATE_KEPT_SECONDS });
}

async function menu(phone: string): Promise<string> {
  const status = await call(API.customerStatus, { PhoneNumber: phone });
  if (status === undefined) return 'END Le service ne répond pas pour le moment.';
  return [
    'CON Votre portefeuille',
    '1. Envoyer de l’argent',
    '2. Solde',
    '3. Recharge',
    '4. Paiement de factures',
    '5. Bons d’achat',
    '98 Suite',
  ].join('\n');
}

async function answer(state: State, from: string, said: string): Promise<string> {
  switch (state.step) {
    case 'menu':
      state.step = 'recipient';
      await call(API.listBeneficiaries, { PhoneNumber: from, PageSize: '50', PageNumber: '1' });
      return 'CON Numero du destinataire ?\n0 Retour\n00 Menu';
    case 'recipient':
      if (!/^0[67]\d{8}$/.test(said)) return 'CON Numero non valable. Exemple : 0612345678.\n0 Retour';
      state.to = `+212${said.slice(1)}`;
      state.step = 'amount';
      return `CON Montant à envoyer au ${said}, en DH ?\n0 Retour\n00 Menu`;
    case 'amount': {
      state.amount = Number(said);
      const preview = await call<{ feesAmount?: number }>(API.previewTransfer, undefined, order(from, state));
      if (!preview) return 'END Le service ne répond pas pour le moment.';
      state.total = state.amount + (preview.feesAmount ?? 0);
      await recent(from);
      state.step = 'pin';
      return `CON Envoi de ${state.amount},00 DH au ${state.to}\nTotal ${state.total} DH\nTapez votre code PIN pour confirmer\n0 Retour\n00 Menu`;
    }
    default:
      return pay(state, from, said);
  }
}

async function pay(state: State, from: string, pin: string): Promise<string> {
  const login = await call<{ logged: boolean }>(API.loginCustomer, undefined, { phoneNumber: from, pin });
  if (!login?.logged) return 'CON Code PIN incorrect.\n0 Retour';
  await recent(from);
  const paid = await call<{ id: number }>(API.executeTransfer, undefined, order(from, state));
  state.step = 'menu';
  return paid
    ? `END Votre envoi de ${state.amount},00 DH au ${state.to} est en cours.`
    : 'END Votre envoi a été refusé.';
}

/** What was sent lately, which may look like this payment. */
function recent(from: string): Promise<unknown> {
  return call(API.listOperations, {
    PhoneNumber: from,
    PageSize: '50',
    PageNumber: '1',
    From: new Date(Date.now() - RECENT_MS).toISOString(),
    OperationType: `${OPERATION_TYPES.TRANSFER}`,
  });
}

function order(from: string, { to, amount }: State) {
  return { CustomerPhoneNumber: from, RecipientPhoneNumber: to, Amount: amount, Reason: 'envoi' };
}

async function call<T = unknown>(
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  query?: Record<string, string>,
  body?: object,
): Promise<T | undefined> {
  const { statusCode, body: read } = await request(
    `${PEER_WALLET}${endpoint.path}${query ? `?${new URLSearchParams(query)}` : ''}`,
    {
      method: endpoint.method,
      dispatcher: wallet,
      headers: {
        [API_HEADERS.key]: PEER_KEY,
        [API_HEADERS.requestId]: crypto.randomUUID(),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    },
  );
  const answer = (await read.json()) as { data?: T };
  return statusCode === 200 ? answer.data : undefined;
}
