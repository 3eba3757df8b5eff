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

/** The same browser, whose customer says no. */
const DENIES = `
Object.defineProperty(Notification, 'permission', { get: () => 'default' });
Notification.requestPermission = async () => 'denied';`;
/** An iPhone's Safari notifies nobody before the page is installed. */
const IPHONE = `
delete window.PushManager;
Object.defineProperty(navigator, 'userAgent', { get: () => 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)' });`;

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

/** Fatima's chat, in a browser that does this. */
async function fatima(script: string) {
  const page = await stage.page({ width: 390, height: 844 });
  await page.context().grantPermissions(['notifications']);
  await page.addInitScript(script);
  const chat = chatPage(page, stage.wasl.url);
  await chat.opens();
  await chat.links(FATIMA);
  const pays = async (dirhams: number) => {
    await chat.writes(`/transfer ${YOUSSEF} ${dirhams}`);
    await chat.sees('Tapez votre code PIN');
    await chat.writes('1234');
    await chat.sees(new RegExp(`Envoi de ${dirhams},00.DH.*effectué`, 's'));
  };
  return { page, chat, asks: page.locator('#asks'), pays };
}

test('the question comes after the first payment, takes no height of the conversation, and comes once', async () => {
  const { page, chat, asks, pays } = await fatima(
    SUBSCRIBES.replace('GIVEN', JSON.stringify(service.subscription())),
  );
  const height = () => page.locator('#scroll').evaluate(({ clientHeight }) => clientHeight);
  await receives(21);
  await chat.sees('reçu 21,00');
  expect(await asks.isVisible()).toBe(false);
  await pays(22);
  await asks.waitFor();
  const shown = await height();
  const hides = (isHidden: boolean) =>
    asks.evaluate((all, to) => Object.assign(all, { hidden: to }), isHidden);
  await hides(true);
  expect(await height()).toBe(shown);
  await hides(false);
  expect(await axeFinds(page)).toEqual([]);
  const [yes, no] = [
    await asks.locator('[value="yes"]').boundingBox(),
    await asks.locator('[value="no"]:visible').boundingBox(),
  ];
  expect(yes?.y, 'both answers on one line').toBe(no?.y);
  await asks.getByRole('button', { name: 'Non merci' }).click();
  await pays(23);
  await chat.isIdle();
  expect(await asks.isVisible()).toBe(false);
});

test('the question does not come beside one about a second payment', async () => {
  const { chat, asks, pays } = await fatima(
    SUBSCRIBES.replace('GIVEN', JSON.stringify(service.subscription())),
  );
  await pays(22);
  await asks.waitFor();
  await chat.writes(`/transfer ${YOUSSEF} 22`);
  await chat.sees('Vous avez déjà envoyé');
  await chat.isIdle();
  expect(await asks.isVisible()).toBe(false);
});

test('a customer whose browser says no reads what to do', async () => {
  const { chat, asks, pays } = await fatima(DENIES);
  await pays(22);
  await asks.getByRole('button', { name: 'Oui' }).click();
  await chat.sees('Votre navigateur refuse les notifications de Wasl');
});

test('on an iPhone the customer reads how to install the page, once', async () => {
  const { page, asks, pays } = await fatima(IPHONE);
  await pays(22);
  await asks.filter({ hasText: "Sur l'écran d'accueil" }).waitFor();
  expect(await axeFinds(page)).toEqual([]);
  await asks.getByRole('button', { name: 'Compris' }).click();
  await pays(23);
  expect(await asks.isVisible()).toBe(false);
});

test('a button turns on notifications after the first payment, and they quote nothing and end with the link', async () => {
  const { page, chat, asks, pays } = await fatima(
    SUBSCRIBES.replace('GIVEN', JSON.stringify(service.subscription())),
  );
  await pays(21);
  await asks.getByRole('button', { name: 'Oui' }).click();
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
