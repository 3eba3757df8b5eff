import { describe, expect, test } from 'vitest';
import { startOver } from '../../../src/conversation/desk/freezing.ts';
import { walletCodec, walletKey } from '../../../src/conversation/session/wallet-doc.ts';
import { partitionOf } from '../../../src/store/partition.ts';
import { readDocs } from '../../../src/store/update.ts';
import { type Customer, NADIA, OMAR, STORES, theWorld } from '../../kit/world.ts';

const WHY = 'seen at the office, with their card: PIN 1234';
const pays = (customer: Customer) => customer.says('/transfer').says('0655000000').says('100');

function supportOn(store: (typeof STORES)[number]) {
  const world = theWorld({ store });
  const desk = () => world.engine.desk;
  const frozenOf = async ({ address }: Customer) => (await desk().session(address))?.frozen;
  const thawedByTwo = async (fatima: Customer) => {
    await desk().proposeThaw(fatima.phone, NADIA, WHY);
    const { at = 0 } = (await frozenOf(fatima))?.proposal ?? {};
    expect(await desk().approveThaw(fatima.phone, OMAR, at)).toBe('done');
  };
  return { world, desk, frozenOf, thawedByTwo };
}

describe.each(STORES)('support freezes a wallet, on %s', (store) => {
  const { world, desk, frozenOf, thawedByTwo } = supportOn(store);

  test('its customer is told, cannot thaw it, and pays again once two agents agree', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    expect(await desk().freeze(fatima.phone, NADIA)).toBe('done');
    await fatima.hears('freeze.bySupport');
    await pays(fatima).sees('freeze.stopped').chooses('thaw').sees('freeze.bySupport');
    // They have no card to suspend, and cannot thaw it: a person can.
    await fatima.offers('adviser');

    expect(await desk().approveThaw(fatima.phone, OMAR, 0)).toBe('notNow');
    expect(await desk().proposeThaw(fatima.phone, NADIA, WHY)).toBe('done');
    expect(await desk().proposeThaw(fatima.phone, OMAR, WHY)).toBe('notNow');
    const { proposal } = (await frozenOf(fatima)) ?? {};
    expect(proposal?.reason).not.toContain('1234');
    const { at = 0 } = proposal ?? {};
    expect(await desk().approveThaw(fatima.phone, NADIA, at)).toBe('sameAgent');
    expect(await desk().approveThaw(fatima.phone, OMAR, at - 1)).toBe('notNow');
    await pays(fatima).sees('freeze.stopped');
    expect(await desk().approveThaw(fatima.phone, OMAR, at)).toBe('done');
    await fatima.hears('freeze.thawed');
    await pays(fatima).sees('transfer.askPinOpenLoop');
    expect(await desk().approveThaw(fatima.phone, OMAR, at)).toBe('notNow');
  });

  test.each(['ussd', 'web'] as const)(
    'its customer is offered no thaw but a contact, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await fatima.isAtMenu();
      await desk().freeze(fatima.phone, NADIA);
      await fatima.goes('menu').isTold('freeze.stillBySupport');
      const labels = () => fatima.reply().screen.choices?.map(({ key }) => key);
      await fatima.says(channel === 'ussd' ? '1' : 'envoyer').sees('freeze.stopped');
      expect(labels()).toEqual(['freeze.why', 'pay.cancel']);
      await fatima.chooses('thaw').sees('freeze.bySupport').goes('help').sees('help.help');
      expect(labels()?.[0]).toBe('freeze.why');
      await fatima.chooses('freeze').sees('freeze.bySupport');
    },
  );

  test.each(['never dialled', 'dialled meanwhile'])(
    'after the thaw no text calls it frozen: %s',
    async (who) => {
      const fatima = world.customer();
      await fatima.isAtMenu();
      await desk().freeze(fatima.phone, NADIA);
      if (who !== 'never dialled') await fatima.dials().isTold('freeze.bySupport');
      await thawedByTwo(fatima);
      const told = () => fatima.reply().missed.map(({ screen }) => screen.key);
      await fatima.dials();
      expect(told()).toEqual(['freeze.thawed']);
      await desk().freeze(fatima.phone, OMAR);
      await fatima.dials();
      expect(told()).toEqual(['freeze.bySupport']);
    },
  );

  test('a question from the time of the freeze does not call it frozen after the thaw', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    await desk().freeze(fatima.phone, NADIA);
    await fatima.goes('menu').isTold('freeze.stillBySupport');
    await thawedByTwo(fatima);
    await fatima.hears('freeze.thawed').opens().sees('menu.choose').isToldNothing();
  });

  test('a screen with the offer to freeze leads to the menu after the thaw, and freezes nothing', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    await desk().freeze(fatima.phone, NADIA);
    await pays(fatima).sees('freeze.stopped');
    await thawedByTwo(fatima);
    await fatima.hears('freeze.thawed').opens().sees('freeze.over').chooses('thaw').sees('menu.choose');
    expect(await frozenOf(fatima)).toBeUndefined();
    await desk().freeze(fatima.phone, NADIA);
    await pays(fatima).chooses('thaw').sees('freeze.bySupport');
    await thawedByTwo(fatima);
    await fatima.opens().sees('freeze.over');
  });
});

