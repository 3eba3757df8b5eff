import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { THREE_DS_CODE } from '../../src/sandbox/cards/test-cards.ts';
import { CAFE, card, ledgerOf } from '../sandbox/cards/cards-kit.ts';
import { balanceOf, call, sandbox } from '../sandbox/kit.ts';
import { newPage } from './pages.ts';

const LANGUAGE = { 'Svc-Api-Key': 'sandbox-key', 'content-type': 'application/json' };

/** A shop whose customer has just been sent to the 3D Secure page. */
async function paying(amount: number, options: BrowserContextOptions = {}) {
  const shop = createServer((_, response) => response.end('<!doctype html><title>Shop</title>'));
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    shop.close();
    shop.closeAllConnections();
  });
  const home = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  const wallet = sandbox();
  const server = await wallet.listen(0);
  onTestFinished(server.close);
  const order = card(amount, { acceptUrl: `${home}/ok`, declineUrl: `${home}/no` });
  // Over the socket: the page is where the partner has reached the sandbox.
  const answer = await fetch(
    `${server.url}/api/operations/merchant/payment/card?phoneNumber=${encodeURIComponent(CAFE)}`,
    { method: 'POST', headers: LANGUAGE, body: JSON.stringify(order) },
  );
  const { data } = (await answer.json()) as { data: { redirectionURL: string } };
  const viewport = { width: 390, height: 800 };
  // The shop has no icon.
  const isIcon = (message: ConsoleMessage) => message.location().url.endsWith('favicon.ico');
  const page = await newPage({ locale: 'fr-MA', viewport, ...options }, isIcon);
  await page.goto(data.redirectionURL);
  return { wallet, page, home };
}

/** The shop reads this in the address that the browser comes back with. */
async function cameBack(page: Page): Promise<Record<string, string>> {
  await page.waitForURL(/RESPONSE_CODE/);
  const { origin, pathname, searchParams } = new URL(page.url());
  const { RESPONSE_CODE = '', REASON_CODE = '', OPERATION = '' } = Object.fromEntries(searchParams);
  return { to: origin + pathname, RESPONSE_CODE, REASON_CODE, OPERATION };
}

test('the payer types the code and is back in the shop, which is paid', async () => {
  const { wallet, page, home } = await paying(249.9);
  await page.getByLabel('Code de confirmation').fill('999999');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'Essais restants : 2' }).waitFor();
  await page.getByLabel('Code de confirmation').fill(THREE_DS_CODE);
  await page.getByRole('button', { name: 'Confirmer' }).click();
  const success = { RESPONSE_CODE: '0', REASON_CODE: 'SUCCESS', OPERATION: 'PAYMENT' };
  expect(await cameBack(page)).toEqual({ to: `${home}/ok`, ...success });
  expect(await balanceOf(wallet, CAFE)).toBe(2699.9);
  await page.goBack();
  await page.getByText('Opération acceptée').waitFor();
  ledgerOf(wallet);
});

test('the payer declines without a code and is back in the shop, which is not paid', async () => {
  const { wallet, page, home } = await paying(249.9, { locale: 'en-GB' });
  await page.getByRole('button', { name: 'Decline' }).click();
  const refused = { RESPONSE_CODE: '17', REASON_CODE: 'CANCELED', OPERATION: 'PAYMENT' };
  expect(await cameBack(page)).toEqual({ to: `${home}/no`, ...refused });
  expect(await balanceOf(wallet, CAFE)).toBe(2450);
});

test('the page expires while it is open, and says so in Arabic', async () => {
  const { wallet, page } = await paying(10, { locale: 'ar-MA' });
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
  await wallet.clock.advance(15 * 60_000);
  await page.locator('#code').fill(THREE_DS_CODE);
  await page.getByRole('button', { name: 'تأكيد' }).click();
  await page.getByText('انتهت صلاحية هذه الصفحة').waitFor();
  expect((await call(wallet, 'listOperations', { PhoneNumber: CAFE })).body.data.count).toBe(0);
});

test.each([
  ['fr', 320, 'light'],
  ['fr', 390, 'dark'],
  ['ar', 390, 'light'],
  ['en', 1280, 'dark'],
] as const)('everything is in sight: %s, %d px, %s', async (language, width, colorScheme) => {
  const { page } = await paying(123_456.78, { colorScheme, viewport: { width, height: 760 } });
  await page.goto(`${page.url()}?lang=${language}`);
  const wide = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(wide).toBe(0);
  for (const button of await page.locator('button, nav a').all()) {
    const box = await button.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
  }
  // The browser gives it the focus when it first draws the page, which may be after it is loaded.
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('code');
  expect(await page.content()).not.toContain('4242424242');
});
