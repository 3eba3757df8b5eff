import { randomBytes } from 'node:crypto';
import type { Sealed } from '../../../machines/kit/secret.ts';
import type { Language } from '../../conversation/incoming.ts';
import type { Secrets } from '../../conversation/secrets.ts';
import { StoreDown, type Write } from '../../store/store.ts';
import { type Account, accountIn, type Book } from './account.ts';
import {
  type BookDeps,
  bookInRecords,
  changeBook,
  createTrustedBook,
  nextEpoch,
  shutOutInCopy,
} from './account-book.ts';
import { type Act, may, type Role } from './roles.ts';
import { newSecret } from './second-factor.ts';

/** How long a set-up link works. */
export const SET_UP_MS = 60 * 60 * 1000;
/** All accounts are read at once. */
const ACCOUNTS_MAX = 500;
const ID = /^[a-z\d](?:[a-z\d.-]{0,30}[a-z\d])?$/;
const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .'’-]{0,39}$/u;

/** Why an account was not changed. */
export type Refusal =
  | 'badName'
  | 'badDisplayName'
  | 'taken'
  | 'full'
  | 'notFound'
  | 'lastAdmin'
  | 'self'
  | 'notAnother';
export type Changed = { readonly ok: true } | { readonly ok: false; readonly why: Refusal };
export type ApprovalRefusal = 'sameAgent' | 'proposerGone';
/** `token`: the secret part of the set-up link. It is known only now. */
export type Invited =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly why: Refusal };

/** The new state of an account, or the reason for a refusal. */
export type Step = (account: Account | undefined, book: Book) => Account | Refusal;

interface AccountsDeps extends BookDeps {
  readonly secrets: Secrets;
}

/**
 * The accounts of the console. What is read is the copy in the live store, as far as it can be believed (`account-book.ts`). Changes
 * reject with `RecordsDown` while SQL is away. `by` is the administrator. Absent: the command, whose user holds the store and its keys anyway.
 */
export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts(deps: AccountsDeps) {
  const { secrets, now } = deps;
  const trusted = createTrustedBook(deps);
  const book = async () => (await trusted.read([])).book ?? bookInRecords(deps);
  const byAdmin = (id: string, by: string, to: (account: Account) => Account) =>
    change(deps, id, byAnother(by, to));
  return {
    /** Compares the copy with SQL. Rejects with `RecordsDown`. */
    compare: trusted.compare,
    /** The accounts, and documents beside them, for a request. */
    readBeside: trusted.read,
    /** By their names. */
    all: async () => Object.values(await book()).sort((a, b) => a.id.localeCompare(b.id)),
    find: async (id: string) => accountIn(await book(), id),
    /** The account whose set-up link this is, while it works. */
    ofSetUp: async (token: string) => ofSetUp(await book(), tokenDigests(secrets, token), now()),
    isSetUp: (account: Account, token: string) => isSetUp(account, tokenDigests(secrets, token), now()),
    openSecret: (id: string, sealed: Sealed) => openSecret(deps, id, sealed),
    /** Seals it, under the key that seals now. */
    sealSecret: (id: string, secret: string) => secrets.seal(secret, boundTo(id), now()),
    /** Writes the account that `step` makes of the present one, then `also` into the live store. A `Refusal` writes nothing. */
    change: (id: string, step: Step, also?: () => readonly Write[]) => change(deps, id, step, also),
    create: (account: Pick<Account, 'id' | 'name' | 'role'>, by?: string) => create(deps, account, by),
    /** Confirms that an account is its owner's. Refused to administrators who may be the same person, or are confirmed by nobody. */
    confirm: (id: string, by?: string) => change(deps, id, (account, book) => confirmed(account, by, book)),
    /**
     * The reason why one account may not approve a proposal of another: they are one person as far as is known, or the
     * proposer may not propose it any more. Undefined where it may be approved. Nobody approves by the copy: rejects with `RecordsDown`.
     * @param act the act that the proposer must be allowed
     */
    refusesApproval: async (proposer: string, approver: string, act: Act) =>
      refusesApproval(await bookInRecords(deps), proposer, approver, act),
    /** Ends password, second factor and all sign-ins. Its owner chooses anew by the link. */
    reset: (id: string, by?: string) => reset(deps, id, by),
    setRole: (id: string, role: Role, by: string) =>
      byAdmin(id, by, (account) => nextEpoch({ ...account, role })),
    disable: (id: string, by: string) => shutOut(deps, id, byAnother(by, disabled)),
    enable: (id: string, by: string) =>
      byAdmin(id, by, ({ disabled: _was, ...account }) => nextEpoch(account)),
    /** Ends all sign-ins of an account. */
    endAll: (id: string) => shutOut(deps, id, (account) => (account ? nextEpoch(account) : 'notFound')),
    setLanguage: (id: string, language: Language) =>
      change(deps, id, (account) => (account ? { ...account, language } : 'notFound')),
  };
}

function ofSetUp(book: Book, digests: readonly string[], now: number): Account | undefined {
  return Object.values(book).find((account) => isSetUp(account, digests, now));
}

function openSecret({ secrets, now }: AccountsDeps, id: string, sealed: Sealed): string {
  const secret = secrets.open(sealed, boundTo(id), now(), Number.MAX_SAFE_INTEGER);
  if (secret === undefined)
    throw new Error('a second factor cannot be opened: SECRETS_KEY is another one now');
  return secret;
}

async function change(
  deps: BookDeps,
  id: string,
  step: Step,
  also: () => readonly Write[] = () => [],
): Promise<Changed> {
  const why = await changeBook(deps, id, step, also);
  return why === undefined ? { ok: true } : { ok: false, why };
}

