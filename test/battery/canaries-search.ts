import { hash } from 'node:crypto';

/** Numbers that are no secret however they look: durations, moments, counters, versions, money, the wallet's id of a customer. */
const NUMBERS_OF_OURS =
  /^(at|ms|durationMs|stayedMs|time|level|screen|page|screenId|tries|until|tryAt|money|amount|fees|total|date|count|hops|status|balance|owner|0)$/;
const HASHES = ['md5', 'sha1', 'sha256'] as const;
/** The shortest digest worth the name: shorter ones would be found by chance. */
const DIGEST_CHARS = 12;
/** The bytes that those characters stand for. */
const DIGEST_BYTES = { hex: 6, base64: 9 } as const;

/** Secrets that must be found nowhere. */
export interface Canaries {
  /** Four digits each. They count only where they stand alone, as any long number holds any four digits. */
  readonly pins: ReadonlySet<string>;
  /** Long enough to be found anywhere: one-time codes with their dash, card numbers, PINs in Arabic digits. */
  readonly long: readonly string[];
}

/** Every place in a text where a canary stands. */
export function canariesIn(text: string, canaries: Canaries): string[] {
  const { pins } = canaries;
  const alone = text.matchAll(/(?<![\w:.,|-])\d{4}(?![\w.-])/g);
  const found = [...alone].map(([digits]) => digits).filter((digits) => pins.has(digits));
  return [...found, ...longIn(text, canaries)].map((canary) => around(text, canary));
}

/** With thousands of canaries in thousands of texts, each text is read once: by how a canary begins. */
function longIn(text: string, { long }: Canaries): string[] {
  const byHead = headsOf(long);
  const found = new Set<string>();
  for (let at = 0; at + HEAD_CHARS <= text.length; at++) {
    for (const canary of byHead.get(text.slice(at, at + HEAD_CHARS)) ?? [])
      if (text.startsWith(canary, at) && !found.has(canary) && holds(text, canary)) found.add(canary);
  }
  return [...found];
}

const heads = new WeakMap<readonly string[], Map<string, string[]>>();
/** No canary is shorter than a PIN. */
const HEAD_CHARS = 4;

function headsOf(long: readonly string[]): Map<string, string[]> {
  const known = heads.get(long) ?? Map.groupBy(new Set(long), (canary) => canary.slice(0, HEAD_CHARS));
  heads.set(long, known);
  return known;
}

/**
 * A one-time code is found where it stands alone: among thousands of UUIDs one holds `694-967` by chance. So is any other
 * number but that of a card: moments are long numbers.
 */
function holds(text: string, canary: string): boolean {
  if (!/^(\d{3}[- ]\d{3}|\d{8})$/.test(canary)) return true;
  return new RegExp(`(?<![\\w-])${canary}(?![\\w-])`).test(text);
}

/** The same in JSON, where a number is only taken for a PIN if no field of ours explains it. */
export function canariesInJson(json: string, canaries: Canaries): string[] {
  // A mark, such as the id of what was done, is a word of its own.
  if (!/^[[{"]/.test(json)) return canariesIn(json, canaries);
  const found: string[] = [];
  JSON.parse(json, (name: string, value: unknown) => {
    if (typeof value === 'string')
      found.push(...canariesIn(value, canaries).map((canary) => `${name}: ${canary}`));
    if (typeof value === 'number' && !NUMBERS_OF_OURS.test(name) && canaries.pins.has(String(value)))
      found.push(`${name}: ${value}`);
    return value;
  });
  return found;
}

/** Everything in a text that could be a digest. */
export function digestsIn(text: string): Set<string> {
  return new Set(text.match(/[\w+/=-]{12,}/g) ?? []);
}

/**
 * Tries every PIN on digests: plain hashes of the PIN within what an attacker can know of the input, cut to any length.
 * @param within texts with `PIN` in them, such as `session 3 PIN`
 */
export function crackedBy(digests: ReadonlySet<string>, within: readonly string[]): string[] {
  const written = (['hex', 'base64'] as const).map((encoding) => ({
    bytes: DIGEST_BYTES[encoding],
    heads: new Map([...digests].map((digest) => [headOf(digest, encoding), digest])),
  }));
  const cracked: string[] = [];
  for (let pin = 0; pin < 10_000; pin++) {
    const digits = String(pin).padStart(4, '0');
    for (const template of within) {
      const guess = template.replaceAll('PIN', digits);
      for (const name of HASHES) {
        const hashed = hash(name, guess, 'binary');
        for (const { bytes, heads } of written) {
          const digest = heads.get(hashed.slice(0, bytes));
          if (digest) cracked.push(`${digest} is ${name} of ${template} with ${digits}`);
        }
      }
    }
  }
  return cracked;
}

/** The first bytes of a digest, one character for each. It is shorter when the digest is not written in this encoding. */
function headOf(digest: string, encoding: keyof typeof DIGEST_BYTES): string {
  return Buffer.from(digest.slice(0, DIGEST_CHARS), encoding).toString('latin1');
}

function around(text: string, canary: string): string {
  const at = text.indexOf(canary);
  return `${canary} in …${text.slice(Math.max(0, at - 60), at + canary.length + 30)}…`;
}
