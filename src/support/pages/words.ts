import { html } from 'hono/html';
import { TALK_MAX_CHARS } from '../../conversation/session/talk.ts';
import type { Html } from '../layout.ts';
import { MACRO_CLOSE_MAX_CHARACTERS } from '../macros.ts';
import { say } from '../sentences.ts';
import type { PlainSaid, View } from './parts.ts';

/** The longest text of a field, and the refusal of a shorter one. */
interface Bounds<TooShort extends PlainSaid> {
  readonly max: number;
  readonly min?: number;
  readonly tooShort?: TooShort;
}
/** Invisible signs, but for line ends. They are no reason, and hide the first sign of a table's cell. */
const UNSEEN = /[^\P{Cc}\n]|[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Letters of a reason, and how many different ones: digits and marks say nothing. */
const LETTERS_MIN = 5;
const DIFFERENT_MIN = 3;
export const REASON = { min: 10, max: 300, tooShort: 'noReason' } as const;
/** How somebody knows what became of a payment. */
export const EVIDENCE = { min: 10, max: 500, tooShort: 'noEvidence' } as const;
/** About a customer. */
export const NOTE = { max: 1_000 };
/** About a case, and what it ends with. */
export const CASE_NOTE = { max: MACRO_CLOSE_MAX_CHARACTERS };
/** To a customer. */
export const ANSWER = { max: TALK_MAX_CHARS };

/** The typed text. `no`: the reason why it cannot be used. */
interface Typed<TooShort extends PlainSaid> {
  readonly text: string;
  readonly no?: TooShort | 'tooLong';
}

/**
 * The text that an agent typed into a field, without the space around it. It is never cut: a text that is too long is
 * refused, so that nobody believes to have sent the rest. A line end counts as one character, as browsers count it,
 * though they send two. A text with a minimum length must say something: it is kept without invisible signs, and has
 * letters.
 */
export function typedIn<TooShort extends PlainSaid = never>(
  value: unknown,
  { max, min = 0, tooShort }: Bounds<TooShort>,
): Typed<TooShort> {
  const typed = typeof value === 'string' ? value.replaceAll('\r\n', '\n') : '';
  const text = (tooShort ? typed.replace(UNSEEN, '') : typed).trim();
  if (text.length > max) return { text, no: 'tooLong' };
  return tooShort && (text.length < min || !hasWords(text)) ? { text, no: tooShort } : { text };
}

function hasWords(text: string): boolean {
  const letters = text.toLowerCase().match(/\p{L}/gu) ?? [];
  return letters.length >= LETTERS_MIN && new Set(letters).size >= DIFFERENT_MIN;
}

/** Why, in one's own words. @param own the reader's own case, which is reason enough */
export function reasonField({ language }: Pick<View, 'language'>, own?: string): Html {
  if (own !== undefined)
    return html`<p class="hint">${say(language, 'console.reasonCase', { case: { code: own } })}</p>`;
  return html`<label>${say(language, 'console.reason')}<textarea name="why" rows="2" required minlength="${REASON.min}" maxlength="${REASON.max}" dir="auto"></textarea></label>`;
}

export function evidenceField({ language }: Pick<View, 'language'>): Html {
  return html`<label>${say(language, 'console.evidence')}<textarea name="evidence" rows="3" required minlength="${EVIDENCE.min}" maxlength="${EVIDENCE.max}" dir="auto"></textarea></label>`;
}
