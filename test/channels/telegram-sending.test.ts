import { describe, expect, onTestFinished, test } from 'vitest';
import { type BotCustomer, createBotCustomer } from './bot-api/customer.ts';
import { theBotStage } from './bot-api/stage.ts';

const RECIPIENT = '0655000000';
const SHORT_MS = 50;
/** A transfer is open for longer than a machine stands still. */
const SETTLES_MS = 5_000;

/** A customer whose voucher takes its time. */
function aSlowVoucher(store: 'sqlite' | 'redis') {
  const stage = theBotStage({ store, settings: { settleAfterMs: SETTLES_MS } });
  const someone = () => createBotCustomer(stage, stage.world.customer({ balance: '900' }).phone).isAtMenu();
  const texts = ({ person }: BotCustomer) => person.visible().map(({ text }) => text);
  const withText = (customer: BotCustomer, text: RegExp) => texts(customer).filter((each) => text.test(each));

  /** A voucher that is being bought: the wallet answers when it is told to. */
  async function buying() {
    const fatima = someone() as BotCustomer;
    await fatima.chooses('shopping').chooses('voucher').chooses('1').chooses('article0').chooses('me');
    const call = stage.world.wallet.holds('buyVoucher');
    stage.patience.sendingMs = SHORT_MS;
    await fatima.enters().sees('voucher.processing');
    delete stage.patience.sendingMs;
    await call.reached;
    return { fatima, call };
  }

  return { stage, someone, texts, withText, buying };
}

describe.each(['sqlite', 'redis'] as const)('a payment that takes its time, on %s', (store) => {
  const { stage, texts, withText, buying } = aSlowVoucher(store);

  test('is said to be under way, and its outcome is a message of its own, as an edit does not notify', async () => {
    const { fatima, call } = await buying();
    const { id } = fatima.person.screen();
    expect(fatima.person.screen().text).toMatch(/^⏳/);
    call.go();
    await stage.world.rests();
    const outcome = fatima.person.visible().find(({ text }) => text.includes('✅'));
    expect(outcome).toMatchObject({ edits: 0 });
    expect(outcome?.id).toBeGreaterThan(id);
    expect(withText(fatima, /⏳/)).toEqual([]);
    // The code follows the sentence that announces it.
    expect(texts(fatima).at(-1)).toMatch(/^Le code de votre bon/);
    await fatima.goes('menu').sees('menu.choose');
  });

  test('a message meanwhile is answered below it, and the outcome replaces that answer', async () => {
    const { fatima, call } = await buying();
    const { id } = fatima.person.screen();
    await fatima.person.says('?');
    expect(withText(fatima, /^⏳/)).toHaveLength(1);
    expect(fatima.person.screen().id).toBeGreaterThan(id);
    call.go();
    await stage.world.rests();
    expect(withText(fatima, /⏳/)).toEqual([]);
    expect(texts(fatima).slice(-2)).toEqual([
      expect.stringMatching(/^✅/m),
      expect.stringMatching(/^Le code/),
    ]);
  });

  test('during a standstill of the store, the customer reads once that it is under way', async () => {
    const { fatima, call } = await buying();
    onTestFinished(() => {
      stage.world.weather.isDown = false;
    });
    stage.world.weather.isDown = true;
    void fatima.person.repeats();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(withText(fatima, /⏳/)).toHaveLength(1);
    void fatima.person.says('?');
    await expect.poll(() => withText(fatima, /Le service ne répond pas/)).toHaveLength(1);
    call.go();
    stage.world.weather.isDown = false;
    await expect.poll(() => withText(fatima, /^✅/m)).toHaveLength(1);
    await stage.world.rests();
    await expect.poll(() => withText(fatima, /⏳|Le service ne répond pas/)).toEqual([]);
  });
});

describe.each(['sqlite', 'redis'] as const)(
  'the outcome of a payment that takes its time, on %s',
  (store) => {
    const { stage, someone, texts, withText, buying } = aSlowVoucher(store);

    test('an outcome that was on its way to a turn as that was answered is pushed, and the code follows it', async () => {
      const fatima = someone() as BotCustomer;
      await fatima.chooses('shopping').chooses('voucher').chooses('1').chooses('article0').chooses('me');
      stage.world.weather.writesLate = '"state":"succeeded"';
      stage.patience.sendingMs = SHORT_MS;
      await fatima.enters().sees('voucher.processing');
      delete stage.patience.sendingMs;
      stage.world.weather.isDown = false;
      await stage.world.rests();
      expect(texts(fatima).slice(-2)).toEqual([
        expect.stringMatching(/^✅/m),
        expect.stringMatching(/^Le code/),
      ]);
    });

    test('a store that takes no note of a screen is no reason to show it again', async () => {
      const { fatima, call } = await buying();
      stage.world.weather.isFull = true;
      await fatima.person.says('?');
      expect(withText(fatima, /^⏳/)).toHaveLength(1);
      delete stage.world.weather.isFull;
      call.go();
      await stage.world.rests();
      expect(withText(fatima, /✅/)).toHaveLength(1);
    });

    test('an outcome that a turn has shown, before its turn to be delivered came, is not said once more', async () => {
      const { fatima, call } = await buying();
      const { address } = fatima;
      const { engine } = stage.world;
      const gate = Promise.withResolvers<void>();
      const busy = stage.chatAt(address)?.inOrder(() => gate.promise);
      call.go();
      await expect.poll(() => stage.world.session(fatima).then(({ underway }) => underway)).toBeUndefined();
      const opened = await engine.receive(
        { address, id: `opened ${store}`, inputs: [{ type: 'opened' }] },
        5_000,
      );
      expect(opened.screen.key).toBe('voucher.done');
      await engine.screenShown(address, opened.screenId, opened.view, opened);
      gate.resolve();
      await busy;
      await stage.world.rests();
      expect(withText(fatima, /✅/)).toEqual([]);
      expect(withText(fatima, /^Le code/)).toHaveLength(1);
    });

    test('the menu that is asked for as the outcome comes is shown below it', async () => {
      const fatima = someone() as BotCustomer;
      await fatima.chooses('transfer').says(RECIPIENT).says('100');
      await fatima.enters().sees('transfer.processing');
      const gate = Promise.withResolvers<void>();
      const busy = stage.chatAt(fatima.address)?.inOrder(() => gate.promise);
      const asked = fatima.person.says('/menu');
      stage.world.clock.ahead += SETTLES_MS + 1_000;
      await stage.world.sandbox.settle();
      await stage.world.settles();
      await expect.poll(() => stage.world.session(fatima).then(({ outbox = [] }) => outbox.length)).toBe(1);
      gate.resolve();
      await Promise.all([busy, asked]);
      await stage.world.rests();
      expect(texts(fatima).slice(-2)).toEqual([
        expect.stringMatching(/^✅/m),
        expect.stringMatching(/^Que souhaitez-vous faire/),
      ]);
      expect(fatima.person.menus()).toHaveLength(1);
    });
  },
);
