import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { ReferenceEntry } from '../../machines/kit/effects.ts';
import { type Address, type Incoming, inHand, type Reply } from '../../src/conversation/incoming.ts';
import type { Intent, IntentState } from '../../src/conversation/intents/intent.ts';
import { walletKey } from '../../src/conversation/session/wallet-doc.ts';
import { methodOf, PAYMENT_KINDS, type PaymentKind } from '../../src/payments/payments.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { API, type ApiName } from '../../src/wallet/contract/api.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import { numberOf } from '../kit/number.ts';
import { createWorld, PIN, STORES, type World } from '../kit/world.ts';
import { errandsIn, type Run } from './town/doers.ts';
import {
  CARD,
  confirmsAtBank,
  type Deed,
  deedOn,
  type Errand,
  type ReferenceKind,
  referenceErrand,
} from './town/kinds.ts';
import { createListener, type Listener } from './town/listener.ts';
import { faultsOf, judge, report } from './town/oracle.ts';

const LONG = process.env.LONG === '1';
const CONVERSATIONS = LONG ? 1_000 : 100;
/** Nobody needs more turns, however often they must try again. */
const TURNS_MAX = 80;
const DEADLINE_MS = 30_000;
/** Nobody tries again sooner after reading that the service does not answer. */
const TRIES_AGAIN_AFTER_MS = 1_000;
/** So many more ask for a reference. */
const REFERENCES = CONVERSATIONS / 10;
const REFERENCE_KINDS: readonly ReferenceKind[] = ['cash-in', 'cash-out', 'principal-float'];
/** More of them make transfers than anything else. */
const OTHERS = PAYMENT_KINDS.filter((kind) => kind !== 'transfer');
const kindOf = (i: number): PaymentKind =>
  i % 5 < 3 ? 'transfer' : (OTHERS[i % OTHERS.length] ?? 'transfer');
/** How many a machine may keep from paying that is so busy that the wallet's answers come too late. */
const CLOSED_SHARE_MAX = 0.1;
const LIES_SHOWN = 10;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Somebody and what they want, be it a payment or a reference. */
interface Wish extends Pick<Run, 'customer'> {
  readonly errand: Errand<string>;
}

let world: World | undefined;
afterEach(() => world?.close());

describe.each(STORES)('T7: load, on %s', (store) => {
  test(`${CONVERSATIONS} payments at once, through a slow wallet that turns 5 % away`, {
    timeout: 900_000,
  }, async () => {
    const here = await createWorld({ store, settings: { settleAfterMs: 200 }, form: true });
    world = here;
    const { begins, asks, executions } = errandsIn(here, (who, channel) =>
      here.customer({ ...who, ...(channel && { channel }) }),
    );
    const runs: Run[] = [];
    for (let i = 0; i < CONVERSATIONS; i++) runs.push(await begins(kindOf(i)));
    const wishes: Wish[] = [];
    for (let i = 0; i < REFERENCES; i++) {
      const kind = REFERENCE_KINDS[i % REFERENCE_KINDS.length] ?? 'cash-in';
      wishes.push({
        ...(await asks(kind)),
        errand: referenceErrand(kind, { way: i % 2 ? 'bill-network' : 'agents' }),
      });
    }
    for (const operation of Object.keys(API) as ApiName[]) {
      here.sandbox.faults.set({ name: 'tooManyRequests', operation, probability: 0.05 });
      here.sandbox.faults.set({ name: 'slowAnswer', operation, probability: 0.1, delayMs: 400 });
    }
    const startedAt = performance.now();
    const listener = createListener({ now: here.clock.now, executions });
    const [heard, asked] = await Promise.all([
      Promise.all(
        runs.map(async (run) => {
          const { link } = run.errand;
          return link === undefined
            ? pays(here, listener, run)
            : { keys: [] as string[], turns: await isPaid(here, link) };
        }),
      ),
      Promise.all(wishes.map((wish) => pays(here, listener, wish))),
    ]);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);

    here.sandbox.faults.clear();
    // What went to a bank is looked for during 14 days.
    for (const ms of [
      2_000,
      30_000,
      2 * MINUTE_MS,
      10 * MINUTE_MS,
      HOUR_MS,
      72 * HOUR_MS,
      14 * 24 * HOUR_MS,
    ]) {
      await here.passes(ms);
      // Everybody reads what they were told since.
      if (ms >= HOUR_MS)
        for (const [i, run] of runs.entries()) heard[i]?.keys.push(...(await looksIn(here, run)));
    }
    const references = await Promise.all(
      wishes.map((wish, i) => followedWrongly(here, wish, asked[i]?.keys ?? [])),
    );
    const wallets = runs.map(({ customer }) => customer.phone);
    const sandbox = { executions, checkLedger: () => here.sandbox.checkLedger() };
    const verdict = await judge({ sandbox, store: here.store, wallets });
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
    expect(references.flat()).toEqual([]);
    expect(here.errors).toEqual([]);
    const closed = heard.filter(isClosed).length;
    expect(closed).toBeLessThan(CONVERSATIONS * CLOSED_SHARE_MAX);
    const made = runs.flatMap(({ customer, errand }, i) =>
      verdict.intents
        .filter(({ wallet, order }) => wallet === customer.phone && order.kind === errand.kind)
        .map((intent) => ({ intent, keys: heard[i]?.keys ?? [] })),
    );
    // A card that was refused by a busy wallet is typed on the link's page once more.
    expect(made.filter(({ intent }) => !isTriedAgain(intent)).length).toBeGreaterThanOrEqual(
      CONVERSATIONS - closed,
    );
    expect(OTHERS.filter((kind) => !made.some(({ intent }) => intent.order.kind === kind))).toEqual([]);
    const untold = made.flatMap(({ intent: { wallet, state, order }, keys }) =>
      keys.some((key) =>
        methodOf(order).inBulk
          ? key === 'payouts.doneNow'
          : key.startsWith(`${order.kind}.`) && TOLD[state]?.test(key),
      )
        ? []
        : [`${wallet} (${order.kind}, ${state}) was told: ${keys.slice(-5)}`],
    );
    expect({ untold: untold.slice(0, LIES_SHOWN), lies: truth.lies.slice(0, LIES_SHOWN) }).toEqual({
      untold: [],
      lies: [],
    });
  });
});

