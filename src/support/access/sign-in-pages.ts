import { html, raw } from 'hono/html';
import type { Language } from '../../conversation/incoming.ts';
import { type Html, layout } from '../layout.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import { BASE } from './endpoints.ts';
import type { Who } from './guard.ts';
import { PASSWORD_MIN_CHARACTERS, type Weakness } from './password.ts';

/** The sign-in page. `error` or `notice` is the sentence above the form, `next` the page that it leads to. */
export function signInPage(
  language: Language,
  {
    error,
    notice,
    id = '',
    next = '',
    oidc,
  }: {
    readonly error?: string;
    readonly notice?: string;
    readonly id?: string;
    readonly next?: string;
    readonly oidc: boolean;
  },
): Html {
  const text = (key: ConsoleKey) => say(language, key);
  return layout({ language }, text('console.signIn'))`<section class="narrow card">
      <h1>${text('console.signIn')}</h1>
      ${alert(error)}
      ${notice || next ? html`<p role="status">${notice ?? text('console.signInFirst')}</p>` : ''}
      ${oidc ? html`<p><a class="button" href="${BASE}/sign-in/oidc${next && `?${new URLSearchParams({ next })}`}">${text('console.signInCompany')}</a></p>` : ''}
      <form method="post" action="${BASE}/sign-in">
        <input type="hidden" name="next" value="${next}">
        <label>${text('console.signInName')}
          <input name="id" value="${id}" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="64" autofocus></label>
        <label>${text('console.signInPassword')}
          <input name="password" type="password" autocomplete="current-password" required maxlength="200"></label>
        ${codeField(language)}
        <button>${text('console.signIn')}</button>
      </form>
    </section>`;
}

/** The page on which an invited agent chooses a password and enrols an authenticator app. */
export function setUpPage(
  language: Language,
  {
    error,
    ...shown
  }: {
    readonly error?: string;
    readonly id: string;
    readonly token: string;
    readonly secret: string;
    readonly picture: string;
  },
): Html {
  const text = (key: ConsoleKey) => say(language, key);
  return layout({ language }, text('console.setUp'))`<section class="narrow card">
      <h1>${text('console.setUp')}</h1>
      <p>${say(language, 'console.setUpFor', { account: { code: shown.id } })}</p>
      ${alert(error)}
      <form method="post" action="${BASE}/set-up/${shown.token}">
        <p>${text('console.setUpScan')}</p>
        <p><img class="qr" src="${shown.picture}" width="220" height="220" alt="${text('console.setUpPicture')}"></p>
        <p>${text('console.setUpSecret')}<br><code dir="ltr">${grouped(shown.secret)}</code></p>
        <input name="username" hidden value="${shown.id}" autocomplete="username">
        ${newPasswordFields(language)}
        ${codeField(language)}
        <button>${text('console.setUpDone')}</button>
      </form>
    </section>`;
}

interface Notice {
  readonly title: string;
  readonly sentence: string;
  /** Whether there is no way to the sign-in: without it, where somebody is signed in. */
  readonly isSignedIn?: boolean;
  /** Has the menu beside the notice. */
  readonly who?: Who | undefined;
  /** The page loads again by itself once the records answer. */
  readonly comesBack?: boolean;
}

/** A page with one sentence, and the way to the sign-in where that helps. */
export function noticePage(
  language: Language,
  { title, sentence, who, isSignedIn = who !== undefined, comesBack = false }: Notice,
): Html {
  return layout(
    { language, who },
    title,
  )`<section class="narrow card" ${comesBack && raw(`hx-get="${BASE}/back" hx-trigger="every 30s" hx-swap="none"`)}>
      <h1>${title}</h1>
      <p>${sentence}</p>
      ${!isSignedIn && html`<p><a href="${BASE}/sign-in">${say(language, 'console.signIn')}</a></p>`}
    </section>`;
}

/**
 * Leads on to `to` from our own page: after a redirect from another site a browser would not send the new cookie
 * along (`SameSite=Strict`).
 */
export function onwardPage(language: Language, to: string): Html {
  return layout(
    { language },
    say(language, 'console.signIn'),
    undefined,
    html`<meta http-equiv="refresh" content="0;url=${to}">`,
  )`<p><a href="${to}">${say(language, 'console.signInOnward')}</a></p>`;
}

/** A sentence that a screen reader says at once. */
export function alert(error: string | undefined): Html | '' {
  return error ? html`<p class="error" role="alert">${error}</p>` : '';
}

/** The rule that a new password breaks, in words. */
export function weaknessIn(language: Language, weakness: Weakness): string {
  return say(language, `console.${weakness}`, { min: { count: PASSWORD_MIN_CHARACTERS } });
}

export function newPasswordFields(language: Language): Html {
  return html`<label>${say(language, 'console.newPassword')}
      <input name="password" type="password" autocomplete="new-password" required minlength="${PASSWORD_MIN_CHARACTERS}" maxlength="200"></label>
    <p class="hint">${say(language, 'console.newPasswordHint', { min: { count: PASSWORD_MIN_CHARACTERS } })}</p>
    <label>${say(language, 'console.newPasswordAgain')}
      <input name="again" type="password" autocomplete="new-password" required maxlength="200"></label>`;
}

function codeField(language: Language): Html {
  return html`<label>${say(language, 'console.signInCode')}
    <input name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]{6,7}" required maxlength="7" dir="ltr"></label>`;
}

/** Four letters at a time, as people type. */
function grouped(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret;
}
