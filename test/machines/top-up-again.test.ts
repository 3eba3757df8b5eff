import { describe, expect, test } from 'vitest';
import type { Screen } from '../../machines/kit/screen.ts';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { type ChannelName, LANGUAGES } from '../../src/conversation/incoming.ts';
import { centimes } from '../../src/wallet/money.ts';
import { CHANNELS, type Customer, testOn, theWorld } from '../kit/world.ts';

describe('a number that was topped up before', () => {
  const world = theWorld({ bot: 'webhook' });
  const toppedUp = (channel: ChannelName, kind: string, amount = '50') =>
    world
      .customer({ channel, balance: '900' })
      .isAtMenu()
      .chooses('top-up')
      .chooses('me')
      .chooses('2')
      .says(amount)
      .chooses(kind)
      .enters()
      .after(3_600_000)
      .goes('menu');
  const asksAgain = (amount: string) => (fatima: Customer) =>
    fatima.chooses('top-up').chooses('me').sees('top-up.askAmount').says(amount);

  testOn(CHANNELS)('is asked for its amount alone, and its PIN names the rest, on %s', async (channel) => {
    const fatima = toppedUp(channel, 'classic');
    await fatima.walks(asksAgain('20')).sees('top-up.askPin', { operator: 'Orange', amount: 2_000 });
    await fatima.enters().sees('top-up.done', { operator: 'Orange', amount: 2_000, to: fatima.phone });
  });

  testOn(CHANNELS)('is topped up at another operator by one choice, on %s', async (channel) => {
    const fatima = toppedUp(channel, 'classic');
    await fatima.walks(asksAgain('20')).sees('top-up.askPin', { operator: 'Orange' });
    // The Arabic page of the PIN may have no room for that choice, which comes on the next one.
    if (channel === 'ussd' && pageOf(world.renderer, fatima.reply()).choices === 0) await fatima.says('98');
    await (channel === 'ussd' ? fatima.says('1') : fatima.chooses('operator')).sees('top-up.chooseOperator');
    await fatima.chooses('3').chooses('classic').sees('top-up.askPin', { operator: 'Inwi', amount: 2_000 });
    const offered = fatima.reply().screen.choices?.map(({ id }) => id);
    expect(offered, 'all of it was chosen').toEqual(['cancel']);
    await fatima.enters().sees('top-up.done', { operator: 'Inwi', amount: 2_000 });
    expect(world.wallet.told(fatima.phone, 'topUp').at(-1)).toMatchObject([{ operator: 3 }]);
  });

  testOn(CHANNELS)('may be the same top-up: 1, 2 and 3 are its three answers, on %s', async (channel) => {
    for (const [digit, sees] of [
      ['1', 'top-up.askPin'],
      ['2', 'pay.noSecond'],
      ['3', 'top-up.chooseOperator'],
    ] as const) {
      const fatima = toppedUp(channel, 'classic', '20');
      // The last top-up of an hour ago is no look-alike: one of a minute ago is.
      await fatima.walks(asksAgain('20')).enters().sees('top-up.done').after(60_000);
      await fatima.goes('menu').walks(asksAgain('20')).sees('top-up.confirmAgain').says(digit).sees(sees);
    }
  });

  test('gets the same product, or is asked where there is none for the amount', async () => {
    const fatima = world.customer({ balance: '900' });
    await fatima.isAtMenu().chooses('top-up').chooses('me').chooses('2');
    await fatima.says('50').sees('top-up.chooseProduct');
    const product = fatima.reply().screen.choices?.[1]?.id ?? '';
    await fatima.chooses(product).enters();
    await fatima.after(3_600_000).goes('menu').walks(asksAgain('50')).sees('top-up.askPin');
    expect(fatima.reply().screen.values?.pass).not.toEqual({ lines: [] });
    await fatima.goes('menu').walks(asksAgain('45')).sees('top-up.askPin');
    expect(fatima.reply().screen.values?.pass, 'no products at 45').toEqual({ lines: [] });
  });

  test.each(LANGUAGES)(
    'of a pass: the page of the PIN names pass, amount and number, in %s',
    async (language) => {
      const fatima = world.customer({ balance: '900', language });
      await fatima
        .isAtMenu()
        .chooses('top-up')
        .chooses('me')
        .chooses('1')
        .says('50')
        .sees('top-up.chooseProduct');
      const pass = fatima.reply().screen.choices?.[1];
      await fatima.chooses(pass?.id ?? '').enters();
      await fatima.after(3_600_000).goes('menu').walks(asksAgain('50')).sees('top-up.askPin');
      const { screen } = fatima.reply();
      const product: Screen = { key: 'top-up.product', values: screen.values ?? {}, expects: 'nothing' };
      const name = world.renderer.sms(product, language).text;
      // So it does below a mistake.
      for (const said of [screen, { ...screen, notice: { key: 'pin.format' } } as const]) {
        const { text, asked } = world.renderer.ussd(said, language, 0);
        expect(asked).toBe(true);
        for (const named of [name.slice(0, 7), '50', fatima.phone.slice(4)]) expect(text).toContain(named);
      }
    },
  );

  test('is asked for its operator where the last top-up failed', async () => {
    const fatima = world.customer({ balance: '900' });
    const failed = { id: 1, at: 1, amount: centimes(2_000), operator: 2, to: fatima.phone, status: 3 };
    world.wallet.next('topUps', { kind: 'ok', value: { entries: [failed] } });
    await fatima.isAtMenu().chooses('top-up').chooses('me').sees('top-up.chooseOperator');
  });

  test.each<[string, string[], string, Readonly<Record<string, unknown>>]>([
    ['*123*3*1#', ['3', '1'], 'top-up.chooseOperator', {}],
    ['*123*3*1*3#', ['3', '1', '3'], 'top-up.askAmount', {}],
    ['*123*3*1*3*20#', ['3', '1', '3', '20'], 'top-up.chooseProduct', { amount: 2_000 }],
  ])('means in a dial what it meant when that was learnt: %s', async (_, answers, screen, values) => {
    await toppedUp('ussd', 'classic')
      .dials(...answers)
      .sees(screen, values);
  });
});
