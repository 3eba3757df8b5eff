import { type Context, Hono } from 'hono';
import type { Audit, Audited } from '../audit/audit.ts';
import { field } from '../form.ts';
import { say } from '../sentences.ts';
import { accountsPage } from './account-pages.ts';
import type { Accounts, Changed, Invited, Refusal } from './accounts.ts';
import { BASE } from './endpoints.ts';
import type { Guarded } from './guard.ts';
import { ROLES, type Role } from './roles.ts';

export interface AccountRoutesOptions {
  readonly accounts: Accounts;
  readonly audit: Audit;
  readonly secure: boolean;
  /** Where the world reaches Wasl; absent: as the browser does. */
  readonly publicUrl?: string | undefined;
  readonly now: () => number;
}

const REFUSALS: Readonly<Record<Refusal, string>> = {
  badName: 'console.accountBadName',
  badDisplayName: 'console.accountBadDisplayName',
  taken: 'console.accountTaken',
  full: 'console.accountFull',
  notFound: 'console.accountNotFound',
  lastAdmin: 'console.accountLastAdmin',
  self: 'console.accountSelf',
};

/** Who has an account, for admins. */
export function accountRoutes({
  accounts,
  audit,
  secure,
  publicUrl,
  now,
}: AccountRoutesOptions): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.get('/accounts', (c) => page(c));

  app.post('/accounts', async (c) => {
    const [id, name, role] = [await field(c, 'id'), (await field(c, 'name')).trim(), await roleOf(c)];
    if (!role) return c.text('no such role\n', 400);
    await write(c, 'createAccount', id, role);
    return invited(c, id, await accounts.create({ id, name, role }));
  });

  app.post('/accounts/:id/reset', async (c) => {
    const id = c.req.param('id');
    await write(c, 'resetAccount', id);
    return invited(c, id, await accounts.reset(id, c.var.who.id));
  });

  app.post('/accounts/:id/role', async (c) => {
    const [id, role] = [c.req.param('id'), await roleOf(c)];
    if (!role) return c.text('no such role\n', 400);
    await write(c, 'changeRole', id, role);
    return changed(c, await accounts.setRole(id, role, c.var.who.id));
  });

  app.post('/accounts/:id/disable', async (c) => {
    const id = c.req.param('id');
    await write(c, 'disableAccount', id);
    return changed(c, await accounts.disable(id, c.var.who.id));
  });

  app.post('/accounts/:id/enable', async (c) => {
    const id = c.req.param('id');
    await write(c, 'enableAccount', id);
    return changed(c, await accounts.enable(id, c.var.who.id));
  });
  return app;

  function write(c: Context<Guarded>, act: Audited, account: string, why?: Role): Promise<void> {
    return audit.append({ who: c.var.who.id, act, on: account.slice(0, 64), ...(why && { why }) });
  }

  function changed(c: Context<Guarded>, result: Changed): Response | Promise<Response> {
    return result.ok ? c.redirect(`${BASE}/accounts`, 303) : refused(c, result.why);
  }

  function invited(c: Context<Guarded>, id: string, result: Invited): Promise<Response> {
    if (!result.ok) return refused(c, result.why);
    const origin = publicUrl ?? `${secure ? 'https' : 'http'}://${c.req.header('host')}`;
    return page(c, { link: { id, url: new URL(`${BASE}/set-up/${result.token}`, origin).href } });
  }

  function refused(c: Context<Guarded>, why: Refusal): Promise<Response> {
    return page(c, { error: say(c.var.language, REFUSALS[why]) });
  }

  async function page(
    c: Context<Guarded>,
    shown: { error?: string; link?: { id: string; url: string } } = {},
  ): Promise<Response> {
    const all = await accounts.all();
    return c.html(
      accountsPage({ who: c.var.who, accounts: all, now: now(), ...shown }),
      shown.error ? 400 : 200,
    );
  }

  async function roleOf(c: Context): Promise<Role | undefined> {
    const role = await field(c, 'role');
    return ROLES.find((each) => each === role);
  }
}
