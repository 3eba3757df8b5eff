import { beforeEach, describe, expect, test } from 'vitest';
import { STORES } from '../kit/world.ts';
import { theOffice } from './office.ts';

type Store = (typeof STORES)[number];

/** An office with two administrators, who are two persons. */
function anOfficeOfTwo(store: Store) {
  const office = theOffice({ store }, 'for each');
  beforeEach(async () => {
    for (const id of ['aicha', 'badr']) {
      await office.accounts.create({ id, name: id, role: 'admin' });
      await office.accounts.confirm(id);
    }
  });
  return office;
}

describe.each(STORES)('two accounts, on %s', (store) => {
  const office = anOfficeOfTwo(store);
  const confirms = (id: string, by?: string) => office.accounts.confirm(id, by);
  /** An account that an administrator makes, and others confirm. */
  async function makes(by: string, id: string, ...confirmedBy: readonly string[]) {
    await office.accounts.create({ id, name: id, role: 'agent' }, by);
    for (const each of confirmedBy) await confirms(id, each);
  }
  /** An account as the company's own sign-in makes it, which others confirm. */
  async function comesIn(id: string, ...confirmedBy: readonly string[]) {
    await office.accounts.change(id, () => ({ id, name: id, role: 'admin', epoch: 0, oidc: true }));
    for (const each of confirmedBy) await confirms(id, each);
  }

  test.each<[string, string, are: boolean, before: () => Promise<unknown>]>([
    ['two confirmed by the command', 'aicha badr', true, async () => {}],
    ['one account', 'aicha aicha', false, async () => {}],
    ['one reset by the command, not confirmed', 'aicha badr', false, () => office.accounts.reset('badr')],
    ['one of the company’s sign-in, not confirmed', 'aicha x', false, () => comesIn('x')],
    ['an unknown one', 'aicha x', false, async () => {}],
    ['such a one, and the only one who confirmed it', 'aicha x', false, () => comesIn('x', 'aicha')],
    ['the same, confirmed by a second administrator', 'aicha x', true, () => comesIn('x', 'aicha', 'badr')],
    ['such a confirmed one, and another administrator', 'x badr', true, () => comesIn('x', 'aicha')],
    ['its maker and it', 'aicha x', false, () => makes('aicha', 'x')],
    ['another administrator and it, not confirmed', 'badr x', false, () => makes('aicha', 'x')],
    ['the one who reset it and it', 'aicha badr', false, () => office.accounts.reset('badr', 'aicha')],
    ['two made by two', 'x y', false, async () => [await makes('aicha', 'x'), await makes('badr', 'y')]],
    ['its maker and it, confirmed by another', 'aicha x', true, () => makes('aicha', 'x', 'badr')],
    [
      'two made by one and confirmed by another',
      ...(['x y', true] as const),
      async () => [await makes('aicha', 'x', 'badr'), await makes('aicha', 'y', 'badr')],
    ],
    [
      'one that was confirmed and then reset',
      ...(['badr x', false] as const),
      async () => [await makes('aicha', 'x', 'badr'), await office.accounts.reset('x', 'aicha')],
    ],
    [
      'one that a command has reset and confirmed',
      ...(['aicha x', true] as const),
      async () => [await makes('aicha', 'x'), await office.accounts.reset('x'), await confirms('x')],
    ],
  ])('are two persons or not: %s', async (_, accounts, are, before) => {
    await before();
    const [one = '', other = ''] = accounts.split(' ');
    expect((await office.accounts.refusesApproval(one, other, 'seeSessions')) === undefined).toBe(are);
  });

  test('nobody confirms their own account, or one that they or their accounts made or confirmed', async () => {
    for (const id of ['x', 'y']) await office.accounts.create({ id, name: id, role: 'admin' }, 'aicha');
    await comesIn('z');
    const refused = { ok: false, why: 'notAnother' };
    for (const by of ['aicha', 'x', 'y', 'z'])
      expect(await office.accounts.confirm('x', by)).toEqual(refused);
    expect(await office.accounts.confirm('nobody', 'badr')).toEqual({ ok: false, why: 'notFound' });
    // By the company's sign-in the same person has an account more: their own word for it makes it nobody's second person.
    expect(await office.accounts.confirm('z', 'aicha')).toEqual({ ok: true });
    expect(await office.accounts.confirm('z', 'aicha')).toEqual(refused);
    expect(await office.accounts.confirm('x', 'z')).toEqual(refused);
    expect(await office.accounts.confirm('y', 'badr')).toEqual({ ok: true });
    // A confirmed account is another person from now on.
    expect(await office.accounts.confirm('x', 'y')).toEqual({ ok: true });
  });
});

