/**
 * Digits that stand alone, as somebody would have typed them. A moment or an id holds any four digits by chance: a text with a
 * dozen moments has those of a PIN once in a hundred runs.
 */
export function alone(...secrets: readonly string[]): RegExp {
  return new RegExp(`(?<!\\d)(?:${secrets.join('|')})(?!\\d)`);
}
