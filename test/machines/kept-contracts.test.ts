import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { LANGUAGES, type Language } from '../../src/conversation/incoming.ts';
import { walletCodec, walletKey } from '../../src/conversation/session/wallet-doc.ts';
import { eraseCustomer, exportCustomer } from '../../src/records/customer.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { readDocs } from '../../src/store/update.ts';
import { centimes } from '../../src/wallet/money.ts';
import { CHANNELS, type Customer, PIN, refused, testOn, theWorld, type World } from '../kit/world.ts';
import { CREDITORS, goesTo, isOnPages, known, ordersWater } from './bill-orders.ts';

const MONTH_MS = 31 * 24 * 3_600_000;
/** A contract that no other test has paid. */
let last = 8_100_000;
const contract = () => String(last++);

const pays = (number: string) => (who: Customer) =>
  who.isAtMenu().walks(ordersWater(number)).enters().sees('bill-payment.doneSettled');
const agrees = (who: Customer) => who.chooses('keep');
const keeps = (number: string) => (who: Customer) =>
  who.walks(pays(number)).walks(agrees).sees('bill-payment.kept', { contract: number }).goes('menu');
const offered = (who: Customer) => who.reply().screen.choices?.map(({ id }) => id) ?? [];
async function isNextMonth(world: World, who: Customer) {
  await world.passes(MONTH_MS);
  if (isOnPages(who)) return who.dials().goes('menu');
  return who.goes('menu').sees('unlocking.askPin').enters().sees('menu.choose');
}
/** Somebody at the PIN of a kept contract with several bills. Not every contract has one each month. */
async function owesSeveral(world: World, language: Language) {
  for (let tries = 0; tries < 8; tries++) {
    const who = world.customer({ language, balance: '9000' });
    await who.walks(keeps(contract()));
    await world.passes(3 * MONTH_MS);
    await who.dials('4');
    if (who.reply().screen.key === 'bill-payment.askPinAllFree') return { who };
  }
  throw new Error('no contract owes several bills');
}
async function keptOf(world: World, { phone }: Customer) {
  const [doc] = await readDocs(world.store, partitionOf(phone), [walletKey(phone)]);
  return walletCodec.read(doc)?.contracts;
}

