import { expect, test } from 'vitest';
import type { Case } from '../../src/conversation/cases/case.ts';
import { createCases } from '../../src/conversation/cases/cases.ts';
import { CASE_DEFAULTS } from '../../src/conversation/cases/changes.ts';
import type { CaseChoice, CaseSort } from '../../src/conversation/cases/choice.ts';
import { NOW, type OpenRecords, theRecords } from './records-contract.ts';

const owner = (name: string) => ({ id: name.toLowerCase(), name });
const TEAMS = [
  { id: 'cards', kinds: ['webhook'] },
  { id: 'cash', kinds: ['payment'] },
] as const;

/** A case a minute, each opened and due after the one before. */
function caseAt(i: number, more: Partial<Case> = {}): Case {
  const [id, at] = [`c-${String(i).padStart(7, '0')}`, NOW + i * 60_000];
  const given = { kind: 'asked', subject: id, state: 'open', openedAt: at, due: at + 900_000 } as const;
  return { id, ...given, steps: [{ at, what: 'opened' }], ...more };
}

const morning = (): readonly Case[] => [
  caseAt(1, { language: 'fr', address: 'ussd:+212612000001', wallet: '+212612000001' as never }),
  caseAt(2, { language: 'ar', address: 'telegram:2', owner: owner('Nadia'), labels: ['deadbeef'] }),
  caseAt(3, { isUrgent: true, kind: 'payment' }),
  caseAt(4, { state: 'waiting', owner: owner('Élodie'), language: 'fr', address: 'web:4' }),
  caseAt(5, { snoozedUntil: NOW + 86_400_000, owner: owner('Nadia') }),
  caseAt(6, { kind: 'webhook', mentions: { nadia: false } }),
  caseAt(7, { kind: 'webhook', team: 'cash', mentions: { 'n%dia': true } }),
  caseAt(8, { state: 'closed', closedAt: NOW, mentions: { nadia: true } }),
  caseAt(9, { state: 'closed', closedAt: NOW, mentions: { nadia: false, omar: true } }),
  caseAt(10, { kind: 'payment', team: 'gone', wallet: '+212612000001' as never, owner: owner('omar') }),
];

/** Lists of cases, chosen, sorted and cut by the database. */
export function choosesCases(open: OpenRecords): void {
  const { records } = theRecords(open);
  const clock = { at: NOW + 3_600_000 };
  const desk = async (cases: readonly Case[] = morning()) => {
    await records.cases.write(function* (tx) {
      for (const it of cases) yield* tx.add(it);
    });
    return createCases({ table: records.cases, settings: CASE_DEFAULTS, now: () => clock.at });
  };
  const numbers = (cases: readonly Case[]) => cases.map(({ id }) => Number(id.slice(2)));

  test('a damaged case hides no other one', async () => {
    const cases = await desk([caseAt(1), { ...caseAt(2), owner: 'damaged' } as never, caseAt(3)]);
    expect(numbers(await cases.list())).toEqual([1, 3]);
  });

  test.each<[which: string, CaseChoice, number[]]>([
    ['all that are open, the urgent one first', {}, [3, 1, 2, 4, 5, 6, 7, 10]],
    ['those of an agent', { stands: 'turn', owners: ['nadia'] }, [2]],
    ['those of nobody', { stands: 'turn', owners: [''] }, [3, 1, 6, 7]],
    ['those of nobody or an agent', { stands: 'turn', owners: ['', 'nadia'] }, [3, 1, 2, 6, 7]],
    ['those of no agent at all', { owners: [] }, []],
    ['those that somebody has', { isOwned: true }, [2, 4, 5, 10]],
    ['those that wait for their customer', { stands: 'waiting' }, [4]],
    ['those that are put off', { stands: 'snoozed' }, [5]],
    ['those that name an agent, closed ones until they look', { naming: 'nadia' }, [6, 8]],
    ['those that name an agent with a strange name', { naming: 'n%dia' }, [7]],
    ['those that name nobody', { naming: 'n_dia' }, []],
    ['those of a team, by hand or by kind', { teams: { all: TEAMS, of: ['cash'] } }, [3, 7, 10]],
    ['those of a team that has some by kind', { teams: { all: TEAMS, of: ['cards'] } }, [6]],
    ['those of no team', { teams: { all: TEAMS, of: [''] } }, [1, 2, 4, 5]],
    ['those of a team that is gone', { teams: { all: TEAMS, of: ['gone'] } }, []],
    ['those in a language, and those without one', { languages: ['fr'] }, [3, 1, 4, 5, 6, 7, 10]],
    ['those of a kind', { kind: 'webhook' }, [6, 7]],
    ['those with a label', { label: 'deadbeef' }, [2]],
    ['those of a customer', { customers: ['+212612000001'] }, [1, 10]],
    ['those of an address', { customers: ['web:4'] }, [4]],
    ['those of two choices', { kind: 'payment', and: { owners: [''] } }, [3]],
    ['those that name somebody in another one', { naming: 'nadia', and: { kind: 'webhook' } }, [6]],
  ])('a list has %s, and is counted so', async (_, choice, ids) => {
    const cases = await desk();
    expect(numbers(await cases.list(choice))).toEqual(ids);
    expect(await cases.counts([{ kind: 'webhook' }, choice])).toEqual([2, ids.length]);
  });

  test.each<[CaseSort, number[]]>([
    ['due', [3, 1, 2, 4, 5, 6, 7, 10]],
    ['waiting', [1, 2, 3, 5, 6, 7, 10, 4]],
    ['newest', [10, 7, 6, 5, 4, 3, 2, 1]],
    ['customer', [1, 10, 3, 2, 4, 5, 6, 7]],
    ['channel', [2, 1, 4, 3, 5, 6, 7, 10]],
    ['language', [2, 1, 4, 3, 5, 6, 7, 10]],
    ['reason', [1, 2, 4, 5, 3, 10, 6, 7]],
    ['owner', [4, 2, 5, 10, 3, 1, 6, 7]],
  ])('a list is sorted by %s, those without a value last', async (sort, ids) => {
    expect(numbers(await (await desk()).list({}, { sort }))).toEqual(ids);
  });

  test('a list of 5,000 waiting cases is right on each page and in each order, also after a change', async () => {
    const names = ['omar', 'Nadia', 'Élodie', 'Zineb'];
    const all = Array.from({ length: 5_000 }, (_, i) => {
      const name = names[(i * 7) % 5];
      return caseAt((i * 7_919) % 5_000, name ? { owner: owner(name) } : {});
    });
    const cases = await desk(all);
    const changed = all[0] as Case;
    await cases.setUrgent(changed.id, true, { id: 'nadia', mayTake: true });
    const sorted = (sort: CaseSort, from: number, limit = 100) => cases.list({}, { sort, from, limit });
    expect(numbers(await sorted('due', 0, 2))).toEqual([Number(changed.id.slice(2)), 1]);
    expect(numbers(await sorted('waiting', 4_998))).toEqual([4_998, 4_999]);
    expect(numbers(await sorted('newest', 2_500, 2))).toEqual([2_499, 2_498]);
    const owners = new Set((await sorted('owner', 950)).map((it) => it.owner?.name));
    expect([...owners]).toEqual(['Élodie', 'Nadia']);
    const found = new Set<string>();
    for (let from = 0; from < 5_000; from += 500)
      for (const { id } of await sorted('customer', from, 500)) found.add(id);
    expect(found.size).toBe(5_000);
    expect(await cases.counts([{}, { owners: [''] }, { owners: ['nadia'] }])).toEqual([5_000, 1_000, 1_000]);
  });
}
