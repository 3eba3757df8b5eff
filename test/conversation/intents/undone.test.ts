import { describe, expect, test } from 'vitest';
import { SAFETY_DEFAULTS } from '../../../src/conversation/session/safety.ts';
import { MAGIC } from '../../../src/sandbox/faults/magic.ts';
import type { ApiName } from '../../../src/wallet/contract/api.ts';
import { type Customer, MINUTE_MS, STORES, theWorld } from '../../kit/world.ts';
import { merchantIn, paidBy, refunds } from '../../machines/merchant-orders.ts';
import { boundAtMenu } from '../../machines/principal-orders.ts';
import { tops } from '../../machines/top-up-orders.ts';
import { buys } from '../../machines/voucher-orders.ts';

const transfersTo = (to: string) => (customer: Customer) => customer.chooses('transfer').says(to).says('45');
const transfers = transfersTo('0655000000');
const topsB2b = (customer: Customer) =>
  customer.chooses('principal').chooses('b2b-top-up').says('0655000042').chooses('3').says('45');

/** The wallet completes a payment, and takes it back five seconds later. */
describe.each(STORES)('a success that the wallet takes back, on %s', (store) => {
  const world = theWorld({ store });

  const takenBack = (operation: ApiName) =>
    world.sandbox.faults.set({ name: 'reversal', operation, count: 1 });
  const readsAsCancelled = () =>
    world.wallet.next('operation', async (ask) => {
      const answer = await ask();
      return answer.kind === 'ok' ? { ...answer, value: { ...answer.value, status: 4 } } : answer;
    });

  test.each<[kind: string, ApiName, (customer: Customer) => Customer]>([
    ['transfer', 'executeTransfer', transfers],
    ['top-up', 'executeTopUp', tops('0655000041')],
    ['voucher', 'executeVoucher', buys()],
    ['b2b-top-up', 'executeTopUpB2b', topsB2b],
  ])('%s: its customer is told within minutes, even without an event', async (kind, call, walk) => {
    const isOfAgent = kind === 'b2b-top-up';
    const fatima = isOfAgent ? boundAtMenu(world) : world.customer({ channel: 'web' }).isAtMenu();
    await fatima.walks(walk).meanwhile(() => takenBack(call));
    await fatima.enters();
    await fatima.after(1_500).hears(`${kind}.done`);
    await world.passes(3 * MINUTE_MS);
    const [payment] = await world.engine.desk.payments(fatima.phone, 1);
    expect(payment).toMatchObject({ state: 'reversed' });
    await fatima.hears(`${kind}.reversed`);
  });

  test('a transfer without any event', async () => {
    const fatima = world.customer({ channel: 'web' });
    world.sandbox.faults.set({ name: 'webhookNever', operation: 'executeTransfer', count: 1 });
    await fatima.isAtMenu().walks(transfers).enters();
    await world.passes(1_500);
    await fatima.after(MINUTE_MS).hears('transfer.done');
    const [{ operationId = 0 } = {}] = await world.engine.desk.payments(fatima.phone, 1);
    readsAsCancelled();
    await fatima.after(60 * MINUTE_MS).hears('transfer.reversed', { reference: String(operationId) });
  });

  test('the merchant and the payer of a refund are told', async () => {
    const shop = merchantIn(world);
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    const id = await paidBy(world, world.dialer(fatima), shop, '45,50');
    await fatima.goes('menu');
    await shop.isAtMenu().walks(refunds(id)).chooses('all');
    takenBack('executeChargeback');
    await shop.enters().sees('merchant-refund.done');
    await world.rests();
    await fatima.hears('received.refund');
    await shop.after(3 * MINUTE_MS).hears('merchant-refund.reversed');
    await fatima.hears('received.undone');
  });

  test('on USSD the reminder is up to date, and the code is neither listed as good nor shown', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().walks(buys(MAGIC.reversal)).enters().sees('voucher.done');
    await world.passes(3 * MINUTE_MS);
    await fatima.dials().isTold('voucher.reversed');
    const told = fatima.reply().missed.map(({ screen }) => screen.key);
    expect(told).toEqual(['voucher.reversed']);
    await fatima.chooses('shopping').chooses('voucher-codes').enters().sees('voucher-codes.choose');
    const [listed] = fatima.reply().screen.choices ?? [];
    expect(listed?.key).toBe('voucher-codes.lineCancelled');
    await fatima.chooses('voucher0').sees('voucher-codes.choose').isTold('voucher-codes.gone');
  });

  test('an unread outcome is not told any more', async () => {
    const fatima = world.customer();
    world.sandbox.faults.set({ name: 'answerLost', operation: 'executeTopUp', count: 1 });
    await fatima.isAtMenu().walks(tops('0655000041')).enters().sees('top-up.notConfirmed');
    await world.passes(10_000);
    readsAsCancelled();
    await fatima.after(3 * MINUTE_MS).dials();
    expect(fatima.reply().missed.map(({ screen }) => screen.key)).toEqual(['top-up.reversed']);
  });
});

describe('the recipient of a payment that was taken back', () => {
  const world = theWorld({ safety: SAFETY_DEFAULTS });

  test('is as new as before', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(transfersTo(MAGIC.reversal)).sees('pay.askNew').enters();
    await fatima.after(1_500).goes('menu').walks(transfersTo(MAGIC.reversal)).chooses('cancel');
    await fatima.after(10_000).goes('menu').walks(transfersTo(MAGIC.reversal)).sees('pay.askNew');
  });
});
