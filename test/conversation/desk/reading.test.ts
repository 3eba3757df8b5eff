import { describe, expect, test } from 'vitest';
import type { Past } from '../../../src/conversation/desk/desk.ts';
import type { Address } from '../../../src/conversation/incoming.ts';
import type { TurnRecord } from '../../../src/conversation/record/record.ts';
import { partitionOf } from '../../../src/store/partition.ts';
import { Live } from '../../../src/support/live.ts';
import { textOf } from '../../kit/turn-text.ts';
import { MINUTE_MS, STORES, theWorld } from '../../kit/world.ts';
import { did, said, turn } from '../../support/records.ts';

describe.each(STORES)('the console reads a busy day, on %s', (store) => {
  const world = theWorld({ store });
  const desk = () => world.engine.desk;

  /** Records in a partition, a minute apart, the last one now: every third is this customer's. */
  async function busy(address: Address, partition: number, count: number): Promise<void> {
    const now = world.clock.now();
    for (let i = 0; i < count; i++) {
      const record = turn({
        address: i % 3 === 0 ? address : 'web:another',
        at: now - (count - 1 - i) * MINUTE_MS,
        event: said(`${i}`),
      });
      await world.store.commit(partition, { writes: [], turn: JSON.stringify(record) });
    }
  }

  test('a transcript goes back further than one page of its partition', async () => {
    const fatima = world.customer({ channel: 'ussd' });
    await busy(fatima.address, partitionOf(fatima.phone), 1_300);
    const read = await desk().turns(fatima.address, 400);
    expect(read).toHaveLength(400);
    expect([read[0]?.event, read.at(-1)?.event]).toEqual([said('1299'), said('102')]);
    expect(await desk().turns(fatima.address, 1_000)).toHaveLength(434);
  });

  test('the turns of a chat before it was linked are in its transcript, and come first in the past', async () => {
    const chats = Array.from({ length: 6 }, () => world.customer({ channel: 'web' }));
    // Half of their wallets are read before the chats' own partitions, and half after.
    for (const chat of chats) await chat.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    for (const { address } of chats) {
      const read = (await desk().turns(address, 100)).reverse();
      expect(read[0]).toMatchObject({ event: did({ type: 'opened' }), from: '' });
      expect(read.at(-1)).toMatchObject({ to: 'transfer.askingRecipient' });
    }
    const live = new Live(
      desk(),
      (address) => address,
      (error) => {
        throw error;
      },
    );
    await live.ready();
    for (const { address, phone } of chats)
      expect(live.board.row(address)).toMatchObject({ place: 'transfer.askingRecipient', wallet: phone });
    await live.close();
  });

  test('a chat in the same partition as its wallet is read like any other', async () => {
    let chat = world.customer({ channel: 'web' });
    while (partitionOf(chat.address) !== partitionOf(chat.phone)) chat = world.customer({ channel: 'web' });
    await chat.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    const events: string[] = [];
    for await (const { records } of desk().backlog(MINUTE_MS))
      events.push(
        ...records.filter(({ address }) => address === chat.address).map(({ event }) => textOf(event)),
      );
    expect([events[0], events.at(-1)]).toEqual(['opened', 'chose transfer']);
    expect(events).toHaveLength((await desk().turns(chat.address, 100)).length);
  });

  test('of each partition the last turns are read once, and the omission is named', async () => {
    const { phone } = world.customer({ channel: 'ussd' });
    await busy('web:often', partitionOf(phone), 500);
    const pasts: Past[] = [];
    for await (const past of desk().backlog(600 * MINUTE_MS)) pasts.push(past);
    const own = pasts.filter(({ records }) => records.some(({ address }) => address === 'web:often'));
    expect(own.map(({ records }) => records.length)).toEqual([400]);
    expect(own[0]?.records[0]?.event).toEqual(said('100'));
    expect(own[0]?.leftOutBefore).toBe(own[0]?.records[0]?.at);
    const late: Past[] = [];
    for await (const past of desk().backlog(300 * MINUTE_MS)) late.push(past);
    expect(late.filter(({ leftOutBefore }) => leftOutBefore !== undefined)).toEqual([]);
  });

  test('the past is read up to the requested time, the earliest first, from every partition', async () => {
    const partitions = [partitionOf(world.customer({ channel: 'ussd' }).phone)];
    while (partitions.length < 2) {
      const another = partitionOf(world.customer({ channel: 'ussd' }).phone);
      if (!partitions.includes(another)) partitions.push(another);
    }
    for (const partition of partitions) await busy('web:here', partition, 1_100);
    const read: TurnRecord[][] = [];
    for await (const { records } of desk().backlog(300 * MINUTE_MS)) read.push([...records]);
    const own = read.filter((records) => records.some(({ address }) => address === 'web:here'));
    expect(own).toHaveLength(2);
    for (const records of own) {
      expect(records.map(({ at }) => at)).toEqual(records.map(({ at }) => at).sort((a, b) => a - b));
      expect([records[0]?.event, records.at(-1)?.event]).toEqual([said('800'), said('1099')]);
    }
  });
});
