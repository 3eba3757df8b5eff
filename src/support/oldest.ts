/**
 * Gives the key that was put into a map before all others, each time it is called. The caller removes that key. A map
 * leaves a hole for each removed key, and a look from its beginning goes over all of them. This one goes on where the
 * last look ended.
 */
export function oldestOf<Key>(map: ReadonlyMap<Key, unknown>): () => Key | undefined {
  let keys: Iterator<Key, undefined> = map.keys();
  return () => {
    const next = keys.next();
    if (!next.done) return next.value;
    keys = map.keys();
    return keys.next().value;
  };
}
