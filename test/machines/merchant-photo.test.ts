import { describe, expect, test } from 'vitest';
import { centimes } from '../../src/wallet/money.ts';
import { checksumOf, writeCode, writeFields } from '../../src/wallet/qr/emvco.ts';
import { refused, theWorld } from '../kit/world.ts';
import { merchantIn, pays, qrOf } from './merchant-orders.ts';

const NOBODY = '0655000000';

const world = theWorld();
const chatting = () => world.customer({ channel: 'web' }).isAtMenu();
const code = (money: string, more: readonly (readonly [string, string])[] = []) =>
  writeCode([
    ['01', '11'],
    ['26', writeFields([['00', 'another.network']])],
    ['53', money],
    ...more,
    ['58', 'MA'],
    ['59', 'Autre'],
  ]);

describe('a photo in a chat', () => {
  test('changes nothing without a code or with too large a code', async () => {
    const fatima = chatting();
    await fatima.photographs().sees('menu.choose').isTold('nav.noQr').photographs(' ').isTold('nav.noQr');
    await fatima.photographs('x'.repeat(1_025)).isTold('nav.noQr').chooses('transfer');
    await fatima.photographs().sees('transfer.askRecipient').isTold('nav.noQr');
  });

  test('starts the payment in the middle of another request', async () => {
    const qr = await qrOf(world, merchantIn(world));
    await chatting()
      .chooses('transfer')
      .says(NOBODY)
      .sees('transfer.askAmount')
      .photographs(qr)
      .sees('merchant-payment.askAmount');
  });

  test('is refused at a confirmation, at a PIN, and while money is under way', async () => {
    const qr = await qrOf(world, merchantIn(world));
    await chatting()
      .walks(pays())
      .photographs(qr)
      .sees('merchant-payment.askPin', { amount: 10_000 })
      .isTold('nav.photoLater')
      .photographs(qr)
      .sees('merchant-payment.askPin')
      .isTold('nav.photoLater')
      .enters()
      .photographs(qr)
      .sees('merchant-payment.processing')
      .isTold('nav.photoLater')
      .says('/help')
      .photographs(qr)
      .sees('help.help')
      .isTold('nav.photoLater')
      .after(1_500)
      .photographs(qr)
      .sees('merchant-payment.askAmount');
  });

  test('starts nothing before the wallet is proven', async () => {
    const qr = await qrOf(world, merchantIn(world));
    const fatima = world.customer({ channel: 'web' });
    await fatima.opens().photographs(qr).sees('linking.askPhone').isTold('nav.photoLater');
  });

  test('is answered at once in a chat that had ended', async () => {
    const qr = await qrOf(world, merchantIn(world));
    await chatting()
      .after(31 * 60_000)
      .photographs(qr)
      .sees('merchant-payment.askAmount');
  });
});

describe('a photo of a code', () => {
  test.each([
    ['an address', 'https://pay.test/x'],
    ['another network', code('504')],
    ['a broken EMVCo code', code('504').replace('Autre', 'Aurte')],
  ])('of %s is passed on, and the wallet does not know it', async (_, qr) => {
    const fatima = chatting().photographs(qr).sees('merchant-payment.askAmount').says('20');
    await fatima.sees('merchant-payment.askMerchant').isTold('problem.90027');
    expect(world.wallet.told(fatima.phone, 'previewMerchantPayment')).toMatchObject([[{ qrContent: qr }]]);
  });

  test('of an unknown format is paid without a name when the wallet takes it', async () => {
    const fatima = chatting().photographs('MAROCPAY:77').sees('merchant-payment.askAmount');
    const value = { fees: centimes(0), total: centimes(2000), openLoop: false };
    world.wallet.next('previewMerchantPayment', { kind: 'ok', value });
    await fatima.says('20').sees('merchant-payment.askPin', { merchant: 'merchant-payment.unnamed' });
  });

  test.each([
    ['90028', 'another amount', 'merchant-payment.askAmount'],
    ['90029', 'another code', 'merchant-payment.askMerchant'],
  ])('of an unknown format is refused with %s, and %s is asked', async (refusal, _, asked) => {
    const fatima = chatting().photographs('MAROCPAY:77').sees('merchant-payment.askAmount');
    world.wallet.next('previewMerchantPayment', refused(refusal));
    await fatima.says('20').sees(asked).isTold(`problem.${refusal}`);
  });

  test('of a code in another currency is not paid', async () => {
    const fatima = chatting().photographs(code('978', [['54', '12.00']]));
    await fatima.sees('merchant-payment.askMerchant').isTold('merchant-payment.otherMoney');
    expect(world.wallet.calls(fatima.phone, 'previewMerchantPayment')).toEqual([]);
  });

  test('of a code with a changed amount is refused by the wallet', async () => {
    const shop = merchantIn(world);
    const qr = await qrOf(world, shop, 45);
    const cheaper = qr.replace('540545.00', '540501.00').slice(0, -4);
    await chatting()
      .photographs(cheaper + checksumOf(cheaper))
      .sees('merchant-payment.askMerchant')
      .isTold('problem.90027');
  });

  test('is not stored, and the session forgets its content after the payment', async () => {
    const qr = await qrOf(world, merchantIn(world), 33);
    const fatima = chatting().photographs(qr).enters();
    await fatima;
    await world.passes(1_500);
    await fatima.goes('menu').meanwhile(async () => {
      expect(JSON.stringify(await world.session(fatima))).not.toContain(qr);
    });
  });
});
