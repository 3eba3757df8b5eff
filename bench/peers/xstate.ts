import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import ky from 'ky';
import { createClient } from 'redis';
import { assign, createActor, fromPromise, type SnapshotFrom, setup, waitFor } from 'xstate';
import { international, PAGES, STATE_KEPT_SECONDS } from './pages.ts';
import { keepOutcomes, settings, type WebhookBody, walletCalls } from './wallet-calls.ts';

/**
 * XState as its docs show it: a machine that invokes promises, a live actor for each request, `waitFor` the next question, and
 * `getPersistedSnapshot()` in Redis between requests. HTTP by ky and Hono.
 */
const { redis: url, wallet: base, key } = settings();
const redis = createClient({ url });
redis.on('error', (error) => console.error(error));
await redis.connect();
const http = ky.create({ prefix: base, retry: 0, throwHttpErrors: false });
const wallet = walletCalls(key, async ({ method, path, headers, body }) => {
  const answer = await http(path.slice(1), { method, headers, ...(body && { json: body }) });
  const json = await answer.json();
  return answer.status === 200 ? json : undefined;
});

interface Context {
  readonly from: string;
  readonly to: string;
  readonly amount: number;
  readonly pin: string;
  readonly page: string;
}

const transfer = setup({
  types: {} as {
    context: Context;
    events: { readonly type: 'said'; readonly text: string };
    input: { readonly from: string };
    tags: 'asks';
  },
  actors: {
    status: fromPromise(({ input }: { input: Context }) => wallet.status(input.from)),
    beneficiaries: fromPromise(({ input }: { input: Context }) => wallet.beneficiaries(input.from)),
    quote: fromPromise(async ({ input }: { input: Context }) => {
      const preview = await wallet.preview(input);
      if (!preview) return `END ${PAGES.away}`;
      await wallet.recent(input.from);
      return `CON ${PAGES.askPin(input.to, input.amount, input.amount + (preview.feesAmount ?? 0))}`;
    }),
    pay: fromPromise(async ({ input }: { input: Context }) => {
      if (!(await wallet.login(input.from, input.pin))?.logged) return `CON ${PAGES.wrongPin}`;
      await wallet.recent(input.from);
      return (await wallet.execute(input))
        ? `END ${PAGES.sent(input.to, input.amount)}`
        : `END ${PAGES.refused}`;
    }),
  },
  guards: { isNumber: ({ event }) => international(event.text) !== undefined },
}).createMachine({
  id: 'transfer',
  initial: 'readingStatus',
  context: ({ input }) => ({ from: input.from, to: '', amount: 0, pin: '', page: '' }),
  states: {
    readingStatus: {
      invoke: {
        src: 'status',
        input: ({ context }) => context,
        onDone: {
          target: 'menu',
          actions: assign({
            page: ({ event }) => (event.output === undefined ? `END ${PAGES.away}` : `CON ${PAGES.menu}`),
          }),
        },
      },
    },
    menu: { tags: 'asks', on: { said: 'readingBeneficiaries' } },
    readingBeneficiaries: {
      invoke: {
        src: 'beneficiaries',
        input: ({ context }) => context,
        onDone: { target: 'askingRecipient', actions: assign({ page: `CON ${PAGES.askRecipient}` }) },
      },
    },
    askingRecipient: {
      tags: 'asks',
      on: {
        said: [
          {
            guard: 'isNumber',
            target: 'askingAmount',
            actions: assign(({ event }) => {
              const to = international(event.text) ?? '';
              return { to, page: `CON ${PAGES.askAmount(to)}` };
            }),
          },
          { actions: assign({ page: `CON ${PAGES.badNumber}` }) },
        ],
      },
    },
    askingAmount: {
      tags: 'asks',
      on: { said: { target: 'quoting', actions: assign({ amount: ({ event }) => Number(event.text) }) } },
    },
    quoting: {
      invoke: {
        src: 'quote',
        input: ({ context }) => context,
        onDone: { target: 'askingPin', actions: assign({ page: ({ event }) => event.output }) },
      },
    },
    askingPin: {
      tags: 'asks',
      on: { said: { target: 'paying', actions: assign({ pin: ({ event }) => event.text }) } },
    },
    paying: {
      invoke: {
        src: 'pay',
        input: ({ context }) => context,
        onDone: { target: 'done', actions: assign({ pin: '', page: ({ event }) => event.output }) },
      },
    },
    done: { tags: 'asks', type: 'final' },
  },
});

const app = new Hono();

app.post('/ussd/africastalking', async (c) => {
  const form = new URLSearchParams(await c.req.text());
  const from = form.get('phoneNumber') ?? '';
  const text = form.get('text') ?? '';
  const saved = text === '' ? null : await redis.get(`peer:${from}`);
  const actor = createActor(transfer, {
    input: { from },
    ...(saved && { snapshot: JSON.parse(saved) as SnapshotFrom<typeof transfer> }),
  }).start();
  if (saved) actor.send({ type: 'said', text: text.split('*').at(-1) ?? '' });
  const snapshot = await waitFor(actor, (state) => state.hasTag('asks'));
  await keep(`peer:${from}`, JSON.stringify(actor.getPersistedSnapshot()));
  actor.stop();
  return c.text(snapshot.context.page);
});

app.post('/webhooks/wallet', async (c) => {
  await keepOutcomes(wallet, (await c.req.json()) as WebhookBody, keep);
  return c.body(null, 200);
});

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}`),
);
process.once('SIGTERM', () => process.exit(0));

async function keep(at: string, text: string): Promise<void> {
  await redis.set(at, text, { EX: STATE_KEPT_SECONDS });
}
