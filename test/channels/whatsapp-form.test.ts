import { describe, expect, test } from 'vitest';
import { formRoutes } from '../../src/channels/form/routes.ts';
import { firstOpeners } from '../../src/conversation/first-opener.ts';
import { PIN, theWorld } from '../kit/world.ts';
import { fakeLog } from './fakes.ts';

const HOST = 'https://wasl.example';

describe('the form of a chat that cannot tell who opens it', () => {
  const world = theWorld({ whatsapp: true });

  /** The form as `main` makes it, and the link of a customer who is asked for their PIN. */
  async function asked() {
    const fatima = world.customer({ channel: 'whatsapp', language: 'fr' });
    await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
    const { engine, store, secrets, renderer, clock } = world;
    const routes = formRoutes({
      ...{ conversations: engine, cardLinks: engine, renderer, secrets, secure: true, proxies: [] },
      openers: { whatsapp: { isFirst: firstOpeners({ store, secrets, now: clock.now }) } },
      log: fakeLog().log,
    });
    const url = `${HOST}/${fatima.reply().form}`;
    const opens = (cookie = '') => routes.request(url, { headers: { cookie } });
    const gives = (secret: string, cookie: string) =>
      routes.request(url, {
        method: 'POST',
        headers: { cookie, origin: HOST, host: 'wasl.example' },
        body: new URLSearchParams({ secret }),
      });
    return { fatima, opens, gives };
  }
  const cookieOf = (answer: Response) => answer.headers.get('set-cookie')?.split(';')[0] ?? '';

  test('the link of a form is for the browser that opens it first', async () => {
    const { fatima, opens, gives } = await asked();
    const first = await opens();
    expect(first.status).toBe(200);
    expect(first.headers.get('set-cookie')).toMatch(/HttpOnly; Secure; SameSite=Lax/);
    const logins = world.wallet.calls(fatima.phone, 'login').length;
    expect((await opens()).status).toBe(403);
    expect((await opens('wasl-form=another')).status).toBe(403);
    expect((await gives(PIN, '')).status).toBe(403);
    expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(logins);
    expect((await opens(cookieOf(first))).status).toBe(200);
    expect((await gives(PIN, cookieOf(first))).status).toBe(200);
    await world.engine.close();
    await fatima.sees('balance.shown');
  });

  test('of two browsers at the same moment one sees the question', async () => {
    const { opens } = await asked();
    const answers = await Promise.all(Array.from({ length: 6 }, () => opens()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});
