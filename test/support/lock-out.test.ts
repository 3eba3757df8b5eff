import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTries, type Tried } from '../../src/support/access/tries.ts';
import { STORES } from '../kit/world.ts';
import { createOffice, type Office, PASSWORD } from './office.ts';

describe.each(STORES)('wrong tries, on %s', (store) => {
  let office: Office;
  beforeEach(async () => {
    office = await createOffice({ store, proxies: ['127.0.0.1'] });
  });
  afterEach(() => office.close());

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

  test('after five of them that address waits for that account, and then it opens', async () => {
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

  test('those of strangers do not lock out who has the right password and code', async () => {
    const nadia = await office.staff('nadia', 'agent');
    for (const from of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
      for (let n = 1; n <= 6; n++) await tries('nadia', from);
    const right = { password: PASSWORD, code: nadia.code() };
    expect((await tries('nadia', '198.51.100.7', right)).status).toBe(303);
  });

  test('a hundred of them from a hundred addresses do not keep out who brings the right code', async () => {
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

  test('a browser that has signed in before is not kept out by strangers, not even from its own address', async () => {
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

  test('a cookie that nobody gave, or that is another account’s, makes no known browser', async () => {
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

  test('invented names lock nobody of the team, who share the address', async () => {
    const nadia = await office.staff('nadia', 'agent');
    const { begin } = counting();
    for (let n = 1; n <= 40; n++) await begin({ account: `invented${n}`, address: '192.0.2.1' });
    expect((await tries('another')).status).toBe(429);
    expect((await tries('nadia', '192.0.2.1', { password: PASSWORD, code: nadia.code() })).status).toBe(303);
  });

  test('many at once without a code occupy no hash: all are answered, and so is who has one', async () => {
    const nadia = await office.staff('nadia', 'agent');
    // One more than may wait for the hash.
    const answers = Promise.all(
      Array.from({ length: 51 }, (_, n) => tries(n % 2 ? 'nadia' : `name${n}`, `192.0.2.${n}`)),
    );
    expect((await nadia.signIn('nadia')).status).toBe(303);
    expect((await answers).map(({ status }) => status)).toEqual(Array.from({ length: 51 }, () => 401));
  });

  test('many addresses for one account do not find its code: they wait, too', async () => {
    const { begin } = counting();
    for (let n = 1; n <= 100; n++) expect(await begin({ account: 'nadia', address: `192.0.2.${n}` })).toBe(0);
    expect(await begin({ account: 'nadia', address: '198.51.100.1' })).toBe(30);
    expect(await begin({ account: 'nadia', address: '198.51.100.1', device: 'known' })).toBe(0);
  });

  test('for a name that nobody has the answers are the same', async () => {
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

  test('one waits twice as long each time, at most a quarter of an hour', async () => {
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

  test('of an address over many names, that address waits, and no other', async () => {
    const { begin } = counting();
    for (let n = 1; n <= 30; n++) expect(await begin({ account: `name${n}`, address: '192.0.2.1' })).toBe(0);
    expect(await begin({ account: 'another', address: '192.0.2.1' })).toBe(30);
    expect(await begin({ account: 'another', address: '192.0.2.2' })).toBe(0);
  });

  test('a colleague who comes in does not wipe out what an address has tried', async () => {
    const { begin, succeeded } = counting();
    for (let n = 1; n <= 29; n++) await begin({ account: `name${n}`, address: '192.0.2.1' });
    await begin({ account: 'nadia', address: '192.0.2.1', hasCode: true });
    await succeeded({ account: 'nadia', address: '192.0.2.1', hasCode: true });
    expect(await begin({ account: 'another', address: '192.0.2.1' })).toBe(0);
    expect(await begin({ account: 'another', address: '192.0.2.1' })).toBe(30);
  });

  test('what a stranger writes into X-Forwarded-For makes no other address', async () => {
    const { begin } = counting();
    for (let n = 1; n <= 30; n++) await begin({ account: `name${n}`, address: '192.0.2.1' });
    expect((await tries('another', '203.0.113.99, 192.0.2.1')).status).toBe(429);
  });

  test('many at the same moment are counted all the same', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => tries('nadia')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  test('with the old password, to change it, count as well', async () => {
    const nadia = await office.staff('nadia', 'agent');
    const password = 'five words in one row';
    const change = (old: string) => nadia.post('/support/me/password', { old, password, again: password });
    for (let n = 1; n <= 5; n++) expect(await (await change('wrong')).text()).toContain('is not right');
    expect(await (await change(PASSWORD)).text()).toContain('Too many tries');
  });

  test('leave no name behind that may be a password typed in the wrong field', async () => {
    await tries('my secret password');
    const { entries } = await office.audit.page({ limit: 5 });
    expect(entries[0]).toMatchObject({ who: '?', act: 'signInFailed', on: 'address:192.0.2.1' });
    expect(JSON.stringify(entries)).not.toContain('my secret password');
  });
});
