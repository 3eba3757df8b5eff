import { type Config, readConfig } from '../../src/config.ts';

/** The settings of a process. Throws a sentence about the one that is wrong. */
export function configOf(env: Readonly<Record<string, string | undefined>>): Config {
  const config = readConfig(env);
  if ('refused' in config) throw new Error(config.refused);
  return config;
}
