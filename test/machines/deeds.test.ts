import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { readText } from '../kit/tree.ts';
import { PIN, theWorld } from '../kit/world.ts';

const SHOP = '0600000011';
/** What is typed from the menu on, and where that leads. A digit is that of the menus; a `#` stands for a list's first entry. */
const DEEDS: readonly (readonly [deed: string, entries: readonly string[], ends: RegExp])[] = [
  ['send money', ['1', '0655000000', '100', PIN], /^transfer\.(?:processing|done)/],
  ['balance', ['2', PIN], /^balance\.shown/],
  ['statement', ['6', PIN], /^statement\./],
  ['pay a merchant', ['8', '1', SHOP, '45', PIN], /^merchant-payment\./],
  ['buy a voucher', ['8', '2', '1', '1', '1', PIN], /^voucher\.done/],
  ['see its code again', ['8', '5', PIN, '1'], /^voucher-codes\.shown/],
  ['deposit cash', ['5', '1', '300', '1'], /^cash-in\.shown/],
  ['withdraw cash', ['5', '3', '200', PIN], /^cash-out\.shown/],
  ['freeze all payments', ['9', '1'], /^freeze\.frozen/],
];
/** The rows of the table "A deed": entries, pages in French and Arabic, and calls to the wallet, now. */
const ROWS = new Map(
  [
    ...readText('docs/figures.md').matchAll(
      /^\| ([a-z ]+) \| (?:\d+|–) → (\d+) \| (\d+) \| (\d+) \| (\d+) \| [^|]+ \|$/gm,
    ),
  ].map(([, deed = '', ...now]) => [deed, now.map(Number)]),
);

describe('what a deed takes on USSD', () => {
  const world = theWorld();

  test.each(DEEDS)(
    '%s: as many entries, pages and calls as docs/figures.md says',
    async (deed, entries, ends) => {
      const fatima = world.customer({ language: 'fr', balance: '1000' });
      await fatima.isAtMenu();
      if (deed === 'see its code again') {
        for (const each of ['8', '2', '1', '1', '1']) await fatima.says(each);
        await fatima.enters().sees('voucher.done');
      }
      await fatima.dials().sees('menu.choose');
      const before = world.wallet.calls(fatima.phone).length;
      let typed = 0;
      const pages = new Map(LANGUAGES.map((language) => [language, 0]));
      const turns = async () => {
        for (const language of LANGUAGES) {
          const { pages: more } = pageOf(world.renderer, { ...fatima.reply(), language });
          pages.set(language, (pages.get(language) ?? 0) + more);
        }
      };
      await turns();
      for (const entry of entries) {
        await (entry === PIN ? fatima.enters() : fatima.says(entry));
        typed++;
        await turns();
      }
      expect(fatima.reply().screen.key).toMatch(ends);
      const calls = world.wallet.calls(fatima.phone).length - before;
      expect([typed, pages.get('fr'), pages.get('ar'), calls]).toEqual(ROWS.get(deed));
    },
  );

  test('the table has no other rows', () => {
    expect([...ROWS.keys()]).toEqual(DEEDS.map(([deed]) => deed));
  });
});