describe.each(STORES)('the approval of a second person, on %s', (store) => {
  const office = anOfficeOfTwo(store);

  test('the page names the maker of an account, and only another administrator can confirm it', async () => {
    const [salma, tarik] = [await office.staff('salma', 'admin'), await office.staff('tarik', 'admin')];
    await salma.post('/support/accounts', { id: 'x', name: 'X', role: 'agent' });
    expect((await salma.text('/support/accounts')).replace(/\s+/g, ' ')).toMatch(
      /Created or reset by.*salma/,
    );
    expect(await salma.text('/support/accounts')).not.toContain('/accounts/x/confirm');
    expect((await salma.post('/support/accounts/x/confirm')).status).toBe(400);
    expect(await tarik.text('/support/accounts')).toContain('/accounts/x/confirm');
    expect((await tarik.post('/support/accounts/x/confirm')).status).toBe(303);
    expect(await tarik.text('/support/accounts')).not.toContain('Created or reset by');
    expect(
      (await office.audit.page({ act: 'confirmAccount', limit: 5 })).entries.map(({ who, on }) => [who, on]),
    ).toEqual([
      ['tarik', 'x'],
      ['salma', 'x'],
    ]);
  });

  test('an account of the proposer’s own person has no button and reads why', async () => {
    const [salma, tarik] = [await office.staff('salma', 'admin'), await office.staff('tarik', 'admin')];
    await salma.post('/support/principal/agents/RA-1/number', {
      phone: '0612345678',
      why: 'has another phone',
    });
    const reads = async () => {
      const page = (await tarik.text('/support/principal')).replace(/[\u2066-\u2069]/g, '');
      const words = [
        'salma made or reset',
        'You made or reset the account salma',
        'has not been confirmed yet',
      ];
      return [page.includes('proposals/approve'), ...words.map((each) => page.includes(each))];
    };
    const becomes = (id: string, what: { madeBy?: string; confirmed?: true }) =>
      office.accounts.change(id, (account) => {
        const {
          madeBy: _was,
          confirmed: _too,
          ...rest
        } = account ?? { id, name: id, role: 'admin', epoch: 0 };
        return { ...rest, ...what };
      });
    const CONFIRMED = { confirmed: true } as const;
    expect(await reads()).toEqual([true, false, false, false]);
    await becomes('tarik', { ...CONFIRMED, madeBy: 'salma' });
    expect(await reads(), 'the proposer alone stands behind their account').toEqual([
      false,
      true,
      false,
      false,
    ]);
    await becomes('tarik', {});
    expect(await reads(), 'nobody has confirmed it').toEqual([false, false, false, true]);
    await becomes('tarik', CONFIRMED);
    await becomes('salma', { ...CONFIRMED, madeBy: 'tarik' });
    expect(await reads(), 'they stand alone behind the proposer’s').toEqual([false, false, true, false]);
    await becomes('salma', {});
    expect(await reads(), 'nobody has confirmed the proposer’s').toEqual([false, false, false, true]);
    await office.accounts.confirm('salma', 'badr');
    expect(await reads(), 'one has').toEqual([true, false, false, false]);
    // The proposer reads what they always did.
    expect(await salma.text('/support/principal')).toContain('Another adviser has to approve your proposal.');
  });

  test('a proposal cannot be approved once its proposer has lost the right to it', async () => {
    const refuses = (by: string) => office.accounts.refusesApproval(by, 'badr', 'managePrincipal');
    await office.accounts.create({ id: 'carla', name: 'Carla', role: 'admin' });
    expect(await refuses('carla')).toBe('sameAgent');
    await office.accounts.confirm('carla', 'badr');
    await office.accounts.confirm('carla', 'aicha');
    expect(await refuses('carla')).toBeUndefined();
    await office.accounts.setRole('carla', 'supervisor', 'badr');
    expect(await refuses('carla')).toBe('proposerGone');
    expect(await office.accounts.refusesApproval('carla', 'badr', 'proposeThaw')).toBeUndefined();
    await office.accounts.setRole('carla', 'admin', 'badr');
    await office.accounts.disable('carla', 'badr');
    expect(await refuses('carla')).toBe('proposerGone');
    expect(await refuses('nobody')).toBe('sameAgent');
    expect(await refuses('badr')).toBe('sameAgent');
  });

  test('only a second administrator approves a retail agent’s number, and both are in the audit', async () => {
    const [salma, tarik, omar] = await Promise.all(
      ['salma', 'tarik', 'omar'].map((id) => office.staff(id, 'admin')),
    );
    const nadia = await office.staff('nadia', 'supervisor');
    const number = { phone: '0612345678', why: 'has another phone' };
    const said = async (response: Promise<Response> | undefined) => {
      const answer = await response;
      return answer?.headers.get('location')?.split('said=')[1] ?? answer?.status;
    };
    const propose = (by: typeof salma) => said(by?.post('/support/principal/agents/RA-1/number', number));
    expect([await propose(nadia), await propose(salma)]).toEqual([403, 'done-proposeAgent']);
    const page = (await tarik?.text('/support/principal')) ?? '';
    const at = /proposals\/approve.*?name="at" value="(\d+)"/s.exec(page)?.[1] ?? '';
    const approve = (by: typeof salma) => said(by?.post('/support/principal/proposals/approve', { at }));
    // The same person in another browser.
    const second = office.browser();
    await second.get('/in/salma');
    expect(await approve(second)).toBe('sameAgent');
    expect(await approve(nadia)).toBe(403);
    // One of two approvals at once is carried out. The wallet does not answer, and nothing was sent.
    expect((await Promise.all([approve(tarik), approve(omar)])).sort()).toEqual([400, 'notNow'].sort());
    expect(await approve(omar)).toBe('notNow');
    const { entries } = await office.audit.page({ act: 'approveAgent', limit: 9 });
    const kept = entries.map(({ who, end, endWhy }) => [who, end, endWhy].join(' '));
    expect(kept).toContain('salma refused sameAgent');
    expect(kept.filter((each) => / refused console.walletSilent$/.test(each))).toHaveLength(1);
    expect(kept.filter((each) => / refused notNow$/.test(each))).toHaveLength(2);
    const proposed = await office.audit.page({ act: 'proposeAgent', limit: 9 });
    expect(proposed.entries).toMatchObject([
      { who: 'salma', on: 'PA-1001', what: 'RA-1', about: '+212612345678', why: number.why, end: 'done' },
    ]);
    expect(await office.audit.verify()).toMatchObject({ ok: true, open: 0 });
  });
});
