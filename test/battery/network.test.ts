import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Intent } from '../../src/conversation/intents/intent.ts';
import type { Store } from '../../src/store/store.ts';
import { API, type ApiName } from '../../src/wallet/contract/api.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';
import {
  type FragileRedis,
  type FragileStore,
  fragileRedis,
  fragileSqlite,
  replicaOf,
} from '../kit/store-faults.ts';
import { type Customer, HOUR_MS, LOST, loses, MINUTE_MS, SECOND_MS, STORES } from '../kit/world.ts';
import { banks } from '../machines/bank-orders.ts';
import { faultsOf, intentsOf, judge, report } from './town/oracle.ts';
import { createDoors, type Doors, fillsTransfer, sendsMoney } from './truth-doors.ts';

const LONG = process.env.LONG === '1';
/** Past the slot, the schedule of the first hour, and the horizon of reconciliation. */
const LATER_MS = [2 * SECOND_MS, 3 * MINUTE_MS, HOUR_MS, 73 * HOUR_MS] as const;
/** A stalled store stays so for this time, in real time. */
const STALLS_MS = LONG ? [2_000, 4_500, 10_000, 30_000] : [4_500];
/** The wallet is down for this time after a payment, on the clock of the test. */
const OUTAGES_MS = LONG ? [MINUTE_MS, 10 * MINUTE_MS, 2 * HOUR_MS, 26 * HOUR_MS] : [2 * HOUR_MS];
/** A door waits so long for a payment that is being sent, in real time. A full store never answers. */
const SENDING_MS = 500;
const LOGINS = 5;

let doors: Doors;
const figures: Record<string, number> = {
  scenes: 0,
  payments: 0,
  'double payments': 0,
  lost: 0,
  texts: 0,
  false: 0,
};
afterAll(() => report('T11', figures));

/** After every scene no text was false, nothing was paid twice, and nothing is lost. */
async function expectPromise(
  customers: readonly Customer[],
  wait: readonly number[] = LATER_MS,
): Promise<void> {
  const { world } = doors;
  for (const ms of wait) await world.passes(ms);
  for (const customer of customers) await customer.dials();
  const wallets = customers.map(({ phone }) => phone);
  const verdict = await judge({ sandbox: world.sandbox, store: world.store, wallets });
  const { texts, lies } = await doors.heard();
  figures.scenes = (figures.scenes ?? 0) + 1;
  figures.payments = (figures.payments ?? 0) + verdict.executions.length;
  figures['double payments'] = (figures['double payments'] ?? 0) + verdict.doublePayments;
  figures.lost = (figures.lost ?? 0) + verdict.lostOutcomes.length + verdict.forgotten.length;
  figures.texts = (figures.texts ?? 0) + texts;
  figures.false = (figures.false ?? 0) + lies.length;
  expect.soft(lies).toEqual([]);
  expect.soft(faultsOf(verdict)).toEqual([]);
}

async function intentOf(customer: Customer): Promise<Intent> {
  const [intent, ...more] = await intentsOf(doors.world.store, customer.phone);
  expect(more).toEqual([]);
  if (!intent) throw new Error('nothing was paid');
  return intent;
}

/** From the menu to the PIN of a voucher for oneself. */
const fillsVoucher = (customer: Customer): Customer =>
  customer
    .sees('menu.choose')
    .chooses('shopping')
    .chooses('voucher')
    .chooses('1')
    .chooses('article0')
    .sees('voucher.askPin');

/** The SMS that carry a voucher's code. */
function codesOf({ phone }: Customer): string[] {
  return doors.world.sms(phone).filter((text) => text.includes('Vous le retrouvez'));
}

/** Something happens when the wallet has made a payment and its answer is on its way. */
function afterExecution(
  name: keyof Wallet & ('transfer' | 'buyVoucher'),
  happens: () => Promise<void>,
): void {
  doors.world.wallet.next(name, (async (ask: () => Promise<unknown>) => {
    const answer = await ask();
    await happens();
    return answer;
  }) as never);
}

function setDown(isDown: boolean): void {
  const { faults } = doors.world.sandbox;
  faults.clear();
  if (!isDown) return;
  for (const operation of Object.keys(API) as ApiName[]) faults.set({ name: 'serverErrorBefore', operation });
}

