import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type Alarm,
  BUDGETS,
  type BudgetName,
  type BudgetsDeps,
  createBudgets,
  smsLimits,
} from '../../src/conversation/budgets.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import type { Store } from '../../src/store/store.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { twoStores } from '../kit/two-stores.ts';
import { type Customer, createWorld, DAY_MS, HOUR_MS, STORES, theWorld } from '../kit/world.ts';

const NAMES = Object.keys(BUDGETS) as BudgetName[];
const secrets = createSecrets('a secrets key of the tests, 32 characters');

/** Processes on one store whose clock stands still until it is moved. */
async function processes(on: (typeof STORES)[number], max: BudgetsDeps['max'] = {}) {
  const clock = { at: Date.now() };
  const alarms: Alarm[] = [];
  const stores = await twoStores(on);
  const alarm = (each: Alarm) => alarms.push(each);
  const process = (store: Store) => createBudgets({ store, secrets, max, now: () => clock.at, alarm });
  return { one: process(stores[0]), two: process(stores[1]), stores, clock, alarms };
}

describe.each(STORES)('a budget, on %s', (on) => {
  test.each(NAMES)(
    '%s: the last one has room, the next has none, and after the window there is room again',
    async (budget) => {
      const { one, clock, alarms } = await processes(on, { [budget]: 3 });
      const charge = () => one.charge([{ budget, of: 'somebody' }]);
      for (let i = 0; i < 3; i++) expect(await charge()).toBeUndefined();
      expect(await charge()).toBe(budget);
      expect(await one.charge([{ budget, of: 'somebody else' }])).toBeUndefined();
      clock.at += BUDGETS[budget].ms - 1;
      expect(await charge()).toBe(budget);
      clock.at += 1;
      expect(await charge()).toBeUndefined();
      expect(alarms.length).toBe('alarms' in BUDGETS[budget] ? 1 : 0);
    },
  );

  test('a charge after a refusal does not count, and earlier charges stay', async () => {
    const { one } = await processes(on, { codesPerChat: 2, codesPerNetwork: 1, smsPerHour: 2 });
    const all = ['codesPerChat', 'codesPerNetwork', 'smsPerHour'] as const;
    const charge = () => one.charge(all.map((budget) => ({ budget })));
    expect([await charge(), await charge(), await charge()]).toEqual([
      undefined,
      'codesPerNetwork',
      'codesPerChat',
    ]);
    expect(await one.charge([{ budget: 'smsPerHour' }])).toBeUndefined();
    expect(await one.charge([{ budget: 'smsPerHour' }])).toBe('smsPerHour');
  });

  test('a refund makes room again, but never more than before', async () => {
    const { one } = await processes(on, { codesPerNetwork: 1 });
    const charge = { budget: 'codesPerNetwork', of: '203.0.113.1' } as const;
    for (let i = 0; i < 3; i++) await one.giveBack(charge);
    expect([await one.charge([charge]), await one.charge([charge])]).toEqual([undefined, 'codesPerNetwork']);
    await one.giveBack(charge);
    expect(await one.charge([charge])).toBeUndefined();
  });

  test('an SMS that must be sent uses the budget for codes, and is never refused', async () => {
    const { one, alarms } = await processes(on, { smsPerHour: 2 });
    for (let i = 0; i < 5; i++) await one.countSms();
    expect(await one.charge([{ budget: 'smsPerHour' }])).toBe('smsPerHour');
    expect(alarms.map(({ budget }) => budget)).toEqual(['smsPerHour']);
  });

  test('each window has one alarm with the time of the next room', async () => {
    const { one, clock, alarms } = await processes(on, { smsPerDay: 1 });
    const since = clock.at;
    for (let i = 0; i < 4; i++) await one.charge([{ budget: 'smsPerDay' }]);
    expect(alarms).toEqual([{ budget: 'smsPerDay', max: 1, until: since + DAY_MS }]);
    clock.at += DAY_MS;
    for (let i = 0; i < 4; i++) await one.charge([{ budget: 'smsPerDay' }]);
    expect(alarms.map(({ until }) => until)).toEqual([since + DAY_MS, since + 2 * DAY_MS]);
  });

  test('a window begun by a clock far ahead lasts no longer than any other', async () => {
    const { one, clock } = await processes(on, { smsPerDay: 1 });
    clock.at += 365 * DAY_MS;
    await one.charge([{ budget: 'smsPerDay' }]);
    clock.at -= 365 * DAY_MS;
    expect(await one.charge([{ budget: 'smsPerDay' }])).toBeUndefined();
  });
});

