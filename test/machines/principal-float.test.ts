import { describe, expect, test } from 'vitest';
import { CHATS, LOST, testOn, theWorld } from '../kit/world.ts';
import { boundAtMenu } from './principal-orders.ts';

describe('the float of a principal agent', () => {
  const world = theWorld({ bot: 'webhook' });

  testOn(CHATS)(
    'is read with the PIN, and loaded by a reference for the bill network, %s',
    async (channel) => {
      const salma = boundAtMenu(world, channel).chooses('principal').chooses('principal-float');
      await salma.sees('principal-float.askPin').enters();
      await salma.sees('principal-float.shown', { code: 'PA-1001', amount: world.sandbox.float() });
      await salma.chooses('load').says('500').sees('principal-float.given', { amount: 50_000 });
      const { reference } = salma.reply().screen.values ?? {};
      const given = reference && 'code' in reference ? reference.code : '';
      const [open] = world.sandbox.references().filter((each) => each.reference === given);
      expect(open).toMatchObject({ amount: 500, phone: null, billNetwork: true, status: 1 });
    },
  );

  test('may not be readable, nor the reference come', async () => {
    const salma = boundAtMenu(world).chooses('principal').chooses('principal-float').enters();
    await salma.sees('principal-float.shown').chooses('load');
    await salma.meanwhile(() => world.wallet.next('requestFloat', LOST)).says('500');
    await salma.sees('principal-float.askAmount').isTold('principal-float.notMade');
    await salma.meanwhile(() => world.wallet.next('principalAgent', LOST)).goes('back');
    await salma.sees('principal-float.unavailable');
  });
});
