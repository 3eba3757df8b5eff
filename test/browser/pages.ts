import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type Browser,
  type BrowserContextOptions,
  type ConsoleMessage,
  chromium,
  type FrameLocator,
  type Page,
} from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { chromiumPath } from '../kit/needs.ts';

/** How long a page may take, on a machine that does much else: what hangs, a test's own limit ends. */
export const PAGE_MAX_MS = 120_000;

let launched: Promise<Browser> | undefined;

/**
 * Debian's Chromium, without a download. The test files of a worker share it until the worker ends. Each file closes
 * its own contexts.
 */
export function theBrowser(): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: chromiumPath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  return launched;
}

/** The complaints of a page: its errors, and those on its console that are not expected. */
export function troublesOf(
  page: Page,
  isExpected: (message: ConsoleMessage) => boolean = () => false,
): string[] {
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(message)) troubles.push(message.text());
  });
  return troubles;
}

/** A page for the running test, in a browser profile of its own. Its complaints fail the test. */
export async function newPage(
  options: BrowserContextOptions,
  isExpected?: (message: ConsoleMessage) => boolean,
): Promise<Page> {
  const context = await (await theBrowser()).newContext(options);
  context.setDefaultTimeout(PAGE_MAX_MS);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const troubles = troublesOf(page, isExpected);
  onTestFinished(() => expect(troubles).toEqual([]));
  return page;
}

/** The keypad phone of the simulator page, as a person uses it. */
export function keypadPhone(page: Page) {
  const text = page.locator('#page');
  const phone = {
    /** Waits until the screen says this. */
    sees: (what: string | RegExp) => text.filter({ hasText: what }).waitFor(),
    text: () => text.textContent(),
    async presses(keys: string) {
      for (const key of keys) await page.locator(`#keypad button[value="${key}"]`).click();
      await page.locator('#call').click();
    },
    async types(answer: string) {
      await page.locator('#typed').fill(answer);
      await page.keyboard.press('Enter');
    },
    dials: () => page.locator('#call').click(),
    hangsUp: () => page.locator('#hang-up').click(),
    belongsTo: (number: string) => page.locator('#ussd-owner').selectOption(number),
  };
  return phone;
}

/** The chat, on a page of its own or in the frame of the simulator page. */
function chatIn(frame: Page | FrameLocator) {
  /** While an answer is on its way nothing is sent, and what has been typed is taken away when it comes. */
  const isIdle = () => frame.locator('#composer .send:enabled').waitFor({ state: 'attached' });
  return {
    sees: (what: string | RegExp) => frame.locator('.bubble').filter({ hasText: what }).last().waitFor(),
    chooses: (label: string | RegExp) =>
      frame.locator('.choices').getByRole('button', { name: label }).click(),
    async writes(text: string) {
      await isIdle();
      await frame.locator('#answer').fill(text);
      await frame.locator('#answer').press('Enter');
    },
    isIdle,
    field: frame.locator('#answer'),
    bubbles: () => frame.locator('.bubble').allInnerTexts(),
  };
}

/** The chat of the simulator page. */
export function chatPhone(page: Page) {
  const frame = page.frameLocator('#chat-frame');
  const chat = chatIn(frame);
  const phone = {
    ...chat,
    /** Does what begins a new chat, and waits for its document: what stands in the document before answers nobody. */
    async beginsAnew(act: () => Promise<unknown>) {
      await frame.locator('.bubble').first().waitFor({ state: 'attached' });
      await frame.locator('html').evaluate('document.documentElement.dataset.left = "yes"');
      await act();
      await frame.locator('html:not([data-left]) .bubble').first().waitFor({ state: 'attached' });
    },
    /** Gives the smartphone to somebody else. */
    belongsTo: (owner: string) => phone.beginsAnew(() => page.locator('#chat-owner').selectOption(owner)),
    /** Types a suggestion under the phone, and sends it. */
    async takes(chip: string | RegExp) {
      await chat.isIdle();
      await page.locator('#chat-chips').getByRole('button', { name: chip }).click();
      await chat.field.press('Enter');
    },
    /** Presses a button under the phone that acts by itself: the counter for a reference. */
    plays: (chip: RegExp) => page.locator('#chat-chips').getByRole('button', { name: chip }).click(),
    /** Links it to the wallet of its owner, by the code and the PIN. In French. */
    async links(owner: string | RegExp = 'Youssef') {
      await chat.sees('numéro de mobile');
      await phone.takes(owner);
      await chat.sees('code par SMS');
      await phone.takes(/\d{3}-\d{3}/);
      await chat.sees('code PIN');
      await chat.writes('1234');
      await chat.sees('est reliée');
    },
  };
  return phone;
}

