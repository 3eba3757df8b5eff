import { describe, expect, onTestFinished, test } from 'vitest';
import { createTargets, InternalAddress } from '../../../src/sandbox/webhooks/targets.ts';
import { admin } from '../desk/desk-kit.ts';
import { call, FATIMA, sandbox, transfer, YOUSSEF } from '../kit.ts';
import { receiver } from '../receiver.ts';

const EVERYWHERE = '0.0.0.0';

function targets(host: string, inside: readonly string[] = []) {
  const opened = createTargets(inside);
  onTestFinished(() => opened.close());
  opened.servedOn(host);
  return opened;
}
const post = () => ({ body: '{"data":{}}', headers: {}, signal: AbortSignal.timeout(5_000) });

describe('served to others, webhooks go to no internal address', () => {
  test.each([
    ['loopback', '127.0.0.1'],
    ['all of loopback', '127.8.9.10'],
    ['any of this machine', '0.0.0.0'],
    ['loopback as one number', '2130706433'],
    ['loopback in hexadecimal', '0x7f.1'],
    ['a name of loopback', 'localhost'],
    ['a private network', '10.1.2.3'],
    ['another', '172.31.255.255'],
    ['another', '192.168.0.1'],
    ["an operator's network", '100.64.0.1'],
    ['metadata of a cloud', '169.254.169.254'],
    ['multicast', '224.0.0.1'],
    ['loopback of IPv6', '[::1]'],
    ['none of IPv6', '[::]'],
    ['IPv4 within IPv6', '[::ffff:127.0.0.1]'],
    ['IPv4 behind a translator', '[64:ff9b::7f00:1]'],
    ['IPv4 in a tunnel', '[2002:7f00:1::]'],
    ['a private network of IPv6', '[fd00::1]'],
    ['a link of IPv6', '[fe80::1]'],
  ])('%s: %s', async (_, host) => {
    const { url } = await receiver();
    const { port } = new URL(url);
    const inside = targets(EVERYWHERE).post(`http://${host}:${port}/`, post());
    const why = await inside.catch((error: Error) => error.cause ?? error);
    expect(why).toBeInstanceOf(InternalAddress);
  });

  test.each([
    ['an address', '8.8.8.8'],
    ['one beside a private network', '172.32.0.1'],
    ['one beside another', '11.0.0.1'],
    ['one of IPv6', '[2606:4700:4700::1111]'],
  ])('outside is no internal address: %s, %s', async (_, host) => {
    const stopped = { ...post(), signal: AbortSignal.abort() };
    const outside = targets(EVERYWHERE).post(`http://${host}/`, stopped);
    await expect(outside).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  });

  test('except to a configured one, and to configured networks', async () => {
    const partner = await receiver();
    const named = targets(EVERYWHERE);
    named.configure(partner.url);
    expect(await named.post(partner.url, post())).toBe(200);
    await expect(named.post(`${partner.url}/beside`, post())).rejects.toThrow(InternalAddress);
    expect(await targets(EVERYWHERE, ['127.0.0.0/8']).post(partner.url, post())).toBe(200);
  });

  test.each(['127.0.0.1', 'localhost', '::1'])(
    'a sandbox for this machine alone (%s) sends them anywhere',
    async (host) => {
      const partner = await receiver();
      expect(await targets(host).post(partner.url, post())).toBe(200);
    },
  );
});

test('a visitor of a public desk turns webhooks to an internal service, and reads nothing of it', async () => {
  const [operators, service] = [await receiver(), await receiver(418)];
  const wallet = sandbox({ webhookUrl: operators.url, webhookKey: 'hook-key' });
  const server = await wallet.listen(0, EVERYWHERE);
  onTestFinished(() => server.close());
  const ask = admin(wallet);
  const pays = async () => {
    await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 100));
    await wallet.clock.advance(1_200);
  };
  await pays();
  await ask('POST /partner', { webhookUrl: service.url });
  await pays();
  expect(operators.received).toHaveLength(1);
  expect(service.received).toEqual([]);
  expect((await ask('GET /webhooks/2')).body.tries).toEqual([
    expect.objectContaining({ answer: 'internal address' }),
  ]);
});
