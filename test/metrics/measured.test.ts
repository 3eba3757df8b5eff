import { describe, expect, test } from 'vitest';
import type { Engine } from '../../src/conversation/engine.ts';
import type { Reply } from '../../src/conversation/incoming.ts';
import type { Intent } from '../../src/conversation/intents/intent.ts';
import { Overloaded } from '../../src/conversation/turn/admission.ts';
import { createMeasuring } from '../../src/metrics/measured.ts';
import type { Meter } from '../../src/metrics/meter.ts';
import { createOpenPayments } from '../../src/metrics/open-payments.ts';
import type { TurnLog } from '../../src/metrics/turn-log.ts';
import { createWorkerLag } from '../../src/metrics/worker-lag.ts';
import { type Doc, type Store, StoreDown } from '../../src/store/store.ts';
import type { Answer } from '../../src/wallet/answer.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';
import type { Inbox } from '../../src/webhooks/inbox.ts';

const QUIET: TurnLog = { turn() {}, walletCall() {} };

/** A meter that writes down what it is told, without the seconds. */
function listening() {
  const seen: unknown[][] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) =>
      void seen.push([name, ...args.filter((arg) => typeof arg !== 'number')]);
  const names = [
    'turn',
    'budget',
    'walletCall',
    'floatEmpty',
    'storeTrip',
    'delivery',
    'deliveryLag',
    'webhook',
    'payment',
    'look',
    'chore',
    'workerLag',
  ];
  const notes = names.map((name) => [name, note(name)]);
  // A gauge and what is counted from 0: no events.
  const silent = { turnsUnderWay() {}, walletCalls() {}, chores() {} };
  const meter = { ...Object.fromEntries(notes), ...silent } as unknown as Meter;
  return { seen, meter };
}

const REPLY: Reply = {
  language: 'fr',
  screenId: 1,
  screen: { key: 'menu.title' as never, expects: 'choice' },
  page: 0,
  missed: [],
  rests: false,
};

describe('a turn is counted by its channel’s view', () => {
  test.each<[string, Partial<Reply>, string]>([
    ['a screen that goes on', {}, 'shown'],
    ['a place of rest', { rests: true }, 'ended'],
    ['a screen that expects nothing', { screen: { ...REPLY.screen, expects: 'nothing' } }, 'ended'],
    ['a call that goes on', { underway: true }, 'underway'],
    ['an input seen before', { repeated: true, rests: true }, 'unchanged'],
    ['a button of a screen that is gone', { stale: true }, 'unchanged'],
    ['a deadline that struck', { late: true, rests: true }, 'late'],
  ])('%s', async (_, changes, outcome) => {
    const { seen, meter } = listening();
    const engine = {
      receive: async () => ({ ...REPLY, ...changes }),
      machineOf: () => 'transfer',
    } as unknown as Engine;
    const measured = createMeasuring(meter, QUIET).conversations(engine);
    await measured.receive({ address: 'telegram:42', id: 'a', inputs: [] }, 1);
    expect(seen).toEqual([['turn', 'telegram', 'transfer', outcome]]);
  });

  test.each([
    ['lost', new StoreDown('no')],
    ['shed', new Overloaded()],
  ])('one that is %s rejects as before', async (outcome, error) => {
    const { seen, meter } = listening();
    const engine = { receive: () => Promise.reject(error) } as unknown as Engine;
    const measured = createMeasuring(meter, QUIET).conversations(engine);
    await expect(measured.receive({ address: 'web:a', id: 'a', inputs: [] }, 1)).rejects.toBe(error);
    expect(seen).toEqual([['turn', 'web', '', outcome]]);
  });
});

test.each<[string, () => Promise<boolean>, string]>([
  ['a commit that is written', async () => true, 'ok'],
  ['a commit that somebody else was faster than', async () => false, 'conflict'],
  ['a commit that the store did not take', () => Promise.reject(new StoreDown('no')), 'down'],
])('%s', async (_, commit, result) => {
  const { seen, meter } = listening();
  const none = async () => [];
  const store = { commit, read: none, due: none, turns: none, scheduled: none } as unknown as Store;
  await createMeasuring(meter, QUIET)
    .store(store)
    .commit(0, { writes: [] })
    .catch(() => {});
  expect(seen).toEqual([['storeTrip', 'commit', result]]);
});

test.each<[string, boolean, object, unknown[][]]>([
  ['one that is late is counted', true, { lagMs: 3_000 }, [['deliveryLag', 'ussd', 'held']]],
  ['one that nobody was waiting for is not', true, {}, []],
  ['one that was not written is not', false, { lagMs: 3_000 }, []],
])('a delivery: %s', async (_, isWritten, lag, expected) => {
  const { seen, meter } = listening();
  const store = { commit: async () => isWritten } as unknown as Store;
  for (const name of ['read', 'due', 'turns', 'scheduled'] as const) store[name] = async () => [];
  const event = { kind: 'delivery', message: 'm', says: 'transfer.done', outcome: 'held', tries: 1 };
  const turn = JSON.stringify({ v: 1, at: 1, address: 'ussd:+212600000001', language: 'fr', event, ...lag });
  await createMeasuring(meter, QUIET).store(store).commit(0, { writes: [], turn });
  expect(seen.filter(([name]) => name !== 'storeTrip')).toEqual(expected);
});

