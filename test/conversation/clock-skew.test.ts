import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readRecord } from '../../src/conversation/record/record.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { centimes } from '../../src/wallet/money.ts';
import { type Msisdn, nationalNumber } from '../../src/wallet/phone.ts';
import { type Customer, DAY_MS, HOUR_MS, LOST, loses, MINUTE_MS, theWorld } from '../kit/world.ts';
import { agentAtMenu, referenceOf } from '../machines/agent-orders.ts';
import { atBank, makesLink, payPageOf, sends, typedCard } from '../machines/card-forms.ts';
import { looksAtTakings, merchantIn, paidBy } from '../machines/merchant-orders.ts';
import { boundAtMenu, PRINCIPAL } from '../machines/principal-orders.ts';
import { tops } from '../machines/top-up-orders.ts';
import { orders } from '../machines/transfer-orders.ts';

describe.each([
  ['three minutes ahead of ours', 3 * MINUTE_MS],
  ['three minutes behind ours', -3 * MINUTE_MS],
  ['twenty minutes ahead of ours', 20 * MINUTE_MS],
  ['twenty minutes behind ours', -20 * MINUTE_MS],
  ['right', 0],
])('the wallet’s clock is %s', (_case, walletAheadMs) => {
  const world = theWorld({ walletAheadMs, form: true, settings: { settleAfterMs: 0 } });
  const told = async ({ address }: Customer) =>
    (await world.engine.waiting(address)).map(({ screen }) => screen.key);

  test('a transfer with a lost answer and no event is found in the list', async () => {
    const [fatima, ali] = [world.customer({ channel: 'web' }), world.customer()];
    await fatima.isAtMenu().walks(orders(ali.phone, '100'));
    world.sandbox.faults.set({ name: 'webhookNever', operation: 'executeTransfer', count: 1 });
    world.wallet.next('transfer', loses);
    await fatima.enters().sees('transfer.notConfirmed');
    await world.passes(6_000);
    expect(await told(fatima)).toEqual(['transfer.done']);
  });

  test('a transfer that never happened is not mistaken for an earlier one, which is asked about', async () => {
    const [fatima, ali] = [world.customer({ channel: 'web' }), world.customer()];
    const amount = centimes(10_000);
    const order = { from: fatima.phone, to: ali.phone, amount, reason: 'elsewhere' };
    expect((await world.api.transfer(order, { requestId: randomUUID() })).kind).toBe('ok');
    await fatima.after(MINUTE_MS).isAtMenu().walks(orders(ali.phone, '100'));
    await fatima.sees('transfer.confirmAgain').chooses('confirm');
    world.wallet.next('transfer', LOST);
    await fatima.enters().sees('transfer.notConfirmed');
    await world.passes(5 * MINUTE_MS);
    expect(await told(fatima)).toEqual([]);
  });

  test('a top-up with a lost answer is found in its history', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(tops('0612345678'));
    world.wallet.next('topUp', loses);
    await fatima.enters().sees('top-up.notConfirmed');
    await world.passes(6_000);
    expect(await told(fatima)).toEqual(['top-up.done']);
  });

  test('cash at an agent with a lost answer is found by its reference', async () => {
    const { agent } = await agentAtMenu(world, 'web');
    const reference = await referenceOf(world, 'cash-out', world.customer().phone, 200);
    await agent.chooses('agent-cash-out').says(reference).sees('agent-cash-out.askPin');
    world.wallet.next('agentCashOut', loses);
    await agent.enters();
    await agent.after(6_000).hears('agent-cash-out.done', { amount: 20_000 });
  });

  test('a card payment by link without an event becomes a case after an hour, with the list as evidence', async () => {
    const shop = merchantIn(world, 'web');
    await shop.isAtMenu().walks(makesLink('80'));
    await world.rests();
    world.sandbox.faults.set({ name: 'webhookNever', operation: 'executeCardPayment', count: 1 });
    await atBank((await sends(payPageOf(world, shop), typedCard())).bank);
    await shop.after(HOUR_MS + MINUTE_MS).hears('card-payment.human', { amount: 80_00 });
  });

  test('a line forgotten by the store is not paid again, and a line like an earlier payment is paid', async () => {
    const [lost, before] = [world.customer().phone, world.customer().phone];
    const amount = centimes(10_100);
    const paid = async (phone: Msisdn) => {
      const given = await world.api.requestCashIn({ phone, amount });
      const { reference } = given.kind === 'ok' ? given.value : { reference: '' };
      await world.api.agentCashIn({ code: PRINCIPAL, reference }, { requestId: randomUUID() });
    };
    await paid(before);
    // Longer ago than the clocks are apart: of what is nearer, nobody can say whether it is this line's.
    await world.passes(30 * MINUTE_MS);
    const { principal } = world.engine.desk;
    const lines = [lost, before].map((phone) => `${nationalNumber(phone)};Salma;101;avance`).join('\n');
    const file = new TextEncoder().encode(lines);
    const given = await principal?.giveFile(file, 'salaires.csv', { id: 'nadia', name: 'Nadia' });
    const id = given?.kind === 'given' ? given.id : '';
    await world.passes(1_000);
    world.wallet.next('requestCashIn', async (ask) => {
      await paid(lost);
      return ask();
    });
    const aicha = boundAtMenu(world).chooses('principal').chooses('payouts').chooses(id).chooses('release');
    await aicha.enters().sees('payouts.released');
    for (let i = 0; i < 3; i++) await world.passes(MINUTE_MS);
    const made = (phone: Msisdn) => world.sandbox.executions().filter(({ receiver }) => receiver === phone);
    expect([made(lost).length, made(before).length]).toEqual([1, 2]);
  });

  test('the delay of an event counts by one clock', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(orders(world.customer().phone, '100')).enters();
    await fatima.after(1_500).hears('transfer.done');
    const turns = await world.store.turns(partitionOf(fatima.phone), 1_000);
    const news = turns.flatMap(({ record }) => readRecord(record) ?? []);
    const learnt = news.filter(
      ({ event, address }) => event.kind === 'payment' && address === fatima.address,
    );
    expect(learnt).toHaveLength(1);
    expect(learnt[0]?.lagMs).toBeLessThan(MINUTE_MS);
  });

  test('takings of today are those of the wallet’s day, a minute before and after its midnight', async () => {
    const [shop, fatima] = [merchantIn(world), world.customer()];
    const toMidnight = DAY_MS - ((world.clock.now() + walletAheadMs) % DAY_MS);
    await world.passes(toMidnight - MINUTE_MS);
    await paidBy(world, fatima, shop, '20');
    await shop.isAtMenu().walks(looksAtTakings).enters().sees('takings.shown', { payments: 1, total: 2_000 });
    await world.passes(2 * MINUTE_MS);
    await shop.goes('menu').walks(looksAtTakings).enters().sees('takings.none');
    await shop.chooses('yesterday').sees('takings.shown', { payments: 1, total: 2_000 });
  });
});
