import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { axeFinds, chatPage } from './pages.ts';
import { theStage } from './stage.ts';

const FATIMA = '0600000001';
const YOUSSEF = '0600000002';
const HOUR_MS = 3_600_000;

// Before Wasl starts: it takes its clock along.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now(), shouldAdvanceTime: true }));
afterEach(() => void vi.useRealTimers());
const stage = theStage({ expects: /400|ERR_FAILED/ });

/** Fatima's chat, linked, on a page of its own. */
async function fatima(size: { width?: number; height?: number } = {}) {
  const page = await stage.page({ width: 390, height: 844, ...size });
  const chat = chatPage(page, stage.wasl.url);
  await chat.opens();
  await chat.links(FATIMA);
  return { page, chat };
}

/** What stands in the log from its top: a word for each line between messages, and `said` for each message. */
const order = (page: Page) =>
  page
    .locator('#log > li')
    .evaluateAll((items) =>
      (items as unknown as { className: string }[]).map(({ className }) =>
        className.includes('bubble') ? 'said' : className,
      ),
    );

test('each message has its time, each day its line in the language of the page, and an own message its mark', async () => {
  const { page, chat } = await fatima();
  await chat.writes('menu');
  await chat.isIdle();
  expect((await order(page))[0]).toBe('day');
  expect(await page.locator('.day').allInnerTexts()).toEqual(['Aujourd’hui']);
  for (const [button, word] of [
    ['EN, English', 'Today'],
    ['ع، العربية', 'اليوم'],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    await page.locator('.day').filter({ hasText: word }).waitFor();
  }
  const times = await page
    .locator('.bubble time')
    .evaluateAll((all) =>
      (all as unknown as { dataset: { shown: string } }[]).map(({ dataset }) => dataset.shown),
    );
  expect(times).toHaveLength(await page.locator('.bubble').count());
  for (const time of times) expect(time).toMatch(/^\d\d:\d\d$/);
  const marks = page.locator('.mine [role="img"]');
  expect(await marks.count()).toBe(await page.locator('.mine').count());
  expect(await marks.last().getAttribute('aria-label')).toBe('Envoyé');
  // A reload knows it still, and copying takes the words alone.
  await page.reload();
  await page.locator('.mine[data-state="sent"]').first().waitFor();
  await chat.isIdle();
  expect((await chat.bubbles()).filter((text) => /\d\d:\d\d/.test(text))).toEqual([]);
  expect(await axeFinds(page)).toEqual([]);
});

test('a message without an answer says so, and a tap sends it again under the same id: it pays once', async () => {
  const { page, chat } = await fatima();
  await chat.writes(`/transfer ${YOUSSEF} 21`);
  await chat.sees('Tapez votre code PIN');
  const before = (await stage.ledger(FATIMA)).operations.length;
  const ids: string[] = [];
  await page.route('**/chat/messages', async (route) => {
    ids.push(route.request().postDataJSON().id);
    // The server has it, and its answer is lost.
    const answer = await route.fetch();
    return ids.length === 1 ? route.fulfill({ status: 400, json: {} }) : route.fulfill({ response: answer });
  });
  await chat.writes('1234');
  const mine = page.locator('.mine[data-state="failed"]');
  await mine.filter({ hasText: 'Sans réponse' }).waitFor();
  await chat.sees('ne payez pas une seconde fois');
  expect(await axeFinds(page)).toEqual([]);
  await mine.getByRole('button', { name: 'Vérifier' }).dblclick();
  await chat.sees(/Envoi de 21,00.DH.*effectué/s);
  await page.locator('.mine[data-state="sent"]').last().waitFor();
  expect(await mine.count()).toBe(0);
  expect(await page.locator('.unsent').count()).toBe(0);
  expect(ids).toEqual([ids[0], ids[0]]);
  expect((await stage.ledger(FATIMA)).operations).toHaveLength(before + 1);
});

test('a line stands above what came while the customer read older messages, until they answer', async () => {
  const { page, chat } = await fatima({ height: 500 });
  await chat.writes('relevé');
  await chat.sees('code PIN');
  await page.locator('#scroll').evaluate((list) => list.scrollTo({ top: 0, behavior: 'instant' }));
  const newest = page.getByRole('button', { name: 'Aller au dernier message' });
  await newest.waitFor();
  await stage.sends(21, YOUSSEF, FATIMA);
  await chat.sees('reçu 21,00');
  expect((await order(page)).slice(-2)).toEqual(['unread', 'said']);
  expect(await page.locator('#scroll').evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  expect(await axeFinds(page)).toEqual([]);
  await newest.click();
  await newest.waitFor({ state: 'hidden' });
  await chat.writes('1234');
  await chat.isIdle();
  expect(await page.locator('.unread').count()).toBe(0);
});

test('what came while the page was closed stands below a line, with the time at which it was said', async () => {
  const { page, chat } = await fatima();
  await page.goto(`${stage.wasl.url}/health`);
  await stage.sends(21, YOUSSEF, FATIMA);
  // It waits once a new stream brings it with its age, which acknowledges nothing.
  await page.evaluate(
    `new Promise((resolve) => {
      const look = () => {
        const stream = new EventSource('/chat/events');
        stream.addEventListener('push', ({ data }) => {
          stream.close();
          if (JSON.parse(data).agoMs === undefined) look();
          else resolve();
        });
      };
      look();
    })`,
  );
  vi.setSystemTime(Date.now() + 2 * HOUR_MS);
  await chat.opens();
  await chat.sees('reçu 21,00');
  await page.locator('.unread').waitFor();
  expect((await order(page)).at(-2)).toBe('unread');
  const said = await page.locator('.bubble.news time').last().getAttribute('datetime');
  const ago = await page.evaluate(`Date.now() - Date.parse('${said}')`);
  expect(ago).toBeGreaterThan(2 * HOUR_MS - 1);
});

test('a new chat that is asked to open a wallet asks for the number, and shows only ways that lead somewhere', async () => {
  const page = await stage.page({ width: 390, height: 844 });
  const chat = chatPage(page, stage.wasl.url);
  const ways = () => page.locator('.ways button:visible').allInnerTexts();
  await chat.opens();
  await chat.sees('Quel est votre numéro');
  expect(await ways()).toEqual(['Aide']);
  await chat.writes('ouvrir un compte');
  await expect.poll(async () => (await chat.bubbles()).at(-1)).toContain('Quel est votre numéro de mobile');
  await page.getByRole('button', { name: 'Aide' }).click();
  await chat.sees('Avec Wasl');
  expect(await ways()).toEqual(['Retour', 'Menu']);
  await page.getByRole('button', { name: 'Retour', exact: true }).click();
  await expect.poll(ways).toEqual(['Aide']);
  await chat.links(FATIMA);
  // The menu has its own "help".
  expect(await ways()).toEqual([]);
  await chat.writes('je veux parler à un conseiller');
  await chat.sees('Votre dossier');
  const boxes = await page
    .locator('.bubble .whole')
    .last()
    .evaluate((reference) => reference.getClientRects().length);
  expect(boxes).toBe(1);
  expect(await axeFinds(page)).toEqual([]);
});

const sizes = [
  { width: 390, height: 844 },
  { width: 1366, height: 768 },
];
test.for(sizes)(
  'choices have one layout on a page $width wide: a card of equal rows, or equal buttons',
  async (size) => {
    const { page, chat } = await fatima(size);
    const boxes = () =>
      page.locator('.choices > *').evaluateAll((all) =>
        (all as unknown as { getBoundingClientRect(): { x: number; width: number; height: number } }[]).map(
          (each) => {
            const { x, width, height } = each.getBoundingClientRect();
            return { x: Math.round(x), width: Math.round(width), height: Math.round(height) };
          },
        ),
      );
    const languages = ['FR, français', 'ع، العربية', 'EN, English'];
    for (const name of languages) {
      const button = page.getByRole('button', { name });
      if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click();
      await page.locator(`#languages button[aria-pressed="true"][aria-label="${name}"]`).waitFor();
      await chat.isIdle();
      const menu = await boxes();
      expect(menu.length).toBeGreaterThan(4);
      expect(new Set(menu.map(({ x, width, height }) => `${x} ${width} ${height}`)).size, name).toBe(1);
      expect(await axeFinds(page), name).toEqual([]);
    }
    await chat.writes('unlink');
    await page.locator('.choices > :nth-child(2):last-child').waitFor();
    const [first, second] = await boxes();
    expect(first?.width).toBe(second?.width);
  },
);

test.for([
  ['200 %', 683, 384],
  ['400 %', 341, 192],
] as const)('zoomed in to %s, the conversation keeps half of the height', async ([, width, height]) => {
  const { page, chat } = await fatima({ width, height });
  const share = () =>
    page
      .locator('#scroll')
      .evaluate(({ clientHeight }) => clientHeight)
      .then((px) => px / height);
  expect(await share(), 'the menu').toBeGreaterThanOrEqual(0.5);
  await chat.writes(`/transfer ${YOUSSEF} 21`);
  await chat.sees('Tapez votre code PIN');
  await expect.poll(share, { message: 'a PIN' }).toBeGreaterThanOrEqual(0.5);
  await expect
    .poll(() => page.locator('.camera').isVisible(), { message: 'a photo of a code beside a PIN' })
    .toBe(false);
  await page.context().setOffline(true);
  await page.evaluate(`document.getElementById('offline').hidden = false`);
  await expect.poll(share, { message: 'offline' }).toBeGreaterThanOrEqual(0.5);
  await page.context().setOffline(false);
  for (const name of ['FR, français', 'Menu', 'Aide'])
    await page.locator('.chat > :not(.scroll)').getByRole('button', { name }).first().click({ trial: true });
});
