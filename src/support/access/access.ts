import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Language } from '../../conversation/incoming.ts';
import type { Secrets } from '../../conversation/secrets.ts';
import type { Store, Write } from '../../store/store.ts';
import { ACCOUNTS, type Account, readBook, SUPPORT_PARTITION } from './accounts.ts';
import type { Who } from './guard.ts';

/** A sign-in ends after so long without a request. */
export const IDLE_MS = 30 * 60_000;
/** However busy, it ends after so long. */
export const SIGNED_IN_MAX_MS = 12 * 60 * 60_000;
/** How exactly it is remembered when somebody was last here: each time is a commit. */
const SEEN_STEP_MS = 60_000;
const TOKEN = /^[\w-]{43}$/;

export interface AccessOptions {
  readonly store: Store;
  readonly secrets: Pick<Secrets, 'digest'>;
  readonly now: () => number;
  /** Served over https: the cookie is `Secure` and, by its `__Host-` name, of this host alone. */
  readonly secure: boolean;
  /** Beside the sandbox, where the demo account may come in. */
  readonly sandbox: boolean;
}

/** A sign-in as it is stored, under a digest of the cookie: nobody who reads the store can sign in with it. */
interface SignIn {
  readonly account: string;
  readonly epoch: number;
  /** When it began and when it was last used, in ms since 1970. */
  readonly at: number;
  readonly seen: number;
}

export interface NewSignIn {
  /** To be committed, with whatever proves that the sign-in is right. */
  readonly write: Write;
  /** Gives the browser its cookie, once that is done. */
  give(c: Context): void;
}

export type Access = ReturnType<typeof createAccess>;

/**
 * Who is signed in: sessions in the store, known by a random cookie of 256 bits that is sent to no other site's page. They
 * end by themselves, by signing out, and all at once when the account's epoch moves (disabled, role, password).
 */
export function createAccess({ store, secrets, now, secure, sandbox }: AccessOptions) {
  const cookie = secure ? '__Host-wasl-support' : 'wasl-support';
  const attributes = { path: '/', httpOnly: true, secure, sameSite: 'Strict' } as const;
  const digest = (use: string, token: string) => secrets.digest(JSON.stringify([use, token]));
  const tokenOf = (c: Context) => {
    const token = getCookie(c, cookie);
    return token && TOKEN.test(token) ? token : undefined;
  };
  const keyOf = (sessionId: string) => `support-session:${sessionId}`;
  const writeOf = (sessionId: string, version: number, signIn: SignIn): Write => ({
    key: keyOf(sessionId),
    version,
    value: JSON.stringify(signIn),
    keepUntil: Math.min(signIn.seen + IDLE_MS, signIn.at + SIGNED_IN_MAX_MS),
  });

  /** The account of a sign-in that still holds. */
  async function find(sessionId: string) {
    const [doc, book] = await store.read(SUPPORT_PARTITION, [keyOf(sessionId), ACCOUNTS]);
    if (!doc) return undefined;
    const signIn = JSON.parse(doc.value) as SignIn;
    const account = readBook(book?.value)[signIn.account];
    const isOver = now() >= Math.min(signIn.seen + IDLE_MS, signIn.at + SIGNED_IN_MAX_MS);
    if (isOver || !account || account.epoch !== signIn.epoch || !mayComeIn(account)) return undefined;
    return { account, signIn, version: doc.version };
  }

  function mayComeIn({ disabled, demo }: Account): boolean {
    return !disabled && (!demo || sandbox);
  }

  return {
    mayComeIn,

    /**
     * Who sends this request; undefined when nobody is signed in.
     * @param otherwise for who has chosen no language
     * @param isTheirs false for what an open page sends by itself: that keeps nobody signed in
     */
    async whoIs(c: Context, otherwise: Language, isTheirs = true): Promise<Who | undefined> {
      const token = tokenOf(c);
      if (!token) return undefined;
      const sessionId = digest('support-session', token);
      const found = await find(sessionId);
      if (!found) return undefined;
      const { account, signIn, version } = found;
      if (isTheirs && now() - signIn.seen >= SEEN_STEP_MS) {
        // Another request of the same browser may have written it already, which is as good.
        const write = writeOf(sessionId, version, { ...signIn, seen: now() });
        await store.commit(SUPPORT_PARTITION, { writes: [write] });
      }
      const { id, name, role, language = otherwise } = account;
      return { id, name, role, sessionId, csrf: digest('support-csrf', token), language };
    },

    /** Whether a sign-in still holds, with the same rights: an event stream asks now and then. */
    async isStillIn({ sessionId, role }: Pick<Who, 'sessionId' | 'role'>): Promise<boolean> {
      return (await find(sessionId))?.account.role === role;
    },

    /** A sign-in for an account, as it will be when `epoch` holds. */
    begin({ id, epoch }: Pick<Account, 'id' | 'epoch'>): NewSignIn {
      const token = randomBytes(32).toString('base64url');
      const signIn = { account: id, epoch, at: now(), seen: now() };
      return {
        write: writeOf(digest('support-session', token), 0, signIn),
        give: (c) => setCookie(c, cookie, token, attributes),
      };
    },

    /** Signs this browser out. */
    async end(c: Context, { sessionId }: Pick<Who, 'sessionId'>): Promise<void> {
      const key = keyOf(sessionId);
      for (let isEnded = false; !isEnded; ) {
        const [doc] = await store.read(SUPPORT_PARTITION, [key]);
        const writes = [{ key, version: doc?.version ?? 0, value: null }];
        isEnded = await store.commit(SUPPORT_PARTITION, { writes, durable: true });
      }
      deleteCookie(c, cookie, attributes);
    },
  };
}
