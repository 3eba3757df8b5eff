import { html } from 'hono/html';
import { type CardInHand, inHand } from '../../conversation/incoming.ts';
import { PAN_DIGITS_MAX, PAN_DIGITS_MIN, passesLuhn } from '../../wallet/bank-cards.ts';
import { latinDigits } from '../../wallet/digits.ts';
import type { Entry, Wrong } from './entry.ts';
import { textIn } from './fields.ts';
import { type Html, type Labels, labelled, submit } from './page.ts';

/** Partner API v2.3, "Card cash-in": 3 digits. */
const CVV = /^\d{3}$/;
/** As a card prints it, and longer than any. */
const HOLDER_MAX_CHARS = 60;
/** `08/29`, `0829`, `8 / 2029`. Spaces have an end: thousands of them would be tried in every way. */
const EXPIRY = /^(0?[1-9]|1[0-2])\s{0,3}\/?\s{0,3}(?:20)?(\d{2})$/;
/** A card that expires later than this was mistyped. */
const EXPIRY_YEARS_MAX = 20;

type CardFieldName = 'pan' | 'expiry' | 'cvv' | 'holder';
type CardAsked = 'card' | 'cvv';

/** A card that is typed on the page: all of it, or the code of one that the wallet knows. */
export function cardEntry(asked: CardAsked): Entry {
  return {
    fields: (labels, wrong = []) => html`${cardFields(asked, labels, wrong)}${submit(labels.pay)}`,
    hint: (labels) => labels.cardOnce,
    read(given, now) {
      const read = readCard(asked, given, now);
      return 'wrong' in read ? read : { inputs: [{ type: 'carded' }], card: read.card };
    },
  };
}

/**
 * Reads a card as people type it: the number in any groups, the month and year as printed, the name in one line. The
 * last word of the name is taken for the last name (Partner API v2.3 wants both; how they are told apart is not shown).
 * @param now ms since 1970: an expiry that is past is refused here already
 * @returns the card in hand, or the invalid fields. The typed text is told to nobody
 */
export function readCard(
  asked: CardAsked,
  given: Parameters<typeof textIn>[0],
  now: number,
): { readonly card: CardInHand } | Wrong {
  const cvv = latinDigits(textIn(given, 'cvv')).trim();
  if (asked === 'cvv') return CVV.test(cvv) ? { card: inHand({ cvv }) } : { wrong: ['cvv'] };
  const pan = latinDigits(textIn(given, 'pan')).replaceAll(/[\s-]/g, '');
  const expiry = expiryIn(latinDigits(textIn(given, 'expiry')).trim(), now);
  const [firstName, lastName] = namesIn(textIn(given, 'holder'));
  const wrong: CardFieldName[] = [
    ...(isNumber(pan) ? [] : (['pan'] as const)),
    ...(expiry === undefined ? (['expiry'] as const) : []),
    ...(CVV.test(cvv) ? [] : (['cvv'] as const)),
    ...(lastName === undefined ? (['holder'] as const) : []),
  ];
  if (wrong.length > 0 || expiry === undefined || firstName === undefined || lastName === undefined)
    return { wrong };
  const keep = textIn(given, 'keep') === 'yes';
  return { card: inHand({ pan, expiry, cvv, firstName, lastName, keep }) };
}

function isNumber(pan: string): boolean {
  return /^\d+$/.test(pan) && pan.length >= PAN_DIGITS_MIN && pan.length <= PAN_DIGITS_MAX && passesLuhn(pan);
}

/** YYMM. Undefined for an invalid month, or a date that is past or too far off. */
function expiryIn(typed: string, now: number): string | undefined {
  const [, month = '', year = ''] = EXPIRY.exec(typed) ?? [];
  // A card is good until its month is over.
  const ends = Date.UTC(2000 + Number(year), Number(month));
  const isNear = Number(year) <= new Date(now).getUTCFullYear() - 2000 + EXPIRY_YEARS_MAX;
  return month !== '' && ends > now && isNear ? year + month.padStart(2, '0') : undefined;
}

function namesIn(holder: string): readonly [first?: string, last?: string] {
  const line = holder.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
  const words = line.split(' ');
  const last = words.pop();
  const isName = line.length <= HOLDER_MAX_CHARS && /^[\p{L}\p{M}'’.\- ]+$/u.test(line) && words.length > 0;
  return isName && last ? [words.join(' '), last] : [];
}

/**
 * The fields of the page. Nothing that was typed comes back into them.
 * @param mayKeep whether the wallet can be told to save the card
 */
export function cardFields(asked: CardAsked, labels: Labels, wrong: readonly string[], mayKeep = true): Html {
  const cvv = field(wrong, {
    name: 'cvv',
    label: labels.cvv,
    why: labels.cvvFormat,
    autocomplete: 'cc-csc',
    mode: 'numeric',
    max: 3,
  });
  if (asked === 'cvv') return cvv;
  return html`
${field(wrong, { name: 'pan', label: labels.pan, why: labels.panFormat, autocomplete: 'cc-number', mode: 'numeric', max: 23 })}
<div class="pair">
${field(wrong, { name: 'expiry', label: labels.expiry, why: labels.expiryFormat, autocomplete: 'cc-exp', mode: 'numeric', max: 9 })}
${cvv}
</div>
${field(wrong, { name: 'holder', label: labels.holder, why: labels.holderFormat, autocomplete: 'cc-name', mode: 'text', max: HOLDER_MAX_CHARS })}
${mayKeep && html`<label class="consent"><input type="checkbox" name="keep" value="yes"> <span>${labels.keep}</span></label>`}`;
}

interface CardField {
  readonly name: CardFieldName;
  readonly label: string;
  /** The sentence for a wrong entry. */
  readonly why: string;
  readonly autocomplete: string;
  readonly mode: 'numeric' | 'text';
  readonly max: number;
}

function field(all: readonly string[], { name, label, why, autocomplete, mode, max }: CardField): Html {
  return labelled(
    { name, label, why, isWrong: all.includes(name) },
    html`type="${name === 'cvv' ? 'password' : 'text'}" dir="${mode === 'numeric' ? 'ltr' : 'auto'}"
 inputmode="${mode}" autocomplete="${autocomplete}" autocapitalize="${mode === 'text' ? 'characters' : 'off'}" spellcheck="false"
 maxlength="${max}"`,
  );
}
