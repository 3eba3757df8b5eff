import { afterEach, describe, expect, test } from 'vitest';
import type { Address, Delivery, ProviderStatus, Push } from '../../src/conversation/incoming.ts';
import { PARTITIONS } from '../../src/store/store.ts';
import { addTestChannel, inTestChannel } from '../kit/test-channel.ts';
import { type Customer, theWorld } from '../kit/world.ts';

addTestChannel('telling', { pushes: 'always' });

/** A provider that accepts messages under ids of its own, and can lose an answer. */
function createProvider() {
  const handed: { readonly address: Address; readonly key: string; readonly notice: string | undefined }[] =
    [];
  const next: Delivery[] = [];
  return {
    handed,
    next,
    /** Happens while a message is being handed over, before its answer. */
    meanwhile: undefined as ((id: string) => Promise<void>) | undefined,
    async deliver(address: Address, { screen }: Push): Promise<Delivery> {
      handed.push({ address, key: screen.key, notice: screen.notice?.key });
      const as = `p${handed.length}`;
      await this.meanwhile?.(as);
      return next.shift() ?? { status: 'accepted', as };
    },
  };
}

describe('a provider that accepts a message and says later what has become of it', () => {
  const provider = createProvider();
  const world = theWorld({ deliver: (address, push) => provider.deliver(address, push) });
  const gets = async (chat: Customer) => {
    const sender = world.customer();
    await sender.isAtMenu();
    await sender.chooses('transfer').says(chat.phone).says('20').enters();
    // As long as the wallet takes to settle it.
    await world.passes(1_000);
    expect(provider.handed).toHaveLength(1);
  };
  /** A chat that was told of money. */
  const told = async (...answers: readonly Delivery[]) => {
    const chat = inTestChannel(world, world.customer(), 'telling');
    await chat.isAtMenu();
    provider.next.push(...answers);
    await gets(chat);
    return { chat };
  };
  const comes = (chat: Customer, ...statuses: readonly ProviderStatus[]) =>
    statuses.reduce(
      (done, status) => done.then(() => world.engine.statusCame(chat.address, 'p1', status)),
      Promise.resolve(),
    );
  /** How often the message was handed over once its customer has written twice and an hour has passed. */
  const timesSaid = async (chat: Customer) => {
    await chat.goes('menu').goes('menu');
    await world.passes(3_600_000);
    return provider.handed.length;
  };

  afterEach(() => {
    provider.handed.length = 0;
    provider.next.length = 0;
    provider.meanwhile = undefined;
  });

  test.each<readonly [statuses: readonly ProviderStatus[], said: number]>([
    [[], 1],
    [['delivered'], 1],
    [['read'], 1],
    [['delivered', 'read'], 1],
    [['read', 'delivered'], 1],
    [['delivered', 'delivered'], 1],
    [['failed'], 2],
    [['failed', 'failed'], 2],
    [['delivered', 'failed'], 1],
    [['failed', 'delivered'], 1],
    [['failed', 'read', 'failed'], 1],
  ])('after the answer come %j: it is said %i times', async (statuses, said) => {
    const { chat } = await told();
    await comes(chat, ...statuses);
    expect(await timesSaid(chat)).toBe(said);
  });

  test.each<readonly [statuses: readonly ProviderStatus[], said: number]>([
    [['delivered'], 1],
    [['failed'], 2],
    [['read', 'failed'], 1],
    [['failed', 'delivered'], 1],
  ])('before the answer come %j: it is said %i times', async (statuses, said) => {
    const chat = inTestChannel(world, world.customer(), 'telling');
    await chat.isAtMenu();
    provider.meanwhile = async (id) => {
      provider.meanwhile = undefined;
      for (const status of statuses) await world.engine.statusCame(chat.address, id, status);
    };
    await gets(chat);
    expect(await timesSaid(chat)).toBe(said);
  });

  test('each new status is in the records, and a repeated one is not', async () => {
    const { chat } = await told();
    expect((await world.engine.desk.session(chat.address))?.waiting, 'its provider has it').toBe(0);
    await comes(chat, 'failed', 'failed', 'read', 'read');
    const streams = Array.from({ length: PARTITIONS }, (_, partition) => world.store.turns(partition, 100));
    const records = (await Promise.all(streams)).flat().map(({ record }) => JSON.parse(record));
    const own = records.filter(({ event, address }) => event.kind === 'delivery' && address === chat.address);
    expect(own.map(({ event }) => event.outcome).toSorted()).toEqual(['accepted', 'failed', 'read']);
  });

  test('a status of a message that nobody knows changes nothing, and is forgotten with the next ones', async () => {
    const { chat } = await told();
    for (let i = 0; i < 30; i++) await world.engine.statusCame(chat.address, `other-${i}`, 'failed');
    await world.engine.statusCame('telling:nobody' as Address, 'p1', 'failed');
    expect(await world.engine.desk.session('telling:nobody' as Address)).toBeUndefined();
    expect(await timesSaid(chat)).toBe(1);
  });

  test('a lost answer about money received: it is not sent again by itself, and comes as a reminder', async () => {
    const { chat } = await told('unknown');
    await world.passes(3_600_000);
    expect(provider.handed.map(({ notice }) => notice)).toEqual([undefined]);
    expect(await timesSaid(chat)).toBe(2);
    expect(provider.handed.map(({ notice }) => notice)).toEqual([undefined, 'nav.again']);
  });

  test('a lost answer, and then its status by our own id of the message: it is not said again', async () => {
    const { chat } = await told('unknown');
    const [message] = (await world.session(chat)).outbox ?? [];
    await world.engine.statusCame(chat.address, message?.id ?? '', 'delivered');
    expect(await timesSaid(chat)).toBe(1);
  });
});
