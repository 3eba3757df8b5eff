import { readFileSync } from 'node:fs';
import type { BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { balanceOf, call, FATIMA, NOON, sandbox, transfer, YOUSSEF } from '../sandbox/kit.ts';
import { receiver } from '../sandbox/receiver.ts';
import { newPage } from './pages.ts';

const HOUR_MS = 3_600_000;
const SECTIONS = [
  'wallets',
  'ledger',
  'requests',
  'sms',
  'webhooks',
  'faults',
  'time',
  'test-data',
  'settings',
];
const THINGS = ['wallets/1', 'operations/1', 'requests/1', 'webhooks/1'];

/** A sandbox in which one transfer has settled, its partner, and somebody at its desk. */
async function atTheDesk(options: BrowserContextOptions = {}) {
  const partner = await receiver();
  const wallet = sandbox({
    webhookUrl: partner.url,
    webhookKey: 'hook-key',
    partners: [{ apiKey: 'other-key', scopes: '*' }],
  });
  const server = await wallet.listen(0);
  onTestFinished(server.close);
  await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100));
  await wallet.clock.advance(1_200);
  const permissions = ['clipboard-read', 'clipboard-write'];
  // The page tells of a refusal, and the browser in its own way.
  const isRefusal = (message: ConsoleMessage) => message.text().includes('400 (Bad Request)');
  const page = await newPage({ permissions, ...options }, isRefusal);
  await page.addInitScript(KEEPS_SAID);
  page.on('dialog', (dialog) => void dialog.accept());
  const opens = (path: string) => page.goto(`${server.url}${path}`);
  return { wallet, partner, page, opens };
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
/** The page's message goes after some seconds. It is kept for a slow test. */
const KEEPS_SAID = `self.everSaid = [];
new MutationObserver((changes) => {
  for (const { target } of changes)
    if (target.role === 'status' && target.textContent !== '') self.everSaid.push(target.textContent);
}).observe(document, { subtree: true, childList: true });`;
/** The page has said it, so many times. */
const says = (page: Page, what: string, times = 1) =>
  expect
    .poll(async () => (await page.evaluate<string[]>('self.everSaid')).filter((each) => each.includes(what)))
    .toHaveLength(times);

test('a webhook is sent again, and one is forged', async () => {
  const { partner, page, opens } = await atTheDesk();
  await opens('/desk/webhooks');
  await press(page, 'Send again');
  await expect.poll(() => partner.received.length).toBe(2);
  await page.getByLabel('Properties').fill('{"Amount": 5000}');
  await press(page, 'Send it');
  await expect.poll(() => partner.received.length).toBe(3);
  expect(partner.received[2]?.headers['x-api-key']).toBe('the-key-of-a-forger');
  expect(partner.received[2]?.data).toMatchObject({ EventId: 'transfer.received', Amount: 5000 });
  await page.locator('#webhooks .badge', { hasText: 'forged' }).waitFor();
  await page.getByLabel('Properties').fill('{"Amount": ');
  await press(page, 'Send it');
  await says(page, 'no JSON');
  expect(partner.received).toHaveLength(3);
});

test('after 72 hours a partner that was down has had every delivery', async () => {
  const { wallet, partner, page, opens } = await atTheDesk();
  partner.answer(500);
  await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 50));
  await opens('/desk/time');
  await press(page, 'Freeze');
  await page.locator('#clock').getByText('frozen').waitFor();
  await press(page, '+ 72 h');
  await expect.poll(() => wallet.clock.now()).toBeGreaterThanOrEqual(NOON + 72 * HOUR_MS);
  expect(partner.received.length).toBeGreaterThan(10);
  await page.locator('#clock time').filter({ hasText: '23 Nov 2026' }).waitFor();
  await press(page, 'Run');
  await page.locator('#clock').getByText('running').waitFor();
});

