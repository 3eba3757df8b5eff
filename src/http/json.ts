/** Parses JSON, or gives undefined for a text that is not JSON. Nothing else is known of the value. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
