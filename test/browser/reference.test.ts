import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { API } from '../../src/wallet/contract/api.ts';
import { axeFinds, theBrowser } from './pages.ts';

const browser = await theBrowser();

/** The reference page in a browser. The test fails on its complaints and on requests to other servers. */
async function opened(width: number) {
  const sandbox = createSandbox({ file: ':memory:' });
  const server = await sandbox.listen(0);
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('console', (message) => troubles.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url) && !request.url().startsWith('data:'))
      troubles.push(request.url());
  });
  onTestFinished(async () => {
    await page.close();
    await server.close();
    await sandbox.close();
    expect(troubles).toEqual([]);
  });
  await page.goto(`${server.url}/reference`);
  return page;
}

test('shows every operation, and finds one', async () => {
  const page = await opened(1280);
  expect(await page.locator('nav [data-find]').count()).toBe(Object.keys(API).length);
  await page.locator('#search').fill('BALANCE');
  expect(await page.locator('nav [data-find]:visible').allInnerTexts()).toEqual([
    expect.stringContaining('customerBalance'),
  ]);
  await page.locator('#search').press('Enter');
  await page.waitForURL(/#customerBalance$/);
  const article = page.locator('#customerBalance');
  await article.waitFor();
  expect(await article.textContent()).toMatch(
    /\/api\/customers\/balance[\s\S]*phoneNumber[\s\S]*"balance": 3500/,
  );
});

test('fits a phone, and axe finds nothing', async () => {
  const page = await opened(390);
  expect(await axeFinds(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});