/** The chat on a page of its own. `url`: where Wasl is. */
export function chatPage(page: Page, url: string) {
  const chat = chatIn(page);
  return {
    ...chat,
    opens: () => page.goto(`${url}/chat`),
    /** Links it to the wallet of a seeded customer, by the code from the SMS and the PIN. In French. */
    async links(number: string) {
      await chat.sees('numéro de mobile');
      await chat.writes(number);
      await chat.sees('code par SMS');
      const inbox = await (await fetch(`${url}/simulator/inbox?phone=${number}`)).text();
      await chat.writes(inbox.match(/\d{3}-\d{3}/g)?.at(-1) ?? '');
      await chat.sees('code PIN');
      await chat.writes('1234');
      await chat.sees('est reliée');
    },
  };
}

/** Telegram on the smartphone of the simulator page. */
export function telegramPhone(page: Page) {
  const log = page.locator('#tg-log');
  const key = (label: string | RegExp) => log.locator('.keys').getByRole('button', { name: label }).last();
  const app = (value: string) => page.locator(`#apps button[value="${value}"]`).click();
  return {
    /** Opens the bot for the first time. */
    async opens() {
      await app('telegram');
      await page.locator('#tg-start').click();
    },
    /** The owner of the smartphone shares their number and taps their PIN. */
    async links() {
      await this.opens();
      await this.sees('numéro de mobile');
      await this.shares('Partager mon numéro');
      await this.sees('code PIN');
      await this.taps('1234');
      await this.sees('est reliée');
    },
    opensAgain: () => app('telegram'),
    goesToChat: () => app('chat'),
    sees: (what: string | RegExp) => log.locator('.bot .said').filter({ hasText: what }).last().waitFor(),
    /** Waits until there is a button of that name. */
    offers: (label: string | RegExp) => key(label).waitFor(),
    presses: (label: string | RegExp) => key(label).click(),
    shares: (label: string) => page.locator('#tg-keyboard').getByRole('button', { name: label }).click(),
    /** A PIN on the keypad in the chat, whose keys are in another order each time. */
    async taps(digits: string) {
      for (const digit of digits) {
        await log.locator('.keys').getByRole('button', { name: digit, exact: true }).last().click();
      }
    },
    async writes(text: string) {
      await page.locator('#tg-field').fill(text);
      await page.locator('#tg-field').press('Enter');
    },
    bubbles: () => log.locator('.said').allInnerTexts(),
  };
}

/** WhatsApp on the simulator page, as a person uses it. */
export function whatsappPhone(page: Page) {
  const log = page.locator('#wa-log');
  const key = (label: string | RegExp) => log.locator('.keys').getByRole('button', { name: label }).last();
  const secret = page.locator('#wa-sheet input[name="secret"]');
  return {
    /** Writes to Wasl for the first time. */
    async opens() {
      await page.locator('#apps button[value="whatsapp"]').click();
      await page.locator('#wa-start').click();
    },
    sees: (what: string | RegExp) => log.locator('.bot .said').filter({ hasText: what }).last().waitFor(),
    presses: (label: string | RegExp) => key(label).click(),
    /** A row of the list that a button opens. */
    async picks(button: string, row: string | RegExp) {
      await key(button).click();
      await page.locator('#wa-sheet').getByRole('button', { name: row }).click();
    },
    /** A PIN, in the Flow that the button opens. It closes by itself. */
    async gives(button: string | RegExp, pin: string) {
      await key(button).click();
      await secret.fill(pin);
      await secret.press('Enter');
      await page.locator('#wa-sheet').waitFor({ state: 'hidden' });
    },
    async writes(text: string) {
      await page.locator('#wa-field').fill(text);
      await page.locator('#wa-field').press('Enter');
    },
    bubbles: () => log.locator('.said').allInnerTexts(),
  };
}

export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The faults that axe finds on a page, each with its first place. */
export async function axeFinds(page: Page): Promise<unknown> {
  // Once for each document: its source is half a megabyte.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  return page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
      .map(({ id, nodes }) => id + ' ' + nodes[0].target))`,
  );
}
