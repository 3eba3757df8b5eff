import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Address, inHand, LANGUAGES } from '../../../src/conversation/incoming.ts';
import { SAME_WORDS_MS } from '../../../src/conversation/session/talk.ts';
import { textOf } from '../../kit/turn-text.ts';
import { type Customer, MINUTE_MS, NADIA, OMAR, RECIPIENT, STORES, theWorld } from '../../kit/world.ts';
import { orders } from '../../machines/transfer-orders.ts';

const SARA = { id: 'sara', name: 'Sara', mayTake: true };
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 7);

function deskOn(store: (typeof STORES)[number]) {
  const world = theWorld({ store });
  const desk = () => world.engine.desk;
  const inChat = () => world.customer({ channel: 'web' });
  const eventsOf = async ({ address }: Customer) =>
    (await desk().turns(address, 100)).map(({ event }) => textOf(event)).reverse();
  return { world, desk, inChat, eventsOf };
}

describe.each(STORES)('an agent talks to the customer, on %s', (store) => {
  const { world, desk, eventsOf } = deskOn(store);

  test.each(LANGUAGES)(
    'an agent talks to the customer, and the bot goes on at the same screen, in %s',
    async (language) => {
      const fatima = world.customer({ channel: 'web', language });
      await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).sees('transfer.askAmount');
      expect(await desk().takeOver(fatima.address, NADIA)).toBe('done');
      await fatima.hears('support.talking', { agent: 'Nadia' }).opens().sees('support.talking');
      expect(await desk().write(fatima.address, NADIA, 'Bonjour, que puis-je faire ?')).toBe('done');
      await fatima.hears('support.message', { agent: 'Nadia', text: 'Bonjour, que puis-je faire ?' });
      await fatima.says('Je ne sais pas combien envoyer').sees('support.sent');
      expect(fatima.reply().toPerson).toBe(true);
      expect(await desk().handBack(fatima.address, NADIA)).toBe('done');
      await fatima.hears('transfer.askAmount', { to: '+212655000000' });
      await fatima.opens().sees('transfer.askAmount').isTold('support.left');
      await fatima.says('100').sees('transfer.askPinOpenLoop');
      expect(await eventsOf(fatima)).toEqual(
        expect.arrayContaining([
          'takeOver by nadia',
          'write by nadia',
          'said Je ne sais pas combien envoyer',
          'handBack by nadia',
        ]),
      );
    },
  );

  test('on USSD the agent’s words wait for the next dial, and the customer’s text is passed on', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    await desk().takeOver(fatima.address, NADIA);
    await desk().write(fatima.address, NADIA, 'Quel est le problème ?');
    // Her input still answers the screen that she has seen.
    await fatima.says(RECIPIENT).sees('support.talking');
    await fatima.isTold('support.message', { text: 'Quel est le problème ?' });
    await fatima.says('Je ne trouve pas le numéro').sees('support.sent');
    await desk().write(fatima.address, NADIA, 'Avec le zéro devant.');
    await fatima.dials().sees('support.talking').isTold('support.message', { text: 'Avec le zéro devant.' });
    await fatima.says('0').sees('transfer.askRecipient').isTold('support.left');
    await fatima.says(RECIPIENT).sees('transfer.askAmount');
    expect(world.sms(fatima.phone).join()).not.toContain('problème');
  });

  test.each(LANGUAGES)('on USSD the agent’s words stay while pages are turned, in %s', async (language) => {
    const fatima = world.customer({ language });
    await fatima.isAtMenu();
    await desk().takeOver(fatima.address, NADIA);
    await desk().write(fatima.address, NADIA, 'مرحبا، كيف يمكنني مساعدتكم؟');
    await fatima.dials().sees('support.talking').isTold('support.message');
    await fatima.goes('more').sees('support.talking').isTold('support.message');
    expect(fatima.reply().page, 'the rest of the words, and the way back').toBe(1);
    await fatima.dials().sees('support.talking').isTold('support.message');
    expect(fatima.reply().page).toBe(0);
    await fatima.says('Merci').sees('support.sent');
    await fatima.dials().sees('support.talking');
    expect(fatima.reply().missed, 'an answer has shown that they were read').toEqual([]);
  });

  test.each(['handed back', 'closed'])(
    'a customer who asked for an agent in a conversation returns to it, without another promise: %s',
    async (how) => {
      const salma = world.stranger({ channel: 'web' });
      await salma.arrives().says('conseiller').sees('help.asked');
      const before = (await desk().session(salma.address))?.suspended;
      await desk().takeOver(salma.address, NADIA);
      await desk().write(salma.address, NADIA, 'Voilà.');
      await salma.hears('support.message').says('Merci');
      const [it] = (await desk().cases.list()).filter(({ address }) => address === salma.address);
      if (how === 'closed') await desk().closeCase(it?.id ?? '', NADIA);
      else await desk().handBack(salma.address, NADIA);
      await salma.opens().isTold('support.left');
      const { key } = salma.reply().screen;
      expect([key.startsWith('help.'), `${before}`.startsWith(key.split('.')[0] ?? '?')]).toEqual([
        false,
        true,
      ]);
    },
  );

  test('a dial for a service is no answer, and the agent stays', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    await desk().takeOver(fatima.address, NADIA);
    await desk().write(fatima.address, NADIA, 'Un instant.');
    await fatima.dials('1').sees('support.talking').isTold('support.message', { text: 'Un instant.' });
    expect((await desk().session(fatima.address))?.owner).toMatchObject({ id: 'nadia' });
  });
});

