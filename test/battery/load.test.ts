import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch as opened, type RequestInit } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import type { ReferenceEntry } from '../../machines/kit/effects.ts';
import { inHand, type Reply } from '../../src/conversation/incoming.ts';
import type { Intent } from '../../src/conversation/intents/intent.ts';
import { walletKey } from '../../src/conversation/session/wallet-doc.ts';
import { methodOf, PAYMENT_KINDS, type PaymentKind } from '../../src/payments/payments.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { StoreDown } from '../../src/store/store.ts';
import { API, type ApiName } from '../../src/wallet/contract/api.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import { createWorld, DAY_MS, HOUR_MS, MINUTE_MS, STORES, type World } from '../kit/world.ts';
import { errandsIn, type Run } from './town/doers.ts';
import { unheard } from './town/heard.ts';
import { CARD, confirmsAtBank, type Errand, type ReferenceKind, referenceErrand } from './town/kinds.ts';
import { createListener, type Listener, toldIn } from './town/listener.ts';
import { faultsOf, judge, report, storiesOf, type Verdict } from './town/oracle.ts';
import { type Carded, Payer } from './town/payer.ts';

const LONG = process.env.LONG === '1';
const CONVERSATIONS = Number(process.env.CONVERSATIONS ?? (LONG ? 1_000 : 100));
/** Nobody needs more tries. */
const TRIES_MAX = 40;
const DEADLINE_MS = 30_000;
/** A customer who reads that the service does not answer waits so long. */
const TRIES_AGAIN_AFTER_MS = 1_000;
/** And so many times as long when it never does. */
const PATIENCE_MAX = 10;
/** So many more ask for a reference. */
const REFERENCES = CONVERSATIONS / 10;
const REFERENCE_KINDS: readonly ReferenceKind[] = ['cash-in', 'cash-out', 'principal-float'];
/** More of them make transfers than anything else. */
const OTHERS = PAYMENT_KINDS.filter((kind) => kind !== 'transfer');
const kindOf = (i: number): PaymentKind =>
  i % 5 < 3 ? 'transfer' : (OTHERS[i % OTHERS.length] ?? 'transfer');
/** A busy machine makes the wallet's answers too late, and may keep this share of customers from paying. */
const CLOSED_SHARE_MAX = 0.1;
const LINES_SHOWN = 10;
/** Past the horizon. Wasl looks for bank transfers for 14 days. */
const LATER_MS = [2_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 3 * DAY_MS, 14 * DAY_MS] as const;

/** The bank's page of a busy machine opens late. */
const patience = new Agent({ connect: { timeout: 10 * MINUTE_MS } });
const patiently = ((link: string, init: RequestInit) =>
  opened(link, { ...init, dispatcher: patience })) as unknown as typeof fetch;

/** A customer and an errand: a payment or a reference. */
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
    const listener = createListener({ now: here.clock.now, executions });
    const payers: Payer[] = [];
    for (let i = 0; i < CONVERSATIONS; i++) payers.push(payerIn(here, listener, await begins(kindOf(i))));
    const askers: Payer[] = [];
    for (let i = 0; i < REFERENCES; i++) {
      const kind = REFERENCE_KINDS[i % REFERENCE_KINDS.length] ?? 'cash-in';
      const errand = referenceErrand(kind, { way: i % 2 ? 'bill-network' : 'agents' });
      askers.push(payerIn(here, listener, { ...(await asks(kind)), errand }));
    }
    for (const operation of Object.keys(API) as ApiName[]) {
      here.sandbox.faults.set({ name: 'tooManyRequests', operation, probability: 0.05 });
      here.sandbox.faults.set({ name: 'slowAnswer', operation, probability: 0.1, delayMs: 400 });
    }
    const startedAt = performance.now();
    await Promise.all([...payers, ...askers].map((payer) => pays(here, payer)));
    const seconds = Math.round((performance.now() - startedAt) / 1_000);

    here.sandbox.faults.clear();
    for (const ms of LATER_MS) {
      await orNobodyAnswers(here.passes(ms));
      await untilAnswered(here.rests);
      if (ms >= HOUR_MS) for (const payer of payers) await orNobodyAnswers(payer.looksIn());
    }
    const followed = askers.map((asker) => untilAnswered(() => followedWrongly(here, asker)));
    const references = (await Promise.all(followed)).flat();
    const wallets = payers.map(({ phone }) => phone);
    const sandbox = { executions, checkLedger: () => here.sandbox.checkLedger() };
    const verdict = await untilAnswered(() => judge({ sandbox, store: here.store, wallets }));
    const { texts, lies } = listener.verdict(verdict.intents);
    const untold = await Promise.all(
      payers.map((payer) => untilAnswered(() => unheardBy(here, listener, payer, verdict))),
    );
    const { intents, states, executions: made, doublePayments, lostOutcomes } = verdict;
    report(`T7 load on ${store}`, {
      ...{ conversations: CONVERSATIONS, intents: intents.length, ...states, executions: made.length },
      ...{ 'double payments': doublePayments, 'lost outcomes': lostOutcomes.length },
      ...{ texts, false: lies.length, seconds },
    });
    // The assertion names a payment, and everything else is gone by then.
    if (faultsOf(verdict).length > 0) console.error(storiesOf(verdict).join('\n'));
    expect(faultsOf(verdict)).toEqual([]);
    expect(references).toEqual([]);
    // Work that a busy store did not take is done later, and what is lost of it is found above.
    expect(here.errors.filter((error) => !(error instanceof StoreDown))).toEqual([]);
    const closed = payers.filter(isClosed).length;
    expect(closed).toBeLessThan(CONVERSATIONS * CLOSED_SHARE_MAX);
    const paid = payers.flatMap(({ phone, errand }) =>
      intents.filter(({ wallet, order }) => wallet === phone && order.kind === errand.kind),
    );
    expect(paid.filter((intent) => !isTriedAgain(intent)).length).toBeGreaterThanOrEqual(
      CONVERSATIONS - closed,
    );
    const unpaid = OTHERS.filter((kind) => !paid.some(({ order }) => order.kind === kind));
    showsWhy(payers, unpaid);
    expect(unpaid).toEqual([]);
    expect({ untold: untold.flat().slice(0, LINES_SHOWN), lies: lies.slice(0, LINES_SHOWN) }).toEqual({
      ...{ untold: [], lies: [] },
    });
  });
});

