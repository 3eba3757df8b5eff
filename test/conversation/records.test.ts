import { describe, expect, test } from 'vitest';
import { outcomeCode } from '../../src/conversation/record/outcome.ts';
import { readRecord, type TurnRecord } from '../../src/conversation/record/record.ts';
import type { TurnEvent } from '../../src/conversation/record/turn-event.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { centimes } from '../../src/wallet/money.ts';
import { textOf } from '../kit/turn-text.ts';
import { type Customer, STORES, theWorld } from '../kit/world.ts';
import { acted, called, did, FATIMA, said, TIME, turn, unclear, went } from '../support/records.ts';

/** Longer than the process that makes a call is waited for. */
const TAKEN_OVER_MS = 60_000;

const PAID = {
  kind: 'payment',
  intent: '3b174c73-6db0-4711-8e11-1f2e3d4c5b6a',
  from: 'accepted',
  to: 'succeeded',
  why: 'webhook',
} as const;
const CALL = called('preview', { kind: 'refused', code: '20005' });

/** One event of each form. */
const EVENTS: readonly TurnEvent[] = [
  said(),
  unclear(said()),
  { ...said('bonjour'), toPerson: true },
  did({ type: 'chose' }),
  did({ type: 'chose', choice: 'confirm' }),
  did({ type: 'gave', secret: 'pin' }),
  did({ type: 'tapped' }),
  went('back'),
  TIME,
  { kind: 'call', effect: 'login', end: 'answered' },
  { kind: 'call', effect: 'pay', end: 'lost' },
  { kind: 'call', effect: 'pay', end: 'not-stored' },
  PAID,
  { kind: 'payment', intent: PAID.intent, to: 'succeeded', why: 'webhook' },
  { kind: 'reference', id: PAID.intent, from: 'open', to: 'executed' },
  acted('takeOver'),
];

const FULL = turn({
  event: unclear(said('12')),
  screen: {
    key: 'transfer.askAmount',
    values: { to: { phone: FATIMA }, all: { lines: [{ key: 'menu.balance' }] } },
    choices: [{ id: 'balance', key: 'menu.balance', values: { amount: { money: centimes(5) } } }],
    notice: { key: 'amount.ambiguous' },
    first: [{ key: 'transfer.notConfirmed', values: { to: { phone: FATIMA } } }],
    expects: 'amount',
  },
  page: 1,
  said: [{ key: 'transfer.done', values: { reference: { code: '17' } } }],
  ran: [CALL, called('pay', { kind: 'accepted' })],
  owner: 'nadia',
  stayedMs: 1_200,
  lagMs: 12,
});

function recordsOn(store: (typeof STORES)[number]) {
  const world = theWorld({ store });
  const recordsOf = async ({ phone, address }: Customer): Promise<TurnRecord[]> => {
    const turns = await world.store.turns(partitionOf(phone), 1_000);
    const records = turns.flatMap(({ record }) => readRecord(record) ?? []).reverse();
    return records.filter((record) => record.address === address);
  };
  return { world, recordsOf };
}

