/** How an amount is written where its currency stands elsewhere on the page: `bare`, and `whole` also without `,00`. A `bare` date has no year, and a `bare` name ends early. */
export type MoneyFormat = 'bare' | 'whole';

interface Placeholder {
  readonly name: string;
  readonly format?: MoneyFormat;
}

/** A sentence cut at its placeholders, once: the literals stand around them, so there is one more of them. */
export interface Template {
  readonly literals: readonly string[];
  readonly asked: readonly Placeholder[];
}

const PLACEHOLDER = /(\{\{\s*\w+\s*(?:,\s*(?:bare|whole)\s*)?\}\})/;
const PARTS = /^\{\{\s*(\w+)\s*(?:,\s*(bare|whole)\s*)?\}\}$/;

/**
 * Cuts a sentence at its `{{names}}` and `{{names, format}}`.
 * @throws for anything else that i18next treats as special (another `{{a, format}}`, `$t(…)`), so that no customer ever
 *   sees it.
 */
export function compile(sentence: string): Template {
  const parts = sentence.split(PLACEHOLDER);
  const literals = parts.filter((_, i) => i % 2 === 0);
  const odd = literals.find((literal) => /\{\{|\}\}|\$t\(/.test(literal));
  if (odd !== undefined) throw new Error(`not a placeholder: ${odd.trim()}`);
  return { literals, asked: parts.filter((_, i) => i % 2 === 1).map(placeholder) };
}

function placeholder(written: string): Placeholder {
  const [, name = '', format] = PARTS.exec(written) ?? [];
  return format === 'bare' || format === 'whole' ? { name, format } : { name };
}

/** The names a sentence asks for, sorted, each once: what must be equal in every language. */
export function placeholders(sentence: string): string[] {
  return [...new Set(compile(sentence).asked.map(({ name }) => name))].sort();
}
