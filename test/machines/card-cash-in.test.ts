import { afterEach, describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { TEST_CARDS } from '../../src/sandbox/cards/test-cards.ts';
import { loses, ok, refused, UNSENT } from '../kit/meddler.ts';
import { CHANNELS, type Customer, describeOn, HOUR_MS, testOn, theWorld } from '../kit/world.ts';
import { agrees, atBank, atForm as atFormIn, CARD, formOf, sends, typedCard } from './card-forms.ts';

const world = theWorld({ form: true, bot: 'webhook' });

const atForm = (channel?: (typeof CHANNELS)[number], amount?: string) => atFormIn(world, channel, amount);

afterEach(() => {
  expect(world.errors).toEqual([]);
  expect(world.formLog.lines).toEqual([]);
});

/** The balance of the wallet, according to its list of operations. */
async function credited({ phone }: Customer): Promise<number> {
  const answer = await world.api.operations(phone, { types: [1], direction: 1 });
  return answer.kind === 'ok' ? answer.value.operations.filter(({ status }) => status === 2).length : -1;
}
/** The intent of the customer's newest deposit. */
async function intentOf(fatima: Customer) {
  const { intent } = await world.session(fatima);
  return world.engine.intentOf(intent ?? '');
}

describeOn(CHANNELS)('a deposit by card, begun on %s', (channel) => {
  test('is typed on the form, confirmed at the bank, and told when the wallet confirms it', async () => {
    const { fatima, form } = await atForm(channel);
    const { status, bank } = await sends(form, typedCard());
    expect(status).toBe(200);
    expect((await atBank(bank)).status).toBe(200);
    await fatima.after(2_000).hears('card-cash-in.done', { amount: 100_00 });
    expect(await credited(fatima)).toBe(1);
    expect((await sends(form, typedCard())).status).toBe(410);
  });
});

describe('a deposit by card at the bank', () => {
  test.each([['/card-cash-in 100', 'card-cash-in.askPin', 'card-cash-in.resumePayment']] as const)(
    '%s is continued after a redial',
    async (words, screen, offer) => {
      const fatima = world.customer();
      await fatima.isAtMenu().says(words).sees(screen).dials().sees(offer).chooses('continue').sees(screen);
    },
  );

  test('a deposit that waits at the bank holds nothing back, and no menu calls it open', async () => {
    const { fatima, form } = await atForm();
    await sends(form, typedCard());
    await fatima.hears('card-cash-in.atBank').opens().goes('menu').sees('menu.choose').isToldNothing();
    await fatima.says('/transfer 0655000000 50').enters();
    await fatima.sees('transfer.processing');
    await fatima.after(2_000).hears('transfer.done');
    // The same deposit once more is asked about.
    await fatima.says('/card-cash-in 100').sees('card-cash-in.confirmUnconfirmed', { amount: 100_00 });
  });

  test('a second deposit is asked about again when the first arrives after the question', async () => {
    const { fatima, form } = await atForm();
    const { bank } = await sends(form, typedCard());
    await fatima.hears('card-cash-in.atBank').goes('menu').says('/card-cash-in 100');
    await fatima.sees('card-cash-in.confirmUnconfirmed', { amount: 100_00 });
    await atBank(bank);
    await fatima.after(2_000).hears('card-cash-in.done', { amount: 100_00 });
    await fatima.opens().sees('card-cash-in.confirmAgain', { amount: 100_00 });
    await fatima.chooses('confirm').sees('card-cash-in.confirmAgain', { amount: 100_00 });
    // An unchanged situation is not asked about twice.
    await fatima.chooses('confirm').sees('card-cash-in.askPin');
    await fatima.goes('menu').says('/card-cash-in 100').sees('card-cash-in.confirmAgain').chooses('cancel');
  });

  test('a question about an unconfirmed deposit is dropped once that deposit is known not to have left', async () => {
    const { fatima, form } = await atForm();
    const chat = world.chatOf(fatima);
    await chat.isAtMenu().says('/card-cash-in 100').walks(agrees).sees('card-cash-in.askCard');
    const call = world.wallet.holds('cashInByCard', UNSENT);
    const first = sends(form, typedCard());
    await call.reached;
    await sends(formOf(world, chat), typedCard());
    await chat.opens().sees('card-cash-in.confirmUnconfirmed').isTold('pay.alikeSince');
    call.go();
    await first;
    await world.rests();
    await chat.opens().sees('card-cash-in.confirm', { amount: 100_00 }).isToldNothing();
    await chat.chooses('confirm').sees('card-cash-in.askPin');
  });

  test.each([
    ['declined by its issuer', TEST_CARDS.declined.pan, 'confirm'],
    ['without money', TEST_CARDS.insufficientFunds.pan, 'confirm'],
    ['3D Secure fails', TEST_CARDS.threeDsFails.pan, 'confirm'],
    ['the customer declines', CARD, 'decline'],
  ] as const)(
    '%s: page and chat repeat the bank and say “not confirmed”, and after two minutes that nothing came',
    async (_, pan, answer) => {
      const { fatima, form } = await atForm();
      const { bank } = await sends(form, typedCard(pan));
      const { html } = await atBank(bank, answer);
      expect(html).toContain(backDeclined(fatima));
      await fatima.after(1_000).hears('card-cash-in.unfinished', { amount: 100_00 });
      await world.passes(60_000);
      expect((await intentOf(fatima))?.state).toBe('accepted');
      await fatima.after(70_000).hears('card-cash-in.notFound', { amount: 100_00 });
      expect(await credited(fatima)).toBe(0);
    },
  );
});

describe('a customer who comes back from the bank', () => {
  test('a customer who tries card after card is stopped at the eleventh in a day, in every chat', async () => {
    const fatima = world.customer({ balance: '500' });
    await fatima.isAtMenu();
    for (let n = 0; n < 10; n++) {
      await fatima
        .says(`/card-cash-in ${100 + n}`)
        .walks(agrees)
        .sees('card-cash-in.askCard');
      const { status } = await sends(formOf(world, fatima), typedCard(TEST_CARDS.declined.pan));
      expect(status).toBe(200);
      await world.rests();
      await fatima.goes('menu').sees('menu.choose');
    }
    await fatima.says('/card-cash-in 200').isTold('problem.manyCards');
    const chat = world.chatOf(fatima);
    await chat.isAtMenu().says('/card-cash-in 200').isTold('problem.manyCards');
    await world.passes(24 * HOUR_MS);
    await fatima.dials().says('/card-cash-in 200').walks(agrees).sees('card-cash-in.askCard');
  });

  test('a customer who comes back declined several times, and late, reads it once', async () => {
    const { fatima, form } = await atForm();
    const { bank } = await sends(form, typedCard());
    const { back } = await atBank(bank, 'decline');
    await fatima.after(1_000).hears('card-cash-in.unfinished');
    for (let n = 0; n < 3; n++) expect((await fetch(back)).status).toBe(200);
    await fatima.after(3 * 60_000).hears('card-cash-in.notFound');
    for (let n = 0; n < 3; n++) expect((await fetch(back)).status).toBe(200);
    await fatima.after(30 * 60_000).hearsNothing();
  });

  test('a forged “declined” in the return does not hide the money when it comes', async () => {
    const { fatima, form } = await atForm();
    const { bank } = await sends(form, typedCard());
    const { back } = await atBank(bank);
    await fetch(back.replace('/accepted?', '/declined?').replace('RESPONSE_CODE=0', 'RESPONSE_CODE=5'));
    await fatima.after(2_000).hears('card-cash-in.done', { amount: 100_00 });
    expect((await intentOf(fatima))?.state).toBe('succeeded');
  });

  testOn(CHANNELS)(
    'a customer who never comes back from the bank, on %s, reads after ten minutes how to go on',
    async (channel) => {
      const { fatima, form } = await atForm(channel);
      await sends(form, typedCard());
      await fatima.after(9 * 60_000).hears('card-cash-in.atBank');
      expect((await intentOf(fatima))?.evidence.map(({ kind }) => kind)).toEqual(['answer']);
      await fatima.after(60_000).hears('card-cash-in.unfinished', { amount: 100_00 });
      await fatima.after(HOUR_MS).hears('card-cash-in.notFound');
    },
  );

  test('a customer who has closed the bank’s page is told that nothing came as soon as the page has expired', async () => {
    const { fatima, form } = await atForm();
    await sends(form, typedCard());
    await fatima.after(15 * 60_000).hears('card-cash-in.unfinished');
    await fatima.after(3 * 60_000).hears('card-cash-in.notFound', { amount: 100_00 });
  });

  test('a forged return that says SUCCESS brings nothing, and nobody believes it', async () => {
    const { fatima, form } = await atForm();
    const { bank } = await sends(form, typedCard(TEST_CARDS.forgedReturn.pan));
    const { back, html } = await atBank(bank);
    expect(back).toMatch(/\/accepted\?.*REASON_CODE=SUCCESS/);
    expect(html).not.toContain(backDeclined(fatima));
    await world.passes(10_000);
    // The wallet's notice to its own address says that the transaction has ended without money.
    await fatima.hears('card-cash-in.unfinished').hearsNothing();
    await fatima.after(3 * 60_000).hears('card-cash-in.notFound');
  });
});

describe('a deposit by card with a lost answer', () => {
  test('when its event is lost, the list of operations has the outcome', async () => {
    const { fatima, form } = await atForm();
    world.sandbox.faults.set({ name: 'webhookNever', operation: 'executeCardCashIn', count: 1 });
    const { bank } = await sends(form, typedCard());
    await atBank(bank);
    await fatima.after(5 * 60_000).hears('card-cash-in.done');
  });

  test('when the answer and the bank’s page are lost, it is followed and never sent again', async () => {
    const { fatima, form } = await atForm();
    world.wallet.next('cashInByCard', loses);
    const { bank, html } = await sends(form, typedCard());
    expect([bank, html]).toEqual([undefined, expect.stringContaining('data-page="given"')]);
    await fatima.hears('card-cash-in.notConfirmed');
    // Nobody has the link, so nothing can happen any more: the list says so after minutes, not after an hour.
    for (let i = 0; i < 4; i++) await world.passes(5 * 60_000 + 1_000);
    await fatima.hears('card-cash-in.notFound').goes('menu').sees('menu.choose').isToldNothing();
    expect(world.wallet.calls(fatima.phone, 'cashInByCard')).toHaveLength(1);
  });

  test.each([
    [
      'a number that is no card’s for the gateway',
      'cashInByCard',
      { kind: 'refused', code: '90200', description: '' },
      'problem.90200',
    ],
    ['a foreign card', 'cashInByCard', { kind: 'refused', code: '90202', description: '' }, 'problem.90202'],
    ['it never left', 'cashInByCard', UNSENT, undefined],
  ] as const)('%s: refused, with the reason, and nothing is open', async (_, call, answer, why) => {
    const { fatima, form } = await atForm();
    world.wallet.next(call, answer);
    expect((await sends(form, typedCard())).html).toContain('data-page="refused"');
    await fatima.hears(why ? 'card-cash-in.refused' : 'card-cash-in.notSent', { amount: 100_00 });
    if (why) await fatima.opens().isTold(why);
    await fatima.goes('menu').isToldNothing();
  });

  test('when the process dies before the answer, the card is gone with it and nothing is sent again', async () => {
    const { fatima, form } = await atForm();
    await world.crashesDuring(
      'cashInByCard',
      sends(form, typedCard()).then(
        () => {},
        () => {},
      ),
    );
    await fatima.after(2 * 60_000).hears('card-cash-in.notConfirmed');
    await fatima.after(HOUR_MS).hears('card-cash-in.notFound');
    expect(world.wallet.calls(fatima.phone, 'cashInByCard')).toHaveLength(1);
  });

  test('when its price changes between PIN and card, it is asked about again and the card is dropped', async () => {
    const { fatima, form } = await atForm();
    await world.passes(3 * 60_000);
    world.wallet.next('previewCardCashIn', ok({ fees: 500, total: 105_00, openLoop: false } as never));
    expect((await sends(form, typedCard())).status).toBe(200);
    await fatima.hears('card-cash-in.confirm').opens().isTold('pay.changed');
    await fatima.chooses('confirm').enters().sees('card-cash-in.askCard');
    expect(world.wallet.calls(fatima.phone, 'cashInByCard')).toHaveLength(0);
  });
});

describe('the limits of a deposit by card', () => {
  test('an amount above the level is refused with the ways to the next level and to another amount', async () => {
    const fatima = world.customer({ channel: 'web', balance: '3950' });
    await fatima.isAtMenu().says('/card-cash-in').sees('card-cash-in.askAmountWithin', { limit: 4_000_00 });
    await fatima.says('100').sees('cash-in.overLimit', { limit: 4_000_00 }).isToldNothing();
    await fatima.chooses('amend').says('50').sees('card-cash-in.askPin');
  });

  test.each(['ussd', 'web'] as const)(
    'the room that is left is named after the PIN, on %s',
    async (channel) => {
      const fatima = world.customer({ channel, balance: '3950' });
      await fatima.isAtMenu().says('/card-cash-in 100').sees('cash-in.overLimit').chooses('room');
      await fatima.sees('cash-in.askPin').goes('back').sees('card-cash-in.askAmountWithin').says('100');
      await fatima
        .chooses('room')
        .enters('4321')
        .sees('cash-in.askPin')
        .isTold('pin.wrongWithTries')
        .enters();
      await fatima.sees('card-cash-in.overRoom', { limit: 4_000_00, left: 50_00 }).chooses('amend');
      await fatima.sees('card-cash-in.askAmountLeft', { left: 50_00 }).says('50').sees('card-cash-in.askPin');
      expect(world.wallet.calls(fatima.phone, 'cashInByCard')).toHaveLength(0);
    },
  );

  test('the limit is not mentioned when the level is unknown', async () => {
    const fatima = world.customer({ channel: 'web', balance: '3950' });
    await fatima.isAtMenu().meanwhile(() => world.wallet.next('profile', UNSENT));
    await fatima.says('/card-cash-in').sees('card-cash-in.askAmount').isToldNothing();
    await fatima.says('100').sees('card-cash-in.overLevel').chooses('upgrade').sees('upgrade.explain');
  });

  test('after the PIN the remaining room is named as well', async () => {
    const { fatima, form } = await atForm();
    await world.passes(3 * 60_000);
    world.wallet.next('previewCardCashIn', refused('90011'));
    await sends(form, typedCard());
    await fatima.opens().sees('card-cash-in.overRoom', { limit: 4_000_00, left: 3_500_00 }).isToldNothing();
    await fatima.chooses('amend').sees('card-cash-in.askAmountLeft', { left: 3_500_00 });
    expect(world.wallet.calls(fatima.phone, 'cashInByCard')).toHaveLength(0);
  });

  test('a form that nobody fills in closes after ten minutes, and the customer can go on', async () => {
    const { fatima, form } = await atForm();
    await world.passes(10 * 60_000 + 1_000);
    expect((await sends(form, typedCard())).status).toBe(410);
    await fatima.hears('card-cash-in.lapsed', { amount: 100_00 });
    await fatima.opens().chooses('continue').sees('card-cash-in.askPin');
  });
});

/** The words on the page after the bank’s page said no. */
function backDeclined({ language }: Customer): string {
  return { fr: 'n&#39;a pas été accepté', ar: 'لم يقبل', en: 'was not accepted' }[language];
}

const PAN = '5555555555554444';

describe('the answers on the form', () => {
  test('are stored nowhere, are in no log, and come back on no page', async () => {
    const { fatima, form } = await atForm();
    const wrong = await sends(form, typedCard(PAN, { cvv: '9' }));
    expect(wrong.html).not.toMatch(/5555|4444|FATIMA|Alaoui/);
    const { bank, html } = await sends(form, typedCard(PAN, { cvv: '951', expiry: '11/33' }));
    await atBank(bank);
    await fatima.after(2_000).hears('card-cash-in.done');
    const written = (await world.everythingStored()) + html + world.formLog.lines.join();
    for (const secret of [PAN, PAN.slice(0, 12), PAN.slice(-8), '"951"', '"3311"', '11/33', 'Alaoui'])
      expect(written.includes(secret), secret).toBe(false);
  });

  test.each([
    ['a number that fails the check', { pan: '4242424242424241' }],
    ['a number that is too short', { pan: '42424242' }],
    ['no number', { pan: '' }],
    ['letters', { pan: '4242 4242 4242 424x' }],
    ['a month that is none', { expiry: '13/30' }],
    ['a month that is past', { expiry: '01/20' }],
    ['a year far off', { expiry: '01/79' }],
    ['a date in words', { expiry: 'août 2030' }],
    ['a short code', { cvv: '12' }],
    ['a long code', { cvv: '1234' }],
    ['one name', { holder: 'Fatima' }],
    ['a name with markup', { holder: '<b>Fatima</b> Alaoui' }],
    ['a name without end', { holder: `Fatima ${'a'.repeat(80)}` }],
  ])('%s is asked for again, by name, and costs no try', async (_, wrong) => {
    const { fatima, form } = await atForm();
    const again = await sends(form, typedCard(CARD, wrong));
    expect(again.status).toBe(422);
    expect(again.html.match(/aria-invalid/g)).toHaveLength(1);
    expect(world.wallet.calls(fatima.phone, 'cashInByCard')).toEqual([]);
    expect((await sends(form, typedCard())).bank).toBeDefined();
  });

  test.each([
    ['in groups, with Eastern digits', { pan: '٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢', expiry: '٠٨/٣٠', cvv: '٧٣٧' }, '3008'],
    ['with dashes', { pan: '4242-4242-4242-4242', expiry: '0830' }, '3008'],
    ['with the whole year', { expiry: '8/2030' }, '3008'],
    ['with an Arabic name', { holder: 'فاطمة الزهراء العلوي' }, '3008'],
  ])('are read %s', async (_, fields, expiry) => {
    const { fatima, form } = await atForm();
    expect((await sends(form, typedCard(CARD, fields))).bank).toBeDefined();
    const [order] = world.wallet.told(fatima.phone, 'cashInByCard')[0] ?? [];
    expect(order).toMatchObject({ card: { pan: CARD, expiry, cvv: '737', keep: false } });
  });

  test('a card or its CVV typed in the chat is refused and not stored', async () => {
    const { fatima } = await atForm();
    await fatima.says('4242 4242 4242 4242').sees('card-cash-in.askCard').isTold('nav.cardNumber');
    await fatima.says('737').sees('card-cash-in.askCard');
    expect(await world.everythingStored()).not.toContain('4242 4242');
    expect(world.wallet.calls(fatima.phone, 'cashInByCard')).toEqual([]);
  });

  test('an SMS leads to a form for a card, but never to a form for a PIN', async () => {
    const { fatima } = await atForm('ussd');
    const links = world.sms(fatima.phone).filter((text) => text.includes('/form/'));
    expect(links).toHaveLength(1);
    expect(links[0]).toMatch(/\/form\/ussd\.card\./);
    expect(fatima.reply().rests, 'the dialog ends there').toBe(true);
  });
});

describe('the links to the form', () => {
  test('a redial leaves the link in the SMS alive and mentions it', async () => {
    const { fatima, form } = await atForm('ussd');
    await fatima.dials().sees('card-cash-in.resumeLink', { amount: 100_00 });
    await fatima.dials().sees('card-cash-in.resumeLink', { amount: 100_00 });
    expect((await fetch(form)).status).toBe(200);
    expect((await sends(form, typedCard('4242'))).status, 'a typing error uses nothing up').toBe(422);
    const { status, bank } = await sends(form, typedCard());
    expect(status).toBe(200);
    await atBank(bank);
    await fatima.after(2_000).hears('card-cash-in.done', { amount: 100_00 });
    expect((await sends(form, typedCard())).status).toBe(410);
    expect(await credited(fatima)).toBe(1);
    expect(world.sms(fatima.phone).filter((text) => text.includes('/form/'))).toHaveLength(1);
  });

  test.each(['رصيد', 'سحب 100'])(
    'a redial asks about it on its first page, and takes an order: %s',
    async (order) => {
      const fatima = world.customer({ channel: 'ussd', language: 'ar' });
      await fatima.isAtMenu().says('/card-cash-in 100').enters().sees('card-cash-in.askCard');
      await fatima.dials().sees('card-cash-in.resumeLink');
      expect(pageOf(world.renderer, fatima.reply())).toMatchObject({ asked: true, choices: 2 });
      await fatima.says(order).sees(order === 'رصيد' ? 'balance.askPin' : 'cash-out.askPin');
    },
  );

  test('a link whose SMS leaves only after the redial leads to the form', async () => {
    const fatima = world.customer({ channel: 'ussd' });
    await fatima.isAtMenu().says('/card-cash-in 100').sees('card-cash-in.askPin');
    world.post.refuses = 1;
    await fatima.enters().sees('card-cash-in.askCard').dials().sees('card-cash-in.resumeLink');
    await world.passes(60_000);
    const { bank } = await sends(formOf(world, fatima), typedCard());
    await atBank(bank);
    await fatima.after(2_000).hears('card-cash-in.done', { amount: 100_00 });
  });

  test.each([
    ['given up', (fatima: Customer) => fatima.dials().chooses('leave').sees('menu.choose')],
    [
      'replaced',
      (fatima: Customer) => fatima.dials().chooses('continue').walks(agrees).sees('card-cash-in.askCard'),
    ],
    [
      'for another deposit',
      (fatima: Customer) =>
        fatima
          .dials()
          .chooses('leave')
          .says('/card-cash-in 70')
          .walks(agrees)
          .dials()
          .sees('card-cash-in.resumeLink'),
    ],
    [
      'ten minutes old',
      (fatima: Customer) =>
        fatima
          .dials()
          .after(10 * 60_000 + 1_000)
          .dials(),
    ],
  ])('the link of a deposit that is %s leads nowhere', async (_, then) => {
    const { fatima, form } = await atForm('ussd');
    await then(fatima);
    await world.rests();
    expect((await fetch(form)).status).toBe(410);
    expect((await sends(form, typedCard())).status).toBe(410);
    expect(world.wallet.calls(fatima.phone, 'cashInByCard')).toEqual([]);
  });

  test('at the end of the dialog an unknown deposit is named first', async () => {
    const { fatima, form } = await atForm('ussd');
    world.wallet.next('cashInByCard', loses);
    await sends(form, typedCard());
    await fatima.hears('card-cash-in.notConfirmed');
    await world.passes(3 * 60_000);
    await fatima.dials().says('/card-cash-in 50').walks(agrees).sees('card-cash-in.askCard');
    expect(fatima.reply().screen.first?.map(({ key }) => key)).toEqual(['card-cash-in.notConfirmed']);
  });
});

describe('the return from the bank', () => {
  testOn(CHANNELS)(
    'a gateway that posts the result is answered like one that sends the browser back, on %s',
    async (channel) => {
      const { fatima, form } = await atForm(channel);
      const { bank } = await sends(form, typedCard());
      const { back, html } = await atBank(bank, 'decline');
      const { pathname, origin, searchParams } = new URL(back);
      const posts = async (path: string, body: string | URLSearchParams) => {
        const response = await fetch(`${origin}${path}`, { method: 'POST', body });
        return { status: response.status, html: await response.text() };
      };
      expect(await posts(pathname, searchParams)).toEqual({ status: 200, html });
      expect(await posts(pathname, 'no form')).toEqual({ status: 200, html });
      // Neither is believed: the wallet alone says whether money has come.
      const done = await posts(
        pathname.replace('/declined', '/accepted'),
        new URLSearchParams({ RESPONSE_CODE: '0' }),
      );
      expect([done.status, done.html === html]).toEqual([200, false]);
      await world.passes(60_000);
      expect(await credited(fatima)).toBe(0);
      expect((await posts(pathname.replace(/back\/[^/]+/, 'back/x'), searchParams)).status).toBe(410);
      // A customer on USSD has no conversation to go back to.
      const words = done.html.replace(/<head>.*<\/head>/s, '');
      expect(/conversation|المحادثة/.test(words)).toBe(channel !== 'ussd');
      // How the outcome comes depends on what the operator pays an SMS for.
      expect(words).not.toMatch(/SMS|رسالة قصيرة/);
    },
  );

  test('the return address of the bank’s page can only be looked at', async () => {
    const { fatima, form } = await atForm();
    const { bank } = await sends(form, typedCard());
    const before = await intentOf(fatima);
    const { back } = await atBank(bank, 'decline');
    const token = /\/back\/([^/]+)\//.exec(back)?.[1] ?? '';
    const at = `${world.formAt}/back`;
    expect((await fetch(`${world.formAt}/web.card.${token}`)).status).toBe(410);
    expect((await fetch(`${at}/${token.slice(0, -2)}xx/accepted`)).status).toBe(410);
    expect(
      (await fetch(`${at}/${token}/notified`, { method: 'POST', body: '{"RESPONSE_CODE":0}' })).status,
    ).toBe(204);
    expect((await fetch(`${at}/x/notified`, { method: 'POST' })).status).toBe(404);
    expect(await intentOf(fatima)).toMatchObject({
      state: 'accepted',
      evidence: [...(before?.evidence ?? []), { kind: 'unfinished', declined: true }],
    });
    // The address can be opened any number of times: the wallet is asked at most twice in ten seconds.
    await world.passes(60_000);
    const looks = () => world.wallet.calls(fatima.phone, 'operations').length;
    const asked = looks();
    for (let n = 0; n < 20; n++) {
      expect((await fetch(`${at}/${token}/notified`, { method: 'POST' })).status).toBe(204);
      await world.passes(100);
    }
    expect(looks() - asked).toBeLessThanOrEqual(2);
    await world.passes(3 * HOUR_MS);
    expect((await fetch(`${at}/${token}/accepted`)).status).toBe(410);
  });
});
