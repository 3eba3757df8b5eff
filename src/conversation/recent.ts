/** The values of the last `max` keys that a process remembers. Above it the key that was set longest ago is dropped. */
export interface Recent<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  entries(): Iterable<[Key, Value]>;
}

/** Keeps the last ones in memory. @param max how many */
export function createRecent<Key, Value>(max: number): Recent<Key, Value> {
  const known = new Map<Key, Value>();
  return {
    get: (key) => known.get(key),
    entries: () => known.entries(),
    delete: (key) => void known.delete(key),
    set(key, value) {
      known.delete(key);
      known.set(key, value);
      if (known.size > max) known.delete(known.keys().next().value as Key);
    },
  };
}
