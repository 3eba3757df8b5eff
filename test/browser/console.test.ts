import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Config } from '../../src/config.ts';
import { start } from '../../src/main.ts';
import type { Wasl } from '../../src/program.ts';
import { BY_ITSELF, ENDPOINTS } from '../../src/support/access/endpoints.ts';
import { ASKS_FROM_500_DH } from '../kit/first-payments.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { configOf } from '../kit/settings.ts';
import { agentIn, invites } from './console-pages.ts';
import { busyDay, isPage, tourOf } from './console-tour.ts';
import { atPhone, inWebChat } from './morning-customers.ts';
import { chatPage, PAGE_MAX_MS, theBrowser } from './pages.ts';

const FATIMA = '+212600000001';
const browser = await theBrowser();
let config: Config;
let wasl: Wasl;
/** Everything that the process has written down. */
let logged: string[] = [];
type Agent = Awaited<ReturnType<typeof agentIn>>;
const agents: Agent[] = [];

beforeEach(async () => {
  config = configOf({
    ...{ PORT: '0', SANDBOX_PORT: '0', DATA_DIR: newDirectory('console'), LOG_LEVEL: 'debug' },
    ...ASKS_FROM_500_DH,
  });
  logged = [];
  wasl = await start(config, { write: (line) => void logged.push(line) });
});

afterEach(async () => {
  const troubles = agents.flatMap((agent) => agent.troubles);
  for (const { context } of agents.splice(0)) await context.close();
  await wasl.close();
  expect(troubles).toEqual([]);
});

async function agent(options?: Parameters<typeof agentIn>[2]): Promise<Agent> {
  const one = await agentIn(browser, wasl.url, options);
  agents.push(one);
  return one;
}

async function admin(options?: Parameters<typeof agentIn>[2]): Promise<Agent> {
  const one = await agent(options);
  await one.page.goto(wasl.supportUrl ?? '');
  await one.page.locator('#list').waitFor();
  return one;
}

/** A picture of one point. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A keypad phone whose owner speaks English. */
function handset(phone: string) {
  return atPhone(wasl.url, phone, '3');
}

test('an agent watches a customer live, steps in, writes and hands back, and no other agent can meanwhile', async () => {
  const demo = await admin();
  const nadia = await agent();
  await nadia.setsUp(await invites(demo, 'nadia', 'agent'));
  const fatima = handset(FATIMA);
  await fatima.comes();

  await nadia.opens('01');
  expect(nadia.page.url(), 'a URL names nobody').not.toContain('600000001');
  await nadia.hears(/1 Send/);
  await fatima.types('1');
  await nadia.hears(/recipient/i);
  await nadia.page.locator('.way [aria-current]', { hasText: 'asking the recipient' }).waitFor();

  await demo.opens('01');
  const takeOver = [await nadia.readiesTakeOver(), await demo.readiesTakeOver()];
  const came = await Promise.all(takeOver.map((send) => send()));
  expect([...came].sort(), 'one of them is told that the other was faster').toEqual([200, 409]);
  const [owner, other] = came[0] === 200 ? [nadia, demo] : [demo, nadia];
  await owner.page.locator('#words').waitFor();
  await other.sees(/is in this conversation/);
  // This is another piece of the page, with a stream of its own.
  await expect.poll(() => other.page.getByRole('button', { name: 'Step in' }).count()).toBe(0);

  await owner.writes('Good morning, I am looking at your transfer.');
  await other.hears('I am looking at your transfer.');
  // Nothing can be pushed to a handset: what she types next shows her who is there.
  expect(await fatima.types('0655000000')).toContain('I am looking at your transfer.');
  expect(await fatima.types('thank you')).toMatch(/passed on/);
  await owner.hears('thank you');
  await owner.writes('Dial again when you can.');
  await other.hears('Dial again when you can.');
  expect(await fatima.dials()).toContain('Dial again when you can.');

  await owner.presses('Hand back');
  await other.hears('Handed back to the automatic service');
  await other.page.getByRole('button', { name: 'Step in' }).waitFor();
  expect(await fatima.types('0600000002')).not.toMatch(/passed on/);

  // Her case is taken from her: she is told, and has read it with a key.
  await fatima.types('00', '9', '3', '1');
  await nadia.goes('/support/inbox?show=unassigned');
  // The recorder brings it.
  await nadia.page.locator('.cases .case').first().waitFor();
  await nadia.page.keyboard.press('n');
  const id = await nadia.page.locator('.case-bar code').first().textContent();
  await demo.goes(`/support/cases/${id}`);
  await demo.page.keyboard.press('a');
  await demo.page.locator('form[action$="/give"] button').click();
  await demo.page.waitForURL(/said=done/);
  await nadia.goes('/support/inbox?show=mentions');
  await nadia.page.locator('.case', { hasText: 'no longer yours' }).waitFor();
  await nadia.page.keyboard.press('j');
  await nadia.page.keyboard.press('d');
  await nadia.page.locator('form.read').first().waitFor({ state: 'detached' });
  expect(await nadia.page.locator('.cases code').first().textContent(), 'it stays in her list').toBe(id);
});

