import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { identityRoutes } from '../../src/channels/identity/routes.ts';
import type { Log } from '../../src/log/lines.ts';
import { IDENTITY_PAGE, refused, theWorld } from '../kit/world.ts';

const PROVIDER = 'https://identity.example/sdk';
const ORIGIN = 'https://wasl.test';
const JSON_TYPE = 'application/json';

describe('the page on which an identity is checked', () => {
  const world = theWorld();
  const logged: unknown[] = [];

  function door(): Hono {
    const log: Log = { say: (...line) => void logged.push(line), over: () => {} };
    const { engine: identifications, renderer } = world;
    const routes = identityRoutes({ identifications, renderer, providerPage: PROVIDER, secure: true, log });
    return new Hono().route('/identity', routes);
  }
  const posts = (step: string, body: unknown, headers: Record<string, string> = { origin: ORIGIN }) =>
    door().request(`${ORIGIN}/identity/${step}`, {
      method: 'POST',
      headers: { 'content-type': JSON_TYPE, host: 'wasl.test', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  async function linkOfSomebody(): Promise<string> {
    const fatima = world.customer({ level: 1 });
    await fatima.isAtMenu().says('plafond').chooses('link').sees('upgrade.linkSent');
    await world.rests();
    return new RegExp(`${IDENTITY_PAGE}#([\\w-]+)`).exec(world.sms(fatima.phone).at(-1) ?? '')?.[1] ?? '';
  }

  test('takes a link once, and keeps its launch data from other sites', async () => {
    const link = await linkOfSomebody();
    const page = await door().request(`${ORIGIN}/identity`);
    expect(page.status).toBe(200);
    const begun = await posts('begin', { link, language: 'fr' });
    expect(begun.status).toBe(200);
    expect(begun.headers.get('cache-control')).toBe('no-store');
    expect(await begun.json()).toEqual({
      page: PROVIDER,
      baseUrl: expect.any(String),
      applicantId: expect.any(String),
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    });
    expect((await posts('begin', { link, language: 'fr' })).status).toBe(410);
    const done = await posts('done', { link, language: 'fr' });
    expect([done.status, await done.json()]).toEqual([200, { end: 'requested' }]);
    expect((await posts('done', { link, language: 'fr' })).status).toBe(410);
  });

  test('may load our own files and the provider’s frame, be held in nobody’s, and is kept in no cache', async () => {
    const { headers } = await door().request(`${ORIGIN}/identity`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      'frame-src https://identity.example',
      "img-src 'self'",
      "script-src 'self'",
      "style-src 'self'",
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('strict-transport-security')).not.toBeNull();
  });

  test.each([
    ['from another site', { origin: 'https://evil.example' }, 403],
    ['from a site that hides its name', { origin: 'null' }, 403],
    ['from no browser', {}, 403],
    ['from a host like ours', { origin: 'https://wasl.test.evil.example' }, 403],
  ])('a request %s uses nothing up', async (_, headers, status) => {
    const link = await linkOfSomebody();
    for (const step of ['begin', 'done'])
      expect((await posts(step, { link, language: 'fr' }, headers as never)).status).toBe(status);
    expect((await posts('begin', { link, language: 'fr' })).status).toBe(200);
  });

  test.each([
    ['no JSON', 'link', 400],
    ['no object', '[]', 400],
    ['no link', { language: 'fr' }, 400],
    ['no language', { link: 'x' }, 400],
    ['a language that nobody speaks', { link: 'x', language: 'de' }, 400],
    ['more than is asked for', { link: 'x', language: 'fr', wallet: '+212600000001' }, 400],
    ['a link that is a list', { link: ['x'], language: 'fr' }, 400],
    ['a long link', { link: 'x'.repeat(501), language: 'fr' }, 400],
    ['a body that is too large', { link: 'x'.repeat(3_000), language: 'fr' }, 413],
    ['a link of nobody', { link: 'x', language: 'fr' }, 410],
    ['a link to another page', { link: '../../support', language: 'fr' }, 410],
  ])('%s', async (_, body, status) => {
    for (const step of ['begin', 'done']) expect((await posts(step, body)).status).toBe(status);
  });

  test.each([
    ['fr', 'Votre vérification est en cours.'],
    ['ar', 'التحقق من هويتكم قيد المعالجة.'],
    ['en', 'Your identity check is under way.'],
  ])('says why it is refused, in %s', async (language, says) => {
    const link = await linkOfSomebody();
    world.wallet.next('startIdentification', refused('90132'));
    const answer = await posts('begin', { link, language });
    const { end, says: said } = (await answer.json()) as { end: string; says: string };
    expect([answer.status, end]).toEqual([409, 'refused']);
    expect(said).toContain(says);
  });

  test('a store that is down is a 503 without a secret in the log', async () => {
    const link = await linkOfSomebody();
    world.weather.isDown = true;
    try {
      expect((await posts('begin', { link, language: 'fr' })).status).toBe(503);
    } finally {
      world.weather.isDown = false;
    }
    expect(logged).toHaveLength(1);
    expect(JSON.stringify(logged)).not.toContain(link);
  });
});
