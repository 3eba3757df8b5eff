/**
 * Digits that stand alone, as somebody would have typed them, also on a new line of a text in JSON. A moment or an id holds any four
 * digits by chance: a text with a dozen moments has those of a PIN once in a hundred runs.
 */
export function alone(...secrets: readonly string[]): RegExp {
  return new RegExp(`(?:(?<![\\w-])|(?<=\\\\[nrt]))(?:${secrets.join('|')})(?![\\w-])`);
}
