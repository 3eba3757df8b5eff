import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { NameIn } from '../sentences.ts';
import { isCommonPassword } from './common-passwords.ts';

/** The cost of a hash. `ln` is the logarithm of N. */
interface Cost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** One of the choices OWASP gives for scrypt: 32 MB and some tenths of a second, off the event loop. */
const COST: Cost = { ln: 15, r: 8, p: 3 };
const MEMORY_MAX_BYTES = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
export const PASSWORD_MIN_CHARACTERS = 12;
const PASSWORD_MAX_CHARACTERS = 200;
/** Fewer different characters are a key held down, or two in turn. */
const DIFFERENT_MIN = 5;

/** The number of hashes that may wait for their turn. The next is refused with an error. */
const WAITING_MAX = 50;

/** One at a time: the threads that do this are also the ones that read files and look up names. */
let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

function derive(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  if (waiting >= WAITING_MAX) throw new Error('too many passwords at once');
  waiting++;
  const options = { N: 2 ** ln, r, p, maxmem: MEMORY_MAX_BYTES };
  const derived = last.then(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, hash) =>
          error ? reject(error) : resolve(hash),
        );
      }),
  );
  last = derived
    .catch(() => {})
    .finally(() => {
      waiting--;
    });
  return derived;
}

/** A password as it is stored, with its cost: a later one may be higher. */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, cost);
  const { ln, r, p } = cost;
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

const STORED = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/;

/** Takes as long where there is no such account (`stored` undefined) as where there is. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, ln, r, p, salt = '', hash = ''] = STORED.exec(stored ?? '') ?? [];
  const cost = ln ? { ln: Number(ln), r: Number(r), p: Number(p) } : COST;
  const bounded = password.slice(0, PASSWORD_MAX_CHARACTERS);
  const derived = await derive(bounded, Buffer.from(salt, 'base64url'), cost);
  const expected = Buffer.from(hash, 'base64url');
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

/** The rule that a password breaks. A sentence of the console is called so. */
export type Weakness = `password${Capitalize<NameIn<'password'>>}`;

/**
 * The first rule that a password breaks. Undefined for a good one. Length is what counts (NIST SP 800-63B). Attackers
 * try the account's own name and listed passwords first.
 */
export function weaknessOf(password: string, account: string): Weakness | undefined {
  if ([...password].length < PASSWORD_MIN_CHARACTERS) return 'passwordTooShort';
  if (password.length > PASSWORD_MAX_CHARACTERS) return 'passwordTooLong';
  if (password.toLowerCase().includes(account)) return 'passwordNamed';
  if (new Set(password).size < DIFFERENT_MIN) return 'passwordRepeats';
  return isCommonPassword(password) ? 'passwordCommon' : undefined;
}
