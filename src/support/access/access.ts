import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import type { Language } from '../../conversation/incoming.ts';
import type { Secrets } from '../../conversation/secrets.ts';
import { codec, type KeyedDoc } from '../../store/codec.ts';
import type { Store, Write } from '../../store/store.ts';
import { update } from '../../store/update.ts';
import { type Account, accountIn } from './account.ts';
import { SUPPORT_PARTITION } from './account-book.ts';
import { type Accounts, kinOf, type Step } from './accounts.ts';
import type { Who } from './guard.ts';

/** A sign-in ends after so long without a request. */
export const IDLE_MS = 30 * 60_000;
/** However busy, it ends after so long. */
export const SIGNED_IN_MAX_MS = 12 * 60 * 60_000;
/** How exactly it is remembered when somebody was last here: each time is a commit. */
const SEEN_STEP_MS = 60_000;
const TOKEN = /^[\w-]{43}$/;

interface AccessOptions {
  readonly store: Store;
  readonly accounts: Pick<Accounts, 'readBeside' | 'change'>;
  readonly secrets: Pick<Secrets, 'digests'>;
  readonly now: () => number;
  /** Served over https: the cookie is `Secure` and, by its `__Host-` name, of this host alone. */
  readonly secure: boolean;
  /** Beside the sandbox, where the demo account may come in. */
  readonly sandbox: boolean;
}

/** A sign-in as it is stored, under a digest of the cookie: nobody who reads the store can sign in with it. */
const SIGN_IN = z.object({
  account: z.string(),
  epoch: z.number(),
  /** When it began and when it was last used, in ms since 1970. */
  at: z.number(),
  seen: z.number(),
  /** A keyed digest of all of it: nobody without a key writes a sign-in, or prolongs one. The release before this one writes none. */
  mac: z.string().exactOptional(),
});
type SignIn = z.infer<typeof SIGN_IN>;
const signInCodec = codec('sign-in', SIGN_IN);

export interface NewSignIn {
  give(c: Context): void;
}

/**
 * The sign-ins: sessions in the store, known by a random cookie of 256 bits that is sent to no other site's page. They
 * end by themselves, by signing out, and all at once when the account's epoch moves (disabled, role, password).
 */
export type Access = ReturnType<typeof createAccess>;

export function createAccess(options: AccessOptions) {
  return {
    /** False for an account that is disabled, or of no use here. */
    mayComeIn: (account: Account) => mayComeIn(options, account),
    /**
     * The sender of this request. Undefined when nobody is signed in.
     * @param otherwise the language for an agent who has chosen none
     * @param isTheirs false for requests that an open page sends by itself: they keep nobody signed in
     */
    whoIs: (c: Context, otherwise: Language, isTheirs = true) => whoIs(options, c, otherwise, isTheirs),
    /** Whether a sign-in still holds, with the same rights: an event stream asks now and then. */
    isStillIn: async ({ sessionId, role }: Pick<Who, 'sessionId' | 'role'>) =>
      (await find(options, [sessionId]))?.account.role === role,
    /**
     * Signs in to the account that `step` makes of the present one. Undefined where `step` refuses: then nothing is written. Rejects
     * with `RecordsDown`.
     */
    enter: (id: string, step: Step) => enter(options, id, step),
    /** Signs this browser out. */
    end: (c: Context, who: Pick<Who, 'sessionId'>) => end(options, c, who),
  };
}

function mayComeIn({ sandbox }: AccessOptions, { disabled, demo }: Account): boolean {
  return !disabled && (!demo || sandbox);
}

async function whoIs(
  options: AccessOptions,
  c: Context,
  otherwise: Language,
  isTheirs: boolean,
): Promise<Who | undefined> {
  const { store, now } = options;
  const token = getCookie(c, cookieOf(options).name);
  if (!token || !TOKEN.test(token)) return undefined;
  const found = await find(options, digests(options, 'support-session', token));
  if (!found) return undefined;
  const { account, book, signIn, doc, at, sessionId } = found;
  if (isTheirs && now() - signIn.seen >= SEEN_STEP_MS) {
    // Another request of the same browser may have written it already, which is as good.
    const write = signInWrite(options, doc, { ...signIn, seen: now() }, at);
    await store.commit(SUPPORT_PARTITION, { writes: [write] });
  }
  const { id, name, role, language = otherwise } = account;
  // Under the key that the sign-in was written with, whichever key is first here: every process gives the same.
  const csrf = digests(options, 'support-csrf', token)[at] as string;
  return { id, name, role, sessionId, csrf, language, kin: kinOf(book, id) };
}