describe('a contract whose bills were paid', () => {
  const world = theWorld({ bot: 'webhook' });

  testOn(CHANNELS)('is not kept without a yes, on %s', async (channel) => {
    const fatima = world.customer({ channel, balance: '9000' });
    await fatima.walks(pays(contract()));
    expect(await keptOf(world, fatima)).toBeUndefined();
    await fatima.goes('menu').chooses('bill-payment').sees('bill-payment.chooseCreditor').isToldNothing();
    await fatima.offersNo('forget');
  });

  test.each(['fr', 'ar'] as const)(
    'is paid next month by two entries, on one page that names it, in %s',
    async (language) => {
      const fatima = world.customer({ language, balance: '9000' });
      const number = contract();
      await fatima.walks(keeps(number));
      await isNextMonth(world, fatima);
      await fatima.chooses('bill-payment').sees('bill-payment.askPinKeptFree', { contract: number });
      const { pages, text } = pageOf(world.renderer, fatima.reply());
      expect(pages).toBe(1);
      const { order } = await known(world, fatima);
      expect(order.items.length, 'the new bill alone').toBe(1);
      const [month = '?'] = /\d\d\/\d{4}/.exec(order.items[0]?.description ?? '') ?? [];
      for (const part of ['Amendis', number]) expect(text).toContain(part);
      expect(text).toMatch(new RegExp(`${month} ?: ${String(order.amount / 100).replace('.', ',')}`));
      await fatima.enters().sees('bill-payment.doneSettled', { amount: order.amount, contract: number });
      expect(offered(fatima), 'it is kept already').not.toContain('keep');
    },
  );

  test('is taken where its biller is named, if it is the only one of that biller', async () => {
    const fatima = world.customer({ channel: 'web', balance: '9000' });
    const [first, second] = [contract(), contract()];
    await fatima.walks(keeps(first));
    await isNextMonth(world, fatima);
    await fatima.says('facture amendis').sees('bill-payment.reviewFor').goes('menu');
    await fatima.says(`facture amendis ${first}`).sees('bill-payment.reviewFor').goes('menu');
    await fatima.says('facture redal').sees('bill-payment.askUnder').goes('menu');
    await fatima.says(`facture amendis ${second}`).chooses('01').says(second).chooses('all');
    await fatima.enters().walks(agrees).sees('bill-payment.kept').goes('menu');
    await fatima.says('facture amendis').sees('bill-payment.chooseReceivable');
  });

  test.each(['web', 'telegram'] as const)('shows its bills before the PIN, on %s', async (channel) => {
    const fatima = world.customer({ channel, balance: '9000' });
    await fatima.walks(keeps(contract()));
    await isNextMonth(world, fatima);
    await fatima.chooses('bill-payment').sees('bill-payment.reviewFor').chooses('all');
    await fatima.sees('bill-payment.askPin').chooses('another').sees('bill-payment.chooseCreditor');
  });

  testOn(CHANNELS)('gives way to the list from its bills, and so does back, on %s', async (channel) => {
    const fatima = world.customer({ channel, balance: '9000' });
    await fatima.isAtMenu().walks(goesTo(CREDITORS.redal)).says(contract()).chooses('skip');
    await fatima.chooses('all').enters().walks(agrees).sees('bill-payment.kept');
    await isNextMonth(world, fatima);
    // The creditor adds a fee, so the bills come first on each channel.
    await fatima.chooses('bill-payment').sees('bill-payment.reviewFor');
    expect(offered(fatima)).toContain('another');
    // Its optional question was asked of nobody today.
    await fatima.goes('back').sees('bill-payment.chooseCreditor').chooses('kept0');
    await fatima.sees('bill-payment.reviewFor').chooses('another').sees('bill-payment.chooseCreditor');
    expect(offered(fatima)[0]).toBe('kept0');
  });

  test('gives way to the list by 1, where contracts come first, the one paid last above', async () => {
    const fatima = world.customer({ balance: '9000' });
    const [first, second] = [contract(), contract()];
    await fatima.walks(keeps(first));
    await fatima.chooses('bill-payment').sees('bill-payment.nothingKept').chooses('another');
    await fatima.sees('bill-payment.chooseCreditor').chooses(CREDITORS.amendis).chooses('01').says(second);
    await fatima.enters().walks(agrees).sees('bill-payment.kept').goes('menu');
    await isNextMonth(world, fatima);
    await fatima.chooses('bill-payment').sees('bill-payment.askPinKeptFree', { contract: second });
    await fatima.says('1').sees('bill-payment.chooseCreditor');
    expect(
      fatima
        .reply()
        .screen.choices?.slice(0, 2)
        .map(({ values }) => values?.contract),
    ).toEqual([{ text: second }, { text: first }]);
    await fatima.chooses('kept1').sees('bill-payment.askPinKeptFree', { contract: first }).enters();
    await fatima.sees('bill-payment.doneSettled').goes('menu');
    expect((await keptOf(world, fatima))?.map(({ answers }) => answers[0]?.value)).toEqual([first, second]);
  });

  testOn(CHANNELS)(
    'has nothing to pay, says so on a page of its own, and leads on, on %s',
    async (channel) => {
      const fatima = world.customer({ channel, balance: '9000' });
      const number = contract();
      await fatima.walks(keeps(number)).chooses('bill-payment');
      await fatima.sees('bill-payment.nothingKept', { contract: number }).chooses('history');
      await fatima.sees('bill-payment.listHistory').goes('back').sees('bill-payment.nothingKept');
      await fatima.chooses('another').sees('bill-payment.chooseCreditor').isToldNothing();
      await fatima.chooses('kept0').sees('bill-payment.nothingKept').isToldNothing();
      await fatima.goes('back').sees('bill-payment.chooseCreditor');
      const ids = offered(fatima);
      expect([ids[0], ids.at(-1)]).toEqual(['kept0', 'forget']);
    },
  );

  test('has nothing to pay by the word of the network as well', async () => {
    const fatima = world.customer({ balance: '9000' });
    await fatima.walks(keeps(contract()));
    world.wallet.next('unpaidBills', refused('bill107'));
    await fatima.chooses('bill-payment').sees('bill-payment.nothingKept').isToldNothing();
  });

  testOn(CHANNELS)('is forgotten as its receipt has said, on %s', async (channel) => {
    const fatima = world.customer({ channel, balance: '9000' });
    await fatima.walks(keeps(contract())).chooses('bill-payment').chooses('another').chooses('forget');
    await fatima.sees('bill-payment.chooseCreditor').isTold('bill-payment.forgotten').offersNo('kept0');
    expect(await keptOf(world, fatima)).toEqual([]);
  });
});