describe('T11: an execution is delivered twice', () => {
  afterEach(() => doors.close());

  const ANSWERS: Readonly<
    Record<
      string,
      {
        readonly isLost?: true;
        readonly toBank?: true;
        readonly webhooks?: 'never' | 'the first is late';
      }
    >
  > = {
    'the answer comes': {},
    'the answer comes, and the second webhook before the first': { webhooks: 'the first is late' },
    'the answer comes, and no webhook': { webhooks: 'never' },
    'the answer is lost': { isLost: true },
    'to a bank, and the answer is lost': { isLost: true, toBank: true },
    'the answer is lost, and no webhook comes': { isLost: true, webhooks: 'never' },
  };

  test.each(Object.entries(ANSWERS))('%s', async (_, { isLost, toBank, webhooks }) => {
    const call = toBank ? 'bankTransfer' : 'transfer';
    doors = await createDoors();
    const { world } = doors;
    const { faults } = world.sandbox;
    if (webhooks === 'never') faults.set({ name: 'webhookNever' });
    if (webhooks === 'the first is late') faults.set({ name: 'webhookLate', count: 1, delayMs: MINUTE_MS });
    const customer = doors.customer('ussd');
    world.wallet.next(call, async (ask) => {
      const answer = await ask();
      await ask();
      return isLost ? LOST : answer;
    });
    await (toBank ? customer.isAtMenu().walks(banks()).enters() : sendsMoney(customer.isAtMenu()));
    for (const ms of LATER_MS) {
      await customer.after(ms).dials();
    }
    // The network has doubled it, not Wasl: one call, one intent, two operations of one request.
    expect(world.wallet.calls(customer.phone, call)).toHaveLength(1);
    const requests = world.sandbox.executions().map(({ requestId }) => requestId);
    const intent = await intentOf(customer);
    expect(requests).toEqual([intent.id, intent.id]);
    expect.soft(intent.state, JSON.stringify(intent.audit)).toBe('human');
    const { texts, lies } = await doors.heard();
    figures.scenes = (figures.scenes ?? 0) + 1;
    figures.texts = (figures.texts ?? 0) + texts;
    figures.false = (figures.false ?? 0) + lies.length;
    expect.soft(lies).toEqual([]);
  });
});

describe.each(STORES)('T11: the wallet is down right after a payment, on %s', (store) => {
  afterEach(() => doors.close());

  test.each(OUTAGES_MS)('for %i ms, and its answer was lost', async (outageMs) => {
    doors = await createDoors({ store });
    const { world } = doors;
    world.sandbox.faults.set({ name: 'webhookNever' });
    const customer = doors.customer('ussd');
    world.wallet.next('transfer', loses);
    await sendsMoney(customer.isAtMenu());
    setDown(true);
    for (let i = 0; i < 6; i++) {
      await customer.after(outageMs / 6).dials();
    }
    setDown(false);
    world.sandbox.faults.set({ name: 'webhookNever' });
    // The customer's own dial is the first sign of life: what waited is looked at soon after it.
    await customer.dials();
    await world.passes(MINUTE_MS);
    const { state, audit } = await intentOf(customer);
    expect.soft(state, JSON.stringify(audit)).toBe('succeeded');
    await expectPromise([customer]);
  });
});

describe('T11: the store stalls between send and answer', () => {
  let redis: FragileRedis;
  beforeEach(async () => {
    redis = await fragileRedis();
  });
  afterEach(async () => {
    await doors.close();
    await redis.close();
  });

  test.each(STALLS_MS)('for %i ms', async (stallMs) => {
    doors = await createDoors({ store: redis.store });
    const { world } = doors;
    const [sender, buyer] = [doors.customer('ussd'), doors.customer('ussd')];
    await Promise.all([fillsTransfer(sender.isAtMenu()), fillsVoucher(buyer.isAtMenu())]);
    const stopped = stopsWhenBoth(['transfer', 'buyVoucher'], redis);
    const paying = Promise.allSettled([sender.enters(), buyer.enters()]);
    await stopped;
    const healing = sleep(stallMs).then(redis.goesOn);
    await paying;
    // A customer who dials meanwhile gets a page, too.
    await Promise.allSettled([sender.dials(), buyer.dials()]);
    await healing;
    await answersAgain(world.store);
    await sender.dials();
    await world.rests();
    await world.passes(2 * SECOND_MS);
    expect.soft(codesOf(buyer), 'the code of the voucher by SMS').toHaveLength(1);
    await expectPromise([sender, buyer]);
  });
});

/** A client that has lost its connection finds the way back by itself. */
async function answersAgain(store: Pick<Store, 'read'>): Promise<void> {
  const isThere = () =>
    store.read(0, ['anything']).then(
      () => true,
      () => false,
    );
  while (!(await isThere())) await sleep(50);
}

