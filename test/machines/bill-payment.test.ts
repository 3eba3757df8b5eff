import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import type { ChannelName } from '../../src/conversation/incoming.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { ERRORS } from '../../src/wallet/contract/errors.ts';
import { alone } from '../kit/alone.ts';
import {
  CHANNELS,
  describeOn,
  LOST,
  MINUTE_MS,
  refused,
  testOn,
  theWorld,
  UNSENT,
  type World,
} from '../kit/world.ts';
import {
  CREDITORS,
  findsContributions,
  findsWater,
  goesTo,
  isOnPages,
  known,
  ordersWater,
  type Path,
  SEVERAL,
  SINGLE,
} from './bill-orders.ts';

/** A contract that no other test has paid. */
let last = 5_000_000;
const contract = () => String(last++);

describeOn(CHANNELS)('a bill payment on %s', (channel) => {
  const world = theWorld({ bot: 'webhook' });
  const customer = (balance = '9000') => world.customer({ channel, balance });

  test('the water bills of a contract are paid, and the settlement is told', async () => {
    const fatima = customer();
    await fatima.isAtMenu().walks(ordersWater('0612345'));
    await fatima.enters().sees('bill-payment.doneSettled', { creditor: 'Amendis (test)', receivable: 'Eau' });
    expect(fatima.reply().screen.document).toEqual({ kind: 'bill-receipt', operationId: expect.any(Number) });
  });

  test('some bills of a school are chosen, and the insurance goes with them', async () => {
    const fatima = customer();
    await fatima.isAtMenu().walks(goesTo(CREDITORS.school));
    await fatima.says('E1234').sees('bill-payment.ask', { label: "Nom de l'élève" });
    await fatima.says('Zoé Tazi').sees('bill-payment.offer', { label: 'Date de naissance' });
    await fatima.chooses('fill').sees('bill-payment.askDate').says('1.2.2015');
    if (isOnPages(fatima)) await fatima.sees('bill-payment.selectNoneWith').chooses('2');
    else {
      await fatima.sees('bill-payment.reviewFor').chooses('some').sees('bill-payment.selectNoneWith');
      expect(
        fatima.reply().screen.choices?.map(({ id }) => id),
        'nothing to pay yet',
      ).not.toContain('pay');
      await fatima.chooses('0').chooses('2').chooses('0').chooses('pay');
    }
    await fatima.sees(isOnPages(fatima) ? 'bill-payment.askPinAddedFree' : 'bill-payment.askPin');
    const { order } = await known(world, fatima);
    expect(order.all).toBe(false);
    expect(order.items.map(({ type }) => type)).toEqual([0, 2]);
    await fatima.enters().sees('bill-payment.doneSettled', { amount: order.amount });
  });

  test('a tax receipt has the number and the words of the tax office', async () => {
    const fatima = customer();
    await fatima.isAtMenu().walks(goesTo(CREDITORS.taxes)).chooses('01');
    await fatima.says('12345678').sees('bill-payment.offer').chooses('skip').sees('bill-payment.reviewFor');
    await fatima.chooses('all').enters().sees('bill-payment.doneStamped');
  });

  test('a label stands above the question, a choice has its options, and two digits may be 98', async () => {
    const fatima = customer();
    await fatima.isAtMenu().walks(goesTo(CREDITORS.vignette));
    await fatima.sees('bill-payment.askUnder', {
      above: expect.stringContaining('trois parties'),
    });
    await fatima.says('٤٥٦٧٨').sees('bill-payment.ask', { label: 'Lettre' });
    expect(fatima.reply().screen.choices?.map(({ values }) => values?.option)).toContainEqual({ text: 'H' });
    await fatima.says('99999').isTold('nav.chooseOne');
    await fatima.chooses('4').sees('bill-payment.ask', { label: 'Préfecture' });
    await fatima.says('98').sees('bill-payment.reviewFor');
    const { answers } = await known(world, fatima);
    expect(answers).toEqual([
      { name: 'numero', value: '45678' },
      { name: 'lettre', value: 'H' },
      { name: 'prefecture', value: '98' },
    ]);
  });

  test('a password is asked for on a hidden field', () =>
    customer().isAtMenu().walks(findsContributions('9876543', '48151623')).sees('bill-payment.reviewFor'));

  test('earlier payments are listed, and each can be opened', async () => {
    const fatima = customer();
    await fatima.isAtMenu().chooses('bill-payment');
    await fatima.chooses('history').sees('bill-payment.chooseCreditor').isTold('bill-payment.noHistory');
    await fatima.offersNo('history');
    await fatima.goes('menu').walks(ordersWater('7654321')).enters().sees('bill-payment.doneSettled');
    await fatima.goes('menu').chooses('bill-payment').chooses('history').sees('bill-payment.listHistory');
    await fatima.chooses('0');
    await fatima.sees('bill-payment.detail', {
      creditor: 'Amendis (test)',
      status: 'bill-payment.stateDone',
    });
    expect(fatima.reply().screen.document?.kind).toBe('bill-receipt');
    await fatima.chooses('list').sees('bill-payment.listHistory');
    await fatima.goes('back').sees('bill-payment.chooseCreditor').goes('back').sees('menu.choose');
  });
});

