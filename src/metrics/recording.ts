/** Another process tells of its own records. This one's word counts for so long. */
const BELIEVED_MS = 60_000;

/** How far turns are recorded, in one group of partitions, as this process has last seen it. */
export interface RecordingProgress {
  readonly group: number;
  readonly lagMs: number;
  readonly fill: number;
}

/** The worst of what this process has seen lately. */
interface RecordingState {
  readonly lagSeconds: number;
  readonly fill: number;
}

/** Groups go from process to process: each tells of those that it has recorded lately. */
export function createRecordingState(now: () => number) {
  const known = new Map<number, RecordingProgress & { readonly at: number }>();
  return {
    noted: (progress: RecordingProgress) => void known.set(progress.group, { ...progress, at: now() }),
    /** Undefined where this process records nothing. */
    worst(): RecordingState | undefined {
      const fresh = [...known.values()].filter(({ at }) => now() - at < BELIEVED_MS);
      if (fresh.length === 0) return undefined;
      return {
        lagSeconds: Math.max(...fresh.map(({ lagMs }) => lagMs)) / 1_000,
        fill: Math.max(...fresh.map(({ fill }) => fill)),
      };
    },
  };
}
