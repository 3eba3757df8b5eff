import { randomBytes } from 'node:crypto';
import type { Sealed } from '../../../machines/kit/secret.ts';
import type { Language } from '../../conversation/incoming.ts';
import type { Secrets } from '../../conversation/secrets.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store, Write } from '../../store/store.ts';
import type { Role } from './roles.ts';
import { newSecret } from './second-factor.ts';

/** Everything about who gets in lives in one partition, so that one commit can write all of it. */
export const SUPPORT_PARTITION = partitionOf('support:accounts');
export const ACCOUNTS = 'support:accounts';
/** How long a set-up link works. */
export const SET_UP_MS = 60 * 60 * 1000;
/** All accounts are one document. */
const ACCOUNTS_MAX = 500;
const TRIES_MAX = 20;
const ID = /^[a-z\d](?:[a-z\d.-]{0,30}[a-z\d])?$/;
const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .'’-]{0,39}$/u;

export interface Account {
  /** `nadia.b`: what one signs in with. */
  readonly id: string;
  /** What customers read. */
  readonly name: string;
  readonly role: Role;
  /** Sign-ins of an earlier epoch have ended. */
  readonly epoch: number;
  readonly disabled?: true;
  readonly language?: Language;
  /** A scrypt hash. */
  readonly password?: string;
  /** The sealed secret of the authenticator app, and the newest step whose code was used. */
  readonly factor?: { readonly secret: Sealed; readonly usedTo: number };
  /** A link that its owner has not used yet. */
  readonly setUp?: { readonly digest: string; readonly until: number; readonly secret: Sealed };
  /** Signs in with the company's own sign-in, and nowhere else. */
  readonly oidc?: true;
  /** Made by the link that the start prints beside the sandbox; of no use anywhere else. */
  readonly demo?: true;
}

export type Book = Readonly<Record<string, Account>>;

/** Why an account was not changed. */
export type Refusal = 'badName' | 'badDisplayName' | 'taken' | 'full' | 'notFound' | 'lastAdmin' | 'self';
export type Changed = { readonly ok: true } | { readonly ok: false; readonly why: Refusal };
/** `token`: what makes the set-up link; it is known only now. */
export type Invited =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly why: Refusal };

export type Accounts = ReturnType<typeof createAccounts>;

