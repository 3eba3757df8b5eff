import { expect, test } from 'vitest';
import { chatPhone } from './pages.ts';
import { theStage } from './stage.ts';

const stage = theStage({ expects: /429/ });
/** More than one network address may have open. */
const CHATS = 250;
const CHATS_PER_COOKIE = 4;

test('the page says when a network has too many chats open, and still takes messages', async () => {
  const stopping = new AbortController();
  const open: Promise<Response>[] = [];
  for (let i = 0; i < CHATS; i += CHATS_PER_COOKIE) {
    const cookie = (await fetch(`${stage.wasl.url}/chat`)).headers.get('set-cookie')?.split(';')[0] ?? '';
    for (let j = 0; j < CHATS_PER_COOKIE; j++)
      open.push(fetch(`${stage.wasl.url}/chat/events`, { headers: { cookie }, signal: stopping.signal }));
  }
  const statuses = (await Promise.all(open)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(CHATS);
  const page = await stage.page({});
  await page.goto(stage.wasl.url);
  const chat = chatPhone(page);
  await chat.sees('numéro de mobile');
  const offline = page.frameLocator('#chat-frame').locator('#offline');
  await offline.filter({ hasText: 'Trop de conversations sont ouvertes sur votre réseau' }).waitFor();
  await chat.takes('Youssef');
  await chat.sees('code par SMS');
  stopping.abort();
});
