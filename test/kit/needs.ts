import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { DRIVE_SMPP } from './drive-smpp.ts';
import { postgresProgram } from './postgres-server.ts';

/** Chromium without a window to draw does the same for half of the processor's time: the other one serves where it is missing. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;

/** The path of the browser of the tests. */
export function chromiumPath(): string {
  return process.env.CHROMIUM ?? BROWSERS.find((path) => existsSync(path)) ?? BROWSERS[0];
}

/** It reads the receipts that Wasl writes. */
export const PDF_TO_TEXT = '/usr/bin/pdftotext';

interface Need {
  readonly name: string;
  readonly packages: readonly string[];
  readonly isThere: () => boolean;
  /** A replacement where the packages are not available. */
  readonly isEnough?: () => boolean;
}

/** The programs that the tests need beside npm's packages, and their Debian packages. */
const NEEDS: readonly Need[] = [
  { name: 'redis-server', packages: ['redis-server'], isThere: () => inPath('redis-server') },
  {
    name: 'PostgreSQL',
    packages: ['postgresql'],
    isThere: () => postgresProgram('initdb') !== undefined && postgresProgram('pg_dump') !== undefined,
  },
  {
    name: 'haproxy and nginx',
    packages: ['haproxy', 'nginx-light'],
    isThere: () => existsSync('/usr/sbin/haproxy') && existsSync('/usr/sbin/nginx'),
  },
  { name: 'pdftotext', packages: ['poppler-utils'], isThere: () => existsSync(PDF_TO_TEXT) },
  {
    name: "Perl's Net::SMPP",
    packages: ['libnet-smpp-perl'],
    isThere: () => existsSync('/usr/share/perl5/Net/SMPP.pm'),
  },
  // The second SMSC, for `npm run test:long`.
  ...(process.env.LONG === '1'
    ? [{ name: "Kannel's drive_smpp", packages: ['kannel-extras'], isThere: () => existsSync(DRIVE_SMPP) }]
    : []),
  {
    name: 'Chromium',
    packages: ['chromium-headless-shell', 'fonts-noto-core'],
    isThere: () => existsSync(process.env.CHROMIUM ?? BROWSERS[0]),
    isEnough: () => existsSync(chromiumPath()),
  },
];

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
  const missing = NEEDS.filter(({ isThere, isEnough = isThere }) => !isEnough()).map(({ name }) => name);
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