const searchingIn =
  (world: World) =>
  (channel: ChannelName = 'web') =>
    world.customer({ channel }).isAtMenu().chooses('bill-payment').sees('bill-payment.chooseCreditor');

describe('what is typed at the list of creditors', () => {
  const searching = searchingIn(theWorld({ bot: 'webhook' }));

  test.each([
    ['recharge', 'top-up.askNumber'],
    ['dépôt', 'cash-in.askAmountWithin'],
    ['conseiller', 'help.asked'],
    ['merci', 'bill-payment.chooseCreditor'],
  ])('words that no creditor has are the request that they are elsewhere: %s', async (words, key) => {
    const fatima = searching();
    await fatima.says(words).sees(key);
    if (words === 'merci') await fatima.isTold('nav.welcome');
    else await searching().says('eau').sees('bill-payment.found').says(words).sees(key);
  });

  testOn(CHANNELS)(
    'after the number of a contract, which is asked for no more where it is sure, on %s',
    async (channel) => {
      const fatima = searching(channel);
      await fatima.says('4711 002').sees('bill-payment.chooseCreditor').isTold('bill-payment.creditorFirst');
      await fatima.chooses(CREDITORS.amendis).chooses('01');
      await fatima.sees(isOnPages(fatima) ? 'bill-payment.askPinAllFree' : 'bill-payment.reviewFor');
      if (isOnPages(fatima)) await fatima.goes('back').sees('bill-payment.reviewFor');
      await fatima.goes('back').sees('bill-payment.ask', { label: 'Numéro de contrat' });
      const other = searching(channel);
      await other
        .says('4711002')
        .chooses(CREDITORS.cnss)
        .sees('bill-payment.ask', { label: "Numéro d'affiliation" });
    },
  );

  test('together with the number of a contract', async () => {
    const fatima = searching('ussd');
    await fatima.says(`amendis ${SINGLE}`).sees('bill-payment.chooseReceivable').chooses('01');
    await fatima.sees('bill-payment.askPinAllFree', { contract: SINGLE });
  });
});