test('two processes on one store count together, even at the same moment, and raise one alarm', async () => {
  const { one, two, alarms } = await processes('redis', { codesPerNetwork: 10 });
  const charge = [{ budget: 'codesPerNetwork', of: '203.0.113.1' }] as const;
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => (i % 2 ? one : two).charge(charge)));
  expect(answers.filter((spent) => spent === undefined)).toHaveLength(10);
  expect(alarms).toHaveLength(1);
});

/** The texts that USSD showed to the number. */
function shownTo(customer: Customer): string {
  const code = customer.reply().screen.values?.code;
  return code && 'hidden' in code ? code.hidden : '';
}

describe('the cost of strangers', () => {
  const world = theWorld();
  let last = 0;
  /** A fresh cookie. */
  const visitor = (network?: string) => {
    const fresh = world.stranger({ channel: 'web' });
    return network === undefined ? fresh : fresh.comesFrom(network);
  };
  const number = () => msisdn(`+2127${String(last++).padStart(8, '0')}`);
  const asksFor = (phone: string, network?: string) => visitor(network).opens().says(phone);

  test('SMS pumping: 120 fresh cookies of one address have no more than 30 codes sent to 120 numbers', async () => {
    const numbers = Array.from({ length: 120 }, number);
    for (const phone of numbers) await asksFor(phone, '203.0.113.1');
    expect(numbers.flatMap((phone) => world.sms(phone))).toHaveLength(30);
    await asksFor(number(), '203.0.113.1').sees('linking.askShown').isTold('linking.tooMany');
    await world.passes(HOUR_MS);
    await asksFor(number(), '203.0.113.1').sees('linking.askCode');
  });

  test('an operator with many customers behind one address is no pumping, as its codes are answered', async () => {
    for (let i = 0; i < 35; i++) {
      const customer = world.customer({ channel: 'web' }).comesFrom('203.0.113.4');
      await customer.opens().says(customer.phone).entersCodeFromSms().sees('unlocking.askPin');
      await world.rests();
    }
  });

  test('five strangers of one address do not keep the owner from linking a number', async () => {
    const fatima = world.customer({ channel: 'web' }).comesFrom('198.51.100.1');
    for (let i = 0; i < 5; i++) await asksFor(fatima.phone, '203.0.113.2');
    expect(world.sms(fatima.phone)).toHaveLength(3);
    await fatima.opens().says(fatima.phone).sees('linking.askCode');
    const code = /\d{3}-\d{3}/.exec(world.sms(fatima.phone).at(-1) ?? '')?.[0] ?? '';
    // Another stranger asks, and guesses wrong, before she has typed hers.
    const thief = asksFor(fatima.phone, '203.0.113.3').sees('linking.askCode');
    for (let i = 0; i < 5; i++) await thief.says(`000-00${i}`).isTold('linking.wrongCode');
    await fatima.says(code).sees('unlocking.askPin', { phone: fatima.phone });
  });

  test('strangers of many addresses send twelve codes to one number in an hour, and its proven owner is no stranger', async () => {
    const fatima = world.customer({ channel: 'web' }).comesFrom('198.51.100.2');
    await fatima.opens().says(fatima.phone).entersCodeFromSms().sees('unlocking.askPin');
    await world.rests();
    for (let i = 0; i < 15; i++) await asksFor(fatima.phone, `192.0.2.${i}`);
    // The first code was hers, asked for before she had proven the number.
    expect(world.sms(fatima.phone)).toHaveLength(12);
    await asksFor(fatima.phone, '192.0.2.99').sees('linking.askShown').isTold('linking.tooManyByOthers');
    await world
      .chatOf(fatima)
      .comesFrom('198.51.100.2')
      .opens()
      .says(fatima.phone)
      .entersCodeFromSms()
      .sees('unlocking.askPin');
  });

  test('without a known address, as on Telegram, each chat counts for itself', async () => {
    const phone = number();
    for (let i = 0; i < 12; i++) await asksFor(phone).sees('linking.askCode');
    await asksFor(phone).sees('linking.askShown').isTold('linking.tooManyByOthers');
  });

  test('four addresses use up the codes of a number: its owner reads it and links by a code on USSD', async () => {
    const fatima = world.customer({ channel: 'ussd' });
    await fatima.isAtMenu();
    const asks = (network: string) => asksFor(fatima.phone, network).sees('linking.askShown');
    for (const network of ['192.0.2.101', '192.0.2.102', '192.0.2.103', '192.0.2.104'])
      for (let i = 0; i < 3; i++) await asksFor(fatima.phone, network).sees('linking.askCode');
    // A number that asked too often reads so. Other numbers read that strangers did.
    await asks('192.0.2.101').isTold('linking.tooMany');
    const chat = asks('198.51.100.7').isTold('linking.tooManyByOthers');
    await fatima.dials().chooses('account').chooses('link-chat').sees('link-chat.shown');
    await chat.says(shownTo(fatima)).sees('unlocking.askPin', { phone: fatima.phone });
    expect(world.sms(fatima.phone)).toHaveLength(12);
    await world.passes(HOUR_MS);
    await asksFor(fatima.phone, '198.51.100.7').sees('linking.askCode');
  });

  test('forty addresses use up the SMS of strangers, but of nobody else', async () => {
    const narrow = await createWorld({ budgets: { ...smsLimits(10, 100), codesPerNetwork: 2 } });
    onTestFinished(() => narrow.close());
    const asks = (phone: string, network: string) =>
      narrow.stranger({ channel: 'web' }).comesFrom(network).opens().says(phone);
    const fatima = narrow.customer({ channel: 'web' }).comesFrom('198.51.100.1');
    await fatima.opens().says(fatima.phone).entersCodeFromSms().sees('unlocking.askPin');
    await narrow.rests();
    for (let i = 0; i < 40; i++) await asks(number(), `192.0.2.${i}`);
    await asks(number(), '192.0.2.99').sees('linking.askShown').isTold('linking.tooMany');
    expect(narrow.alarms.map(({ budget }) => budget)).toEqual(['strangersPerHour']);
    const again = narrow.chatOf(fatima).comesFrom('198.51.100.1');
    await again.opens().says(fatima.phone).sees('linking.askCode');
  });

  test('while the store is down no code is sent', async () => {
    const phone = number();
    const chat = visitor('203.0.113.5').opens();
    await chat;
    world.weather.isDown = true;
    onTestFinished(() => {
      world.weather.isDown = false;
    });
    await expect(Promise.resolve(chat.says(phone))).rejects.toThrow();
    expect(world.sms(phone)).toEqual([]);
  });

  test('no network address and no number of a stranger is in a document of the budgets', async () => {
    const phone = number();
    await asksFor(phone, '203.0.113.77');
    const stored = await world.everythingStored();
    expect(stored).toContain('budget:codesPerNetwork:');
    expect(stored).not.toContain('203.0.113.77');
  });
});

