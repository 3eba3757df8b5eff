import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chatPhone } from './pages.ts';
import { theStage } from './stage.ts';

const stage = theStage();

test('a payment is a card, which gives a picture to keep and is there after a reload', async () => {
  const page = await stage.page({ height: 900 });
  await page.goto(stage.wasl.url);
  const chat = chatPhone(page);
  await chat.links();
  await chat.writes('recharge 20 0655000000');
  for (const [question, answer] of [
    ['opérateur', 'Orange'],
    ['souhaitez-vous', 'Recharge classique'],
  ] as const) {
    await chat.sees(question);
    await chat.chooses(answer);
  }
  await chat.sees('code PIN');
  await chat.writes('1234');
  await chat.sees('rechargé de');
  const frame = page.frameLocator('#chat-frame');
  const rows = async () => (await frame.locator('.receipt dt').allTextContents()).join();
  await expect.poll(rows).toBe('Destinataire,Frais,Total,Date,Référence Wasl');
  expect(await frame.locator('.receipt-amount').textContent()).toMatch(/^20,00.DH$/);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    frame.getByRole('button', { name: "Enregistrer l'image" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^wasl-\d+\.png$/);
  expect(
    readFileSync(await download.path())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  await page.reload();
  await expect.poll(rows).toBe('Destinataire,Frais,Total,Date,Référence Wasl');
});
