import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { MAGIC } from '../../src/sandbox/faults/magic.ts';
import { NBSP } from '../../src/screen/marks.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { centimes } from '../../src/wallet/money.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { LOST, refused, UNSENT } from '../kit/meddler.ts';
import { CHANNELS_ON, CHATS_ON, type Customer, MINUTE_MS, STORES, theWorld } from '../kit/world.ts';
import { tops } from './top-up-orders.ts';

const SISTER = msisdn('0655000000');
const choices = (customer: Customer) => customer.reply().screen.choices?.map(({ id }) => id);

describe.each(STORES)('topping up, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHANNELS_ON[store])('a customer tops up their own phone, on %s', async (channel) => {
    const fatima = world.customer({ channel, balance: '100' });
    await fatima.isAtMenu().chooses('top-up').sees('top-up.askNumber');
    await fatima.chooses('me').sees('top-up.chooseOperator', { to: fatima.phone });
    await fatima.chooses('3').sees('top-up.askAmount', { to: fatima.phone });
    await fatima.says('15').sees('top-up.askPin', { amount: 1500, fees: 100, total: 1600, operator: 'Inwi' });
    await fatima.enters();
    await fatima.sees('top-up.done', {
      amount: 1500,
      to: fatima.phone,
      total: 1600,
      product: 'top-up.classic',
    });
    await fatima.goes('menu').chooses('balance').enters().sees('balance.shown', { balance: 8400 });
    expect(world.wallet.calls(fatima.phone, 'topUp')).toHaveLength(1);
  });

  test.each(CHATS_ON[store])(
    'a product of the operator is bought, and named in the customer’s language, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await fatima.isAtMenu();
      await fatima.walks(tops(SISTER, '50', '1')).sees('top-up.chooseProduct', { amount: 5000, to: SISTER });
      await fatima.chooses('1113').sees('top-up.askPin', { amount: 5000, operator: 'Maroc Telecom' });
      const { text } = world.renderer.chat(fatima.reply().screen, fatima.language);
      expect(text).toContain(fatima.language === 'ar' ? 'باقة *2' : 'Pass *2');
      await fatima.enters().sees('top-up.done');
      expect(world.renderer.chat(fatima.reply().screen, fatima.language).text).toMatch(/\*2/);
    },
  );

  test('an answer lost after the execution is "not confirmed", then done, and sent once', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().walks(tops(MAGIC.answerLost));
    await fatima.enters().sees('top-up.notConfirmed', { amount: 4500, to: MAGIC.answerLost });
    await fatima.after(6_000).hears('top-up.done', { total: 4500 });
    expect(world.wallet.calls(fatima.phone, 'topUp')).toHaveLength(1);
  });
});

const world = theWorld();

describe('the phone to top up', () => {
  const asked = () => world.customer().isAtMenu().chooses('top-up').sees('top-up.askNumber');

  test.each(['moi', 'Pour moi !', 'mon numéro', 'me', 'رقمي', 'ليا', 'liya'])('oneself: %s', async (text) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('top-up').says(text);
    await fatima.sees('top-up.chooseOperator', { to: fatima.phone });
  });

  test.each(['06 55 00 00 00', '+212655000000', '٠٦٥٥٠٠٠٠٠٠'])('a number: %s', (text) =>
    asked().says(text).sees('top-up.chooseOperator', { to: SISTER }),
  );

  test.each(['0522123456', '+33612345678', '99', '7', '\u202e', "0655000000';--DROP"])(
    'no number and no choice: %j',
    (text) => asked().says(text).sees('top-up.askNumber').isTold('mobile.notANumber'),
  );

  test.each([
    ['a digit too few', '065500000', 'mobile.unfinished'],
    ['a digit too many', '06 55 00 00 001', 'mobile.unfinished'],
    ['nobody who is saved', 'ma soeur', 'beneficiaries.noneCalled'],
  ])('%s', (_, text, why) => asked().says(text).sees('top-up.askNumber').isTold(why));

  test('a shared contact', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('top-up').sees('top-up.askNumber');
    await world.engine.receive(
      { address: fatima.address, id: 'contact', inputs: [{ type: 'contact', phone: SISTER, own: false }] },
      15_000,
    );
    await fatima.opens().sees('top-up.chooseOperator', { to: SISTER });
  });

  test('the last three numbers are offered, each once, with the operator of then pointed out', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    const numbers = ['0655000001', '0655000002', '0655000003', '0655000004', '0655000003'];
    for (const [i, number] of numbers.entries()) {
      await fatima
        .chooses('top-up')
        .says(number)
        .sees(i < 4 ? 'top-up.chooseOperator' : 'top-up.askAmount');
      if (i < 4) await fatima.chooses(String((i % 3) + 1));
      await fatima.says(String(41 + i));
      await fatima.enters().sees('top-up.done').goes('menu');
      await world.passes(1_000);
    }
    await fatima.chooses('top-up').sees('top-up.askNumber');
    await fatima.offers('me', '+212655000003', '+212655000004', '+212655000002', 'history');
    await fatima.chooses('me').sees('top-up.chooseOperator', { to: fatima.phone });
    expect(fatima.reply().screen.choices?.map(({ key }) => key)).not.toContain('top-up.sameOperator');
    await fatima.goes('back').chooses('+212655000004').sees('top-up.askAmount', { to: '+212655000004' });
    await fatima.goes('back').sees('top-up.chooseOperator').offers('1', '2', '3');
    expect(fatima.reply().screen.choices?.[0]?.key).toBe('top-up.sameOperator');
    // A number that is typed is remembered as well, though it is not offered any more.
    await fatima.goes('back').says('0655000001').sees('top-up.askAmount').goes('back');
    expect(fatima.reply().screen.choices?.[0]?.key).toBe('top-up.sameOperator');
    await fatima.goes('back').says('0611111111').sees('top-up.chooseOperator');
  });

  test.each([
    ['lost', LOST],
    ['never sent', UNSENT],
    ['refused', refused('20005')],
  ])('a list of recent top-ups that is %s is no obstacle', async (_, instead) => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    world.wallet.next('topUps', instead);
    await fatima.chooses('top-up').sees('top-up.askNumber').isToldNothing().offers('me', 'history');
  });
});

