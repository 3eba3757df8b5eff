import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { tellsUnreadable } from '../../src/http/network.ts';

const PROXY = '10.0.0.7';

test.each([
  ['a name', PROXY, ['unknown', '_hidden'], 1],
  ['an address with a port', PROXY, ['196.201.1.2:51234', '[2001:db8::1]:443'], 0],
  ['nothing', PROXY, ['', undefined], 0],
  ['a name, by nobody whom we trust', '203.0.113.9', ['unknown'], 0],
])(
  'the address from a proxy’s %s is known once, or not at all',
  async (_what, remoteAddress, headers, told) => {
    let count = 0;
    const app = new Hono().use(tellsUnreadable([PROXY], () => count++)).get('/', (c) => c.text('in'));
    for (const forwarded of [...headers, ...headers])
      await app.request('/', forwarded === undefined ? {} : { headers: { 'x-forwarded-for': forwarded } }, {
        incoming: { socket: { remoteAddress } },
      });
    expect(count).toBe(told);
  },
);