describe('finding a creditor', () => {
  const world = theWorld({ bot: 'webhook' });
  const searching = searchingIn(world);

  test('every creditor comes with its picture, and the history is the last choice', async () => {
    const fatima = searching();
    await fatima;
    const { choices = [] } = fatima.reply().screen;
    expect(choices.length).toBeGreaterThan(12);
    expect(choices.at(-1)?.id).toBe('history');
    expect(choices[0]?.picture).toBeTruthy();
  });

  testOn(CHANNELS)('by some letters of its name, on %s', async (channel) => {
    const fatima = searching(channel);
    await fatima.says('ecole amandiers').sees('bill-payment.ask', { label: "Code de l'élève" });
    await fatima.isTold('bill-payment.foundOnly', { creditor: 'École Amandiers (test)' });
    await fatima.goes('back').sees('bill-payment.chooseCreditor').isToldNothing();
    await fatima.says('eau').sees('bill-payment.found', { search: 'eau' }).goes('back');
    await fatima.sees('bill-payment.chooseCreditor').goes('back').sees('menu.choose');
  });

  testOn(CHANNELS)(
    'by its name at the services of another one, and beside the bills of that, on %s',
    async (channel) => {
      const fatima = searching(channel);
      await fatima.chooses(CREDITORS.amendis).sees('bill-payment.chooseReceivable');
      await fatima.says('redal').sees('bill-payment.askUnder').goes('menu');
      await fatima.walks(ordersWater(SINGLE)).says('redal').sees('bill-payment.resumePayment');
      const named = fatima.reply().screen.choices?.find(({ id }) => id === 'bill-payment');
      expect(named?.values?.search).toEqual({ text: 'redal' });
      await fatima.chooses('bill-payment').sees('bill-payment.askUnder');
    },
  );

  test.each(['1234', '123456', '123-456', '4000000000003220'])(
    '%s is no creditor, and is not searched',
    async (secret) => {
      const fatima = world.customer({ channel: 'web' });
      await fatima.isAtMenu().chooses('bill-payment').sees('bill-payment.chooseCreditor').says(secret);
      await fatima.sees('bill-payment.chooseCreditor');
      const { conversation } = await world.session(fatima);
      expect(JSON.stringify(conversation)).not.toMatch(alone(secret));
    },
  );

  test.each([
    ['iam', 'Maroc Telecom (test)'],
    ['Lydec', 'SRM Casa-Settat (test)'],
    ['أمانديس', 'Amendis (test)'],
    ['اتصالات المغرب', 'Maroc Telecom (test)'],
  ])('by another name: %s', async (search, name) => {
    const fatima = searching();
    await fatima.says(search);
    const { key, values, notice } = fatima.reply().screen;
    expect(key).toMatch(/^bill-payment\.(?:ask|chooseReceivable)/);
    expect({ ...notice?.values, ...values }.creditor).toEqual({ name });
    await fatima.goes('back').sees('bill-payment.chooseCreditor');
  });

  test.each([
    ['ماء', 'SRM Casa-Settat (test)', 4],
    ['الكهرباء', 'SRM Casa-Settat (test)', 4],
    ['facture d’eau', 'SRM Casa-Settat (test)', 4],
    ['الهاتف', 'Maroc Telecom (test)', 3],
    ['téléphone', 'Maroc Telecom (test)', 3],
    ['الضرائب', 'DGI Vignette (test)', 3],
  ])('by what it bills: %s', async (search, name, count) => {
    const fatima = searching();
    await fatima.says(search).sees('bill-payment.found');
    const [first, ...others] = fatima.reply().screen.choices ?? [];
    expect(first?.values?.option).toEqual({ text: name });
    expect(others).toHaveLength(count);
  });

  test.each([
    'facture iam',
    'payer redal',
    'lydec',
    'فاتورة ليديك',
    'خلص ليديك',
    'facture iam 100',
    'facture eau lydec',
  ])('%s at the menu leads to it', async (line) => {
    const fatima = world.customer({ channel: 'web' }).isAtMenu().says(line);
    await fatima;
    expect(fatima.reply().screen.key).toMatch(/^bill-payment\.(?:found|ask|chooseReceivable)/);
  });

  test('by an unknown name', () =>
    searching()
      .says('zzz')
      .sees('bill-payment.chooseCreditor')
      .isTold('bill-payment.noMatch', { search: 'zzz' }));

  test('the customer is told about a closed creditor', () =>
    searching().chooses(CREDITORS.closed).sees('bill-payment.chooseCreditor').isTold('problem.bill104'));

  test('the customer is told about a service that is not enabled, and it leaves the menu', async () => {
    const fatima = world.customer().isAtMenu();
    await fatima;
    // Creditors are cached for hours, but these are read every time.
    world.wallet.next('receivables', refused('http404'));
    await fatima.walks(goesTo(CREDITORS.amendis)).sees('bill-payment.notEnabled').dials().sees('menu.choose');
    world.wallet.next('receivables', refused('http403'));
    await fatima.walks(goesTo(CREDITORS.amendis)).sees('bill-payment.notEnabled').goes('menu');
    await fatima.offersNo('bill-payment');
  });

  test.each([
    ['receivables', UNSENT],
    ['billForm', LOST],
  ] as const)('when %s cannot be read', async (call, instead) => {
    const fatima = searching();
    await fatima;
    world.wallet.next(call, instead);
    await fatima.chooses(CREDITORS.cnss).sees('bill-payment.chooseCreditor').isTold('problem.unavailable');
    await fatima.chooses(CREDITORS.cnss).sees('bill-payment.ask');
  });
});

