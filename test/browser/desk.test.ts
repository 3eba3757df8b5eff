import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wasl } from '../../src/program.ts';
import { createPerson } from '../channels/cloud-api/person.ts';
import { buttonsOf, textOf } from '../channels/cloud-api/rules.ts';
import { type CloudApi, startCloudApi } from '../channels/cloud-api/server.ts';
import { freePort } from '../kit/free-port.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { startWasl } from '../kit/start-wasl.ts';
import { agentIn } from './console-pages.ts';
import { atPhone, type Comer, inTelegram, inWebChat } from './morning-customers.ts';
import { theBrowser } from './pages.ts';

const browser = await theBrowser();
const directory = newDirectory('desk');
const CUSTOMERS = 20;
let api: CloudApi;
let wasl: Wasl;
let agent: Awaited<ReturnType<typeof agentIn>>;

beforeAll(async () => {
  api = await startCloudApi();
  const port = await freePort();
  wasl = await startWasl({
    ...{ PORT: String(port), SANDBOX_PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'error' },
    WHATSAPP_TOKEN: api.settings.token,
    WHATSAPP_PHONE_ID: api.settings.phoneId,
    WHATSAPP_APP_SECRET: api.settings.appSecret,
    WHATSAPP_VERIFY_TOKEN: 'a token that sets the webhook up',
    WHATSAPP_API_ROOT: api.settings.apiRoot,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  });
  api.hook.url = `${wasl.url}/whatsapp/webhook`;
  agent = await agentIn(browser, wasl.url, { width: 1440 });
  await agent.page.goto(wasl.supportUrl ?? '');
  await agent.page.locator('#list').waitFor();
});
afterAll(async () => {
  await agent.context.close();
  await wasl.close();
  await api.close();
  await rm(directory, { recursive: true });
});

/** In WhatsApp, as its API brings them. */
function inWhatsApp(): Comer {
  const person = createPerson({ api, inbox: { rests: async () => {} } as never });
  const read = () =>
    person
      .chat()
      .map(({ shown }) => [textOf(shown), ...buttonsOf(shown).map(({ title }) => title)].join('\n'));
  const says = async (text: string, answer: RegExp) => {
    await person.says(text);
    await expect.poll(() => read().at(-1)).toMatch(answer);
  };
  return {
    name: `whatsapp ${person.id}`,
    async asks() {
      await says('Hello', /English/);
      await says('English', /mobile number/);
      await says('help', /Adviser or complaint/);
      await says('Adviser or complaint', /happened/);
      await says('Skip', /noted/);
    },
    says: (text) => person.says(text),
    reads: async () => read().join('\n'),
  };
}

/** Every press of an agent, counted: a key with the keys that are held, or a click. What is typed into a field costs nothing. */
function counting(page: Page) {
  let presses = 0;
  return {
    async press(...keys: readonly string[]) {
      for (const key of keys) {
        presses++;
        await page.keyboard.press(key);
      }
    },
    async click(selector: string) {
      presses++;
      await page.locator(selector).first().click();
    },
    type: (text: string) => page.keyboard.type(text),
    /** The presses since it was asked last. */
    cost() {
      const count = presses;
      presses = 0;
      return count;
    },
  };
}

/** What each deed costs, as the guide says it: keys and clicks. */
function costsInTheGuide(): Readonly<Record<string, readonly [keys: number, clicks: number]>> {
  const guide = readFileSync(new URL('../../docs/operator/console.md', import.meta.url), 'utf8');
  const rows = guide.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \| [^|]+ \|$/gm);
  return Object.fromEntries(
    [...rows].map(([, deed = '', keys, clicks]) => [deed, [Number(keys), Number(clicks)]]),
  );
}

test('a morning with 20 customers on all channels, by keyboard: two presses each, and one answer for each', {
  timeout: 600_000,
}, async () => {
  const comers: readonly Comer[] = [
    ...(['1', '2', '3'] as const).map((i) => atPhone(wasl.url, `+21260000000${i}`, i)),
    ...Array.from({ length: 8 }, (_, i) => inWebChat(wasl.url, (['fr', 'en', 'ar'] as const)[i % 3] ?? 'fr')),
    ...[1, 2, 3, 4, 5].map((i) =>
      inTelegram(wasl.url, `+21260000000${i}`, 'en', ['Adviser or complaint', 'Skip']),
    ),
    ...Array.from({ length: 4 }, inWhatsApp),
  ];
  for (const each of comers) await each.asks();
  const { page } = agent;
  const { press, type, cost } = counting(page);
  await press('g', 'i');
  // It opens where there is work.
  const tabs = () => page.locator('.tabs').first().textContent();
  await expect.poll(tabs).toMatch(new RegExp(`Unassigned\\s+${CUSTOMERS}`));
  await press('j', 'o');
  await page.locator('.composer').waitFor();
  cost();
  for (let turn = 1; turn <= CUSTOMERS; turn++) {
    await page.waitForLoadState();
    const here = page.url();
    await press('o');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('words');
    const field = await page.locator('#words').boundingBox();
    expect((field?.y ?? 0) + (field?.height ?? 0), 'the answer field is in sight').toBeLessThan(860);
    await type(`Answer ${turn} from here.`);
    await press('Control+Shift+Enter');
    // The next one opens, or the empty inbox.
    await page.waitForURL((url) => url.href !== here);
    await page.locator(turn < CUSTOMERS ? '.composer' : '.at-list').waitFor();
  }
  expect(cost(), 'a step in and an answer').toBe(2 * CUSTOMERS);
  await page.locator('.tabs a', { hasText: 'All 0' }).waitFor();
  const answers = async () => {
    const texts = await Promise.all(comers.map((each) => each.reads()));
    return texts.map((text) => new Set(text.match(/Answer \d+ from here/g)).size);
  };
  await expect.poll(answers, { message: 'each has read one adviser' }).toEqual(comers.map(() => 1));
  expect(agent.troubles).toEqual([]);
});

