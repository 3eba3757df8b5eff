import { start } from '../../src/main.ts';
import type { Wasl } from '../../src/program.ts';
import { configOf } from './settings.ts';

/** A process with these settings. Rejects with a sentence about the one that is wrong. */
export function startWasl(env: Readonly<Record<string, string | undefined>>): Promise<Wasl> {
  return start(configOf(env));
}