describe('a kept contract', () => {
  const world = theWorld({ bot: 'webhook', records: 'sqlite' });

  test('is not in the way of a search', async () => {
    const fatima = world.customer({ channel: 'web', balance: '9000' });
    await fatima.walks(keeps(contract()));
    await isNextMonth(world, fatima);
    await fatima.says('facture électricité').sees('bill-payment.found').offersNo('kept0');
    await fatima.says('facture lydec').sees('bill-payment.chooseReceivable');
  });

  test.each(LANGUAGES)(
    'that the balance does not hold is named, beside the way to another one, in %s',
    async (language) => {
      const number = contract();
      const looks = world.customer({ balance: '9000' });
      await looks.isAtMenu().walks(ordersWater(number));
      const { quote } = await known(world, looks);
      const fatima = world.customer({ language, balance: String(quote.total / 100) });
      await fatima.walks(keeps(number));
      await isNextMonth(world, fatima);
      await fatima.chooses('bill-payment').sees('pay.short');
      const page = pageOf(world.renderer, fatima.reply());
      expect(page.text).toContain('Amendis');
      expect(offered(fatima).slice(0, page.choices)).toContain('another');
      await fatima.chooses('another').sees('bill-payment.chooseCreditor');
    },
  );

  test('says its number once above several bills', async () => {
    const fatima = world.customer({ language: 'ar', balance: '9000' });
    const number = contract();
    await fatima.walks(keeps(number));
    await world.passes(3 * MONTH_MS);
    await fatima.dials('4').sees('bill-payment.askPinAllFree');
    expect(pageOf(world.renderer, fatima.reply()).text.split(number.slice(-4))).toHaveLength(2);
  });

  test('is taken by its number', async () => {
    const fatima = world.customer({ balance: '9000' });
    const number = contract();
    await fatima.walks(keeps(number));
    await isNextMonth(world, fatima);
    await fatima.chooses('bill-payment').chooses('another').sees('bill-payment.chooseCreditor');
    await fatima.says(number).sees('bill-payment.askPinKeptFree');
  });

  test.each([
    ['fr', 'Mobile'],
    ['ar', 'الهاتف المحمول'],
    ['en', 'Mobile'],
  ] as const)('names its service at the PIN where its bills do not, in %s', async (language, service) => {
    const fatima = world.customer({ language, balance: '9000' });
    await fatima.isAtMenu().walks(goesTo(CREDITORS.telecom)).chooses('01').says(`06${contract()}0`);
    await fatima.enters().walks(agrees).sees('bill-payment.kept');
    await isNextMonth(world, fatima);
    await fatima.chooses('bill-payment');
    // An Arabic page has no room for it before the question.
    if (language === 'ar') await fatima.says('98');
    expect(pageOf(world.renderer, fatima.reply()).text).toContain(service);
  });

  test('is asked for anew where its form has another question', async () => {
    const fatima = world.customer({ balance: '9000' });
    await fatima.walks(keeps(contract()));
    await isNextMonth(world, fatima);
    const field = { name: 'meter', label: 'Compteur', required: true, kind: 'text', options: [] };
    world.wallet.next('billForm', { kind: 'ok', value: [field as never] });
    await fatima.chooses('bill-payment').sees('bill-payment.ask', { label: 'Compteur' });
  });

  test('is not kept where its form asks for a password, even one that was left out', async () => {
    const fatima = world.customer({ balance: '9000' });
    await fatima.isAtMenu().walks(goesTo(CREDITORS.insurer)).chooses('01');
    await fatima.says('123456').sees('bill-payment.offer').chooses('skip').chooses('all');
    await fatima.enters().sees('bill-payment.doneSettled').offersNo('keep');
  });

  test('is never shown to the next owner of the number', async () => {
    const number = contract();
    const looks = world.customer({ balance: '9000' });
    await looks.isAtMenu().walks(ordersWater(number));
    const { quote } = await known(world, looks);
    const fatima = world.customer({ balance: String(quote.total / 100) });
    await fatima.walks(keeps(number));
    await world.api.unregister({ phone: fatima.phone, reason: 3 });
    const next = { firstName: 'Sara', lastName: 'Alaoui', level: 2, status: 3, pin: PIN } as const;
    world.sandbox.addCustomer({ phone: fatima.phone, ...next, balance: centimes(50_000) });
    await fatima.after(MONTH_MS).dials('4').sees('bill-payment.chooseCreditor').offersNo('kept0');
    expect(await keptOf(world, fatima)).toBeUndefined();
  });

  test('is in no figure of the reports', async () => {
    const { records, clock } = world;
    const fatima = world.customer({ balance: '9000' });
    const number = contract();
    await fatima.walks(keeps(number));
    await world.recording.recorder.drain();
    const figures = JSON.stringify(await records.tallies(0, clock.now() + 1));
    expect(figures).toContain('bill-payment');
    expect(figures).not.toContain(number);
  });

  test('is exported, and erased with the customer', async () => {
    const { store, records, clock } = world;
    const deps = { store, records, drain: () => world.recording.recorder.drain(), now: clock.now };
    const fatima = world.customer({ balance: '9000' });
    const number = contract();
    await fatima.walks(keeps(number));
    const { own } = await exportCustomer(deps, fatima.phone);
    expect(JSON.stringify(own.contracts)).toContain(number);
    await world.passes(MONTH_MS);
    await eraseCustomer(deps, fatima.phone, 'erased:x');
    expect(await keptOf(world, fatima)).toBeUndefined();
  });
});

