import { describe, expect, test } from 'vitest';
import type { AgentWish } from '../../../machines/kit/effects.ts';
import { LANGUAGES } from '../../../src/conversation/incoming.ts';
import { createRenderer } from '../../../src/screen/renderer.ts';
import { partitionOf } from '../../../src/store/partition.ts';
import { readDocs, update } from '../../../src/store/update.ts';
import { centimes } from '../../../src/wallet/money.ts';
import { type Msisdn, msisdn } from '../../../src/wallet/phone.ts';
import { LOST, loses, refused, theWorld } from '../../kit/world.ts';
import { principalDesk } from '../../machines/principal-orders.ts';

const AGENT = { name: 'Kiosque', firstName: 'Amal', lastName: 'Sefrioui', cin: 'CD320032' };

const renderer = createRenderer();

const world = theWorld();
const principal = () => principalDesk(world);
const [AICHA, BADR] = [
  { id: 'aicha', name: 'Aicha' },
  { id: 'badr', name: 'Badr' },
];
const WHY = 'opens in Rabat, PIN 1234';
/** The newest proposal. */
const latest = async () => (await principal().proposedAgents()).at(-1)?.at ?? 0;
const opens = async (phone: string) => {
  await principal().proposeAgent({ open: { ...AGENT, phone: msisdn(phone) } }, AICHA, WHY);
  return principal().approveAgent(await latest(), BADR);
};
const isListed = async (phone: string) => {
  const listed = await principal().agents(1);
  return listed.kind === 'ok' && listed.value.entries.some((each) => each.phone === msisdn(phone));
};

describe('the principal agent', () => {
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

  test('opens a retail agent, and finds it again after a lost answer', async () => {
    world.wallet.next('createRetailAgent', loses);
    const opened = await opens('0677000001');
    expect(opened).toMatchObject({ kind: 'ok', value: { name: 'Kiosque', phone: '+212677000001' } });
    world.wallet.next('createRetailAgent', refused('90141'));
    expect(await opens('0677000002')).toMatchObject({ kind: 'refused', code: '90141' });
    world.wallet.next('createRetailAgent', LOST);
    expect(await opens('0677000002')).toEqual(LOST);
    expect(await isListed('0677000001')).toBe(true);
    expect(await principal().proposedAgents(), 'whatever the wallet has answered').toEqual([]);
  });

  test('does not propose a request that waits already, or that the wallet would refuse', async () => {
    const opened = await opens('0677000020');
    const { code } = typeof opened === 'object' && opened.kind === 'ok' ? opened.value : { code: '' };
    const [own, free, asked] = ['0677000020', '0677000021', '0677000022'].map(msisdn);
    const proposes = (wish: AgentWish) => principal().proposeAgent(wish, AICHA, WHY);
    const another = { ...AGENT, name: 'Tabac' };
    for (const [wish, said] of [
      [{ code, phone: own }, 'hasNumber'],
      [{ open: { ...AGENT, phone: own } }, 'numberTaken'],
      [{ code: 'RA-2001', phone: own }, 'numberTaken'],
      [{ code: 'RA-9999', phone: free }, 'noAgent'],
      [{ code, phone: free }, 'done'],
      [{ code, phone: free }, 'waits'],
      [{ code: 'RA-2001', phone: free }, 'waits'],
      [{ open: { ...another, phone: free } }, 'waits'],
      [{ open: { ...AGENT, phone: asked } }, 'done'],
      [{ open: { ...another, phone: asked } }, 'waits'],
    ] as const)
      expect(await proposes(wish as AgentWish), JSON.stringify(wish)).toBe(said);
    const waiting = await principal().proposedAgents();
    expect(waiting).toHaveLength(2);
    for (const { at } of waiting) await principal().withdrawAgent(at);
    // Of two at once one waits. A silent wallet does not stop a proposal.
    const both = await Promise.all([0, 1].map(() => proposes({ code, phone: free as Msisdn })));
    expect(both.sort()).toEqual(['done', 'waits']);
    await principal().withdrawAgent(await latest());
    world.wallet.next('retailAgent', LOST);
    world.wallet.next('retailAgents', LOST);
    expect(await proposes({ code, phone: own as Msisdn })).toBe('done');
    await principal().withdrawAgent(await latest());
  });

  test('opens nobody, and gives nobody a number, before two administrators agree', async () => {
    const phone = msisdn('0677000004');
    const wish = { open: { ...AGENT, phone } };
    expect(await principal().proposeAgent(wish, AICHA, WHY)).toBe('done');
    const at = await latest();
    expect((await principal().proposedAgents()).at(-1)).toMatchObject({ by: 'aicha', wish });
    expect((await principal().proposedAgents()).at(-1)?.reason).not.toContain('1234');
    expect(await principal().approveAgent(at, AICHA)).toBe('sameAgent');
    expect(await principal().approveAgent(at - 1, BADR)).toBe('notNow');
    expect(await principal().withdrawAgent(at)).toBe('done');
    expect(await principal().approveAgent(at, BADR), 'withdrawn meanwhile').toBe('notNow');
    expect(await isListed('0677000004')).toBe(false);

    // Another one, which nobody has looked at, is not approved by who has read the first one.
    expect(await principal().proposeAgent(wish, AICHA, WHY)).toBe('done');
    expect(await principal().approveAgent(at, BADR)).toBe('notNow');
    await world.passes(7 * 24 * 3_600_000 + 1);
    expect(await principal().proposedAgents(), 'over after a week').toEqual([]);
    expect(await isListed('0677000004')).toBe(false);
  });
});

