import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '/work/main/src/config.ts';
import { start } from '/work/main/src/main.ts';
import { openBrowser, telegramPhone } from '/work/main/test/browser/pages.ts';
const directory = await mkdtemp('/tmp/tgshots-');
const config = readConfig({ PORT: '0', SANDBOX_PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'error' });
if ('refused' in config) throw new Error(config.refused);
const wasl = await start(config);
const browser = await openBrowser();
const words = { fr: ['Solde', 'Envoyer', 'Paiement'], ar: ['الرصيد', 'إرسال', 'أداء'], en: ['Balance', 'Send', 'Pay'] } as const;
for (const [lang, width, scheme] of [['fr',1280,'light'],['fr',390,'dark'],['ar',390,'light'],['ar',1280,'dark'],['en',390,'light']] as const) {
  const context = await browser.newContext({ locale: lang, viewport: { width, height: width < 500 ? 844 : 1150 }, colorScheme: scheme });
  context.setDefaultTimeout(9000);
  const page = await context.newPage();
  page.on('console', (m) => m.type()==='error' && console.log('console', m.text()));
  page.on('pageerror', (e) => console.log('error', e.message));
  const shot = (n: string) => page.screenshot({ path: `/tmp/shots/tg-${lang}-${width}-${scheme}-${n}.png` });
  try {
    await page.goto(wasl.url);
    await page.locator('#ussd-owner option').first().waitFor({ state: 'attached' });
    const owner = {fr1280:'+212600000001', fr390: '+212600000003', ar390:'+212600000004', ar1280:'+212600000005', en390:'+212600000006'}[`${lang}${width}`]!;
    if (width < 500) await page.locator('#tab-chat').click();
    await page.locator('#apps button[value="telegram"]').click();
    if (owner !== '+212600000001' || true) await page.locator('#chat-owner').selectOption({ index: { fr1280: 0, fr390: 1, ar390: 2, ar1280: 7, en390: 8 }[`${lang}${width}`]! }).catch(() => {});
    await page.locator('#telegram').scrollIntoViewIfNeeded();
    if (await page.locator('#tg-start').isVisible()) { await shot('1start'); await page.locator('#tg-start').click(); }
    if (width < 500) await page.evaluate("document.querySelector('.smartphone').scrollIntoView({block:'center'})");
    const phone = telegramPhone(page);
    const share = page.locator('#tg-keyboard button').first();
    const isShared = await share.waitFor({ timeout: 3000 }).then(() => true, () => false);
    if (isShared) {
      await page.waitForTimeout(1200); await shot('2share'); await share.click();
      await page.locator('.keys button').first().waitFor(); await page.waitForTimeout(1200);
      await phone.taps('12'); await page.waitForTimeout(1200); await shot('3pin'); await phone.taps('34');
      await page.waitForTimeout(2500); await shot('4menu');
    }
    else { await page.waitForTimeout(1500); await shot('4menu'); }
    await phone.presses(new RegExp(words[lang][0])); await page.waitForTimeout(1500); await shot('5balance');
    await page.locator('#tg-menu').click(); await page.waitForTimeout(300); await shot('6commands');
    await page.locator('#tg-commands button').nth(1).click(); await page.waitForTimeout(2000); await shot('7transfer');
  } catch (e) { console.log(lang, width, String(e).slice(0, 300)); await shot('x'); }
  await context.close();
}
await browser.close(); await wasl.close(); process.exit(0);
