import { describe, expect, test } from 'vitest';
import type { TurnRecord } from '../../src/conversation/record.ts';
import { partitionOf } from '../../src/store/partition.ts';
import type { Customer } from '../kit/customer.ts';
import { STORES, theWorld } from '../kit/world.ts';

describe.each(STORES)('every turn leaves a record, on %s', (store) => {
  const world = theWorld({ store });
  const recordsOf = async ({ phone, address }: Customer): Promise<TurnRecord[]> => {
    const turns = await world.store.turns(partitionOf(phone), 1_000);
    const records = turns.map(({ record }) => JSON.parse(record) as TurnRecord).reverse();
    return records.filter((record) => record.address === address);
  };

  test('what the customer did, from where to where, and which calls that took', async () => {
    const fatima = world.customer();
    await fatima
      .isAtMenu()
      .chooses('transfer')
      .says('0655000000')
      .says('1.500')
      .says('100')
      .chooses('confirm')
      .enters('4321')
      .enters()
      .sees('transfer.processing');
    const records = await recordsOf(fatima);
    expect(records.map(({ event, to }) => `${event} > ${to}`)).toEqual([
      'dialed > language.choosing',
      'said 1 > menu.choosing',
      'said 1 > transfer.askingRecipient',
      'said 0655000000 > transfer.askingAmount',
      'said 1.500 > transfer.askingAmount',
      'said 100 > transfer.confirming',
      'said 1 > transfer.askingPin',
      'pin > transfer.authenticating',
      'login > transfer.askingPin',
      'pin > transfer.authenticating',
      'login > transfer.paying',
      'pay > transfer.processing',
    ]);
    for (const [i, { from }] of records.entries()) expect(from).toBe(records[i - 1]?.to ?? '');
    expect(records.at(-1)?.screen).toMatchObject({
      key: 'transfer.processing',
      values: { amount: { money: 10_000 } },
    });
    const calls = records.flatMap(({ ran }) => ran.map(({ src, came }) => `${src} ${came}`));
    expect(calls).toEqual(
      expect.arrayContaining([
        'readStatus ok',
        'preview ok',
        'login refused 26001',
        'login ok',
        'pay accepted',
      ]),
    );
  });

  test('a national ID number, a PIN and a code are not in it; nor what was not understood', async () => {
    const salma = world.stranger();
    await salma
      .arrives()
      .says('1234')
      .chooses('agree')
      .says('Salma')
      .says('Idrissi')
      .says('123')
      .says('AB1234567')
      .chooses('confirm')
      .says('000-001')
      .entersCodeFromSms()
      .enters()
      .enters()
      .sees('onboarding.opened');
    const events = (await recordsOf(salma)).map(({ event }) => event);
    expect(events).toEqual([
      'dialed',
      'said 1',
      'said',
      'said 1',
      'said Salma',
      'said Idrissi',
      'said',
      'said',
      'said 1',
      'register',
      'otp',
      'confirmRegistration',
      'otp',
      'confirmRegistration',
      'newPin',
      'newPin',
      'createPin',
    ]);
  });

  test('what is typed where nothing is asked is not in it, but for what begins something', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    await world.engine.desk.end(fatima.address, { id: 'nadia', name: 'Nadia' });
    // The password of a form that is gone.
    await fatima.says('passe-partout').sees('menu.choose').chooses('balance').enters().sees('balance.shown');
    await fatima
      .says('passe-partout')
      .sees('menu.choose')
      .chooses('balance')
      .enters()
      .says('/transfer 0655000000');
    await fatima.sees('transfer.askAmount');
    const events = (await recordsOf(fatima)).map(({ event }) => event);
    expect(events.join()).not.toContain('passe-partout');
    expect(events.at(-1)).toBe('said /transfer 0655000000');
  });

  test('a card number is not in it, nor what is no number where one is asked, nor what a deep dial said', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('transfer').says('4111 1111 1111 1111').says('91868884');
    await fatima.says('0655000000').goes('menu');
    await fatima.dials('1', '0655000000', '100', '1', '1234');
    const events = (await recordsOf(fatima)).map(({ event }) => event);
    expect(events).toEqual([
      'dialed',
      'said 1',
      'said 1',
      'said',
      'said',
      'said 0655000000',
      'went menu',
      'dialed',
    ]);
  });
});
