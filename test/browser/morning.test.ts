import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { start, type Wasl } from '../../src/main.ts';
import { agentIn, invites } from './console-pages.ts';
import { theBrowser } from './pages.ts';

const browser = await theBrowser();
let directory: string;
let wasl: Wasl;
type Agent = Awaited<ReturnType<typeof agentIn>>;
const agents: Agent[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'wasl-morning-'));
  const config = readConfig({ PORT: '0', SANDBOX_PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'error' });
  if ('refused' in config) throw new Error(config.refused);
  wasl = await start(config);
});
afterAll(async () => {
  await wasl.close();
  await rm(directory, { recursive: true });
});
afterEach(async () => {
  const troubles = agents.flatMap((agent) => agent.troubles);
  for (const { context } of agents.splice(0)) await context.close();
  expect(troubles).toEqual([]);
});

async function agent(options?: Parameters<typeof agentIn>[2]): Promise<Agent> {
  const one = await agentIn(browser, wasl.url, options);
  agents.push(one);
  return one;
}

/** A customer at a phone, who has chosen a language and asks for a person. */
async function asksByPhone(phone: string, language: '1' | '2' | '3') {
  const typed: string[] = [];
  const send = async () => {
    const body = new URLSearchParams({
      sessionId: phone,
      phoneNumber: phone,
      serviceCode: '*123#',
      networkCode: '60401',
      text: typed.join('*'),
    });
    return (await fetch(`${wasl.url}/ussd/africastalking`, { method: 'POST', body })).text();
  };
  await send();
  for (const each of [language, '99', '3']) {
    typed.push(each);
    await send();
  }
  return {
    async types(text: string) {
      typed.push(text);
      return send();
    },
  };
}

test('a morning with the keyboard alone: three customers ask in three languages, two agents take them, each once', async () => {
  const demo = await agent();
  await demo.page.goto(wasl.supportUrl ?? '');
  await demo.page.locator('.list').waitFor();
  const nadia = await agent({ locale: 'fr-MA' });
  await nadia.setsUp(await invites(demo, 'nadia', 'agent'));
  const customers = [
    await asksByPhone('+212600000001', '1'),
    await asksByPhone('+212600000002', '2'),
    await asksByPhone('+212600000003', '3'),
  ];

  // From any page, `n` takes the case that is due first: two who press it at once never get the same.
  for (const each of [demo, nadia]) await each.goes('/support/inbox?show=unassigned');
  await nadia.page.locator('.cases tbody tr').nth(2).waitFor();
  await expect.poll(() => nadia.page.title()).toMatch(/^\(3\)/);
  await Promise.all([demo.page.keyboard.press('n'), nadia.page.keyboard.press('n')]);
  const caseOf = async ({ page }: Agent) => {
    await page.locator('.case-bar').waitFor();
    return page.locator('.case-bar code').first().textContent();
  };
  const taken = [await caseOf(demo), await caseOf(nadia)];
  expect(new Set(taken).size).toBe(2);

  // `o` takes the conversation over; the field is in sight and has the keys.
  const focused = ({ page }: Agent) => page.evaluate<string>('document.activeElement.id');
  for (const each of [demo, nadia]) {
    await each.page.keyboard.press('o');
    await each.page.locator('#words').waitFor();
    await expect.poll(() => focused(each)).toBe('words');
    expect(await each.page.locator('#words').isVisible()).toBe(true);
  }
  // A canned answer is chosen by typing, and comes in the customer's language.
  await nadia.page.keyboard.type('/bon');
  await nadia.page.locator('#canned').waitFor();
  await nadia.page.keyboard.press('Enter');
  expect(await nadia.page.locator('#words').inputValue()).toContain('Nadia');
  await nadia.page.keyboard.press('Control+Enter');
  await nadia.page.locator('.transcript .agent').waitFor();
  await expect.poll(() => nadia.page.locator('#words').inputValue()).toBe('');
  await nadia.page.locator('.case-bar', { hasText: 'attend le client' }).waitFor();

  // A link that would be lost is refused before it is sent.
  await demo.page.keyboard.type('see https://elsewhere.example');
  await demo.page.keyboard.press('Control+Enter');
  await demo.sees('Nothing was sent');
  await demo.page.keyboard.press('Control+a');
  await demo.page.keyboard.type('I am looking at it.');
  await demo.page.keyboard.press('Control+Enter');
  await demo.hears('I am looking at it.');

  // The third one is still there for whoever is free, and is everybody's to see.
  await demo.page.keyboard.press('Escape');
  await demo.page.keyboard.press('n');
  await expect.poll(async () => taken.includes(await caseOf(demo))).toBe(false);
  await demo.page.keyboard.press('n');
  await demo.sees('There is no case to take');

  // Each customer has read who is there and was answered by nobody else.
  const read = await Promise.all(customers.map((customer) => customer.types('9')));
  expect(read.filter((text) => /Nadia/.test(text))).toHaveLength(1);

  await nadia.page.locator('.case-bar details.close summary').focus();
  await nadia.page.keyboard.press('Enter');
  await nadia.page.locator('.case-bar input[name="note"]').focus();
  await nadia.page.keyboard.type('Répondu');
  await nadia.page.keyboard.press('Enter');
  await nadia.page.locator('.case-bar').waitFor({ state: 'detached' });
  await nadia.goes('/support/inbox?show=all');
  expect(await nadia.page.locator('.cases tbody tr').count()).toBe(2);
  await demo.goes('/support/me');
  await demo.page.locator('select[name="language"]').selectOption('ar');
  await demo.page.locator('form[action$="/me/language"] button').click();
  await demo.page.emulateMedia({ colorScheme: 'dark' });
  for (const each of [nadia, demo]) await looksWell(each);
});

/** No serious accessibility fault, and nothing out of sight, on a desk and on a phone. */
async function looksWell({ page, goes, faults, hidden }: Agent): Promise<void> {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 860 });
    await goes('/support/inbox?show=all');
    const name = await page.locator('.cases tbody code').first().textContent();
    for (const path of ['/support/inbox?show=all', `/support/cases/${name}`]) {
      await goes(path);
      expect(await faults(), `${path} ${width}`).toEqual([]);
      expect(await hidden(), `${path} ${width}`).toEqual([]);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, `${path} ${width}`).toBeLessThanOrEqual(0);
    }
  }
}
