import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { alone } from '../kit/alone.ts';
import { chatPhone } from './pages.ts';
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

test('what was said is still there after a reload, without what a PIN protects, until the chat is unlinked', async () => {
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
  await chat.writes('4711');
  await chat.sees('4711');

  await page.reload();
  await chat.sees('Protégé par votre code PIN');
  await expect.poll(chat.bubbles).toContainEqual(expect.stringContaining('dépôt 300'));
  const after = await chat.bubbles();
  expect(after.filter((text) => text.includes(reference))).toHaveLength(1);
  expect(after.some((text) => text.includes('Votre solde'))).toBe(false);
  const stored = await kept(page);
  expect(stored).not.toMatch(alone('1234', '4711'));
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