describe('the product', () => {
  const choosing = (amount: string, operator = '1') =>
    world
      .customer()
      .isAtMenu()
      .walks(tops(SISTER, amount, operator));

  test('products that the operator no longer sells are not offered', async () => {
    const fatima = choosing('10');
    await fatima.sees('top-up.chooseProduct').offers('classic', '1103', '1104', '1105');
    await choosing('10', '2').sees('top-up.chooseProduct').chooses('classic').sees('top-up.askPin');
  });

  test('a long list of products has pages on USSD', async () => {
    const fatima = choosing('50').sees('top-up.chooseProduct');
    await fatima.goes('more').sees('top-up.chooseProduct');
    expect(fatima.reply().page).toBe(1);
    await fatima.chooses('1115').sees('top-up.askPin');
  });

  test.each([
    ['lost', LOST],
    ['refused', refused('47110')],
  ])('a catalog that is %s is told, and a classic top-up goes on', async (_, instead) => {
    const fatima = world.customer().isAtMenu();
    await fatima;
    world.wallet.next('topUpProducts', instead);
    await fatima.walks(tops(SISTER, '50')).sees('top-up.chooseProduct').isTold('top-up.noCatalog');
    await fatima.offers('classic');
    await fatima.chooses('classic').sees('top-up.askPin', { product: 'top-up.classic' });
  });

  test.each([
    ['1.500', 'amount.ambiguous'],
    ['0', 'amount.zero'],
    ['abc', 'amount.notAnAmount'],
    ['100,5555', 'amount.tooPrecise'],
    ['99999999', 'amount.tooLarge'],
  ])('the amount %j is %s', async (text, told) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(tops(SISTER, text)).sees('top-up.askAmount').isTold(told);
  });
});

describe('the amounts that operators sell', () => {
  const EACH = '5, 10, 20, 30, 50, 100, 200';
  test.each([
    ['fr', EACH, `Possible : ${EACH}`, 'Possible, sans centimes : 5, 10, 20'],
    ['ar', EACH, `بالدرهم: ${EACH}`, 'بلا سنتيمات، 5, 10, 20'],
    ['en', EACH, `Possible: ${EACH}`, 'Possible, without centimes: MAD 5, 10, 20'],
    ['fr', '5-1000', 'Possible : de 5 à 1 000', 'de 5 à 1 000 DH.'],
    ['ar', '5-1000', 'بالدرهم: من 5 إلى 1000', 'من 5 إلى 1000 درهم.'],
    ['en', '5-1000', 'Possible: 5 to 1,000', 'MAD 5 to 1,000.'],
  ] as const)(
    'are at the question and in the refusal, on one page, in %s: %s',
    async (language, topUpAmounts, ...said) => {
      const fatima = world.customer({ language });
      await fatima.isAtMenu().walks(tops(SISTER, '2'));
      await fatima.sees('top-up.askAmount').isTold('top-up.amountRefused');
      const { notice: _refusal, ...question } = fatima.reply().screen;
      const renderer = createRenderer(undefined, { topUpAmounts });
      const shown = [question, fatima.reply().screen].map((screen) => renderer.ussd(screen, language, 0));
      for (const [i, page] of shown.entries()) {
        expect(page.text.replaceAll(NBSP, ' ')).toContain(said[i]);
        expect(page.pages).toBe(1);
      }
    },
  );

  test.each(LANGUAGES)('no amount is invented where the operator names none, in %s', async (language) => {
    const fatima = world.customer({ language, channel: 'web' });
    await fatima.isAtMenu().walks(tops(SISTER, '2')).isTold('top-up.amountRefused');
    const { text } = createRenderer().chat(fatima.reply().screen, language);
    expect(text.replaceAll(NBSP, ' ').replace('06 55 00 00 00', '')).not.toMatch(/\d/);
  });
});

