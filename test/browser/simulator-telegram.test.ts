import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { alone } from '../kit/alone.ts';
import { keypadPhone, telegramPhone } from './pages.ts';
import { theStage } from './stage.ts';

const stage = theStage();
let page: Page;

async function open(options: { locale?: string; width?: number } = {}) {
  page = await stage.page(options);
  await page.goto(stage.wasl.url);
  return { keypad: keypadPhone(page), telegram: telegramPhone(page) };
}

test('a customer shares the own number, taps the PIN, and reads the balance off a button', async () => {
  const { telegram } = await open();
  await telegram.links();
  // The tapped digits are nowhere, and the keypad is gone.
  const written = async () => (await telegram.bubbles()).join('\n');
  await expect.poll(written).not.toMatch(/[●○]/);
  expect(await written()).not.toMatch(alone('1234'));
  await telegram.offers('Solde');
  const before = (await telegram.bubbles()).length;
  await telegram.presses('Solde');
  await telegram.sees('pour voir votre solde');
  await telegram.taps('1234');
  await telegram.sees('Votre solde : 1 200,00 DH');
  // The keypad replaced the menu, and the balance replaced the keypad. Only the newest message has buttons.
  await expect.poll(telegram.bubbles).toHaveLength(before);
  await expect.poll(() => page.locator('#tg-log li:has(.keys)').count()).toBe(1);
});

test('a typed PIN is taken out of the chat, with a warning', async () => {
  const { telegram } = await open();
  await telegram.opens();
  await telegram.shares('Partager mon numéro');
  await telegram.sees('code PIN');
  await telegram.writes('1234');
  await telegram.sees("N'écrivez pas votre code PIN");
  await expect.poll(async () => (await telegram.bubbles()).join('\n')).not.toMatch(alone('1234'));
});

test('money sent on the keypad phone arrives in Telegram by itself', async () => {
  const { keypad, telegram } = await open();
  await telegram.links();
  await telegram.goesToChat();
  await keypad.types('*123#');
  await keypad.sees('العربية');
  await keypad.presses('1');
  await keypad.sees('2 Solde');
  for (const answer of ['1', '0600000002', '50', '1234']) {
    await keypad.presses(answer);
    await keypad.sees({ 1: 'destinataire', 50: '50,00 DH', 1234: /en cours|effectué/ }[answer] ?? 'Montant');
  }
  // A dot tells of it while the other app is on show.
  await page.locator('#apps .news').waitFor();
  await telegram.opensAgain();
  await telegram.sees('Vous avez reçu 50,00 DH');
});

test('it is Arabic from right to left, fits a narrow phone, and works by keyboard', async () => {
  const { telegram } = await open({ locale: 'ar-MA', width: 360 });
  await page.locator('#tab-chat').click();
  await page.locator('#apps button[value="telegram"]').focus();
  await page.keyboard.press('Enter');
  await page.locator('#tg-start').focus();
  await page.keyboard.press('Enter');
  await telegram.sees('رقم');
  const bubble = page.locator('#tg-log .bot .said').last();
  expect(
    await bubble.evaluate('getComputedStyle(document.querySelector("#tg-log .bot .said")).direction'),
  ).toBe('rtl');
  await page.locator('#tg-keyboard button').focus();
  await page.keyboard.press('Enter');
  const keys = page.locator('#tg-log .keys button');
  await keys.first().waitFor();
  for (const digit of '1234') {
    await keys.filter({ hasText: new RegExp(`^${digit}$`) }).focus();
    await page.keyboard.press('Enter');
    await page.locator('#tg-log [aria-busy]').waitFor({ state: 'detached' });
    // A user of the keyboard stays among the buttons.
    expect(await page.evaluate('document.activeElement.closest("#telegram") !== null')).toBe(true);
  }
  await telegram.sees('محفظت');
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
});

test('a photo of a merchant’s code begins the payment, and stays in the chat', async () => {
  const { telegram } = await open();
  await telegram.links();
  const code = await fetch(`${stage.wasl.sandboxUrl}/qr/0600000011.png?amount=45.50`);
  const buffer = Buffer.from(await code.arrayBuffer());
  await page.locator('#tg-photo').setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer });
  await telegram.sees('45,50 DH');
  await page.locator('#tg-log .person img').waitFor();
});

test('a voucher is shown with its picture, in the place of the list', async () => {
  const { telegram } = await open();
  await telegram.links();
  await telegram.presses('Achats');
  await telegram.presses(/^Bons d'achat$/);
  await telegram.presses('Souk Frais (test)');
  await telegram.offers(/100 DH/);
  const before = (await telegram.bubbles()).length;
  await telegram.presses(/100 DH/);
  const picture = page.locator('#tg-log .bot img');
  await picture.waitFor();
  await telegram.sees('Pour qui');
  const width = () => page.evaluate('document.querySelector("#tg-log .bot img").naturalWidth');
  await expect.poll(width).toBe(480);
  await expect.poll(telegram.bubbles).toHaveLength(before);
  await telegram.presses('Pour moi');
  await telegram.sees('Total');
  expect(await picture.count(), 'the choice stays').toBe(1);
});

test('a photo without a QR code is answered, and stays in the chat', async () => {
  const { telegram } = await open();
  await telegram.links();
  const png = await page.screenshot({ clip: { x: 0, y: 0, width: 40, height: 40 } });
  const said = (await telegram.bubbles()).length;
  await page.locator('#tg-photo').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png });
  await page.locator('#tg-log .person img').waitFor();
  await expect.poll(async () => (await telegram.bubbles()).length).toBeGreaterThan(said + 1);
});
