import { describe, expect, test } from 'vitest';
import { CONVERSATION_IDLE_MS } from '../../src/conversation/session/session.ts';
import { type Customer, RECIPIENT, STORES, theWorld } from '../kit/world.ts';

const atPin = (customer: Customer) =>
  customer.isAtMenu().chooses('transfer').says(RECIPIENT).says('100').sees('transfer.askPinOpenLoop');

describe.each(STORES)('a repeated input, on %s', (store) => {
  const world = theWorld({ store });

  test('changes nothing and shows the same screen', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('transfer').repeats().sees('transfer.askRecipient').repeats();
    await fatima.sees('transfer.askRecipient').says(RECIPIENT).repeats().sees('transfer.askAmount');
    await fatima.says('1.500').isTold('amount.ambiguous').repeats().isTold('amount.ambiguous');
  });

  test('is recognised after others came in between', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    const first = {
      address: fatima.address,
      id: 'once',
      inputs: [{ type: 'chose', choice: 'transfer' }],
    } as const;
    await world.engine.receive(first, 5_000);
    await fatima.says(RECIPIENT).says('100').sees('transfer.askPinOpenLoop');
    const { screen } = await world.engine.receive(first, 5_000);
    expect(screen.key).toBe('transfer.askPinOpenLoop');
  });

  test('a PIN is tried once', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('balance').enters('4321').repeats().repeats();
    await fatima.sees('balance.askPin').isTold('pin.wrongWithTries', { count: 2 });
    expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(1);
  });

  test('money is sent once', async () => {
    const fatima = world.customer();
    await fatima.walks(atPin).enters().repeats().repeats().sees('transfer.processing');
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
  });

  test('during a running call it shows the same, and the call is not made again', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('balance');
    const pin = { address: fatima.address, id: 'pin', inputs: [{ type: 'said', text: '1234' }] } as const;
    const call = world.wallet.holds('login');
    const turn = world.engine.receive(pin, 5_000);
    await call.reached;
    const meanwhile = await world.engine.receive(pin, 5_000);
    expect(meanwhile.screen.key).toBe('pin.checking');
    const other = await world.engine.receive({ ...pin, id: 'other' }, 5_000);
    expect(other.screen.key).toBe('pin.checking');
    call.go();
    expect((await turn).screen.key).toBe('balance.shown');
    expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(2);
  });
});

const world = theWorld();

describe('after a conversation was left', () => {
  const DAY_MS = 24 * 3_600_000;

  test.each([
    ['ussd', 0],
    ['web', 1],
  ] as const)('on %s the names of %i inputs are stored, and no dialog', async (channel, names) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).sees('transfer.askAmount');
    expect((await world.session(fatima)).seen.length).toBeGreaterThan(1);
    await world.passes(2 * CONVERSATION_IDLE_MS);
    const { seen, dialog } = await world.session(fatima);
    expect(seen).toHaveLength(names);
    expect(dialog).toBeUndefined();
  });

  test('a reused session id of a gateway counts as a dial, and pays nothing', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    const { address } = fatima;
    const types = (...typed: readonly string[]) => {
      const inputs = typed.map((text) => ({ type: 'said', text }) as const);
      return world.engine.receive({ address, id: `${typed}`, dialog: 'the same session', inputs }, 5_000);
    };
    const typed = ['1', RECIPIENT, '100', '1234'];
    for (let many = 0; many < typed.length; many++) await types(...typed.slice(0, many));
    expect((await types(...typed)).screen.key).toBe('transfer.processing');
    expect(await types(...typed)).toMatchObject({ repeated: true });

    await world.passes(DAY_MS);
    const again = await types(...typed);
    expect(again.repeated).toBeUndefined();
    expect(again.screen.key).toBe('transfer.askPinOpenLoop');
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
    await world.passes(DAY_MS);
    expect((await types()).screen.key).toBe('menu.choose');
  });
});

describe.each(STORES)('two inputs at once, on %s', (store) => {
  const world = theWorld({ store });
  const says = (customer: Customer, text: string, id: string) =>
    world.engine.receive({ address: customer.address, id, inputs: [{ type: 'said', text }] }, 5_000);

  test('one wins, and the other sees the result', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    const replies = await Promise.all([says(fatima, '1', 'a'), says(fatima, '2', 'b')]);
    const keys = new Set(replies.map(({ screen }) => screen.key));
    expect(keys.size).toBe(1);
    expect(['balance.askPin', 'transfer.askRecipient']).toContain([...keys][0]);
  });

  test('ten at once move one step', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) => says(fatima, `${i + 1}0`, `input-${i}`)),
    );
    const amounts = new Set(replies.map(({ screen }) => JSON.stringify(screen.values?.amount)));
    expect(amounts.size).toBe(1);
    expect(world.wallet.calls(fatima.phone, 'transfer')).toEqual([]);
  });

  test('two PINs make one login and one payment', async () => {
    const fatima = world.customer();
    await fatima.walks(atPin);
    const replies = await Promise.all([says(fatima, '1234', 'a'), says(fatima, '1234', 'b')]);
    expect(replies.map(({ screen }) => screen.key)).toContain('transfer.processing');
    expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(1);
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
  });

  test('of a right and a wrong PIN one is tried', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('balance');
    await Promise.all([says(fatima, '4321', 'a'), says(fatima, '1234', 'b')]);
    expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(1);
  });

  test('the same input delivered twice at the same moment is one input', async () => {
    const fatima = world.customer();
    await fatima.walks(atPin);
    await Promise.all([says(fatima, '4321', 'same'), says(fatima, '4321', 'same')]);
    expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(1);
  });
});