describe('the history', () => {
  const at = Date.UTC(2026, 10, 20, 12);
  const line = (status: number, to: string = SISTER, operator = 2) => ({
    id: status + 1,
    at,
    amount: centimes(50_00),
    operator,
    to,
    status,
  });

  test('it shows the state of each top-up, and an unknown state gets a neutral sentence', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    const value = [0, 1, 2, 3, 4, 9].map((status) => line(status)).concat(line(2, '+33612345678', 8));
    const reads = { kind: 'ok', value: { entries: value } } as const;
    world.wallet.next('topUps', LOST);
    await fatima.chooses('top-up').sees('top-up.askNumber');
    world.wallet.next('topUps', reads);
    await fatima.chooses('history').sees('top-up.history');
    const lines = world.renderer
      .chat(fatima.reply().screen, 'fr')
      .choices.map(({ label }) => label.replaceAll(/[\u2066-\u2069]/g, '').replaceAll('\u00a0', ' '));
    expect(lines).toEqual([
      '20/11, Orange : 50,00 DH, 06 55 00 00 00, en attente',
      '20/11, Orange : 50,00 DH, 06 55 00 00 00, en cours',
      '20/11, Orange : 50,00 DH, 06 55 00 00 00, effectuée',
      '20/11, Orange : 50,00 DH, 06 55 00 00 00, non aboutie',
      '20/11, Orange : 50,00 DH, 06 55 00 00 00, annulée',
      '20/11, Orange : 50,00 DH, 06 55 00 00 00, état non précisé',
      '20/11, 8 : 50,00 DH, +33612345678, effectuée',
    ]);
    await fatima.chooses('0').sees('top-up.chooseOperator', { to: SISTER }).goes('back');
    world.wallet.next('topUps', reads);
    await fatima.chooses('history').chooses('6').sees('top-up.askNumber').goes('back').sees('menu.choose');
  });

  test('one that waits for its operator is there as waiting', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().walks(tops(MAGIC.topUpWaits)).enters();
    await fatima.sees('top-up.processing').goes('menu').says('mes recharges');
    await fatima.sees('top-up.history');
    expect(fatima.reply().screen.choices?.[0]?.values?.state).toEqual({ say: 'top-up.created' });
    await fatima.after(MINUTE_MS + 1).hears('top-up.done', { to: MAGIC.topUpWaits });
  });

  test('an empty one, and one that cannot be read', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('top-up').sees('top-up.askNumber').offersNo('history').goes('menu');
    await fatima.says('mes recharges').sees('top-up.askNumber').isTold('top-up.noHistory');
    await fatima.offersNo('history').goes('menu');
    world.wallet.next('topUps', LOST);
    await fatima.chooses('top-up');
    world.wallet.next('topUps', LOST);
    await fatima.chooses('history').sees('top-up.askNumber').isTold('problem.unavailable');
  });
});

describe('a service that is not enabled', () => {
  const WORDS = { kind: 'refused', code: '47110', description: 'The service is not enabled' } as const;
  const isLeftOut = async (fatima: Customer) => {
    await fatima.sees('top-up.notEnabled').goes('menu').sees('menu.choose').offersNo('top-up');
    expect(choices(fatima)).toContain('transfer');
  };

  test('is named, left out of the menu for the rest of the visit, and there again on the next', async () => {
    world.sandbox.setModules({ telco: false });
    const fatima = world.customer();
    await isLeftOut(fatima.isAtMenu().chooses('top-up'));
    world.sandbox.setModules({ telco: true });
    await fatima.dials().sees('menu.choose').chooses('top-up').sees('top-up.askNumber');
  });

  test.each([
    ['the sandbox’s code', refused('90017')],
    ['words and any code', WORDS],
    ['403', refused('http403')],
    ['404', refused('http404')],
  ])('by %s: at the catalog, the preview, the history', async (_, instead) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    world.wallet.next('topUps', LOST);
    await fatima.chooses('top-up');
    world.wallet.next('topUps', instead);
    await isLeftOut(fatima.chooses('history'));
    for (const call of ['topUpProducts', 'previewTopUp'] as const) {
      const other = world.customer({ channel: 'web' });
      await other.isAtMenu();
      world.wallet.next(call, instead);
      await isLeftOut(other.walks(tops(SISTER)));
    }
  });
});