test('a saved state comes back, and a reset begins again', async () => {
  const { wallet, page, opens } = await atTheDesk();
  await opens('/desk/time');
  await page.getByLabel('Name').fill('after one');
  await press(page, 'Save');
  await says(page, 'letters, digits');
  await page.getByLabel('Name').fill('after-one');
  await press(page, 'Save');
  await page.locator('#snapshots').getByText('after-one').waitFor();
  await says(page, 'Done');

  await page.getByLabel('Seed').fill('fresh');
  await press(page, 'Reset');
  await says(page, 'Done', 2);
  expect(await balanceOf(wallet, YOUSSEF)).toBe(1200);
  await press(page, 'Restore');
  await expect.poll(() => balanceOf(wallet, YOUSSEF)).toBe(1300);
});

test('a request is copied as curl, and sent again', async () => {
  const { wallet, page, opens } = await atTheDesk();
  await opens('/desk/requests');
  await page.getByRole('link', { name: '/api/operations/transfer' }).click();
  await press(page, 'Copy');
  await says(page, 'Copied');
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied).toMatch(/^curl -X POST 'http:\/\/127\.0\.0\.1:\d+\/api\/operations\/transfer'/);
  expect(copied).toContain('-H "Svc-Api-Key: $API_KEY"');
  expect(copied).not.toContain('sandbox-key');
  const before = wallet.executions().length;
  await press(page, 'Send this request again');
  await says(page, 'Answered with 200');
  expect(wallet.executions()).toHaveLength(before + 1);
});

test('a refusal is found by its code, and a request shows its operation', async () => {
  const { wallet, page, opens } = await atTheDesk();
  await call(wallet, 'executeTransfer', transfer(FATIMA, FATIMA, 10));
  await opens('/desk/requests');
  await page.locator('#requests td', { hasText: '90012' }).waitFor();
  await page.getByRole('link', { name: 'Refused' }).click();
  await expect.poll(() => page.locator('#requests tbody tr').count()).toBe(1);
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await expect.poll(() => page.locator('#requests tbody tr').count()).toBe(2);
  await page.locator('#requests tbody a').last().click();
  await page.getByRole('heading', { name: 'POST /api/operations/transfer' }).waitFor();
  await page.locator('#operation').getByText('COMPLETED').waitFor();
});

test('another reading is chosen, and told from those that are as they were', async () => {
  const { wallet, page, opens } = await atTheDesk();
  await opens('/desk/settings');
  await page.getByText('Nothing is read otherwise now.').waitFor();
  await page.getByText(/^All \d+ readings$/).click();
  await page.getByLabel('A wrong PIN (question 2)').selectOption('notLogged');
  await press(page, 'Save the readings');
  await page.locator('#readings').getByText('A wrong PIN succeeds with logged: false').waitFor();
  const said = await call(wallet, 'loginCustomer', { phoneNumber: FATIMA, pin: '0000' });
  expect(said.body.data).toMatchObject({ logged: false });
});

test('the page updates by itself, and keeps the text being typed', async () => {
  const { wallet, page, opens } = await atTheDesk();
  await opens('/desk/webhooks');
  await page.getByLabel('Properties').fill('{"Amount": 7}');
  await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 50));
  await wallet.clock.advance(1_200);
  await expect.poll(() => page.locator('#webhooks tbody tr').count()).toBe(2);
  expect(await page.getByLabel('Properties').inputValue()).toBe('{"Amount": 7}');
});

test('faults, modules, a new key, and another partner’s view', async () => {
  const { wallet, page, opens } = await atTheDesk();
  await opens('/desk/faults');
  await page
    .getByRole('row', { name: /answerLost/ })
    .getByRole('button', { name: 'Once' })
    .click();
  await page.locator('#set').getByText('answerLost').waitFor();
  expect(wallet.faults.list()).toMatchObject([{ name: 'answerLost', count: 1 }]);
  await opens('/desk/settings');
  await page
    .getByRole('row', { name: /^telco/ })
    .getByRole('button')
    .click();
  await page.getByText('not enabled', { exact: true }).waitFor();
  expect(wallet.modules().telco).toBe(false);
  await page.getByLabel('Scopes').fill('customers');
  await page.getByLabel('bills', { exact: true }).uncheck();
  await page.locator('input[name=apiKey]').fill('shop-key-1');
  await press(page, 'Create a key');
  await page.waitForURL(/partner=3/);
  expect(await page.locator('#partner option:checked').textContent()).toBe('shop-key-1');
  await page.locator('nav').getByText('Ledger').click();
  await page.getByText('No operation yet.').waitFor();
  await page.locator('#partner').selectOption('sandbox-key');
  await page.locator('#operations a').first().waitFor();
});

