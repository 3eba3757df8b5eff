import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { alone } from '../kit/alone.ts';
import { chatPage, chatPhone } from './pages.ts';
import { theStage } from './stage.ts';

const stage = theStage();

/** The web chat of Youssef's smartphone, linked to his wallet. */
async function linked(): Promise<{ page: Page; chat: ReturnType<typeof chatPhone> }> {
  const page = await stage.page({ height: 900 });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(stage.wasl.url);
  const chat = chatPhone(page);
  await chat.links();
  return { page, chat };
}

/** Everything that this browser keeps of the chat. */
function kept(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
}

test('the history is there after a reload, without PIN-protected data, until the chat is unlinked', async () => {
  const { page, chat } = await linked();
  await chat.chooses('Solde');
  await chat.writes('1234');
  await chat.sees('Votre solde');
  await chat.chooses('Menu');
  await chat.sees('Que souhaitez-vous');
  await chat.writes('dépôt 300');
  await chat.sees('Référence');
  const reference = /\d{12}/.exec((await chat.bubbles()).at(-1) ?? '')?.[0] ?? 'none';
  await page.frameLocator('#chat-frame').getByRole('button', { name: 'Copier la référence' }).click();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(reference);
  // Typed where nobody asks for it: it may be a PIN, or a card's number.
  for (const typed of ['4711', 'ma carte 4111 1111 1111 1111']) {
    await chat.writes(typed);
    await chat.isIdle();
    expect((await chat.bubbles()).join()).not.toContain(typed);
  }
  await chat.writes('/transfer 0600000001');
  await chat.sees('Quel montant');
  await chat.writes('1500');
  await chat.sees('1500');
  await chat.writes('/menu');

  await page.reload();
  await chat.sees('Protégé par votre code PIN');
  await expect.poll(chat.bubbles).toContainEqual(expect.stringContaining('dépôt 300'));
  const after = await chat.bubbles();
  expect(after.filter((text) => text.includes(reference))).toHaveLength(1);
  expect(after.some((text) => text.includes('Votre solde'))).toBe(false);
  const stored = await kept(page);
  expect(stored).not.toMatch(alone('1234', '4711', '4111 1111 1111 1111'));
  expect(stored).not.toContain('Votre solde');

  // Paid at a counter: the message that has shown it says so, too, also after the next reload.
  await stage.counter('+212600000002', reference);
  const paid = async () =>
    (await chat.bubbles()).filter((text) => /Dépôt de 300,00.DH reçu/.test(text)).length;
  await expect.poll(paid).toBe(2);
  expect((await chat.bubbles()).some((text) => text.includes('Montrez'))).toBe(false);
  await page.reload();
  await expect.poll(paid).toBe(2);

  await chat.writes('dissocier');
  await chat.sees('Dissocier cette conversation');
  await chat.chooses('Dissocier');
  await chat.sees("n'est plus reliée");
  expect(await kept(page)).not.toContain('wasl-history');
  expect((await chat.bubbles()).some((text) => text.includes(reference))).toBe(false);
});

const FATIMA = '0600000001';
const YOUSSEF = '0600000002';

/** Fatima's chat, on a page of its own. */
async function fatima() {
  const page = await stage.page({ width: 390, height: 844 });
  const chat = chatPage(page, stage.wasl.url);
  await chat.opens();
  await chat.links(FATIMA);
  const texts = async (what: RegExp) => (await chat.bubbles()).filter((text) => what.test(text));
  /** Opens the page again, and waits until what was said is there. */
  const reloads = async (what: string | RegExp) => {
    await page.reload();
    await chat.sees(what);
    await chat.isIdle();
  };
  return { page, chat, texts, reloads };
}

/** Fatima sends 21 dirhams, and is sent 16. Gives the words of the outcome. */
async function sends(chat: Awaited<ReturnType<typeof fatima>>['chat']): Promise<RegExp> {
  await chat.writes(`/transfer ${YOUSSEF} 21`);
  await chat.sees('Tapez votre code PIN');
  await chat.writes('1234');
  const outcome = /Envoi de 21,00.DH.*effectué/s;
  await chat.sees(outcome);
  await stage.sends(16, YOUSSEF, FATIMA);
  return outcome;
}