test('a file from the web chat is opened by the customer’s adviser and by nobody else', async () => {
  const demo = await admin();
  const context = await browser.newContext({ locale: 'fr-MA', viewport: { width: 390, height: 844 } });
  const phone = await context.newPage();
  try {
    const chat = chatPage(phone, wasl.url);
    await chat.opens();
    await chat.links(FATIMA);
    await demo.opens('01');
    await (await demo.readiesTakeOver())();
    await chat.sees('a rejoint la conversation');
    const photo = phone.locator('#photo');
    const buffer = await phone.screenshot();
    await photo.setInputFiles({ name: 'ecran.png', mimeType: 'image/png', buffer });
    await chat.sees('Votre fichier est transmis à');
    await photo.setInputFiles({ name: 'a.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') });
    await chat.sees('ni PNG, ni JPEG, ni PDF');
    await chat.writes('Voici ma capture');
    await demo.hears('Voici ma capture');
    await demo.hears('Sent a photo');
    const opening = demo.context.waitForEvent('page');
    await demo.page.locator('.transcript').getByRole('link', { name: 'Open' }).click();
    const shown = await opening;
    const width = 'document.images[0]?.naturalWidth';
    await expect.poll(() => shown.evaluate(width)).toBe(390);
    await demo.goes('/support/audit');
    await demo.page.locator('td', { hasText: "Customer's file opened" }).first().waitFor();
  } finally {
    await context.close();
  }
});

test('a canary PIN and a voucher code reach no page, event stream or log, not even after a reveal', async () => {
  const PIN = '1234';
  const demo = await admin();
  const streamed: string[] = [];
  const cdp = await demo.context.newCDPSession(demo.page);
  await cdp.send('Network.enable');
  cdp.on('Network.eventSourceMessageReceived', ({ data }) => streamed.push(data));

  const fatima = handset(FATIMA);
  await fatima.comes();
  await fatima.types('8');
  await fatima.types('2');
  await demo.opens('01');
  await fatima.types('1');
  await fatima.types('1');
  // For herself: then it is confirmed, and the PIN is asked for.
  let shown = await fatima.types('1');
  for (let i = 0; i < 4 && !/PIN/.test(shown); i++) shown = await fatima.types('1');
  expect(shown).toMatch(/PIN/);
  await fatima.types(PIN);
  await demo.hears('PIN entered');
  await demo.page.locator('.payment').first().waitFor();
  const code = await codeFor(FATIMA);

  const reveal = demo.page.locator('details', { hasText: 'Reveal masked data' });
  await reveal.locator('summary').click();
  await reveal.locator('textarea[name="why"]').fill('the customer called about the voucher');
  await demo.presses('Show the data');
  await demo.sees('+212 600 00 00 01');
  for (const path of ['/support', '/support/today', '/support/audit']) await demo.goes(path);

  const everything = [...demo.received, ...streamed, ...logged].join('\n');
  expect(logged.length).toBeGreaterThan(3);
  expect(streamed.length).toBeGreaterThan(3);
  expect(everything).toContain('PIN entered');
  expect(everything).not.toMatch(new RegExp(`(?<![\\w.:/-])${PIN}(?![\\w.:/-])`));
  expect(everything).not.toContain(code);
});

