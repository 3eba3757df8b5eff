import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Core } from '../core/core.ts';
import { jsonColumn } from '../core/json-column.ts';
import { SCHEMA_VERSION, TABLES } from '../core/schema.ts';
import { keptSettings, type SettingsStore } from '../core/settings.ts';
import { type Faults, setFault } from '../faults/fault-control.ts';
import { changePartner, ownPartner } from '../partners/partners.ts';

export const SNAPSHOTS_MAX = 50;
const snapshotName = z.string().regex(/^[\w-]{1,40}$/, 'must be 1 to 40 letters, digits, - or _');
export const snapshotOrder = z.strictObject({ name: snapshotName });

/** The state that is not in the tables while the sandbox runs. */
const inMemory = z.object({
  now: z.number(),
  isFrozen: z.boolean(),
  faults: z.array(setFault).readonly(),
  settings: keptSettings,
});
type InMemory = z.input<typeof inMemory>;
/** Under which name it lies in the copy. */
const IN_MEMORY = 'beside';
const IN_MEMORY_COLUMN = jsonColumn(`meta.${IN_MEMORY}`, inMemory);

/**
 * Snapshots: each a copy of the whole database in a file of its own, with the clock, the faults and the settings. They lie
 * in a folder next to the sandbox's file and outlive a restart and a reset. Those of a sandbox in memory go with it.
 */
export class Snapshots {
  readonly #core: Core;
  readonly #faults: Faults;
  readonly #settings: SettingsStore;
  readonly #file: string;
  /** The folder of a sandbox in memory, once it has one. */
  #temporary: string | undefined;

  /** @param file the sandbox's own: a path, or `:memory:` */
  constructor(core: Core, faults: Faults, settings: SettingsStore, file: string) {
    this.#core = core;
    this.#faults = faults;
    this.#settings = settings;
    this.#file = file;
  }

  /** By name, each with its size and when it was saved, by the real clock. */
  list() {
    const folder = this.#folder();
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder).filter((each) => /^[\w-]{1,40}\.db$/.test(each));
    return names.sort().map((each) => {
      const { mtimeMs, size } = statSync(join(folder, each));
      return { name: each.slice(0, -'.db'.length), savedAt: Math.round(mtimeMs), bytes: size };
    });
  }

  has(name: string): boolean {
    return existsSync(this.#pathOf(name));
  }

  /** In place of one of the same name. False where there are too many. */
  save(name: string): boolean {
    const { db, clock } = this.#core;
    const path = this.#pathOf(name);
    if (!existsSync(path) && this.list().length >= SNAPSHOTS_MAX) return false;
    mkdirSync(this.#folder(), { recursive: true });
    rmSync(path, { force: true });
    const memory: InMemory = {
      now: clock.now(),
      isFrozen: clock.isFrozen(),
      faults: this.#faults.list(),
      settings: this.#settings.all(),
    };
    db.run('REPLACE INTO meta VALUES (?, ?)', IN_MEMORY, JSON.stringify(memory));
    db.copyTo(path);
    db.run('DELETE FROM meta WHERE name = ?', IN_MEMORY);
    return true;
  }

  /** Everything is as it was, the time too. False where the snapshot is of another version of the sandbox. */
  restore(name: string): boolean {
    const { db, clock } = this.#core;
    const { apiKey } = ownPartner(this.#core);
    if (!db.takeFrom(this.#pathOf(name))) return false;
    const row = db.get<{ value: string }>('SELECT value FROM meta WHERE name = ?', IN_MEMORY);
    if (!row) throw new Error(`${name} is no snapshot`);
    const { now, isFrozen, faults, settings } = IN_MEMORY_COLUMN.read(row.value);
    // A snapshot may be of another key.
    changePartner(this.#core, ownPartner(this.#core), { apiKey });
    clock.freeze(now);
    if (!isFrozen) clock.run();
    this.#faults.restore(faults);
    this.#settings.restore(settings);
    db.run('DELETE FROM meta WHERE name = ?', IN_MEMORY);
    return true;
  }

  read(name: string): Uint8Array<ArrayBuffer> {
    return new Uint8Array(readFileSync(this.#pathOf(name)));
  }

  /**
   * Takes a snapshot that was read elsewhere, in place of one of the same name. Gives why it cannot be one. A file with views or
   * triggers in place of our tables is none.
   */
  load(name: string, bytes: Uint8Array): string | undefined {
    const path = this.#pathOf(name);
    if (!existsSync(path) && this.list().length >= SNAPSHOTS_MAX)
      return `There are ${SNAPSHOTS_MAX} snapshots already`;
    mkdirSync(this.#folder(), { recursive: true });
    const beside = `${path}.loading`;
    writeFileSync(beside, bytes);
    try {
      const why = whyNoSnapshot(beside);
      if (!why) renameSync(beside, path);
      return why;
    } finally {
      rmSync(beside, { force: true });
    }
  }

  removeAll(): void {
    rmSync(this.#folder(), { recursive: true, force: true });
  }

  remove(name: string): void {
    rmSync(this.#pathOf(name), { force: true });
  }

  close(): void {
    if (this.#temporary) rmSync(this.#temporary, { recursive: true, force: true });
  }

  #pathOf(name: string): string {
    return join(this.#folder(), `${name}.db`);
  }

  #folder(): string {
    const { partner } = this.#core;
    if (this.#file !== ':memory:')
      return join(dirname(this.#file), `snapshots${partner === 1 ? '' : `-${partner}`}`);
    this.#temporary ??= mkdtempSync(join(tmpdir(), 'wasl-snapshots-'));
    return this.#temporary;
  }
}

function whyNoSnapshot(path: string): string | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true });
    const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
    if (version !== SCHEMA_VERSION) return 'It is of another version of the sandbox';
    const all = db.prepare('SELECT type, name FROM sqlite_schema').all() as { type: string; name: string }[];
    const tables = new Set(all.filter(({ type }) => type === 'table').map(({ name }) => name));
    const row = db.prepare('SELECT value FROM meta WHERE name = ?').get(IN_MEMORY) as
      | { value: string }
      | undefined;
    if (!TABLES.every((name) => tables.has(name)) || !row) return 'It is no snapshot';
    IN_MEMORY_COLUMN.read(row.value);
    return undefined;
  } catch {
    return 'It is no snapshot';
  } finally {
    db?.close();
  }
}
