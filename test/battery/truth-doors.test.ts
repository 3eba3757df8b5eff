import { afterEach, describe, expect, test } from 'vitest';
import type { Claim } from '../../machines/kit/claims.ts';
import type { Choice } from '../../machines/kit/screen.ts';
import type { SentenceKey } from '../../machines/kit/sentence-key.ts';
import { CHANNEL_NAMES } from '../../src/conversation/channel.ts';
import type { Reply } from '../../src/conversation/incoming.ts';
import { API, type ApiName } from '../../src/wallet/contract/api.ts';
import { theDeadline } from '../kit/deadline.ts';
import { forgetsSinceLogin } from '../kit/forgetter.ts';
import { type Customer, loses, MINUTE_MS, PIN, SECOND_MS } from '../kit/world.ts';
import type { Heard } from './town/listener.ts';
import { report } from './town/oracle.ts';
import { comesBack, createDoors, type Doors, fillsTransfer, sendsMoney } from './truth-doors.ts';

/** Shorter than a chat's own deadline: what is not answered by then is answered from memory. */
const PATIENCE_MS = 2_000;

let doors: Doors;
afterEach(() => doors?.close());
const deadline = theDeadline();

/** Every call of the wallet's is answered 500 from now on. */
function walletIsDown({ world }: Doors): void {
  for (const operation of Object.keys(API) as ApiName[])
    world.sandbox.faults.set({ name: 'serverErrorBefore', operation });
}

async function expectTruth(scene: string): Promise<Heard['claims']> {
  const { texts, claims, lies } = await doors.heard();
  report(`T10 ${scene}`, { texts, ...claims, false: lies.length });
  expect(lies).toEqual([]);
  return claims;
}

/** What happens to a customer, and the claims that they must read of it. */
interface Scene {
  readonly happens: (customer: Customer, world: Doors['world']) => Promise<void>;
  readonly claims?: readonly Claim[];
}

const SCENES: Readonly<Record<string, Scene>> = {
  'a payment that goes well, and the menu after it': {
    claims: ['open', 'moved'],
    async happens(customer, world) {
      await sendsMoney(customer.isAtMenu());
      await world.passes(2 * SECOND_MS);
      await comesBack(customer);
      await world.passes(MINUTE_MS);
      await comesBack(customer);
    },
  },
  'a refusal': {
    claims: ['notMoved'],
    async happens(customer, world) {
      await fillsTransfer(customer.isAtMenu()).meanwhile(() => {
        world.wallet.next('transfer', { kind: 'refused', code: '90014', description: '' });
      });
      await customer.enters();
      await comesBack(customer);
    },
  },
  'the wallet is down right after a payment whose answer was lost': {
    async happens(customer, world) {
      world.wallet.next('transfer', loses);
      await sendsMoney(customer.isAtMenu());
      walletIsDown(doors);
      await comesBack(customer);
      await world.passes(5 * MINUTE_MS);
      await comesBack(customer);
      await comesBack(customer);
    },
  },
  'a payment that is not confirmed is not made a second time': {
    async happens(customer, world) {
      world.sandbox.faults.set({ name: 'staysOpen', operation: 'executeTransfer' });
      await sendsMoney(customer.isAtMenu());
      await world.passes(3 * MINUTE_MS);
      await wantsToPay(comesBack(customer)).sees('transfer.confirmUnconfirmed').chooses('cancel');
      await comesBack(customer);
    },
  },
  'a customer whom an open payment holds back gives the second one up': {
    async happens(customer, world) {
      world.sandbox.faults.set({ name: 'staysOpen', operation: 'executeTransfer' });
      await sendsMoney(customer.isAtMenu());
      await wantsToPay(comesBack(customer)).sees('pay.busy').chooses('menu').sees('menu.choose');
      await comesBack(customer);
    },
  },
  'the store goes back to before the payment, and the login’s lease ends': {
    async happens(customer, world) {
      await fillsTransfer(customer.isAtMenu());
      forgetsSinceLogin(world, customer);
      await customer.enters(PIN);
      await world.passes(MINUTE_MS);
      await comesBack(customer);
    },
  },
  'support freezes and thaws the wallet of a customer who is away': {
    async happens(customer, world) {
      await customer.isAtMenu();
      await doors.supportFreezes(customer);
      await comesBack(customer).says('envoyer').sees('freeze.stopped').goes('help');
      await doors.supportThaws(customer);
      await comesBack(customer);
      await comesBack(customer);
      await doors.supportFreezes(customer);
      await world.passes(SECOND_MS);
      await doors.supportThaws(customer);
      await comesBack(customer);
      await comesBack(customer);
    },
  },
  'the store is gone right after a payment': { happens: losesTheStore },
};

/** From the menu to the amount. */
function wantsToPay(customer: Customer): Customer {
  return customer.goes('menu').sees('menu.choose').chooses('transfer').says('0655555555').says('100');
}