describe.each(STORES)('a talk and its case, on %s', (store) => {
  const { world, desk, inChat } = deskOn(store);

  test.each([
    ['the agent who has it', NADIA],
    ['another one who may', { ...OMAR, mayTake: true }],
  ])('a talk ends with its case: closed by %s', async (_, by) => {
    for (const channel of ['ussd', 'web'] as const) {
      const fatima = world.customer({ channel });
      await fatima.isAtMenu().says('conseiller').sees('help.asked').goes('menu');
      const it = await desk().cases.about('asked', fatima.address);
      await desk().takeOver(fatima.address, NADIA);
      await desk().write(fatima.address, NADIA, 'Bonjour.');
      expect(await desk().closeCase(it?.id ?? '', by)).toBe('done');
      expect((await desk().session(fatima.address))?.owner).toBeUndefined();
      expect(await desk().write(fatima.address, NADIA, 'encore')).toBe('notOwner');
      await (channel === 'ussd' ? fatima.dials() : fatima.opens()).sees('rating.ask').isTold('support.left');
    }
  });

  test.each([
    ['by the agent who has it, to another one', NADIA, { agent: OMAR }],
    ['by the agent who has it, to a team', NADIA, { team: { id: 'abcd1234', name: 'Payments' } }],
    ['by a supervisor, to another agent', SARA, { agent: OMAR }],
    ['by a supervisor, who takes it', SARA, { agent: SARA }],
  ] as const)('an agent whose case is handed over can no longer write there: %s', async (_, by, to) => {
    for (const channel of ['ussd', 'web'] as const) {
      const fatima = world.customer({ channel });
      await fatima.isAtMenu().says('conseiller').sees('help.asked').goes('menu');
      const it = await desk().cases.about('asked', fatima.address);
      await desk().takeOver(fatima.address, NADIA);
      await desk().write(fatima.address, NADIA, 'Bonjour.');
      expect(await desk().giveCase(it?.id ?? '', to, by)).toBe('done');
      expect(await desk().write(fatima.address, NADIA, 'encore')).toBe('notOwner');
      // The case goes on: nobody is asked how it was, and who has it now finds it open.
      if (channel === 'ussd') await fatima.dials().sees('menu.choose').isTold('support.passedOn');
      else await fatima.hears('support.passedOn').opens().sees('menu.choose');
      const given = await desk().cases.find(it?.id ?? '');
      expect([given?.state, given?.steps.at(-1)?.what]).toEqual(['open', 'goesOn']);
      expect(await desk().takeOver(fatima.address, OMAR)).toBe('done');
      expect(await desk().write(fatima.address, OMAR, 'Bonjour encore.')).toBe('done');
    }
  });

  test('a new agent of the case is announced once, after any messages before the next dial', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().says('conseiller').sees('help.asked').chooses('continue');
    await fatima.chooses('transfer').says(RECIPIENT).says('50').sees('transfer.askPinOpenLoop');
    const it = await desk().cases.about('asked', fatima.address);
    await desk().takeOver(fatima.address, NADIA);
    await desk().giveCase(it?.id ?? '', { agent: OMAR }, NADIA);
    await desk().takeOver(fatima.address, OMAR);
    await desk().write(fatima.address, OMAR, 'Bonjour.');
    await desk().handBack(fatima.address, OMAR);
    await fatima.dials().sees('transfer.resumePayment').isTold('support.passedOn').isTold('support.left');
    await fatima.chooses('continue').sees('transfer.askPinOpenLoop');
    await fatima.dials().sees('transfer.resumePayment');
    expect(fatima.reply().missed).toEqual([]);
  });

  test('after a hand-over of an answered case the customer is not asked for a rating', async () => {
    for (const channel of ['ussd', 'web'] as const) {
      const fatima = world.customer({ channel });
      // Elsewhere than at the menu, where they would be asked at once.
      await fatima.isAtMenu().says('conseiller').sees('help.asked').chooses('continue');
      await fatima.chooses('transfer').sees('transfer.askRecipient');
      const it = await desk().cases.about('asked', fatima.address);
      await desk().takeOver(fatima.address, NADIA);
      await desk().write(fatima.address, NADIA, 'Un collègue vous répond.');
      await desk().handBack(fatima.address, NADIA);
      await desk().giveCase(it?.id ?? '', { agent: OMAR }, NADIA);
      if (channel === 'ussd') await fatima.dials();
      await fatima.goes('menu').sees('menu.choose');
    }
  });

  test('an agent who hands over another case of the same customer goes on talking', async () => {
    const fatima = inChat();
    await fatima.isAtMenu().says('conseiller').sees('help.asked').goes('menu');
    const about = {
      kind: 'stuck',
      subject: fatima.address,
      address: fatima.address,
      wallet: fatima.phone,
    } as const;
    const stuck = await desk().cases.open(about);
    await desk().takeOver(fatima.address, NADIA);
    expect(await desk().giveCase(stuck.id, { agent: OMAR }, NADIA)).toBe('done');
    expect((await desk().session(fatima.address))?.owner).toMatchObject({ id: 'nadia' });
    expect(await desk().closeCase(stuck.id, SARA)).toBe('done');
    expect((await desk().session(fatima.address))?.owner).toMatchObject({ id: 'nadia' });
  });

  test('a case given to the agent in the conversation leaves them there, and a refused gift leaves anybody there', async () => {
    const fatima = inChat();
    await fatima.isAtMenu().says('conseiller').sees('help.asked').goes('menu');
    const it = await desk().cases.about('asked', fatima.address);
    await desk().takeOver(fatima.address, NADIA);
    expect(await desk().giveCase(it?.id ?? '', { agent: OMAR }, OMAR), 'it is hers').toBe('owned');
    expect(await desk().giveCase(it?.id ?? '', { agent: NADIA }, SARA), 'it is hers already').toBe('notNow');
    expect((await desk().session(fatima.address))?.owner).toMatchObject({ id: 'nadia' });
    await desk().takeOver(fatima.address, OMAR, true);
    await desk().cases.assign(it?.id ?? '', NADIA, SARA);
    expect(await desk().giveCase(it?.id ?? '', { agent: OMAR }, SARA)).toBe('done');
    expect((await desk().session(fatima.address))?.owner).toMatchObject({ id: 'omar' });
  });

  test('an agent who talks about something else than the case goes on', async () => {
    const fatima = inChat();
    await fatima.isAtMenu().says('conseiller').sees('help.asked').goes('menu');
    const it = await desk().cases.about('asked', fatima.address);
    await desk().cases.assign(it?.id ?? '', NADIA, { id: 'nadia' });
    await desk().takeOver(fatima.address, OMAR);
    expect(await desk().closeCase(it?.id ?? '', NADIA)).toBe('done');
    expect((await desk().session(fatima.address))?.owner).toMatchObject({ id: 'omar' });
  });
});

