import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { alone } from '../kit/alone.ts';
import { axeFinds, keypadPhone, whatsappPhone } from './pages.ts';
import { theStage } from './stage.ts';

const stage = theStage();
const PAGE = /Page sécurisée/;
let page: Page;

async function open(options: { locale?: string; width?: number } = {}) {
  page = await stage.page(options);
  await page.goto(stage.wasl.url);
  return { keypad: keypadPhone(page), whatsapp: whatsappPhone(page) };
}

/** Youssef, whom the smartphone belongs to, shares his number and gives his PIN on the page. */
async function linked(whatsapp: ReturnType<typeof whatsappPhone>) {
  await whatsapp.opens();
  await whatsapp.sees('langue');
  await whatsapp.presses('Français');
  await whatsapp.sees('numéro de mobile');
  await whatsapp.presses('Partager mon numéro');
  await whatsapp.sees('code PIN');
  await whatsapp.gives(PAGE, '1234');
  await whatsapp.sees('est reliée');
}

test('a customer sends money: a list, a Flow for the PIN, a receipt, and read marks', async () => {
  const { whatsapp } = await open();
  await linked(whatsapp);
  await whatsapp.picks('Choisir', /^Envoyer/);
  await whatsapp.sees('À quel numéro');
  await whatsapp.writes('0600000001');
  await whatsapp.sees('Quel montant');
  await whatsapp.writes('20');
  await whatsapp.sees('20,00 DH');
  await whatsapp.gives(PAGE, '1234');
  await whatsapp.sees(/(Envoyé|effectué)/);
  expect((await whatsapp.bubbles()).join('\n')).not.toMatch(alone('1234'));
  const { operations } = await stage.ledger('0600000002');
  expect(operations.at(-1)).toMatchObject({ amount: 2_000 });
  await expect.poll(() => page.locator('#wa-log .person .when:not(.read)').count()).toBe(0);
});

test('a Flow takes the PIN: it says what is wrong, and a card goes to the page', async () => {
  const { whatsapp } = await open();
  await linked(whatsapp);
  await whatsapp.writes('/balance');
  await whatsapp.sees('pour voir votre solde');
  await whatsapp.presses(PAGE);
  const sheet = page.locator('#wa-sheet');
  await sheet.locator('input').fill('12');
  await sheet.locator('input').press('Enter');
  await sheet.locator('.wrong').filter({ hasText: '4 chiffres' }).waitFor();
  await sheet.locator('input').fill('1234');
  await sheet.locator('input').press('Enter');
  await sheet.waitFor({ state: 'hidden' });
  await whatsapp.sees('Votre solde');
  await whatsapp.writes('dépôt carte');
  await whatsapp.sees('déposer par carte');
  await whatsapp.writes('100');
  await whatsapp.sees('Dépôt de 100,00 DH');
  await whatsapp.gives(PAGE, '1234');
  await whatsapp.sees('saisissez votre carte');
  await whatsapp.presses(PAGE);
  await page.frameLocator('#wa-sheet iframe').locator('input[name="pan"]').waitFor();
  expect((await whatsapp.bubbles()).join('\n')).not.toMatch(alone('1234'));
});

test('money sent on the keypad phone arrives in WhatsApp by itself', async () => {
  const { keypad, whatsapp } = await open();
  await linked(whatsapp);
  await page.locator('#apps button[value="chat"]').click();
  await keypad.types('*123#');
  await keypad.sees('العربية');
  await keypad.presses('1');
  await keypad.sees('2 Solde');
  for (const answer of ['1', '0600000002', '50', '1234']) {
    await keypad.presses(answer);
    await keypad.sees({ 1: 'destinataire', 50: '50,00 DH', 1234: /en cours|effectué/ }[answer] ?? 'Montant');
  }
  await page.locator('#apps [value="whatsapp"].news').waitFor();
  await page.locator('#apps [value="whatsapp"]').click();
  await whatsapp.sees('Vous avez reçu 50,00 DH');
});

test('it is Arabic from right to left, fits a narrow phone, works by keyboard, and axe finds nothing', async () => {
  const { whatsapp } = await open({ locale: 'ar-MA', width: 360 });
  await page.locator('#tab-chat').click();
  await whatsapp.opens();
  await whatsapp.sees('رقم');
  await whatsapp.presses('مشاركة رقمي');
  const key = page.locator('#wa-log .keys button[data-kind="page"]');
  await key.waitFor();
  await key.focus();
  await page.keyboard.press('Enter');
  await page.locator('#wa-sheet input[name="secret"]').waitFor();
  await page.locator('#wa-sheet .close').focus();
  await page.keyboard.press('Escape');
  await page.locator('#wa-sheet').waitFor({ state: 'hidden' });
  expect(await page.evaluate('document.activeElement.dataset.kind')).toBe('page');
  const direction = 'getComputedStyle(document.querySelector("#wa-log .bot:last-child .said")).direction';
  expect(await page.evaluate(direction)).toBe('rtl');
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  expect(await axeFinds(page)).toEqual([]);
});