/** What a customer must have read, by how it ended. */
const TOLD: Partial<Record<IntentState, RegExp>> = {
  succeeded: /\.(done\w*|reserved)$/,
  'not-found': /\.notFound$/,
  rejected: /\.refused(At)?$/,
  unsent: /\.notSent(At)?$/,
  human: /\.human$/,
};

/** One customer, who tries again whenever the wallet is slow, until a payment has been sent. */
async function pays(
  here: World,
  listener: Listener,
  { customer: { phone, address }, errand }: Wish,
): Promise<{ keys: string[]; turns: number }> {
  const keys: string[] = [];
  let reply: Reply | undefined;
  let dialog = randomUUID();
  for (let turns = 1; turns <= TURNS_MAX; turns++) {
    const deed = reply && !endsAt(reply) ? deedOn(errand, reply.screen) : undefined;
    // A menu that could not be read whole is hung up on.
    const isOver = !reply || endsAt(reply) || isMissing(deed, reply);
    if (isOver) dialog = randomUUID();
    const incoming: Incoming = {
      ...{ address, id: randomUUID() },
      ...(isPhone(address) && { dialog }),
      ...(reply && !isOver ? answerTo(deed, reply) : begun(address)),
    };
    const askedAt = listener.now();
    listener.asks(address);
    reply = await here.engine.receive(incoming, DEADLINE_MS);
    listener.hearsReply(incoming, reply, askedAt, phone);
    const { key, link } = reply.screen;
    keys.push(...reply.missed.map(({ screen }) => screen.key), key);
    if (link !== undefined) await confirmsAtBank(link);
    if (key === 'card-payment.linkSent')
      return { keys, turns: turns + (await isPaid(here, await linkSent(here, phone))) };
    // Too many lost answers to the PIN close the prompt for a while: nothing was sent, and the customer knows.
    const isSent = key.startsWith(`${errand.kind}.`) && SENT.test(key);
    if (isSent || GIVEN.has(key) || RELEASED.test(key) || isClosed({ keys })) return { keys, turns };
    // A list that could not be read is asked for from the same screen again.
    const isStuck = key === keys.at(-2) && reply.screen.notice !== undefined;
    if (key.endsWith('.unavailable') || isStuck) await sleep(TRIES_AGAIN_AFTER_MS);
    else if (isOver) await sleep(20);
  }
  throw new Error(`${phone} came no further than ${keys.slice(-5)}`);
}
/** A reference is there. */
const GIVEN: ReadonlySet<string> = new Set(['cash-in.shown', 'cash-out.shown', 'principal-float.given']);
/** A file is paid from here on, whoever looks. */
const RELEASED = /^payouts\.(released|shown-(running|done))$/;
const SENT = /\.(processing|accepted|atBank|notConfirmed|done\w*|failed|refused)$/;

