import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Core } from '../core/core.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { Faults, SetFault } from '../faults/fault-control.ts';

export const SNAPSHOTS_MAX = 50;
const snapshotName = z.string().regex(/^[\w-]{1,40}$/, 'must be 1 to 40 letters, digits, - or _');
export const snapshotOrder = z.strictObject({ name: snapshotName });

export interface Snapshot {
  readonly name: string;
  /** Of the real clock. */
  readonly savedAt: number;
  readonly bytes: number;
}

/** What is not in the tables while the sandbox runs. */
interface Beside {
  readonly now: number;
  readonly isFrozen: boolean;
  readonly faults: readonly SetFault[];
  readonly settings: ReturnType<SettingsStore['all']>;
}
const BESIDE = 'beside';

/**
 * Snapshots: each a copy of the whole database in a file of its own, with the clock, the faults and the settings. They lie
 * beside the sandbox's file and outlive a restart and a reset; those of a sandbox in memory go with it.
 */
export function createSnapshots({ db, clock }: Core, faults: Faults, settings: SettingsStore, file: string) {
  let temporary: string | undefined;
  const folder = (): string => {
    if (file !== ':memory:') return join(dirname(file), 'snapshots');
    temporary ??= mkdtempSync(join(tmpdir(), 'wasl-snapshots-'));
    return temporary;
  };
  const pathOf = (name: string) => join(folder(), `${name}.db`);
  const list = (): Snapshot[] => {
    if (!existsSync(folder())) return [];
    const names = readdirSync(folder()).filter((each) => /^[\w-]{1,40}\.db$/.test(each));
    return names.sort().map((each) => {
      const { mtimeMs, size } = statSync(join(folder(), each));
      return { name: each.slice(0, -'.db'.length), savedAt: Math.round(mtimeMs), bytes: size };
    });
  };

  return {
    list,
    has: (name: string) => existsSync(pathOf(name)),

    /** In place of one of the same name. False where there are too many. */
    save(name: string): boolean {
      const path = pathOf(name);
      if (!existsSync(path) && list().length >= SNAPSHOTS_MAX) return false;
      mkdirSync(folder(), { recursive: true });
      rmSync(path, { force: true });
      const beside: Beside = {
        now: clock.now(),
        isFrozen: clock.isFrozen(),
        faults: faults.list(),
        settings: settings.all(),
      };
      db.run('REPLACE INTO meta VALUES (?, ?)', BESIDE, JSON.stringify(beside));
      db.copyTo(path);
      db.run('DELETE FROM meta WHERE name = ?', BESIDE);
      return true;
    },

    /** Everything is as it was, the time too. False where the snapshot is of another version of the sandbox. */
    restore(name: string): boolean {
      if (!db.takeFrom(pathOf(name))) return false;
      const row = db.get<{ value: string }>('SELECT value FROM meta WHERE name = ?', BESIDE);
      if (!row) throw new Error(`${name} is no snapshot`);
      const { now, isFrozen, faults: set, settings: chosen }: Beside = JSON.parse(row.value);
      clock.freeze(now);
      if (!isFrozen) clock.run();
      faults.restore(set);
      settings.restore(chosen);
      db.run('DELETE FROM meta WHERE name = ?', BESIDE);
      return true;
    },

    remove: (name: string): void => rmSync(pathOf(name), { force: true }),
    close(): void {
      if (temporary) rmSync(temporary, { recursive: true, force: true });
    },
  };
}
export type Snapshots = ReturnType<typeof createSnapshots>;