/** Stops the store once the wallet has made all of these payments, before any answer is back. */
function stopsWhenBoth(
  names: readonly ('transfer' | 'buyVoucher')[],
  { stalls }: FragileRedis,
): Promise<void> {
  const all = Promise.withResolvers<void>();
  let made = 0;
  for (const name of names) {
    afterExecution(name, async () => {
      made++;
      if (made === names.length) {
        stalls();
        all.resolve();
      }
      await all.promise;
    });
  }
  return all.promise;
}

describe.each(STORES)('T11: the store is full between send and answer, on %s', (kind) => {
  let fragile: FragileStore;
  beforeEach(async () => {
    fragile = kind === 'redis' ? await fragileRedis() : fragileSqlite();
  });
  afterEach(async () => {
    await doors.close();
    await fragile.close();
  });

  test('it has room again later: the outcome and the voucher’s code are not lost', async () => {
    doors = await createDoors({ store: fragile.store });
    const { world } = doors;
    const [sender, buyer] = [doors.customer('ussd'), doors.customer('ussd')];
    sender.hasPatience(Number.POSITIVE_INFINITY, SENDING_MS);
    await fillsTransfer(sender.isAtMenu());
    await fillsVoucher(buyer.isAtMenu());
    afterExecution('transfer', fragile.fills);
    await sender.enters();
    await sender.dials();
    await fragile.drains();
    afterExecution('buyVoucher', fragile.fills);
    await buyer.enters();
    await buyer.dials();
    await fragile.drains();
    await world.rests();
    await world.passes(2 * SECOND_MS);
    expect.soft(codesOf(buyer), 'the code of the voucher by SMS').toHaveLength(1);
    await expectPromise([sender, buyer]);
  });

  test('before the send: nothing leaves, and no text says so', async () => {
    doors = await createDoors({ store: fragile.store });
    const { world } = doors;
    const customer = doors.customer('ussd');
    await fillsTransfer(customer.isAtMenu());
    world.wallet.next('login', async (ask) => {
      const answer = await ask();
      await fragile.fills();
      return answer;
    });
    await customer.enters();
    await customer.dials();
    await fragile.drains();
    expect(world.sandbox.executions()).toEqual([]);
    await expectPromise([customer]);
  });
});

describe('T11: the replicas are gone', () => {
  let redis: FragileRedis;
  beforeEach(async () => {
    redis = await fragileRedis(1);
  });
  afterEach(async () => {
    await doors.close();
    await redis.close();
  });

  test('nothing is sent, and the customer reads so', async () => {
    doors = await createDoors({ store: redis.store });
    const { world } = doors;
    const customer = doors.customer('ussd');
    await sendsMoney(customer.isAtMenu());
    await customer.dials();
    await world.rests();
    expect(world.sandbox.executions()).toEqual([]);
    await expectPromise([customer]);
  });

  test('a customer who waits for a stopped replica holds nobody back', async () => {
    const replica = await replicaOf(redis.server);
    await replica.isLinked();
    try {
      doors = await createDoors({ store: redis.store });
      const others = Array.from({ length: 3 }, () => doors.customer('ussd'));
      const payer = doors.customer('ussd');
      for (const other of others) await other.isAtMenu();
      await fillsTransfer(payer.isAtMenu());
      replica.stalls();
      const paying = Promise.resolve(payer.enters());
      let isPaid = false;
      void paying.then(() => {
        isPaid = true;
      });
      while (!isPaid && !(await redis.isWaitedFor())) await sleep(5);
      const answered: boolean[] = [];
      for (const other of others) {
        await other.dials();
        answered.push(isPaid ? false : await redis.isWaitedFor());
      }
      await paying;
      expect.soft(answered, 'a dial was answered while the payment waited').toContain(true);
      expect(doors.world.sandbox.executions()).toEqual([]);
      await expectPromise([payer, ...others]);
    } finally {
      await replica.close();
    }
  });
});

describe('T11: logins without an answer', () => {
  afterEach(() => doors.close());

  test('the right PIN five times, then the wallet is back', async () => {
    doors = await createDoors();
    const { world } = doors;
    const customer = doors.customer('ussd');
    await fillsTransfer(customer.isAtMenu());
    for (let i = 0; i < LOGINS; i++) {
      world.wallet.next('login', LOST);
      await customer.enters();
      // The second in a row says later: the customer dials again.
      const isLater = i % 2 === 1;
      expect(customer.reply().screen.expects, `after ${i + 1} logins`).toBe(isLater ? 'nothing' : 'pin');
      if (isLater) await fillsTransfer(customer.dials());
    }
    await customer.enters();
    await world.rests();
    expect.soft(world.sandbox.executions()).toHaveLength(1);
    await expectPromise([customer]);
  });
});