function payerIn(here: World, listener: Listener, { customer: { phone, address }, errand }: Wish): Payer {
  const manners = { repeats: false, insists: false };
  let times = 0;
  // The less the service responds, the longer the customer waits.
  const pauses = () => sleep(TRIES_AGAIN_AFTER_MS * Math.min(++times, PATIENCE_MAX));
  const bank = (link: string) => confirmsAtBank(link, patiently);
  return new Payer({ phone, address, errand, ...manners }, { listener, bank, receive, pauses });

  function receive({ typedCard, ...incoming }: Carded): Promise<Reply> {
    const card = typedCard && { card: inHand(typedCard) };
    return here.engine.receive({ ...incoming, ...card }, DEADLINE_MS);
  }
}

/** A customer tries again whenever the wallet is slow, until a payment has been sent. */
async function pays(here: World, payer: Payer): Promise<void> {
  const { phone, errand } = payer;
  if (errand.link !== undefined) return isPaid(here, errand.link);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    await orNobodyAnswers(payer.pays());
    if (payer.seen.at(-1) === 'card-payment.linkSent') await isPaid(here, await linkSent(here, phone));
    if (payer.content || isClosed(payer)) return;
    await sleep(TRIES_AGAIN_AFTER_MS);
    payer.hangsUp();
  }
  throw new Error(`${phone} came no further than ${payer.seen.slice(-5)}`);
}

/** Prints how far those came of whose kind nothing was paid: everything else is gone by then. */
function showsWhy(payers: readonly Payer[], unpaid: readonly string[]): void {
  for (const { phone, errand, seen } of payers)
    if (unpaid.includes(errand.kind)) console.error(phone, errand.kind, seen.slice(-LINES_SHOWN).join(' '));
}

/** A busy machine has no time for the store: a channel says so then, and its customer tries again. */
async function orNobodyAnswers<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof StoreDown) return undefined;
    throw error;
  }
}

/** Does something as often as the store has no time for it. */
async function untilAnswered<T>(work: () => Promise<T>): Promise<T> {
  const done = await orNobodyAnswers(work().then((value) => ({ value })));
  if (done) return done.value;
  await sleep(TRIES_AGAIN_AFTER_MS);
  return untilAnswered(work);
}

/** Payments whose end was never told: on a screen, or in a message that waits in the chat. */
async function unheardBy(here: World, listener: Listener, payer: Payer, verdict: Verdict): Promise<string[]> {
  const { phone } = payer;
  const told = await toldIn(listener, here.engine, payer);
  const own = verdict.intents.filter(({ wallet }) => wallet === phone);
  const isFile = own.some(({ order }) => methodOf(order).inBulk);
  const isFileTold = told.some(({ sentence }) => sentence.key === 'payouts.doneNow');
  return [...unheard(told, own), ...(isFile && !isFileTold ? [`${phone}: payouts.doneNow`] : [])];
}

/** The link that a merchant has got by SMS. */
async function linkSent(here: World, merchant: Msisdn): Promise<string> {
  await untilAnswered(here.rests);
  return /\/pay\/(\S+)/.exec(here.sms(merchant).join(' '))?.[1] ?? '';
}

/** Somebody pays by a link, and tries again after a refusal. */
async function isPaid(here: World, link: string): Promise<void> {
  const paid = await orNobodyAnswers(here.engine.payCardLink(link, inHand(CARD)));
  if (paid?.kind === 'bank') await confirmsAtBank(paid.link, patiently);
  if (paid?.kind === 'refused') await isPaid(here, link);
}

/** A busy wallet has refused the card, and somebody has typed it once more on the link's page. */
function isTriedAgain({ order, state }: Intent): boolean {
  return methodOf(order).waitsFor === 'other' && (state === 'rejected' || state === 'unsent');
}

/** Too many answers to the PIN were lost. The prompt is closed for a while, and nothing was asked for. */
function isClosed({ seen }: Pick<Payer, 'seen'>): boolean {
  return seen.at(-1) === 'pin.refused';
}

/** Faults of a wallet's references, which nobody has executed. Each was asked for once, and followed until it had expired. */
async function followedWrongly({ store, sandbox }: World, payer: Payer): Promise<string[]> {
  const { phone, errand, seen } = payer;
  if (errand.kind === 'principal-float') return [];
  const [doc] = await store.read(partitionOf(phone), [walletKey(phone)]);
  const { references = [] } = JSON.parse(doc?.value ?? '{}') as { references?: ReferenceEntry[] };
  const states = references.map(({ state }) => state);
  const made = sandbox.references(phone).length;
  const known = states.filter((state) => state !== 'lost').length;
  return [
    ...(made > states.length ? [`${phone} has ${made} references, and asked for ${states.length}`] : []),
    ...(known === (isClosed(payer) ? 0 : 1)
      ? []
      : [`${phone} was given ${known} references: ${seen.slice(-5)}`]),
    ...states
      .filter((state) => state === 'asked' || state === 'open')
      .map((state) => `${phone}: still ${state}`),
  ];
}
