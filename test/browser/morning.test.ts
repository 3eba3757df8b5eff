import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Wasl } from '../../src/program.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { startWasl } from '../kit/start-wasl.ts';
import { agentIn, invites } from './console-pages.ts';
import { atPhone, type Comer, inTelegram, inWebChat } from './morning-customers.ts';
import { theBrowser } from './pages.ts';

const browser = await theBrowser();
const directory = newDirectory('morning');
let wasl: Wasl;
type Agent = Awaited<ReturnType<typeof agentIn>>;
const agents: Agent[] = [];

beforeAll(async () => {
  wasl = await startWasl({ PORT: '0', SANDBOX_PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'error' });
});
afterAll(async () => {
  await wasl.close();
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

/** The acts of an agent with the keyboard alone, on any page of the console. */
function atKeys({ page, hears }: Agent) {
  const { keyboard } = page;
  const focused = () => page.evaluate<string>('document.activeElement.id');
  const keys = {
    /** `n` takes the case that is due first. Gives its id, or undefined without a case. */
    async takesNext() {
      await Promise.all([page.waitForEvent('load'), keyboard.press('n')]);
      await page.locator('.case-bar, #flash .note').first().waitFor();
      const bar = page.locator('.case-bar code').first();
      return (await bar.count()) > 0 ? ((await bar.textContent()) ?? undefined) : undefined;
    },
    /** `o` takes the conversation over: the field is in sight and has the keys. */
    async takesOver() {
      await keyboard.press('o');
      await page.locator('#words').waitFor();
      await expect.poll(focused).toBe('words');
    },
    async writes(text: string) {
      await keyboard.type(text);
      await keyboard.press('Control+Enter');
      await hears(text);
    },
    /** Goes to a control by its name, and presses it. */
    async presses(selector: string) {
      await page.locator(selector).first().focus();
      await keyboard.press('Enter');
    },
    /** `m` writes a note into the case, for other agents. */
    async notes(text: string) {
      await keyboard.press('Escape');
      await keyboard.press('m');
      await keyboard.type(text);
      await keyboard.press('Control+Enter');
      await page.locator('.case-bar .notes', { hasText: text }).waitFor();
    },
    /** `z` snoozes the case for the first choice. Escape and `z` again would leave it alone. */
    async snoozes() {
      await keyboard.press('Escape');
      await keyboard.press('z');
      await keyboard.press('Control+Enter');
      await page.locator('.case-bar .badge time').waitFor();
    },
    /** Gives the conversation back to the bot, and closes the case with a sentence. */
    async ends(note: string) {
      await keyboard.press('Escape');
      await keys.presses('form[action$="/hand-back"] button');
      await page.locator('form[action$="/take-over"]').waitFor();
      await keys.presses('.case-bar details[data-key="e"] summary');
      await page.locator('.case-bar input[name="note"]').focus();
      await keyboard.type(note);
      // The next case opens, or the inbox.
      await Promise.all([page.waitForURL(/said=done-closeCase/), keyboard.press('Enter')]);
    },
  };
  return keys;
}

/** Keeps what the page would sound and show on the desktop, where nobody looks at it. */
const DESKTOP = `window.told = [];
window.Notification = class {
  static permission = 'granted';
  static requestPermission = async () => 'granted';
  constructor(title, { body }) { told.push(title + ': ' + body); }
};
window.AudioContext = class {
  createOscillator() {
    told.push('sound');
    return { connect: (to) => to, start() {}, stop() {}, addEventListener() {} };
  }
  createGain() { return { gain: {}, connect: (to) => to }; }
};
Object.defineProperty(document, 'hidden', { get: () => true });`;

// It is the longest test in a browser: on a machine that does much else each of its steps waits for the one before.
test('a morning with the keyboard alone: six customers on three channels, two agents and a supervisor', {
  timeout: 600_000,
}, async () => {
  const demo = await agent();
  await demo.page.goto(wasl.supportUrl ?? '');
  await demo.page.locator('#list').waitFor();
  const [nadia, omar] = [await agent({ locale: 'fr-MA' }), await agent()];
  await nadia.setsUp(await invites(demo, 'nadia', 'agent'));
  await omar.setsUp(await invites(demo, 'omar', 'supervisor'));

  // They ask, get stuck, and pay and wait.
  const payer = atPhone(wasl.url, '+212600000001', '3');
  await payer.comes();
  // A number whose operations stay open: there is no outcome this morning.
  expect(await payer.types('1', '0699000117', '20')).toMatch(/PIN/);
  await payer.types('1234');
  const stuck = atPhone(wasl.url, '+212600000003', '1');
  await stuck.comes();
  await stuck.types('1', '0655000000', 'beaucoup', 'zut', 'toujours');
  const comers: readonly Comer[] = [
    atPhone(wasl.url, '+212600000002', '2'),
    inWebChat(wasl.url, 'fr'),
    inWebChat(wasl.url, 'en'),
    inTelegram(wasl.url, '+212600000004', 'ar', ['مستشار أو شكاية', 'تخطي']),
  ];
  for (const each of comers.slice(0, -1)) await each.asks();
  await payer.dials();
  await payer.helped();
  for (const each of [demo, nadia, omar]) await each.goes('/support/inbox?show=unassigned');
  await nadia.page.locator('.cases .case').nth(4).waitFor();

  // An agent who asks for alerts gets a sound and a notification. Other agents read the title.
  await expect.poll(() => nadia.page.title()).toMatch(/^\(5\)/);
  await nadia.page.evaluate(DESKTOP);
  await atKeys(nadia).presses('#alerts');

  await snoozesTwo(omar, async () => {
    await comers.at(-1)?.asks();
    await omar.page.locator('.cases .case').nth(5).waitFor();
    await expect
      .poll(() => nadia.page.evaluate('told'))
      .toEqual(['sound', expect.stringMatching(/^Wasl: Nouveautés\s: 6$/)]);
  });

  await expect.poll(() => nadia.page.title()).toMatch(/^\(6\)/);
  // Two agents who press `n` at the same moment never get the same case.
  const [ofDemo, ofNadia] = [atKeys(demo), atKeys(nadia)];
  const taken = await Promise.all([ofDemo.takesNext(), ofNadia.takesNext()]);
  expect(new Set(taken).size).toBe(2);
  for (const each of [ofDemo, ofNadia]) await each.takesOver();
  // A canned answer is chosen by typing, and comes in the customer's language.
  await nadia.page.keyboard.type('/bon');
  await nadia.page.locator('#canned').waitFor();
  await nadia.page.keyboard.press('Enter');
  expect(await nadia.page.locator('#words').inputValue()).toContain('Nadia');
  await nadia.page.keyboard.press('Control+Enter');
  await nadia.page.locator('.case-bar', { hasText: 'attend le client' }).waitFor();
  // A link that would be lost is refused before it is sent.
  await demo.page.keyboard.type('see https://elsewhere.example');
  await demo.page.keyboard.press('Control+Enter');
  await demo.sees('Nothing was sent');
  await demo.page.keyboard.press('Control+a');
  await ofDemo.writes('I am looking at it.');

  // The supervisor takes the conversation from who has it, and ends it.
  const taking = nadia.page.url();
  await omar.page.goto(taking);
  const ofOmar = atKeys(omar);
  await ofOmar.presses('details.sure:has(form[action$="/take-from"]) summary');
  await ofOmar.presses('form[action$="/take-from"] button');
  await omar.page.locator('#words').focus();
  await ofOmar.writes('Omar takes over from here.');
  await ofOmar.ends('stepped in');

  await omar.page.emulateMedia({ colorScheme: 'dark' });
  for (const each of [nadia, omar]) await looksWell(each);

  // A note in the case is for the next agent. A snoozed case comes back by itself, or at once when an agent resumes it.
  await ofDemo.notes('The bank calls back.');
  await ofDemo.snoozes();
  await ofDemo.presses('form[action$="/go-on"] button');
  await demo.page.locator('.case-bar .badge time').waitFor({ state: 'detached' });
  await ofDemo.ends('answered');
  const answered: string[] = taken.flatMap((each) => each ?? []);
  for (const [turn, keys] of [ofDemo, ofNadia, ofDemo, ofNadia].entries()) {
    const it = await keys.takesNext();
    answered.push(it ?? '');
    await keys.takesOver();
    await keys.writes(`Answer ${turn} from here.`);
    await keys.ends('answered');
  }
  expect(new Set(answered).size, 'nobody was answered twice, and nothing was lost').toBe(6);
  expect(await ofDemo.takesNext(), 'nothing is left').toBeUndefined();
  await demo.goes('/support/inbox?show=all');
  expect(await demo.page.locator('.cases .case').count(), 'every case has ended').toBe(0);

  // Each customer has read the answer of one adviser. At every dial the payer reads that the payment is not confirmed.
  const everybody = [...comers, payer, stuck];
  let texts: readonly string[] = [];
  const answers = async () => {
    texts = await Promise.all(everybody.map((each) => each.reads()));
    return texts.map(
      (text) => new Set(text.match(/Answer \d from here|I am looking at it|Omar takes over/g)).size,
    );
  };
  await expect.poll(answers).toEqual(everybody.map(() => 1));
  expect(texts[4]).toMatch(/20\.00 to 0699000117 is not confirmed yet/);
  // They are asked once how it was, and their answer is in the figures.
  const [byPhone] = comers;
  await byPhone?.says('1');
  await demo.goes('/support/figures');
  await expect
    .poll(async () => {
      await demo.page.reload();
      return demo.page.locator('#h-ratings').locator('xpath=../..').locator('tbody tr').count();
    })
    .toBe(1);
});

/** Snoozes two cases at once by the keyboard, and resumes them. The choice outlives changes of the list meanwhile. */
async function snoozesTwo(omar: Agent, meanwhile: () => Promise<void>): Promise<void> {
  const { keyboard } = omar.page;
  const rows = omar.page.locator('.cases .case');
  for (const key of ['j', 'x', 'j', 'x']) await keyboard.press(key);
  await meanwhile();
  for (const act of ['Snooze', 'Stop waiting']) {
    expect(await omar.page.locator('#chosen').textContent()).toBe('2');
    await keyboard.press('b');
    await keyboard.type(act);
    await keyboard.press('Control+Enter');
    await omar.sees(/Done: .+ \(2\)/);
    if (act === 'Stop waiting') break;
    await expect.poll(() => rows.count()).toBe(4);
    await omar.goes('/support/inbox?show=snoozed');
    for (const key of ['j', 'x', 'j', 'x']) await keyboard.press(key);
  }
}

/** No serious accessibility fault, and nothing out of sight, on a desk and on a phone. */
async function looksWell({ page, goes, faults, hidden }: Agent): Promise<void> {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 860 });
    await goes('/support/inbox?show=all');
    const name = await page.locator('.cases code').first().textContent();
    for (const path of ['/support/inbox?show=all', `/support/cases/${name}`]) {
      await goes(path);
      expect(await faults(), `${path} ${width}`).toEqual([]);
      expect(await hidden(), `${path} ${width}`).toEqual([]);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, `${path} ${width}`).toBeLessThanOrEqual(0);
    }
  }
}
