import { describe, expect, test } from 'vitest';
import { numbersOf } from '../../machines/kit/choice-numbers.ts';
import type { OperatorFacts } from '../../src/screen/operator-facts.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { CHATS_ON, type Customer, RECIPIENT, STORES, testOn, theWorld } from '../kit/world.ts';
import { alone } from '../screen/sample.ts';

describe.each(STORES)('help, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHATS_ON[store])('the interrupted screen comes back unchanged, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu().chooses('help').sees('help.help').chooses('continue').sees('menu.choose');
    await fatima.chooses('transfer').says(RECIPIENT).says('/help').sees('help.help');
    await fatima.chooses('continue').sees('transfer.askAmount', { to: '+212655000000' });
    await fatima.says('100').sees('transfer.askPinOpenLoop', { amount: 10_000 });
    await fatima.says('/help').sees('help.help');
    await fatima.goes('back').sees('transfer.askPinOpenLoop', { amount: 10_000 });
  });

  test('its list begins at 1 when there is no menu to dial through', async () => {
    const salma = world.stranger({ language: 'fr' });
    await salma.dials().chooses('fr').sees('consent.ask').says('99').sees('help.help');
    const { choices = [] } = salma.reply().screen;
    expect(numbersOf(choices)).toEqual(choices.map((_, place) => place + 1));
    await salma.chooses('continue').sees('consent.ask');
  });

  test.each([
    ['fr', 'Urgent : 0801 000 000.'],
    ['ar', 'للطوارئ: 0801000000'],
    ['en', 'Urgent: 0801 000 000.'],
  ] as const)('a request for a person names the number to call, if there is one, in %s', (language, says) => {
    const said = (facts: OperatorFacts) =>
      createRenderer(undefined, facts)
        .ussd(alone({ key: 'help.written' }), language, 0)
        .text.replaceAll('\u00a0', ' ');
    expect(said({ supportPhone: '0801 000 000' })).toContain(says);
    expect(said({})).not.toMatch(/\d|\{/);
  });

  test('help about the help is help', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('transfer').goes('help').says('99').sees('help.help');
    await fatima.chooses('continue').sees('transfer.askRecipient');
  });

  test('a PIN prompt closes behind it', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('balance').goes('help');
    await fatima.meanwhile(() => world.passes(120_000));
    await fatima.repeats().sees('help.help').chooses('continue').sees('pin.lapsed');
  });

  test('an outcome that arrives meanwhile is told, and help goes on', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).says('100');
    await fatima.enters().sees('transfer.processing').says('/help').sees('help.help');
    await world.passes(1_500);
    await fatima.hears('transfer.done').opens().sees('help.help').chooses('continue').sees('menu.choose');
  });

  test.each(['/cancel', '/menu'])('%s from the help never denies money under way', async (command) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).says('100').enters();
    await fatima.sees('transfer.processing').says('/help').says(command);
    await (command === '/menu'
      ? fatima.sees('menu.choose').isTold('transfer.notConfirmed', { amount: 10_000 })
      : fatima.sees('transfer.processing').isToldNothing());
  });
});

