import { describe, expect, test } from 'vitest';
import { CHATS_ON, MINUTE_MS, STORES, theWorld } from '../kit/world.ts';

describe('what goes on or was done on another channel', () => {
  const world = theWorld();

  test.each([
    ['it was made', '100', 'menu.choose'],
    ['another amount was sent', '120', 'transfer.resumePayment'],
  ])(
    'a payment is offered on the phone unless it was made in a chat meanwhile: %s',
    async (_, amount, key) => {
      const fatima = world.customer();
      const chat = world.chatOf(fatima);
      await chat.isAtMenu();
      await fatima.isAtMenu().chooses('transfer').says('0655000000').says(amount);
      await fatima.sees('transfer.askPinOpenLoop');
      await world.passes(2 * MINUTE_MS);
      await chat.goes('menu').sees('transfer.resumePayment').says('envoyer 100 à 0655000000');
      await chat.enters().after(1_500).hears('transfer.done');
      await fatima.dials().sees(key);
    },
  );

  test('so it is the other way round', async () => {
    const fatima = world.customer();
    const chat = world.chatOf(fatima);
    await fatima.isAtMenu();
    await chat.isAtMenu().says('envoyer 100 à 0655000000').sees('transfer.askPinOpenLoop');
    await world.passes(2 * MINUTE_MS);
    await fatima.dials().sees('transfer.resumePayment').says('00').chooses('transfer').says('0655000000');
    await fatima.says('100').enters().sees('transfer.processing');
    await world.passes(2 * MINUTE_MS);
    await fatima.dials().sees('menu.choose');
  });

  test('an answer on the phone to what goes on in a chat reads so above the menu', async () => {
    const fatima = world.customer();
    const chat = world.chatOf(fatima);
    await chat.isAtMenu();
    await fatima.isAtMenu().chooses('transfer').says('0655000000').sees('transfer.askAmount');
    await world.passes(2 * MINUTE_MS);
    await chat.goes('menu').sees('transfer.resume').chooses('continue').sees('transfer.askAmount');
    await fatima.says('100').sees('menu.choose').isTold('resume.elsewhere').goes('menu').isToldNothing();
    await fatima.dials().sees('menu.choose').isToldNothing();
  });
});