const world = theWorld();

describe('creditors that cannot be read', () => {
  test.each([
    ['nobody answers', LOST, 'bill-payment.closed'],
    ['there is none', { kind: 'ok', value: [] } as const, 'bill-payment.closed'],
    ['the service is not enabled', refused('90017'), 'bill-payment.notEnabled'],
  ])('%s', async (_, instead, key) => {
    const fatima = world.customer().isAtMenu();
    await fatima;
    world.wallet.next('creditors', instead);
    await fatima.chooses('bill-payment').sees(key);
  });
});

describe('the bills', () => {
  const rich = (channel: ChannelName = 'ussd') => world.customer({ channel, balance: '9000' });
  const looking = () =>
    rich().isAtMenu().walks(goesTo(CREDITORS.amendis)).chooses('01').sees('bill-payment.ask');

  test('without a bill to pay there is another number, or another creditor', async () => {
    const fatima = looking();
    await fatima.says('0990000107').sees('bill-payment.nothingToPay', { creditor: 'Amendis (test)' });
    await fatima.chooses('change').sees('bill-payment.ask').says('0990000107');
    await fatima.chooses('another').sees('bill-payment.chooseCreditor');
  });

  test('a network that fails may be asked again', async () => {
    const fatima = looking();
    await fatima.says('0990000108').sees('problem.unavailable').chooses('again').sees('problem.unavailable');
    await fatima.goes('back').sees('bill-payment.ask').says('0990000108');
    await fatima.chooses('cancel').sees('menu.choose');
  });

  test.each([
    ['104', 'bill-payment.chooseCreditor', 'problem.bill104'],
    ['107', 'bill-payment.nothingToPay', undefined],
    ['109', 'bill-payment.ask', 'problem.bill109'],
  ])('refused with %s', async (code, key, told) => {
    const fatima = looking();
    await fatima;
    world.wallet.next('unpaidBills', refused(`bill${code}`));
    await fatima.says(contract()).sees(key);
    await (told ? fatima.isTold(told) : fatima.isToldNothing());
  });

  test.each([
    ['a code of its own', refused('47110'), 'bill-payment.ask', 'problem.other'],
    ['an empty list', { kind: 'ok', value: EMPTY() } as const, 'bill-payment.nothingToPay', undefined],
    ['silence', LOST, 'problem.unavailable', undefined],
  ])('answered with %s', async (_, instead, key, told) => {
    const fatima = looking();
    await fatima;
    world.wallet.next('unpaidBills', instead);
    await fatima.says(contract()).sees(key);
    await (told ? fatima.isTold(told) : fatima.isToldNothing());
  });

  test('bills that cannot be read are named as missing, and "all" is not offered', async () => {
    const fatima = looking();
    await fatima;
    world.wallet.next('unpaidBills', async (ask) => {
      const answer = await ask();
      return answer.kind === 'ok' ? { ...answer, value: { ...answer.value, isPartial: true } } : answer;
    });
    await fatima.says(SEVERAL).sees('bill-payment.selectNone').isTold('bill-payment.partial');
    expect(fatima.reply().screen.choices?.at(-1)?.key).toBe('bill-payment.payShownOf');
  });

  test('when no bill can be read, the customer does not read that there is nothing to pay', async () => {
    const fatima = looking();
    await fatima;
    const value = { ...EMPTY(), isPartial: true } as const;
    world.wallet.next('unpaidBills', { kind: 'ok', value });
    await fatima.says(contract()).sees('problem.unavailable');
  });

  test('technical fields are never shown and return unchanged, and labels are never sent', async () => {
    const fatima = rich().isAtMenu().walks(goesTo(CREDITORS.redal)).says(contract());
    await fatima.chooses('skip').sees('bill-payment.selectNoneWith');
    const shown = JSON.stringify(fatima.reply().screen);
    for (const word of ['contrPaiement', 'isConfTO', 'isAnnul', 'rejoue']) expect(shown).not.toContain(word);
    const { unpaid, answers } = await known(world, fatima);
    expect(unpaid.params.map(({ nomChamp }) => nomChamp)).toEqual(
      expect.arrayContaining(['contrPaiement', 'isConfTO', 'isAnnul', 'rejoue']),
    );
    expect(answers.map(({ name }) => name)).toEqual(['numContrat']);
    // The sandbox refuses a payment whose parameters are not those that it gave.
    await fatima.chooses('all').sees('bill-payment.askPinAddedFree');
  });

  test.each(LANGUAGES)(
    'what is added to bills stands beside them on the page of the PIN, in %s',
    async (language) => {
      const fatima = world.customer({ language, balance: '9000' });
      await fatima.isAtMenu().walks(goesTo(CREDITORS.redal)).says(contract()).chooses('skip').says('1');
      const { order, quote } = await known(world, fatima);
      const { text } = pageOf(world.renderer, fatima.reply());
      const [bill = 0, added] = order.items.map(({ amount }) => amount / 100);
      expect([bill + (added ?? 0), added]).toEqual([quote.total / 100, 12.5]);
      for (const sum of [bill, quote.total / 100])
        expect(text.replaceAll('.', ',')).toContain(sum.toFixed(2).replace('.', ','));
      expect(text).toMatch(/\d(?: DH)? \+ .*12[.,]50/);
      expect(text).not.toContain('رسوم 0');
      expect(text).toMatch(/الرمز السري؟|PIN ?\?/);
    },
  );
});