/** The voucher's code, from the SMS that brings it. */
async function codeFor(phone: string): Promise<string> {
  const url = `${wasl.url}/simulator/inbox?phone=${encodeURIComponent(phone)}`;
  return vi.waitFor(
    async () => {
      const code = /code ([A-Z0-9-]{8,})\./.exec(await (await fetch(url)).text())?.[1];
      if (!code) throw new Error('no SMS yet');
      return code;
    },
    { interval: 300, timeout: PAGE_MAX_MS },
  );
}

const WIDTHS = [1280, 390] as const;
const THEMES = ['light', 'dark'] as const;

/**
 * Each page has two of the four looks, which share neither theme nor width. The next page and the next language have
 * the other two.
 */
function looksOf(turn: number) {
  return WIDTHS.map((width, i) => ({ width, theme: THEMES[(i + turn) % 2] as (typeof THEMES)[number] }));
}

test.each([
  ['fr', 0],
  ['ar', 1],
  ['en', 0],
] as const)(
  'no page has a serious accessibility fault in either theme, nor is wider than its window, wide or narrow: %s',
  async (language, first) => {
    await busyDay(wasl, config);
    const someone = await admin({ locale: `${language}-MA`, colorScheme: THEMES[first] });
    await someone.goes('/support/me');
    await someone.page.locator('select[name="language"]').selectOption(language);
    await someone.page.locator('form[action$="/me/language"] button').click();
    const tour = tourOf(someone, language);
    const asked = someone.asksByItself();
    expect(Object.keys(tour).sort(), 'every page is looked at').toEqual(
      Object.keys(ENDPOINTS).filter(isPage).sort(),
    );
    for (const [i, [name, visits]] of Object.entries(tour).entries()) {
      await visits();
      expect(await someone.page.locator('html').getAttribute('lang'), name).toBe(language);
      for (const { width, theme } of looksOf(i + first)) {
        await someone.page.setViewportSize({ width, height: 860 });
        await someone.page.emulateMedia({ colorScheme: theme });
        // Colours of buttons pass from one theme to the other.
        await someone.page.evaluate(
          'new Promise(requestAnimationFrame).then(() => Promise.allSettled(document.getAnimations().map((each) => each.finished)))',
        );
        const look = `${name}, ${theme}, ${width} px`;
        expect(await someone.faults(), look).toEqual([]);
        expect(await someone.hidden(), look).toEqual([]);
        const overflow = await someone.page.evaluate<number>(
          'document.documentElement.scrollWidth - innerWidth',
        );
        expect(overflow, look).toBeLessThanOrEqual(0);
      }
      await someone.page.setViewportSize({ width: 1280, height: 860 });
    }
    const byItself = [...BY_ITSELF].map((each) => new RegExp(`^${each.replace(/:\w+/g, '[^/]+')}$`));
    const unknown = asked().filter((each) => !byItself.some((pattern) => pattern.test(each)));
    expect(unknown, 'nobody stays signed in by it').toEqual([]);
  },
);

test('with the keyboard alone: skip to the content, find a customer, take over, write', async () => {
  const fatima = handset(FATIMA);
  await fatima.comes();
  const demo = await admin();
  const { keyboard } = demo.page;
  await keyboard.press('Tab');
  expect(await demo.page.evaluate('document.activeElement.className')).toBe('skip');
  await keyboard.press('Enter');
  // The browser moves the focus there when it gets to it, and would take it away from what is pressed before.
  await demo.page.waitForURL(({ hash }) => hash !== '');
  await keyboard.press('/');
  await keyboard.type('0600000001');
  await keyboard.press('Enter');
  await demo.page.locator('form[action$="/note"]').waitFor();
  const focused = () =>
    demo.page.evaluate<string>(
      'document.activeElement.matches("button, .queue a") ? document.activeElement.textContent : ""',
    );
  for (let i = 0; i < 40 && !(await focused()).includes('USSD'); i++) await keyboard.press('Tab');
  await keyboard.press('Enter');
  await demo.page.locator('form[action$="/take-over"]').waitFor();
  // The shortcuts are there once the page's scripts have run.
  await demo.page.waitForLoadState();
  for (let i = 0; i < 40 && !(await focused()).includes('Step in'); i++) await keyboard.press('Tab');
  await keyboard.press('Enter');
  await demo.page.locator('#words').waitFor();
  await keyboard.press('t');
  await keyboard.type('Typed without ');
  // As when the connection comes back: the server sends the piece again, and it is put anew.
  await demo.page.evaluate(`{
    const piece = document.querySelector('.step-in');
    const data = piece.innerHTML.replace(/<textarea[^]*?<\\/textarea>/, (words) => words + '<!-- again -->');
    htmx.trigger(piece, 'htmx:sseBeforeMessage', { elt: piece, data });
    piece.innerHTML = data;
    htmx.process(piece);
    htmx.trigger(piece, 'htmx:sseMessage', {});
  }`);
  await keyboard.type('a mouse');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await demo.hears('Typed without a mouse');
  await demo.page.locator('h1').click();
  await keyboard.press('g');
  await keyboard.press('l');
  await demo.page.locator('.list').waitFor();
});

