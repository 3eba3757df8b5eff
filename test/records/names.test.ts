import { expect, test } from 'vitest';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { eraseCustomer, exportCustomer } from '../../src/records/customer.ts';
import { createNames } from '../../src/records/names.ts';
import { type Records, RecordsDown } from '../../src/records/records.ts';
import { handout } from '../../src/support/handout.ts';
import { wordsOfName } from '../../src/wallet/name-words.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import { type Customer, createWorld, DAY_MS, LOST, STORES } from '../kit/world.ts';

const looksAtProfile = (customer: Customer) =>
  customer.isAtMenu().chooses('account').chooses('profile').enters().sees('profile.shown').goes('menu');

test.each(STORES)(
  'a customer is found by the wallet’s name for them, which is stored nowhere: on %s',
  async (store) => {
    const world = await createWorld({ store, records: 'sqlite' });
    try {
      const { records, clock, names } = world;
      const named = { firstName: 'Fatima Zohra', lastName: 'El Ouazzani' };
      const [fatima, twin] = [world.customer(named), world.customer({ ...named, level: 2 })];
      await looksAtProfile(fatima);
      await world.settles();
      expect(await names.find('ouazzani fatima', 10)).toEqual([fatima.phone]);
      expect(await names.find('Zohra Idrissi', 10)).toEqual([]);
      expect(await names.find(fatima.phone, 10), 'a number is no name').toEqual([]);
      clock.ahead += 1;
      // An agent who opens their page learns it, too.
      await world.engine.desk.details(twin.phone);
      await world.settles();
      expect(await names.find('FATIMA EL-OUAZANI', 10)).toEqual([twin.phone, fatima.phone]);

      const salma = world.stranger();
      await salma.arrives().chooses('agree').says('Salma').says('Benkirane').says('ab 123456');
      await salma.chooses('confirm').entersCodeFromSms().enters().enters().sees('onboarding.opened');
      await world.settles();
      expect(await names.find('ben kirane', 10), 'as who has just opened a wallet').toEqual([salma.phone]);

      const rows = await world.everythingRecorded();
      const words = [named.firstName, named.lastName, 'Salma Benkirane'].flatMap((name) => [
        ...name.split(' '),
        ...wordsOfName(name),
      ]);
      const inClear = words.filter((word) => rows.toLowerCase().includes(`"${word.toLowerCase()}"`));
      expect(inClear).toEqual([]);

      const deps = { store: world.store, records, drain: async () => {}, now: clock.now };
      const kept = await exportCustomer(deps, fatima.phone);
      expect(kept.name).toEqual({ words: 4, at: expect.any(Number) });
      expect(handout(kept, world.renderer, clock.now())).toMatchObject({
        nameIsFoundBy: { words: 4, toldByTheWallet: expect.stringMatching(/Z$/) },
      });
      clock.ahead += 5 * DAY_MS;
      await world.rests();
      await eraseCustomer(deps, fatima.phone, 'erased:x');
      expect(await names.find('fatima', 10)).toEqual([twin.phone]);
      expect((await exportCustomer(deps, fatima.phone)).name).toBeUndefined();
      expect(world.errors).toEqual([]);
    } finally {
      await world.close();
    }
  },
);

test.each(STORES)('a customer is found once they have been at their menu: on %s', async (store) => {
  const world = await createWorld({ store, records: 'sqlite' });
  try {
    const fatima = world.customer({ firstName: 'Fatima', lastName: 'Amrani' });
    expect(await world.names.find('amrani', 10)).toEqual([]);
    await fatima.isAtMenu();
    for (let visit = 1; visit <= 3; visit++)
      await fatima.chooses('balance').enters().sees('balance.shown').goes('menu').sees('menu.choose');
    await world.settles();
    expect(await world.names.find('amrani', 10)).toEqual([fatima.phone]);
    expect(world.wallet.calls(fatima.phone, 'profile'), 'the wallet is asked once a day').toHaveLength(1);
    expect(world.errors).toEqual([]);
  } finally {
    await world.close();
  }
});

