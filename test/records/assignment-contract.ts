import { expect, test } from 'vitest';
import type { Case } from '../../src/conversation/cases/case.ts';
import { createCases } from '../../src/conversation/cases/cases.ts';
import { CASE_DEFAULTS } from '../../src/conversation/cases/changes.ts';
import type { Language } from '../../src/conversation/incoming.ts';
import { createAssignment, NO_RULES, type Rules, type Skills } from '../../src/support/assignment.ts';
import type { Team } from '../../src/support/teams.ts';
import { NOW, type OpenRecords, theRecords } from './records-contract.ts';

const MINUTE_MS = 60_000;
const agent = (id: string) => ({ id, name: id.toUpperCase() });
const [AMINA, BADR, CHAMA] = ['amina', 'badr', 'chama'] as const;

/** A day at two desks, each with what it needs of its own. */
function desksOf(open: OpenRecords) {
  const { records } = theRecords(open);
  return function desks(more: Partial<Rules> = {}) {
    const day = {
      now: NOW,
      rules: { ...NO_RULES, isOn: true, ...more },
      skills: [] as Skills[],
      teams: [] as Team[],
      present: [AMINA, BADR, CHAMA] as readonly string[],
      away: new Set<string>(),
      audit: [] as string[],
      /** Called before a case is given, to let something happen in between. */
      before: async () => {},
    };
    const desk = () => {
      const now = () => day.now;
      const cases = createCases({ table: records.cases, settings: CASE_DEFAULTS, now });
      const deal: typeof cases.deal = async (...args) => {
        await day.before();
        return cases.deal(...args);
      };
      return {
        cases,
        ...createAssignment({
          ...{ cases: { ...cases, deal }, settings: records.settings, now },
          rules: async () => day.rules,
          skills: async () => day.skills,
          teams: async () => day.teams,
          agents: async () => [AMINA, BADR, CHAMA].map(agent),
          present: async () => day.present.map((id) => ({ ...agent(id), at: day.now })),
          away: async () => day.away,
          audit: {
            async append({ who, act, on, what }) {
              day.audit.push([who, act, on, what].join(' '));
            },
            during: (_, work) => work(),
          },
        }),
      };
    };
    const [one, two] = [desk(), desk()];
    let phone = 0;
    const asks = (language: Language = 'fr', wallet = `+21261234${String(phone++).padStart(4, '0')}`) => {
      // No two in one millisecond.
      day.now += 1;
      return one.cases.open({
        ...{ kind: 'asked', subject: `ussd:${wallet}-${phone++}`, address: `ussd:${wallet}` },
        ...{ wallet: wallet as NonNullable<Case['wallet']>, language },
      });
    };
    const owners = async (all: readonly Case[]) =>
      Promise.all(all.map(async ({ id }) => (await one.cases.find(id))?.owner?.id));
    return { day, one, two, asks, owners };
  };
}

type Desks = ReturnType<ReturnType<typeof desksOf>>;

/** Assignment by rule: two desks over one database. */
export function assignsCases(open: OpenRecords): void {
  const desks = desksOf(open);

  test('cases go round, and the next round goes on where the last one ended, in any process', async () => {
    const { one, two, asks, owners } = desks();
    const first = [await asks(), await asks()];
    expect(await one.round()).toBe(2);
    const second = [await asks(), await asks(), await asks()];
    expect(await two.round()).toBe(3);
    expect(await owners([...first, ...second])).toEqual([AMINA, BADR, CHAMA, AMINA, BADR]);
    expect(await one.round(), 'nothing is left').toBe(0);
  });

  test.each<[why: string, set: (day: Desks['day']) => void, given: string | undefined]>([
    ['speaks its language', (day) => day.skills.push({ id: AMINA, languages: ['ar', 'en'] }), BADR],
    ['has no languages set', (day) => day.skills.push({ id: AMINA, languages: [] }), AMINA],
    [
      'is in its team',
      (day) => day.teams.push({ id: 't', name: 'Cartes', members: [CHAMA], kinds: ['asked'] }),
      CHAMA,
    ],
    ['is here', (day) => Object.assign(day, { present: [BADR] }), BADR],
    ['is on no break', (day) => day.away.add(AMINA), BADR],
    [
      'is nobody, as all are on a break',
      (day) => [AMINA, BADR, CHAMA].forEach((id) => void day.away.add(id)),
      undefined,
    ],
    ['is nobody, as nobody is here', (day) => Object.assign(day, { present: [] }), undefined],
    [
      'is nobody, as the team is not here',
      (day) => day.teams.push({ id: 't', name: 'Cartes', members: ['zineb'], kinds: ['asked'] }),
      undefined,
    ],
    [
      'is nobody, as nobody speaks its language',
      (day) => day.skills.push(...[AMINA, BADR, CHAMA].map((id) => ({ id, languages: ['en' as const] }))),
      undefined,
    ],
    ['is nobody, as the rule is off', (day) => Object.assign(day.rules, { isOn: false }), undefined],
    ['has room', (day) => day.skills.push({ id: AMINA, languages: [], capacity: 0 }), BADR],
  ])('a case goes to the agent who %s', async (_, set, given) => {
    const { day, one, asks, owners } = desks();
    const it = await asks();
    set(day);
    await one.round();
    expect(await owners([it])).toEqual([given]);
  });

  test('nobody gets more than they can take, and a case that waits for its customer leaves room', async () => {
    const { day, one, asks, owners } = desks({ capacity: 1 });
    day.present = [AMINA];
    const [first, second] = [await asks(), await asks()];
    await one.round();
    expect(await owners([first, second])).toEqual([AMINA, undefined]);
    await one.cases.setWaiting(first.id, true, { id: AMINA });
    await one.round();
    expect(await owners([first, second])).toEqual([AMINA, AMINA]);
  });

  test('a customer keeps their agent, and waits for them until the case is late', async () => {
    const { day, one, asks, owners } = desks({ capacity: 2 });
    const first = await asks('fr', '+212611111111');
    await one.cases.assign(first.id, agent(BADR), { id: BADR });
    const again = await asks('fr', '+212611111111');
    await one.round();
    expect(await owners([again])).toEqual([BADR]);
    const third = await asks('fr', '+212611111111');
    await one.round();
    expect(await owners([third]), 'he is full').toEqual([undefined]);
    day.now = third.due + 1;
    await one.round();
    expect(await owners([third])).toEqual([AMINA]);
  });
}