describe('all SMS of a day', () => {
  const world = theWorld({ budgets: { smsPerDay: 2 } });

  test('after it is used up, codes can be asked for again in 24 hours', async () => {
    const asks = () => {
      const customer = world.customer({ channel: 'web' });
      return customer.opens().says(customer.phone);
    };
    for (let i = 0; i < 2; i++) await asks().sees('linking.askCode');
    await asks().sees('linking.askShown').isTold('linking.tooManyToday');
    expect(world.alarms).toEqual([expect.objectContaining({ budget: 'smsPerDay' })]);
    await world.passes(DAY_MS);
    await asks().sees('linking.askCode');
  });
});

describe('codes of the wallet through a USSD gateway', () => {
  const world = theWorld({ budgets: { codesPerGateway: 2 } });

  test('a gateway that invents its callers can send a limited number', async () => {
    const asks = (gateway: string) => {
      const fatima = world.customer().comesFrom(gateway, 'gateway').isAtMenu().chooses('account');
      return fatima.chooses('pin-reset').chooses('send').sees('pin-reset.askCode');
    };
    await asks('one').isTold('pin-reset.sent');
    await asks('one').isTold('pin-reset.sent');
    await asks('one').isTold('pin-reset.tooMany');
    await asks('two').isTold('pin-reset.sent');
    expect(world.alarms).toEqual([expect.objectContaining({ budget: 'codesPerGateway' })]);
    await world.passes(HOUR_MS);
    await asks('one').isTold('pin-reset.sent');
  });
});