/** Beside these words the kept contract is surely meant, or something else may be. */
const ORDERS = [
  {
    kept: [CREDITORS.onee, '01'],
    fits: [
      'payer facture',
      'mes factures',
      'خلص الفاتورة',
      'payer onee',
      "payer l'électricité",
      "payer l'electriciter",
      'facture onee électricité',
      'pay electricity',
      'خلص الكهرباء',
      'بغيت نخلص الضو',
      'bghit nkhelles dow',
    ],
    others: [
      "payer l'eau",
      "facture onee d'eau",
      "payer l'eau et l'électricité",
      'payer la taxe',
      'payer mes impôts',
      'payer internet',
      "payer l'école",
      'payer facture de gaz',
      'facture lydec électricité',
      'pay the water bill',
      'خلص فاتورة الماء',
      'أريد دفع فاتورة الماء',
      'بغيت نخلص الما',
      'أريد أداء الماء',
      'أداء الضريبة',
      'أريد دفع الضريبة',
      'خلص الويفي',
      'pay lwifi',
      'خلص المدرسة',
      'خلص الفاتورة ديال الما',
      'nkhelles lma',
    ],
  },
  {
    kept: [CREDITORS.telecom, '01'],
    fits: [
      'payer facture',
      'facture iam',
      'facture maroc telecom mobile',
      'خلص فاتورة الهاتف',
      'facture téléphone',
    ],
    others: [
      'facture orange',
      'facture maroc telecom internet',
      'payer internet',
      'payer la facture du fixe',
      'خلص الكهرباء',
      'خلص فاتورة الضو',
      'أريد دفع فاتورة الكهرباء',
      'بغيت نخلص الضو',
      'أريد دفع الضريبة',
      'خلص الفاتورة ديال الما',
    ],
  },
  {
    kept: [CREDITORS.amendis, '01'],
    fits: ['payer facture', 'payer mes factures impayées', "payer l'eau", 'facture amendis', 'خلص الما'],
    others: [
      'facture amendis électricité',
      'payer la lumière',
      'facture redal',
      'facture de gaz',

      'أداء الضريبة',
    ],
  },
] as const;

describe.each(ORDERS)(
  'an order beside the kept contract $kept',
  ({ kept: [creditor, service], fits, others }) => {
    const world = theWorld();
    const keeping = async (channel: (typeof CHANNELS)[number], language: Language) => {
      const who = world.customer({ channel, language, balance: '9000' });
      const number = creditor === CREDITORS.telecom ? `06${contract()}0` : contract();
      await who.isAtMenu().walks(goesTo(creditor)).chooses(service).says(number);
      if (!isOnPages(who)) await who.chooses('all');
      await who.enters().walks(agrees).sees('bill-payment.kept');
      await isNextMonth(world, who);
      return { who };
    };
    const isOffered = async (who: Customer) =>
      (await world.session(who)).conversation?.context.kept !== undefined;

    describe.each([
      ['web', 'fr'],
      ['ussd', 'ar'],
    ] as const)('on %s in %s', (channel, language) => {
      test('finds it where its words mean it, and no other words do', async () => {
        const { who } = await keeping(channel, language);
        const offered: string[] = [];
        for (const text of [...fits, ...others]) {
          await who.says(text);
          if (await isOffered(who)) offered.push(text);
          await who.goes('menu');
        }
        expect(offered).toEqual(fits);
      });
    });
  },
);

describe('a kept contract', () => {
  const world = theWorld({ bot: 'webhook' });

  test.each([
    ['fr', 'autre', 1],
    ['ar', 'أخرى', 3],
    ['en', 'another company', 1],
  ] as const)('leads to the others from the PIN of several bills, in %s', async (language, word, count) => {
    const { who: fatima } = await owesSeveral(world, language);
    await fatima.sees('bill-payment.askPinAllFree');
    expect(pageOf(world.renderer, fatima.reply()).pages).toBe(count);
    if (language === 'ar') await fatima.says(word).sees('bill-payment.askPinAllFree').says('98').says('98');
    await fatima.says('2').sees('bill-payment.chooseCreditor').dials('4');
    if (language === 'ar') await fatima.says('98');
    await fatima.says(word).sees('bill-payment.chooseCreditor');
  });
});