/** Where a card is typed the dial has ended, and its page is open. */
function endsAt({ rests, screen: { key, expects } }: Reply): boolean {
  return expects !== 'card' && (rests || expects === 'nothing' || key === 'menu.unavailable');
}

function isMissing(deed: Deed | undefined, { screen }: Reply): boolean {
  return typeof deed === 'object' && numberOf(screen.choices, deed.choice) === '0';
}

/** What is done on a screen; where nothing is planned, its first choice. */
function answerTo(
  deed: Deed = '1',
  { screen, screenId }: Reply,
): Pick<Incoming, 'inputs' | 'answers' | 'card'> {
  if (deed === 'card') return { inputs: [{ type: 'carded' }], answers: screenId, card: inHand(CARD) };
  if (deed === 'pin') return { inputs: [{ type: 'said', text: PIN }] };
  const text = typeof deed === 'string' ? deed : numberOf(screen.choices, deed.choice);
  return { inputs: [{ type: 'said', text }] };
}

/** The link that a merchant was sent. */
async function linkSent(here: World, merchant: Msisdn): Promise<string> {
  await here.rests();
  return /\/pay\/(\S+)/.exec(here.sms(merchant).join(' '))?.[1] ?? '';
}

/** Somebody pays by a link; how often a card was typed. */
async function isPaid(here: World, link: string): Promise<number> {
  for (let times = 1; ; times++) {
    const paid = await here.engine.payCardLink(link, inHand(CARD));
    if (paid?.kind === 'bank') await confirmsAtBank(paid.link);
    if (paid?.kind !== 'refused') return times;
  }
}

/** A card for a link, which somebody has then typed once more. */
function isTriedAgain({ order, state }: Intent): boolean {
  return methodOf(order).waitsFor === 'other' && (state === 'rejected' || state === 'unsent');
}

function isPhone(address: Address): boolean {
  return address.startsWith('ussd:');
}

/** Too many answers to the PIN were lost: the prompt is closed for a while, and nothing was asked for. */
function isClosed({ keys }: { readonly keys: readonly string[] }): boolean {
  return keys.at(-1) === 'pin.refused';
}

/**
 * What is wrong with a wallet's references, which nobody has executed: each was asked for once, and followed until it had expired.
 * @param keys what its customer has read
 */
async function followedWrongly(
  { store, sandbox }: World,
  { customer: { phone }, errand }: Wish,
  keys: readonly string[],
): Promise<string[]> {
  if (errand.kind === 'principal-float') return [];
  const [doc] = await store.read(partitionOf(phone), [walletKey(phone)]);
  const { references = [] } = JSON.parse(doc?.value ?? '{}') as { references?: ReferenceEntry[] };
  const states = references.map(({ state }) => state);
  const made = sandbox.references(phone).length;
  const known = states.filter((state) => state !== 'lost').length;
  return [
    ...(made > states.length ? [`${phone} has ${made} references, and asked for ${states.length}`] : []),
    ...(known === (isClosed({ keys }) ? 0 : 1)
      ? []
      : [`${phone} was given ${known} references: ${keys.slice(-5)}`]),
    ...states
      .filter((state) => state === 'asked' || state === 'open')
      .map((state) => `${phone}: still ${state}`),
  ];
}

/** A new dial; in a chat the menu. */
function begun(address: Address): Pick<Incoming, 'inputs'> {
  return { inputs: isPhone(address) ? [] : [{ type: 'went', to: 'menu' }] };
}

/** Keys of everything that a dial shows, and of what a chat was sent. */
async function looksIn(here: World, { customer: { address } }: Run): Promise<string[]> {
  const dial = isPhone(address) && { dialog: randomUUID() };
  const incoming = { address, id: randomUUID(), ...dial, ...begun(address) };
  const sent = isPhone(address) ? [] : await here.engine.waiting(address);
  const { screen, missed } = await here.engine.receive(incoming, DEADLINE_MS);
  return [
    ...sent.map((each) => each.screen.key),
    ...missed.map((each) => each.screen.key),
    ...(screen.first ?? []).map(({ key }) => key),
    screen.key,
  ];
}
