import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { caseUpdate } from '../../src/conversation/cases/update.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { CHANNELS_ON, type Customer, DAY_MS, NADIA, STORES, theWorld } from '../kit/world.ts';

const asks = (customer: Customer) => customer.asksForAdviser().sees('help.asked').chooses('continue');

function advising(store: (typeof STORES)[number]) {
  const world = theWorld({ store, bot: 'webhook' });
  const desk = () => world.engine.desk;
  /** Asks for a person, who comes and says something. */
  const isAnswered = async (customer: Customer) => {
    await asks(customer.isAtMenu()).sees('menu.choose');
    await desk().takeOver(customer.address, NADIA);
    await desk().write(customer.address, NADIA, 'Voilà, c’est corrigé.');
  };
  const caseOf = async ({ address }: Customer) => {
    const all = await desk().cases.list();
    return all.find((it) => it.address === address);
  };
  return { world, desk, isAnswered, caseOf };
}

describe.each(STORES)('a talk that its customer leaves, on %s', (store) => {
  const { desk, world, isAnswered, caseOf } = advising(store);

  // In WhatsApp the word is the adviser's to read.
  test.each(CHANNELS_ON[store].filter((channel) => channel !== 'whatsapp'))(
    'is rated once the adviser has ended it, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await isAnswered(fatima);
      const id = (await caseOf(fatima))?.id ?? '';
      if (channel === 'ussd') await fatima.dials().sees('support.talking');
      await fatima.goes('menu');
      await fatima.sees('menu.choose').isTold('help.isOpen', { case: id });
      await fatima.asksForAdviser().sees('help.askedBefore').goes('menu').sees('menu.choose');
      expect(await caseOf(fatima)).toMatchObject({ id, state: 'open' });
      await desk().closeCase(id, NADIA);
      await (channel === 'ussd' ? fatima.dials().sees('rating.ask') : fatima.hears('rating.ask'));
    },
  );
});