test('the menu is whole in the longest language, and a phone shows the newest words above the answer field', async () => {
  await handset(FATIMA).asks();
  const demo = await admin({ locale: 'fr-MA', width: 1440 });
  const { page } = demo;
  const cut = `[...document.querySelectorAll('.bar nav')].filter((nav) => nav.scrollWidth > nav.clientWidth).length`;
  expect(await page.evaluate(cut)).toBe(0);
  expect((await page.locator('.bar').boundingBox())?.height, 'it is one line').toBeLessThan(60);
  await demo.presses('Plus');
  await page.getByRole('link', { name: "Journal d'audit" }).click();
  await page.waitForURL(/audit$/);
  await page.locator('.more > [aria-current]').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await demo.opens('01');
  const inSight = `(() => {
    const words = document.querySelector('.transcript').lastElementChild.getBoundingClientRect();
    return words.top > 0 && words.bottom <= document.querySelector('.composer').getBoundingClientRect().top;
  })()`;
  await expect.poll(() => page.evaluate(inSight)).toBe(true);
});

test('a draft outlives a reload, but not a sent message or a sign-out, and a replaced piece works at once', async () => {
  await handset(FATIMA).asks();
  const demo = await admin();
  const { page } = demo;
  const link = await invites(demo, 'nadia', 'agent');
  await demo.opens('01');
  await demo.presses('Step in');
  const [words, note] = [page.locator('#words'), page.locator('.case-bar [data-key="m"] textarea')];
  const changes = async (act: string) => {
    const id = await page.locator('.case-bar code').first().textContent();
    const csrf = (await page.locator('input[name="csrf"]').first().getAttribute('value')) ?? '';
    const headers = { origin: wasl.url };
    await page.request.post(`${wasl.url}/support/cases/${id}/${act}`, { form: { csrf }, headers });
  };
  await words.fill('Is it 12 34, or B7KM2Q9P?');
  await page.keyboard.press('Escape');
  await page.keyboard.press('m');
  await page.keyboard.type('Ask @de');
  await page.locator('#names').waitFor();
  // Another agent changes the case, and its bar is replaced. The offered answers, the words and the cursor stay.
  await changes('urgent');
  await page.locator('.case-bar .badge.bad').waitFor();
  expect(await page.locator('#names [aria-selected="true"]').isVisible()).toBe(true);
  await page.keyboard.press('Enter');
  await page.keyboard.type('to call.');
  await page.reload();
  expect(await words.inputValue()).toBe('Is it ••••, or ••••?');
  expect(await note.inputValue()).toBe('Ask @demo to call.');
  const kept = () => page.evaluate<string>("localStorage.getItem('wasl-drafts') ?? ''");
  // Not in all that is kept: the moment is in it, too, whose digits are any.
  const { texts } = JSON.parse(await kept());
  expect(Object.values(texts)).toEqual(['Is it ••••, or ••••?', 'Ask @demo to call.']);
  // A value that was left out has to be filled in before the message is sent.
  await words.press('Control+Enter');
  expect(await page.evaluate<string>("document.getElementById('words').validationMessage")).toMatch(
    /replace ••••/,
  );
  await words.fill('Which one is it?');
  await words.press('Control+Enter');
  await demo.hears('Which one is it?');
  await expect.poll(kept).not.toContain('Which');
  // The stream is faster than the answer: what is on its way is not put into the new form as still to be sent.
  const answers = Promise.withResolvers<void>();
  await page.route('**/note', async (route) => {
    const response = await route.fetch();
    await answers.promise;
    await route.fulfill({ response });
  });
  await page.keyboard.press('Escape');
  await page.keyboard.press('m');
  await page.keyboard.press('Control+Enter');
  await page.locator('.case-bar .notes', { hasText: 'Ask @demo to call.' }).waitFor();
  expect(await note.inputValue()).toBe('');
  answers.resolve();
  await expect.poll(kept).toBe('');
  await page.unroute('**/note');

  // Another agent changes the case: its bar is put anew. The keys stay where they were, and its forms need no waiting for.
  const summary = page.locator('.case-bar details[data-key="m"] > summary');
  await summary.focus();
  await page.evaluate(`new MutationObserver((_, observer) => {
    observer.disconnect();
    window.wasFocused = document.activeElement.matches('summary');
    const field = document.querySelector('.case-bar [data-key="m"] textarea');
    field.value = 'Sent at once.';
    field.form.requestSubmit();
  }).observe(document.querySelector('[sse-swap="case"]'), { childList: true });`);
  await changes('not-urgent');
  await page.locator('.case-bar .notes', { hasText: 'Sent at once.' }).waitFor();
  await page.locator('.case-bar .badge.bad').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.matches(".case-bar summary")')).toBe(true);
  expect(await kept()).not.toContain('Sent');

  // A page without a stream gets the new case with the answer, also with a refusal. A draft there stays.
  await page.locator('.case-bar [data-key="m"] summary').click();
  await note.fill('Still to be sent.');
  const key = await note.getAttribute('data-draft');
  const anew = `<section id="case-bar" hx-swap-oob="true"><form>As it is now <textarea data-draft="${key}"></textarea></form></section>`;
  const body = `<p>Demo was faster.</p>${anew}`;
  await page.route('**/go-on', (route) => route.fulfill({ status: 409, contentType: 'text/html', body }));
  await page.evaluate(`document.querySelector('form[action$="/go-on"]').requestSubmit()`);
  await page.locator('#case-bar', { hasText: 'As it is now' }).waitFor();
  expect(await page.locator('#flash').textContent()).toBe('Demo was faster.');
  await expect.poll(() => page.locator('#case-bar textarea').inputValue()).toBe('Still to be sent.');
  // On a page that was left open nothing is kept any more once somebody else has written something.
  const theirs = JSON.stringify({ who: 'omar', at: Date.now(), texts: { a: 'his' } });
  await page.evaluate(`localStorage.setItem('wasl-drafts', ${JSON.stringify(theirs)})`);
  await words.fill('Too late.');
  expect(await kept()).toBe(theirs);

  // Foreign data there stops nothing.
  for (const left of ['null', "{ who: 'demo', at: Date.now(), texts: null }"]) {
    await page.evaluate(`localStorage.setItem('wasl-drafts', JSON.stringify(${left}))`);
    await page.reload();
    await words.fill('Kept all the same.');
    expect(await kept()).toContain('Kept all the same.');
  }
  await page.locator('.case-bar [data-key="m"] summary').click();
  await note.fill('For nobody else.');
  const [session, entries] = [page.url(), await page.evaluate<number>('history.length')];
  // After an agent only closed the window, nobody else reads the draft, even by going back. The same agent does.
  await page.context().clearCookies();
  await demo.goes('/support');
  await page.waitForURL(/sign-in/);
  expect(await kept()).toContain('For nobody else.');
  await demo.setsUp(link);
  expect(await kept()).toBe('');
  await page.evaluate(`history.go(${entries} - history.length)`);
  await page.waitForURL(session);
  await page.locator('.bar', { hasText: 'Nadia' }).waitFor();
  expect(await note.inputValue()).toBe('');
  // Nor what somebody has left who has signed out.
  await page.locator('.case-bar [data-key="m"] summary').click();
  await note.fill('Hers.');
  expect(await kept()).toContain('Hers.');
  await demo.presses('Sign out');
  await page.waitForURL(/sign-in/);
  expect(await kept()).toBe('');
});

