import { expect, test } from 'vitest';
import { axeFinds } from './pages.ts';
import { theStage } from './stage.ts';

const stage = theStage({ expects: /ERR_INTERNET_DISCONNECTED/ });

test('the chat can be installed, says that there is no network, and keeps nothing else', async () => {
  const page = await stage.page({ width: 390, height: 844 });
  await page.goto(`${stage.wasl.url}/chat`);
  await page.locator('.bubble').first().waitFor();
  expect(await axeFinds(page)).toEqual([]);
  const manifest = await page.evaluate(
    `fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json())`,
  );
  expect(manifest).toMatchObject({ start_url: '/chat', display: 'standalone' });
  const scope = await page.evaluate('navigator.serviceWorker.ready.then(({ scope }) => scope)');
  expect(scope).toBe(`${stage.wasl.url}/chat`);
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText('Pas de connexion').waitFor();
  const kept = await page.evaluate(
    `caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((it) => it.keys()))))
      .then((all) => all.flat().map(({ url }) => new URL(url).pathname))`,
  );
  const look = ['icon.svg', 'look.css', 'offline.css', 'palette.css'].map((name) => `/chat/public/${name}`);
  expect((kept as string[]).sort()).toEqual(['/chat/offline', ...look]);
  await page.context().setOffline(false);
  await page.reload();
  await page.locator('.bubble').first().waitFor();
});
