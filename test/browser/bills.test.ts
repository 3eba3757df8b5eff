import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { HIDE, SHOW } from '../../src/screen/marks.ts';
import { chatPage } from './pages.ts';
import { theStage } from './stage.ts';

const FATIMA = '0600000001';

// The unpaid bills differ from sandbox to sandbox, and a newly linked chat pays at most 1,000 DH.
const stage = theStage({ settings: { COOL_DOWN_HOURS: '0' } });
let page: Page;
let chat: ReturnType<typeof chatPage>;

beforeEach(async () => {
  page = await stage.page({ width: 390 });
  chat = chatPage(page, stage.wasl.url);
});

async function linked(): Promise<void> {
  await chat.opens();
  await chat.links(FATIMA);
}

async function choosesVoucher(): Promise<void> {
  await linked();
  await chat.chooses('Achats');
  await chat.chooses(/^Bons d'achat$/);
  await chat.chooses('Souk Frais (test)');
  await chat.chooses(/100 DH/);
}

test('a bill is paid among the creditors’ logos, with a masked password, and its receipt is saved', async () => {
  await linked();
  await chat.chooses('Factures');
  await chat.sees('Quelle facture payer');
  const logos = page.locator('.choices img');
  expect(await logos.count()).toBeGreaterThan(12);
  await expect
    .poll(() => logos.first().evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth))
    .toBeGreaterThan(0);
  await chat.writes('cnss');
  await chat.sees('affiliation');
  await chat.writes('9876543');
  await chat.sees('Code d');
  expect(await page.locator('#answer').getAttribute('type')).toBe('password');
  await chat.writes('48151623');
  await chat.sees('Factures impayées');
  expect((await page.locator('.bubble').allInnerTexts()).join('\n')).not.toContain('48151623');
  await chat.chooses(/^(?:Payer|Tout payer)/);
  await chat.sees('code PIN');
  await chat.writes('1234');
  await chat.sees('effectué');
  expect(await page.getByRole('link', { name: 'Reçu PDF' }).count()).toBe(1);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Reçu PDF' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^wasl-\d+\.pdf$/);
  expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-');
});

test.each([
  ['fr', /^Passer$/, /^Choisir ce que je paie$/],
  ['ar', /^تخطي$/, /^اختيار ما أؤديه$/],
] as const)(
  'bills are ticked in one list, and one button pays them, in %s',
  async (language, skip, choose) => {
    await linked();
    if (language === 'ar') await page.locator('#languages button[value="ar"]').click();
    // This school has several bills in every sandbox.
    await chat.writes('/bill');
    await chat.writes('amandiers');
    await chat.writes('E1234');
    await chat.writes('Zoé Tazi');
    await chat.chooses(skip);
    // Fees, total and the sum of each bill stand in one column, and so do the sums of the list. One button is the main one.
    const ends = (parts: string) =>
      page.locator(parts).evaluateAll((all, isArabic) => {
        const edges = all.map((part) => part.getBoundingClientRect()[isArabic ? 'left' : 'right']);
        return [edges.length, new Set(edges.map(Math.round)).size];
      }, language === 'ar');
    await expect.poll(async () => (await ends('.bubble:last-child .value')).at(-1)).toBe(1);
    expect(await page.locator('.choices [data-style="success"]').count()).toBe(1);
    await chat.chooses(choose);
    const boxes = page.locator('.choices [role="checkbox"]');
    await expect.poll(() => boxes.count()).toBeGreaterThan(1);
    expect(await ends('.choices .sum')).toEqual([await boxes.count(), 1]);
    // Nothing is ticked, and nothing can be paid.
    expect(await page.locator('.choices button').count()).toBe(await boxes.count());
    const bubbles = await page.locator('.bubble').count();
    await boxes.last().click();
    await expect.poll(() => boxes.last().getAttribute('aria-checked')).toBe('true');
    const pay = page.locator('.choices button:not([role])');
    expect(await pay.textContent()).toMatch(/\d,\d\d/);
    expect(await page.locator('.bubble').count(), 'a tick says nothing').toBe(bubbles);
  },
);

test('a voucher is shown with its picture', async () => {
  await choosesVoucher();
  await chat.sees('Pour qui');
  const picture = page.locator('.bubble img');
  await expect
    .poll(() => picture.evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth))
    .toBe(480);
});

test('a voucher’s code opens on a line of its own and stays in sight, and its receipt has the PDF', async () => {
  await choosesVoucher();
  await chat.chooses('Pour moi');
  await chat.sees('code PIN');
  expect(await page.locator('.bubble strong').last().textContent()).toMatch(/^100,00.DH$/);
  await chat.writes('1234');
  await chat.sees('Le code de votre bon');
  expect(await page.locator('.bubble').getByRole('button', { name: 'Reçu PDF' }).count()).toBe(1);
  await page.getByRole('button', { name: 'Afficher' }).click();
  const code = page.locator('.code');
  await expect.poll(() => code.textContent()).toMatch(/^[A-Z\d]{4}(?:-[A-Z\d]{4})+$/);
  const bottom = async () => (await page.locator('.bubble').last().boundingBox())?.y ?? Number.NaN;
  const ways = (await page.locator('#ways').boundingBox())?.y ?? 0;
  await expect.poll(bottom).toBeLessThan(ways);
});

test('the sums of a statement stand in one column, and its rows stay below its heading', async () => {
  await linked();
  await chat.writes('relevé');
  await chat.sees('code PIN');
  await chat.writes('1234');
  await chat.sees('Toutes les opérations');
  const sums = page.locator('.sums .sum');
  await expect.poll(() => sums.count()).toBeGreaterThan(3);
  const boxes = await Promise.all((await sums.all()).map((sum) => sum.boundingBox()));
  expect(new Set(boxes.map((box) => box && Math.round(box.x + box.width))).size).toBe(1);
  const row = (await page.locator('.sums').first().textContent()) ?? 'none';
  await chat.writes('menu');
  const list = page.locator('.bubble').filter({ hasText: 'Toutes les opérations' });
  await expect.poll(() => list.textContent()).toContain(row);
});

test('a hidden code is shown when it is tapped, and counts as seen only then', async () => {
  const seen: string[] = [];
  const code = {
    id: 'code-1',
    screenId: null,
    language: 'fr',
    direction: 'ltr',
    text: `Votre code : ${HIDE}\u2066ABCD-1234\u2069${SHOW}\nGardez-le bien.`,
    choices: [],
    expects: 'nothing',
    isSecret: true,
  };
  const body = `event: open\ndata:\n\nevent: push\ndata: ${JSON.stringify(code)}\n\n`;
  await page.route('**/chat/events', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
  await page.route('**/chat/seen', (route) => {
    seen.push(route.request().postData() ?? '');
    return route.fulfill({ status: 204 });
  });
  await chat.opens();
  await chat.sees('Votre code');
  const bubble = page.locator('.bubble').filter({ hasText: 'Votre code' });
  expect(await bubble.textContent()).not.toContain('ABCD');
  expect(seen).toEqual([]);

  await bubble.getByRole('button', { name: 'Afficher' }).focus();
  await page.keyboard.press('Enter');
  await chat.sees('ABCD-1234');
  expect(await page.locator('.code').textContent()).toBe('ABCD-1234');
  expect(await page.evaluate('document.activeElement.className')).toBe('code');
  await expect.poll(() => seen).toEqual([JSON.stringify({ ids: ['code-1'] })]);
});
