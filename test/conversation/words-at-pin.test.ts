import { describe, expect, test } from 'vitest';
import { type Customer, theWorld } from '../kit/world.ts';

/** What customers write where their PIN is asked for, in place of it. */
const world = theWorld({ bot: 'webhook' });
const YOUSSEF = '0655000022';

/** Each leads to a page that asks for the PIN. */
const PAGES: Readonly<Record<string, { readonly order: string; readonly page: string }>> = {
  'a transfer': { order: `envoyer 33 à ${YOUSSEF}`, page: 'transfer.askPinOpenLoop' },
  'a top-up': { order: 'recharger 12 à 0655000003 inwi', page: 'top-up.askPin' },
  'a withdrawal': { order: 'retirer 200', page: 'cash-out.askPin' },
  'the balance': { order: 'solde', page: 'balance.askPin' },
};
const begins = ({ order, page }: { order: string; page: string }): Customer =>
  world.customer({ channel: 'web', balance: '500' }).isAtMenu().says(order).sees(page);

describe.each(Object.entries(PAGES))('at the PIN of %s', (_, asked) => {
  test.each([
    'non merci',
    'non annulez',
    'finalement non',
    'non pas ça',
    'non finalement pas',
    'je ne veux plus',
    "je n'en veux plus",
    "j'ai changé d'avis",
    'je refuse',
    "j'arrête",
    'no, leave it',
    'I changed my mind',
    'لا أريد',
    'ما بغيتش',
    'ma bghitch',
  ])('a no in words gives it up: %s', async (words) => {
    const fatima = begins(asked).says(words);
    await fatima;
    expect(['pin', 'amount']).not.toContain(fatima.reply().screen.expects);
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(0);
  });

  test.each([
    'attendez',
    "c'est qui ce numéro",
    'pourquoi autant de frais',
    'oui',
    'wait',
    'واش هادشي آمن',
    'chnou hadchi',
  ])('other words do nothing, and it says so: %s', async (words) => {
    await begins(asked).says(words).sees(asked.page).isTold('pin.noPin');
  });

  test.each(['123', '12345', '12 34 5'])('a number is a mistyped PIN: %s', async (words) => {
    await begins(asked).says(words).sees(asked.page).isTold('pin.format');
  });
});

describe('at the PIN of a transfer', () => {
  const transfer = PAGES['a transfer'] as { order: string; page: string };

  test.each([
    'non, envoyer 50 à 0655000003',
    'non je veux envoyer 50 à 0655000003',
    'no, send 50 to 0655000003',
  ])('the order behind a no is offered: %s', async (words) => {
    await begins(transfer).says(words).sees('transfer.resumePayment').chooses('transfer');
    const fatima = begins(transfer).says(words).chooses('transfer');
    await fatima.sees('transfer.askPinOpenLoop', { amount: 5_000, to: '+212655000003' });
  });

  const NUMBERS = [
    "non c'est au 0655000003",
    'non 0655000003',
    'plutôt le 0655000003',
    '0655000003',
    'it is 0655000003',
  ];

  test.each([...NUMBERS, 'non je veux envoyer à 0655000003', 'envoie au 0655000003'])(
    'another number takes the place of the one on show: %s',
    (words) => begins(transfer).says(words).sees(transfer.page, { amount: 3_300, to: '+212655000003' }),
  );

  test.each(NUMBERS)('another merchant is paid: %s', (words) =>
    begins({ order: 'payer 45 au commerçant 0600000011', page: 'merchant-payment.askPin' })
      .says(words.replaceAll('0655000003', '0600000012'))
      .sees('merchant-payment.askPin', { amount: 4_500, merchant: '+212600000012' }),
  );

  test.each(['envoyer à 0655000003', 'plutôt le 0655000003'])(
    'another number keeps the amount also where the PIN comes before the fee: %s',
    async (words) => {
      const fatima = world.customer({ channel: 'web', balance: '500' }).isAtMenu();
      for (const amount of [10, 20, 30, 40, 50])
        await fatima.says(`envoyer ${amount} à ${YOUSSEF}`).sees(transfer.page).goes('menu');
      await fatima.says(transfer.order).sees('pay.askCost').says(words);
      await fatima.sees('pay.askCost').enters();
      await fatima.sees(transfer.page, { amount: 3_300, to: '+212655000003' });
    },
  );

  test.each(NUMBERS)('another number is topped up, whose operator is asked for: %s', (words) =>
    begins(PAGES['a top-up'] as typeof transfer)
      .says(words)
      .sees('top-up.chooseOperator', { to: '+212655000003' }),
  );

  test('a number beside the offer of another order is none for the payment that was prepared', async () => {
    const fatima = begins(transfer).says('envoyer 50 à 0655000003').sees('transfer.resumePayment');
    await fatima.says('0600000002').sees('transfer.resumePayment').isTold('nav.chooseOne');
  });

  test.each(["non c'est 60", 'je préfère 60', 'je voulais 60 dh', 'plutôt 60', 'I meant 60'])(
    'another amount is taken for the same recipient: %s',
    async (words) => {
      await begins(transfer)
        .says(words)
        .sees(transfer.page, { amount: 6_000, to: `+212${YOUSSEF.slice(1)}` });
    },
  );

  test.each(["non c'est 1234", 'je voulais 1234', 'mon code est 1234'])(
    'four digits in a sentence may be the PIN, and are neither taken for it nor for an amount: %s',
    async (words) => {
      const fatima = begins(transfer).says(words);
      await fatima;
      expect(fatima.reply().screen.values?.amount ?? { money: 3_300 }).toEqual({ money: 3_300 });
      expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(0);
    },
  );
});

describe('at the PIN of a withdrawal', () => {
  test.each(["non c'est 100", 'je préfère 100'])('another amount is taken: %s', async (words) => {
    const withdrawal = PAGES['a withdrawal'] as { order: string; page: string };
    await begins(withdrawal).says(words).sees(withdrawal.page, { amount: 10_000 });
  });
});
