import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** Makes a folder. It is removed with the running test, or else after the tests around the call. */
export function newDirectory(name = 'test'): string {
  const directory = mkdtempSync(join(tmpdir(), `wasl-${name}-`));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  if (TestRunner.getCurrentTest()) onTestFinished(remove);
  else afterAll(remove);
  return directory;
}
