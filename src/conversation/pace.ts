/**
 * The number of names that are known at once. A stranger who asks for more asks for one of them too often, or for names
 * that do not exist.
 */
const NAMES_MAX = 10_000;

/**
 * Limits work that strangers may ask for again and again: it is done once within a time for each name. Each process
 * counts for itself, so several processes do it as many times more often.
 * @param ms that time
 * @returns whether it is to be done now
 */
export function createPace(ms: number, now: () => number): (name: string) => boolean {
  const done = new Map<string, number>();
  return (name) => {
    const at = now();
    if ((done.get(name) ?? Number.NEGATIVE_INFINITY) + ms > at) return false;
    done.delete(name);
    done.set(name, at);
    const [oldest] = done.keys();
    if (done.size > NAMES_MAX && oldest !== undefined) done.delete(oldest);
    return true;
  };
}
