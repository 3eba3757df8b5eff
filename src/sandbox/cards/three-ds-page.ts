import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, raw } from 'hono/html';
import ar from '../../../locales/ar/three-ds.json' with { type: 'json' };
import en from '../../../locales/en/three-ds.json' with { type: 'json' };
import fr from '../../../locales/fr/three-ds.json' with { type: 'json' };
import { LOOK } from '../../http/files.ts';
import { type Centimes, centimes, toDecimal } from '../../wallet/money.ts';
import { type CardPayment, type PaymentState, THREE_DS_TRIES_MAX } from './payment.ts';
import { THREE_DS_CODE } from './test-cards.ts';

const LABELS = { fr, ar, en };
type Labels = typeof fr;
export const LANGUAGES = ['fr', 'ar', 'en'] as const;
/** Each language in itself, so that whoever speaks it finds it. */
const NAMES = { fr: 'Français', ar: 'العربية', en: 'English' } as const;

const STYLE = [
  ...['palette.css', 'look.css'].map((name) => new URL(name, LOOK)),
  new URL('./three-ds.css', import.meta.url),
]
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');
/** Nothing but this look. Without `form-action`, for a confirmed form is redirected to the partner. */
export const CONTENT_POLICY = {
  defaultSrc: ["'none'"],
  baseUri: ["'none'"],
  styleSrc: [`'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`],
};

/**
 * The page: a question, or how the payment ended. It shows the last four digits of the card.
 * @param payment undefined where there is none
 * @param url where the browser goes on to
 */
export function threeDsPage(
  language: string,
  payment: CardPayment | undefined,
  state: PaymentState | undefined,
  url: string | undefined,
) {
  const tongue = LANGUAGES.find((each) => each === language) ?? 'fr';
  const labels: Labels = LABELS[tongue];
  const body =
    payment && state === 'waiting' ? question(labels, tongue, payment) : ending(labels, payment, state, url);
  return html`<!doctype html>
<html lang="${tongue}" dir="${tongue === 'ar' ? 'rtl' : 'ltr'}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${labels.pageTitle}</title>
<style>${raw(STYLE)}</style>
<main>
${payment && html`<header><strong>${payment.issuer}</strong> <span class="scheme">${payment.scheme}</span></header>`}
${body}
</main>
<nav aria-label="${labels.language}">${LANGUAGES.map(
    (each) =>
      html`<a href="?lang=${each}" lang="${each}"${each === tongue ? raw(' aria-current="true"') : ''}>${NAMES[each]}</a>`,
  )}</nav>
</html>`;
}

function question(labels: Labels, tongue: keyof typeof LABELS, payment: CardPayment) {
  const { purpose, amount, fees, last4, triesLeft } = payment;
  const isCashIn = purpose === 'cash-in';
  const isWrong = triesLeft < THREE_DS_TRIES_MAX;
  const money = (value: Centimes) => filled(labels.money, { amount: written(tongue, value) });
  return html`<h1>${isCashIn ? labels.confirmCashIn : labels.confirmPayment}</h1>
<p class="total"><span class="unseen">${labels.total} </span><bdi>${money(centimes(amount + fees))}</bdi></p>
<dl>
<div><dt>${isCashIn ? labels.wallet : labels.to}</dt><dd><bdi>${payment.receiverName}</bdi></dd></div>
${
  fees > 0 &&
  html`<div><dt>${labels.amount}</dt><dd><bdi>${money(amount)}</bdi></dd></div>
<div><dt>${labels.fees}</dt><dd><bdi>${money(fees)}</bdi></dd></div>`
}
<div><dt>${labels.card}</dt><dd><bdi dir="ltr">•••• ${last4}</bdi></dd></div>
</dl>
<form method="post" action="?lang=${tongue}">
<label for="code">${labels.askCode}</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="12" dir="ltr" required autofocus
 aria-describedby="${isWrong ? 'wrong' : 'sent'}"${isWrong ? raw(' aria-invalid="true"') : ''}>
${
  isWrong
    ? html`<p id="wrong" class="wrong" role="alert">${filled(labels.wrongCode, { tries: `${triesLeft}` })}</p>`
    : html`<p id="sent" class="hint">${labels.sent}</p>`
}
<button name="answer" value="confirm">${labels.confirm}</button>
<button name="answer" value="decline" class="quiet" formnovalidate>${labels.decline}</button>
</form>
<p class="trial">${filled(labels.sandbox, { code: THREE_DS_CODE })}</p>`;
}

function ending(
  labels: Labels,
  payment: CardPayment | undefined,
  state: PaymentState | undefined,
  url: string | undefined,
) {
  if (!payment) return html`<h1>${labels.unknown}</h1>`;
  const isAccepted = payment.reason === 'SUCCESS';
  const title = state === 'expired' ? labels.expired : isAccepted ? labels.accepted : labels.declined;
  const next = isAccepted ? labels.acceptedNext : labels.notDebited;
  return html`<div class="ending ${isAccepted ? 'accepted' : 'declined'}">
<p class="sign" aria-hidden="true">${isAccepted ? '✓' : '–'}</p>
<h1>${title}</h1>
${!(isAccepted && url) && html`<p>${next}</p>`}
${url && html`<a class="button" href="${url}">${labels.goOn}</a>`}
</div>`;
}

function filled(label: string, values: Readonly<Record<string, string>>): string {
  return label.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}

/** `1 234,50`, in English `1,234.50`: Latin digits in Arabic too, as in Morocco. */
function written(tongue: keyof typeof LABELS, value: Centimes): string {
  const style = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat(tongue === 'en' ? 'en-US' : 'fr-FR', style).format(toDecimal(value));
}
