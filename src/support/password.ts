import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** 2^15, 8, 3: one of the choices OWASP gives for scrypt; 32 MB and about a fifth of a second, off the event loop. */
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
export const PASSWORD_MIN_CHARACTERS = 12;
const PASSWORD_MAX_CHARACTERS = 200;

/** How many may wait for their turn; the next is refused with an error. */
const WAITING_MAX = 50;

/** One at a time: the threads that do this are also the ones that read files and look up names. */
let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

function derive(password: string, salt: Buffer): Promise<Buffer> {
  if (waiting >= WAITING_MAX) throw new Error('too many passwords at once');
  waiting++;
  const derived = last.then(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, HASH_BYTES, COST, (error, hash) =>
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

/** A password as it is stored. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return `scrypt$${salt.toString('base64url')}$${(await derive(password, salt)).toString('base64url')}`;
}

/** Takes as long where there is no such account (`stored` undefined) as where there is. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, salt = '', hash = ''] = (stored ?? '').split('$');
  const derived = await derive(password.slice(0, PASSWORD_MAX_CHARACTERS), Buffer.from(salt, 'base64url'));
  const expected = Buffer.from(hash, 'base64url');
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

/** Long is what counts (NIST SP 800-63B); the account's own name is the first that anybody would try. */
export function isGoodPassword(password: string, account: string): boolean {
  const { length } = [...password];
  return (
    length >= PASSWORD_MIN_CHARACTERS &&
    password.length <= PASSWORD_MAX_CHARACTERS &&
    !password.toLowerCase().includes(account) &&
    new Set(password).size >= 5
  );
}
