import { Agent, request } from 'node:http';
import { serve } from '@hono/node-server';
import type { Update } from 'grammy/types';
import type { Hono } from 'hono';
import type { Renderer } from '../src/screen/renderer.ts';
import type { Store } from '../src/store/store.ts';
import { createBareBot } from './bare-bot.ts';
import { createConversationsBot } from './conversations-bot.ts';
import { createInstantTelegram, type Does } from './instant-telegram.ts';
import { measure, median, never, type Sample } from './measure.ts';
import { createWaslBot } from './wasl-bot.ts';

const ROUNDS = 5;
const CONVERSATIONS = 400;
const CONCURRENCY = 64;
/** Press, number, amount, press, PIN. */
const UPDATES = 5;
const TOKEN = '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11';
const SECRET = 'a-secret-of-the-bench';

/** What the other bot's storage needs of node-redis. */
export interface Redis {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<unknown>;
  del(key: string): Promise<unknown>;
}

/** A bot as it is measured. */
export interface TestedBot {
  readonly name: string;
  init(): Promise<void>;
  handle(update: Update): Promise<unknown>;
  readonly app: Hono;
  /** Brings a customer to the menu; not measured. */
  arrives(user: number, does: Does): Promise<void>;
  /** What is kept of a customer's conversation: key and value. */
  bytesOf(user: number): Promise<number>;
}

interface Figures {
  readonly bot: string;
  readonly by: string;
  readonly updatesPerSecond: number;
  readonly ratioToConversations: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly cpuUsPerUpdate: number;
  readonly callsPerUpdate: number;
  /** Of a customer who is asked for the PIN and goes away. */
  readonly bytesAtPin: number;
  /** Of one who has sent the money. */
  readonly bytesAfter: number;
}

interface Row {
  readonly bot: string;
  readonly by: string;
  readonly taken: (Sample & { readonly calls: number })[];
  readonly bytesAtPin: number;
  readonly bytesAfter: number;
}

/**
 * A transfer in a Telegram chat, beside the same with @grammyjs/conversations: updates handed to the bot, and posted to
 * its webhook over HTTP by the same process. Telegram itself answers at once, inside `fetch`; Redis is real.
 */
export async function benchTelegram(redis: Redis, store: Store, renderer: Renderer): Promise<Figures[]> {
  const telegram = createInstantTelegram();
  const bots = [
    createBareBot(TOKEN, telegram.fetch, SECRET),
    createWaslBot(store, renderer, TOKEN, telegram.fetch, SECRET),
    createConversationsBot(redis, TOKEN, telegram.fetch, SECRET),
  ];
  const servers = await Promise.all(bots.map(({ app }) => served(app)));
  for (const bot of bots) await bot.init();
  const rows = new Map<string, Row>();
  let user = 0;
  for (let round = -1; round < ROUNDS; round++) {
    for (const [i, bot] of bots.entries()) {
      const ways = {
        handleUpdate: (update: Update) => bot.handle(update),
        webhook: servers[i]?.post ?? never,
      };
      for (const [by, send] of Object.entries(ways)) {
        const first = user;
        user += CONVERSATIONS;
        const { sample, ...bytes } = await transfers(bot, send, first);
        const key = `${bot.name} ${by}`;
        const row = rows.get(key) ?? { bot: bot.name, by, taken: [], ...bytes };
        rows.set(key, row);
        // The first round only warms up.
        if (round >= 0) row.taken.push(sample);
      }
    }
  }
  for (const { close } of servers) close();
  return [...rows.values()].map((row) => figures(row, [...rows.values()]));

  /** Everybody sends money once. Throws unless every chat ends with "en cours". */
  async function transfers(bot: TestedBot, send: (update: Update) => Promise<unknown>, first: number) {
    const quietly = telegram.customer((update) => bot.handle(update));
    for (let customer = first; customer < first + CONVERSATIONS; customer++) {
      await bot.arrives(customer, quietly);
    }
    const callsBefore = telegram.calls();
    let bytesAtPin = 0;
    const sample = await measure(CONVERSATIONS, CONCURRENCY, UPDATES, async (n, took) => {
      const does = telegram.customer(async (update) => {
        const startedAt = process.hrtime.bigint();
        await send(update);
        took(Number(process.hrtime.bigint() - startedAt) / 1000);
      });
      const customer = first + n;
      await does.presses(customer, /Envoyer de l'argent/);
      await does.says(customer, '0698765432');
      await does.says(customer, '200');
      if (n === 0) bytesAtPin = await bot.bytesOf(customer);
      // Typed in one message; on Wasl's keypad it would be four updates.
      await does.says(customer, '1234');
      if (!/en cours/.test(telegram.lastText(customer))) never();
    });
    const calls = telegram.calls() - callsBefore;
    return { sample: { ...sample, calls }, bytesAtPin, bytesAfter: await bot.bytesOf(first) };
  }
}

function figures({ taken, ...row }: Row, rows: readonly Row[]): Figures {
  const peer = rows.find(({ bot, by }) => bot.startsWith('@') && by === row.by);
  const us = taken.flatMap((sample) => sample.us).sort((a, b) => a - b);
  return {
    bot: row.bot,
    by: row.by,
    updatesPerSecond: Math.round(speed(taken)),
    ratioToConversations: Math.round((speed(taken) / speed(peer?.taken ?? [])) * 100) / 100,
    p50Us: Math.round(us[Math.floor(us.length * 0.5)] ?? 0),
    p99Us: Math.round(us[Math.floor(us.length * 0.99)] ?? 0),
    cpuUsPerUpdate: Math.round(median(taken.map(({ cpuUs, turns }) => cpuUs / turns))),
    callsPerUpdate: Math.round(median(taken.map(({ calls, turns }) => calls / turns)) * 100) / 100,
    bytesAtPin: row.bytesAtPin,
    bytesAfter: row.bytesAfter,
  };
}

function speed(taken: readonly Sample[]): number {
  return median(taken.map(({ turns, seconds }) => turns / seconds));
}

/** Serves a bot's webhook. `post` is node:http with kept connections: `fetch` costs more than some of the bots. */
async function served(app: Hono): Promise<{ post(update: Update): Promise<void>; close(): void }> {
  const agent = new Agent({ keepAlive: true });
  const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': SECRET };
  return new Promise((resolve) => {
    // Connections rest while the other bots have their turn.
    const serverOptions = { keepAliveTimeout: 600_000 };
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', serverOptions }, ({ port }) =>
      resolve({
        post: (update) =>
          new Promise((done, failed) => {
            const options = { host: '127.0.0.1', port, path: '/webhook', method: 'POST', agent, headers };
            const asked = request(options, (answer) => {
              answer.resume();
              answer.on('end', () =>
                answer.statusCode === 200
                  ? done()
                  : failed(new Error(`the webhook said ${answer.statusCode}`)),
              );
            });
            asked.on('error', failed);
            asked.end(JSON.stringify(update));
          }),
        close: () => {
          agent.destroy();
          server.close();
        },
      }),
    );
  });
}
