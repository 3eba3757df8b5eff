import { describe, expect, test } from 'vitest';
import { numbersOf } from '../../machines/kit/choice-numbers.ts';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { SAFETY_DEFAULTS } from '../../src/conversation/session/safety.ts';
import { readText } from '../kit/tree.ts';
import { type Customer, theWorld, type World } from '../kit/world.ts';
import { ordersWater } from './bill-orders.ts';

/** What the customer answers on each screen: a text, `#` and the id of a choice, or `code` for the newest code by SMS. */
type Answers = Readonly<Record<string, string>>;
interface Deed {
  readonly answers: Answers;
  /** Before those, and once: a choice on the page of a PIN. */
  readonly once?: Answers;
  /** The screen that ends it. */
  readonly ends: RegExp;
  /** Instead of `CONTRACTS`. */
  readonly contracts?: Readonly<Record<string, string>>;
  /** What happened before the dial. */
  readonly before?: (who: Customer) => unknown;
  /** The aim is not reached yet. */
  readonly isAbove?: true;
  /** A newcomer has neither a wallet nor a language. */
  readonly isNew?: true;
}

/** A contract for each language, as its bills are paid once. */
const CONTRACTS: Readonly<Record<string, string>> = { fr: '4711001', ar: '4711002' };
const BILL = {
  'menu.choose': '#bill-payment',
  'bill-payment.chooseCreditor': '#1003',
  'bill-payment.chooseReceivable': '#01',
  'bill-payment.ask': 'contract',
  'bill-payment.reviewFor': '#all',
};
const TOP_UP = {
  'menu.choose': '#top-up',
  'top-up.askNumber': '#me',
  'top-up.chooseOperator': '#1',
  'top-up.askAmount': '50',
  'top-up.chooseProduct': '#classic',
};
const hasToppedUp = (who: Customer) =>
  who
    .chooses('top-up')
    .chooses('me')
    .chooses('2')
    .says('50')
    .chooses('classic')
    .enters()
    .after(3_600_000)
    // Its outcome is read first.
    .dials()
    .goes('menu');
/** Contracts that are kept, for each language. */
const KEPT: Readonly<Record<string, string>> = { fr: '4711003', ar: '4711004' };
const MONTH_MS = 31 * 24 * 3_600_000;
const hasKeptContract = (who: Customer) =>
  who
    .walks(ordersWater(KEPT[who.language] ?? ''))
    .enters()
    .chooses('keep')
    .sees('bill-payment.kept')
    .after(MONTH_MS)
    .dials()
    .goes('menu');
const DEEDS: Readonly<Record<string, Deed>> = {
  'send, new recipient': {
    answers: {
      'menu.choose': '#transfer',
      'transfer.askRecipient': '0655000000',
      'transfer.askAmount': '100',
    },
    ends: /^transfer\.(?:processing|done)/,
  },
  'own top-up': {
    answers: TOP_UP,
    ends: /^top-up\.(?:processing|done)/,
    before: hasToppedUp,
  },
  'bill, all of it': { answers: BILL, ends: /^bill-payment\.(?:processing|done)/ },
  'one of several bills': {
    answers: { ...BILL, 'bill-payment.selectNone': '#1' },
    once: { 'bill-payment.askPinAllFree': '#some' },
    ends: /^bill-payment\.(?:processing|done)/,
    contracts: { fr: '4711005', ar: '4711006' },
  },
  'last month’s bill': {
    answers: BILL,
    ends: /^bill-payment\.(?:processing|done)/,
    before: hasKeptContract,
  },
  'voucher for oneself': {
    answers: {
      'menu.choose': '#shopping',
      'shopping.choose': '#voucher',
      'voucher.chooseBrand': '#1',
      'voucher.chooseArticleValid': '#article0',
    },
    ends: /^voucher\.done/,
  },
  'opening a wallet': {
    isNew: true,
    answers: {
      'language.choose': '#LANGUAGE',
      'consent.ask': '#agree',
      'onboarding.askFirstName': 'Salma',
      'onboarding.askLastName': 'Idrissi',
      'onboarding.askCin': 'AB123456',
      'onboarding.review': '#confirm',
      'onboarding.askCode': 'code',
    },
    ends: /^onboarding\.opened/,
  },
  'balance, then statement': {
    answers: { 'menu.choose': '#balance', 'balance.shown': '#statement' },
    ends: /^statement\.list/,
    before: hasToppedUp,
  },
};

/** The rows of the table "Steps": entries in French and in Arabic, and the aim of each. */
const ROWS = new Map(
  [
    ...(
      readText('docs/contributor/screen-figures.md').split('### Steps')[1]?.split('\n**')[0] ?? ''
    ).matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \| (\d+)(?: \/ (\d+))? \|$/gm),
  ].map(([, deed = '', fr, ar, aim, aimAr = aim]) => [deed, { fr, ar, aim, aimAr }]),
);

/** Plays the deed after a dial and counts what is typed: a page that has to be turned is an entry. */
async function entriesOf(deed: Deed, who: Customer, world: World): Promise<number> {
  const { answers, ends, contracts = CONTRACTS } = deed;
  const once = new Map(Object.entries(deed.once ?? {}));
  const pageNow = () => pageOf(world.renderer, who.reply());
  let count = 0;
  const turns = async () => {
    count += 1;
    await who.says('98');
  };
  for (; !ends.test(who.reply().screen.key); count++) {
    expect(count, `${who.reply().screen.key} goes round`).toBeLessThan(20);
    const { screen } = who.reply();
    const first = once.get(screen.key);
    once.delete(screen.key);
    if (first === undefined && (screen.expects === 'pin' || screen.expects === 'newPin')) {
      // What stands behind the question need not be read.
      while (!pageNow().asked) await turns();
      await who.enters();
      continue;
    }
    const answer = first ?? answers[screen.key];
    expect(answer, screen.key).toBeDefined();
    if (answer === 'contract') await who.says(contracts[who.language] ?? '');
    else if (answer === 'code') await who.entersCodeFromSms();
    else if (answer?.startsWith('#')) {
      const id = answer === '#LANGUAGE' ? who.language : answer.slice(1);
      const { choices = [] } = screen;
      const at = choices.findIndex((choice) => choice.id === id);
      expect(at, `${id} on ${screen.key}`).toBeGreaterThanOrEqual(0);
      while (at >= pageNow().choices) await turns();
      await who.says(String(numbersOf(choices)[at]));
    } else await who.says(answer ?? '');
  }
  return count;
}

describe('the entries after the dial', () => {
  const world = theWorld({ safety: SAFETY_DEFAULTS });

  describe.each(['fr', 'ar'] as const)('in %s', (language) => {
    test.each(Object.entries(DEEDS))(
      '%s: as many as the table says, and above the aim only where that is known',
      async (name, deed) => {
        const who = deed.isNew
          ? world.stranger({ language })
          : world.customer({ language, balance: '1000' }).isAtMenu();
        await who;
        await deed.before?.(who);
        await who.dials();
        await world.rests();
        const count = await entriesOf(deed, who, world);
        const row = ROWS.get(name);
        expect(count).toBe(Number(row?.[language]));
        expect(count > Number(language === 'fr' ? row?.aim : row?.aimAr)).toBe(deed.isAbove === true);
      },
    );
  });

  test('the table has no other rows', () => {
    expect([...ROWS.keys()]).toEqual(Object.keys(DEEDS));
  });
});