describe.each(STORES)('the turns of a talk, on %s', (store) => {
  const { world, desk, inChat, eventsOf } = deskOn(store);

  test.each([
    ['sent to the menu', (address: Address) => desk().toMenu(address, NADIA), 'menu.choose'],
    [
      'given back by a lease that ends',
      async (address: Address) => {
        await desk().takeOver(address, NADIA);
        await world.passes(6 * MINUTE_MS);
      },
      'transfer.askAmount',
    ],
  ] as const)(
    'on USSD, %s: the input answers the screen that was seen, and no other',
    async (_, act, key) => {
      const fatima = world.customer();
      await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).sees('transfer.askAmount');
      await act(fatima.address);
      await fatima.says('1').sees(key);
      await (key === 'menu.choose'
        ? fatima.says('1').sees('transfer.askRecipient')
        : fatima.says('100').sees('transfer.askPinOpenLoop'));
    },
  );

  test('a conversation has one owner, and of two agents at once one is let in', async () => {
    const fatima = inChat();
    await fatima.isAtMenu();
    const acts = await Promise.all([
      desk().takeOver(fatima.address, NADIA),
      desk().takeOver(fatima.address, OMAR),
    ]);
    expect([...acts].sort()).toEqual(['done', 'owned']);
    const [winner, loser] = acts[0] === 'done' ? [NADIA, OMAR] : [OMAR, NADIA];
    expect(await desk().write(fatima.address, loser, 'moi aussi')).toBe('notOwner');
    expect(await desk().handBack(fatima.address, loser)).toBe('notOwner');
    expect(await desk().toMenu(fatima.address, loser)).toBe('owned');
    expect(await desk().end(fatima.address, loser)).toBe('owned');
    expect(await desk().nudge(fatima.address, loser)).toBe('owned');
    expect(await desk().takeOver(fatima.address, winner)).toBe('done');
    expect((await desk().session(fatima.address))?.owner?.id).toBe(winner.id);
  });

  test('a message that an agent sends twice, from two tabs or by a repeated press, arrives once', async () => {
    const fatima = inChat();
    await fatima.isAtMenu();
    await desk().takeOver(fatima.address, NADIA);
    const sends = (text: string) => desk().write(fatima.address, NADIA, text);
    const came = await Promise.all([sends('Un instant.'), sends(' Un instant. '), sends('Un instant.')]);
    expect([...came].sort()).toEqual(['again', 'again', 'done']);
    expect(await sends('Voilà.'), 'other words').toBe('done');
    expect(await sends('Voilà.')).toBe('again');
    await fatima.says('Merci').sees('support.sent');
    expect(await sends('Voilà.'), 'she has written since: it answers her').toBe('done');
    const files = () => desk().sendFile(fatima.address, NADIA, PNG);
    expect([...(await Promise.all([files(), files()]))].sort()).toEqual(['again', 'done']);
    expect(await desk().sendFile(fatima.address, NADIA, Uint8Array.of(...PNG, 8)), 'another one').toBe(
      'done',
    );
    const events = (await eventsOf(fatima)).filter((event) => event.includes(' by '));
    const sent = ['takeOver', 'write', 'write', 'write', 'sendFile', 'sendFile'].map(
      (act) => `${act} by nadia`,
    );
    expect(events).toEqual(sent);
    await world.passes(SAME_WORDS_MS);
    expect(await desk().sendFile(fatima.address, NADIA, Uint8Array.of(...PNG, 8)), 'later it is meant').toBe(
      'done',
    );
  });

  test('an abandoned lease ends, and the customer is told that the bot is back', async () => {
    const fatima = inChat();
    await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    await desk().takeOver(fatima.address, NADIA);
    await world.passes(4 * MINUTE_MS);
    await desk().write(fatima.address, NADIA, 'Un instant');
    await world.passes(4 * MINUTE_MS);
    expect(await desk().renew(fatima.address, OMAR)).toBe('notOwner');
    expect(await desk().renew(fatima.address, NADIA)).toBe('done');
    await world.passes(4 * MINUTE_MS);
    expect((await desk().session(fatima.address))?.owner?.id).toBe('nadia');
    const events = (await eventsOf(fatima)).filter((event) => event.includes(' by '));
    expect(events, 'a renewal leaves no record').toEqual(['takeOver by nadia', 'write by nadia']);
    await world.passes(2 * MINUTE_MS);
    expect((await desk().session(fatima.address))?.owner).toBeUndefined();
    expect(await desk().renew(fatima.address, NADIA)).toBe('notOwner');
    expect(await desk().takeOver(fatima.address, OMAR)).toBe('done');
    await fatima.opens().sees('support.talking', { agent: 'Omar' });
  });
});

