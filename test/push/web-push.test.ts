import { expect, onTestFinished, test } from 'vitest';
import { notifyOf } from '../../src/channels/web/notifications.ts';
import { createSecrets, type Secrets } from '../../src/conversation/secrets.ts';
import { createWebPush, type WebPushOptions } from '../../src/push/web-push.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { fakeLog } from '../channels/fakes.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { createBrowser, openPushService } from './push-service.ts';

const ADDRESS = 'web:somebody';
const OLD = 'the old key of the tests, of 32 characters';
const NEW = 'the new key of the tests, of 32 characters';
const PUSH = { reader: 'fatima', language: 'fr' } as const;

async function stage() {
  const service = await openPushService();
  const directory = newDirectory('push');
  const store = await openSqliteStore({ directory });
  onTestFinished(async () => {
    service.close();
    await store.close();
  });
  const { lines, log } = fakeLog();
  /** A process on the store. */
  const boots = (secrets: Secrets, more: Partial<WebPushOptions> = {}) =>
    createWebPush({
      store,
      secrets,
      contact: 'https://wasl.example',
      services: ['push.example', service.origin],
      log,
      now: Date.now,
      ...more,
    });
  return { service, boots, lines };
}

test('the browser of a linked chat reads that there is a message, in its language and nothing else', async () => {
  const { service, boots } = await stage();
  const webPush = boots(createSecrets(OLD));
  expect(await webPush.subscribe(ADDRESS, service.subscription())).toBe(true);
  const tell = notifyOf(webPush);
  await tell(ADDRESS, PUSH);
  await tell(ADDRESS, { ...PUSH, language: 'ar' });
  await tell(ADDRESS, { ...PUSH, underway: true });
  await tell('web:somebody-else', PUSH);
  expect(service.delivered.map(({ text }) => JSON.parse(text))).toEqual([
    { text: 'Nouveau message de Wasl', language: 'fr' },
    { text: 'رسالة جديدة من وصل', language: 'ar' },
  ]);
  expect(service.delivered[0]?.headers).toMatchObject({ ttl: '86400', urgency: 'high', topic: 'wasl' });
  expect(service.delivered[0]?.signedWith).toBe(await webPush.publicKey());
});

test('a chat that is linked no more is forgotten with its first message, and told nothing', async () => {
  const { service, boots } = await stage();
  const webPush = boots(createSecrets(OLD));
  await webPush.subscribe(ADDRESS, service.subscription());
  const { reader: _gone, ...unlinked } = PUSH;
  for (const push of [unlinked, PUSH]) await notifyOf(webPush)(ADDRESS, push);
  expect(service.delivered).toEqual([]);
});

test.each([
  ['the browser is not there any more', 410, 0],
  ['it never was', 404, 0],
  ['it was subscribed with another key', 403, 0],
  ['the service has too much to do', 429, 1],
  ['the service is ill', 503, 1],
])('%s (%i): said by the service, and tried with the next message %i times', async (_, status, after) => {
  const { service, boots, lines } = await stage();
  const webPush = boots(createSecrets(OLD));
  await webPush.subscribe(ADDRESS, service.subscription());
  service.answers.status = status;
  await webPush.send(ADDRESS, 'one');
  service.answers.status = 201;
  await webPush.send(ADDRESS, 'two');
  expect(service.delivered).toHaveLength(after);
  expect(lines.join()).not.toMatch(/\/to\/browser/);
});

test('processes share one key, and it and subscriptions outlive a new SECRETS_KEY', async () => {
  const { service, boots } = await stage();
  const first = boots(createSecrets(OLD));
  const key = await first.publicKey();
  await first.subscribe(ADDRESS, service.subscription());
  for (const [first, ...others] of [[OLD, NEW], [NEW, OLD], [NEW]] as const)
    expect(await boots(createSecrets(first, ...others)).publicKey()).toBe(key);
  await boots(createSecrets(NEW, OLD)).send(ADDRESS, 'still here');
  // Its seal was the old key's alone: the next visit of its browser brings it again.
  await boots(createSecrets(NEW)).send(ADDRESS, 'not any more');
  expect(service.delivered.map(({ text }) => text)).toEqual(['still here']);
  const privateKey = 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw';
  expect(await boots(createSecrets(NEW), { privateKey }).publicKey()).toMatch(/^BP4z9KsN6nGRTbVYI_c7VJSP/);
});

/** A visitor may send any address. We write only to those of push services. */
test.each([
  ['a host of ours', 'http://127.0.0.1:6379/'],
  ['the metadata of a cloud', 'http://169.254.169.254/latest/'],
  ['another host', 'https://evil.example/push.example'],
  ['a host that ends alike', 'https://evilpush.example/'],
  ['a name and password', 'https://user:secret@push.example/'],
  ['another port of such a host', 'https://push.example:6443/'],
  ['no https', 'http://push.example/'],
  ['no address', 'push.example'],
  ['an address without an end', `https://push.example/${'x'.repeat(1_000)}`],
])('no subscription: %s', async (_, endpoint) => {
  const { service, boots } = await stage();
  const webPush = boots(createSecrets(OLD));
  const { keys } = service.subscription();
  expect(await webPush.subscribe(ADDRESS, { endpoint, keys })).toBe(false);
  expect(await webPush.subscribe(ADDRESS, { endpoint: 'https://eu.push.example/1', keys })).toBe(true);
});

test.each([
  ['none', undefined],
  ['text', 'abc'],
  ['a point that is on no curve', { p256dh: 'A'.repeat(87), auth: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ['a point with more behind it', { p256dh: `${createBrowser().keys.p256dh}${'!'.repeat(15_000)}` }],
  ['a secret that is too short', { auth: 'AAAA' }],
])('no subscription: keys that are %s', async (_, keys) => {
  const { service, boots } = await stage();
  const given = service.subscription();
  const wrong = { ...given, keys: typeof keys === 'object' ? { ...given.keys, ...keys } : keys };
  expect(await boots(createSecrets(OLD)).subscribe(ADDRESS, wrong)).toBe(false);
});

test('the double reads the example of RFC 8291, so it reads our messages by the standard', () => {
  const browser = createBrowser({
    privateKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  });
  const message =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN';
  expect(browser.decrypts(Buffer.from(message, 'base64url'))).toBe(
    'When I grow up, I want to be a watermelon',
  );
});
