/** Names that are known at once: who asks for more than these asks for one of them too often, or for none that there is. */
const NAMES_MAX = 10_000;

/**
 * What strangers may ask for again and again is done once in so long for each name: the first time at once, all that come meanwhile
 * together at the end of it. It is this process's own: more of them do it as many times more often.
 * @param ms how long
 * @returns how long to wait until it is done, in ms; undefined where it is to be done already
 */
export function createPace(ms: number, now: () => number): (name: string) => number | undefined {
  /** When each is done next, or was done last. */
  const done = new Map<string, number>();
  return (name) => {
    const at = now();
    const last = done.get(name) ?? Number.NEGATIVE_INFINITY;
    if (last > at) return undefined;
    const next = Math.max(at, last + ms);
    done.delete(name);
    done.set(name, next);
    const [oldest] = done.keys();
    if (done.size > NAMES_MAX && oldest !== undefined) done.delete(oldest);
    return next - at;
  };
}
