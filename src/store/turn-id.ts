/** The second number of an id has so many bits: a partition has fewer turns in one millisecond. */
const SEQUENCE_BITS = 20n;

/** A turn record's place in its stream as a number. Ids are `12` or `12-3`, and compare likewise. */
export function positionOf(id: string): bigint {
  const [, first, second = '0'] = /^(\d+)(?:-(\d+))?$/.exec(id) ?? [];
  if (first === undefined) throw new RangeError(`${id} is no id of a turn record`);
  return (BigInt(first) << SEQUENCE_BITS) | BigInt(second);
}

/** The id at a position. It is read by a stream of either kind. */
export function idAt(position: bigint): string {
  const second = position & ((1n << SEQUENCE_BITS) - 1n);
  const first = position >> SEQUENCE_BITS;
  return second === 0n ? `${first}` : `${first}-${second}`;
}

/** The earlier of two ids. Undefined, the beginning, is before all of them. */
export function earlierOf(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return undefined;
  return positionOf(one) < positionOf(other) ? one : other;
}
