import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { Screen } from '../../machines/kit/screen.ts';
import type { Incoming, Input, Reply } from '../../src/conversation/incoming.ts';
import type { IntentState } from '../../src/conversation/intents/intent.ts';
import { ribWith } from '../../src/sandbox/transfers/rib.ts';
import type { ApiName } from '../../src/wallet/contract/api.ts';
import type { Customer } from '../kit/customer.ts';
import { numberOf } from '../kit/number.ts';
import { createWorld, PIN, STORES, type World } from '../kit/world.ts';
import { faultsOf, judge, report } from './oracle.ts';
import { createListener, type Listener } from './truth-listener.ts';

const LONG = process.env.LONG === '1';
const CONVERSATIONS = LONG ? 1_000 : 100;
/** Nobody needs more turns, however often they must try again. */
const TURNS_MAX = 80;
const DEADLINE_MS = 30_000;
/** Nobody tries again sooner after reading that the service does not answer. */
const TRIES_AGAIN_AFTER_MS = 1_000;
const RECIPIENT = '0655555555';
/** Everything that a payment asks of the wallet. */
const ASKED: readonly ApiName[] = [
  'customerStatus',
  'loginCustomer',
  'previewTransfer',
  'executeTransfer',
  'previewBankTransfer',
  'executeBankTransfer',
  'listOperations',
  'readOperation',
];
const LIES_SHOWN = 10;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let world: World | undefined;
afterEach(() => world?.close());

describe.each(STORES)('T7: load, on %s', (store) => {
  test(`${CONVERSATIONS} payments at once, through a slow wallet that turns 5 % away`, {
    timeout: 900_000,
  }, async () => {
    const here = await createWorld({ store, settings: { settleAfterMs: 200 } });
    world = here;
    const customers = Array.from({ length: CONVERSATIONS }, () => here.customer({ balance: '900' }));
    for (const operation of ASKED) {
      here.sandbox.faults.set({ name: 'tooManyRequests', operation, probability: 0.05 });
      here.sandbox.faults.set({ name: 'slowAnswer', operation, probability: 0.1, delayMs: 400 });
    }
    const startedAt = performance.now();
    const listener = createListener({ now: here.clock.now, executions: () => here.sandbox.executions() });
    const heard = await Promise.all(customers.map((customer, i) => pays(here, listener, customer, i)));
    const seconds = Math.round((performance.now() - startedAt) / 1_000);

    here.sandbox.faults.clear();
    // What went to a bank is looked for during 14 days.
    for (const ms of [2_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 72 * HOUR_MS, 14 * 24 * HOUR_MS])
      await here.passes(ms);
    const wallets = customers.map(({ phone }) => phone);
    const verdict = await judge({ sandbox: here.sandbox, store: here.store, wallets });
    const truth = listener.verdict(verdict.intents);
    report(`T7 load on ${store}`, {
      conversations: CONVERSATIONS,
      intents: verdict.intents.length,
      ...verdict.states,
      executions: verdict.executions.length,
      'double payments': verdict.doublePayments,
      'lost outcomes': verdict.lostOutcomes.length,
      turns: heard.reduce((sum, { turns }) => sum + turns, 0),
      texts: truth.texts,
      false: truth.lies.length,
      seconds,
    });
    expect(faultsOf(verdict)).toEqual([]);
    expect(here.errors).toEqual([]);
    const closed = heard.filter(({ keys }) => keys.at(-1) === 'pin.refused').length;
    expect(closed).toBeLessThan(CONVERSATIONS / 50);
    expect(verdict.intents).toHaveLength(CONVERSATIONS - closed);
    const untold = verdict.intents.flatMap(({ wallet, state }) => {
      const i = wallets.indexOf(wallet);
      const told = [...(heard[i]?.keys ?? []), ...here.sms(wallet)].join('\n');
      return TOLD[state]?.test(told) ? [] : [`${wallet} (${state}) was told: ${heard[i]?.keys.slice(-3)}`];
    });
    expect({ untold: untold.slice(0, LIES_SHOWN), lies: truth.lies.slice(0, LIES_SHOWN) }).toEqual({
      untold: [],
      lies: [],
    });
  });
});

/** What a customer must have read, by how it ended: the key of a screen, or the words of an SMS. */
const TOLD: Partial<Record<IntentState, RegExp>> = {
  succeeded: /transfer\.done|envoi .* effectué|virement .* arrivé/i,
  'not-found': /transfer\.notFound|aucune trace/,
  rejected: /transfer\.refused|est refusé/,
  unsent: /transfer\.refused|est refusé/,
};

/** One customer, who tries again whenever the wallet is slow, until a payment has been sent. */
async function pays(
  here: World,
  listener: Listener,
  { phone, address }: Customer,
  i: number,
): Promise<{ keys: string[]; turns: number }> {
  const keys: string[] = [];
  let reply: Reply | undefined;
  let dialog = randomUUID();
  for (let turns = 1; turns <= TURNS_MAX; turns++) {
    const isOver =
      !reply || reply.rests || reply.screen.expects === 'nothing' || reply.screen.key === 'menu.unavailable';
    if (isOver) dialog = randomUUID();
    const inputs: Input[] = isOver || !reply ? [] : [{ type: 'said', text: answerTo(reply.screen, i) }];
    const incoming: Incoming = { address, id: randomUUID(), dialog, inputs };
    const askedAt = listener.now();
    reply = await here.engine.receive(incoming, DEADLINE_MS);
    listener.hearsReply(incoming, reply, askedAt, phone);
    keys.push(reply.screen.key, ...reply.missed.map(({ screen }) => screen.key));
    // Too many lost answers to the PIN close the prompt for a while: nothing was sent, and the customer knows.
    if (SENT.test(reply.screen.key) || reply.screen.key === 'pin.refused') return { keys, turns };
    if (reply.screen.key.endsWith('.unavailable')) await sleep(TRIES_AGAIN_AFTER_MS);
    else if (isOver) await sleep(20);
  }
  throw new Error(`${phone} came no further than ${keys.slice(-5)}`);
}
const SENT = /^(?:bank-)?transfer\.(processing|accepted|notConfirmed|done|failed|refused)$/;

function answerTo({ key, expects, choices = [] }: Screen, i: number): string {
  const choose = (id: string) => numberOf(choices, id);
  if (expects === 'pin') return PIN;
  // Every fifth of them pays an account of a bank.
  if (expects === 'account') return i % 5 === 0 ? ribWith('007780', i) : RECIPIENT;
  if (expects === 'name') return 'Karim';
  if (expects === 'amount') return String(100 + (i % 50));
  if (key === 'menu.choose') return choose('transfer');
  if (key === 'pay.unavailable') return choose('again');
  return '1';
}
