import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { BANK_REASON } from '../../src/payments/bank-transfer.ts';
import { ribIn, ribInGroups } from '../../src/wallet/rib.ts';
import { CHANNELS_ON, DAY_MS, HOUR_MS, loses, refused, STORES, theWorld } from '../kit/world.ts';
import { banks, KARIM, RIBS } from './bank-orders.ts';

const [WHOLE, END] = [
  ribInGroups(
    ribIn(KARIM) ??
      (() => {
        throw new Error('no RIB');
      })(),
  ),
  KARIM.slice(-4),
];

describe.each(STORES)('money for a bank, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHANNELS_ON[store])(
    'is on its way for as long as the bank takes, and then there, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await fatima.isAtMenu().walks(banks());
      await fatima.sees('bank-transfer.askPin', { to: 'Karim', amount: 4000, end: END, reason: BANK_REASON });
      await fatima.sees('bank-transfer.askPin');
      await fatima.enters().sees('bank-transfer.accepted', { to: 'Karim', amount: 4000 });
      await world.passes(5_000);
      await fatima.hears('bank-transfer.done', { to: 'Karim', amount: 4000, end: END });
      expect(world.wallet.told(fatima.phone, 'bankTransfer')).toEqual([
        [{ from: fatima.phone, rib: KARIM, holder: 'Karim', amount: 4000, reason: BANK_REASON }],
      ]);
      expect(world.sms(fatima.phone).filter((text) => text.replace(/\s/g, '').includes(KARIM))).toEqual([]);
    },
  );
});

const world = theWorld();

describe('the answer of the bank', () => {
  const sends = (rib: string) => {
    const fatima = world.customer({ channel: 'web' });
    return fatima.isAtMenu().walks(banks(rib)).enters().sees('bank-transfer.accepted');
  };
  const has = (balance: number) => (customer: ReturnType<typeof sends>) =>
    customer.goes('menu').chooses('balance').enters().sees('balance.shown', { balance });

  test.each([
    ['rejected', RIBS.rejected],
    ['returned', RIBS.returned],
  ])('a %s transfer is told as given back', async (_, rib) => {
    const fatima = sends(rib);
    await fatima;
    await world.passes(6_000);
    await fatima
      // The fee comes back as well.
      .hears('bank-transfer.failed', { amount: 4000, total: 4500 })
      .walks(has(49_500 + 500))
      .hearsNothing();
  });

  test('a transfer that is settled and sent back a day later is told twice, each time as it is', async () => {
    const fatima = sends(RIBS.returnedLater);
    await fatima;
    await world.passes(6_000);
    await fatima.hears('bank-transfer.done', { amount: 4000 });
    await world.passes(DAY_MS + 60_000);
    await fatima.hears('bank-transfer.reversed', { amount: 4000 }).hearsNothing();
  });

  test('after two days it is named at every visit, holds nobody back, and is found without a webhook', async () => {
    world.sandbox.faults.set({ name: 'webhookNever', operation: 'executeBankTransfer', count: 1 });
    const fatima = world.customer();
    await fatima.isAtMenu().walks(banks(RIBS.settlesLate)).enters();
    await world.passes(HOUR_MS);
    await fatima.dials().isTold('bank-transfer.accepted', { amount: 4000 }).chooses('transfer');
    await fatima.says('0655000000').says('10').enters().sees('transfer.processing');
    await world.passes(1_500);
    await fatima.hears('transfer.done');
    await world.passes(46 * HOUR_MS);
    expect((await world.engine.desk.payments(fatima.phone, 2)).map(({ state }) => state)).toContain(
      'accepted',
    );
    await world.passes(3 * HOUR_MS);
    await fatima.hears('bank-transfer.done', { amount: 4000 });
  });

  test.each(LANGUAGES)('is named above the menu for days, and is not in its way, in %s', async (language) => {
    const fatima = world.customer({ language });
    await fatima
      .isAtMenu()
      .walks(banks(RIBS.settlesLate, '40', 'Ali Tazi'))
      .enters();
    await fatima.sees('bank-transfer.accepted');
    expect(pageOf(world.renderer, fatima.reply()).pages).toBe(1);
    await world.passes(HOUR_MS);
    await fatima.dials().isTold('bank-transfer.accepted');
    const { text, choices } = pageOf(world.renderer, fatima.reply());
    expect(text).toMatch(/40.*0447/);
    expect(choices).toBeGreaterThan(0);
    await fatima.says('9').sees('help.help');
  });

  test('after a lost answer it is not confirmed, then on its way, then done, and never sent again', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(banks());
    world.wallet.next('bankTransfer', loses);
    await fatima.enters().sees('bank-transfer.notConfirmed', { amount: 4000 });
    await world.passes(1_000);
    await fatima.goes('menu').isTold('bank-transfer.accepted', { amount: 4000 });
    await world.passes(6_000);
    await fatima.hears('bank-transfer.done');
    expect(world.wallet.calls(fatima.phone, 'bankTransfer')).toHaveLength(1);
  });

  test('after a lost answer without an event it is found in the list by its RIB, beside one of the same amount', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(banks(KARIM));
    world.sandbox.faults.set({ name: 'webhookNever', operation: 'executeBankTransfer', count: 2 });
    world.wallet.next('bankTransfer', loses);
    await fatima.enters().sees('bank-transfer.notConfirmed');
    // By another app of hers, at the same moment.
    const elsewhere = {
      from: fatima.phone,
      rib: RIBS.settlesLate,
      holder: 'Salma',
      amount: 4000,
      reason: 'x',
    };
    await world.api.bankTransfer(elsewhere as never, { requestId: 'elsewhere' });
    for (const ms of [5_000, 10_000, 15_000]) await world.passes(ms);
    await fatima.hears('bank-transfer.done', { to: 'Karim' });
  });

  test('both wallets hear of it when the RIB belongs to a wallet here', async () => {
    const youssef = world.customer({ channel: 'web' });
    await youssef.isAtMenu();
    const profile = await world.api.profile(youssef.phone);
    const fatima = sends((profile.kind === 'ok' && profile.value.rib) || '');
    await fatima;
    await world.passes(6_000);
    await fatima.hears('bank-transfer.done');
    await youssef.hears('received.from', { amount: 4000, from: fatima.phone }).hearsNothing();
  });
});

