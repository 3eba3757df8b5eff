import { Hono } from 'hono';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import type { SessionIds } from '../session-id.ts';
import type { Audit } from './audit.ts';
import { auditPage } from './audit-page.ts';

const ENTRIES_PER_PAGE = 50;

/** The audit, for supervisors. To look at it is written down as well. */
export function auditRoutes({
  audit,
  sessionIds,
}: {
  readonly audit: Audit;
  readonly sessionIds: Pick<SessionIds, 'idOf'>;
}): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.get('/audit', async (c) => {
    const { who } = c.var;
    const filter = {
      who: c.req.query('who') ?? '',
      act: c.req.query('act') ?? '',
      on: c.req.query('on') ?? '',
    };
    const before = Number(c.req.query('before'));
    await audit.append({ who: who.id, act: 'seeAudit', ...(filter.on && { on: filter.on.slice(0, 120) }) });
    const page = await audit.page({
      ...filter,
      limit: ENTRIES_PER_PAGE,
      ...(Number.isSafeInteger(before) && before > 0 && { before }),
    });
    const verdict = c.req.query('check') ? { verdict: await audit.verify() } : {};
    const sessionPage = (address: Parameters<SessionIds['idOf']>[0]) =>
      `${BASE}/sessions/${sessionIds.idOf(address)}`;
    return c.html(auditPage({ who, filter, page, sessionPage, ...verdict }));
  });
  return app;
}