describe.each(STORES)('a payment during a talk, on %s', (store) => {
  const { world, desk, inChat } = deskOn(store);

  test('the timers of the conversation stop, so that no PIN prompt lapses while an agent talks', async () => {
    const fatima = inChat();
    await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
    await world.passes(MINUTE_MS);
    await desk().takeOver(fatima.address, NADIA);
    for (let i = 0; i < 10; i++) {
      await world.passes(4 * MINUTE_MS);
      await desk().takeOver(fatima.address, NADIA);
    }
    await desk().handBack(fatima.address, NADIA);
    await fatima.opens().sees('balance.askPin');
    await fatima.after(50_000).enters().sees('balance.shown');
  });

  test('the timers of money go on, so that an outcome is told while an agent talks', async () => {
    const fatima = inChat();
    await fatima.isAtMenu().walks(orders(RECIPIENT, '100')).enters();
    await fatima.sees('transfer.processing');
    await desk().takeOver(fatima.address, NADIA);
    await fatima.after(1_500).hears('transfer.done').opens().sees('support.talking');
    await desk().handBack(fatima.address, NADIA);
    await fatima.opens().sees('menu.choose').isTold('support.left');
  });

  test('messages of an agent are limited and push no outcome out', async () => {
    const fatima = inChat();
    await fatima.isAtMenu().walks(orders(RECIPIENT, '100')).enters();
    await fatima.sees('transfer.processing');
    await desk().takeOver(fatima.address, NADIA);
    await world.passes(1_500);
    const acts = [];
    for (let i = 0; i < 22; i++) acts.push(await desk().write(fatima.address, NADIA, `${i}`));
    expect([acts[0], acts.at(-1)]).toEqual(['done', 'notNow']);
    expect(await desk().tellRevealed(fatima.address, NADIA)).toBe('notNow');
    await fatima.hears('transfer.done');
    expect(await desk().write(fatima.address, NADIA, 'Vous êtes là ?')).toBe('done');
  });

  test.each(['menu', 'cancel', 'back'] as const)('the customer can leave: %s', async (way) => {
    const fatima = inChat();
    await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    await desk().takeOver(fatima.address, NADIA);
    await fatima
      .opens()
      .goes(way)
      .sees(way === 'menu' ? 'menu.choose' : 'transfer.askRecipient');
    expect((await desk().session(fatima.address))?.owner).toBeUndefined();
    expect(await desk().write(fatima.address, NADIA, 'Allo ?')).toBe('notOwner');
  });

  test('the button leads back too, and other buttons of the old screen do not count', async () => {
    const fatima = inChat();
    await fatima.isAtMenu();
    await desk().takeOver(fatima.address, NADIA);
    await fatima.chooses('transfer').sees('support.talking').isTold('nav.stale');
    await fatima.opens().goes('help').sees('support.talking').chooses('leave').sees('menu.choose');
  });
});

