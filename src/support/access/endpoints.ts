import type { Act } from './roles.ts';

/** The path at which the console is mounted. */
export const BASE = '/support';
/** The page after the sign-in: the list of cases, where the work is. */
export const HOME = `${BASE}/inbox`;

/** The endpoints below `/support` that each right opens. `anyone`: also without being signed in. */
const OPENED_BY: Readonly<Record<string, string>> = {
  anyone: `GET /sign-in, POST /sign-in, GET /sign-in/oidc, GET /sign-in/oidc/callback, GET /set-up/:token,
    POST /set-up/:token, GET /demo/:token, GET /public/palette.css, GET /public/look.css,
    GET /public/icon.svg, GET /public/frame.css, GET /public/forms.css, GET /public/lists.css,
    GET /public/session.css, GET /public/diagram.css, GET /public/pages.js, GET /public/htmx.min.js,
    GET /public/sse.min.js, GET /public/charts.css, GET /public/charts.js, GET /public/uPlot.iife.min.js,
    GET /public/uPlot.min.css`,
  ownAccount: `POST /sign-out, GET /me, GET /back, POST /me/password, POST /me/language,
    POST /me/sign-out-everywhere, POST /presence`,
  workCases: `GET /away, POST /away, POST /inbox/next, POST /inbox/bulk, POST /cases/:id/take,
    POST /cases/:id/give, POST /cases/:id/wait, POST /cases/:id/go-on, POST /cases/:id/urgent,
    POST /cases/:id/not-urgent, POST /cases/:id/label, POST /cases/:id/unlabel, POST /cases/:id/snooze,
    POST /cases/:id/macro, POST /cases/:id/merge, POST /cases/:id/close, POST /cases/:id/reopen`,
  manageAccounts: `GET /accounts, POST /accounts, POST /accounts/:id/role, POST /accounts/:id/disable,
    POST /accounts/:id/enable, POST /accounts/:id/reset, POST /accounts/:id/confirm`,
  managePrincipal: `GET /principal, POST /principal/load, GET /principal/card, POST /principal/card,
    POST /principal/cards/:card/rename, POST /principal/cards/:card/delete, POST /principal/agents,
    POST /principal/agents/:code, POST /principal/agents/:code/number, POST /principal/proposals/approve,
    POST /principal/proposals/take-up, POST /principal/proposals/withdraw, POST /principal/numbers/bind,
    POST /principal/numbers/unbind, POST /principal/numbers/approve, POST /principal/numbers/withdraw,
    GET /principal/payouts, POST /principal/payouts, GET /principal/payouts/:id,
    POST /principal/payouts/:id/withdraw, GET /principal/payouts/:id/results.csv`,
  seeAudit: 'GET /audit, GET /reports',
  exportAudit: 'GET /audit/export',
  seeSessions: `GET /, GET /live, POST /search, GET /sessions/:id, GET /sessions/:id/live,
    GET /persons/:id, GET /persons/:id/pane, GET /payments/:intent, GET /webhooks/:id`,
  seeStats: 'GET /today, GET /figures, GET /figures/csv/:table',
  seeMachines: 'GET /machines, GET /machines/:machine, GET /machines/:machine/live',
  reveal: `POST /sessions/:id/reveal, GET /sessions/:id/files/:file, POST /persons/:id/reveal,
    POST /webhooks/:id/reveal`,
  takeOver: 'POST /sessions/:id/take-over, POST /sessions/:id/renew',
  takeFrom: 'POST /sessions/:id/take-from',
  write: 'POST /sessions/:id/write, POST /sessions/:id/file',
  handBack: 'POST /sessions/:id/hand-back',
  nudge: 'POST /sessions/:id/nudge',
  toMenu: 'POST /sessions/:id/menu',
  end: 'POST /sessions/:id/end',
  answerHelp: 'POST /sessions/:id/answered',
  freeze: 'POST /sessions/:id/freeze',
  proposeThaw: 'POST /sessions/:id/propose-thaw',
  approveThaw: 'POST /sessions/:id/approve-thaw',
  withdrawThaw: 'POST /sessions/:id/withdraw-thaw',
  stopAgent: 'POST /sessions/:id/stop-agent',
  proposeRestore: 'POST /sessions/:id/propose-restore',
  approveRestore: 'POST /sessions/:id/approve-restore',
  withdrawRestore: 'POST /sessions/:id/withdraw-restore',
  seeCases: `GET /inbox, GET /inbox/live, GET /inbox/news, GET /inbox/csv, POST /inbox/read,
    POST /inbox/filters, POST /inbox/filters/remove, GET /cases/:id, GET /cases/:id/work`,
  organise: `POST /inbox/filters/shared, POST /inbox/filters/shared/remove, GET /organisation,
    POST /organisation/answers, POST /organisation/answers/remove, POST /organisation/rules,
    POST /organisation/skills, POST /organisation/teams, POST /organisation/teams/remove,
    POST /organisation/macros, POST /organisation/macros/remove, POST /organisation/labels,
    POST /organisation/labels/remove`,
  note: 'POST /cases/:id/note, POST /persons/:id/note',
  resend: 'POST /payments/:intent/resend',
  propose: 'POST /payments/:intent/propose, POST /webhooks/:id/apply',
  approve: 'POST /payments/:intent/approve',
  withdraw: 'POST /payments/:intent/withdraw',
  webhooks: 'POST /webhooks/:id/retry',
  closeWebhook: 'POST /webhooks/:id/close',
} satisfies Partial<Record<Act | 'anyone', string>>;

/** The right that each endpoint needs. An endpoint that is not here is closed to all (`guard.ts`). */
export const ENDPOINTS: Readonly<Record<string, Act | 'anyone'>> = Object.fromEntries(
  Object.entries(OPENED_BY).flatMap(([act, all]) =>
    all.split(/,\s+/).map((endpoint) => [endpoint, act as Act | 'anyone']),
  ),
);

/** The requests that an open page sends by itself. They do not keep an absent agent signed in. */
export const BY_ITSELF: ReadonlySet<string> = new Set([
  'GET /live',
  'GET /back',
  'GET /away',
  'GET /inbox/live',
  'GET /inbox/news',
  'GET /machines/:machine/live',
  'GET /persons/:id/pane',
  'POST /presence',
  'GET /sessions/:id/live',
  'POST /sessions/:id/renew',
]);

/** The path of the sign-in. From there it goes on to a page of the console. */
export function signInPath(next: string): string {
  return next === BASE ? `${BASE}/sign-in` : `${BASE}/sign-in?${new URLSearchParams({ next })}`;
}

/** The page after the sign-in, as far as it is a page of ours, with its query. */
export function onwardPath(next: string): string {
  return /^\/support(?:\/(?!\.{1,2}(?:\/|$))(?:[\w.~!*'()-]|%[\dA-F]{2})+)*(?:\?(?:[\w.~!*'()+&=-]|%[\dA-Fa-f]{2})*)?$/.test(
    next,
  )
    ? next
    : HOME;
}