test.each<Answer<unknown>>([
  { kind: 'ok', value: 1 },
  { kind: 'refused', code: '26001', description: 'no' },
  { kind: 'unsent', why: 'refused' },
  { kind: 'unknown', why: 'http500' },
])('a call that is answered with $kind', async (answer) => {
  const { seen, meter } = listening();
  const wallet = createMeasuring(meter, QUIET).wallet(
    { balance: async () => answer } as unknown as Wallet,
    'customers',
  );
  expect(await (wallet.balance as () => Promise<unknown>)()).toBe(answer);
  expect(seen).toEqual([['walletCall', 'balance', answer.kind]]);
});

test('a call that is refused because the float is empty', async () => {
  const { seen, meter } = listening();
  const answer = { kind: 'refused', code: '90100', description: '' };
  const wallet = createMeasuring(meter, QUIET).wallet(
    { transfer: async () => answer } as unknown as Wallet,
    'customers',
  );
  await (wallet.transfer as () => Promise<unknown>)();
  expect(seen).toEqual([
    ['walletCall', 'transfer', 'refused'],
    ['floatEmpty', 'transfer'],
  ]);
});

test.each<[string, () => Promise<void>, boolean]>([
  ['saved', async () => {}, true],
  ['refused', () => Promise.reject(new StoreDown('no')), false],
])('a webhook that is %s', async (_, save, isSaved) => {
  const { seen, meter } = listening();
  await createMeasuring(meter, QUIET)
    .inbox({ save } as unknown as Inbox)
    .save('{}')
    .catch(() => {});
  expect(seen).toEqual([['webhook', isSaved]]);
});

test('nothing is wrapped when nobody measures', () => {
  const store = {} as Store;
  expect(createMeasuring(undefined, QUIET).store(store)).toBe(store);
});

describe('open payments', () => {
  const sent: Intent = {
    id: 'a',
    state: 'sent',
    sentAt: 0,
    order: { kind: 'transfer' },
  } as unknown as Intent;

  test('are counted by state and age from one look to the next', () => {
    let now = 30_000;
    const open = createOpenPayments(() => now);
    open.looked(sent, 60_000);
    expect(open.counts()).toEqual([{ state: 'sent', age: 'under 1m', count: 1 }]);
    now = 65_000;
    open.looked({ ...sent, id: 'b', state: 'human' }, 10 ** 6);
    expect(open.counts()).toEqual([
      { state: 'sent', age: 'under 10m', count: 1 },
      { state: 'human', age: 'under 10m', count: 1 },
    ]);
    // Another process has looked at the first one since.
    now = 80_000;
    expect(open.counts()).toEqual([{ state: 'human', age: 'under 10m', count: 1 }]);
  });

  test.each<[string, Intent['state'], number]>([
    ['is not known yet', 'unknown', 1],
    ['needs a person', 'human', 1],
    ['has succeeded', 'succeeded', 0],
    ['has failed', 'failed', 0],
  ])('one that %s is counted %s: %d', (_, state, count) => {
    const open = createOpenPayments(() => 1);
    open.looked(sent, 60_000);
    open.changed('a', state);
    open.changed('never looked at', state);
    expect(open.counts()).toHaveLength(count);
    const looked = createOpenPayments(() => 1);
    looked.looked({ ...sent, state }, 60_000);
    expect(looked.counts()).toHaveLength(count);
  });

  test('one that nobody looks at again is not counted', () => {
    const open = createOpenPayments(() => 1);
    open.looked(sent, undefined);
    expect(open.counts()).toEqual([]);
  });
});

test('the probe of workers is measured once, by the process that takes it', async () => {
  let now = 0;
  let doc: Doc | undefined;
  const store: Pick<Store, 'read' | 'commit'> = {
    read: async () => [doc],
    async commit(_, { writes: [write] }) {
      if (write?.version !== (doc?.version ?? 0)) return false;
      doc = { value: write.value as string, version: write.version + 1 };
      return true;
    },
  };
  const lags: number[] = [];
  const lag = createWorkerLag(store, { workerLag: (seconds) => lags.push(seconds) }, () => now);
  await Promise.all([lag.begin(), lag.begin()]);
  now = 7_000;
  await Promise.all([lag.measure(), lag.measure()]);
  expect(lags).toEqual([2]);
});

test('a budget is counted up to the one that has no room', async () => {
  const { seen, meter } = listening();
  const budgets = createMeasuring(meter, QUIET).budgets({
    charge: async () => 'codesPerNumber',
    hasRoom: async () => true,
    giveBack: async () => {},
    countSms: async () => {},
  });
  const charges = [
    { budget: 'codesPerChat' },
    { budget: 'codesPerNumber' },
    { budget: 'smsPerHour' },
  ] as const;
  expect(await budgets.charge(charges)).toBe('codesPerNumber');
  await budgets.countSms();
  expect(seen).toEqual([
    ['budget', 'codesPerChat', true],
    ['budget', 'codesPerNumber', false],
    ['budget', 'smsPerHour', true],
    ['budget', 'smsPerDay', true],
  ]);
});
