import { type Context, Hono } from 'hono';
import type { Audit } from '../audit/audit.ts';
import { texts } from '../form.ts';
import type { PagesOptions } from '../pages/options.ts';
import { say } from '../sentences.ts';
import type { Access } from './access.ts';
import type { Accounts } from './accounts.ts';
import type { Demo } from './demo.ts';
import type { Devices } from './device.ts';
import { BASE, HOME, onwardPath } from './endpoints.ts';
import type { Guarded } from './guard.ts';
import type { Oidc } from './oidc.ts';
import { troubleOf } from './oidc-client.ts';
import type { RefusalsOptions } from './refusals.ts';
import { pictureOf } from './second-factor.ts';
import type { SignIns } from './sign-in.ts';
import { noticePage, onwardPage, setUpPage, signInPage, weaknessIn } from './sign-in-pages.ts';

/** The parts that the pages of sign-ins and of one's own account need. */
export interface AccessParts {
  readonly signIn: SignIns;
  readonly accounts: Accounts;
  readonly access: Access;
  readonly devices: Devices;
  readonly audit: Audit;
  readonly oidc: Oidc | undefined;
  readonly demo: Demo | undefined;
  /** The network address of a request. */
  readonly addressOf: (c: Context) => string;
  readonly log: PagesOptions['log'] & RefusalsOptions['log'];
}

const OIDC_ERRORS = {
  noRole: 'console.signInNoRole',
  disabled: 'console.signInDisabled',
  notBegun: 'console.signInCompanyFailed',
  failed: 'console.signInCompanyFailed',
} as const;

type Ctx = Context<Guarded>;
type Linked = Context<Guarded, '/set-up/:token'>;

/** Signing in and out: with password and code, with the company's sign-in, with a set-up link. */
export function signInRoutes(options: AccessParts): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.get('/sign-in', (c) => c.html(signInForm(options, c, { next: c.req.query('next') ?? '' })));
  app.post('/sign-in', (c) => signIn(options, c));
  app.get('/sign-in/oidc', (c) => toProvider(options, c));
  app.get('/sign-in/oidc/callback', (c) => fromProvider(options, c));
  app.get('/set-up/:token', (c) => setUpForm(options, c));
  app.post('/set-up/:token', (c) => setUp(options, c));
  app.get('/demo/:token', (c) => demoSignIn(options, c, c.req.param('token')));
  app.post('/sign-out', (c) => signOut(options, c));
  app.onError((error, c) => {
    // By its name, as the audit has it: the console does not open the records itself.
    if (error.name !== 'RecordsDown') throw error;
    return c.html(signInForm(options, c, { error: say(c.var.language, 'console.signInAway') }), 503);
  });
  return app;
}

function signInForm(
  { oidc }: AccessParts,
  c: Ctx,
  shown: { error?: string; notice?: string; id?: string; next?: string } = {},
) {
  return signInPage(c.var.language, { ...shown, oidc: oidc !== undefined });
}

async function signIn(options: AccessParts, c: Ctx): Promise<Response> {
  const { language } = c.var;
  const { id = '', password = '', code = '', next = '' } = await texts(c);
  const address = options.addressOf(c);
  const device = (account: string) => options.devices.of(c, account);
  const signedIn = await options.signIn.signIn({ id, password, code, address, device });
  if (signedIn.ok) {
    signedIn.signIn.give(c);
    options.devices.remember(c, signedIn.id);
    return c.redirect(onwardPath(next), 303);
  }
  if (signedIn.why === 'wrong')
    return c.html(signInForm(options, c, { id, next, error: say(language, 'console.signInWrong') }), 401);
  const { seconds } = signedIn;
  c.header('retry-after', `${seconds}`);
  const error = say(language, 'console.signInWait', { seconds: { count: seconds } });
  return c.html(signInForm(options, c, { id, next, error }), 429);
}

async function toProvider(options: AccessParts, c: Ctx): Promise<Response> {
  const { oidc, log } = options;
  if (!oidc) return c.notFound();
  const next = c.req.query('next') ?? '';
  try {
    return c.redirect(await oidc.begin(c, next), 303);
  } catch (error) {
    log.say('The provider of the sign-in cannot be reached', troubleOf(error));
    const failed = say(c.var.language, OIDC_ERRORS.failed);
    return c.html(signInForm(options, c, { next, error: failed }), 503);
  }
}

async function fromProvider(options: AccessParts, c: Ctx): Promise<Response> {
  const { oidc, log } = options;
  const { language } = c.var;
  if (!oidc) return c.notFound();
  const cameIn = await oidc.end(c);
  const { next } = cameIn;
  if (cameIn.ok) {
    cameIn.signIn.give(c);
    return c.html(onwardPage(language, next));
  }
  const { why, said } = cameIn;
  log.say(why === 'failed' ? 'A company sign-in failed' : 'A company sign-in was refused', { why, ...said });
  return why === 'cancelled'
    ? c.html(signInForm(options, c, { next, notice: say(language, 'console.signInCancelled') }))
    : c.html(signInForm(options, c, { next, error: say(language, OIDC_ERRORS[why]) }), 403);
}

async function setUp(options: AccessParts, c: Linked): Promise<Response> {
  const { language } = c.var;
  const token = c.req.param('token');
  const { password = '', again = '', code = '' } = await texts(c);
  if (password !== again) return setUpForm(options, c, say(language, 'console.notTheSame'));
  const done = await options.signIn.setUp({ token, password, code });
  if (!done.ok) {
    c.set('refusal', done.why);
    if (done.why === 'gone') return setUpForm(options, c);
    const isCode = done.why === 'wrongCode';
    return setUpForm(
      options,
      c,
      isCode ? say(language, 'console.setUpWrongCode') : weaknessIn(language, done.why),
    );
  }
  done.signIn.give(c);
  options.devices.remember(c, done.id);
  return c.redirect(HOME, 303);
}

/** The page of a set-up link, as long as that works. */
async function setUpForm({ accounts }: AccessParts, c: Linked, error?: string): Promise<Response> {
  const token = c.req.param('token');
  const account = await accounts.ofSetUp(token);
  if (!account?.setUp) return gone(c);
  const { id } = account;
  const secret = accounts.openSecret(id, account.setUp.secret);
  const picture = await pictureOf(secret, id);
  const page = setUpPage(c.var.language, { ...(error && { error }), id, token, secret, picture });
  return c.html(page, error ? 400 : 200);
}

async function demoSignIn({ demo }: AccessParts, c: Ctx, token: string): Promise<Response> {
  const signedIn = await demo?.signIn(token);
  if (!signedIn) return gone(c);
  signedIn.give(c);
  return c.html(onwardPage(c.var.language, HOME));
}

async function signOut({ audit, access, oidc }: AccessParts, c: Ctx): Promise<Response> {
  const { who } = c.var;
  await audit.append({ who: who.id, act: 'signOut' });
  await access.end(c, who);
  return afterSignOut(oidc, c);
}

/**
 * The way on for somebody who has signed out: over the provider, where their account is the provider's. It is a page of ours, for a
 * browser does not follow a form to another site (`form-action`).
 */
export async function afterSignOut(oidc: Oidc | undefined, c: Ctx): Promise<Response> {
  const away = await oidc?.leave(c, c.var.who.id);
  return away ? c.html(onwardPage(c.var.language, away)) : c.redirect(`${BASE}/sign-in`, 303);
}

function gone(c: Ctx): Response | Promise<Response> {
  const { language } = c.var;
  const title = say(language, 'console.linkGone');
  return c.html(noticePage(language, { title, sentence: say(language, 'console.linkGoneHint') }), 410);
}
