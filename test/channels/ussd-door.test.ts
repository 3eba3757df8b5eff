import { expect, test } from 'vitest';
import type { Door } from '../../src/channels/ussd/door.ts';
import { ussdRoutes } from '../../src/channels/ussd/routes.ts';
import { fakeConversations, fakeLog, keyRenderer, secrets } from './fakes.ts';

const conversations = fakeConversations();
const logged = fakeLog();

function app(door: Partial<Door>) {
  conversations.heard.length = 0;
  return ussdRoutes({
    conversations,
    renderer: keyRenderer,
    secrets,
    door: { secrets: [], addresses: [], proxies: [], ...door },
    serviceCode: '*123#',
    language: 'fr',
    log: logged.log,
  });
}

const dial = { method: 'POST', body: 'sessionId=1&phoneNumber=%2B212612345678&text=' };
const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });

test.each([
  ['the secret in the query', '?secret=old-secret', {}, 200],
  ['the next secret in the header', '', { 'x-ussd-secret': 'new-secret' }, 200],
  ['no secret', '', {}, 403],
  ['a wrong secret', '?secret=old-secreT', {}, 403],
  ['a longer secret', '?secret=old-secret1', {}, 403],
  ['a shorter secret', '?secret=old-secre', {}, 403],
  ['a secret with nothing behind it', '?secret=old-secret%00', {}, 403],
  ['an empty secret', '?secret=', {}, 403],
  ['the longest of them', '?secret=the-longest-secret-%C3%A9', {}, 200],
  ['more than the longest of them', '?secret=the-longest-secret-%C3%A9%C3%A9', {}, 403],
  ['one of them behind another', '?secret=old-secretnew-secret', {}, 403],
])('with %s', async (_, query, headers, status) => {
  const door = { secrets: ['old-secret', 'new-secret', 'the-longest-secret-é'] };
  const answer = await app(door).request(`/africastalking${query}`, { ...dial, headers });
  expect(answer.status).toBe(status);
  expect(conversations.heard.length).toBe(status === 200 ? 1 : 0);
  expect(logged.lines.join('\n')).not.toContain('secret');
});

test('a secret that was given leaves nothing for the next one', async () => {
  const one = app({ secrets: ['secret', 'the-secret-of-another-day'] });
  const given = async (secret: string) =>
    (await one.request(`/africastalking?secret=${secret}`, dial)).status;
  expect(await given('the-secret-of-another-day')).toBe(200);
  expect(await given('secret')).toBe(200);
  expect(await given('the-secret')).toBe(403);
});

test.each([
  ['its own address', '196.201.1.2', undefined, 200],
  ['its own network, over a dual-stack socket', '::ffff:10.1.2.3', undefined, 200],
  ['an IPv6 address', '2001:db8::7', undefined, 200],
  ['a stranger', '203.0.113.9', undefined, 403],
  ['a stranger who claims to be the gateway', '203.0.113.9', '196.201.1.2', 403],
  ['the gateway behind our proxy', '192.0.2.1', '196.201.1.2', 200],
  ['the gateway behind a balancer that writes its port', '192.0.2.1', '196.201.1.2:40123', 200],
  ['a stranger behind our proxy', '192.0.2.1', '196.201.1.2, 203.0.113.9', 403],
  ['our proxy itself', '192.0.2.1', undefined, 403],
  ['an unknown address', '', undefined, 403],
])('from %s', async (_, remote, forwarded, status) => {
  const door = { addresses: ['196.201.1.2', '10.0.0.0/8', '2001:db8::/32'], proxies: ['192.0.2.1'] };
  const headers: Record<string, string> = forwarded ? { 'x-forwarded-for': forwarded } : {};
  const answer = await app(door).request('/africastalking', { ...dial, headers }, from(remote));
  expect(answer.status).toBe(status);
});