/** The deeds of the guide's table, by keys and by clicks. Each begins where the one before it has ended. */
const DEEDS: readonly (readonly [
  deed: string,
  keys: (does: ReturnType<typeof counting>) => Promise<unknown>,
  clicks: (does: ReturnType<typeof counting>) => Promise<unknown>,
  until: string,
])[] = [
  ['take the next case', (a) => a.press('n'), (a) => a.click('#next button'), '.composer'],
  [
    'step into the conversation',
    (a) => a.press('o'),
    (a) => a.click('form[action$="/take-over"] button'),
    '#words',
  ],
  [
    'answer',
    async (a) => {
      await a.type('One moment.');
      await a.press('Control+Enter');
    },
    async (a) => {
      await a.type('One moment.');
      await a.click('form.write button.main');
    },
    '.bubble.agent',
  ],
  [
    'write a note',
    async (a) => {
      await a.press('Escape', 'm');
      await a.type('Called back.');
      await a.press('Control+Enter');
    },
    async (a) => {
      await a.click('.case-bar [data-key="m"] summary');
      await a.click('.case-bar [data-key="m"] textarea');
      await a.type('Called back.');
      await a.click('.case-bar [data-key="m"] button');
    },
    '.case-bar .notes',
  ],
  [
    'snooze for an hour',
    (a) => a.press('z', 'Control+Enter'),
    async (a) => {
      await a.click('.case-bar [data-key="z"] summary');
      await a.click('.case-bar [data-key="z"] button');
    },
    '.case-bar .badge time',
  ],
  [
    'answer, close, and see the next case',
    async (a) => {
      await a.press('t');
      await a.type('All is well now.');
      await a.press('Control+Shift+Enter');
    },
    async (a) => {
      await a.click('#words');
      await a.type('All is well now.');
      await a.click('form.write [name="last"]');
    },
    // On the page of the next case: the one before can be taken over again, too.
    '#flash:has-text("Case closed")',
  ],
  [
    'open the case below',
    (a) => a.press('j', 'o'),
    (a) => a.click('.case:has([aria-current]) + .case'),
    '.case:nth-child(2) [aria-current]',
  ],
  [
    'find a customer by number',
    async (a) => {
      await a.press('/');
      await a.type('0600000001');
      await a.press('Enter');
    },
    async (a) => {
      await a.click('#q');
      await a.type('0600000001');
      await a.press('Enter');
    },
    '#h-timeline',
  ],
];

test.each([
  ['keys', 0],
  ['clicks', 1],
] as const)('each deed costs as many %s as the guide says', { timeout: 300_000 }, async (_, way) => {
  for (const language of ['fr', 'en', 'ar', 'fr'] as const) await inWebChat(wasl.url, language).asks();
  await atPhone(wasl.url, '+212600000001', '3').comes();
  await agent.goes('/support/inbox?show=unassigned');
  await agent.page.locator('.case').nth(3).waitFor();
  const does = counting(agent.page);
  const costs: Record<string, number> = {};
  for (const [deed, keys, clicks, until] of DEEDS) {
    await agent.page.waitForLoadState();
    await (way === 0 ? keys : clicks)(does);
    await agent.page.locator(until).first().waitFor({ state: 'attached' });
    costs[deed] = does.cost();
  }
  const guide = Object.entries(costsInTheGuide()).map(([deed, each]) => [deed, each[way]]);
  expect(costs).toEqual(Object.fromEntries(guide));
  // For the other way of doing it.
  for (const id of await agent.page.locator('.case code').allTextContents()) {
    await agent.goes(`/support/cases/${id}`);
    await agent.page.keyboard.press('e');
    await agent.page.keyboard.type('done');
    await agent.page.keyboard.press('Control+Enter');
    await agent.page.waitForURL(/said=/);
  }
  expect(agent.troubles).toEqual([]);
});

test('on a phone an agent sees why an answer was refused, and that a customer’s profile did not come', {
  timeout: 200_000,
}, async () => {
  const { page } = agent;
  const caller = atPhone(wasl.url, '+212600000002', '3');
  await caller.asks();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.route('**/pane', (route) => route.fulfill({ status: 503, body: '' }));
  await agent.opens('02');
  await page.goto(`${page.url()}#person`);
  await page.getByText('could not be loaded').waitFor();
  // Only the pane moves, and the menu stays.
  expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
  await page.goto(page.url().replace(/#.*/, '#work'));
  await agent.presses('Step in');
  await agent.writes('see https://elsewhere.example');
  const refused = page.getByText('Nothing was sent');
  await refused.waitFor();
  const box = await refused.boundingBox();
  expect(box && box.y >= 0 && box.y + box.height <= 844, JSON.stringify(box)).toBe(true);
  await page.unroute('**/pane');
  await page.setViewportSize({ width: 1440, height: 860 });
  // Each failed piece is an error on the browser's console.
  expect(agent.troubles.splice(0).every((each) => each.includes('503'))).toBe(true);
});