describe.each(STORES)('the rating of an adviser, on %s', (store) => {
  const { world, desk, isAnswered, caseOf } = advising(store);

  test.each(
    CHANNELS_ON[store].flatMap((channel) => LANGUAGES.map((language) => [channel, language] as const)),
  )('is asked for after the adviser gives the conversation back: %s, %s', async (channel, language) => {
    const fatima = world.customer({ channel, language });
    await isAnswered(fatima);
    const it = await caseOf(fatima);
    await desk().handBack(fatima.address, NADIA);
    // A label can be typed as well as pressed.
    const good = world.renderer.chat({ key: 'rating.good', expects: 'nothing' }, language).text;
    await (channel === 'ussd' ? fatima.dials().sees('rating.ask') : fatima.hears('rating.ask'));
    // If the adviser's words push the question to the next page, a digit is no answer yet.
    if (channel === 'ussd' && pageOf(world.renderer, fatima.reply()).choices < 1)
      await fatima.says('1').sees('rating.ask');
    await fatima
      .says(channel === 'ussd' ? '1' : good)
      .sees('menu.choose')
      .isTold('rating.thanks');
    expect(await desk().cases.find(it?.id ?? '')).toMatchObject({
      state: 'closed',
      end: 'byCustomer',
      rating: 1,
    });
    await fatima.goes('menu').sees('menu.choose').isToldNothing();
  });

  test('on USSD the next dial asks after a request is closed, and nobody has to answer', async () => {
    const fatima = world.customer();
    await asks(fatima.isAtMenu()).sees('menu.choose');
    const it = await caseOf(fatima);
    await desk().closeCase(it?.id ?? '', NADIA, 'called back');
    await fatima.dials().sees('rating.ask').goes('back').sees('menu.choose').dials().sees('menu.choose');
    expect(await desk().cases.find(it?.id ?? '')).toMatchObject({ state: 'closed', end: 'solved' });
  });

  test('a customer who is not satisfied opens the request again', async () => {
    const fatima = world.customer({ channel: 'web' });
    await isAnswered(fatima);
    const it = await caseOf(fatima);
    await desk().handBack(fatima.address, NADIA);
    await desk().closeCase(it?.id ?? '', NADIA);
    await fatima.opens().sees('rating.ask').chooses('not-yet').sees('menu.choose').isTold('rating.goesOn');
    expect(await caseOf(fatima)).toMatchObject({ id: it?.id, state: 'open' });
  });

  test('the question comes once more, and its answer is stored, after the request was opened again', async () => {
    const fatima = world.customer({ channel: 'web' });
    await isAnswered(fatima);
    const id = (await caseOf(fatima))?.id ?? '';
    await desk().handBack(fatima.address, NADIA);
    await fatima.opens().sees('rating.ask').chooses('poor').sees('menu.choose').isTold('rating.thanks');
    expect(await desk().reopenCase(id, NADIA)).toBe('done');
    expect(await desk().cases.find(id)).not.toHaveProperty('rating');
    await desk().closeCase(id, NADIA);
    await fatima.opens().sees('rating.ask').chooses('good').sees('menu.choose').isTold('rating.thanks');
    expect(await desk().cases.find(id)).toMatchObject({ state: 'closed', rating: 1 });
  });

  test('a customer whose case an agent has opened again comes into that case', async () => {
    const fatima = world.customer();
    await asks(fatima.isAtMenu()).sees('menu.choose');
    const it = await caseOf(fatima);
    await desk().closeCase(it?.id ?? '', NADIA);
    expect(await desk().reopenCase(it?.id ?? '', NADIA)).toBe('done');
    await world.passes(60_000);
    await fatima.dials().goes('menu').asksForAdviser().sees('help.askedBefore');
    expect(await caseOf(fatima)).toMatchObject({ id: it?.id, state: 'open' });
  });

  test('the first rating of a case stays', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    const isAsked = async () => {
      await asks(fatima.goes('menu')).sees('menu.choose');
      const id = (await caseOf(fatima))?.id ?? '';
      await desk().closeCase(id, NADIA);
      await fatima.opens().sees('rating.ask');
      return id;
    };
    const id = await isAsked();
    await desk().cases.hear([
      caseUpdate(world.clock.now(), { what: 'rated', address: fatima.address, case: id, rating: 3 }),
    ]);
    await fatima.chooses('good').sees('menu.choose');
    expect(await desk().cases.find(id), 'what was said first').toMatchObject({ rating: 3 });
  });

  test('a customer with a merged request opens the request that it continues in', async () => {
    const { cases } = desk();
    const fatima = world.customer({ channel: 'web' });
    await isAnswered(fatima);
    const it = await caseOf(fatima);
    const payment = { kind: 'payment', subject: `p-${fatima.phone}`, wallet: fatima.phone } as const;
    const into = await cases.open(payment);
    await desk().handBack(fatima.address, NADIA);
    expect(await cases.merge(it?.id ?? '', into.id, NADIA)).toBe('done');
    expect(await cases.close(into.id, 'solved', NADIA)).toBe('done');
    expect(await cases.reopen(it?.id ?? '', NADIA.id), 'it goes on in the other one').toBe('notNow');
    await fatima.opens().sees('rating.ask').chooses('not-yet').sees('menu.choose').isTold('rating.goesOn');
    expect(await cases.find(it?.id ?? '')).toMatchObject({ state: 'closed', end: 'merged' });
    expect(await cases.find(into.id)).toMatchObject({ state: 'open' });
  });
});