describe('an old button', () => {
  test('does not count for the current screen', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    const old = fatima.reply().screenId;
    await fatima.chooses('transfer').says(RECIPIENT).says('100').sees('transfer.askPinOpenLoop');
    const press = (screenId: number, id: string) =>
      world.engine.receive(
        { address: fatima.address, id, screenId, inputs: [{ type: 'chose', choice: 'cancel' }] },
        5_000,
      );
    const stale = await press(old, 'old button');
    expect(stale.screen).toMatchObject({ key: 'transfer.askPinOpenLoop', notice: { key: 'nav.stale' } });
    const unheard = await press(fatima.reply().screenId + 100, 'button of another');
    expect(unheard.screen.notice?.key).toBe('nav.stale');
    expect((await press(fatima.reply().screenId, 'fresh button')).screen.key).toBe('transfer.cancelled');
  });

  test('a choice that the screen does not offer is stale', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    for (const choice of ['confirm', '__proto__', 'toString', '']) {
      const inputs = [{ type: 'chose', choice }] as const;
      const id = `choice ${choice}`;
      const { screen } = await world.engine.receive({ address: fatima.address, id, inputs }, 5_000);
      expect(screen).toMatchObject({ key: 'menu.choose', notice: { key: 'nav.stale' } });
    }
  });

  test('a double tap is one tap', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    const { screenId } = fatima.reply();
    const tap = (id: string) =>
      world.engine.receive(
        { address: fatima.address, id, screenId, inputs: [{ type: 'chose', choice: 'transfer' }] },
        5_000,
      );
    const replies = await Promise.all([tap('first'), tap('second')]);
    expect(replies.map(({ screen }) => screen.key)).toEqual([
      'transfer.askRecipient',
      'transfer.askRecipient',
    ]);
    await fatima.says(RECIPIENT).sees('transfer.askAmount');
  });
});

/** An unexpected input gets a clear answer, and the screen stays. */
const ODD: [string, string][] = [
  ['nothing', ''],
  ['spaces', ' \t\n '],
  ['an emoji', '🙂👨‍👩‍👧'],
  ['a right-to-left override', '\u202eabc\u202c'],
  ['zero-width characters', '\u200b\u200d\ufeff'],
  ['a null', '\u0000'],
  ['half a surrogate pair', '\ud83d'],
  ['an injection', "'; DROP TABLE doc;--"],
  ['markup', '<script>alert(1)</script>'],
  ['a placeholder', '{{amount}} $t(menu.choose)'],
  ['a name of an internal event', 'xstate.done.actor.login'],
  ['a prototype', '__proto__'],
  ['an unknown command', '/admin'],
  ['5,000 characters', 'x'.repeat(5_000)],
  ['an uncovered combining mark', '\u0301'.repeat(300)],
];

describe('an unexpected input', () => {
  const SCREENS: [string, (customer: Customer) => Customer][] = [
    ['language.choose', (it) => it.dials()],
    ['menu.choose', (it) => it.isAtMenu()],
    ['balance.askPin', (it) => it.isAtMenu().chooses('balance')],
    ['transfer.askRecipient', (it) => it.isAtMenu().chooses('transfer')],
    ['transfer.askAmount', (it) => it.isAtMenu().chooses('transfer').says(RECIPIENT)],
    ['transfer.askPinOpenLoop', (it) => it.walks(atPin)],
  ];

  test.each(SCREENS)('at %s', async (key, path) => {
    const fatima = world.customer();
    await fatima.walks(path);
    const { values } = fatima.reply().screen;
    for (const [, text] of ODD) {
      await fatima.says(text).sees(key);
      // The first page has three languages and no way on.
      if (key !== 'language.choose')
        expect(fatima.reply().screen.notice?.key).toMatch(
          /^(nav|amount|beneficiaries|mobile|pin|transfer)\./,
        );
      expect(fatima.reply().screen.values).toEqual(values);
    }
    expect(world.wallet.calls(fatima.phone, 'login')).toEqual([]);
    expect(world.errors).toEqual([]);
  });

  test('a contact card counts as its number at a question for a number', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.opens();
    const card = (id: string) =>
      world.engine.receive(
        { address: fatima.address, id, inputs: [{ type: 'contact', phone: fatima.phone, own: false }] },
        5_000,
      );
    expect((await card('card')).screen.key).toBe('linking.askCode');
  });
});
