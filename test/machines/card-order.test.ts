import { describe, expect, test } from 'vitest';
import { hasWindow } from '../../src/conversation/channel.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { LOST, loses, refused, UNSENT } from '../kit/meddler.ts';
import { CHANNELS, type Customer, DAY_MS, STORES, testOn, theWorld, type World } from '../kit/world.ts';
import { issuer, told } from './card-issuing.ts';

const NAME = 'Carte Zellige (test)';

const orders = (customer: Customer) =>
  customer.isAtMenu().says('commander une carte').sees('card-order.choose').chooses('1');

/** The customer's applications, the newest first. */
async function applications(world: World, { phone }: Customer) {
  const query = { phoneNumber: phone };
  return (await told(issuer(world).listCustomerCardApplications({ query }))).collection;
}
/** The scheduled looks at this customer. */
async function followed(world: World, { phone }: Customer) {
  const scheduled = await world.store.scheduled(partitionOf(phone), `pending:${phone}:`, 10);
  return scheduled.map(({ key }) => key);
}
async function decides(world: World, customer: Customer, reason?: string): Promise<void> {
  const [newest] = await applications(world, customer);
  const params = { id: newest?.id ?? 0 };
  if (reason === undefined) await told(issuer(world).validateCardApplication({ params }));
  else await told(issuer(world).rejectCardApplication({ params, body: { reason } }));
}

describe('an order of a card', () => {
  const world = theWorld({ bot: 'webhook' });

  testOn(CHANNELS)('is told once it is decided, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.walks(orders).sees('card-order.askPin', { program: NAME }).enters();
    await fatima.sees('card-order.applied', { program: NAME });
    await fatima.says('ma carte').sees('cards.none').goes('menu');
    await fatima.after(DAY_MS).hearsNothing();
    await decides(world, fatima);
    await world.passes(DAY_MS);
    if (hasWindow(fatima.address)) await fatima.opens();
    // Nobody can be called back on USSD: it is told on the next dial, and no SMS is sent for it.
    await (channel === 'ussd'
      ? fatima.dials().isTold('card-order.accepted', { program: NAME })
      : fatima.hears('card-order.accepted', { program: NAME }).goes('menu'));
    await fatima.says('ma carte').sees('cards.cardOnItsWay', { state: 'cards.issued' });
    await fatima.after(40 * DAY_MS).hearsNothing();
  });

  test('a decision at once is told within the hour', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.walks(orders).enters().sees('card-order.applied');
    await decides(world, fatima);
    await fatima.after(15 * 60_000).hears('card-order.accepted', { program: NAME });
  });

  test('a refusal names its reason, an application can stay open for 30 days, and nothing is told twice', async () => {
    const [refusedOne, waits] = [world.customer({ channel: 'web' }), world.customer({ channel: 'web' })];
    await refusedOne.walks(orders).enters();
    await waits.walks(orders).enters();
    await decides(world, refusedOne, 'Dossier incomplet');
    await world.passes(DAY_MS);
    await refusedOne.hears('card-order.rejectedWhy', { reason: 'Dossier incomplet' }).hearsNothing();
    for (let day = 2; day < 29; day += 9) await world.passes(9 * DAY_MS);
    await waits.hearsNothing();
    // The chat is still in use.
    await waits.opens();
    await world.passes(2 * DAY_MS);
    await waits.after(DAY_MS).hears('card-order.notDecided', { program: NAME });
    await waits.after(2 * DAY_MS).hearsNothing();
  });

  test('a second order is called one more card', async () => {
    const fatima = world.customer();
    await fatima.walks(orders).enters().sees('card-order.applied');
    await fatima.says('commander une carte').chooses('1').sees('card-order.askPinAgain').goes('back');
    await fatima.sees('card-order.choose').chooses('2').sees('card-order.askPin');
    expect(await applications(world, fatima)).toHaveLength(1);
  });

  test.each([
    ['it was made', loses, 'card-order.applied', 1],
    ['it was not', LOST, 'card-order.notKnown', 0],
  ] as const)('its answer is lost, and %s', async (_, instead, sees, count) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.walks(orders);
    world.wallet.next('applyForCard', instead);
    await fatima.enters().sees(sees);
    expect(await followed(world, fatima)).toHaveLength(1);
    expect(await applications(world, fatima)).toHaveLength(count);
    expect(world.wallet.calls(fatima.phone, 'applyForCard')).toHaveLength(1);
    if (count === 1) await decides(world, fatima);
    await world.passes(DAY_MS);
    await (count === 1 ? fatima.hears('card-order.accepted') : fatima.hearsNothing());
  });

  test.each([
    ['refused', refused('90300'), 'problem.90300'],
    ['refused in its own words', refused('47110'), 'problem.other'],
    ['never sent', UNSENT, 'problem.unavailable'],
  ] as const)('an order that is %s is not followed', async (_, instead, tells) => {
    const fatima = world.customer();
    await fatima.walks(orders);
    world.wallet.next('applyForCard', instead);
    await fatima.enters().sees('card-order.choose').isTold(tells);
    expect(await followed(world, fatima)).toEqual([]);
  });

  test.each([
    ['no programme', { kind: 'ok', value: [] } as const, 'cards.notEnabled'],
    ['none enabled', refused('http404'), 'cards.notEnabled'],
    ['not answered', LOST, 'cards.unavailable'],
  ])('programmes: %s', async (_, instead, sees) => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    world.wallet.next('cardPrograms', instead);
    await fatima.says('commander une carte').sees(sees);
  });
});

describe.each(STORES)('a followed application, on %s', (store) => {
  const world = theWorld({ store });

  test('survives a process that dies before it has read the answer, and is told in every chat', async () => {
    const fatima = world.customer({ channel: 'web' });
    const other = world.chatOf(fatima);
    await other.isAtMenu();
    await fatima.walks(orders);
    world.wallet.next('applyForCard', loses);
    await world.crashesDuring('cardApplications', fatima.enters());
    await world.passes(60_000);
    expect(await applications(world, fatima)).toHaveLength(1);
    await decides(world, fatima);
    // The wallet does not answer the first look.
    world.wallet.next('cardApplications', LOST);
    await other.after(DAY_MS).hears('linking.linkedElsewhere').hearsNothing();
    await other.after(3_600_000).hears('card-order.accepted').hearsNothing();
    await world.again(fatima).hears('card-order.accepted');
  });
});
