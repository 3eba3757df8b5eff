import { expect, test } from 'vitest';
import { passesLuhn } from '../../src/wallet/bank-cards.ts';
import { DAY_MS, refused, theWorld } from '../kit/world.ts';
import { makesLink, payPageOf, sends, typedCard } from './card-forms.ts';
import { merchantIn } from './merchant-orders.ts';

const world = theWorld({ form: true, budgets: { refusedCards: 3 } });

const [A, B, C, D] = Array.from({ length: 100 }, (_, n) => String(4_539_000_000_000_000 + n)).filter(
  passesLuhn,
);

/** A merchant with so many links. */
async function withLinks(count: number) {
  const shop = merchantIn(world, 'web');
  const pages: string[] = [];
  await shop.isAtMenu();
  for (let i = 0; i < count; i++) {
    await shop.goes('menu').walks(makesLink('80'));
    await world.rests();
    pages.push(payPageOf(world, shop));
  }
  const pays = async (page: string | undefined, pan: string | undefined) => {
    const { status } = await sends(page ?? '', typedCard(pan));
    await world.rests();
    return status;
  };
  const declines = (page: string | undefined, pan: string | undefined) => {
    world.wallet.next('payByCard', refused('90115'));
    return pays(page, pan);
  };
  const cases = async () =>
    (await world.engine.desk.cases.list()).filter(({ wallet }) => wallet === shop.phone);
  return { shop, pages, pays, declines, cases };
}

test('many different refused cards close all links of a merchant for a day, and open a case', async () => {
  const { shop, pages, pays, declines, cases } = await withLinks(3);
  const [first, second, third] = pages;
  for (const pan of [A, A, A, B]) expect(await declines(first, pan)).toBe(422);
  expect(await cases()).toEqual([]);
  expect(await declines(second, C)).toBe(422);
  expect(await cases()).toMatchObject([{ kind: 'asked', about: 'card-payment.tooMany' }]);

  const calls = world.wallet.calls(shop.phone, 'payByCard').length;
  for (const page of [first, second, third]) expect(await pays(page, D)).toBe(410);
  expect(world.wallet.calls(shop.phone, 'payByCard')).toHaveLength(calls);
  await shop.goes('menu').walks(makesLink('80')).isTold('problem.manyRefusedCards');

  const other = await withLinks(1);
  expect(await other.pays(other.pages[0], A), 'another merchant').toBe(200);
  await shop.after(DAY_MS).goes('menu').walks(makesLink('80')).sees('card-payment.link');
});

test('a busy shop whose cards are taken stays open', async () => {
  const { pages, pays, declines, cases } = await withLinks(5);
  expect(await declines(pages[0], A)).toBe(422);
  for (const [n, page] of pages.entries()) {
    for (let i = 0; i < 3; i++) if (n > 0) expect(await declines(page, B)).toBe(422);
    expect(await pays(page, C)).toBe(200);
  }
  expect(await cases()).toEqual([]);
});