describe.each(STORES)('every turn leaves a record, on %s', (store) => {
  const { world, recordsOf } = recordsOn(store);

  test('four digits at an amount may be an early PIN, and are not recorded', async () => {
    const fatima = world.customer({ language: 'fr' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('4711');
    const [last, ...before] = (await recordsOf(fatima)).reverse();
    expect(last && textOf(last.event)).toBe('said');
    expect(before[0] && textOf(before[0].event)).toBe('said 0655000000');
  });

  test('with the input, both screens and the calls of the turn', async () => {
    const fatima = world.customer({ language: 'fr' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('1.500').says('100').enters('4321');
    await fatima.enters().sees('transfer.processing');
    const records = await recordsOf(fatima);
    expect(records.map(({ event, to }) => `${textOf(event)} > ${to}`)).toEqual([
      'dialed > language.choosing',
      'said 1 > menu.choosing',
      'said 1 > transfer.askingRecipient',
      'said 0655000000 > transfer.askingAmount',
      'said 1.500 > transfer.askingAmount',
      'said 100 > transfer.askingPin',
      'gave pin > transfer.authenticating',
      'login > transfer.askingPin',
      'gave pin > transfer.authenticating',
      'login > transfer.paying',
      'pay > transfer.processing',
    ]);
    for (const [i, { from }] of records.entries()) expect(from).toBe(records[i - 1]?.to ?? '');
    expect(records.at(-1)?.screen).toMatchObject({
      key: 'transfer.processing',
      values: { amount: { money: 10_000 } },
    });
    const calls = records.flatMap(({ ran }) =>
      ran.map(({ effect, outcome }) => `${effect} ${outcomeCode(outcome)}`),
    );
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

  test('with each new state of a payment and its evidence', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('100');
    await fatima.enters().sees('transfer.processing');
    // Before it is looked for: the webhook is first.
    await fatima.after(1_500).hears('transfer.done');
    const learnt = (await recordsOf(fatima)).filter(({ event }) => event.kind === 'payment');
    const [payment] = await world.engine.desk.payments(fatima.phone, 1);
    expect(learnt.map(({ event }) => event)).toEqual([
      { kind: 'payment', intent: payment?.id, from: 'accepted', to: 'succeeded', why: 'webhook' },
    ]);
    expect(learnt[0]?.lagMs).toBeGreaterThanOrEqual(0);
  });

  test('with a lost answer of a call', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('balance');
    await world.crashesDuring('login', fatima.enters());
    await world.passes(TAKEN_OVER_MS);
    const records = await recordsOf(fatima);
    expect(records.map(({ event }) => textOf(event)).slice(-2)).toEqual(['gave pin', 'login lost']);
  });
});

describe.each(STORES)('every turn leaves a record without secrets, on %s', (store) => {
  const { world, recordsOf } = recordsOn(store);

  test('without a national ID number, a PIN, a code or text that was not understood', async () => {
    const salma = world.stranger({ language: 'fr' });
    await salma.arrives().says('1234').chooses('agree').says('Salma').says('Idrissi');
    await salma.says('123').says('AB1234567').chooses('confirm').says('000-001').entersCodeFromSms().enters();
    await salma.enters().sees('onboarding.opened');
    const events = (await recordsOf(salma)).map(({ event }) => textOf(event));
    // How often a page is turned depends on the words of the screens.
    expect(events.filter((event) => event !== 'went more')).toEqual([
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
      'gave otp',
      'confirmRegistration',
      'gave otp',
      'confirmRegistration',
      'gave newPin',
      'gave newPin',
      'createPin',
    ]);
  });

  test('without text at a screen that asks for nothing, except for the beginning of a request', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    await world.engine.desk.end(fatima.address, { id: 'nadia', name: 'Nadia' });
    // The password of a form that is gone.
    await fatima.says('passe-partout').sees('menu.choose').chooses('balance').enters().sees('balance.shown');
    await fatima.says('passe-partout').sees('menu.choose').chooses('balance').enters();
    await fatima.says('/transfer 0655000000');
    await fatima.sees('transfer.askAmount');
    const events = (await recordsOf(fatima)).map(({ event }) => textOf(event));
    expect(events.join()).not.toContain('passe-partout');
    expect(events.at(-1)).toBe('said /transfer 0655000000');
  });

  test('without a card number, an invalid number or the content of a deep dial', async () => {
    const fatima = world.customer({ language: 'fr' });
    await fatima.isAtMenu().chooses('transfer').says('4111 1111 1111 1111').says('91868884');
    await fatima.says('0655000000').goes('menu');
    await fatima.dials('1', '0655000000', '100', '1234');
    const events = (await recordsOf(fatima)).map(({ event }) => textOf(event));
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

describe('a stored record', () => {
  const without = (name: keyof TurnRecord) => ({ ...turn(), [name]: undefined });

  test.each<[string, TurnRecord]>([
    ['of an input', turn()],
    ['of an input with all that a record can hold', FULL],
    ...EVENTS.map((event): [string, TurnRecord] => [`of "${textOf(event)}"`, turn({ event })]),
  ])('%s is read as it was written', (_, record) => {
    expect(readRecord(JSON.stringify(record))).toEqual(record);
  });

  test.each<[string, unknown]>([
    ['of the version before, whose events were strings', { ...turn(), v: undefined, event: 'said 1' }],
    ['of a later version', { ...turn(), v: 3 }],
    ['with an event of no known kind', { ...turn(), event: { kind: 'miracle' } }],
    ['with an input of no known type', { ...turn(), event: { kind: 'input', input: { type: 'sang' } } }],
    ['with an event that lacks a part', { ...turn(), event: { kind: 'agent', act: 'write' } }],
    ['with a payment in no known state', { ...turn(), event: { ...PAID, to: 'lucky' } }],
    ['with an outcome of no known kind', { ...turn(), ran: [{ ...CALL, outcome: { kind: 'lucky' } }] }],
    ['with an outcome that is a string', { ...turn(), ran: [{ ...CALL, outcome: 'refused 20005' }] }],
    ['of no address', { ...turn(), address: 'fatima' }],
    ['of a wallet that is no number', { ...turn(), wallet: '0612345678' }],
    ['in no language of ours', { ...turn(), language: 'de' }],
    ['with a value that is none', { ...turn(), screen: { ...turn().screen, values: { amount: 5 } } }],
    ...(['at', 'from', 'to', 'screen', 'ran', 'ms'] as const).map((name): [string, unknown] => [
      `without "${name}"`,
      without(name),
    ]),
    ['that is no record', null],
  ])('%s is left out', (_, record) => {
    expect(readRecord(JSON.stringify(record))).toBeUndefined();
  });

  test('invalid JSON is left out', () => {
    expect(readRecord('{"v":2,')).toBeUndefined();
  });
});
