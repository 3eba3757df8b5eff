import { expect, test } from 'vitest';
import { type Door, valuesFor } from '../../src/channels/ussd/door.ts';
import { certificates, gatewayList } from '../../src/config/gateways.ts';
import { fakeConversations, fakeLog, ussdApp } from './fakes.ts';

const conversations = fakeConversations();
const logged = fakeLog();

function app(door: Partial<Door>) {
  conversations.heard.length = 0;
  return ussdApp(conversations, logged, door);
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

/** The certificate of a gateway, made for these tests, without its key. */
const CERTIFICATE = [
  'MIIBiTCCAS+gAwIBAgIURFhRnbmXMZ05160f8emlUrUYWnQwCgYIKoZIzj0EAwIwGjEYMBYGA1UEAwwPZ2F0ZXdheS',
  '5leGFtcGxlMB4XDTI2MTEyOTAzMDYyOVoXDTM2MTEyNjAzMDYyOVowGjEYMBYGA1UEAwwPZ2F0ZXdheS5leGFtcGxl',
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEMjsP+ZVmKXCpvOSK0yva/rpQ0vUkX/3IqRhH1tbSM+UfHNEFLJqNon',
  'dNo6UQjow1rr7vZ+YJJVN/2KXqDB8n66NTMFEwHQYDVR0OBBYEFCvQFAPNvfAWMONU1AuS6PMflvI7MB8GA1UdIwQY',
  'MBaAFCvQFAPNvfAWMONU1AuS6PMflvI7MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAJsGfmBFVH',
  '9FLjcMB+80H0er7d3kj5zzIWPbKkrxxiuaAiBOZzxCam2F1fJHpavgHmVtFpbIEAn+KWJtljXJa+1YrQ==',
].join('');
const FINGERPRINT = '0e1b874597b0c1d990e44cdf0e116c9640741dcfa6fab219fbcdea00a1623812';
const PEM = `-----BEGIN CERTIFICATE-----\n${CERTIFICATE.replaceAll(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`;

test.each([
  ['as haproxy hands it on', '192.0.2.1', `:${CERTIFICATE}:`, 200],
  ['as nginx hands it on', '192.0.2.1', encodeURIComponent(PEM), 200],
  ['over a dual-stack socket', '::ffff:192.0.2.1', `:${CERTIFICATE}:`, 200],
  ['from somebody who is no proxy of ours', '203.0.113.9', `:${CERTIFICATE}:`, 403],
  ['none', '192.0.2.1', undefined, 403],
  ['an empty one', '192.0.2.1', '', 403],
  ['one that was cut off', '192.0.2.1', `:${CERTIFICATE.slice(0, 200)}:`, 403],
  ['its fingerprint alone', '192.0.2.1', FINGERPRINT, 403],
  ['an escape that is none', '192.0.2.1', '%E0%A4%A', 403],
])('with a client certificate: %s', async (_, remote, header, status) => {
  const door = { certificates: [FINGERPRINT], proxies: ['192.0.2.1'] };
  const headers: Record<string, string> = header === undefined ? {} : { 'client-cert': header };
  const answer = await app(door).request('/africastalking', { ...dial, headers }, from(remote));
  expect(answer.status).toBe(status);
});

test('another certificate is not let in', async () => {
  const door = { certificates: ['00'.repeat(32)], proxies: ['192.0.2.1'] };
  const headers = { 'client-cert': `:${CERTIFICATE}:` };
  expect((await app(door).request('/africastalking', { ...dial, headers }, from('192.0.2.1'))).status).toBe(
    403,
  );
});

test('every proof that is set is asked for', async () => {
  const door = { certificates: [FINGERPRINT], secrets: ['the secret'], proxies: ['192.0.2.1'] };
  const given = async (query: string, headers: Record<string, string>) =>
    (await app(door).request(`/africastalking${query}`, { ...dial, headers }, from('192.0.2.1'))).status;
  expect(await given('?secret=the%20secret', {})).toBe(403);
  expect(await given('', { 'client-cert': `:${CERTIFICATE}:` })).toBe(403);
  expect(await given('?secret=the%20secret', { 'client-cert': `:${CERTIFICATE}:` })).toBe(200);
});

test('with real money a gateway without a proof is kept out', async () => {
  expect((await app({ needsProof: true }).request('/africastalking', dial)).status).toBe(403);
  expect((await app({}).request('/africastalking', dial)).status).toBe(200);
});

test.each([
  ['one of its own', 'hubtel', ['its own']],
  ['none of its own, so those of all', 'advanta', ['of all', 'hub=tel', 'telco=1']],
])('a gateway with %s', (_, gateway, values) => {
  const entries = gatewayList.parse('of all,hubtel=its own,hub=tel,telco=1');
  expect(valuesFor(gateway, entries)).toEqual(values);
});

test.each(['nonsense', `${FINGERPRINT}0`, 'hubtel=', `nobody=${FINGERPRINT}`])(
  'a fingerprint is refused: %s',
  (text) => {
    expect(certificates.safeParse(text).success).toBe(false);
  },
);

test('a fingerprint may have colons and capitals', () => {
  const printed = FINGERPRINT.toUpperCase().replaceAll(/(..)(?=.)/g, '$1:');
  expect(certificates.parse(`hubtel=${printed}`)).toEqual([{ gateway: 'hubtel', value: FINGERPRINT }]);
});
