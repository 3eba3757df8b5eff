/** A sentence cut at its placeholders, once: the literals stand around the names, so there is one more of them. */
export interface Template {
  readonly literals: readonly string[];
  readonly names: readonly string[];
}

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/;

/**
 * Cuts a sentence at its `{{names}}`.
 * @throws for anything else that i18next would treat as special (`{{a, format}}`, `$t(…)`), so that none of it is ever
 *   shown to a customer as it is.
 */
export function compile(sentence: string): Template {
  const parts = sentence.split(PLACEHOLDER);
  const literals = parts.filter((_, i) => i % 2 === 0);
  const odd = literals.find((literal) => /\{\{|\}\}|\$t\(/.test(literal));
  if (odd !== undefined) throw new Error(`not a placeholder: ${odd.trim()}`);
  return { literals, names: parts.filter((_, i) => i % 2 === 1) };
}

/** The names a sentence asks for, sorted, each once: what must be equal in every language. */
export function placeholders(sentence: string): string[] {
  return [...new Set(compile(sentence).names)].sort();
}
