import { type Browser, chromium, type Page } from 'playwright-core';

/** Debian's Chromium; nothing is downloaded. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
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

/** The chat of the simulator page. */
export function chatPhone(page: Page) {
  const frame = page.frameLocator('#chat-frame');
  return {
    sees: (what: string | RegExp) => frame.locator('.bubble').filter({ hasText: what }).last().waitFor(),
    chooses: (label: string | RegExp) =>
      frame.locator('.choices').getByRole('button', { name: label }).click(),
    async writes(text: string) {
      await frame.locator('#answer').fill(text);
      await frame.locator('#answer').press('Enter');
    },
    field: frame.locator('#answer'),
    bubbles: () => frame.locator('.bubble').allInnerTexts(),
    belongsTo: (number: string) => page.locator('#chat-owner').selectOption(number),
    /** Types a suggestion under the phone, and sends it. */
    async takes(chip: string | RegExp) {
      await page.locator('#chat-chips').getByRole('button', { name: chip }).click();
      await frame.locator('#answer').press('Enter');
    },
  };
}