describe('the RIB', () => {
  const asked = (channel: 'ussd' | 'web' = 'web') =>
    world.customer({ channel }).isAtMenu().says('virement 40');

  test.each([
    ['as it is', KARIM],
    ['in groups', WHOLE],
    ['with dashes', WHOLE.replaceAll(' ', '-')],
    ['as an IBAN', `MA64${KARIM}`],
    ['as a printed IBAN', `MA64${KARIM}`.replace(/(.{4})/g, '$1 ').trim()],
    ['in Arabic digits', KARIM.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))],
  ])('is read %s', (_, text) => asked().says(text).sees('bank-transfer.askHolderFor', { end: END }));

  test.each([
    ['a digit less', KARIM.slice(1), 'notARib'],
    ['a digit more', `${KARIM}1`, 'notARib'],
    ['another digit', `1${KARIM.slice(1)}`, 'wrongKey'],
    ['two that have changed places', KARIM.replace('12', '21'), 'wrongKey'],
    ['a mobile number', '0612345678', 'notARib'],
    ['words', 'mon RIB', 'notARib'],
    ['another country’s IBAN', 'FR7630006000011234567890189', 'notARib'],
    ['digits of two scripts', `٠${KARIM.slice(1)}`, 'notARib'],
  ])('is refused: %s', (_, text, why) =>
    asked().says(text).sees('bank-transfer.askRib').isTold(`bank-transfer.${why}`),
  );

  test('is asked for again before the PIN when nobody can pay it', async () => {
    const fatima = asked();
    await fatima.meanwhile(() => world.wallet.next('previewBankTransfer', refused('90102'))).says(KARIM);
    await fatima.says('Karim').sees('bank-transfer.askRib').isTold('problem.90102');
  });

  test.each([
    ['one letter', 'K', 'notAHolder'],
    ['digits', '06-12', 'notAHolder'],
  ])('needs a holder’s name: %s', (_, text, why) =>
    asked().says(KARIM).says(text).sees('bank-transfer.askHolderFor').isTold(`bank-transfer.${why}`),
  );

  test('of a bank in the operator’s table is named with it', () =>
    asked()
      .says(RIBS.rejected)
      .sees('bank-transfer.askHolderFor', {
        account: [
          {
            key: 'bank-transfer.accountAt',
            values: expect.objectContaining({ bank: { name: 'Banque d’essai' } }),
          },
        ],
      }));

  test('needs only the name and the PIN in a dial', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    await fatima.dials('1', KARIM, '40').sees('bank-transfer.askHolderFor', { sum: 4000, end: END });
    await fatima.says('Karim').sees('bank-transfer.askPin', { amount: 4000 });
  });

  test('is kept when the dial breaks off', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().dials('1', KARIM).sees('bank-transfer.askHolder');
    await fatima.dials().sees('bank-transfer.resume', { end: END });
    await fatima.chooses('continue').sees('bank-transfer.askHolder');
  });

  test.each(LANGUAGES)('is offered again with both answers beside a long name, in %s', async (language) => {
    const fatima = world.customer({ language, balance: '5000' });
    await fatima
      .isAtMenu()
      .walks(banks(KARIM, '1500', 'Résidence Al Manar (test)'))
      .dials();
    expect(pageOf(world.renderer, fatima.sees('bank-transfer.resumePayment').reply()).choices).toBe(2);
  });
});

describe('the reason', () => {
  const confirming = (channel: 'ussd' | 'web') => world.customer({ channel }).isAtMenu().walks(banks());

  test('is given in a chat, and the wallet gets it', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(banks()).chooses('reason').sees('bank-transfer.askReason');
    await fatima.says('Loyer de mars').sees('bank-transfer.askPin', { reason: 'Loyer de mars' }).enters();
    expect(world.wallet.told(fatima.phone, 'bankTransfer')).toEqual([
      [expect.objectContaining({ reason: 'Loyer de mars' })],
    ]);
  });

  test.each([
    ['Arabic letters', 'كراء'],
    ['36 characters', 'x'.repeat(36)],
  ])('%s are refused', async (_, text) => {
    const fatima = confirming('web');
    await fatima.chooses('reason');
    await fatima.says(text).sees('bank-transfer.askReason').isTold('bank-transfer.notAReason');
  });

  test('has no room on a page', async () => {
    const fatima = confirming('ussd');
    await fatima;
    await fatima.offers('cancel');
  });
});

describe('the same transfer again', () => {
  test('is asked about for a day, and not after it', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(banks()).enters();
    await world.passes(6_000);
    await fatima.hears('bank-transfer.done');
    await world.passes(20 * HOUR_MS);
    await fatima.goes('menu').walks(banks()).sees('bank-transfer.confirmAgain', { amount: 4000 });
    await world.passes(5 * HOUR_MS);
    await fatima.goes('menu').walks(banks()).sees('bank-transfer.askPin');
  });

  test('is asked about for as long as the first one is open', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(banks(RIBS.settlesLate)).enters();
    await world.passes(26 * HOUR_MS);
    await fatima.goes('menu').walks(banks(RIBS.settlesLate)).sees('bank-transfer.confirmUnconfirmed');
  });
});
