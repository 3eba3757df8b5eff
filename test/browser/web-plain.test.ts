import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { axeFinds, PAGE_MAX_MS, theBrowser } from './pages.ts';
import { theStage } from './stage.ts';

const FATIMA = '0600000001';
const YOUSSEF = '0600000002';
const stage = theStage();

/** A browser without JavaScript. */
async function plainPage(locale = 'fr-MA', isPlain = true): Promise<Page> {
  const viewport = { width: 390, height: 844 };
  const browser = await theBrowser();
  const context = await browser.newContext({ locale, viewport, javaScriptEnabled: !isPlain });
  context.setDefaultTimeout(PAGE_MAX_MS);
  onTestFinished(() => context.close());
  return context.newPage();
}

const answers = async (page: Page, text: string) => {
  await page.locator('input[name="text"]').fill(text);
  await page.keyboard.press('Enter');
};
const sees = (page: Page, what: string | RegExp) =>
  page.locator('.bubble').filter({ hasText: what }).last().waitFor();

/** Links Fatima's wallet, in French. */
async function links(page: Page) {
  await sees(page, 'numéro de mobile');
  await answers(page, FATIMA);
  await sees(page, 'code par SMS');
  const inbox = await (await fetch(`${stage.wasl.url}/simulator/inbox?phone=${FATIMA}`)).text();
  await answers(page, inbox.match(/\d{3}-\d{3}/g)?.at(-1) ?? '');
  await sees(page, 'code PIN');
  expect(await page.locator('input[name="text"]').getAttribute('type')).toBe('password');
  await answers(page, '1234');
  await sees(page, 'est reliée');
}

test('without JavaScript the page says so, and a customer links, pays once and reads the outcome', async () => {
  const page = await plainPage();
  await page.goto(`${stage.wasl.url}/chat`);
  await page.getByText('Sans JavaScript').waitFor();
  await links(page);
  const before = (await stage.ledger(FATIMA)).operations.length;
  await page.getByRole('button', { name: "Envoyer de l'argent" }).click();
  await sees(page, 'À quel numéro ');
  await answers(page, YOUSSEF);
  await sees(page, 'Quel montant');
  await answers(page, '21');
  await sees(page, 'Tapez votre code PIN');
  await answers(page, '1234');
  await page
    .locator('.bubble')
    .filter({ hasText: /21,00.DH/ })
    .first()
    .waitFor();
  // A reload sends the form again, under the same id.
  await page.reload();
  const outcome = /Envoi de 21,00.DH.*effectué/s;
  await expect
    .poll(async () => {
      await page.getByRole('link', { name: 'Actualiser' }).click();
      return (await page.locator('.bubble').allInnerTexts()).some((text) => outcome.test(text));
    })
    .toBe(true);
  expect((await stage.ledger(FATIMA)).operations).toHaveLength(before + 1);
});

test('money that comes meanwhile is shown once, after it was answered', async () => {
  const page = await plainPage();
  await page.goto(`${stage.wasl.url}/chat/plain`);
  await links(page);
  await stage.sends(22, YOUSSEF, FATIMA);
  await expect
    .poll(async () => {
      await page.getByRole('link', { name: 'Actualiser' }).click();
      return (await page.locator('.bubble').allInnerTexts()).filter((text) => text.includes('22,00')).length;
    })
    .toBe(1);
  await page.getByRole('button', { name: 'Solde' }).click();
  await sees(page, 'code PIN');
  expect((await page.locator('.bubble').allInnerTexts()).join()).not.toContain('22,00');
});

test('another site sends nothing with its cookie, and a browser without cookies is told', async () => {
  const url = `${stage.wasl.url}/chat/plain`;
  const cookie = (await fetch(`${stage.wasl.url}/chat`)).headers.get('set-cookie')?.split(';')[0] ?? '';
  const body = () => new URLSearchParams({ id: crypto.randomUUID(), text: 'solde' });
  const post = (headers: Record<string, string>) =>
    fetch(url, { method: 'POST', headers: { cookie, ...headers }, body: body(), redirect: 'manual' });
  expect((await post({ origin: 'https://evil.example' })).status).toBe(403);
  expect((await post({})).status).toBe(403);
  expect((await post({ origin: 'null' })).status).toBe(403);
  const own = await post({ origin: stage.wasl.url });
  expect(own.status).toBe(200);
  expect(own.headers.get('content-security-policy')).toMatch(/script-src 'none'.*form-action 'self'/);
  expect(await (await fetch(`${url}?again`)).text()).toContain('cookies');
});

test.each(['fr', 'ar', 'en'] as const)('in %s nobody is kept out (axe)', async (language) => {
  const page = await plainPage(`${language}-MA`, false);
  await page.goto(`${stage.wasl.url}/chat/plain`);
  await page.locator('.bubble').waitFor();
  expect(await page.locator('html').getAttribute('dir')).toBe(language === 'ar' ? 'rtl' : 'ltr');
  expect(await axeFinds(page)).toEqual([]);
  const other = { fr: 'English', ar: 'English', en: 'Français' }[language];
  await page.getByRole('button', { name: other }).click();
  await page.locator(`html[lang="${other === 'English' ? 'en' : 'fr'}"]`).waitFor();
});
