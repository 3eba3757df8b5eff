import { expect, test } from 'vitest';
import { freePort } from '../kit/free-port.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { startWasl } from '../kit/start-wasl.ts';
import { createPerson } from './bot-api/person.ts';
import { startBotApi } from './bot-api/server.ts';
import { until } from './bot-api/stage.ts';

test.each(['webhook', 'polling'])('a token is all it takes: the bot answers, by %s', async (updates) => {
  const api = await startBotApi();
  const directory = newDirectory('telegram');
  const port = await freePort();
  const wasl = await startWasl({
    PORT: String(port),
    SANDBOX_PORT: '0',
    DATA_DIR: directory,
    LOG_LEVEL: 'silent',
    TELEGRAM_BOT_TOKEN: api.token,
    TELEGRAM_API_ROOT: api.url,
    ...(updates === 'webhook' && { PUBLIC_URL: `http://127.0.0.1:${port}` }),
  });
  await until(() => api.commands.size === 4, 'the bot has introduced itself');
  const fatima = createPerson(api, { language: 'en' });
  // A posted update is answered before its turn.
  const sees = (text: string) =>
    until(() => fatima.visible().at(-1)?.text.includes(text) === true, `it says ${text}`);
  await fatima.says('/start');
  await sees('What is your mobile number?');
  await fatima.sharesContact('212600000001');
  for (const [typed, digit] of [...'1234'].entries()) {
    await sees(`${'● '.repeat(typed)}○`);
    await fatima.presses(digit);
  }
  await sees('What would you like to do?');
  const door = await fetch(`${wasl.url}/telegram/webhook`, { method: 'POST', body: '{}' });
  expect(door.status).toBe(updates === 'webhook' ? 401 : 404);
  await wasl.close();
  expect(api.updates.pending).toBe(0);
  expect(api.broken()).toEqual([]);
  await api.close();
});
