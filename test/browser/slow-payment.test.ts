import { expect, test } from 'vitest';
import { chatPhone } from './pages.ts';
import { theStage } from './stage.ts';

const stage = theStage();

test('a payment that takes its time is said to be under way once, and its outcome follows in the web chat', async () => {
  const page = await stage.page({});
  await page.goto(stage.wasl.url);
  const chat = chatPhone(page);
  await chat.links();
  const slow = { name: 'slowAnswer', operation: 'executeTransfer', count: 1, delayMs: 4_000 };
  await fetch(`${stage.wasl.sandboxUrl}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(slow),
  });
  await chat.writes('/transfer 0600000001 20');
  await chat.sees('Envoi de 20,00 DH');
  await chat.sees('Tapez votre code PIN pour confirmer');
  await chat.writes('1234');
  await chat.sees('est en cours');
  await chat.sees('effectué');
  const said = await chat.bubbles();
  expect(said.filter((text) => /est en cours/.test(text))).toHaveLength(1);
  expect(said.filter((text) => /20,00\sDH.*effectué/s.test(text))).toHaveLength(1);
});
