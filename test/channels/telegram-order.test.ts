import { describe, expect, test } from 'vitest';
import { centimes } from '../../src/wallet/money.ts';
import { createBotCustomer } from './bot-api/customer.ts';
import { theBotStage } from './bot-api/stage.ts';

describe.each(['sqlite', 'redis'] as const)(
  'a message that comes while something is shown in its chat, on %s',
  (store) => {
    const stage = theBotStage({ store });
    let operationId = 7_000;

    /** A customer whose chat is busy until `go`, and to whom a message is on its way. */
    async function inABusyChat() {
      const fatima = createBotCustomer(stage, stage.world.customer().phone);
      await fatima.isAtMenu();
      const gate = Promise.withResolvers<void>();
      const busy = stage.chatAt(fatima.address)?.inOrder(() => gate.promise);
      operationId++;
      const told = {
        as: 'money',
        operationId,
        to: fatima.phone,
        from: undefined,
        amount: centimes(3_000),
      } as const;
      await stage.world.engine.tellReceived(told);
      return {
        fatima,
        id: `received-${operationId}`,
        received: () => fatima.person.visible().filter(({ text }) => /Vous avez reçu/.test(text)).length,
        go: async () => {
          gate.resolve();
          await busy;
          await stage.world.rests();
        },
      };
    }

    test('is shown after it, and the next screen knows the chat as it is then', async () => {
      const { fatima, received, go } = await inABusyChat();
      expect(received()).toBe(0);
      await go();
      expect(received()).toBe(1);
      // The menu is not the last message any more: the next screen is a message of its own, and the menu loses its buttons.
      await fatima.chooses('balance').sees('balance.askPin');
      expect(fatima.person.menus()).toHaveLength(1);
      expect(received()).toBe(1);
    });

    test('is not shown once it has been seen', async () => {
      const { fatima, id, received, go } = await inABusyChat();
      await stage.world.engine.saw(fatima.address, [id]);
      await go();
      expect(received()).toBe(0);
      expect(await stage.world.engine.waiting(fatima.address)).toEqual([]);
    });

    test('is handed over once, however often its chat is woken', async () => {
      const { fatima, received, go } = await inABusyChat();
      const woken = Promise.all([1, 2, 3].map(() => stage.world.engine.wake(fatima.address)));
      await go();
      await woken;
      expect(received()).toBe(1);
    });
  },
);