test('a conversation is kept for an agent at the desk, not for an abandoned page', async () => {
  const fatima = handset(FATIMA);
  await fatima.comes();
  const demo = await admin();
  let renewals = 0;
  demo.page.on('request', (request) => {
    if (request.url().endsWith('/renew')) renewals++;
  });
  await demo.page.clock.install();
  const minutes = async (count: number) => {
    for (let i = 0; i < count; i++) await demo.page.clock.fastForward(60_000);
  };
  // The page's clock moves before its request is sent. The next look would count a request too many.
  const renewed = (times: number, why?: string) =>
    expect.poll(() => renewals, { message: why ?? '' }).toBe(times);
  await demo.opens('01');
  await demo.presses('Step in');
  // In the page, and listened to by htmx: an event before that is heard by nobody.
  const isListening = `Boolean(document.querySelector('.renewal')?.['htmx-internal-data']?.listenerInfos?.length)`;
  await expect.poll(() => demo.page.evaluate(isListening)).toBe(true);
  await minutes(4);
  await renewed(1, 'she has pressed a button, and has gone');
  await demo.page.keyboard.press('Shift');
  await minutes(3);
  await renewed(2);
  await demo.page.mouse.move(200, 200);
  await minutes(1);
  await renewed(3);
});

test('a page says while it is not live, and a sign-in leads back to it', async () => {
  const fatima = handset(FATIMA);
  await fatima.comes();
  const demo = await admin();
  const broken = /\/(?:live\?.*|take-over)$/;
  await demo.context.route(broken, (route) => route.abort());
  await demo.opens('01');
  const stale = demo.page.getByText('This page is no longer live');
  await stale.waitFor();
  await demo.presses('Step in');
  await demo.sees('It is not known whether that was done');
  await demo.context.unroute(broken);
  await stale.waitFor({ state: 'hidden' });

  // The stream is faster than the answer: the form is gone before it is known that the act was done, or that nobody knows.
  const undone = demo.page.locator('#undone');
  const words = demo.page.locator('#words');
  await demo.context.route(/\/take-over$/, async (route) => {
    const response = await route.fetch();
    await words.waitFor();
    await route.fulfill({ response });
  });
  await demo.presses('Step in');
  await undone.waitFor({ state: 'hidden' });
  await demo.context.route(/\/hand-back$/, async (route) => {
    await route.fetch();
    await words.waitFor({ state: 'detached' });
    await route.abort();
  });
  await demo.presses('Hand back');
  await undone.waitFor();
  await demo.context.unrouteAll();
  await demo.presses('Step in');
  await words.waitFor();
  await undone.waitFor({ state: 'hidden' });

  const { pathname } = new URL(demo.page.url());
  const other = await demo.context.newPage();
  await other.goto(`${wasl.url}/support/me`);
  await other.getByRole('button', { name: 'Sign out', exact: true }).click();
  await other.waitForURL(/sign-in$/);
  await demo.presses('Hand back');
  await demo.page.waitForURL(/sign-in/);
  expect(await demo.page.locator('input[name="next"]').inputValue()).toBe(pathname);
  // The browser's complaint about the broken connection is expected.
  demo.troubles.splice(0);
});

