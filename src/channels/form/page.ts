import { randomInt } from 'node:crypto';
import { html } from 'hono/html';
import ar from '../../../locales/ar/form.json' with { type: 'json' };
import en from '../../../locales/en/form.json' with { type: 'json' };
import fr from '../../../locales/fr/form.json' with { type: 'json' };
import type { Language } from '../../conversation/incoming.ts';
import type { Field } from './fields.ts';

export type Labels = Readonly<Record<keyof typeof fr, string>>;
export type Html = ReturnType<typeof html>;

/** The words of the form's own pages. Only the conversation speaks about money. */
export const LABELS: Readonly<Record<Language, Labels>> = { fr, ar, en };

/** The data that every page of the form has. */
export interface PageOf {
  readonly language: Language;
  /** The conversation is not on the screen behind the page: its customer dials to go on. */
  readonly isDialled?: boolean;
  /** The chat shows it as a Mini App, which is told when to close, and says who has opened it. */
  readonly isMiniApp?: boolean;
}

interface Question extends PageOf {
  /** The question, in the words of the conversation. */
  readonly text: string;
  readonly why?: string | undefined;
  readonly enctype?: string;
  readonly fields: Html;
  /** The address that it is sent to. A form that leads to the next one is at the address of the one before. */
  readonly token: string;
  /** The chat's signed data about the person who opened the page, where they are known already. */
  readonly launch: string;
  /** How long it is good, and who may know the typed text. */
  readonly hint: string;
  /** Present where the conversation can be told to stop: how long the page is still good, in ms. */
  readonly leftMs?: number;
}

/** The page that asks. Without JavaScript it is fields and a button. */
export function questionPage(question: Question): Html {
  const { language, isMiniApp, text, why, fields, token, launch, hint, enctype, leftMs } = question;
  const labels = LABELS[language];
  // The chat's word for who has opened a Mini App is in its fragment, which only a script can read.
  const needsScript = isMiniApp && launch === '';
  return page(
    { ...question, name: 'question' },
    html`${why !== undefined && html`<p class="wrong" role="alert">${why}</p>`}
<p class="question" id="question">${text}</p>
${needsScript && html`<noscript><p class="wrong">${labels.needsScript}</p></noscript>`}
<form method="post" action="/form/${token}" autocomplete="on"${enctype !== undefined && html` enctype="${enctype}"`}>
<input type="hidden" name="launch" value="${launch}">
${fields}
${leftMs !== undefined && html`<button class="cancel" name="cancel" value="yes" formnovalidate>${labels.cancel}</button>`}
</form>
${leftMs !== undefined && html`<p class="hint left" role="timer">${labels.left} <span id="left" dir="ltr" data-left-ms="${leftMs}">${minutes(leftMs)}</span></p>`}
<p class="hint">${hint}</p>`,
  );
}

