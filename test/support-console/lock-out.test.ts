import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { STORES } from '../support/world.ts';
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

  test('of an account: one waits after five, twice as long each time, and even the right password waits', async () => {
    const nadia = await office.staff('nadia', 'agent');
    for (let n = 1; n <= 5; n++) expect((await tries('nadia')).status).toBe(401);
    const locked = await tries('nadia');
    expect([locked.status, locked.wait]).toEqual([429, 30]);
    expect(locked.text).toContain('Too many tries. Try again in');
    // From elsewhere as well, and with the right password and code.
    expect(
      (await tries('nadia', '198.51.100.7', { password: PASSWORD, code: nadia.sameCode() })).status,
    ).toBe(429);

    const waits: number[] = [];
    for (let wait = locked.wait; waits.length < 7; wait = waits.at(-1) ?? 0) {
      office.clock.ahead += wait * 1_000;
      expect((await tries('nadia')).status).toBe(401);
      waits.push((await tries('nadia')).wait);
    }
    expect(waits).toEqual([60, 120, 240, 480, 900, 900, 900]);
    office.clock.ahead += 900_000;
    expect((await nadia.signIn('nadia')).status).toBe(303);
    // And the count begins anew.
    expect((await tries('nadia')).status).toBe(401);
    expect((await tries('nadia')).status).toBe(401);
  });

  test('of a name that nobody has: the same', async () => {
    await office.staff('real', 'agent');
    const answers = async (id: string, from: string) => {
      const seen: unknown[] = [];
      for (let n = 1; n <= 7; n++) {
        const { status, wait, text } = await tries(id, from);
        seen.push([status, wait, text.replaceAll(id, '')]);
      }
      return seen;
    };
    expect(await answers('none', '192.0.2.1')).toEqual(await answers('real', '192.0.2.2'));
  });

  test('of an address, over many names, wait for its own sake; another address does not', async () => {
    for (let n = 1; n <= 30; n++) expect((await tries(`name${n}`)).status).toBe(401);
    expect((await tries('name99')).status).toBe(429);
    expect((await tries('name99', '192.0.2.2')).status).toBe(401);
  });

  test('what a stranger writes into X-Forwarded-For does not make another address', async () => {
    for (let n = 1; n <= 30; n++) await tries(`name${n}`, `203.0.113.${n}, 192.0.2.1`);
    expect((await tries('name99', '203.0.113.99, 192.0.2.1')).status).toBe(429);
  });

  test('many at the same moment are counted all the same', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => tries('nadia')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  test('with the old password, to change it, count as well', async () => {
    const nadia = await office.staff('nadia', 'agent');
    const change = (old: string) =>
      nadia.post('/support/me/password', {
        old,
        password: 'five words in one row',
        again: 'five words in one row',
      });
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
