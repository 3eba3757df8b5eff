import { TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { AXE, PAGE_MAX_MS, troublesOf } from './pages.ts';

const PASSWORD = 'four words in a row';

/** The console as an agent uses it. Complaints of the browser are kept in `troubles`. */
export async function agentIn(
  browser: Browser,
  url: string,
  options: {
    colorScheme?: 'light' | 'dark';
    width?: number;
    locale?: string;
    javaScriptEnabled?: boolean;
  } = {},
) {
  const { colorScheme = 'light', width = 1280, locale = 'en-GB', javaScriptEnabled = true } = options;
  const context = await browser.newContext({
    locale,
    colorScheme,
    javaScriptEnabled,
    viewport: { width, height: 860 },
  });
  context.setDefaultTimeout(PAGE_MAX_MS);
  const page = await context.newPage();
  // A refused act is an answer.
  const troubles = troublesOf(page, (message) => message.text().includes('409'));
  /** Every byte that the console has sent to this browser but its event streams, whose text is on the page. */
  const received: string[] = [];
  page.on('response', async (response) => {
    if (/html|json|css|javascript/.test(response.headers()['content-type'] ?? ''))
      received.push(await response.text().catch(() => ''));
  });

  const agent = {
    page,
    context,
    troubles,
    received,
    goes: (path: string) => page.goto(`${url}${path}`),
    sees: (what: string | RegExp) => page.getByText(what).first().waitFor(),
    presses: (name: string | RegExp) => page.getByRole('button', { name }).click(),
    /** Opens the session of a number from the live list. */
    async opens(ending: string) {
      await agent.goes('/support');
      await page.locator('.sessions a', { hasText: ending }).click();
      await page.locator('.composer').waitFor();
      // Its keys and its drafts are there once its scripts have run.
      await page.waitForLoadState();
    },
    /**
     * Reads the form that takes the conversation over, and gives what sends it: gives the answer's status.
     * Two steps, as the form leaves every page the moment that one agent has sent it.
     */
    async readiesTakeOver(): Promise<() => Promise<number>> {
      const form = page.locator('form[action$="/take-over"]');
      const action = (await form.getAttribute('action')) ?? '';
      const csrf = (await form.locator('input[name="csrf"]').getAttribute('value')) ?? '';
      const headers = { origin: url, 'hx-request': 'true' };
      return async () => (await page.request.post(`${url}${action}`, { form: { csrf }, headers })).status();
    },
    async writes(text: string) {
      await page.locator('#words').fill(text);
      await page.locator('form.write button.main').click();
    },
    /** Everything in the transcript. */
    transcript: () => page.locator('.transcript').textContent(),
    hears: (what: string | RegExp) => page.locator('.transcript').getByText(what).last().waitFor(),
    /** Uses the link that an administrator has made. */
    async setsUp(link: string) {
      await page.goto(link);
      const shown = await page.locator('main code').allTextContents();
      const secret = (shown.at(-1) ?? '').replaceAll(' ', '');
      await page.locator('input[name="password"]').fill(PASSWORD);
      await page.locator('input[name="again"]').fill(PASSWORD);
      await page.locator('input[name="code"]').fill(new TOTP({ secret }).generate());
      await page.locator('main form button').click();
      await page.waitForURL(/\/support\/inbox$/);
    },
    /** Gives what the pages from now on have asked for without being told to: streams, and pieces that are no form's. */
    asksByItself() {
      const asked: string[] = [];
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        const isStream = request.headers().accept === 'text/event-stream';
        const isRead = request.method() === 'GET' && ['fetch', 'xhr'].includes(request.resourceType());
        if (isStream || isRead) asked.push(`${request.method()} ${pathname.replace(/^\/support/, '')}`);
      });
      return () => asked;
    },
    /** The parts of the tables' lines that are visible only after a sideways move. */
    hidden: () =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('.lines :is(td, th[scope="row"])')]
          .filter((cell) => cell.checkVisibility() && cell.textContent.trim() !== '')
          .filter((cell) => { const { left, right } = cell.getBoundingClientRect(); return left < 0 || right > innerWidth; })
          .map((cell) => cell.textContent.trim())`,
      ),
    /** Serious accessibility faults of the page as it stands. */
    async faults(): Promise<string[]> {
      // A browser's own door: the page's policy lets no script in, and that is tested too.
      const session = await context.newCDPSession(page);
      const run = async (expression: string) =>
        (await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }))
          .result.value;
      // Once for each document: its source is half a megabyte.
      if (!(await run('"axe" in globalThis'))) await run(AXE);
      const found = await run(
        `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`,
      );
      return found as string[];
    },
  };
  return agent;
}

/** The admin of the sandbox's demo link makes an account. Gives the link that sets it up. */
export async function invites(
  admin: { page: Page; goes(path: string): Promise<unknown> },
  id: string,
  role: string,
) {
  await admin.goes('/support/accounts');
  const form = admin.page.locator('form[action$="/support/accounts"]');
  await form.locator('input[name="id"]').fill(id);
  await form.locator('input[name="name"]').fill(id === 'nadia' ? 'Nadia' : 'Omar');
  await form.locator('select[name="role"]').selectOption(role);
  await form.locator('button').click();
  const link = await admin.page.locator('[role="status"] code', { hasText: 'set-up' }).textContent();
  expect(link).toContain('/support/set-up/');
  return link ?? '';
}
