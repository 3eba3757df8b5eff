import type { CaseSettings } from '../conversation/cases/changes.ts';
import { type Log, thrown } from '../log/thrown.ts';
import type { Store } from '../store/store.ts';
import { createRecorder, type Progress } from './recorder.ts';
import type { Records } from './records.ts';
import { createUpkeep, type UpkeepDeps } from './upkeep.ts';

/** The share of its limit at which it is said that turns wait for the records for too long. */
const NEAR_LIMIT = 0.8;

/** Carries turns and payments into the records, and runs the chores of the records. */
export type Recording = ReturnType<typeof openRecording>;

interface RecordingBase extends Pick<UpkeepDeps, 'takeOver' | 'onNotForgotten'> {
  readonly store: Store;
  readonly records: Records;
  /** Absent where nobody measures. */
  readonly meter: { recording(progress: Progress): void } | undefined;
  readonly log: Log;
}

export function openRecording(
  config: {
    readonly TURNS_MAX: number;
    readonly RECORDS_KEEP_EVENTS_DAYS: number;
    readonly RECORDS_KEEP_PAYMENTS_DAYS: number;
    readonly RECORDS_KEEP_NAMES_DAYS: number;
    readonly RECORDS_KEEP_AUDIT_DAYS: number;
    readonly cases: CaseSettings;
  },
  { meter, log, ...base }: RecordingBase,
) {
  const say = progressLog(log);
  const onProgress = (progress: Progress) => {
    meter?.recording(progress);
    say(progress);
  };
  return {
    recorder: createRecorder({
      ...base,
      settings: config.cases,
      turnsMax: config.TURNS_MAX,
      onProgress,
      onRefused: ({ id }, error) => log.say('An update of a case was put aside', { id, ...thrown(error) }),
      now: Date.now,
    }),
    upkeep: createUpkeep({
      ...base,
      settings: config.cases,
      keptDays: {
        events: config.RECORDS_KEEP_EVENTS_DAYS,
        payments: config.RECORDS_KEEP_PAYMENTS_DAYS,
        audit: config.RECORDS_KEEP_AUDIT_DAYS,
        names: config.RECORDS_KEEP_NAMES_DAYS,
      },
      onForgotten: (kind, rows) => log.say('Old records were deleted', { kind, rows }),
      now: Date.now,
    }),
  };
}

/** Recording that stops, goes on, or loses something. */
function progressLog(log: RecordingBase['log']): (progress: Progress) => void {
  return ({ group, isWell, lagMs, fill, lost }) => {
    const about = {
      group: `${group}`,
      lagSeconds: Math.round(lagMs / 1_000),
      fill: Math.round(fill * 100) / 100,
    };
    log[isWell ? 'over' : 'say']('The records take nothing', about);
    if (fill >= NEAR_LIMIT) log.say('Turns that wait for the records near their limit', about);
    if (lost > 0) log.say('Turns were lost at the limit', { ...about, lost });
  };
}