test('a session is recorded, and a scenario and a snapshot are loaded from files', async () => {
  const { wallet, page, opens } = await atTheDesk();
  await opens('/desk/time');
  await press(page, 'Begin again and record');
  await page.getByText('0 requests so far').waitFor();
  await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 25));
  await page.getByText('1 requests so far').waitFor();
  const address = await page.getByText('Download the scenario').getAttribute('href');
  const recorded = await (await wallet.app.request(address ?? '')).text();
  await press(page, 'Stop');
  await page.getByText('Begin again and record').waitFor();

  await page.locator('input[name=name]').fill('before');
  await press(page, 'Save');
  await page.getByRole('cell', { name: 'before' }).waitFor();
  const snapshot = await (await wallet.app.request('/sandbox/snapshots/before')).arrayBuffer();
  const sends = async (accept: string, name: string, buffer: Buffer, button: string) => {
    await page.locator(`input[accept="${accept}"]`).setInputFiles({ name, mimeType: 'text/plain', buffer });
    await press(page, button);
  };
  await sends('.db', 'loaded.db', Buffer.from(snapshot), 'Load');
  await page.getByRole('cell', { name: 'loaded' }).waitFor();
  wallet.reset();
  await sends('.json', 'played.json', Buffer.from(recorded), 'Begin with it');
  await expect.poll(() => wallet.executions().map(({ amount }) => amount)).toEqual([25_00]);
  await sends('.json', 'bad.json', Buffer.from('{"clients": []}'), 'Begin with it');
  await says(page, 'clients');
});

test('a customer is made', async () => {
  const { wallet, page, opens } = await atTheDesk();
  await opens('/desk/wallets');
  await page.locator('input[name=balance]').fill('77.5');
  await press(page, 'Make a customer');
  await page.getByRole('row', { name: /\+212650000001/ }).waitFor();
  expect(await balanceOf(wallet, '+212650000001')).toBe(77.5);
});

test.each([
  [1280, 'light'],
  [390, 'dark'],
] as const)('every page stands at %d px, %s, and can be read aloud', async (width, colorScheme) => {
  const { page, opens } = await atTheDesk({ viewport: { width, height: 844 }, colorScheme, bypassCSP: true });
  const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
  for (const path of ['/', ...[...SECTIONS, ...THINGS].map((each) => `/desk/${each}`)]) {
    expect([path, (await opens(path))?.status()]).toEqual([path, 200]);
    const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect([path, await page.evaluate(wide)]).toEqual([path, 0]);
    await page.evaluate(axe);
    const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
      'axe.run()',
    );
    const wrong = found.violations.map(({ id, nodes }) => `${path} ${id}: ${nodes[0]?.html}`);
    expect(wrong).toEqual([]);
  }
});

test('a missing page says so, and no inline script may run', async () => {
  const { wallet } = await atTheDesk();
  for (const path of ['/desk/wallets/99', '/desk/operations/99', '/desk/requests/x', '/desk/webhooks/99']) {
    const answer = await wallet.app.request(path);
    expect([path, answer.status]).toEqual([path, 404]);
    expect(await answer.text()).toContain('not any more');
  }
  const answer = await wallet.app.request('/');
  expect(answer.headers.get('content-security-policy')).toContain(
    "default-src 'none'; script-src 'self'; style-src 'self'",
  );
  expect(await answer.text()).not.toMatch(/<script(?! defer src)|<style| style=| on\w+=/);
  const search = encodeURIComponent('"><script>alert(1)</script>');
  expect(await (await wallet.app.request(`/desk/wallets?search=${search}`)).text()).not.toContain(
    '<script>alert',
  );
  const gone = await wallet.app.request('/desk/wallets?partner=77');
  expect([gone.status, gone.headers.get('location')]).toEqual([303, '/desk/wallets']);
});
