import { execSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import type { Environment, Reading } from './names.ts';

/** `SECRETS_KEY_FILE` names the file of `SECRETS_KEY`. */
export const FILE_SUFFIX = '_FILE';
const FILE_MAX_BYTES = 65_536;

/**
 * The environment with what the files say that it names, as container secrets come: `WEBHOOK_KEYS_FILE=/run/secrets/keys`.
 * A line's end after the value is not part of it. A file is refused, by a sentence that does not quote it, where it cannot
 * be read, is empty or too long, or where its setting is set, too.
 */
export function withFiles(env: Environment, settings: readonly string[]): Reading {
  const filled: Record<string, string | undefined> = { ...env };
  const refusals: string[] = [];
  for (const name of settings) {
    const path = env[name + FILE_SUFFIX];
    if (!path) continue;
    const { text, refused } = textOf(path);
    if (env[name]) refusals.push(`${name} and ${name}${FILE_SUFFIX} are both set: only one of them can be`);
    else if (refused) refusals.push(`${name}${FILE_SUFFIX} ${refused}`);
    else filled[name] = text;
  }
  return { env: filled, refusals };
}

function textOf(path: string): { readonly text?: string; readonly refused?: string } {
  try {
    if (statSync(path).size > FILE_MAX_BYTES) return { refused: `has more than ${FILE_MAX_BYTES} bytes` };
    const text = readFileSync(path, 'utf8').replace(/[\r\n]+$/, '');
    return text === '' ? { refused: 'is empty' } : { text };
  } catch (error) {
    return { refused: `cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}

/** How long a KMS or a vault may take. */
const COMMAND_MAX_MS = 15_000;

/** The environment with the key that the operator's program prints: a KMS, a vault or an HSM keeps it, and no file has it. */
export function withCommand({ env, refusals }: Reading): Reading {
  const { SECRETS_KEY_COMMAND: command, SECRETS_KEY: key } = env;
  const refused = (why: string) => ({ env, refusals: [...refusals, `SECRETS_KEY_COMMAND ${why}`] });
  if (!command) return { env, refusals };
  if (key) return refused('and SECRETS_KEY are both set: only one of them can be');
  try {
    const printed = execSync(command, {
      encoding: 'utf8',
      timeout: COMMAND_MAX_MS,
      stdio: ['ignore', 'pipe', 'inherit'],
    }).trim();
    return printed === '' ? refused('prints nothing') : { env: { ...env, SECRETS_KEY: printed }, refusals };
  } catch (error) {
    const { status, code } = error as NodeJS.ErrnoException & { readonly status?: number | null };
    return refused(`does not work (${code ?? status ?? 'ended by a signal'})`);
  }
}
