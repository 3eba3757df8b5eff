import { html } from 'hono/html';
import { LANGUAGES, type Language } from '../../conversation/incoming.ts';
import { type Html, LANGUAGE_NAMES, layout } from '../layout.ts';
import { csrf, form, table } from '../pages/parts.ts';
import { type ConsoleKey, keyIn, say } from '../sentences.ts';
import type { Account } from './account.ts';
import { BASE } from './endpoints.ts';
import type { Who } from './guard.ts';
import { ROLES, type Role } from './roles.ts';
import { alert, newPasswordFields } from './sign-in-pages.ts';

const HEADS = [
  ...(['console.signInName', 'console.accountDisplayName', 'console.accountRole'] as const),
  ...(['console.accountState', 'console.accountChange'] as const),
];
interface AccountView {
  readonly who: Who;
  readonly error?: string;
}

/** One's own account. `canChange`: it has a password here. */
export function mePage({
  who,
  error,
  done,
  canChange,
}: AccountView & { done?: string; canChange: boolean }): Html {
  const { language } = who;
  const text = (key: ConsoleKey) => say(language, key);
  return layout({ language, who }, text('console.me'), 'me')`<h1>${text('console.me')}</h1>
      ${alert(error)}
      ${done ? html`<p role="status">${done}</p>` : ''}
      <section class="card">
        <p><b><bdi>${who.name}</bdi></b> (<bdi>${who.id}</bdi>) · ${text(keyIn('role', who.role))}</p>
        <form method="post" action="${BASE}/me/language">
          ${csrf({ who })}
          <label>${text('console.language')} ${languageChoice(language)}</label>
          <button>${text('console.save')}</button>
        </form>
      </section>
      ${canChange ? passwordForm(who) : ''}
      <section class="card">
        <h2>${text('console.meEverywhere')}</h2>
        <p>${text('console.meEverywhereHint')}</p>
        <form method="post" action="${BASE}/me/sign-out-everywhere">
          ${csrf({ who })}<button>${text('console.meEverywhere')}</button>
        </form>
      </section>`;
}

function passwordForm(who: Who): Html {
  const { language } = who;
  return html`<section class="card">
    <h2>${say(language, 'console.mePassword')}</h2>
    <form method="post" action="${BASE}/me/password">
      ${csrf({ who })}
      <input name="username" hidden value="${who.id}" autocomplete="username">
      <label>${say(language, 'console.mePasswordOld')}
        <input name="old" type="password" autocomplete="current-password" required maxlength="200"></label>
      ${newPasswordFields(language)}
      <button>${say(language, 'console.mePassword')}</button>
    </form>
  </section>`;
}

/** The accounts, for admins. `link`: a set-up link that was just made, shown this once. */
export function accountsPage({
  who,
  error,
  link,
  accounts,
  now,
}: AccountView & {
  readonly link?: { readonly id: string; readonly url: string };
  readonly accounts: readonly Account[];
  readonly now: number;
}): Html {
  const { language } = who;
  const text = (key: ConsoleKey) => say(language, key);
  const rows = accounts.map((account) => accountRow(account, who, now));
  return layout({ language, who }, text('console.accounts'), 'accounts')`<h1>${text('console.accounts')}</h1>
      ${alert(error)}
      ${link ? linkCard(language, link) : ''}
      <section class="panel">${table(HEADS, rows, who, { className: 'lines' })}</section>
      <section class="card">
        <h2>${text('console.accountNew')}</h2>
        <form method="post" action="${BASE}/accounts">
          ${csrf({ who })}
          <label>${text('console.signInName')}
            <input name="id" required maxlength="32" pattern="[a-z0-9]([a-z0-9.\\-]*[a-z0-9])?" autocapitalize="none" autocomplete="off" dir="ltr"></label>
          <p class="hint">${text('console.accountNameHint')}</p>
          <label>${text('console.accountDisplayName')}
            <input name="name" required maxlength="40" autocomplete="off"></label>
          <p class="hint">${text('console.accountDisplayNameHint')}</p>
          <label>${text('console.accountRole')} ${roleChoice(language, 'agent')}</label>
          <button>${text('console.accountNew')}</button>
        </form>
      </section>`;
}

function linkCard(language: Language, { id, url }: { id: string; url: string }): Html {
  return html`<section class="card" role="status">
    <p>${say(language, 'console.accountLink', { account: { code: id } })}</p>
    <p><code dir="ltr">${url}</code></p>
  </section>`;
}

function accountRow(account: Account, who: Who, now: number): Html {
  const { language } = who;
  const text = (key: ConsoleKey) => say(language, key);
  const { id, name, role, disabled, oidc, demo, madeBy, confirmed } = account;
  const isOwn = id === who.id;
  const button = (act: string, key: ConsoleKey) =>
    form(`/accounts/${id}/${act}`, {
      who,
    })`<button class="quiet" aria-label="${text(key)}: ${id}">${text(key)}</button>`;
  return html`<tr>
    <th scope="row"><bdi>${id}</bdi></th>
    <td><bdi>${name}</bdi></td>
    <td>${
      isOwn || oidc
        ? text(keyIn('role', role))
        : html`<form method="post" action="${BASE}/accounts/${id}/role">
            ${csrf({ who })}${roleChoice(language, role, `${text('console.accountRole')}: ${id}`)}
            <button class="quiet" aria-label="${text('console.save')}: ${id}">${text('console.save')}</button>
          </form>`
    }</td>
    <td>${text(stateOf(account, now))}${standing(account, language)}</td>
    <td>${isOwn ? '' : disabled ? button('enable', 'console.accountEnable') : button('disable', 'console.accountDisable')}
      ${isOwn || disabled || oidc || demo ? '' : button('reset', 'console.accountReset')}
      ${isOwn || madeBy === who.id || (confirmed && madeBy === undefined) ? '' : button('confirm', 'console.accountConfirm')}</td>
  </tr>`;
}

/** The one person who stands behind the account. Nothing where there are two. */
function standing({ madeBy, confirmed }: Account, language: Language): Html {
  if (madeBy === undefined)
    return confirmed ? html`` : html`<br>${say(language, 'console.accountUnconfirmed')}`;
  const key = confirmed ? 'console.accountConfirmedBy' : 'console.accountMadeBy';
  return html`<br>${say(language, key, { account: { code: madeBy } })}`;
}

function stateOf({ disabled, password, setUp, oidc, demo }: Account, now: number): ConsoleKey {
  if (disabled) return 'console.accountDisabled';
  if (oidc) return 'console.accountCompany';
  if (demo) return 'console.accountDemo';
  if (password) return 'console.accountActive';
  return setUp && setUp.until > now ? 'console.accountInvited' : 'console.accountExpired';
}

function roleChoice(language: Language, chosen: Role, label?: string): Html {
  return html`<select name="role" ${label ? html`aria-label="${label}"` : ''}>${ROLES.map(
    (role) =>
      html`<option value="${role}" ${role === chosen ? 'selected' : ''}>${say(language, keyIn('role', role))}</option>`,
  )}</select>`;
}

function languageChoice(chosen: Language): Html {
  return html`<select name="language">${LANGUAGES.map(
    (each) =>
      html`<option value="${each}" lang="${each}" ${each === chosen ? 'selected' : ''}>${LANGUAGE_NAMES[each]}</option>`,
  )}</select>`;
}
