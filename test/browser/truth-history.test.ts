import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { report } from '../battery/town/oracle.ts';
import { randomOf } from '../battery/town/random.ts';
import { type Bubble, falseInHistory, troublesIn } from '../battery/truth-history.ts';
import { chatPage } from './pages.ts';
import { theStage } from './stage.ts';

const FATIMA = '0600000001';
const YOUSSEF = '0600000002';
const STEPS = process.env.LONG === '1' ? 100 : 20;
const SEEDS = process.env.LONG === '1' ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : [11, 12, 13];
/** A customer's texts in each language. Each seed is played in the next one. */
const SPEAKERS = [
  {
    locale: 'en-GB',
    balance: 'balance',
    help: 'help',
    goOn: 'Continue',
    leave: 'Go to the menu',
    back: 'Back',
  },
  {
    locale: 'fr-MA',
    balance: 'solde',
    help: 'aide',
    goOn: 'Continuer',
    leave: 'Aller au menu',
    back: 'Retour',
  },
  {
    locale: 'ar-MA',
    balance: 'رصيد',
    help: 'مساعدة',
    goOn: 'متابعة',
    leave: 'الذهاب إلى القائمة',
    back: 'رجوع',
  },
] as const;
const GOES_ON = /Vous continuez|You are going on|تتابعون/;
const DEBIT = 2;

// Before Wasl starts: it takes its clock along.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now(), shouldAdvanceTime: true }));
afterEach(() => void vi.useRealTimers());
const stage = theStage();

/** The texts of a page, from the top. */
function shown(page: Page): Promise<Bubble[]> {
  return page
    .locator('#log .bubble')
    .evaluateAll((items) =>
      (items as unknown as { textContent: string; className: string }[]).map(
        ({ textContent, className }) => ({ text: textContent, isMine: className.includes('mine') }),
      ),
    );
}

/** A chat of Fatima's in a browser of its own, with as many tabs. */
async function chatOf(tabs: number, locale: string) {
  const first = await stage.page({ locale, width: 390, height: 844 });
  const chat = chatPage(first, stage.wasl.url);
  // Each code comes in a minute of its own.
  vi.setSystemTime(Date.now() + 61_000);
  await chat.opens();
  const inbox = async () => {
    const sms = await (await fetch(`${stage.wasl.url}/simulator/inbox?phone=${FATIMA}`)).text();
    return sms.match(/\d{3}-\d{3}/g) ?? [];
  };
  const before = (await inbox()).length;
  await chat.writes(FATIMA);
  await expect.poll(async () => (await inbox()).length).toBeGreaterThan(before);
  await chat.writes((await inbox()).at(-1) ?? '');
  await first.locator('#answer[type="password"]').waitFor();
  await chat.writes('1234');
  await first.locator('#answer:not([type="password"])').waitFor();
  const pages = [first];
  while (pages.length < tabs) {
    const tab = await first.context().newPage();
    await chatPage(tab, stage.wasl.url).opens();
    pages.push(tab);
  }
  return pages;
}

test.each(SEEDS)('T10: the chats of a wallet are true after reloads, seed %d', async (seed) => {
  const random = randomOf(seed);
  const { locale, balance, help, goOn, leave, back } = SPEAKERS[seed % SPEAKERS.length] ?? SPEAKERS[0];
  const before = await stage.ledger(FATIMA);
  const pages = [...(await chatOf(2, locale)), ...(await chatOf(1, locale))];
  const figures = { steps: 0, reloads: 0, bubbles: 0, wentOn: 0 };
  const lies: string[] = [];
  const does = {
    writes: async (page: Page, text: string) => {
      const chat = chatPage(page, stage.wasl.url);
      await chat.writes(text);
      await chat.isIdle();
      // A reload may take away what an answer has said.
      lies.push(...troublesIn((await shown(page)).slice(-1)));
    },
    reloads: async (page: Page) => {
      const stood = await shown(page);
      await page.reload();
      await chatPage(page, stage.wasl.url).isIdle();
      figures.reloads += 1;
      const { operations } = await stage.ledger(FATIMA);
      const since = operations.slice(before.operations.length);
      const ledger = since.map(({ id, direction, total }) => ({
        id,
        change: direction === DEBIT ? -total : total,
      }));
      const bubbles = await shown(page);
      figures.bubbles += bubbles.length;
      figures.wentOn += bubbles.filter(({ text }) => GOES_ON.test(text)).length;
      lies.push(...falseInHistory(bubbles, { opening: before.balance, operations: ledger }, stood));
    },
  };
  const other = (page: Page) => random.pick(pages.filter((each) => each.context() !== page.context()));
  const acts: readonly ((page: Page) => Promise<void>)[] = [
    // A paying customer types the PIN next, on any channel.
    async (page) => {
      await does.writes(page, `/transfer ${YOUSSEF} ${random.between(10, 30)}`);
      await does.writes(page, '1234');
    },
    () => stage.sends(random.between(10, 30), YOUSSEF, FATIMA),
    async (page) => {
      for (const text of ['menu', 'menu', balance, '1234']) await does.writes(page, text);
      if (random.chance(0.5)) await stage.sends(random.between(10, 30), YOUSSEF, FATIMA);
      await does.reloads(random.pick(pages));
      await does.reloads(page);
    },
    // A customer who leaves a question finds it again in another chat, and answers the one that is left.
    async (page) => {
      for (const text of ['menu', 'menu', `/transfer ${YOUSSEF}`]) await does.writes(page, text);
      vi.setSystemTime(Date.now() + 2 * 60_000);
      const there = other(page);
      const wish = random.chance(0.6) ? goOn : random.pick(['menu', '/menu', leave, '15']);
      for (const text of ['/menu', wish]) await does.writes(there, text);
      await does.writes(page, random.pick(['15', back, '1234']));
    },
    (page) => does.writes(page, random.pick(['25', help, '1234', 'menu'])),
    (page) => does.reloads(page),
  ];
  for (; figures.steps < STEPS && lies.length === 0; figures.steps++)
    await random.pick(acts)(random.pick(pages));
  for (const page of pages) await does.reloads(page);
  const { operations } = await stage.ledger(FATIMA);
  const moved = operations.length - before.operations.length;
  report(`T10 the history, seed ${seed}, ${locale}`, { ...figures, moved, false: lies.length });
  expect(lies).toEqual([]);
});
