import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { centimes } from '../../src/wallet/money.ts';
import type { Customer } from '../kit/customer.ts';
import { LOST, loses } from '../kit/meddler.ts';
import { theWorld } from '../kit/world.ts';
import { agentAtMenu, referenceOf } from '../machines/agent-orders.ts';
import { looksAtTakings, merchantIn, paidBy } from '../machines/merchant-orders.ts';
import { tops } from '../machines/top-up-orders.ts';
import { orders } from '../machines/transfer-orders.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe.each([
  ['three minutes ahead of ours', 3 * MINUTE_MS],
  ['three minutes behind ours', -3 * MINUTE_MS],
  ['twenty minutes ahead of ours', 20 * MINUTE_MS],
  ['twenty minutes behind ours', -20 * MINUTE_MS],
  ['right', 0],
])('the wallet’s clock is %s', (_case, walletAheadMs) => {
  const world = theWorld({ walletAheadMs, settings: { settleAfterMs: 0 } });
  const told = async ({ address }: Customer) =>
    (await world.engine.waiting(address)).map(({ screen }) => screen.key);

  test('a transfer whose answer is lost, and of which no event comes, is found in the list', async () => {
    const [fatima, ali] = [world.customer({ channel: 'web' }), world.customer()];
    await fatima.isAtMenu().walks(orders(ali.phone, '100'));
    world.sandbox.faults.set({ name: 'webhookNever', operation: 'executeTransfer', count: 1 });
    world.wallet.next('transfer', loses);
    await fatima.enters().sees('transfer.notConfirmed');
    await world.passes(6_000);
    expect(await told(fatima)).toEqual(['transfer.done']);
  });

  test('a transfer that never happened is not taken for one just like it before, which is asked about', async () => {
    const [fatima, ali] = [world.customer({ channel: 'web' }), world.customer()];
    const amount = centimes(10_000);
    const order = { from: fatima.phone, to: ali.phone, amount, reason: 'elsewhere' };
    expect((await world.api.transfer(order, { requestId: randomUUID() })).kind).toBe('ok');
    await world.passes(MINUTE_MS);
    await fatima.isAtMenu().walks(orders(ali.phone, '100'));
    await fatima.sees('transfer.confirmAgain').chooses('confirm');
    world.wallet.next('transfer', LOST);
    await fatima.enters().sees('transfer.notConfirmed');
    await world.passes(5 * MINUTE_MS);
    expect(await told(fatima)).toEqual([]);
  });

  test('a top-up whose answer is lost is found in its history', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().walks(tops('0612345678'));
    world.wallet.next('topUp', loses);
    await fatima.enters().sees('top-up.notConfirmed');
    await world.passes(6_000);
    expect(await told(fatima)).toEqual(['top-up.done']);
  });

  test('cash at an agent whose answer is lost is found by its reference', async () => {
    const { agent } = await agentAtMenu(world, 'web');
    const reference = await referenceOf(world, 'cash-out', world.customer().phone, 200);
    await agent.chooses('agent-cash-out').says(reference).sees('agent-cash-out.askPin');
    world.wallet.next('agentCashOut', loses);
    await agent.enters();
    await world.passes(6_000);
    await agent.hears('agent-cash-out.done', { amount: 20_000 });
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
