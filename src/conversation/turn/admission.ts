/**
 * How many turns one process carries at once. Beyond it a new one would only wait behind the others, past the patience of its gateway. So it is
 * answered at once, as the channel does when the service cannot be reached.
 */
export const TURNS_UNDER_WAY_MAX = 2_000;

/** This process has as many turns under way as it can carry: nothing was begun. */
export class Overloaded extends Error {
  override name = 'Overloaded';
}

/** Lets so many calls of a function be under way at once; rejects the others with `Overloaded`. */
export function admitting<A extends unknown[], T>(
  max: number,
  work: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  let underWay = 0;
  return async (...args) => {
    if (underWay >= max) throw new Overloaded(`${max} turns are under way`);
    underWay++;
    try {
      return await work(...args);
    } finally {
      underWay--;
    }
  };
}