async function losesTheStore(customer: Customer, world: Doors['world']): Promise<void> {
  const gone = Promise.withResolvers<void>();
  // Only for this turn. An earlier turn that takes longer would never come to the payment.
  await fillsTransfer(customer.isAtMenu()).hasPatience(PATIENCE_MS);
  world.wallet.next('transfer', async (ask) => {
    const answer = await ask();
    await world.store.close();
    gone.resolve();
    return answer;
  });
  const settled = (done: PromiseLike<void>) =>
    done.then(
      () => {},
      () => {},
    );
  const turn = settled(customer.enters());
  await gone.promise;
  // A bot brings an update until it is taken. A gateway shows what it gets.
  if (!/^(telegram|whatsapp):/.test(customer.address)) {
    await turn;
    await settled(comesBack(customer));
  }
  await world.crashes();
  await turn;
  await settled(comesBack(customer));
}

describe.each(CHANNEL_NAMES)('T10: every text that leaves, on %s', (channel) => {
  test.each(Object.entries(SCENES))('%s', async (scene, { happens, claims = [] }) => {
    doors = await createDoors({
      ...(channel === 'telegram' && { bot: 'webhook' }),
      ...(channel === 'whatsapp' && { whatsapp: true, form: true }),
    });
    await happens(doors.customer(channel), doors.world);
    const heard = await expectTruth(`${channel}, ${scene}`);
    for (const claim of claims) expect(heard[claim], claim).toBeGreaterThan(0);
  });
});

test('T10: a slow login ends a USSD session, and the money leaves behind it', async () => {
  doors = await createDoors();
  const customer = doors.customer('ussd');
  const login = doors.world.wallet.holds('login');
  await fillsTransfer(customer.isAtMenu()).hasPatience(deadline.ms);
  const turn = Promise.resolve(customer.enters().hasPatience(Number.POSITIVE_INFINITY));
  await login.reached;
  deadline.strikes();
  await turn;
  login.go();
  await doors.world.rests();
  await customer.dials();
  expect(doors.world.sandbox.executions()).toHaveLength(1);
  await expectTruth('ussd, slow login');
});

test('T10: money comes in while one’s own payment is open', async () => {
  doors = await createDoors();
  const { world } = doors;
  const [customer, friend] = [doors.customer('ussd'), doors.customer('ussd')];
  world.sandbox.faults.set({
    name: 'staysOpen',
    operation: 'executeTransfer',
    count: 1,
    delayMs: 10 * MINUTE_MS,
  });
  await sendsMoney(customer.isAtMenu());
  await friend.isAtMenu();
  for (const amount of ['10', '20', '30']) {
    await sendsMoney(friend.dials(), amount, customer.phone);
    await world.passes(2_000);
  }
  await customer.after(MINUTE_MS).dials();
  await world.passes(10 * MINUTE_MS);
  await customer.dials().says('98').dials();
  const { received } = await expectTruth('ussd, money comes in');
  expect(received).toBeGreaterThan(0);
});

/** Rules taken away between the engine and the doors: an oracle that does not notice would be worth nothing. */
const BREAKS: Readonly<
  Record<string, { readonly broken: (reply: Reply) => Reply; readonly noticed: RegExp }>
> = {
  'a contact begins as if nothing was open': {
    broken(reply) {
      const { key, expects, choices = [] } = reply.screen;
      return /^menu\./.test(key) ? { ...reply, missed: [], screen: { key, expects, choices } } : reply;
    },
    noticed: /starts a contact and does not name/,
  },
  'an unconfirmed payment is called refused': {
    broken: (reply) => renamed(reply, /\.(processing|notConfirmed)$/, 'transfer.refused'),
    noticed: /transfer\.refused is false: operation 1 took/,
  },
  'an unconfirmed payment is called done': {
    broken: (reply) => renamed(reply, /\.(processing|notConfirmed)$/, 'transfer.done'),
    noticed: /transfer\.done is false: no such operation is completed/,
  },
  'a payment that was never made is called under way': {
    broken: (reply) => renamed(reply, /\.askPin(OpenLoop)?$/, 'transfer.notConfirmed'),
    noticed: /transfer\.notConfirmed is false: no such payment was ever made/,
  },
  'the customer is invited to try again': {
    broken(reply) {
      const { screen, ...rest } = renamed(reply, /\.(processing|notConfirmed)$/, 'nav.stale');
      const again: Choice = { id: 'again', key: 'pay.again' };
      const choices = screen.key === 'nav.stale' ? [again] : screen.choices;
      return { ...rest, screen: { ...screen, ...(choices && { choices }) } };
    },
    noticed: /pay\.again invites to pay again/,
  },
};

test.each(Object.entries(BREAKS))('T10 notices that %s', async (_, { broken, noticed }) => {
  const harm = { isDone: false };
  doors = await createDoors({ broken: (reply) => (harm.isDone ? broken(reply) : reply) });
  const { world } = doors;
  world.sandbox.faults.set({ name: 'staysOpen', operation: 'executeTransfer' });
  const customer = doors.customer('ussd');
  await customer.isAtMenu();
  await fillsTransfer(customer.dials().chooses('transfer').goes('menu')).meanwhile(() => {
    harm.isDone = true;
  });
  await customer.goes('back').says('100').enters();
  await customer.dials();
  const { lies } = await doors.heard();
  expect(lies.join('\n')).toMatch(noticed);
});

/** A screen under another key, if its own is one of these, with the values that the other key needs. */
function renamed(reply: Reply, keys: RegExp, key: SentenceKey): Reply {
  const { screen } = reply;
  if (!keys.test(screen.key)) return reply;
  const values = { reference: { code: '' }, ...screen.values };
  return { ...reply, screen: { key, values, expects: screen.expects } };
}
