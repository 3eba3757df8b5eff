import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { LANGUAGES, type Reply } from '../../src/conversation/incoming.ts';
import { typedChoice } from '../../src/conversation/session/choice.ts';
import { readText } from '../kit/tree.ts';
import { type Customer, PIN, theWorld, type World } from '../kit/world.ts';
import { agentAtMenu, referenceOf } from './agent-orders.ts';
import { KARIM } from './bank-orders.ts';
import { issue } from './card-issuing.ts';
import { paidBy } from './merchant-orders.ts';

/** The customer at their menu, and their inputs from there. */
interface Doing {
  readonly who: Customer;
  readonly entries: readonly string[];
}
/** The inputs from the menu on. A digit is a choice of the menus. */
type Entries = readonly string[];
/** A deed: what is typed, or how there comes to be what it is done with, and where it leads. */
type Deed = readonly [
  deed: string,
  entries: Entries | ((world: World, own: () => Customer) => Promise<Doing>),
  ends: RegExp,
];

const SHOP = '0600000011';
/** A merchant at the menu. */
/** In French, as each customer here: in Arabic an entry of the menu can stand on its next page. */
const shopOf = (world: World) =>
  world.customer({ language: 'fr', walletType: 'C', balance: '10' }).isAtMenu();
const DEEDS: readonly Deed[] = [
  ['send money', ['1', '0655000000', '100', PIN], /^transfer\.(?:processing|done)/],
  ['send money to a bank', ['1', KARIM, 'Karim', '40', PIN], /^bank-transfer\./],
  ['balance', ['2', PIN], /^balance\.shown/],
  ['statement', ['6', PIN], /^statement\./],
  ['top up a phone', ['3', '1', '1', '50', '1', PIN], /^top-up\.(?:processing|done)/],
  ['pay a bill', ['4', '3', '1', '4711001', PIN], /^bill-payment\.(?:processing|done)/],
  ['pay a merchant', ['8', '1', SHOP, '45', PIN], /^merchant-payment\./],
  ['buy a voucher', ['8', '2', '1', '1', PIN], /^voucher\.done/],
  [
    'see its code again',
    async (_, own) => {
      const who = own();
      for (const each of ['8', '2', '1', '1']) await who.says(each);
      await who.enters().sees('voucher.done');
      return { who, entries: ['8', '5', PIN, '1'] };
    },
    /^voucher-codes\.shown/,
  ],
  ['deposit cash', ['5', '1', '300', '1'], /^cash-in\.shown/],
  ['withdraw cash', ['5', '3', '200', PIN], /^cash-out\.shown/],
  [
    'see a reference again',
    async (_, own) => {
      const who = own();
      for (const each of ['5', '3', '200']) await who.says(each);
      await who.enters().sees('cash-out.shown');
      return { who, entries: ['5', '4', '1', '1', PIN] };
    },
    /^cash-out\.shown/,
  ],
  ['deposit by card', ['5', '2', '100', PIN], /^card-cash-in\.askCard/],
  ['order a card', ['8', '4', '1', PIN], /^card-order\.applied/],
  [
    'stop a lost card',
    async (world, own) => {
      const who = own();
      await who;
      await issue(world, who);
      return { who, entries: ['9', '2', '1'] };
    },
    /^lost-card\.suspended/,
  ],
  ['freeze all payments', ['9', '1', '1'], /^freeze\.frozen/],
  [
    'agent takes a deposit',
    async (world) => {
      const { agent } = await agentAtMenu(world);
      return { who: agent, entries: ['1', world.customer().phone, '150', PIN] };
    },
    /^agent-cash-in\.done/,
  ],
  [
    'agent pays out',
    async (world) => {
      const { agent } = await agentAtMenu(world);
      const reference = await referenceOf(world, 'cash-out', world.customer({ balance: '500' }).phone, 100);
      return { who: agent, entries: ['2', reference, PIN] };
    },
    /^agent-cash-out\.done/,
  ],
  [
    'agent checks a reference',
    async (world) => {
      const { agent } = await agentAtMenu(world);
      const reference = await referenceOf(world, 'cash-out', world.customer({ balance: '500' }).phone, 100);
      return { who: agent, entries: ['3', reference] };
    },
    /^agent-check\.withdrawal/,
  ],
  [
    'agent sees the day',
    async (world) => ({ who: (await agentAtMenu(world)).agent, entries: ['6', PIN] }),
    /^agent-day\./,
  ],
  [
    'merchant asks for a payment',
    async (world) => ({ who: shopOf(world), entries: ['1', '45'] }),
    /^receive-payment\.shownFor/,
  ],
  [
    'merchant sees the takings',
    async (world) => ({ who: shopOf(world), entries: ['2', '2', PIN] }),
    /^takings\./,
  ],
  [
    'merchant gives a payment back',
    async (world, own) => {
      const who = shopOf(world);
      // The payment comes when the merchant is there: the next dial tells it.
      await who;
      await paidBy(world, own(), who, '45,50');
      return { who, entries: ['3', '1', '1', PIN] };
    },
    /^merchant-refund\.(?:processing|done)/,
  ],
  [
    'merchant makes a payment link',
    async (world) => ({ who: shopOf(world), entries: ['5', '1', '80', '1'] }),
    /^card-payment\.linkSent/,
  ],
];
/** True where a digit is of a choice on the page, or of none. */
function isShown({ renderer }: World, reply: Reply, digit: string): boolean {
  const choice = typedChoice(digit, reply.screen);
  const place = choice ? (reply.screen.choices?.indexOf(choice) ?? 0) : -1;
  return place < pageOf(renderer, reply).choices;
}
/** The pages of a reply up to its question, or its last choice: details stand behind. */
function pagesToRead({ renderer }: World, reply: Reply): number {
  const { pages } = pageOf(renderer, { ...reply, page: 0 });
  const all = Array.from({ length: pages }, (_, page) => pageOf(renderer, { ...reply, page }));
  const choices = reply.screen.expects === 'pin' ? 0 : (all.at(-1)?.choices ?? 0);
  return all.findIndex((page) => page.asked && page.choices >= choices) + 1;
}
/** The rows of the table "A deed": entries, pages in French and Arabic, and calls to the wallet, now. */
const ROWS = new Map(
  [
    ...readText('docs/contributor/screen-figures.md').matchAll(
      /^\| ([a-z ]+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| [^|]+ \|$/gm,
    ),
  ].map(([, deed = '', ...now]) => [deed, now.map(Number)]),
);

/** An Arabic page has 70 characters, a French one 160. Names of others cannot be written shorter. */
const LONGER_IN_ARABIC: Readonly<Record<string, string>> = {
  'top up a phone': 'five passes of the operator have long names',
  'pay a bill': 'fifteen billers, and the fields and items of a biller',
  'see its code again': 'the same purchase is told again',
  'deposit cash': 'a reference says its use, its validity and that an SMS brings it',
  'order a card': 'the names of three cards',
};

describe('the cost of each task on USSD', () => {
  const world = theWorld({ form: true });
  const own = () => world.customer({ language: 'fr', balance: '1000' }).isAtMenu();

  test.each(DEEDS)(
    '%s: as many entries, pages and calls as docs/contributor/screen-figures.md says',
    async (deed, typed, ends) => {
      const { who, entries } =
        typeof typed === 'function' ? await typed(world, own) : { who: own(), entries: typed };
      await who.dials();
      await world.rests();
      expect(who.reply().screen.key).toMatch(/^menu\./);
      const before = world.wallet.calls(who.phone).length;
      const pages = new Map(LANGUAGES.map((language) => [language, 0]));
      const turns = async () => {
        for (const language of LANGUAGES) {
          pages.set(language, (pages.get(language) ?? 0) + pagesToRead(world, { ...who.reply(), language }));
        }
      };
      await turns();
      let count = 0;
      for (const entry of entries) {
        // A digit answers what was shown: the page is turned to it first.
        for (; !isShown(world, who.reply(), entry); count++) await who.says('98');
        count += 1;
        await (entry === PIN ? who.enters() : who.says(entry));
        await turns();
      }
      expect(who.reply().screen.key).toMatch(ends);
      // Messages beside the answer count too, such as the outcome of a payment.
      await world.rests();
      const calls = world.wallet.calls(who.phone).length - before;
      const [typedNow, fr, ar, most = 0] = ROWS.get(deed) ?? [];
      expect([count, pages.get('fr'), pages.get('ar')]).toEqual([typedNow, fr, ar]);
      // A webhook that is faster than the answer saves a read.
      expect([most - 1, most]).toContain(calls);
    },
  );

  test('a deed takes no more pages in Arabic than in French, but for these', () => {
    const longer = [...ROWS].filter(([, [, fr = 0, ar = 0]]) => ar > fr);
    expect(longer.map(([deed]) => deed)).toEqual(Object.keys(LONGER_IN_ARABIC));
  });

  test('the table has no other rows', () => {
    expect([...ROWS.keys()]).toEqual(DEEDS.map(([deed]) => deed));
  });
});
