import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { postgresProgram } from './postgres-server.ts';

/** Where the browser of the tests is. */
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** What the tests need beside npm's packages, and the Debian packages that bring it. */
const NEEDS = [
  { name: 'redis-server', packages: ['redis-server'], isThere: () => inPath('redis-server') },
  {
    name: 'PostgreSQL',
    packages: ['postgresql'],
    isThere: () => postgresProgram('initdb') !== undefined && postgresProgram('pg_dump') !== undefined,
  },
  { name: 'Chromium', packages: ['chromium', 'fonts-noto-core'], isThere: () => existsSync(CHROMIUM) },
] as const;

/**
 * Makes sure that everything is there: installs it where we are root on Debian, once. Gives one sentence that says what
 * is missing and how to get it, or nothing.
 */
export function provideNeeds(): string | undefined {
  const packages = NEEDS.filter(({ isThere }) => !isThere()).flatMap((need) => need.packages);
  if (packages.length > 0 && isRootOnDebian()) {
    console.log(`Installing ${packages.join(', ')} for the tests …`);
    apt('update');
    apt('install', '-y', '--no-install-recommends', ...packages);
  }
  const missing = NEEDS.filter(({ isThere }) => !isThere()).map(({ name }) => name);
  return missing.length > 0
    ? `The tests need ${missing.join(' and ')}: install ${packages.join(', ')}, or set CHROMIUM to your browser.`
    : undefined;
}

function apt(...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['-qq', ...args], { stdio: 'inherit', env });
}

function isRootOnDebian(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

function inPath(command: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((directory) => existsSync(join(directory, command)));
}
