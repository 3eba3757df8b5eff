import { expect, test } from 'vitest';
import { axeFinds, chatPage } from './pages.ts';
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
  expect(manifest).toMatchObject({ start_url: '/chat', display: 'standalone', lang: 'fr', dir: 'ltr' });
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

/** The size that a PNG itself names, and how far its colours are from those of the drawing, 0 to 255. */
const LOOKS = `async (src) => {
  const load = (at) => new Promise((resolve, reject) => {
    const img = Object.assign(new Image(), { onload: () => resolve(img), onerror: reject });
    img.src = at;
  });
  const pixels = (img) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 });
    const context = canvas.getContext('2d');
    context.drawImage(img, 0, 0, 64, 64);
    return context.getImageData(0, 0, 64, 64).data;
  };
  const [icon, drawing] = [await load(src), await load('/chat/public/icon.svg')];
  const [one, other] = [pixels(icon), pixels(drawing)];
  const far = one.reduce((sum, value, i) => sum + Math.abs(value - other[i]), 0) / one.length;
  return { sizes: icon.naturalWidth + 'x' + icon.naturalHeight, far };
}`;

test.each([
  ['fr-MA', 'fr', 'ltr', "Envoyer de l'argent"],
  ['ar-MA', 'ar', 'rtl', 'إرسال المال'],
  ['en-GB', 'en', 'ltr', 'Send money'],
])(
  'in %s the app has its language, icons of the size they name, and shortcuts',
  async (locale, lang, dir, send) => {
    const page = await stage.page({ locale });
    await page.goto(`${stage.wasl.url}/chat`);
    const manifest = (await page.evaluate(
      `fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json())`,
    )) as {
      readonly icons: readonly { src: string; sizes: string; type: string; purpose: string }[];
      readonly shortcuts: readonly { name: string; url: string }[];
    };
    expect(manifest).toMatchObject({ lang, dir });
    expect(manifest.shortcuts[0]).toMatchObject({ name: send, url: '/chat?start=startTransfer' });
    const pngs = manifest.icons.filter(({ type }) => type === 'image/png');
    expect(pngs.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
      '192x192 any',
      '512x512 any',
      '512x512 maskable',
    ]);
    for (const { src, sizes, purpose } of pngs) {
      const looks = (await page.evaluate(`(${LOOKS})('${src}')`)) as { sizes: string; far: number };
      expect(looks.sizes).toBe(sizes);
      // A maskable one is the same sign, smaller, on a ground that has no corners.
      expect(looks.far, src).toBeLessThan(purpose === 'any' ? 4 : 40);
    }
  },
);

test('a shortcut of the installed app begins its conversation once, and a link on a page begins none', async () => {
  const page = await stage.page({ width: 390, height: 844 });
  const chat = chatPage(page, stage.wasl.url);
  await chat.opens();
  await chat.links('0600000001');
  const start = () => page.goto(`${stage.wasl.url}/chat?start=startBalance`);
  await start();
  await page.waitForURL(/\/chat$/);
  await chat.isIdle();
  expect(await page.locator('.mine').filter({ hasText: 'Solde' }).count()).toBe(0);
  await page.addInitScript(
    `const media = matchMedia;
    window.matchMedia = (query) => (query.includes('standalone') ? { matches: true } : media(query));`,
  );
  await start();
  await chat.sees('code PIN');
  expect(await page.locator('.mine').filter({ hasText: 'Solde' }).count()).toBe(1);
  await page.reload();
  await chat.isIdle();
  expect(await page.locator('.mine').filter({ hasText: 'Solde' }).count()).toBe(1);
});
