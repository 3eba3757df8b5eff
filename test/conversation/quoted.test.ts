import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../src/conversation/incoming.ts';
import { CASH_DEFAULTS } from '../../src/conversation/references/cash-settings.ts';
import { sentences } from '../../src/screen/locales.ts';
import { theWorld } from '../kit/world.ts';

/** What a quoted label leads to where a customer writes it at the menu: the beginning of its screen's key. */
const LEADS: Readonly<Record<string, string>> = {
  'nav.back': 'menu.choose',
  'nav.menu': 'menu.choose',
  'pay.cancel': 'menu.choose',
  'menu.help': 'help.help',
  'menu.account': 'account.choose',
  'menu.shopping': 'shopping.choose',
  'menu.transfer': 'transfer.',
  'menu.balance': 'balance.',
  'menu.statement': 'statement.',
  'menu.top-up': 'top-up.askNumber',
  'menu.bill-payment': 'bill-payment.chooseCreditor',
  'menu.cash': 'cash.choose',
  'cash.cash-in': 'cash-in.',
  'cash.card-cash-in': 'card-cash-in.',
  'cash.cash-out': 'cash-out.',
  'cash.references': 'references.',
  'cash.saved-cards': 'saved-cards.',
  'shopping.merchant-payment': 'merchant-payment.',
  'shopping.voucher': 'voucher.chooseBrand',
  'shopping.cards': 'cards.',
  'shopping.card-order': 'card-order.',
  'shopping.voucher-codes': 'voucher-codes.',
  'account.profile': 'profile.',
  'account.beneficiaries': 'beneficiaries.',
  'account.upgrade': 'upgrade.',
  'account.pin-change': 'pin-change.',
  'account.pin-reset': 'pin-reset.',
  'account.language': 'language.',
  'account.link-chat': 'link-chat.',
  'account.unlink': 'unlink.',
  'account.closing': 'closing.',
  'account.agent': 'agent.',
  'help.freeze': 'freeze.frozen',
  'help.thaw': 'freeze.askPin',
  'freeze.thaw': 'freeze.askPin',
  // There is none.
  'help.lost-card': 'help.urgent lost-card.none',
  'help.adviser': 'help.asked',
  // Nothing was paid yet.
  'bill-payment.history': 'bill-payment.chooseCreditor bill-payment.noHistory',
  'top-up.openHistory': 'top-up.askNumber top-up.noHistory',
};
/** Labels of merchants, agents and the principal agent, and the choices that stand beside the sentence or behind an entry. */
const OF_OTHERS = ['menu.card-payments', 'menu.agent-cash-in', 'menu.agent-cash-out', 'principal.payouts'];
const BESIDE = ['agent-cash-out.done', 'nav.more', 'onboarding.resend'];
const BEHIND = ['bill-payment.another', 'bill-payment.forget'];
/** Words of the browser or of the deed, which a sentence tells a customer to find or to write. */
const WORDS =
  /^(?:web\.installAsk|onboarding\.(?:opened|noCin)|problem\.90010|agent-cash-out\.askPin|nav\.isKey|nav\.pinOrAmount|help\.digitsAlone)(?:_|$)/;

const world = theWorld({ bot: 'webhook', cash: CASH_DEFAULTS });

/** The words that a sentence quotes, without what stands for a value. */
function quotedIn(language: Language): readonly (readonly [key: string, quoted: string])[] {
  return [...sentences(language)].flatMap(([key, text]) =>
    [...text.matchAll(/«\s*([^»]+?)\s*»|“([^”]+)”/g)]
      .map(([, french, english]) => [key, french ?? english ?? ''] as const)
      .filter(([, quoted]) => !quoted.includes('{{')),
  );
}

describe.each(LANGUAGES)('words that a sentence quotes, in %s', (language) => {
  const said = sentences(language);
  const labels = new Map(
    [...Object.keys(LEADS), ...OF_OTHERS, ...BESIDE, ...BEHIND].map((key) => [said.get(key), key]),
  );

  test('are the label of an entry, letter for letter', () => {
    const customers = quotedIn(language).filter(([key]) => !/^(?:console|simulator)\./.test(key));
    expect(customers.length).toBeGreaterThan(20);
    expect(customers.filter(([key, quoted]) => !WORDS.test(key) && !labels.has(quoted))).toEqual([]);
  });

  test.each(Object.entries(LEADS))('lead where the entry leads: %s', async (key, to) => {
    const label = said.get(key) ?? '';
    const fatima = world
      .customer({ channel: key === 'account.link-chat' ? 'ussd' : 'web', language })
      .isAtMenu();
    if (to === LEADS['help.thaw']) await fatima.says('/freeze').goes('menu');
    await fatima.goes('menu').says(label);
    const { key: at, notice } = fatima.reply().screen;
    expect(`${at} ${notice?.key}`).toMatch(new RegExp(`^${to}`));
  });
});

describe.each(['ussd', 'web'] as const)('the label of what a customer has, on %s', (channel) => {
  test.each([
    ["mes bons d'achat", '/voucher', 'voucher-codes.'],
    ['mes paiements de factures', '/transfer 0655000000', 'transfer.resume'],
    ['mes recharges', '/voucher', 'top-up.askNumber top-up.noHistory'],
    ['mes références', '/bill', 'references.'],
    ['mon relevé', '/transfer 0655000000', 'statement.askPin'],
  ])('is understood in the middle of something else: %s at %s', async (words, path, to) => {
    const fatima = world.customer({ channel, language: 'fr' });
    await fatima.isAtMenu().says(path).says(words);
    const { key, notice } = fatima.reply().screen;
    expect(`${key} ${notice?.key}`).toMatch(new RegExp(`^${to}`));
  });
});