describe.each(STORES)('the limits of a talk, on %s', (store) => {
  const { world, desk, inChat } = deskOn(store);

  test('a PIN, a code or a card’s number written to an agent is not stored', async () => {
    const fatima = inChat();
    await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
    await desk().takeOver(fatima.address, NADIA);
    // A PIN that was on its way when the agent came: it is not even passed on.
    await fatima.says('8642').sees('support.talking').says('mon code est 7531');
    await fatima.says('c’est 482-915, carte 4000 0000 0000 0002').sees('support.sent');
    await fatima.says('الأداء على الساعة ١٠:٤٥، مرجع الأداء R835300000036').sees('support.sent');
    // Moments and ids have digits of their own, which may be any.
    const written = JSON.stringify(await desk().turns(fatima.address, 100), (name, value) =>
      ['at', 'ref', 'address', 'wallet'].includes(name) ? undefined : value,
    );
    expect(written).toContain('mon code est ••••');
    expect(written).toContain('على الساعة 10:45، مرجع الأداء R835300000036');
    for (const secret of ['8642', '7531', '482-915', '4000 0000']) expect(written).not.toContain(secret);
  });

  test('a nudge shows the screen again, and only the agent can open the menu or end it', async () => {
    const fatima = inChat();
    await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    expect(await desk().nudge(fatima.address, NADIA)).toBe('done');
    await fatima.hears('transfer.askRecipient').says(RECIPIENT).sees('transfer.askAmount');
    expect(await desk().toMenu(fatima.address, NADIA)).toBe('done');
    await fatima.hears('menu.choose').opens().sees('menu.choose').isTold('support.atMenu');
    await fatima.chooses('transfer').sees('transfer.askRecipient');
    expect(await desk().end(fatima.address, NADIA)).toBe('done');
    await fatima.hears('support.ended').says(RECIPIENT).sees('menu.choose').isToldNothing();
    expect(await desk().nudge(world.customer().address, NADIA)).toBe('notFound');
  });

  test('no agent steps in during a call to the wallet', async () => {
    const fatima = inChat();
    await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
    const reached = world.wallet.dies('login');
    void fatima.enters();
    await reached;
    expect(await desk().takeOver(fatima.address, NADIA)).toBe('busy');
    expect(await desk().end(fatima.address, NADIA)).toBe('busy');
    await world.crashes();
  });

  test('a deploy does not lose the agent', async () => {
    const fatima = inChat();
    await fatima.isAtMenu();
    await desk().takeOver(fatima.address, NADIA);
    await world.restarts();
    await fatima.says('vous êtes là ?').sees('support.sent');
    expect(await desk().handBack(fatima.address, NADIA)).toBe('done');
    await fatima.opens().sees('menu.choose');
  });

  test.each(['web', 'ussd'] as const)('a customer asks for an agent, by %s', async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).goes('help');
    await fatima.chooses('adviser').sees('help.asked').chooses('continue').sees('transfer.askAmount');
    const mine = async () =>
      (await desk().helpRequests()).filter(({ address }) => address === fatima.address);
    expect(await mine()).toMatchObject([
      {
        wallet: fatima.phone,
        about: 'transfer.askingAmount',
        callBack: channel === 'ussd',
        language: fatima.language,
      },
    ]);
    await fatima.says('conseiller').sees('help.askedBefore').chooses('continue');
    expect(await mine()).toHaveLength(1);
    expect(await desk().answered(fatima.address, NADIA)).toBe('done');
    expect(await desk().answered(fatima.address, NADIA)).toBe('notNow');
    expect(await mine()).toEqual([]);
    await fatima.says('conseiller');
    await desk().takeOver(fatima.address, NADIA);
    expect(await mine()).toEqual([]);
  });

  test('a request made before the chat was linked is answered after', async () => {
    const fatima = inChat();
    await fatima.opens().says('conseiller').sees('help.asked');
    await fatima.chooses('continue').sees('linking.askPhone').says(fatima.phone).entersCodeFromSms();
    await fatima.sees('unlocking.askPin').enters().sees('menu.choose');
    const mine = async () =>
      (await desk().helpRequests()).filter(({ address }) => address === fatima.address);
    expect(await mine()).toMatchObject([{ wallet: fatima.phone }]);
    await desk().takeOver(fatima.address, NADIA);
    expect(await mine()).toEqual([]);
  });
});

