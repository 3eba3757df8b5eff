import { describe, expect, test } from 'vitest';
import { nationalNumber } from '../../src/wallet/phone.ts';
import { LOST } from '../kit/meddler.ts';
import { CHATS, theWorld } from '../kit/world.ts';
import { boundAtMenu } from './principal-orders.ts';

describe('files of payouts in a chat', () => {
  const world = theWorld({ bot: 'webhook' });
  const gives = async (name: string) => {
    const { principal } = world.engine.desk;
    const line = `${nationalNumber(world.customer().phone)};Salma Idrissi;10;${name}`;
    const given = await principal?.giveFile(new TextEncoder().encode(line), `${name}.csv`, {
      id: 'nadia',
      name: 'Nadia',
    });
    if (given?.kind !== 'given') throw new Error('not given');
    await world.passes(1_000);
    return given.id;
  };

  test.each(CHATS)('are looked at, and released with the PIN once, on %s', async (channel) => {
    const id = await gives(`salaires-${channel}`);
    const [salma, karim] = [boundAtMenu(world, channel), boundAtMenu(world, channel)];
    for (const who of [salma, karim])
      await who
        .chooses('principal')
        .chooses('payouts')
        .sees('payouts.list')
        .chooses(id)
        .sees('payouts.shown-ready', {
          file: `salaires-${channel}`,
          amount: 1_000,
          payments: 1,
          refused: 0,
        });
    await salma
      .chooses('release')
      .sees('payouts.askPin', { amount: 1_000 })
      .enters()
      .sees('payouts.released');
    await karim.chooses('release').enters().sees('payouts.list').isTold('payouts.notNow');
    await world.passes(30_000);
    await salma.hears('payouts.doneNow', { lines: 1 });
    await karim.goes('menu').chooses('principal').chooses('payouts').chooses(id).sees('payouts.shown-done');
    await karim.goes('back').goes('back').sees('principal.choose');
  });

  test('there may be none, or nobody to read them from', async () => {
    const other = boundAtMenu(world).chooses('principal');
    await other.meanwhile(() => world.wallet.next('principalAgent', LOST)).chooses('payouts');
    await other.sees('payouts.unavailable');
    expect(world.errors).toEqual([]);
  });
});