describe.each(STORES)('support and the customer freeze a wallet, on %s', (store) => {
  const { world, desk, frozenOf } = supportOn(store);

  test('over a freeze of the customer, whose own code no longer thaws it', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().says('geler').chooses('thaw').enters().sees('freeze.askCode');
    expect(await desk().freeze(fatima.phone, NADIA)).toBe('done');
    expect(await desk().freeze(fatima.phone, OMAR)).toBe('notNow');
    const [code = ''] = world.sms(fatima.phone).flatMap((sms) => sms.match(/\d{3}-\d{3}/g) ?? []);
    await fatima.hears('freeze.bySupport');
    await fatima.says(code).sees('freeze.bySupport').isTold('problem.frozen');
    await pays(fatima).sees('freeze.stopped');
  });

  test('a customer in the middle of a thaw is asked nothing more once support has frozen as well', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().says('geler').chooses('thaw').sees('freeze.askPin');
    expect(await desk().freeze(fatima.phone, NADIA)).toBe('done');
    await fatima.dials().sees('menu.choose').isTold('freeze.stillBySupport');
  });

  test('a customer who starts over in the simulator is not frozen, and waits for nothing', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().says('geler').sees('freeze.frozen').chooses('thaw');
    expect(await desk().freeze(fatima.phone, NADIA)).toBe('done');
    for (let i = 0; i < 2; i++) await fatima.goes('menu').chooses('balance').enters('9999');
    await startOver(world.store, fatima.phone);
    const [doc] = await readDocs(world.store, partitionOf(fatima.phone), [walletKey(fatima.phone)]);
    const value = walletCodec.read(doc);
    expect(value).not.toHaveProperty('safety');
    expect(value).not.toHaveProperty('pinTries');
    await pays(fatima.dials()).sees('transfer.askPinOpenLoop');
  });

  test('a proposal is taken back, and two agents can thaw a freeze of the customer as well', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().says('geler').sees('freeze.frozen');
    expect(await desk().withdrawThaw(fatima.phone, OMAR)).toBe('notNow');
    await desk().proposeThaw(fatima.phone, NADIA, WHY);
    expect(await desk().withdrawThaw(fatima.phone, OMAR)).toBe('done');
    expect(await frozenOf(fatima)).toEqual({ at: expect.any(Number) });
    await desk().proposeThaw(fatima.phone, NADIA, WHY);
    const { at = 0 } = (await frozenOf(fatima))?.proposal ?? {};
    expect(await desk().approveThaw(fatima.phone, OMAR, at)).toBe('done');
    expect(await frozenOf(fatima)).toBeUndefined();
  });
});