describe.each(STORES)('a request interrupted on one channel goes on on another, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHATS_ON[store])('from the phone to %s', async (channel) => {
    const chat = world.customer({ channel });
    const fatima = world.dialer(chat);
    const youssef = world.customer();
    await chat.isAtMenu();
    await fatima.isAtMenu().chooses('transfer').says(youssef.phone).sees('transfer.askAmount');
    await world.passes(2 * MINUTE_MS);
    await chat.says('/start').sees('transfer.resume').chooses('continue').sees('transfer.askAmount');
    await chat.says('100').sees('transfer.askPin', { to: youssef.phone, amount: 10_000 }).enters();
    await chat.after(1_500).hears('transfer.done', { amount: 10_000 });
    // It is not offered a second time where it was begun.
    await fatima.dials().sees('menu.choose');
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
  });

  test.each(CHATS_ON[store])(
    'from %s to the phone, and the chat says so and answers old buttons with the menu',
    async (channel) => {
      const chat = world.customer({ channel });
      const fatima = world.dialer(chat);
      await chat.isAtMenu().says('recharge 50').sees('top-up.askNumber');
      await chat.says(fatima.phone).sees('top-up.chooseOperator');
      const asked = chat.reply().screenId;
      await world.passes(2 * MINUTE_MS);
      await fatima.dials().sees('language.choose').chooses(fatima.language).sees('menu.choose');
      await fatima.dials().sees('top-up.resume').chooses('continue').sees('top-up.chooseOperator');
      await chat.after(1_500).hears('resume.elsewhere');
      const press = { type: 'chose', choice: '2' } as const;
      const pressed = { address: chat.address, id: 'late', screenId: asked, inputs: [press] };
      expect((await world.engine.receive(pressed, 5_000)).screen.key).toBe('menu.choose');
      await fatima.chooses('2').sees('top-up.chooseProduct');
    },
  );

  test.each(CHATS_ON[store])(
    'a request refused on the phone stays in %s, and is not offered again',
    async (channel) => {
      const chat = world.customer({ channel });
      const fatima = world.dialer(chat);
      await chat.isAtMenu().says('recharge 50').says(fatima.phone).sees('top-up.chooseOperator');
      await world.passes(2 * MINUTE_MS);
      await fatima.dials().chooses(fatima.language);
      await fatima.dials().sees('top-up.resume').chooses('leave').sees('menu.choose');
      await fatima.dials().sees('menu.choose');
      await chat.hearsNothing().chooses('2').sees('top-up.chooseProduct');
    },
  );

  test.each(CHATS_ON[store])('"menu" at the offer in %s loses nothing on either channel', async (channel) => {
    const chat = world.customer({ channel });
    const fatima = world.dialer(chat);
    await chat.isAtMenu();
    await fatima.isAtMenu().chooses('transfer').says('0655000000').sees('transfer.askAmount');
    await world.passes(2 * MINUTE_MS);
    await chat.goes('menu').sees('transfer.resume').says('menu').sees('menu.choose');
    await chat.goes('menu').sees('transfer.resume').goes('help').sees('help.help');
    await chat.goes('back').sees('transfer.askAmount').says('100').sees('transfer.askPinOpenLoop');
    await fatima.dials().sees('menu.choose');
  });

  test('a request that went on in its first channel does not go on elsewhere as well', async () => {
    const fatima = world.customer();
    const chat = world.chatOf(fatima);
    await chat.isAtMenu();
    await fatima.isAtMenu().chooses('transfer').says('0655000000').sees('transfer.askAmount');
    await world.passes(2 * MINUTE_MS);
    await chat.goes('menu').sees('transfer.resume');
    await fatima.says('100').sees('transfer.askPinOpenLoop');
    await chat.chooses('continue').sees('menu.choose').isTold('nav.stale');
    await fatima.enters().sees('transfer.processing');
  });

  test.each(['menu', 'back'] as const)(
    '"%s" at the offer of the next dial leaves the request, and the help does not lead back into it',
    async (to) => {
      const fatima = world.customer().isAtMenu().chooses('transfer').says('0655000000').says('100');
      await fatima.sees('transfer.askPinOpenLoop').dials().sees('transfer.resumePayment');
      await fatima.goes(to).sees('menu.choose').chooses('help').sees('help.help');
      await fatima.chooses('continue').sees('menu.choose').goes('help').says('recharge 50');
      await fatima.sees('top-up.askNumber').dials().sees('menu.choose');
    },
  );
});

describe.each(STORES)('a request stays on its own channel, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHATS_ON[store])(
    'an old button in %s is answered with the menu after the request has expired',
    async (channel) => {
      const chat = world.customer({ channel }).isAtMenu().says('recharge 50').sees('top-up.askNumber');
      await chat;
      const pressed = { screenId: chat.reply().screenId, id: 'pressed', address: chat.address } as const;
      await world.passes(31 * MINUTE_MS);
      const incoming = { ...pressed, inputs: [{ type: 'chose', choice: 'own' }] } as const;
      expect((await world.engine.receive(incoming, 5_000)).screen.key).toBe('menu.choose');
      await world.passes(31 * MINUTE_MS);
      // The same press once more, which has done what it does: nothing says that the service does not respond.
      expect((await world.engine.receive(incoming, 5_000)).screen).toMatchObject({ key: 'nav.over' });
    },
  );

  test.each([
    ['somebody who is on the phone right now', 10_000, true, 'transfer.askAmount'],
    ['what was begun too long ago', 31 * MINUTE_MS, true, 'menu.choose'],
    ['a chat that is not linked', 2 * MINUTE_MS, false, 'transfer.resume'],
  ])('is not offered for %s', async (_, ms, isLinked, there) => {
    const fatima = world.customer();
    const chat = world.chatOf(fatima);
    if (isLinked) await chat.isAtMenu();
    await fatima.isAtMenu().chooses('transfer').says('0655000000').sees('transfer.askAmount');
    await world.passes(ms);
    if (isLinked) await chat.opens().sees('menu.choose');
    else await chat.arrives().sees('unlocking.askPin');
    if (there === 'transfer.askAmount') await fatima.goes('help').goes('back').sees(there);
    else await fatima.dials().sees(there);
  });

  test('is not offered past the PIN', async () => {
    const fatima = world.customer();
    const chat = world.chatOf(fatima);
    await chat.isAtMenu();
    await fatima.isAtMenu().chooses('transfer').says('0600000006').says('100').enters();
    await fatima.sees('transfer.processing');
    await world.passes(2 * MINUTE_MS);
    await chat.opens().sees('menu.choose');
  });
});
