import { expect, test } from 'vitest';
import { type OpenRecords, theRecords } from './records-contract.ts';

/** What people have set at the console. */
export function keepsSettings(open: OpenRecords): void {
  const { records } = theRecords(open);
  const write = (kind: string, ...entries: readonly (readonly [id: string, value: string | null])[]) =>
    records.settings.change(kind, () => ({
      writes: entries.map(([id, value]) => ({ id, value })),
      result: undefined,
    }));
  const idsOf = async (kind: string) => (await records.settings.of(kind)).all.map(({ id }) => id);

  test('entries are read in the order in which they were first written, each kind by itself', async () => {
    expect(await records.settings.of('teams')).toEqual({ version: 0, all: [] });
    await write('teams', ['z', '1'], ['a', '2']);
    await write('labels', ['m', '3']);
    await write('teams', ['m', '4'], ['z', '{"name":"فريق 🧾"}']);
    expect(await records.settings.of('teams')).toEqual({
      version: 2,
      all: [
        { id: 'z', value: '{"name":"فريق 🧾"}' },
        { id: 'a', value: '2' },
        { id: 'm', value: '4' },
      ],
    });
    await write('teams', ['z', null], ['nobody', null]);
    expect([await idsOf('teams'), await idsOf('labels')]).toEqual([['a', 'm'], ['m']]);
  });

  test('a change that is refused, and one that throws, change nothing', async () => {
    await write('teams', ['a', '1']);
    expect(await records.settings.change('teams', () => ({ result: 'taken' }))).toBe('taken');
    const broken = records.settings.change('teams', () => {
      throw new Error('a bug');
    });
    await expect(broken).rejects.toThrow('a bug');
    expect(await records.settings.of('teams')).toEqual({ version: 1, all: [{ id: 'a', value: '1' }] });
  });

  test('of changes that come at once, each sees the one before', async () => {
    const add = () =>
      records.settings.change('counts', ({ all }) => {
        const n = Number(all[0]?.value ?? 0) + 1;
        return { writes: [{ id: 'n', value: `${n}` }], result: n };
      });
    const seen = await Promise.all(Array.from({ length: 12 }, add));
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
    expect(await records.settings.of('counts')).toEqual({ version: 12, all: [{ id: 'n', value: '12' }] });
  });

  test('an entry of another kind is written in the same step, and a version grows beyond one that is given', async () => {
    const writes = [
      { kind: 'teams', id: 'a', value: '1' },
      { id: 'support:teams', value: 'as it was' },
    ];
    await records.settings.change('taken', () => ({ writes, result: undefined }), 41);
    expect(await idsOf('teams')).toEqual(['a']);
    expect(await records.settings.of('taken')).toMatchObject({ version: 42, all: [{ id: 'support:teams' }] });
  });

  test('everything is there after a restart', async () => {
    const before = await open(true);
    await before.settings.change('teams', () => ({ writes: [{ id: 'a', value: '1' }], result: undefined }));
    await before.close();
    const again = await open(false);
    expect(await again.settings.of('teams')).toEqual({ version: 1, all: [{ id: 'a', value: '1' }] });
    await again.close();
  });
}
