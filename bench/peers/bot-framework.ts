import { Agent } from 'node:http';
import { serve } from '@hono/node-server';
import axios from 'axios';
import {
  type Activity,
  ActivityTypes,
  AutoSaveStateMiddleware,
  BotAdapter,
  ConversationState,
  type ResourceResponse,
  type Storage,
  type StoreItems,
  TurnContext,
} from 'botbuilder-core';
import { DialogSet, TextPrompt, WaterfallDialog, type WaterfallStepContext } from 'botbuilder-dialogs';
import { Hono } from 'hono';
import { createClient } from 'redis';
import { international, PAGES, STATE_KEPT_SECONDS } from './pages.ts';
import { keepOutcomes, type Order, settings, type WebhookBody, walletCalls } from './wallet-calls.ts';

/**
 * Microsoft's Bot Framework as its samples show it: a waterfall dialog with prompts, a conversation state in a storage on Redis,
 * an adapter for the channel. HTTP by Hono and axios.
 */
const { redis: url, wallet: base, key } = settings();
const redis = createClient({ url });
redis.on('error', (error) => console.error(error));
await redis.connect();
const http = axios.create({
  baseURL: base,
  httpAgent: new Agent({ keepAlive: true, maxSockets: 64 }),
  validateStatus: () => true,
});
const wallet = walletCalls(key, async ({ method, path, headers, body }) => {
  const answer = await http.request({ method, url: path, headers, ...(body && { data: body }) });
  return answer.status === 200 ? answer.data : undefined;
});
const keep = (at: string, text: string) => redis.set(at, text, { EX: STATE_KEPT_SECONDS });

const storage: Storage = {
  async read(keys) {
    const values = await Promise.all(keys.map((name) => redis.get(`peer:${name}`)));
    return Object.fromEntries(
      keys.flatMap((name, i) => (values[i] ? [[name, JSON.parse(values[i]) as object]] : [])),
    );
  },
  async write(changes: StoreItems) {
    await Promise.all(
      Object.entries(changes).map(([name, item]) => keep(`peer:${name}`, JSON.stringify(item))),
    );
  },
  async delete(keys) {
    await redis.del(keys.map((name) => `peer:${name}`));
  },
};

/** The channel: what the bot says in a turn is the page. */
class UssdAdapter extends BotAdapter {
  /** Texts by the id of the activity that they answer. */
  private readonly said = new Map<string, string>();

  async take(activity: Partial<Activity>, logic: (context: TurnContext) => Promise<void>): Promise<string> {
    await this.runMiddleware(new TurnContext(this, activity), logic);
    const page = this.said.get(activity.id ?? '') ?? '';
    this.said.delete(activity.id ?? '');
    return page;
  }

  async sendActivities(_: TurnContext, activities: Partial<Activity>[]): Promise<ResourceResponse[]> {
    for (const { replyToId = '', text = '' } of activities) this.said.set(replyToId, text);
    return activities.map(() => ({ id: crypto.randomUUID() }));
  }

  async updateActivity(): Promise<void> {}
  async deleteActivity(): Promise<void> {}
  async continueConversation(): Promise<void> {}
}

const adapter = new UssdAdapter();
const conversationState = new ConversationState(storage);
adapter.use(new AutoSaveStateMiddleware(conversationState));
const dialogs = new DialogSet(conversationState.createProperty('dialogs'));
dialogs.add(new TextPrompt('text'));
dialogs.add(
  new TextPrompt('number', async ({ recognized }) => international(recognized.value ?? '') !== undefined),
);
dialogs.add(new WaterfallDialog('transfer', [menu, askRecipient, askAmount, askPin, pay]));

async function menu(step: WaterfallStepContext) {
  const { id } = step.context.activity.from;
  if ((await wallet.status(id)) !== undefined) return step.prompt('text', `CON ${PAGES.menu}`);
  await step.context.sendActivity(`END ${PAGES.away}`);
  return step.endDialog();
}

async function askRecipient(step: WaterfallStepContext) {
  await wallet.beneficiaries(step.context.activity.from.id);
  return step.prompt('number', {
    prompt: `CON ${PAGES.askRecipient}`,
    retryPrompt: `CON ${PAGES.badNumber}`,
  });
}

async function askAmount(step: WaterfallStepContext) {
  const to = international(step.result as string) ?? '';
  Object.assign(step.values, { from: step.context.activity.from.id, to });
  return step.prompt('text', `CON ${PAGES.askAmount(to)}`);
}

async function askPin(step: WaterfallStepContext) {
  const order = { ...step.values, amount: Number(step.result) } as unknown as Order;
  const preview = await wallet.preview(order);
  if (!preview) {
    await step.context.sendActivity(`END ${PAGES.away}`);
    return step.endDialog();
  }
  await wallet.recent(order.from);
  Object.assign(step.values, order);
  const { to, amount } = order;
  return step.prompt('text', `CON ${PAGES.askPin(to, amount, amount + (preview.feesAmount ?? 0))}`);
}

async function pay(step: WaterfallStepContext) {
  const order = step.values as unknown as Order;
  const page = await paid(order, step.result as string);
  await step.context.sendActivity(page);
  return step.endDialog();
}

async function paid(order: Order, pin: string): Promise<string> {
  if (!(await wallet.login(order.from, pin))?.logged) return `CON ${PAGES.wrongPin}`;
  await wallet.recent(order.from);
  return (await wallet.execute(order)) ? `END ${PAGES.sent(order.to, order.amount)}` : `END ${PAGES.refused}`;
}

const app = new Hono();

app.post('/ussd/africastalking', async (c) => {
  const form = new URLSearchParams(await c.req.text());
  const phone = form.get('phoneNumber') ?? '';
  const text = form.get('text') ?? '';
  const activity: Partial<Activity> = {
    type: ActivityTypes.Message,
    id: crypto.randomUUID(),
    channelId: 'ussd',
    from: { id: phone, name: phone },
    recipient: { id: 'wasl', name: 'wasl' },
    // A dial begins a conversation.
    conversation: { id: form.get('sessionId') ?? '', name: '', isGroup: false, conversationType: 'personal' },
    text: text.split('*').at(-1) ?? '',
  };
  return c.text(
    await adapter.take(activity, async (turn) => {
      const context = await dialogs.createContext(turn);
      const { status } = await context.continueDialog();
      if (status === 'empty') await context.beginDialog('transfer');
    }),
  );
});

app.post('/webhooks/wallet', async (c) => {
  await keepOutcomes(wallet, (await c.req.json()) as WebhookBody, keep);
  return c.body(null, 200);
});

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}`),
);
process.once('SIGTERM', () => process.exit(0));