test.each(STORES)(
  'a customer who only sent money is found, though the wallet had no name for their menu: on %s',
  async (store) => {
    const world = await createWorld({ store, records: 'sqlite' });
    try {
      const [fatima, youssef] = [
        world.customer({ firstName: 'Fatima', lastName: 'Amrani' }),
        world.customer({ firstName: 'Youssef', lastName: 'Benali' }),
      ];
      world.wallet.next('profile', LOST);
      await fatima.isAtMenu();
      await world.settles();
      expect(await world.names.find('amrani', 10)).toEqual([]);
      const asked = world.wallet.holds('profile');
      await fatima.chooses('transfer').says(youssef.phone).says('20').enters();
      await fatima.sees('transfer.processing');
      await asked.reached;
      asked.go();
      await fatima.after(1_500).hears('transfer.done');
      await world.settles();
      expect(await world.names.find('amrani', 10)).toEqual([fatima.phone]);
      expect(await world.names.find('benali', 10), 'who has shown no PIN').toEqual([]);
      await fatima.goes('menu').chooses('balance').enters().sees('balance.shown');
      await world.settles();
      expect(world.wallet.calls(fatima.phone, 'profile'), 'the menu, and the first PIN').toHaveLength(2);
      expect(world.errors).toEqual([]);
    } finally {
      await world.close();
    }
  },
);

const WALLET = '+212600000001' as Msisdn;

test('another key finds nobody, and the old key works while it is configured', async () => {
  const kept: string[][] = [];
  const records: Pick<Records, 'setName' | 'nameOf' | 'walletsNamed'> = {
    nameOf: async () => undefined,
    setName: async ({ words }) => void kept.push([...words]),
    walletsNamed: async (words) =>
      words.every((digests) => kept.flat().some((each) => digests.includes(each))) ? [WALLET] : [],
  };
  const under = (...keys: [string, ...string[]]) =>
    createNames({ records, secrets: createSecrets(...keys), now: Date.now });
  const [old, fresh] = ['an old key of the tests, 32 characters!', 'a new key of the tests, 32 characters!'];
  await under(old).write(WALLET, 'Fatima Amrani');
  expect(kept.flat().every((digest) => /^[\w-]{16}$/.test(digest))).toBe(true);
  expect(new Set([...kept.flat()]).size).toBe(2);
  expect(await under(fresh).find('fatima', 1)).toEqual([]);
  expect(await under(fresh, old).find('amrani fatima', 1)).toEqual([WALLET]);
});

test('records that are down delay nobody and lose only a name, and an empty name changes nothing', async () => {
  let asked = 0;
  let free = () => {};
  const isFree = new Promise<void>((resolve) => {
    free = resolve;
  });
  const records = {
    setName: async () => {
      asked++;
      await isFree;
      throw new RecordsDown('away');
    },
    nameOf: async () => {
      asked++;
      await isFree;
      throw new RecordsDown('away');
    },
    walletsNamed: async () => [],
  };
  const names = createNames({
    records,
    secrets: createSecrets('a key of the tests, of 32 characters!'),
    now: Date.now,
  });
  await names.write(WALLET, '');
  await names.write(WALLET, '  - ');
  expect(asked).toBe(0);
  const told = Array.from({ length: 100 }, () => names.write(WALLET, 'Fatima'));
  expect(asked, 'no more than a few at a time').toBe(16);
  free();
  await Promise.all(told);
  await names.write(WALLET, 'Fatima');
  expect(asked).toBe(17);
  let isWalletAsked = false;
  await names.learn(WALLET, async () => {
    isWalletAsked = true;
    return 'Fatima';
  });
  expect([asked, isWalletAsked], 'no name is asked for that cannot be kept').toEqual([18, false]);
});
