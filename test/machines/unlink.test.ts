import { describe, expect, test } from 'vitest';
import { partitionOf } from '../../src/store/partition.ts';
import { PARTITIONS } from '../../src/store/store.ts';
import { CHATS, CHATS_ON, DAY_MS, STORES, testOn, theWorld } from '../kit/world.ts';

describe.each(STORES)('unlinking a chat, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHATS_ON[store])('forgets whose it was, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu();
    const { reader } = fatima.reply();
    expect(reader).toBeDefined();
    await fatima.chooses('account').chooses('unlink').sees('unlink.confirm', { phone: fatima.phone });
    await fatima.chooses('unlink').sees('linking.askPhone').isTold('unlink.unlinked');
    const session = await world.session(fatima);
    expect([session.wallet, session.linked, session.consent]).toEqual([undefined, undefined, undefined]);
    expect(fatima.reply().reader).toBeUndefined();
    await fatima.arrives().enters().sees('menu.choose');
    expect(fatima.reply().reader).toBe(reader);
    const tablet = world.chatOf(fatima);
    await tablet.isAtMenu();
    expect(tablet.reply().reader).not.toBe(reader);
  });

  test('incoming money is told elsewhere and not there', async () => {
    const youssef = world.customer({ channel: 'web' });
    const tablet = world.chatOf(youssef);
    await youssef.isAtMenu();
    await tablet.isAtMenu().chooses('account').chooses('unlink').chooses('unlink').sees('linking.askPhone');
    await world.customer().isAtMenu().chooses('transfer').says(youssef.phone).says('100').enters();
    await youssef.after(1_500).hears('received.from', { amount: 10_000 });
    await tablet.hearsNothing();
  });

  const partitionNow = async ({ address }: { address: string }) => {
    const found = await Promise.all(
      Array.from({ length: PARTITIONS }, async (_, partition) => {
        const [doc] = await world.store.read(partition, [`session:${address}`]);
        return doc ? [partition] : [];
      }),
    );
    expect(found.flat()).toHaveLength(1);
    return found.flat()[0];
  };

  testOn(CHATS)('the same wallet, or another one, can be linked again, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    const leaves = () =>
      fatima.chooses('account').chooses('unlink').chooses('unlink').sees('linking.askPhone');
    await fatima.isAtMenu();
    await leaves()
      .says(fatima.phone)
      .entersCodeFromSms()
      .sees('unlocking.askPin')
      .enters()
      .sees('menu.choose');
    await leaves();
    for (let i = 0; i < 4; i++) {
      const other = world.customer();
      const before = (await partitionNow(fatima)) as number;
      await fatima.says(other.phone).sees('linking.askCode');
      const code = /\d{3}-\d{3}/.exec(world.sms(other.phone).at(-1) ?? '')?.[0] ?? '';
      await fatima.says(code).sees('unlocking.askPin', { phone: other.phone }).enters().sees('menu.choose');
      expect((await world.session(fatima)).wallet).toBe(other.phone);
      // The session moved: nothing of it stays with the wallet of before.
      const key = `session:${fatima.address}`;
      if (before !== partitionOf(other.phone))
        expect(await world.store.read(before, [key])).toEqual([undefined]);
      await fatima.after(3_600_000).opens();
      await leaves();
    }
    await world.passes(DAY_MS);
    expect(world.errors).toEqual([]);
  });
});

describe('unlinking', () => {
  const world = theWorld();

  test.each(['keep', 'back'] as const)('can be left: %s', async (way) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('account').chooses('unlink');
    await (way === 'keep' ? fatima.chooses('keep') : fatima.goes('back')).sees('account.choose');
    expect((await world.session(fatima)).linked).toBe(true);
  });

  test('is not offered on USSD, where the SIM is the link', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('account').sees('account.choose').offersNo('unlink');
  });
});

describe('a link', () => {
  const world = theWorld({ bot: 'webhook' });

  test.each([
    [29, 'menu.choose'],
    [31, 'unlocking.askPin'],
  ] as const)('after %i days without use: %s', async (days, key) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().after(days * DAY_MS);
    await fatima.opens().sees(key);
  });

  test('hears nothing of the wallet after long disuse, until the PIN is entered again', async () => {
    const youssef = world.customer({ channel: 'web' });
    await youssef.isAtMenu().after(31 * DAY_MS);
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('transfer').says(youssef.phone).says('100').enters();
    await youssef.after(1_500).hearsNothing().opens().sees('unlocking.askPin').enters().sees('menu.choose');
  });

  test('on USSD has no end: the SIM is asked every time', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().after(80 * DAY_MS);
    await fatima.dials().sees('menu.choose');
  });

  test('made again after it was unlinked is a new one', async () => {
    const fatima = world.customer({ channel: 'web' });
    const tablet = world.chatOf(fatima);
    await fatima.isAtMenu();
    await tablet.isAtMenu();
    await fatima.hears('linking.linkedElsewhere').hearsNothing();
    await tablet.chooses('account').chooses('unlink').chooses('unlink');
    await tablet.says(fatima.phone).entersCodeFromSms().enters().sees('menu.choose');
    await fatima.hears('linking.linkedElsewhere');
  });

  testOn(CHATS)('of a second chat is told to the first, and not to itself, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    const phone = world.chatOf(fatima);
    await fatima.isAtMenu().hearsNothing();
    await phone.isAtMenu();
    await fatima.hears('linking.linkedElsewhere').hearsNothing();
    await phone.hearsNothing();
  });

  test('made again by PIN is no new one', async () => {
    const fatima = world.customer({ channel: 'web' });
    const phone = world.chatOf(fatima);
    await fatima.isAtMenu();
    await phone.isAtMenu();
    await fatima.hears('linking.linkedElsewhere').after(20 * DAY_MS);
    await fatima.opens().sees('menu.choose');
    await world.passes(11 * DAY_MS);
    await phone.opens().sees('unlocking.askPin').enters().sees('menu.choose');
    await fatima.hearsNothing();
  });
});
