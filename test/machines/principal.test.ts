import { describe, expect, test } from 'vitest';
import { CHATS, testOn, theWorld } from '../kit/world.ts';
import { boundAtMenu, unbound } from './principal-orders.ts';

describe('the menu of a principal agent', () => {
  const world = theWorld({ bot: 'webhook' });

  testOn(CHATS)('is there for a number that is bound to it, on %s', async (channel) => {
    const salma = boundAtMenu(world, channel);
    await salma.chooses('principal').sees('principal.choose').says('1').sees('principal-float.askPin');
    await salma.goes('back').sees('principal.choose').goes('menu').says('10').sees('principal.choose');
  });

  test('is not on USSD, nor anybody else’s, nor there once the number is not bound any more', async () => {
    const salma = boundAtMenu(world);
    await salma.sees('menu.choose');
    const handset = world.dialer(salma);
    await handset.isAtMenu().says('10').isTold('nav.chooseOne');
    const karim = world.customer({ channel: 'web' });
    await karim.isAtMenu();
    expect(karim.reply().screen.choices?.some(({ id }) => id === 'principal')).toBe(false);

    await salma.chooses('principal').chooses('principal-agents').sees('principal-agents.list');
    await unbound(world, salma.phone);
    await salma.hears('principal.unbound');
    await salma.goes('back').sees('principal.choose');
    await salma.chooses('principal-float').enters().sees('principal-float.unavailable');
    await salma.isTold('problem.noPrincipal').goes('menu').sees('menu.choose');
    expect(salma.reply().screen.choices?.some(({ id }) => id === 'principal')).toBe(false);
  });

  test('goes with the wallet, and the next owner of the number acts for nobody', async () => {
    const salma = boundAtMenu(world);
    await salma.meanwhile(() => world.wallet.next('customerStatus', { kind: 'ok', value: { status: 0 } }));
    await salma.goes('menu').sees('linking.askPhone');
    expect((await world.engine.desk.principal?.numbers())?.map(({ phone }) => phone)).not.toContain(
      salma.phone,
    );
  });
});
