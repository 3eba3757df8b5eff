import { expect, test } from 'vitest';
import { axeFinds, chatPhone } from './pages.ts';
import { theStage } from './stage.ts';

/** At level 1. */
const MEHDI = '+212600000008';

const stage = theStage();

test.each([
  ['fr-MA', 'plafond', /lien/, 'Afficher', 'Commencer', /scanné/, /est envoyée/, /niveau est maintenant 2/],
  ['ar-MA', 'السقف', /رابط/, 'إظهار', 'البدء', /صورت/, /تم إرسال/, /مستواكم الآن 2/],
] as const)(
  'a customer checks their identity on the page of the link, in %s',
  async (locale, words, link, reveal, start, scanned, sent, raised) => {
    const page = await stage.page({ locale });
    await page.goto(stage.wasl.url);
    const chat = chatPhone(page);
    const frame = page.frameLocator('#chat-frame');
    await chat.belongsTo(MEHDI);
    await frame.locator('.bubble').first().waitFor();
    await chat.writes(MEHDI);
    await frame.locator('.bubble').nth(2).waitFor();
    await chat.takes(/^Code|رمز التأكيد/);
    await frame.locator('#answer[type=password]').waitFor();
    await chat.writes('1234');
    await frame.locator('.choices button').nth(5).waitFor();
    await chat.writes(words);
    await chat.chooses(link);
    await frame.getByRole('button', { name: reveal }).click();
    const opened = page.context().waitForEvent('page');
    await frame.locator('.bubble a[href*="/identity#"]').click();
    const check = await opened;
    const width = locale === 'ar-MA' ? 390 : 1280;
    await check.setViewportSize({ width, height: 800 });
    await check.getByRole('button', { name: start }).waitFor();
    // The link is not in the address any more: neither a history nor a shoulder has it.
    await check.waitForURL(({ hash }) => hash === '');
    expect(await axeFinds(check)).toEqual([]);
    await check.getByRole('button', { name: start }).click();
    const provider = check.frameLocator('iframe');
    await provider.getByRole('button', { name: scanned }).click({ trial: true });
    await provider.getByRole('button', { name: scanned }).click();
    await check.locator('#ending').filter({ hasText: sent }).waitFor();
    await chat.sees(raised);
  },
);

test('the page says what to do without its link, and ignores a foreign frame', async () => {
  const page = await stage.page({ width: 390 });
  await page.goto(`${stage.wasl.url}/identity`);
  await page.locator('#ending').filter({ hasText: 'Demandez-en un autre' }).waitFor();
  await page.getByRole('button', { name: 'العربية' }).click();
  await page.locator('#ending').filter({ hasText: 'لم يعد هذا الرابط صالحا' }).waitFor();
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
  await page.evaluate("postMessage({ wasl: 'done' }, '*')");
  await page.locator('#ending').filter({ hasText: 'لم يعد هذا الرابط صالحا' }).waitFor();
});
