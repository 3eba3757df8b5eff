import type { Act } from './roles.ts';

/** Where the console is mounted. */
export const BASE = '/support';

/**
 * Who may use which endpoint, below `/support`: what is not here, nobody can (`guard.ts`). `anyone`: also without being
 * signed in.
 */
export const ENDPOINTS: Readonly<Record<string, Act | 'anyone'>> = {
  'GET /sign-in': 'anyone',
  'POST /sign-in': 'anyone',
  'GET /sign-in/oidc': 'anyone',
  'GET /sign-in/oidc/callback': 'anyone',
  'GET /set-up/:token': 'anyone',
  'POST /set-up/:token': 'anyone',
  'GET /demo/:token': 'anyone',
  'POST /sign-out': 'ownAccount',
  'GET /me': 'ownAccount',
  'POST /me/password': 'ownAccount',
  'POST /me/language': 'ownAccount',
  'POST /me/sign-out-everywhere': 'ownAccount',
  'GET /accounts': 'manageAccounts',
  'POST /accounts': 'manageAccounts',
  'POST /accounts/:id/role': 'manageAccounts',
  'POST /accounts/:id/disable': 'manageAccounts',
  'POST /accounts/:id/enable': 'manageAccounts',
  'POST /accounts/:id/reset': 'manageAccounts',
  'POST /accounts/:id/confirm': 'manageAccounts',
  'GET /principal': 'managePrincipal',
  'POST /principal/load': 'managePrincipal',
  'POST /principal/agents': 'managePrincipal',
  'POST /principal/agents/:code': 'managePrincipal',
  'GET /audit': 'seeAudit',
  'GET /audit/export': 'exportAudit',
  'GET /': 'seeSessions',
  'GET /live': 'seeSessions',
  'POST /search': 'seeSessions',
  'GET /today': 'seeStats',
  'GET /figures': 'seeStats',
  'GET /figures/csv/:table': 'seeStats',
  'GET /machines': 'seeMachines',
  'GET /machines/:machine': 'seeMachines',
  'GET /machines/:machine/live': 'seeMachines',
  'GET /sessions/:id': 'seeSessions',
  'GET /sessions/:id/live': 'seeSessions',
  'POST /sessions/:id/reveal': 'reveal',
  'POST /sessions/:id/take-over': 'takeOver',
  'POST /sessions/:id/take-from': 'takeFrom',
  'POST /sessions/:id/renew': 'takeOver',
  'POST /sessions/:id/write': 'write',
  'POST /sessions/:id/file': 'write',
  'POST /sessions/:id/hand-back': 'handBack',
  'POST /sessions/:id/nudge': 'nudge',
  'POST /sessions/:id/menu': 'toMenu',
  'POST /sessions/:id/end': 'end',
  'POST /sessions/:id/answered': 'answerHelp',
  'POST /sessions/:id/freeze': 'freeze',
  'POST /sessions/:id/propose-thaw': 'proposeThaw',
  'POST /sessions/:id/approve-thaw': 'approveThaw',
  'POST /sessions/:id/withdraw-thaw': 'withdrawThaw',
  'POST /sessions/:id/stop-agent': 'stopAgent',
  'POST /sessions/:id/propose-restore': 'proposeRestore',
  'POST /sessions/:id/approve-restore': 'approveRestore',
  'POST /sessions/:id/withdraw-restore': 'withdrawRestore',
  'GET /inbox': 'seeCases',
  'GET /inbox/live': 'seeCases',
  'GET /inbox/news': 'seeCases',
  'POST /inbox/next': 'workCases',
  'POST /presence': 'ownAccount',
  'GET /cases/:id': 'seeCases',
  'GET /cases/:id/work': 'seeCases',
  'POST /cases/:id/take': 'workCases',
  'POST /cases/:id/give': 'workCases',
  'POST /cases/:id/wait': 'workCases',
  'POST /cases/:id/go-on': 'workCases',
  'POST /cases/:id/urgent': 'workCases',
  'POST /cases/:id/not-urgent': 'workCases',
  'POST /cases/:id/merge': 'workCases',
  'POST /cases/:id/close': 'workCases',
  'POST /cases/:id/reopen': 'workCases',
  'GET /persons/:id': 'seeSessions',
  'POST /persons/:id/note': 'note',
  'POST /persons/:id/reveal': 'reveal',
  'GET /payments/:intent': 'seeSessions',
  'POST /payments/:intent/resend': 'resend',
  'POST /payments/:intent/propose': 'propose',
  'POST /payments/:intent/approve': 'approve',
  'POST /payments/:intent/withdraw': 'withdraw',
  'GET /webhooks/:id': 'seeSessions',
  'POST /webhooks/:id/retry': 'webhooks',
  'POST /webhooks/:id/reveal': 'reveal',
  'POST /webhooks/:id/apply': 'propose',
  'POST /webhooks/:id/close': 'closeWebhook',
  'GET /public/palette.css': 'anyone',
  'GET /public/look.css': 'anyone',
  'GET /public/icon.svg': 'anyone',
  'GET /public/frame.css': 'anyone',
  'GET /public/forms.css': 'anyone',
  'GET /public/lists.css': 'anyone',
  'GET /public/session.css': 'anyone',
  'GET /public/diagram.css': 'anyone',
  'GET /public/pages.js': 'anyone',
  'GET /public/htmx.min.js': 'anyone',
  'GET /public/sse.min.js': 'anyone',
};

/** What an open page asks for by itself: nobody stays signed in by it who is not there. */
export const BY_ITSELF: ReadonlySet<string> = new Set([
  'GET /live',
  'GET /inbox/live',
  'GET /inbox/news',
  'POST /presence',
  'GET /sessions/:id/live',
  'POST /sessions/:id/renew',
]);

/** The sign-in; from there it goes on to a page of the console. */
export function signInPath(next: string): string {
  return next === BASE ? `${BASE}/sign-in` : `${BASE}/sign-in?${new URLSearchParams({ next })}`;
}

/** Where somebody who has signed in goes on to, as far as it is a page of ours. */
export function onwardPath(next: string): string {
  return /^\/support(?:\/(?!\.{1,2}(?:\/|$))(?:[\w.~!*'()-]|%[\dA-F]{2})+)*$/.test(next) ? next : BASE;
}