/** A change that only takes away. While SQL is away it is made in the copy, and SQL takes it over. */
async function shutOut(deps: BookDeps, id: string, step: Step): Promise<Changed> {
  try {
    return await change(deps, id, step);
  } catch (error) {
    if (!(error instanceof StoreDown)) throw error;
  }
  const why = await shutOutInCopy(deps, id, step);
  return why === undefined ? { ok: true } : { ok: false, why };
}

function create(
  deps: AccountsDeps,
  { id, name, role }: Pick<Account, 'id' | 'name' | 'role'>,
  by: string | undefined,
): Promise<Invited> {
  return invite(deps, id, by, (account, book) => {
    // The names of accounts that come from the company's sign-in.
    if (!ID.test(id) || id.startsWith('oidc.')) return 'badName';
    if (!NAME.test(name)) return 'badDisplayName';
    if (account) return 'taken';
    return Object.keys(book).length < ACCOUNTS_MAX ? { id, name, role, epoch: 0, since: deps.now() } : 'full';
  });
}

function reset(deps: AccountsDeps, id: string, by: string | undefined): Promise<Invited> {
  return invite(deps, id, by, (account) => {
    if (!account || account.oidc || account.demo) return 'notFound';
    return id === by ? 'self' : account;
  });
}

/** The account with a set-up link, and without the choices made by the last one. */
async function invite(deps: AccountsDeps, id: string, by: string | undefined, step: Step): Promise<Invited> {
  const { secrets, now } = deps;
  const token = randomBytes(24).toString('base64url');
  const [digest = ''] = tokenDigests(secrets, token);
  const changed = await change(deps, id, (account, book) => {
    const next = step(account, book);
    if (typeof next === 'string') return next;
    const { password: _gone, factor: _too, madeBy: _before, confirmed: _no, ...rest } = nextEpoch(next);
    const secret = secrets.seal(newSecret(), boundTo(id), now());
    const setUp = { digest, until: now() + SET_UP_MS, secret };
    return { ...rest, setUp, ...(by !== undefined && { madeBy: by }) };
  });
  return changed.ok ? { ok: true, token } : changed;
}

function confirmed(account: Account | undefined, by: string | undefined, book: Book): Account | Refusal {
  if (!account) return 'notFound';
  const { madeBy, ...rest } = account;
  if (by === undefined) return { ...rest, confirmed: true };
  const hands = handsOn(book, account.id);
  const isAnother = ![...handsOn(book, by)].some((id) => hands.has(id));
  if (!isAnother || !accountIn(book, by)?.confirmed) return 'notAnother';
  // Of an account that nobody here has made, one administrator alone knows whose it is.
  const isFirst = madeBy === undefined && !account.confirmed;
  return { ...rest, confirmed: true, ...(isFirst && { madeBy: by }) };
}

function areTwoPeople(book: Book, one: string, other: string): boolean {
  return one !== other && kinship(book, one, other) === undefined;
}

/**
 * Why two accounts count as one person's: nobody has confirmed one of them, or the other one stands alone behind this one (`maker`),
 * or this one behind it (`made`).
 */
export type Kinship = 'unconfirmed' | 'maker' | 'made';

function kinship(book: Book, id: string, other: string): Kinship | undefined {
  if (handsOn(book, id).has(other)) return 'maker';
  if (handsOn(book, other).has(id)) return 'made';
  return [id, other].every((each) => accountIn(book, each)?.confirmed) ? undefined : 'unconfirmed';
}

/** The other accounts that count as the same person as this one, each with why ("four eyes"). */
export function kinOf(book: Book, id: string): Readonly<Record<string, Kinship>> {
  return Object.fromEntries(
    Object.keys(book).flatMap((other) => {
      const why = other === id ? undefined : kinship(book, id, other);
      return why ? [[other, why]] : [];
    }),
  );
}

function refusesApproval(
  book: Book,
  proposer: string,
  approver: string,
  act: Act,
): ApprovalRefusal | undefined {
  if (!areTwoPeople(book, proposer, approver)) return 'sameAgent';
  const account = accountIn(book, proposer);
  return account && !account.disabled && may(account.role, act) ? undefined : 'proposerGone';
}

/** The account, the only one who stands behind it, the only one behind that one, … */
function handsOn(book: Book, id: string): ReadonlySet<string> {
  const hands = new Set<string>();
  for (let at: string | undefined = id; at !== undefined && !hands.has(at); at = accountIn(book, at)?.madeBy)
    hands.add(at);
  return hands;
}

/** Changes somebody else's account. Even of two admins who disable each other at the same moment, one is left. */
function byAnother(by: string, to: (account: Account) => Account): Step {
  return (account, book) => {
    if (!account) return 'notFound';
    if (account.id === by) return 'self';
    const next = to(account);
    const isOneLeft = Object.values({ ...book, [account.id]: next }).some(isAdmin);
    return isOneLeft || !isAdmin(account) ? next : 'lastAdmin';
  };
}

function disabled({ setUp: _void, ...account }: Account): Account {
  return nextEpoch({ ...account, disabled: true });
}

function tokenDigests(secrets: Secrets, token: string): readonly string[] {
  return secrets.digests(JSON.stringify(['support-set-up', token]));
}

function boundTo(id: string): string {
  return `support-factor:${id}`;
}

function isSetUp({ disabled, setUp }: Account, digests: readonly string[], now: number): boolean {
  return !disabled && setUp !== undefined && digests.includes(setUp.digest) && setUp.until > now;
}

function isAdmin({ role, disabled }: Account): boolean {
  return role === 'admin' && !disabled;
}