describe.each(STORES)('the question for a rating, on %s', (store) => {
  const { world, desk, caseOf } = advising(store);

  test('the question does not interrupt a payment', async () => {
    const fatima = world.customer({ channel: 'web' });
    await asks(fatima.isAtMenu().chooses('transfer').says('0655000000')).sees('transfer.askAmount');
    const it = await caseOf(fatima);
    await desk().takeOver(fatima.address, NADIA);
    await desk().write(fatima.address, NADIA, 'Le montant en dirhams.');
    await desk().handBack(fatima.address, NADIA);
    await fatima.opens().sees('transfer.askAmount').says('100').enters().sees('transfer.processing');
    await world.passes(1_500);
    await fatima.hears('transfer.done').goes('menu').sees('rating.ask').chooses('fair').sees('menu.choose');
    expect(await desk().cases.find(it?.id ?? '')).toMatchObject({ rating: 2 });
  });

  test.each([
    ['envoyer 20 à 0655000000', 'transfer.askPinOpenLoop'],
    ['mon solde', 'balance.askPin'],
    ['الرصيد', 'balance.askPin'],
    ['Passer', 'menu.choose'],
  ])('nobody has to answer, and an order is carried out: %s', async (words, key) => {
    const fatima = world.customer({ channel: 'web', language: 'fr' });
    await asks(fatima.isAtMenu());
    await desk().closeCase((await caseOf(fatima))?.id ?? '', NADIA);
    await fatima.opens().sees('rating.ask').says(words).sees(key).isToldNothing();
    await fatima.goes('menu').sees('menu.choose');
  });

  test('the question is dropped after some days', async () => {
    const fatima = world.customer();
    await asks(fatima.isAtMenu());
    await desk().closeCase((await caseOf(fatima))?.id ?? '', NADIA);
    await world.passes(4 * DAY_MS);
    await fatima.dials().sees('menu.choose');
  });

  test.each(['ussd', 'web'] as const)(
    'a customer closes the request while the adviser is there, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await asks(fatima.isAtMenu().chooses('transfer').says('0655000000')).sees('transfer.askAmount');
      const it = await caseOf(fatima);
      await desk().takeOver(fatima.address, NADIA);
      await desk().write(fatima.address, NADIA, 'Le montant en dirhams.');
      await (channel === 'ussd' ? fatima.dials() : fatima.opens()).sees('support.talking').chooses('settled');
      await fatima.sees('rating.askClosed');
      // What was being done before the talk is named.
      await fatima.chooses('poor').sees('transfer.resume', { to: '+212655000000' }).isTold('rating.thanks');
      expect(await desk().cases.find(it?.id ?? '')).toMatchObject({ end: 'byCustomer', rating: 3 });
      expect((await desk().session(fatima.address))?.owner).toBeUndefined();
      await fatima.chooses('continue').sees('transfer.askAmount');
    },
  );

  test.each(LANGUAGES)(
    'on USSD the digit counts on the page that shows it, after words of any length, in %s',
    async (language) => {
      const label = world.renderer.chat({ key: 'support.settled', expects: 'nothing' }, language).text;
      const found = new Set<string>();
      for (let length = 0; length <= 120; length += 8) {
        const fatima = world.customer({ language });
        await fatima.isAtMenu();
        await desk().takeOver(fatima.address, NADIA);
        if (length > 0) await desk().write(fatima.address, NADIA, 'a b '.repeat(length / 4).trim());
        await fatima.dials().sees('support.talking');
        const { text, pages } = pageOf(world.renderer, fatima.reply());
        const isShown = text.split('\n').includes(`1 ${label}`);
        found.add(`${isShown ? 'shown' : 'not shown'} on the first of ${pages === 1 ? 'one' : 'several'}`);
        await fatima.says('1');
        if (!isShown) await fatima.sees('support.talking');
        expect(fatima.reply().screen.key !== 'support.talking', `${length} characters`).toBe(isShown);
      }
      // The first of several pages has the choice where it has room.
      const ways = [
        'not shown on the first of several',
        'shown on the first of one',
        'shown on the first of several',
      ];
      // A page of Arabic is too short for both the sentence and the choice.
      expect([...found].sort()).toEqual(language === 'ar' ? ways.slice(0, 1) : ways);
    },
  );

  test.each(CHANNELS_ON[store])(
    'a customer withdraws a request that nobody has taken yet, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await asks(fatima.isAtMenu().chooses('transfer')).sees('transfer.askRecipient');
      const it = await caseOf(fatima);
      await world.passes(60_000);
      await fatima.asksForAdviser().sees('help.askedBefore').chooses('settled');
      await fatima.sees('transfer.askRecipient').isTold('rating.closed');
      expect(await desk().cases.find(it?.id ?? '')).toMatchObject({ end: 'byCustomer' });
      expect((await desk().helpRequests()).some(({ address }) => address === fatima.address)).toBe(false);
    },
  );

  test.each(['c’est réglé', 'it’s settled', 'تم حل المشكل'])(
    'customers close it in their own words: %s',
    async (words) => {
      const fatima = world.customer({ channel: CHANNELS_ON[store][1] ?? 'web' });
      await asks(fatima.isAtMenu());
      await fatima.says(words).sees('menu.choose').isTold('rating.closed').says(words);
      await fatima.sees('menu.choose').isTold('rating.none');
    },
  );
});