test('the shortcuts work on a keyboard without Latin letters', async () => {
  const demo = await admin({ locale: 'ar-MA' });
  await demo.goes('/support');
  const types = (key: string, code: string) =>
    demo.page.evaluate(
      `document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', code: '${code}', bubbles: true }))`,
    );
  await types('ظ', 'Slash');
  expect(await demo.page.evaluate('document.activeElement.id')).toBe('q');
  await types('ل', 'KeyG');
  await types('ف', 'KeyT');
  await demo.page.waitForURL(/today$/);
  await demo.page.locator('h1').waitFor();
  // On a French keyboard the slash is elsewhere, and its place is another sign's.
  await demo.goes('/support');
  await types('!', 'Slash');
  expect(await demo.page.evaluate('document.activeElement.id')).not.toBe('q');
});

test('a file that is pasted, or dropped on the conversation, goes to its customer', async () => {
  const visitor = inWebChat(wasl.url, 'en');
  const demo = await admin();
  const { page } = demo;
  await demo.sees('No cases here');
  // The empty inbox shows the case by itself.
  await visitor.asks();
  await demo.goes((await page.locator('#list a.opens').first().getAttribute('href')) ?? '');
  await page.locator('form[action$="/take-over"] button').click();
  await page.locator('form.file').waitFor();
  const brings = async (event: 'paste' | 'drop') => {
    // The page's script listens once the page is loaded.
    await page.waitForLoadState('load');
    await page.evaluate(`{
      const bytes = Uint8Array.from(atob('${PIXEL}'), (each) => each.charCodeAt(0));
      const all = new DataTransfer();
      all.items.add(new File([bytes], 'a.png', { type: 'image/png' }));
      const event = '${event}' === 'paste'
        ? new ClipboardEvent('paste', { clipboardData: all, bubbles: true, cancelable: true })
        : new DragEvent('drop', { dataTransfer: all, bubbles: true, cancelable: true });
      document.getElementById('talk').dispatchEvent(event);
    }`);
  };
  await brings('paste');
  await demo.sees(/Done: .*File sent to the customer/);
  await expect.poll(() => visitor.reads()).toContain('agent-file');
  // The same again is refused: it has arrived, too.
  await brings('drop');
  await demo.sees(/you have just sent the customer the same/);
});