/** The accounts of the console: one document, written by compare-and-set. */
export function createAccounts(store: Store, secrets: Secrets, now: () => number) {
  const digest = (token: string) => secrets.digest(JSON.stringify(['support-set-up', token]));
  const bound = (id: string) => `support-factor:${id}`;

  async function read(): Promise<{ readonly book: Book; readonly version: number }> {
    const [doc] = await store.read(SUPPORT_PARTITION, [ACCOUNTS]);
    return { book: readBook(doc?.value), version: doc?.version ?? 0 };
  }

  /**
   * Writes what `step` makes of an account as it stands, together with `also`; a `Refusal` writes nothing. When
   * somebody else was faster, `step` is asked again.
   */
  async function change(
    id: string,
    step: (account: Account | undefined, book: Book) => Account | Refusal,
    also: readonly Write[] = [],
  ): Promise<Changed> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const { book, version } = await read();
      const next = step(Object.hasOwn(book, id) ? book[id] : undefined, book);
      if (typeof next === 'string') return { ok: false, why: next };
      const value = JSON.stringify({ ...book, [id]: next });
      const writes = [{ key: ACCOUNTS, version, value }, ...also];
      if (await store.commit(SUPPORT_PARTITION, { writes, durable: true })) return { ok: true };
    }
    throw new Error('the accounts could not be written: too many at once');
  }

  async function invite(id: string, step: Parameters<typeof change>[1]): Promise<Invited> {
    const token = randomBytes(24).toString('base64url');
    const changed = await change(id, (account, book) => {
      const next = step(account, book);
      if (typeof next === 'string') return next;
      const { password: _gone, factor: _too, ...rest } = next;
      const secret = secrets.seal(newSecret(), bound(id), now());
      return {
        ...rest,
        epoch: rest.epoch + 1,
        setUp: { digest: digest(token), until: now() + SET_UP_MS, secret },
      };
    });
    return changed.ok ? { ok: true, token } : changed;
  }

  /** Somebody else's account. Even of two admins who disable each other at the same moment, one is left. */
  const changeable =
    (by: string, change: (account: Account) => Account) =>
    (account: Account | undefined, book: Book): Account | Refusal => {
      if (!account) return 'notFound';
      if (account.id === by) return 'self';
      const next = change(account);
      const isOneLeft = Object.values({ ...book, [account.id]: next }).some(isAdmin);
      return isOneLeft || !isAdmin(account) ? next : 'lastAdmin';
    };

  return {
    async all(): Promise<Account[]> {
      const { book } = await read();
      return Object.values(book).sort((a, b) => a.id.localeCompare(b.id));
    },

    async find(id: string): Promise<Account | undefined> {
      const { book } = await read();
      return Object.hasOwn(book, id) ? book[id] : undefined;
    },

    /** The account whose set-up link this is, while it works. */
    async ofSetUp(token: string): Promise<Account | undefined> {
      const { book } = await read();
      return Object.values(book).find((account) => isSetUp(account, digest(token), now()));
    },

    isSetUp: (account: Account, token: string) => isSetUp(account, digest(token), now()),

    /** Opens a sealed secret of an authenticator app. */
    openSecret(id: string, sealed: Sealed): string {
      const secret = secrets.open(sealed, bound(id), now(), Number.MAX_SAFE_INTEGER);
      if (secret === undefined)
        throw new Error('a second factor cannot be opened: SECRETS_KEY is another one now');
      return secret;
    },

    change,

    create({ id, name, role }: Pick<Account, 'id' | 'name' | 'role'>): Promise<Invited> {
      return invite(id, (account, book) => {
        // The names of accounts that come from the company's sign-in.
        if (!ID.test(id) || id.startsWith('oidc.')) return 'badName';
        if (!NAME.test(name)) return 'badDisplayName';
        if (account) return 'taken';
        return Object.keys(book).length < ACCOUNTS_MAX ? { id, name, role, epoch: 0 } : 'full';
      });
    },

    /** Ends password, second factor and all sign-ins; its owner chooses anew by the link. */
    reset: (id: string, by?: string) =>
      invite(id, (account) => {
        if (!account || account.oidc || account.demo) return 'notFound';
        return id === by ? 'self' : account;
      }),

    setRole: (id: string, role: Role, by: string) =>
      change(
        id,
        changeable(by, (account) => ({ ...account, role, epoch: account.epoch + 1 })),
      ),

    disable: (id: string, by: string) =>
      change(
        id,
        changeable(by, ({ setUp: _void, ...account }) => ({
          ...account,
          disabled: true,
          epoch: account.epoch + 1,
        })),
      ),

    enable: (id: string, by: string) =>
      change(
        id,
        changeable(by, ({ disabled: _was, ...account }) => account),
      ),

    /** Ends all sign-ins of an account. */
    endAll: (id: string) =>
      change(id, (account) => (account ? { ...account, epoch: account.epoch + 1 } : 'notFound')),

    setLanguage: (id: string, language: Language) =>
      change(id, (account) => (account ? { ...account, language } : 'notFound')),
  };
}

export function readBook(value: string | undefined): Book {
  return value === undefined ? {} : (JSON.parse(value) as Book);
}

function isSetUp({ disabled, setUp }: Account, digest: string, now: number): boolean {
  return !disabled && setUp !== undefined && setUp.digest === digest && setUp.until > now;
}

function isAdmin({ role, disabled }: Account): boolean {
  return role === 'admin' && !disabled;
}