describe.each(STORES)('the files of a talk, on %s', (store) => {
  const { world, desk, inChat, eventsOf } = deskOn(store);

  test('an agent sends a picture or a PDF, stored until its customer has it, and nothing else', async () => {
    const fatima = inChat();
    const omar = inChat();
    const byPhone = world.customer();
    for (const each of [fatima, omar, byPhone]) await each.isAtMenu();
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 7);
    const sends = (bytes: Uint8Array, { address }: Customer = fatima) =>
      desk().sendFile(address, NADIA, bytes);
    expect(await sends(png)).toBe('notOwner');
    for (const each of [fatima, byPhone]) await desk().takeOver(each.address, NADIA);
    expect(await sends(png, byPhone)).toBe('noFiles');
    expect(await sends(new TextEncoder().encode('<html>%PDF-'))).toBe('fileKind');
    expect(await sends(Uint8Array.from({ ...png, length: 1_500_001 }))).toBe('fileSize');
    const active = '%PDF-1.4\n1 0 obj\n<< /OpenAction << /S /JavaScript /JS (x) >> >>\nendobj\n';
    expect(await sends(new TextEncoder().encode(active))).toBe('filePdf');
    expect(await sends(png)).toBe('done');
    await world.rests();
    const [push] = (await world.engine.waiting(fatima.address)).filter(({ screen }) => screen.document);
    expect(push?.screen.key).toBe('support.picture');
    const document = push?.screen.document;
    if (document?.kind !== 'agent-file') throw new Error('no file');
    const fetched = () => world.engine.document(fatima.address, document);
    expect(await world.engine.document(omar.address, document), 'somebody else’s').toBeUndefined();
    expect(await world.everythingStored()).not.toContain(Buffer.from(png).toString('base64'));
    expect(await fetched()).toEqual({ type: 'image/png', bytes: Buffer.from(png) });
    await world.passes(5 * MINUTE_MS);
    expect(await fetched(), 'once more, where it has failed on the way').toBeDefined();
    await world.passes(24 * 60 * MINUTE_MS);
    expect(await fetched()).toBeUndefined();
    expect(await eventsOf(fatima)).toContain('sendFile by nadia');
  });

  test('a file of the customer reaches the agent in the talk, is stored for a week, and is sealed', async () => {
    const [fatima, omar] = [inChat(), inChat()];
    for (const each of [fatima, omar]) await each.isAtMenu();
    const bytes = Buffer.concat([PNG, Buffer.from('a screenshot of hers')]);
    const sends = (given: Uint8Array, unreadText?: string) =>
      world.engine.receive(
        {
          ...{ address: fatima.address, id: randomUUID(), inputs: [{ type: 'photo' }] },
          ...{ document: inHand([given]), ...(unreadText && { unreadText }) },
        },
        20_000,
      );
    expect((await sends(bytes)).screen.notice?.key, 'nobody is there').toBe('nav.noQr');
    await desk().takeOver(fatima.address, NADIA);
    expect(await world.engine.asksFile(fatima.address)).toBe('now');
    expect((await sends(bytes, 'mon reçu, PIN 4821')).toPerson).toBe(true);
    await fatima.hears('support.fileTaken', { agent: 'Nadia' });
    const [{ event } = expect.fail()] = await desk().turns(fatima.address, 1);
    const input = event.kind === 'input' && event.input.type === 'photo' ? event.input : expect.fail();
    expect(input).toEqual({
      type: 'photo',
      file: { id: expect.any(String), type: 'image/png' },
      text: 'mon reçu, PIN ••••',
    });
    const id = input.file?.id ?? '';
    const stored = await world.everythingStored();
    expect(stored).not.toContain('a screenshot of hers');
    expect(stored).not.toContain(bytes.toString('base64'));
    const seen = (address = fatima.address) => desk().sentFile(address, id);
    expect(await seen()).toEqual({ type: 'image/png', bytes });
    expect(await seen(omar.address), 'somebody else’s').toBeUndefined();
    await world.passes(7 * 24 * 60 * MINUTE_MS + 1);
    expect(await seen()).toBeUndefined();
  });

  test('other files than pictures and plain PDFs are refused, and so are too many', async () => {
    const fatima = inChat();
    await fatima.isAtMenu();
    await desk().takeOver(fatima.address, NADIA);
    const sends = async (bytes: Uint8Array | undefined) => {
      const incoming = {
        ...{ address: fatima.address, id: randomUUID(), inputs: [{ type: 'photo' }] as const },
        ...(bytes && { document: inHand([bytes]) }),
      };
      await world.engine.receive(incoming, 20_000);
      const [{ event, said } = expect.fail()] = await desk().turns(fatima.address, 1);
      const isKept = event.kind === 'input' && event.input.type === 'photo' && event.input.file !== undefined;
      return [isKept, said?.at(-1)?.key];
    };
    const active = '%PDF-1.4\n1 0 obj\n<< /OpenAction << /S /JavaScript /JS (x) >> >>\nendobj\n';
    const large = Buffer.concat([PNG, new Uint8Array(5_000_000)]);
    for (const [bytes, why] of [
      [undefined, 'support.fileNotNow'],
      [new Uint8Array(), 'documents.emptyFile'],
      [Buffer.from('<html>%PDF-'), 'documents.otherType'],
      [Buffer.from(active), 'support.fileActive'],
      [large, 'documents.fileTooLarge'],
    ] as const)
      expect(await sends(bytes), why).toEqual([false, why]);
    expect(await sends(Buffer.from('%PDF-1.7 a page'))).toEqual([true, 'support.fileTaken']);
    for (let i = 0; i < 9; i++) expect(await sends(PNG)).toEqual([true, 'support.fileTaken']);
    expect(await sends(PNG)).toEqual([false, 'support.fileTooMany']);
  });

  test('a customer is told that an agent has looked at their data', async () => {
    const fatima = inChat();
    await fatima.isAtMenu();
    await desk().tellRevealed(fatima.address, NADIA);
    await fatima.hears('support.revealed').opens().sees('menu.choose');
  });
});