/**
 * The account of a sign-in that still holds.
 * @param sessionIds what it may be called: under each of our keys
 */
async function find(options: AccessOptions, sessionIds: readonly string[]) {
  const { book, beside: docs } = await options.accounts.readBeside(sessionIds.map(keyOf));
  // An agent who cannot be let in is asked to sign in, and reads there that SQL is away.
  if (!book) return undefined;
  const at = docs.findIndex(({ version }) => version > 0);
  const [doc, sessionId] = [docs[at], sessionIds[at]];
  const signIn = signInCodec.read(doc);
  if (!signIn || !doc || sessionId === undefined) return undefined;
  if (signIn.mac === undefined || !macsOf(options, doc.key, signIn).includes(signIn.mac)) return undefined;
  const account = accountIn(book, signIn.account);
  const isOver = options.now() >= endOf(signIn);
  if (isOver || !account || account.epoch !== signIn.epoch || !mayComeIn(options, account)) return undefined;
  return { account, book, signIn, doc, at, sessionId };
}

async function enter(options: AccessOptions, id: string, step: Step): Promise<NewSignIn | undefined> {
  const { accounts, now } = options;
  const token = randomBytes(32).toString('base64url');
  const key = keyOf(digests(options, 'support-session', token)[0] as string);
  let epoch = 0;
  const entered = await accounts.change(
    id,
    (account, book) => {
      const next = step(account, book);
      if (typeof next !== 'string') epoch = next.epoch;
      return next;
    },
    () => {
      const at = now();
      return [signInWrite(options, { key, version: 0, value: '' }, { account: id, epoch, at, seen: at })];
    },
  );
  const { name, attributes } = cookieOf(options);
  return entered.ok ? { give: (c) => setCookie(c, name, token, attributes) } : undefined;
}

async function end(options: AccessOptions, c: Context, { sessionId }: Pick<Who, 'sessionId'>): Promise<void> {
  await update(options.store, SUPPORT_PARTITION, [keyOf(sessionId)], ({ key, version }) => ({
    writes: [{ key, version, value: null }],
    durable: true,
    result: undefined,
  }));
  const { name, attributes } = cookieOf(options);
  deleteCookie(c, name, attributes);
}

function cookieOf({ secure }: AccessOptions) {
  const attributes = { path: '/', httpOnly: true, secure, sameSite: 'Strict' } as const;
  return { name: secure ? '__Host-wasl-support' : 'wasl-support', attributes };
}

function digests({ secrets }: AccessOptions, use: string, token: string): readonly string[] {
  return secrets.digests(JSON.stringify([use, token]));
}

/** The `mac` under each of our keys, that of now first. */
function macsOf(
  { secrets }: AccessOptions,
  key: string,
  { account, epoch, at, seen }: Omit<SignIn, 'mac'>,
): readonly string[] {
  return secrets.digests(JSON.stringify(['support-sign-in', key, account, epoch, at, seen]));
}

function keyOf(sessionId: string): string {
  return `support-session:${sessionId}`;
}

/** @param by the key that seals it: the one that the sign-in was begun with, which every process has */
function signInWrite(options: AccessOptions, doc: KeyedDoc, signIn: Omit<SignIn, 'mac'>, by = 0): Write {
  const mac = macsOf(options, doc.key, signIn)[by] as string;
  return signInCodec.write(doc, { ...signIn, mac }, { keepUntil: endOf(signIn) });
}

/** When a sign-in ends by itself, in ms since 1970. */
function endOf({ seen, at }: Pick<SignIn, 'seen' | 'at'>): number {
  return Math.min(seen + IDLE_MS, at + SIGNED_IN_MAX_MS);
}
