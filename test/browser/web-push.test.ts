import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPushService } from '../push/push-service.ts';
import { axeFinds, chatPage } from './pages.ts';
import { theStage } from './stage.ts';

const FATIMA = '0600000001';
const YOUSSEF = '0600000002';
const settings: Record<string, string> = {};
let service: Awaited<ReturnType<typeof openPushService>>;
beforeAll(async () => {
  service = await openPushService();
  settings.PUSH_SERVICES = service.origin;
});
afterAll(() => service.close());
const stage = theStage({ settings });

/** Headless browsers have no push service and say that notifications are denied: this one subscribes at ours. */
const SUBSCRIBES = `
Object.defineProperty(Notification, 'permission', { get: () => (window.subscribed ? 'granted' : 'default') });
PushManager.prototype.getSubscription = async () => window.subscribed;
PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
  window.subscribed = {
    toJSON: () => (GIVEN),
    options: { applicationServerKey },
    unsubscribe: async () => delete window.subscribed,
  };
  return window.subscribed;
};`;

const receives = (dirhams: number) => stage.sends(dirhams, YOUSSEF, FATIMA);

/** Headless browsers show no notifications either: what the service worker asks for is written down. */
const WRITES_DOWN = `self.shown = [];
self.registration.showNotification = async (title, { body, silent }) => void self.shown.push([title, body, silent]);
self.registration.getNotifications = async () => [{ close: () => self.shown.push('closed') }];`;

/** Passes a message of the push service to the service worker. */
async function shownAfter(page: Page, message: string): Promise<unknown> {
  const [running] = page.context().serviceWorkers();
  const worker = running ?? (await page.context().waitForEvent('serviceworker'));
  await worker.evaluate(WRITES_DOWN);
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const push = { origin: stage.wasl.url, registrationId: await registered, data: message };
  await devtools.send('ServiceWorker.deliverPushMessage', push);
  await devtools.detach();
  await expect.poll(() => worker.evaluate('self.shown.length')).toBeGreaterThan(0);
  return worker.evaluate('self.shown');
}

/** The end of the newest message, and the top of the parts below the messages. */
const endsAt = (page: Page) =>
  page
    .locator('.bubble')
    .last()
    .evaluate((item) => item.getBoundingClientRect().bottom);
const topOf = (page: Page) => page.locator('#asks').evaluate((item) => item.getBoundingClientRect().top);

test('the question for notifications keeps the newest message in sight, and the place of a reader of older ones', async () => {
  const page = await stage.page({ width: 390, height: 600 });
  await page.context().grantPermissions(['notifications']);
  await page.addInitScript(SUBSCRIBES.replace('GIVEN', JSON.stringify(service.subscription())));
  const chat = chatPage(page, stage.wasl.url);
  await chat.opens();
  await chat.links(FATIMA);
  await chat.writes('relevé');
  await chat.writes('1234');
  await chat.writes(`/transfer ${YOUSSEF}`);
  await chat.sees('Quel montant');
  await receives(21);
  const asks = page.locator('#asks');
  await asks.waitFor();
  await expect.poll(() => endsAt(page)).toBeLessThanOrEqual(await topOf(page));
  const scrolled = () => page.locator('#scroll').evaluate(({ scrollTop }) => scrollTop);
  await page.locator('#scroll').evaluate((list) => list.scrollTo({ top: 0, behavior: 'instant' }));
  await asks.getByRole('button', { name: 'Non' }).click();
  await asks.waitFor({ state: 'hidden' });
  expect(await scrolled()).toBe(0);
});

test('a button turns on notifications after the first message, and they quote nothing and end with the link', async () => {
  const page = await stage.page({ width: 390, height: 844 });
  await page.context().grantPermissions(['notifications']);
  await page.addInitScript(SUBSCRIBES.replace('GIVEN', JSON.stringify(service.subscription())));
  const chat = chatPage(page, stage.wasl.url);
  await chat.opens();
  await chat.links(FATIMA);
  const asks = page.locator('#asks');
  expect(await asks.isVisible()).toBe(false);
  await receives(21);
  await chat.sees('Vous avez reçu 21,00');
  await asks.waitFor();
  await expect.poll(() => endsAt(page)).toBeLessThanOrEqual(await topOf(page));
  expect(await axeFinds(page)).toEqual([]);
  await asks.getByRole('button', { name: 'Oui, me prévenir' }).click();
  await chat.sees('Les notifications sont activées');

  await receives(22);
  await chat.sees('Vous avez reçu 22,00');
  expect(await asks.isVisible()).toBe(false);
  await expect.poll(() => service.delivered.length).toBe(1);
  const { text = '' } = service.delivered[0] ?? {};
  expect(JSON.parse(text)).toEqual({ text: 'Nouveau message de Wasl', language: 'fr' });

  // A customer who looks at the chat reads the message itself.
  expect(await shownAfter(page, text)).toEqual([['Wasl', 'Nouveau message de Wasl', true], 'closed']);
  await page.goto(`${stage.wasl.url}/health`);
  expect(await shownAfter(page, text)).toEqual([['Wasl', 'Nouveau message de Wasl', false]]);
  await chat.opens();
  await chat.sees('Vous avez reçu 22,00');
  await chat.writes('dissocier');
  await chat.chooses('Dissocier');
  await chat.sees("n'est plus reliée");
  await expect.poll(() => page.evaluate('window.subscribed')).toBe(undefined);
});
