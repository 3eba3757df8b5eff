import { describe, expect, test } from 'vitest';
import type { Session } from '../../src/conversation/session/session.ts';
import { createSessions, sessionWrite } from '../../src/conversation/session/sessions.ts';
import { type Customer, RECIPIENT, STORES, theWorld } from '../kit/world.ts';

describe.each(STORES)('a conversation of another version of Wasl, on %s', (store) => {
  const world = theWorld({ store });

  /** Writes a session as another version would have left it. */
  async function left(customer: Customer, change: (session: Session) => Session): Promise<void> {
    const loaded = await createSessions(world.store).load(customer.address, world.clock.now());
    const write = sessionWrite({ ...loaded, session: change(loaded.session) });
    expect(await world.store.commit(loaded.partition, { writes: [write] })).toBe(true);
  }
  const conversation = (facts: Partial<NonNullable<Session['conversation']>>) => (session: Session) =>
    session.conversation ? { ...session, conversation: { ...session.conversation, ...facts } } : session;

  const CHANGES: [string, (session: Session) => Session][] = [
    ['an older version', conversation({ version: '0' })],
    ['a newer version', conversation({ version: '999' })],
    ['a state that is gone', conversation({ state: 'askingReason' })],
    ['a machine that is gone', conversation({ machine: 'lottery' })],
  ];

  test.each(CHANGES)('%s: at the menu, with a sentence, and the answer is not misread', async (_, change) => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).says('100').sees('transfer.askPinOpenLoop');
    await left(fatima, change);
    await fatima.says('1').sees('menu.choose').isTold('nav.expired');
    await fatima.chooses('balance').sees('balance.askPin');
    expect(world.errors).toEqual([]);
  });

  test.each(CHANGES)('%s: a typed PIN is not accepted', async (_, change) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('balance');
    await left(fatima, change);
    await fatima.enters().sees('menu.choose').isTold('nav.expired');
    expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(1);
  });

  test.each(CHANGES)(
    '%s: with money under way the customer does not read that nothing was debited',
    async (_, change) => {
      const fatima = world.customer({ channel: 'web' });
      await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).says('100');
      await fatima.enters().sees('transfer.processing');
      await left(fatima, change);
      await fatima.says('bonjour').sees('menu.choose').isTold('transfer.notConfirmed');
      await fatima.after(1_500).hears('transfer.done', { amount: 10_000 });
    },
  );

  test.each(CHANGES)('%s, suspended for help', async (_, change) => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).goes('help').sees('help.help');
    await left(fatima, (session) => {
      const { conversation: aside } = change({
        ...session,
        ...(session.suspended && { conversation: session.suspended }),
      });
      return { ...session, ...(aside && { suspended: aside }) };
    });
    await fatima.says('4').sees('menu.choose');
    expect(world.errors).toEqual([]);
  });

  test.each(CHANGES)('%s: a dial and a reload lead to the menu', async (_, change) => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT);
    await left(fatima, change);
    await fatima.dials().sees('menu.choose');
    const chat = world.customer({ channel: 'web' });
    await chat.isAtMenu().chooses('transfer').says(RECIPIENT);
    await left(chat, change);
    await chat.opens().sees('menu.choose');
  });

  test.each(CHANGES)('%s: its timers and its end do no harm', async (_, change) => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('balance');
    await left(fatima, change);
    await world.passes(31 * 60_000);
    await fatima.says('1').sees('menu.choose');
    expect(world.errors).toEqual([]);
  });
});
