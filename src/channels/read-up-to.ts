/** The body of an answer, of which no more is read than `maxBytes`. Undefined where it is longer or absent. */
export async function readUpTo({ body }: Response, maxBytes: number): Promise<Uint8Array | undefined> {
  if (!body) return undefined;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
