import { describe, expect, test } from 'vitest';
import { CHANNELS, type Customer, HOUR_MS, testOn, theWorld } from '../kit/world.ts';

const KNOWN = '0655000000';
const sends = (amount: string) => (customer: Customer) => customer.says('/transfer').says(KNOWN).says(amount);
const tries = async (customer: Customer, amounts: readonly string[]) => {
  for (const amount of amounts)
    await customer.walks(sends(amount)).sees('transfer.askPinOpenLoop').goes('menu');
};

describe('the balance cannot be found by trying amounts without the PIN', () => {
  const world = theWorld({ bot: 'webhook' });
  const previews = ({ phone }: Customer) => world.wallet.calls(phone, 'previewTransfer').length;

  testOn(CHANNELS)(
    'the sixth amount asks for the PIN first, and the payment asks again, on %s',
    async (channel) => {
      const fatima = world.customer({ channel, balance: '900' });
      await tries(fatima.isAtMenu(), ['10', '20', '30', '40', '50']);
      await fatima.walks(sends('60')).sees('pay.askCost');
      // Nobody types a PIN on a page that names neither amount nor payee.
      expect(world.renderer.chat(fatima.reply().screen, 'en').text).toMatch(/MAD.60\.00.*06.\d\d/);
      expect(previews(fatima)).toBe(5);
      await fatima.enters().sees('transfer.askPinOpenLoop', { amount: 6_000 });
      await fatima.enters().sees('transfer.processing');
      await world.passes(5_000);
      // The last page has ended the USSD session.
      if (channel === 'ussd') await fatima.dials();
      await tries(fatima, ['11', '21']);
    },
  );

  test('who leaves there on USSD is offered the payment at the next dial', async () => {
    const fatima = world.customer({ balance: '900' });
    await tries(fatima.isAtMenu(), ['10', '20', '30', '40', '50']);
    await fatima.walks(sends('60')).sees('pay.askCost').dials().sees('transfer.resumePayment');
    await fatima.chooses('continue').sees('pay.askCost');
  });

  test('amounts refused by the wallet count as well, over all channels and ways to pay', async () => {
    const web = world.customer({ channel: 'web', balance: '100' });
    await web.isAtMenu().walks(sends('500')).sees('pay.short');
    await web.says('400').sees('pay.short');
    await web.says('300').sees('pay.short').goes('menu');
    await web.says('/cash-out 250').sees('pay.short');
    const ussd = world.dialer(web);
    await ussd.isAtMenu().says('/cash-out 50').sees('cash-out.askPin').goes('menu');
    await ussd.walks(sends('60')).sees('pay.askCost').goes('menu');
    // A withdrawal asks for the PIN in any case: beyond the budget the balance is not looked at before it.
    await ussd.says('/cash-out 260').sees('cash-out.askPin');
  });

  test('a wrong PIN opens nothing, and no right one is needed to try the same amount again', async () => {
    const fatima = world.customer({ balance: '900' });
    await tries(fatima.isAtMenu(), ['10', '20', '30', '40', '50', '50', '10']);
    await fatima.walks(sends('60')).sees('pay.askCost').enters('9999').sees('pay.askCost');
    expect(previews(fatima)).toBe(7);
    await fatima.goes('back').sees('transfer.askAmount').says('50').sees('transfer.askPinOpenLoop');
  });

  test('the customer can leave it, and a day later amounts can be tried again', async () => {
    const fatima = world.customer({ channel: 'web', balance: '900' });
    await tries(fatima.isAtMenu(), ['10', '20', '30', '40', '50']);
    await fatima.walks(sends('60')).sees('pay.askCost').chooses('cancel').sees('transfer.cancelled');
    await world.passes(25 * HOUR_MS);
    await fatima.goes('menu').walks(sends('60')).sees('transfer.askPinOpenLoop');
  });
});