/** What stays true of it when processes meet or die, and when agents are silent. */
export function assignsCasesOnce(open: OpenRecords): void {
  const desks = desksOf(open);

  test('two desks at once give no case twice and no agent too many', async () => {
    const { day, one, two, asks, owners } = desks({ capacity: 4 });
    const all = await Promise.all(Array.from({ length: 20 }, () => asks()));
    const counts = await Promise.all([one.round(), two.round(), one.round(), two.round()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(12);
    const given = (await owners(all)).filter(Boolean);
    expect(given.toSorted()).toEqual([AMINA, BADR, CHAMA].flatMap((id) => [id, id, id, id]));
    expect(day.audit.filter((entry) => entry.includes('dealCase'))).toHaveLength(12);
    for (const { id } of all) {
      const steps = (await one.cases.find(id))?.steps.filter(({ what }) => what === 'assigned') ?? [];
      expect(steps.length).toBeLessThanOrEqual(1);
    }
  });

  test('a case that an agent takes while the round has it in hand stays theirs', async () => {
    const { day, one, two, asks, owners } = desks();
    const it = await asks();
    day.before = async () => {
      await two.cases.assign(it.id, agent('zineb'), { id: 'zineb' });
    };
    expect(await one.round()).toBe(0);
    expect(await owners([it])).toEqual(['zineb']);
  });

  test('of a process that dies in a round no case is lost: another one goes on once its lease is over', async () => {
    const { day, one, two, asks, owners } = desks();
    const it = await asks();
    // It dies before it writes, and gives nothing back.
    day.before = () => new Promise(() => {});
    void one.round();
    await expect.poll(() => day.audit.length).toBe(1);
    day.before = async () => {};
    expect(await two.round(), 'the lease is held').toBe(0);
    day.now += 16_000;
    expect(await two.round()).toBe(1);
    expect(await owners([it])).toEqual([AMINA]);
  });

  test('a case of an agent who does nothing goes back to the queue, with a step and an audit entry, and to another one', async () => {
    const { day, one, asks, owners } = desks({ silentMinutes: 10 });
    day.present = [AMINA];
    const it = await asks();
    await one.round();
    day.now += 9 * MINUTE_MS;
    await one.cases.note(it.id, BADR, 'a note of somebody else');
    expect(await one.round(), 'still in time').toBe(0);
    day.now += 2 * MINUTE_MS;
    expect(await one.round()).toBe(1);
    const back = await one.cases.find(it.id);
    expect(back?.owner).toBeUndefined();
    expect(back?.steps.at(-1)).toEqual({ at: day.now, what: 'returned', from: AMINA });
    expect(back?.mentions, 'she is told').toEqual({ [AMINA]: true });
    expect(day.audit.at(-1)).toBe(`rule returnCase ${it.id} ${AMINA}`);
    expect(await one.round(), 'it does not go to her again').toBe(0);
    day.present = [AMINA, BADR];
    expect(await one.round()).toBe(1);
    expect(await owners([it])).toEqual([BADR]);
  });

  test.each<[why: string, acts: (cases: Desks['one']['cases'], id: string) => Promise<unknown>]>([
    ['writes a note', (cases, id) => cases.note(id, AMINA, 'I look into it')],
    ['has it wait for its customer', (cases, id) => cases.setWaiting(id, true, { id: AMINA })],
    ['snoozes it', (cases, id) => cases.snooze(id, NOW + 60 * MINUTE_MS, { id: AMINA })],
    ['closes it', (cases, id) => cases.close(id, 'solved', { id: AMINA })],
  ])('a case of an agent who %s stays theirs', async (_, acts) => {
    const { day, one, asks, owners } = desks({ silentMinutes: 10 });
    const it = await asks();
    await one.round();
    day.now += 8 * MINUTE_MS;
    await acts(one.cases, it.id);
    day.now += 8 * MINUTE_MS;
    expect(await one.round()).toBe(0);
    expect(await owners([it])).toEqual([AMINA]);
  });
}
