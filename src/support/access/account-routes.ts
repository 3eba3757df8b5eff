import { type Context, Hono } from 'hono';
import type { Audit } from '../audit/audit.ts';
import type { Audited } from '../audit/deeds.ts';
import { texts } from '../form.ts';
import { keyIn, say } from '../sentences.ts';
import { accountsPage } from './account-pages.ts';
import type { Accounts, Changed, Invited, Refusal } from './accounts.ts';
import { BASE } from './endpoints.ts';
import type { Guarded } from './guard.ts';
import { ROLES, type Role } from './roles.ts';

interface AccountRoutesOptions {
  readonly accounts: Accounts;
  readonly audit: Audit;
  readonly secure: boolean;
  /** The public address of Wasl. Absent: the address that the browser uses. */
  readonly publicUrl?: string | undefined;
  readonly now: () => number;
}

type Ctx = Context<Guarded>;
type Account = Context<Guarded, '/accounts/:id'>;

/** The pages of accounts, for admins. */
export function accountRoutes(options: AccountRoutesOptions): Hono<Guarded> {
  const { accounts } = options;
  const app = new Hono<Guarded>();
  app.get('/accounts', (c) => page(options, c));
  app.post('/accounts', (c) => create(options, c));
  app.post('/accounts/:id/reset', (c) => reset(options, c));
  app.post('/accounts/:id/role', (c) => setRole(options, c));
  app.post('/accounts/:id/disable', (c) =>
    act(options, c, 'disableAccount', (id, by) => accounts.disable(id, by)),
  );
  app.post('/accounts/:id/enable', (c) =>
    act(options, c, 'enableAccount', (id, by) => accounts.enable(id, by)),
  );
  app.post('/accounts/:id/confirm', (c) =>
    act(options, c, 'confirmAccount', (id, by) => accounts.confirm(id, by)),
  );
  return app;
}

async function create(options: AccountRoutesOptions, c: Ctx): Promise<Response> {
  const { id = '', name: typed = '' } = await texts(c);
  const [name, role] = [typed.trim(), await roleOf(c)];
  if (!role) return c.text('no such role\n', 400);
  await audited(options, c, 'createAccount', id, role);
  return invited(options, c, id, await options.accounts.create({ id, name, role }, c.var.who.id));
}

async function reset(options: AccountRoutesOptions, c: Account): Promise<Response> {
  const id = c.req.param('id');
  await audited(options, c, 'resetAccount', id);
  return invited(options, c, id, await options.accounts.reset(id, c.var.who.id));
}

async function setRole(options: AccountRoutesOptions, c: Account): Promise<Response> {
  const [id, role] = [c.req.param('id'), await roleOf(c)];
  if (!role) return c.text('no such role\n', 400);
  await audited(options, c, 'changeRole', id, role);
  return changed(options, c, await options.accounts.setRole(id, role, c.var.who.id));
}

async function act(
  options: AccountRoutesOptions,
  c: Account,
  name: Audited,
  change: (id: string, by: string) => Promise<Changed>,
): Promise<Response> {
  const id = c.req.param('id');
  await audited(options, c, name, id);
  return changed(options, c, await change(id, c.var.who.id));
}

function audited(
  { audit }: AccountRoutesOptions,
  c: Ctx,
  act: Audited,
  account: string,
  role?: Role,
): Promise<void> {
  return audit.append({ who: c.var.who.id, act, on: account.slice(0, 64), ...(role && { what: role }) });
}

async function changed(options: AccountRoutesOptions, c: Ctx, result: Changed): Promise<Response> {
  return result.ok ? c.redirect(`${BASE}/accounts`, 303) : refused(options, c, result.why);
}

function invited(options: AccountRoutesOptions, c: Ctx, id: string, result: Invited): Promise<Response> {
  if (!result.ok) return refused(options, c, result.why);
  const origin = options.publicUrl ?? `${options.secure ? 'https' : 'http'}://${c.req.header('host')}`;
  return page(options, c, { link: { id, url: new URL(`${BASE}/set-up/${result.token}`, origin).href } });
}

function refused(options: AccountRoutesOptions, c: Ctx, why: Refusal): Promise<Response> {
  c.set('refusal', why);
  return page(options, c, { error: say(c.var.language, keyIn('account', why)) });
}

async function page(
  { accounts, now }: AccountRoutesOptions,
  c: Ctx,
  shown: { error?: string; link?: { id: string; url: string } } = {},
): Promise<Response> {
  const all = await accounts.all();
  const html = accountsPage({ who: c.var.who, accounts: all, now: now(), ...shown });
  return c.html(html, shown.error ? 400 : 200);
}

async function roleOf(c: Ctx): Promise<Role | undefined> {
  const { role } = await texts(c);
  return ROLES.find((each) => each === role);
}
