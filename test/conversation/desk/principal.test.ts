import { describe, expect, test } from 'vitest';
import { centimes } from '../../../src/wallet/money.ts';
import { msisdn } from '../../../src/wallet/phone.ts';
import { LOST, loses } from '../../kit/meddler.ts';
import { theWorld } from '../../kit/world.ts';

const AGENT = { name: 'Kiosque', firstName: 'Amal', lastName: 'Sefrioui', cin: 'CD320032' };

describe('the principal agent', () => {
  const world = theWorld();
  const principal = () => {
    const { principal: one } = world.engine.desk;
    if (!one) throw new Error('there is none');
    return one;
  };

  test('has a float, which is loaded at a counter of the bill network', async () => {
    const before = world.sandbox.float();
    const loaded = await principal().load(centimes(500_00));
    if (loaded.kind !== 'ok') throw new Error(loaded.kind);
    const { reference } = loaded.value;
    expect(reference).toMatch(/^BILLREF-\d+$/);
    const [open] = world.sandbox.references().filter((each) => each.reference === reference);
    expect(open).toMatchObject({ amount: 500, phone: null, billNetwork: true, status: 1 });
    const account = await principal().account();
    expect(account).toMatchObject({ kind: 'ok', value: { code: 'PA-1001', balance: before } });
  });

  test('opens a retail agent, who is found again where the answer was lost', async () => {
    world.wallet.next('createRetailAgent', loses);
    const opened = await principal().open({ ...AGENT, phone: msisdn('0677000001') });
    expect(opened).toMatchObject({ kind: 'ok', value: { name: 'Kiosque', phone: '+212677000001' } });
    const again = await principal().open({ ...AGENT, phone: msisdn('0677000001') });
    expect(again).toMatchObject({ kind: 'refused', code: '90141' });
    world.wallet.next('createRetailAgent', LOST);
    expect(await principal().open({ ...AGENT, phone: msisdn('0677000002') })).toEqual(LOST);
    const listed = await principal().agents(1);
    expect(listed.kind === 'ok' && listed.value.entries.map(({ phone }) => phone)).toContain('+212677000001');
  });

  test('has numbers that two administrators have agreed on, one by one', async () => {
    const [aicha, badr] = [
      { id: 'aicha', name: 'Aicha' },
      { id: 'badr', name: 'Badr' },
    ];
    const why = 'pays the salaries, PIN 1234';
    const karim = world.customer({ channel: 'web' });
    await karim.isAtMenu();
    const { phone } = karim;
    const known = async () => (await principal().numbers()).find((each) => each.phone === phone);
    const at = async () => (await known())?.proposal?.at ?? 0;

    expect(await principal().proposeUnbinding(phone, aicha, why)).toBe('notNow');
    expect(await principal().proposeBinding(phone, aicha, why)).toBe('done');
    expect(await principal().proposeBinding(phone, badr, why)).toBe('notNow');
    expect((await known())?.proposal?.reason).not.toContain('1234');
    expect((await known())?.bound).toBeUndefined();
    expect(await principal().withdrawBinding(phone, badr)).toBe('done');
    expect(await known()).toBeUndefined();
    expect(await principal().proposeBinding(phone, aicha, why)).toBe('done');
    expect(await principal().approveBinding(phone, aicha, await at())).toBe('sameAgent');
    expect(await principal().approveBinding(phone, badr, (await at()) - 1)).toBe('notNow');
    expect(await principal().approveBinding(phone, badr, await at())).toBe('done');
    await karim.hears('principal.bound', { code: 'PA-1001' });
    expect((await known())?.bound).toMatchObject({ by: 'aicha', approvedBy: 'badr' });

    expect(await principal().proposeBinding(phone, aicha, why)).toBe('notNow');
    expect(await principal().proposeUnbinding(phone, badr, why)).toBe('done');
    expect(await principal().withdrawBinding(phone, badr)).toBe('done');
    expect((await known())?.bound).toMatchObject({ by: 'aicha' });
    expect(await principal().proposeUnbinding(phone, badr, why)).toBe('done');
    expect(await principal().approveBinding(phone, badr, await at())).toBe('sameAgent');
    expect(await principal().approveBinding(phone, aicha, await at())).toBe('done');
    await karim.hears('principal.unbound');
    expect(await known()).toBeUndefined();
  });

  test('changes one: what is left out stays, and a lost answer is read', async () => {
    const opened = await principal().open({ ...AGENT, phone: msisdn('0677000003') });
    const code = opened.kind === 'ok' ? opened.value.code : '';
    expect(await principal().change(code, { address: '3, avenue Hassan II, Rabat' })).toMatchObject({
      kind: 'ok',
    });
    world.wallet.next('changeRetailAgent', loses);
    expect(await principal().change(code, { name: 'Kiosque Amal' })).toEqual({ kind: 'ok', value: true });
    world.wallet.next('changeRetailAgent', LOST);
    expect(await principal().change(code, { name: 'Nobody' })).toEqual(LOST);
    expect(await world.api.retailAgent(code)).toMatchObject({
      value: { name: 'Kiosque Amal', address: '3, avenue Hassan II, Rabat', person: 'Amal Sefrioui' },
    });
    expect(await principal().change('RA-9', { name: 'Nobody' })).toMatchObject({ kind: 'refused' });
  });
});
