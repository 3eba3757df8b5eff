/** A sentence cut at its placeholders, once: the literals stand around the slots, so there is one more of them. */
export interface Template {
  readonly literals: readonly string[];
  readonly slots: readonly Slot[];
}

/** Where a value stands. `isNumber`: money is written without its currency, which the page names elsewhere. */
export interface Slot {
  readonly name: string;
  readonly isNumber: boolean;
}

const PLACEHOLDER = /\{\{\s*(\w+(?:, number)?)\s*\}\}/;

/**
 * Cuts a sentence at its `{{names}}`; `{{name, number}}` is money without its currency.
 * @throws for anything else that i18next would treat as special (`{{a, format}}`, `$t(…)`), so that none of it is ever
 *   shown to a customer as it is.
 */
export function compile(sentence: string): Template {
  const parts = sentence.split(PLACEHOLDER);
  const literals = parts.filter((_, i) => i % 2 === 0);
  const odd = literals.find((literal) => /\{\{|\}\}|\$t\(/.test(literal));
  if (odd !== undefined) throw new Error(`not a placeholder: ${odd.trim()}`);
  const slots = parts.filter((_, i) => i % 2 === 1).map((slot) => slot.split(', '));
  return { literals, slots: slots.map(([name = '', format]) => ({ name, isNumber: format === 'number' })) };
}

/** The names a sentence asks for, sorted, each once: what must be equal in every language. */
export function placeholders(sentence: string): string[] {
  return [...new Set(compile(sentence).slots.map(({ name }) => name))].sort();
}
