import { FILE_SUFFIX } from './files.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment as it is meant, and what is wrong with how it is written: sentences that name the setting. */
export interface Reading {
  readonly env: Environment;
  readonly refusals: readonly string[];
}

/** Names that begin so are nobody else's: an unknown one is a mistake, also where it is near to none of ours. */
const OURS = /^(?:WASL|WALLET|WEBHOOKS?|USSD|SMS_AT|SANDBOX|SECRETS?|EMBED|OIDC|REDIS|TELEGRAM|WHATSAPP)_/;
/** Variables that Kubernetes sets for each service beside a container: `REDIS_SERVICE_HOST`, `WALLET_PORT_443_TCP_ADDR`. */
const OF_A_SERVICE =
  /_SERVICE_(?:HOST|PORT(?:_[A-Z\d_]+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/;
/** One mistake is forgiven in so many letters: `PORTAL` is another word than `PORT`, `LOG_LEVLE` is not. */
const LETTERS_PER_MISTAKE = 5;

/**
 * Refuses names that are nearly a setting's: `WALLET_URl` would be taken for no wallet at all. The value of such a name
 * counts as if the name were right, so the other refusals are those that remain once it is corrected. Empty variables
 * are not set, and variables that Kubernetes makes of services are not ours.
 */
export function withNearNames(env: Environment, settings: readonly string[]): Reading {
  const known = settings.flatMap((name) => [name, name + FILE_SUFFIX]);
  const written = Object.entries(env).filter(([name, value]) => value && !isOfAService(name, value));
  const corrected: Record<string, string | undefined> = {};
  const refusals: string[] = [];
  for (const [name, value] of written) {
    if (known.includes(name)) continue;
    const near = nearest(name, known);
    if (near) {
      refusals.push(`${name} is not a setting: ${near} is`);
      corrected[near] = value;
    } else if (OURS.test(name))
      refusals.push(`${name} is not a setting (docs/operator/settings.md lists them)`);
  }
  return { env: { ...corrected, ...Object.fromEntries(written) }, refusals };
}

function isOfAService(name: string, value: string | undefined): boolean {
  return OF_A_SERVICE.test(name) || (name.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(value ?? ''));
}

/** The setting whose name was meant, if any. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const plain = plainOf(name).replace(/^WASL(?=.)/, '');
  return known
    .map((each) => ({ each, distance: editDistance(plain, plainOf(each)) }))
    .filter(({ each, distance }) => distance <= Math.floor(plainOf(each).length / LETTERS_PER_MISTAKE))
    .sort((a, b) => a.distance - b.distance)[0]?.each;
}

/** Without what is easily written in another way: case, and the signs between words. */
function plainOf(name: string): string {
  return name.toUpperCase().replace(/[^A-Z\d]/g, '');
}

/** How many letters must be added, left out, replaced or swapped with their neighbour (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let [beforeLast, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last?.[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last?.[j - 1] ?? 0) + cost,
        isSwap ? (beforeLast?.[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, row];
  }
  return last?.[b.length] ?? 0;
}
