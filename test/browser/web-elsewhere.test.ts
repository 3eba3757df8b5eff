import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { chatPage, keypadPhone } from './pages.ts';
import { theStage } from './stage.ts';

const FATIMA = '0600000001';

// Before Wasl starts: it takes its clock along.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }));
afterEach(() => void vi.useRealTimers());
const stage = theStage();

test('a question that goes on by phone says so in its place, is answered with the menu, and is not kept', async () => {
  const page = await stage.page({ width: 390, height: 844 });
  const chat = chatPage(page, stage.wasl.url);
  await chat.opens();
  await chat.links(FATIMA);
  await chat.writes('/transfer 0600000002');
  await chat.sees('Quel montant');
  vi.setSystemTime(Date.now() + 2 * 60_000);

  const other = await stage.page();
  await other.goto(stage.wasl.url);
  const phone = keypadPhone(other);
  await phone.belongsTo('+212600000001');
  await phone.dials();
  await phone.sees(/Fran[cç]ais/);
  await phone.types('1');
  await phone.sees('Solde');
  await phone.hangsUp();
  await phone.dials();
  await phone.sees('Continuer');
  await phone.types('1');
  await phone.sees('Montant');

  await chat.sees('Vous continuez cette demande par téléphone');
  const said = async (what: string) => (await chat.bubbles()).filter((text) => text.includes(what)).length;
  expect(await said('Vous continuez')).toBe(1);
  expect(await said('Quel montant')).toBe(0);
  expect(await page.locator('.choices button').allInnerTexts()).toEqual(['Retour au menu']);
  await chat.writes('50');
  await chat.sees('Que souhaitez-vous');
  expect(await said('ne répond pas')).toBe(0);
  await page.reload();
  await chat.sees('Vous continuez');
  expect([await said('Vous continuez'), await said('Quel montant')]).toEqual([1, 0]);
});