test('a diagram opens at the state of its customer, and revealed data say until when', async () => {
  const fatima = handset(FATIMA);
  await fatima.comes();
  await fatima.types('1', '0699000117', '20', '1234');
  const demo = await admin();
  const { page } = demo;
  await demo.opens('01');
  await page.locator('summary', { hasText: 'Reveal masked data' }).click();
  await page.locator('form[action$="/reveal"] textarea').fill('the customer asks by phone');
  await page.locator('form[action$="/reveal"] button').click();
  await demo.sees(/Data shown until \D*\d{2}:\d{2}/);
  const path = await page.getByRole('link', { name: 'See the diagram' }).getAttribute('href');
  await demo.goes(path ?? '');
  const inSight = `(() => {
    const { top, bottom } = document.querySelector('.diagram .now')?.getBoundingClientRect() ?? {};
    return top >= 0 && bottom <= innerHeight;
  })()`;
  await expect.poll(() => page.evaluate(inSight)).toBe(true);
});

test('without JavaScript everything is links and forms', async () => {
  const fatima = handset(FATIMA);
  await fatima.comes();
  await fatima.types('1');
  const demo = await admin({ javaScriptEnabled: false });
  await demo.opens('01');
  await demo.presses('Step in');
  await demo.sees(/Done: .*Stepped into a conversation/);
  await demo.writes('A plain form');
  await demo.hears('A plain form');
  await demo.presses('Hand back');
  await demo.sees(/Done: .*Conversation handed back/);
  // The drawn data is a table.
  await expect
    .poll(async () => {
      await demo.goes('/support/figures');
      return demo.page.locator('details.of-chart[open] td').count();
    })
    .toBeGreaterThan(0);
  expect(await demo.page.locator('.chart').first().isVisible()).toBe(false);
});

test('no two lines of a scale of times have one name', async () => {
  const { page } = await admin();
  await page.goto(new URL('/support/figures', page.url()).href);
  const named = await page.evaluate(
    'TIME_STEPS.map((step) => [1, 2, 3, 4, 5, 6, 7, 8].map((n) => exactly(n * step)))',
  );
  for (const names of named as string[][]) expect(new Set(names).size, names.join()).toBe(names.length);
});

test('an answer in one’s own case is heard also while a colleague takes a free one', async () => {
  const demo = await admin();
  const { page } = demo;
  let counts = [1, 1];
  // The state of the inbox, as the page asks for it.
  await page.route('**/support/inbox/news', (route) => {
    const [news = 0, free = 0] = counts;
    const text = `<span id="news" data-news="${news}" data-free="${free}" data-says="">${news + free}</span>`;
    return route.fulfill({ contentType: 'text/html', body: text });
  });
  await page.addInitScript(`
    localStorage.setItem('wasl-alerts', 'yes');
    globalThis.tones = 0;
    const { createOscillator } = AudioContext.prototype;
    AudioContext.prototype.createOscillator = function () {
      tones += 1;
      return createOscillator.call(this);
    };`);
  await demo.goes('/support/inbox');
  const tonesAt = async (...next: readonly [news: number, free: number]) => {
    counts = [...next];
    await page.locator(`#news[data-news="${next[0]}"][data-free="${next[1]}"]`).waitFor();
    return page.evaluate('tones');
  };
  expect(await tonesAt(1, 1), 'as it is found').toBe(0);
  expect(await tonesAt(2, 0), 'one of hers is new, and somebody has taken the free one').toBe(1);
  expect(await tonesAt(1, 0), 'less is no news').toBe(1);
  expect(await tonesAt(0, 1), 'a free one').toBe(2);
});
