/** The value that a text says in JSON; undefined when it is not JSON. Nothing else is known of the value. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
