import type { Audit } from '../audit/audit.ts';
import type { Access, NewSignIn } from './access.ts';
import type { Account } from './account.ts';
import type { Accounts } from './accounts.ts';
import { hashPassword, isPassword, type Weakness, weaknessOf } from './password.ts';
import { stepOf } from './second-factor.ts';
import type { Tries } from './tries.ts';

interface SignInOptions {
  readonly accounts: Accounts;
  readonly access: Access;
  readonly tries: Tries;
  readonly audit: Audit;
  readonly now: () => number;
}

/** Why nobody came in. `wrong` tells neither the wrong part nor whether there is such an account. */
type Refused<Why extends string> = { readonly ok: false; readonly why: Why };
type MustWait = Refused<'wait'> & { readonly seconds: number };
type CameIn = { readonly ok: true; readonly signIn: NewSignIn; readonly id: string };

/** The audit's name for an unknown account. */
const UNKNOWN = '?';
const LONGEST_NAME = 64;

interface SignInRequest {
  readonly id: string;
  readonly password: string;
  readonly code: string;
  /** The network address, for the lock-out. */
  readonly address: string;
  /** The browser, where this account has signed in with it before. */
  readonly device: (account: string) => string | undefined;
}

interface NewPassword {
  readonly id: string;
  readonly old: string;
  readonly password: string;
  readonly address: string;
}

interface SetUpRequest {
  readonly token: string;
  readonly password: string;
  readonly code: string;
}

/** The ways in with a password and a code, and how these are chosen. */
export type SignIns = ReturnType<typeof createSignIn>;

export function createSignIn(options: SignInOptions) {
  return {
    signIn: (request: SignInRequest) => signInWith(options, request),
    /** Chooses another password. All other sign-ins of the account end. */
    changePassword: (request: NewPassword) => changePassword(options, request),
    /** Uses a set-up link: its owner has chosen a password and shows that the authenticator app works. */
    setUp: (request: SetUpRequest) => setUpWith(options, request),
  };
}

/**
 * The code is checked first, as that costs nothing. So without the account's authenticator app nobody keeps the hash of
 * a password busy, or learns from the time whether there is such an account.
 */
async function signInWith(
  options: SignInOptions,
  request: SignInRequest,
): Promise<CameIn | Refused<'wrong'> | MustWait> {
  const { accounts, tries, audit } = options;
  const { password, code, address } = request;
  // While SQL is away nobody can sign in, so that nothing is tried and counted.
  await accounts.compare();
  const id = request.id.trim().toLowerCase().slice(0, LONGEST_NAME);
  const account = await accounts.find(id);
  const hasCode = account !== undefined && stepIn(options, account, code) !== undefined;
  const stranger = { account: id, address, device: request.device(id) };
  const tried = { ...stranger, hasCode };
  const own = await tries.begin(tried);
  const isRight = own.seconds === 0 && hasCode && (await isPassword(password, account.password));
  const signIn = isRight ? await useCode(options, account, code) : undefined;
  if (signIn) {
    await audit.append({ who: id, act: 'signIn', on: `address:${address}` });
    await tries.succeeded(tried);
    return { ok: true, signIn, id };
  }
  // A person with the code but not the password gets the same answer as anybody else. Another answer would tell them
  // that the code is right.
  const isKnown = !hasCode || stranger.device !== undefined;
  const { seconds, isFirst } = isKnown ? own : await tries.begin(stranger);
  const failed = { who: account ? id : UNKNOWN, act: 'signInFailed', on: `address:${address}` } as const;
  // Once for each time that somebody is kept waiting: strangers must not fill the audit.
  if (isFirst) await audit.append({ ...failed, end: 'refused', endWhy: 'wait' });
  if (seconds > 0) return { ok: false, why: 'wait', seconds };
  await audit.append({ ...failed, end: 'refused', endWhy: 'wrong' });
  return { ok: false, why: 'wrong' };
}

/** The step of a code that is right and was not used yet. */
function stepIn({ accounts, now }: SignInOptions, { id, factor }: Account, code: string): number | undefined {
  if (!factor) return undefined;
  return stepOf(code, { secret: accounts.openSecret(id, factor.secret), usedTo: factor.usedTo, now: now() });
}

/** Signs in by using up a code: of two who bring the same one, the first gets in. */
function useCode(
  options: SignInOptions,
  { id, password }: Account,
  code: string,
): Promise<NewSignIn | undefined> {
  const { accounts, access } = options;
  return access.enter(id, (account) => {
    if (!account?.factor || account.password !== password || !access.mayComeIn(account)) return 'notFound';
    const usedTo = stepIn(options, account, code);
    if (usedTo === undefined) return 'notFound';
    // Sealed anew: an older key may go once everybody has signed in.
    const secret = accounts.sealSecret(id, accounts.openSecret(id, account.factor.secret));
    return { ...account, factor: { secret, usedTo } };
  });
}

async function changePassword(
  { accounts, access, tries, audit }: SignInOptions,
  { id, old, password, address }: NewPassword,
): Promise<CameIn | Refused<'wrong' | Weakness> | MustWait> {
  await audit.append({ who: id, act: 'changePassword' });
  const weakness = weaknessOf(password, id);
  if (weakness) return { ok: false, why: weakness };
  // A signed-in agent is kept waiting by their own tries only.
  const tried = { account: id, address, device: 'signed in' };
  const { seconds } = await tries.begin(tried);
  if (seconds > 0) return { ok: false, why: 'wait', seconds };
  const account = await accounts.find(id);
  if (!account || !(await isPassword(old, account.password))) return { ok: false, why: 'wrong' };
  await tries.succeeded(tried);
  const hash = await hashPassword(password);
  const signIn = await access.enter(id, (current) =>
    current?.password === account.password && current?.epoch === account.epoch
      ? { ...current, epoch: account.epoch + 1, password: hash }
      : 'notFound',
  );
  return signIn ? { ok: true, signIn, id } : { ok: false, why: 'wrong' };
}

async function setUpWith(
  { accounts, access, audit, now }: SignInOptions,
  { token, password, code }: SetUpRequest,
): Promise<CameIn | Refused<'gone' | 'wrongCode' | Weakness>> {
  const account = await accounts.ofSetUp(token);
  if (!account?.setUp) return { ok: false, why: 'gone' };
  const { id, setUp, epoch } = account;
  await audit.append({ who: id, act: 'setUp' });
  const weakness = weaknessOf(password, id);
  if (weakness) return { ok: false, why: weakness };
  const usedTo = stepOf(code, { secret: accounts.openSecret(id, setUp.secret), usedTo: 0, now: now() });
  if (usedTo === undefined) return { ok: false, why: 'wrongCode' };
  const hash = await hashPassword(password);
  const signIn = await access.enter(id, (current) => {
    if (!current || current.epoch !== epoch || !accounts.isSetUp(current, token)) return 'notFound';
    const { setUp: _used, ...rest } = current;
    return { ...rest, epoch: epoch + 1, password: hash, factor: { secret: setUp.secret, usedTo } };
  });
  return signIn ? { ok: true, signIn, id } : { ok: false, why: 'gone' };
}
