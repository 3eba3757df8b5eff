import { describe, expect, test } from 'vitest';
import { type Abilities, CHANNEL_NAMES, CHANNELS } from '../../src/conversation/channel.ts';
import { addTestChannel, inTestChannel } from '../kit/test-channel.ts';
import { type Customer, PIN, theWorld } from '../kit/world.ts';

addTestChannel('keeping', { erasesTyped: false, secretBy: ['form'] });
addTestChannel('erasing');

describe('in a chat that cannot erase what was typed', () => {
  const world = theWorld();
  /** As the form does it. */
  const givesOnForm = (chat: Customer) =>
    chat.meanwhile(() =>
      world.engine.receive(
        {
          address: chat.address,
          id: `form-${PIN}`,
          screenId: chat.reply().screenId,
          inputs: [{ type: 'secret', secret: PIN }],
          elsewhere: true,
        },
        15_000,
      ),
    );
  const chatAtPin = async () => {
    const chat = inTestChannel(world, world.customer(), 'keeping');
    await chat.arrives().sees('unlocking.askPin');
    return { chat };
  };

  test('a typed PIN is refused, its customer is told, and the wallet is not asked', async () => {
    const { chat } = await chatAtPin();
    const asked = world.sandbox.requests().length;
    await chat.says(PIN).sees('unlocking.askPin').isTold('nav.pinStays');
    await chat.says('١٢٣٤').sees('unlocking.askPin').isTold('nav.pinStays');
    await chat.says('12').sees('unlocking.askPin').isTold('nav.pinStays');
    expect(world.sandbox.requests().length).toBe(asked);
    await givesOnForm(chat);
    await chat.goes('menu').sees('menu.choose');
  });

  test('nothing of it is kept: not in the session, not in the record of the turn', async () => {
    const { chat } = await chatAtPin();
    await chat.says('8642').isTold('nav.pinStays');
    const turns = await world.engine.desk.turns(chat.address, 10);
    expect(turns[0]?.event).toMatchObject({ kind: 'input', unclear: true });
    expect(JSON.stringify([turns, await world.engine.desk.session(chat.address)])).not.toContain('8642');
  });

  test('a PIN that nobody asks for is refused as well, and an amount of four digits is not', async () => {
    const { chat } = await chatAtPin();
    await givesOnForm(chat);
    await chat.goes('menu').says(PIN).sees('menu.choose').isTold('nav.pinStays');
    await chat.chooses('transfer').says('0655000000').sees('transfer.askAmount').says('1234');
    expect(chat.reply().screen.notice?.key).not.toBe('nav.pinStays');
  });
});

describe('in a chat that erases what was typed', () => {
  const world = theWorld();

  test('a typed PIN is taken', async () => {
    const chat = inTestChannel(world, world.customer(), 'erasing');
    await chat.arrives().sees('unlocking.askPin').says(PIN).sees('menu.choose');
  });
});

test.each(CHANNEL_NAMES)('%s has a way to give a PIN that leaves nothing in the chat', (name) => {
  const { erasesTyped, secretBy }: Abilities = CHANNELS[name];
  expect(erasesTyped || secretBy.some((by) => by === 'form' || by === 'keypad')).toBe(true);
});