describe('the preview of bills', () => {
  const rich = (channel: ChannelName = 'ussd') => world.customer({ channel, balance: '9000' });

  test('on USSD the PIN names all bills of a contract, and back lists them', async () => {
    const fatima = rich().isAtMenu().walks(findsWater(SEVERAL));
    await fatima.sees('bill-payment.askPinAllFree', {
      contract: SEVERAL,
      bills: expect.stringMatching(/^Facture eau [\d/]+ … [\d/]+ \(4\)$/),
      fees: 0,
    });
    const { order, unpaid } = await known(world, fatima);
    await fatima.sees('bill-payment.askPinAllFree', { holder: unpaid.shown[0]?.value });
    expect(order).toMatchObject({ all: true, items: unpaid.items });
    await fatima.goes('back').sees('bill-payment.selectNone').offers('0', '1', '2', '3', 'all');
    await fatima.says('1').sees('bill-payment.askPinAllFree', {
      bills: expect.stringMatching(/^Facture eau [\d/]+$/),
    });
  });

  test.each(['fr', 'ar'] as const)(
    'the pages of the PIN name contract, holder, bills and total, in %s',
    async (language) => {
      const fatima = world.customer({ language, balance: '9000' });
      await fatima.isAtMenu().walks(goesTo(CREDITORS.redal)).says(contract()).chooses('skip').chooses('all');
      const { order, unpaid } = await known(world, fatima);
      const pages = [pageOf(world.renderer, fatima.reply())];
      while ((pages.at(-1)?.page ?? 0) < (pages[0]?.pages ?? 1) - 1) {
        await fatima.says('98');
        pages.push(pageOf(world.renderer, fatima.reply()));
      }
      const text = pages.map((page) => page.text).join('\n');
      const months = order.items.flatMap(({ description }) => /\d\d\/\d{4}/.exec(description) ?? []);
      const number = order.answers.flatMap((each) => ('value' in each ? each.value : []));
      for (const part of [...number, unpaid.shown[0]?.value ?? '?', months[0] ?? '?', months.at(-1) ?? '?'])
        expect(text).toContain(part);
      expect(pages.at(-1)?.text).toMatch(/الرمز السري؟|Code PIN \?/);
      expect(text).toMatch(/\n0 [<R]/);
      await fatima.says('1234').sees('bill-payment.doneSettled');
    },
  );

  test.each([
    ['fr', 'askPinAllFree', findsWater(SEVERAL)],
    ['ar', 'askPinAllFree', findsWater(SEVERAL)],
    ['fr', 'askPinAll', findsPhone('0522000002')],
    ['ar', 'askPinAll', findsPhone('0522000002')],
  ] as const)(
    'the total of several bills stands beside none of them, in %s: %s',
    async (language, key, path) => {
      const fatima = world.customer({ language, balance: '9000' });
      await fatima.isAtMenu().walks(path).sees(`bill-payment.${key}`);
      const { order, quote } = await known(world, fatima);
      expect(order.items.length).toBeGreaterThan(1);
      const reply = fatima.reply();
      const { pages } = pageOf(world.renderer, reply);
      const lines = Array.from(
        { length: pages },
        (_, page) => pageOf(world.renderer, { ...reply, page }).text,
      )
        .join('\n')
        .split('\n');
      const ofBills = lines.findIndex((line) => /\d\d\/\d{4}/.test(line));
      expect(lines[ofBills]).not.toMatch(/DH|درهم|:/);
      const ofTotal = lines.find((line) => line.includes(String(Math.trunc(quote.total / 100))));
      expect(ofTotal).toMatch(/^(?:[\d,]+ \+ frais|Total|المبلغ|المجموع|رسوم \d+ مجموع) /);
    },
  );

  test.each([
    ['billChanged', 'bill-payment.selectNone'],
    ['billExpired', 'bill-payment.selectNone'],
  ] as const)('a preview refused with %s shows the bills again', async (name, key) => {
    const code = String(ERRORS[name].code);
    const fatima = rich().isAtMenu();
    await fatima;
    world.wallet.next('previewBill', refused(code));
    await fatima.walks(findsWater(SEVERAL)).sees(key).isTold(`problem.${code}`);
    await fatima.chooses('all').sees('bill-payment.askPinAllFree');
  });

  test('a customer with too little money reads so and may pay less', async () => {
    const fatima = world.customer({ language: 'fr', balance: '150' }).isAtMenu().walks(findsWater(SEVERAL));
    await fatima.sees('pay.short').goes('back').sees('bill-payment.selectNone').says('4');
    await fatima.sees('bill-payment.askPinAllFree');
  });

  test.each([
    [SEVERAL, 'bill-payment.payAll'],
    [SINGLE, 'bill-payment.payOne'],
  ])('of contract %s are paid by a button that says %s', async (number, key) => {
    const fatima = rich('web').isAtMenu().walks(findsWater(number)).sees('bill-payment.reviewFor');
    await fatima;
    expect(fatima.reply().screen.choices?.[0]).toMatchObject({ id: 'all', key });
  });

  test('back at the PIN shows the bills, and cancelling ends it', async () => {
    const fatima = rich('web');
    await fatima.isAtMenu().walks(findsWater(contract())).chooses('all').sees('bill-payment.askPin');
    await fatima.goes('back').sees('bill-payment.reviewFor').chooses('all');
    await fatima.chooses('cancel').sees('bill-payment.cancelled');
  });

  test('an interrupted confirmation is offered on the next dial, and previewed anew', async () => {
    const fatima = rich();
    await fatima.isAtMenu().walks(ordersWater(contract())).dials().sees('bill-payment.resumePayment');
    await fatima.chooses('continue').sees('bill-payment.askPinAllFree');
  });

  test('a closed prompt can be continued', async () => {
    const fatima = rich();
    await fatima.isAtMenu().walks(ordersWater(contract()));
    await fatima.after(2 * MINUTE_MS).dials();
    await fatima.chooses('continue').sees('bill-payment.askPinAllFree');
  });
});

test('the first Arabic page says to whom, how many bills, the fee and the total, and takes the PIN: the contract stands behind it', async () => {
  const fatima = world.customer({ language: 'ar', balance: '9000' });
  await fatima.isAtMenu().walks(findsPhone('0522000003')).sees('bill-payment.askPinAll');
  const { quote } = await known(world, fatima);
  const { text, pages } = pageOf(world.renderer, fatima.reply());
  expect(text).toMatch(/^Maroc Telecom 0003\nفاتورتان\nرسوم 2 مجموع \d+,?\d*\nالرمز السري؟\n98 >/);
  expect(text).toContain(String(Math.trunc(quote.total / 100)));
  expect(pages).toBeGreaterThan(1);
  await fatima.says('1234').sees('bill-payment.doneSettled');
});

/** From the menu to the bills of a phone, with a fee of the wallet. */
function findsPhone(number: string): Path {
  return (customer) => customer.walks(goesTo(CREDITORS.telecom)).chooses('01').says(number);
}

function EMPTY() {
  return { reference: '', items: [], shown: [], params: [] };
}
