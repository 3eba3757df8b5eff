import { describe, expect, test } from 'vitest';
import { createTries, type Tried } from '../../src/support/access/tries.ts';
import { STORES } from '../kit/world.ts';
import { PASSWORD, theOffice } from './office.ts';

function anOfficeToBreakInto(store: (typeof STORES)[number]) {
  const office = theOffice({ store, proxies: ['127.0.0.1'] }, 'for each');

  /** Tries a password from somewhere in the network. */
  async function tries(id: string, from = '192.0.2.1', fields: Readonly<Record<string, string>> = {}) {
    const body = new URLSearchParams({ id, password: 'wrong', code: '123456', ...fields });
    const headers = { origin: office.url, 'x-forwarded-for': from };
    const response = await office.browser().send('/support/sign-in', { method: 'POST', body, headers });
    const wait = Number(response.headers.get('retry-after') ?? 0);
    return { status: response.status, wait, text: await response.text() };
  }
  /** A count of its own, with the store of the office: without hashing a password for each try. */
  const counting = () => {
    const { begin, succeeded } = createTries(office.store, office.secrets, office.clock.now);
    return { begin: async (of: Tried) => (await begin(of)).seconds, succeeded };
  };

  return { office, tries, counting };
}

describe.each(STORES)('wrong tries for an account, on %s', (store) => {
  const { office, tries, counting } = anOfficeToBreakInto(store);

  test('an address waits for an account after five of them, and then it can sign in', async () => {
    const nadia = await office.staff('nadia', 'agent');
    for (let n = 1; n <= 5; n++) expect((await tries('nadia')).status).toBe(401);
    const locked = await tries('nadia');
    expect([locked.status, locked.wait]).toEqual([429, 30]);
    expect(locked.text).toContain('Too many tries. Try again in');
    const right = { password: PASSWORD, code: nadia.sameCode() };
    expect((await tries('nadia', '192.0.2.1', right)).status).toBe(429);
    office.clock.ahead += 30_000;
    expect((await tries('nadia', '192.0.2.1', { ...right, code: nadia.code() })).status).toBe(303);
    // And the count begins anew.
    expect((await tries('nadia')).status).toBe(401);
    expect((await tries('nadia')).status).toBe(401);
  });

  test('strangers do not lock out the owner of the password and code', async () => {
    const nadia = await office.staff('nadia', 'agent');
    for (const from of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
      for (let n = 1; n <= 6; n++) await tries('nadia', from);
    const right = { password: PASSWORD, code: nadia.code() };
    expect((await tries('nadia', '198.51.100.7', right)).status).toBe(303);
  });

  test('a hundred addresses do not lock out the owner of the right code', async () => {
    const nadia = await office.staff('nadia', 'admin');
    const { begin } = counting();
    // Each code is 30 s after the one before.
    const code = nadia.code();
    for (let n = 1; n <= 101; n++) await begin({ account: 'nadia', address: `192.0.2.${n}` });
    expect((await tries('nadia', '198.51.100.7')).status, 'a stranger of yet another address').toBe(429);
    const wrong = { password: 'wrong', code };
    expect((await tries('nadia', '198.51.100.8', wrong)).status, 'the right code alone tells nothing').toBe(
      429,
    );
    const right = { password: PASSWORD, code };
    expect((await tries('nadia', '198.51.100.9', right)).status).toBe(303);
  });

  test('a known browser is not locked out by strangers, even at its own address', async () => {
    const nadia = await office.staff('nadia', 'agent');
    expect((await nadia.signIn('nadia')).status).toBe(303);
    const { begin } = counting();
    for (let n = 1; n <= 200; n++) await begin({ account: 'nadia', address: '127.0.0.1' });
    expect((await tries('nadia', '127.0.0.1')).status).toBe(429);
    expect((await nadia.signIn('nadia')).status).toBe(303);
    // Its own tries are counted: the cookie is no way to guess.
    // Each code is 30 s after the one before, and the sixth wrong try makes it wait 60.
    for (let n = 1; n <= 6; n++)
      expect((await nadia.signIn('nadia', { password: 'wrong' })).status).toBe(401);
    expect((await nadia.signIn('nadia')).status).toBe(429);
  });

  test('a forged cookie, or one of another account, makes no known browser', async () => {
    const [nadia] = [await office.staff('nadia', 'agent'), await office.staff('omar', 'agent')];
    await nadia.signIn('nadia');
    const cookie = `wasl-device=${nadia.cookies.get('wasl-device')}`;
    const { begin } = counting();
    for (let n = 1; n <= 6; n++) {
      await begin({ account: 'omar', address: '192.0.2.9' });
      await begin({ account: 'nadia', address: '192.0.2.9' });
    }
    const status = async (id: string, with_: string) => {
      const body = new URLSearchParams({ id, password: 'wrong', code: '123456' });
      const headers = { origin: office.url, 'x-forwarded-for': '192.0.2.9', cookie: with_ };
      return (await office.browser().send('/support/sign-in', { method: 'POST', body, headers })).status;
    };
    expect(await status('nadia', cookie)).toBe(401);
    expect(await status('omar', cookie)).toBe(429);
    expect(await status('nadia', `wasl-device=${'a'.repeat(22)}.${'b'.repeat(16)}`)).toBe(429);
  });

  test('invented names lock nobody of the team at the same address', async () => {
    const nadia = await office.staff('nadia', 'agent');
    const { begin } = counting();
    for (let n = 1; n <= 40; n++) await begin({ account: `invented${n}`, address: '192.0.2.1' });
    expect((await tries('another')).status).toBe(429);
    expect((await tries('nadia', '192.0.2.1', { password: PASSWORD, code: nadia.code() })).status).toBe(303);
  });

  test('many sign-ins without a code do not delay one with a code', async () => {
    const nadia = await office.staff('nadia', 'agent');
    // One more than may wait for the hash.
    const answers = Promise.all(
      Array.from({ length: 51 }, (_, n) => tries(n % 2 ? 'nadia' : `name${n}`, `192.0.2.${n}`)),
    );
    expect((await nadia.signIn('nadia')).status).toBe(303);
    expect((await answers).map(({ status }) => status)).toEqual(Array.from({ length: 51 }, () => 401));
  });
});

describe.each(STORES)('wrong tries are counted, on %s', (store) => {
  const { office, tries, counting } = anOfficeToBreakInto(store);

  test('many addresses that try one account wait, too', async () => {
    const { begin } = counting();
    for (let n = 1; n <= 100; n++) expect(await begin({ account: 'nadia', address: `192.0.2.${n}` })).toBe(0);
    expect(await begin({ account: 'nadia', address: '198.51.100.1' })).toBe(30);
    expect(await begin({ account: 'nadia', address: '198.51.100.1', device: 'known' })).toBe(0);
  });

  test('the answers are the same for an unknown name', async () => {
    await office.staff('somebody', 'agent');
    const answers = async (id: string, from: string) => {
      const seen: unknown[] = [];
      for (let n = 1; n <= 6; n++) {
        const { status, wait, text } = await tries(id, from);
        seen.push([status, wait, text.replaceAll(id, '')]);
      }
      return seen;
    };
    expect(await answers('who-is-it', '192.0.2.1')).toEqual(await answers('somebody', '192.0.2.2'));
  });

  test('each wait is twice as long, up to a quarter of an hour', async () => {
    const { begin } = counting();
    const of = { account: 'nadia', address: '192.0.2.1' };
    const waits: number[] = [];
    for (let n = 1; n <= 12; n++) {
      if (n < 5) {
        expect(await begin(of)).toBe(0);
        continue;
      }
      expect(await begin(of)).toBe(0);
      const wait = await begin(of);
      waits.push(wait);
      office.clock.ahead += wait * 1_000;
    }
    expect(waits.slice(0, 7)).toEqual([30, 60, 120, 240, 480, 900, 900]);
  });

  test('only the address that tries many names waits', async () => {
    const { begin } = counting();
    for (let n = 1; n <= 30; n++) expect(await begin({ account: `name${n}`, address: '192.0.2.1' })).toBe(0);
    expect(await begin({ account: 'another', address: '192.0.2.1' })).toBe(30);
    expect(await begin({ account: 'another', address: '192.0.2.2' })).toBe(0);
  });

  test('a colleague’s sign-in does not reset the count of their address', async () => {
    const { begin, succeeded } = counting();
    for (let n = 1; n <= 29; n++) await begin({ account: `name${n}`, address: '192.0.2.1' });
    await begin({ account: 'nadia', address: '192.0.2.1', hasCode: true });
    await succeeded({ account: 'nadia', address: '192.0.2.1', hasCode: true });
    expect(await begin({ account: 'another', address: '192.0.2.1' })).toBe(0);
    expect(await begin({ account: 'another', address: '192.0.2.1' })).toBe(30);
  });

  test('a forged X-Forwarded-For makes no other address', async () => {
    const { begin } = counting();
    for (let n = 1; n <= 30; n++) await begin({ account: `name${n}`, address: '192.0.2.1' });
    expect((await tries('another', '203.0.113.99, 192.0.2.1')).status).toBe(429);
  });

  test('tries at the same moment are all counted', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => tries('nadia')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  test('tries of the old password, to change it, count as well', async () => {
    const nadia = await office.staff('nadia', 'agent');
    const password = 'five words in one row';
    const change = (old: string) => nadia.post('/support/me/password', { old, password, again: password });
    for (let n = 1; n <= 5; n++) expect(await (await change('wrong')).text()).toContain('is not right');
    expect(await (await change(PASSWORD)).text()).toContain('Too many tries');
  });

  test('the audit keeps no tried name, as it may be a password', async () => {
    await tries('my secret password');
    const { entries } = await office.audit.page({ limit: 5 });
    expect(entries[0]).toMatchObject({ who: '?', act: 'signInFailed', on: 'address:192.0.2.1' });
    expect(JSON.stringify(entries)).not.toContain('my secret password');
  });
});