/** `1:45`. */
function minutes(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** One field with its label, and the sentence for a wrong entry below it. @param more the attributes of its kind */
export function labelled(
  { name, label, why, isWrong }: Readonly<Record<'name' | 'label' | 'why', string>> & { isWrong: boolean },
  more: Html,
): Html {
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" required ${more} aria-describedby="${name}-wrong"${isWrong && html` aria-invalid="true"`}>
<p id="${name}-wrong" class="wrong" role="alert"${!isWrong && html` hidden`}>${why}</p></div>`;
}

export function submit(label: string): Html {
  return html`<button class="submit">${label}</button>`;
}

/**
 * The field of one secret, its button and, with JavaScript, its keypad.
 * @param wrong why it is asked once more. It is read out with the field, which has the focus
 */
export function secretFields(field: Field, labels: Labels, wrong: string | undefined): Html {
  const isWrong = wrong !== undefined;
  return html`<label for="secret">${field.label(labels)}</label>
<input id="secret" name="secret" type="password" class="${field.digits ? 'digits' : ''}" dir="ltr" required
 inputmode="${field.digits ? 'numeric' : 'text'}" autocomplete="${field.autocomplete}" autocapitalize="off" spellcheck="false"
 maxlength="${field.maxChars}"${field.digits !== undefined && html` data-digits="${field.digits}"`} aria-describedby="question${isWrong ? ' wrong' : ''}"${isWrong && html` aria-invalid="true" autofocus`}>
${isWrong && html`<p id="wrong" class="wrong" role="alert" tabindex="-1">${wrong}</p>`}
${field.digits && keypad(labels)}
${submit(labels.send)}`;
}

/** Its keys are in another order each time, so that nobody learns a secret from where it was tapped. Shown by the script. */
function keypad(labels: Labels): Html {
  const keys = shuffled([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  return html`<div class="keypad" role="group" aria-label="${labels.keypad}" hidden>
${keys.map((digit) => html`<button type="button" data-key="${digit}">${digit}</button>`)}
<button type="button" data-key="erase">${labels.erase}</button>
</div>`;
}

/**
 * Sends the browser on to the bank's page. A form must not be answered by a redirect to another site: the page's own policy lets
 * forms be sent to us alone.
 */
export function toBankPage(of: PageOf, address: string): Html {
  const labels = LABELS[of.language];
  return page(
    { ...of, name: 'toBank', refresh: address },
    html`<h2 role="status">${labels.toBank}</h2><p class="ending">${labels.toBankNext}</p>
<a class="submit" id="on" href="${address}" rel="noreferrer">${labels.goOn}</a>`,
  );
}

/**
 * The page to which a payer's browser returns. The result in its address is the word of the bank page, and the page
 * says so.
 * @param payer whether a conversation of theirs goes on: a stranger has paid somebody by a link, an operator's console
 *   says the rest
 */
export function backPage(
  of: PageOf,
  isDeclined: boolean,
  payer: 'customer' | 'stranger' | 'operator' = 'customer',
): Html {
  const labels = LABELS[of.language];
  // A customer who dialled has no chat to go back to.
  const [ownTitle, ownNext] = of.isDialled
    ? [labels.paidBack, labels.nextUssd]
    : [labels.back, labels.backNext];
  const [title, declined, next] = {
    customer: [ownTitle, labels.backDeclined, ownNext],
    stranger: isDeclined
      ? [labels.paidDeclined, labels.paidBackDeclined, labels.paidDeclinedNext]
      : [labels.paidBack, labels.paidBackDeclined, labels.paidBackNext],
    operator: [labels.paidBack, labels.paidBackDeclined, labels.floatBackNext],
  }[payer];
  return page(
    { ...of, name: 'back' },
    html`<h2 role="status">${title}</h2>
${isDeclined && html`<p class="ending">${declined}</p>`}<p class="ending">${next}</p>`,
  );
}

/** How it has ended: by name, so that the script can close the page. */
export function endingPage(of: PageOf, name: 'given' | 'cancelled' | 'gone' | 'notYours'): Html {
  const labels = LABELS[of.language];
  const goesOn = goesOnIn(of);
  const [title, next] = {
    given: [labels.given, goesOn],
    cancelled: [labels.cancelled, goesOn],
    gone: [labels.gone, of.isDialled ? labels.goneNextUssd : labels.goneNext],
    notYours: [labels.notYours, labels.notYoursNext],
  }[name];
  return page({ ...of, name }, html`<h2 role="status">${title}</h2><p class="ending">${next}</p>`);
}

function goesOnIn({ language, isDialled }: PageOf): string {
  const labels = LABELS[language];
  return isDialled ? labels.nextUssd : labels.givenNext;
}

/** Says in the words of the conversation, which goes on elsewhere, why the entry was refused for good. */
export function refusedPage(of: PageOf, why: string): Html {
  return page(
    { ...of, name: 'refused' },
    html`<p class="wrong" role="alert">${why}</p><p class="ending">${goesOnIn(of)}</p>`,
  );
}

/** A sentence of the conversation's in place of the form, while the store does not answer. */
export function sentencePage(of: PageOf, text: string): Html {
  return page({ ...of, name: 'sentence' }, html`<p class="question" role="status">${text}</p>`);
}

interface Frame extends PageOf {
  readonly name: string;
  readonly refresh?: string;
}

function page({ language, isMiniApp, name, refresh }: Frame, body: Html): Html {
  const labels = LABELS[language];
  return html`<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${refresh !== undefined && html`<meta http-equiv="refresh" content="0; url=${refresh}">`}
<title>Wasl · ${labels.title}</title>
<link rel="icon" href="/form/public/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/form/public/palette.css">
<link rel="stylesheet" href="/form/public/look.css">
<link rel="stylesheet" href="/form/public/sheet.css">
<link rel="stylesheet" href="/form/public/form.css">
<script type="module" src="/form/public/form.js"></script>
</head>
<body data-page="${name}"${isMiniApp && html` data-mini-app`}>
<main>
<header><img src="/form/public/icon.svg" alt="" width="32" height="32"><h1><strong>Wasl</strong> · ${labels.title}</h1></header>
${body}
</main>
</body>
</html>`;
}

/** Fisher and Yates. */
function shuffled<T>(all: readonly T[]): T[] {
  const keys = [...all];
  for (let i = keys.length - 1; i > 0; i--) {
    const j = randomInt(i + 1);
    [keys[i], keys[j]] = [keys[j] as T, keys[i] as T];
  }
  return keys;
}
