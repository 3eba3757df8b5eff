import { html } from 'hono/html';
import type { Address, Language } from '../../conversation/incoming.ts';
import { BASE } from '../access/endpoints.ts';
import type { Who } from '../access/guard.ts';
import { type Html, layout } from '../layout.ts';
import { maskPhones } from '../masks.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import { moment } from '../times.ts';
import { AUDITED, type Audited, type AuditPage, type Entry, type Verdict } from './audit.ts';

/** What each entry says. */
const LABELS: Readonly<Record<Audited, ConsoleKey>> = {
  seeSession: 'console.auditSeeSession',
  seePayment: 'console.auditSeePayment',
  seePerson: 'console.auditSeePerson',
  addNote: 'console.auditAddNote',
  seeCase: 'console.auditSeeCase',
  nextCase: 'console.auditNextCase',
  giveCase: 'console.auditGiveCase',
  changeCase: 'console.auditChangeCase',
  mergeCase: 'console.auditMergeCase',
  closeCase: 'console.auditCloseCase',
  reopenCase: 'console.auditReopenCase',
  takeFrom: 'console.auditTakeFrom',
  search: 'console.auditSearch',
  reveal: 'console.auditReveal',
  takeOver: 'console.auditTakeOver',
  write: 'console.auditWrite',
  handBack: 'console.auditHandBack',
  nudge: 'console.auditNudge',
  toMenu: 'console.auditToMenu',
  end: 'console.auditEnd',
  resend: 'console.auditResend',
  answerHelp: 'console.auditAnswerHelp',
  propose: 'console.auditPropose',
  approve: 'console.auditApprove',
  withdraw: 'console.auditWithdraw',
  webhooks: 'console.auditWebhooks',
  closeWebhook: 'console.auditCloseWebhook',
  seeAudit: 'console.auditSeeAudit',
  signIn: 'console.auditSignIn',
  signInFailed: 'console.auditSignInFailed',
  signOut: 'console.auditSignOut',
  signOutEverywhere: 'console.auditSignOutEverywhere',
  changePassword: 'console.auditChangePassword',
  setUp: 'console.auditSetUp',
  createAccount: 'console.auditCreateAccount',
  changeRole: 'console.auditChangeRole',
  disableAccount: 'console.auditDisableAccount',
  enableAccount: 'console.auditEnableAccount',
  resetAccount: 'console.auditResetAccount',
  confirmAccount: 'console.auditConfirmAccount',
  openAnswer: 'console.auditOpenAnswer',
  exportCustomer: 'console.auditExportCustomer',
  eraseCustomer: 'console.auditEraseCustomer',
};
const BROKEN = {
  missing: 'console.auditMissing',
  changed: 'console.auditChanged',
  head: 'console.auditHead',
} as const;

export interface AuditFilter {
  readonly who: string;
  readonly act: string;
  readonly on: string;
}

/** The audit, newest first, for supervisors. */
export function auditPage({
  who,
  filter,
  page,
  verdict,
  sessionPage,
}: {
  readonly who: Who;
  readonly filter: AuditFilter;
  readonly page: AuditPage;
  readonly verdict?: Verdict;
  /** The page of a session, by its address. */
  readonly sessionPage: (address: Address) => string;
}): Html {
  const { language } = who;
  const text = (key: ConsoleKey) => say(language, key);
  const more = new URLSearchParams({ ...filter, before: `${page.next}` });
  return layout({
    title: text('console.audit'),
    language,
    who,
    at: 'audit',
    body: html`<h1>${text('console.audit')}</h1>
      ${verdict ? html`<p role="status" class="note ${verdict.ok ? 'good' : 'bad'}">${sentenceOf(language, verdict)}</p>` : ''}
      <form method="get" action="${BASE}/audit" class="row">
        <label>${text('console.auditWho')} <input name="who" value="${filter.who}" maxlength="64" dir="ltr"></label>
        <label>${text('console.auditAct')} <select name="act">
          <option value="">${text('console.auditAny')}</option>
          ${AUDITED.map((act) => html`<option value="${act}" ${act === filter.act ? 'selected' : ''}>${text(LABELS[act])}</option>`)}
        </select></label>
        <label>${text('console.auditOn')} <input name="on" value="${filter.on}" maxlength="120" dir="ltr"></label>
        <button>${text('console.auditFilter')}</button>
        <button name="check" value="1" class="quiet">${text('console.auditCheck')}</button>
      </form>
      <section class="panel"><div class="scroll"><table class="lines">
        <thead><tr>
          <th scope="col">${text('console.auditNumber')}</th>
          <th scope="col">${text('console.auditAt')}</th>
          <th scope="col">${text('console.auditWho')}</th>
          <th scope="col">${text('console.auditAct')}</th>
          <th scope="col">${text('console.auditOn')}</th>
          <th scope="col">${text('console.auditWhy')}</th>
        </tr></thead>
        <tbody>${page.entries.map((entry) => row(language, entry, sessionPage))}</tbody>
      </table></div>
      ${page.entries.length === 0 ? html`<p class="empty">${text('console.auditNone')}</p>` : ''}
      ${page.next === undefined ? '' : html`<p><a href="${BASE}/audit?${more}">${text('console.auditOlder')}</a></p>`}</section>`,
  });
}

function row(
  language: Language,
  { n, at, who, act, on = '', why = '' }: Entry,
  sessionPage: (address: Address) => string,
): Html {
  const iso = new Date(at).toISOString();
  return html`<tr>
    <td class="number">${n}</td>
    <td><time datetime="${iso}" title="${iso}" dir="ltr">${moment(at)}</time></td>
    <td><bdi>${who}</bdi></td>
    <td>${say(language, LABELS[act])}</td>
    <td>${isAddress(on) ? html`<a href="${sessionPage(on)}"><bdi>${maskPhones(on)}</bdi></a>` : html`<bdi>${maskPhones(on)}</bdi>`}</td>
    <td><bdi>${maskPhones(why)}</bdi></td>
  </tr>`;
}

function isAddress(on: string): on is Address {
  return /^(?:ussd|web|telegram):/.test(on);
}

function sentenceOf(language: Language, verdict: Verdict): string {
  return verdict.ok
    ? say(language, 'console.auditWhole', {
        entries: { count: verdict.count },
        head: { code: verdict.head },
      })
    : say(language, BROKEN[verdict.why], { entry: { count: verdict.n } });
}
