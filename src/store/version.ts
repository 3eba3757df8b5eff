/** How far a version may jump. */
const STEP_MAX = 1_000_000;

/**
 * The version after this one, which nobody else gives: it jumps. After a failover has lost a write, somebody else's write
 * would otherwise have its version, and who still holds the lost one would take it for theirs.
 */
export function versionAfter(version: number): number {
  return version + 1 + Math.floor(Math.random() * STEP_MAX);
}
