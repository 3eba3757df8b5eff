import type { Settings } from '../../records/settings.ts';

const [KIND, ID] = ['console', 'address'];
/** The address of a process that listens on all interfaces: nobody can open it. */
const EVERYWHERE = /^http:\/\/(?:0\.0\.0\.0|\[::\]):/;

/** Notes where a console listens, for links that another process prints (`npm run support`). Rejects with `RecordsDown`. */
export async function noteConsole(settings: Settings, url: string): Promise<void> {
  await settings.change(KIND, () => ({ writes: [{ id: ID, value: url }], result: undefined }));
}

/** The address of the console that was started last. Undefined where none was, or where it cannot be opened. */
export async function consoleAddress(settings: Settings): Promise<string | undefined> {
  const url = (await settings.of(KIND)).all.find(({ id }) => id === ID)?.value;
  return url && !EVERYWHERE.test(url) ? url : undefined;
}