describe('words of a customer who has asked for an adviser', () => {
  const world = theWorld();
  const PROBLEM = {
    fr: 'Bonjour, je veux annuler mon envoi de 200 DH de ce matin : le menu ne répond pas, mon code est 1234.',
    ar: 'السلام عليكم، أرسلت 200 درهم صباحا ولم تصل، أريد إلغاء العملية',
    en: 'I sent 200 MAD this morning and it never arrived. Please help me back to my money',
  };
  const kept = async (customer: ReturnType<typeof world.customer>) => {
    const [last] = await world.engine.desk.turns(customer.address, 1);
    return last?.event;
  };

  test.each(Object.entries(PROBLEM))(
    'reach the adviser, and are answered kindly, in %s',
    async (language, text) => {
      for (const channel of ['web', 'ussd'] as const) {
        const fatima = world.customer({ channel, language: language as keyof typeof PROBLEM });
        await fatima.isAtMenu().asksForAdviser().sees('help.asked').says(text);
        await fatima.sees('help.written').isTold('help.notedIn');
        const event = await kept(fatima);
        expect(event).toMatchObject({ kind: 'input', toPerson: true, input: { type: 'said' } });
        expect(event).not.toHaveProperty('unclear');
        expect(JSON.stringify(event)).toContain(text.slice(0, 40));
        expect(JSON.stringify(event)).not.toMatch(/(?<!\d)1234(?!\d)/);
        await fatima.says('Merci beaucoup').says('Vous êtes là').says('Répondez-moi').isTold('help.notedIn');
        expect(await world.engine.desk.cases.about('stuck', fatima.address)).toBeUndefined();
      }
    },
  );

  test.each(['20', '0655443322', '06 55 44 33 22'])(
    'so does a number that is no choice: %s',
    async (number) => {
      for (const channel of ['web', 'ussd'] as const) {
        const fatima = world.customer({ channel, language: 'ar' });
        await fatima.isAtMenu().asksForAdviser().sees('help.asked').says(number);
        await fatima.sees('help.written').isTold('help.notedIn');
        expect(await kept(fatima)).toMatchObject({ kind: 'input', toPerson: true });
      }
    },
  );

  test('what may be a PIN does not', async () => {
    const fatima = world.customer({ channel: 'ussd' });
    await fatima.isAtMenu().asksForAdviser().sees('help.asked').says('1234').sees('help.asked');
    expect(JSON.stringify(await kept(fatima))).not.toMatch(/(?<!\d)1234(?!\d)/);
  });

  test.each(Object.entries(PROBLEM))(
    'reach the adviser also where none was chosen yet, in %s',
    async (language, text) => {
      for (const channel of ['web', 'ussd'] as const) {
        const fatima = world.customer({ channel, language: language as keyof typeof PROBLEM });
        await fatima.isAtMenu().goes('help').says(text).sees('help.written').isTold('help.caseIs');
        const about = await world.engine.desk.cases.about('asked', fatima.address);
        expect(about).toMatchObject({ address: fatima.address });
        const [turns] = [await world.engine.desk.turns(fatima.address, 2)];
        expect(turns.map(({ event }) => event)).toContainEqual(
          expect.objectContaining({ kind: 'input', toPerson: true }),
        );
        expect(JSON.stringify(turns)).not.toMatch(/(?<!\d)1234(?!\d)/);
      }
    },
  );

  test.each([
    ['one word', 'bonjour', 'help.help'],
    ['the name of a choice, nearly', 'Menuu', 'menu.choose'],
    ['the wish for the menu', 'menu', 'menu.choose'],
    ['the wish to freeze payments', 'geler mes paiements', 'freeze.frozen'],
    ['a PIN', '1234', 'help.help'],
  ])('%s typed at the help asks for no adviser', async (_, text, key) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().goes('help').says(text).sees(key);
    expect(await world.engine.desk.cases.about('asked', fatima.address)).toBeUndefined();
  });

  test.each([
    ['a PIN', '1234', 'help.digitsAlone'],
    ['a code of one use', '284-719', 'help.digitsAlone'],
    ['a number that is no choice', '7', 'nav.chooseOne'],
  ])('%s is none of them', async (_, text, why) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().asksForAdviser().says(text).sees('help.asked').isTold(why);
    expect(JSON.stringify(await kept(fatima))).not.toContain(text);
  });

  test('a reference and an amount are, where they are called so', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().asksForAdviser().says('référence 4821').isTold('help.notedIn');
    expect(JSON.stringify(await kept(fatima))).toContain('4821');
    await fatima.says('il manque 1500 dh').isTold('help.notedIn');
    expect(JSON.stringify(await kept(fatima))).toContain('1500 dh');
  });

  test.each([
    ['envoyer 20 à 0655443322', 'transfer', 'transfer.askPinOpenLoop'],
    ['chargi 20 dh', 'top-up', 'top-up.askNumber'],
    ['أرسل 20 درهم إلى 0655443322', 'transfer', 'transfer.askPinOpenLoop'],
  ] as const)('an order among them pays nothing, and can be made from there: %s', async (text, id, key) => {
    for (const channel of ['web', 'ussd'] as const) {
      const fatima = world.customer({ channel });
      await fatima.isAtMenu().asksForAdviser().says(text).sees('help.written').isTold('help.paysNothing');
      expect(await kept(fatima)).toMatchObject({ toPerson: true, input: { type: 'said' } });
      await fatima.says('il ne répond pas').isTold('help.notedIn').offersNo(id);
      await fatima.says(text).chooses(id).sees(key);
    }
  });

  test.each([
    ['menu', 'menu.choose'],
    ['رجوع', 'menu.choose'],
    ['annuler', 'menu.choose'],
    ['geler', 'freeze.frozen'],
  ])('%s leads where it leads everywhere', (text, key) =>
    world.customer({ channel: 'web' }).isAtMenu().asksForAdviser().says(text).sees(key),
  );
});

describe('the case of a customer who asks for an adviser', () => {
  const world = theWorld({ bot: 'webhook' });

  test.each<[string, (customer: Customer) => Customer]>([
    ['شكاية', (it) => it.says('شكاية')],
    ['réclamation', (it) => it.says('réclamation')],
    ['je conteste cette opération', (it) => it.says('je conteste cette opération')],
    ['the choice of the help', (it) => it.goes('help').chooses('adviser')],
  ])(
    'are asked for at once, and the case of whoever leaves without an answer is kept: %s',
    async (_, asks) => {
      const fatima = world.customer({ language: 'ar' });
      await fatima
        .isAtMenu()
        .walks(asks)
        .sees('help.asked')
        .isTold('help.caseIs')
        .dials()
        .sees('menu.choose');
      expect(await world.engine.desk.cases.about('asked', fatima.address)).toBeDefined();
      await fatima.says('شكاية').sees('help.askedBefore').says('أرسلت 200 درهم ولم تصل').sees('help.added');
    },
  );

  test('get the number of their case and the time of an answer, in which the case is found', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says('réclamation').sees('help.asked').isTold('help.caseIs');
    const { case: id, due } = fatima.reply().screen.notice?.values ?? {};
    const about = await world.engine.desk.cases.about('asked', fatima.address);
    expect([id, due]).toEqual([{ code: about?.id }, { date: about?.due }]);
  });

  testOn(['ussd', 'web'])(
    'say once that an answer is late, and whenever they are asked, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await fatima.isAtMenu().says('réclamation').sees('help.asked').isTold('help.caseIs').goes('menu');
      const { due = 0 } = (await world.engine.desk.cases.about('asked', fatima.address)) ?? {};
      await fatima
        .says('où en est ma réclamation')
        .sees('help.askedBefore')
        .isTold('help.dueBy')
        .goes('menu');
      await world.passes(due - world.clock.now() + 60_000);
      await (channel === 'ussd'
        ? fatima.dials().isTold('help.lateFor')
        : fatima.hears('help.lateFor').goes('menu'));
      await fatima.says('où en est ma réclamation').sees('help.askedBefore').isTold('help.late').goes('menu');
      await world.passes(60_000);
      await fatima.hearsNothing();
    },
  );
});
