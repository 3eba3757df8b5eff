import { expect, test } from 'vitest';
import { freePort } from '../kit/free-port.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { startWasl } from '../kit/start-wasl.ts';
import { until } from './bot-api/stage.ts';
import { createPerson } from './cloud-api/person.ts';
import { buttonsOf, linkOf, textOf } from './cloud-api/rules.ts';
import { startCloudApi } from './cloud-api/server.ts';

test('four settings are all it takes: the number answers, and its form belongs to the first browser', async () => {
  const api = await startCloudApi();
  const port = await freePort();
  const wasl = await startWasl({
    PORT: String(port),
    SANDBOX_PORT: '0',
    DATA_DIR: newDirectory('whatsapp'),
    LOG_LEVEL: 'silent',
    WHATSAPP_TOKEN: api.settings.token,
    WHATSAPP_PHONE_ID: api.settings.phoneId,
    WHATSAPP_APP_SECRET: api.settings.appSecret,
    WHATSAPP_VERIFY_TOKEN: 'a token that sets the webhook up',
    WHATSAPP_API_ROOT: api.settings.apiRoot,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  });
  api.hook.url = `${wasl.url}/whatsapp/webhook`;
  const fatima = createPerson({ api, inbox: { rests: async () => {} } as never });
  const sees = (text: string) =>
    until(
      () =>
        fatima.chat().some(({ shown }) => JSON.stringify([textOf(shown), buttonsOf(shown)]).includes(text)),
      `it says ${text}`,
    );
  await fatima.says('Hello');
  await sees('English');
  await fatima.presses(({ title }) => title === 'English');
  await sees('mobile number');
  await fatima.sharesContact('212600000001');
  await until(() => linkOf(fatima.screen()) !== undefined, 'it leads to the form');
  const link = linkOf(fatima.screen()) ?? '';
  expect((await fetch(link)).status).toBe(200);
  expect((await fetch(link)).status).toBe(403);
  await wasl.close();
  expect(api.broken).toEqual([]);
  await api.close();
});
