/** Something that is read once for all agents of a process, and anew once it is older than `freshMs`. */
export interface Fresh<T> {
  read(): Promise<T>;
  /** Has it read anew: something has changed it. */
  expire(): void;
}

export function createFresh<T>(readAnew: () => Promise<T>, freshMs: number, now: () => number): Fresh<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  const expire = () => {
    last = undefined;
  };
  return {
    read() {
      if (last && now() - last.at < freshMs) return last.value;
      const value = readAnew();
      last = { at: now(), value };
      // A store that was down for a moment is asked again by the next one.
      value.catch(expire);
      return value;
    },
    expire,
  };
}
