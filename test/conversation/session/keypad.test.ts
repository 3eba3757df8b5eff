import { describe, expect, test } from 'vitest';
import { readRecord } from '../../../src/conversation/record/record.ts';
import { SEALED_MS } from '../../../src/conversation/secrets.ts';
import { partitionOf } from '../../../src/store/partition.ts';
import { textOf } from '../../kit/turn-text.ts';
import { type Customer, STORES, theWorld } from '../../kit/world.ts';

describe.each(STORES)('a keypad, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });
  const atPin = () =>
    world.customer({ channel: 'telegram' }).isAtMenu().chooses('balance').sees('balance.askPin');
  const tap = (fatima: Customer, position: number | 'erase', screenId = fatima.reply().screenId) =>
    world.engine.receive(
      {
        address: fatima.address,
        id: `tap ${Math.random()}`,
        screenId,
        inputs: [{ type: 'tapped', position }],
      },
      5_000,
    );

  test('seals the taps, which open for its address and screen only, and not for long', async () => {
    const fatima = atPin();
    await fatima;
    await tap(fatima, 3);
    const { keypad } = await world.session(fatima);
    const open = (bound: string, now = world.clock.now()) =>
      world.secrets.open(keypad?.sealed as never, bound, now)?.length;
    expect(open(`${fatima.address} keypad ${keypad?.screen}`)).toBe(14);
    expect(open(`${fatima.address}x keypad ${keypad?.screen}`)).toBeUndefined();
    expect(open(`${fatima.address} keypad ${(keypad?.screen ?? 0) + 1}`)).toBeUndefined();
    expect(open(fatima.address)).toBeUndefined();
    const late = (keypad?.at ?? 0) + SEALED_MS + 1;
    expect(open(`${fatima.address} keypad ${keypad?.screen}`, late)).toBeUndefined();
  });

  test('a tap renews nothing, and after two minutes all of it is gone', async () => {
    const fatima = world.customer({ channel: 'telegram', status: 2 });
    await fatima.opens().sharesNumber().sees('onboarding.askNewPin');
    const first = fatima.reply().keypad?.keys;
    await tap(fatima, 1);
    await world.passes(SEALED_MS / 2);
    expect((await tap(fatima, 2)).keypad?.typed).toBe(2);
    await world.passes(SEALED_MS / 2 + 1);
    const after = await tap(fatima, 3);
    expect(after.keypad).toMatchObject({ typed: 0 });
    expect(after.keypad?.keys).not.toEqual(first);
  });

  test('is erased with the last digit, and when its screen is left', async () => {
    const fatima = atPin();
    await fatima;
    await tap(fatima, 0);
    expect((await world.session(fatima)).keypad).toBeDefined();
    await fatima.goes('menu').sees('menu.choose');
    expect((await world.session(fatima)).keypad).toBeUndefined();
    await fatima.chooses('balance').enters().sees('balance.shown');
    expect((await world.session(fatima)).keypad).toBeUndefined();
    expect(fatima.reply().keypad).toBeUndefined();
  });

  test.each([10, -1, 1.5, Number.NaN, 99])('there is no key at %s', async (position) => {
    const fatima = atPin();
    await fatima;
    expect((await tap(fatima, position)).keypad?.typed).toBe(0);
    expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(1);
  });

  test('two taps at the same moment are two digits', async () => {
    const fatima = atPin();
    await fatima;
    await Promise.all([tap(fatima, 1), tap(fatima, 2)]);
    expect((await tap(fatima, 'erase')).keypad?.typed).toBe(1);
  });

  test('a tap for another screen does not count', async () => {
    const fatima = atPin();
    await fatima;
    const reply = await tap(fatima, 1, fatima.reply().screenId - 1);
    expect(reply).toMatchObject({ stale: true, keypad: { typed: 0 } });
  });

  test('a tap does nothing on a screen without a keypad', async () => {
    const fatima = world.customer({ channel: 'telegram' });
    await fatima.isAtMenu();
    expect(await tap(fatima, 1)).toMatchObject({ screen: { key: 'menu.choose' } });
  });

  test('other channels have no keypad', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
    expect(fatima.reply().keypad).toBeUndefined();
  });

  test('a record contains the tap, but not its digit', async () => {
    const fatima = atPin();
    await fatima.enters('4321').isTold('pin.wrongWithTries');
    const turns = await world.store.turns(partitionOf(fatima.phone), 1_000);
    const records = turns.flatMap(({ record }) => readRecord(record) ?? []);
    const taps = records.filter(
      ({ address, from }) => address === fatima.address && from === 'balance.askingPin',
    );
    expect(taps.map(({ event }) => textOf(event))).toEqual(['tapped', 'tapped', 'tapped', 'tapped']);
    expect(JSON.stringify(taps)).not.toMatch(/position|keys/);
  });
});