test('an outcome stands once, at its place, after every reload and in another language', async () => {
  const { page, chat, texts, reloads } = await fatima();
  const outcome = await sends(chat);
  await chat.sees('reçu 16,00');
  for (let i = 0; i < 3; i++) await reloads('reçu 16,00');
  const before = await chat.bubbles();
  expect(await texts(outcome)).toHaveLength(1);
  expect(before.findIndex((text) => outcome.test(text))).toBe(before.length - 2);
  await page.getByRole('button', { name: 'EN, English' }).click();
  await chat.sees(/MAD.21\.00.*sent/s);
  expect(await texts(/MAD.21\.00.*sent/s)).toHaveLength(1);
  expect(await texts(outcome)).toHaveLength(0);
});

test('a voucher that was bought once is there once, with its hidden code, after three reloads', async () => {
  const { page, chat, texts, reloads } = await fatima();
  await chat.chooses('Achats');
  await chat.chooses(/^Bons d'achat$/);
  await chat.chooses('Souk Frais (test)');
  await chat.chooses(/100 DH/);
  await chat.sees('Pour qui');
  await chat.chooses(/moi/i);
  await chat.sees('code PIN');
  await chat.writes('1234');
  const bought = /acheté|effectué/;
  await chat.sees(bought);
  await page.getByRole('button', { name: 'Afficher' }).waitFor();
  const hidden = await page.locator('.bubble .reveal').count();
  for (let i = 0; i < 3; i++) await reloads(bought);
  await page.getByRole('button', { name: 'Afficher' }).waitFor();
  expect(await texts(bought)).toHaveLength(1);
  expect(await page.locator('.bubble .reveal').count()).toBe(hidden);
  expect(await texts(/••••\s*$/m)).toHaveLength(1);
});

test('a chat keeps its language after a reload, and no button copies PIN-protected data', async () => {
  const { page, chat, texts, reloads } = await fatima();
  await stage.sends(16, YOUSSEF, FATIMA);
  await chat.sees('reçu 16,00');
  await page.getByRole('button', { name: 'EN, English' }).click();
  await chat.writes('statement');
  await chat.sees(/your PIN/);
  await chat.writes('1234');
  await page.locator('.choices button').filter({ hasText: /MAD/ }).first().click();
  await chat.sees(/Reference/);
  await chat.writes('menu');
  await reloads('Protected by your PIN');
  expect(await texts(/Protected by your PIN.*Cop(y|ier)/s)).toEqual([]);
  expect(await texts(/^Vous:/)).toEqual([]);
  expect((await texts(/^You:/)).length).toBeGreaterThan(3);
});

test('a balance that is shown again stays above newer money, and says of when it is', async () => {
  const { chat, reloads } = await fatima();
  await chat.chooses('Solde');
  await chat.writes('1234');
  await chat.sees('Votre solde');
  await stage.sends(16, YOUSSEF, FATIMA);
  await chat.sees('reçu 16,00');
  await reloads('Votre solde au');
  const after = await chat.bubbles();
  expect(after.at(-1)).toContain('reçu 16,00');
  expect(after.at(-2)).toMatch(/Votre solde au \d\d\/\d\d\/\d{4}.\d\d:\d\d/);
  expect(after.filter((text) => text.includes('Protégé par votre code PIN'))).toEqual([]);
});

test('the messages of two tabs are there once, in order', async () => {
  const { page, chat, texts, reloads } = await fatima();
  const other = await page.context().newPage();
  const second = chatPage(other, stage.wasl.url);
  await second.opens();
  await second.sees('est reliée');
  const outcome = await sends(chat);
  for (const each of [chat, second]) await each.sees('reçu 16,00');
  await second.writes('solde');
  await second.sees('code PIN');
  await chat.writes('relevé');
  await chat.sees('Cet écran a changé');
  await reloads('reçu 16,00');
  expect(await texts(/reçu 16,00/)).toHaveLength(1);
  expect(await texts(outcome)).toHaveLength(1);
});