describe('the principal agent and its administrators', () => {
  test('of two who approve at once one succeeds, and proposals of one moment are two', async () => {
    const opened = await opens('0677000005');
    const { code } = typeof opened === 'object' && opened.kind === 'ok' ? opened.value : { code: '' };
    const [one, other] = [msisdn('0677000006'), msisdn('0677000007')];
    await Promise.all([one, other].map((phone) => principal().proposeAgent({ code, phone }, AICHA, WHY)));
    const [first, second] = await principal().proposedAgents();
    expect(first?.at).not.toBe(second?.at);
    const at = first?.at ?? 0;
    const chloe = { id: 'chloe', name: 'Chloe' };
    const both = await Promise.all([BADR, chloe].map((by) => principal().approveAgent(at, by)));
    expect(both.filter((each) => each === 'notNow')).toHaveLength(1);
    expect(both).toContainEqual({ kind: 'ok', value: { code } });
    const given = first && 'phone' in first.wish ? first.wish.phone : undefined;
    expect(await world.api.retailAgent(code)).toMatchObject({ value: { phone: given } });
    expect((await principal().proposedAgents()).map((each) => each.at)).toEqual([second?.at]);
    await principal().withdrawAgent(second?.at ?? 0);
  });

  test('stores a proposed person sealed, in the name of the proposer', async () => {
    await principal().proposeAgent({ open: { ...AGENT, phone: msisdn('0677000008') } }, AICHA, WHY);
    const key = 'agent-proposals:PA-1001';
    const [doc] = await readDocs(world.store, partitionOf(key), [key]);
    for (const secret of ['677000008', AGENT.cin, 'Sefrioui', 'Kiosque'])
      expect(doc?.value).not.toContain(secret);
    await update(world.store, partitionOf(key), [key], (stored) => ({
      writes: [{ ...stored, value: stored.value.replace('aicha', 'chloe'), next: stored.version + 1 }],
      result: undefined,
    }));
    expect(await principal().proposedAgents()).toEqual([]);
  });

  test('has numbers that two administrators have agreed on, one by one', async () => {
    const [aicha, badr] = [AICHA, BADR];
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

  test.each(LANGUAGES)(
    'tells a number on USSD that its menu is in a chat, on one page, in %s',
    async (language) => {
      const omar = world.customer({ channel: 'ussd', language });
      await omar.isAtMenu();
      await principal().proposeBinding(omar.phone, AICHA, WHY);
      const mark = (await principal().numbers()).find(({ phone }) => phone === omar.phone);
      expect(await principal().approveBinding(omar.phone, BADR, mark?.proposal?.at ?? 0)).toBe('done');
      await omar.dials().hears('principal.bound', { code: 'PA-1001' });
      const screen = {
        key: 'principal.bound',
        values: { code: { code: 'PA-1001' } },
        expects: 'nothing',
      } as const;
      const page = renderer.ussd(screen, language, 0);
      expect(page.pages).toBe(1);
      for (const { text } of [page, renderer.sms(screen, language)])
        expect(text).toMatch(/dans votre messagerie|in your chat|في تطبيق المحادثة/);
    },
  );

  test('changes one, keeps the fields that are left out, and reads the list after a lost answer', async () => {
    const opened = await opens('0677000003');
    const code = typeof opened === 'object' && opened.kind === 'ok' ? opened.value.code : '';
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
