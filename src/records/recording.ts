import type { Store } from '../store/store.ts';
import { createRecorder, type Progress, type Recorder } from './recorder.ts';
import type { Records } from './records.ts';
import { createUpkeep, type Upkeep, type UpkeepDeps } from './upkeep.ts';

/** The share of its limit at which it is said that turns wait for the records for too long. */
const NEAR_LIMIT = 0.8;

/** What carries turns and payments into the records, and what is done there now and then. */
export interface Recording {
  readonly recorder: Recorder;
  readonly upkeep: Upkeep;
}

type Say = (fields: object, sentence: string) => void;

interface RecordingBase extends Pick<UpkeepDeps, 'copyAudit' | 'onNotForgotten'> {
  readonly store: Store;
  readonly records: Records;
  /** Absent where nobody measures. */
  readonly meter: { recording(progress: Progress): void } | undefined;
  readonly log: { error: Say; info: Say };
}

export function openRecording(
  config: {
    readonly TURNS_MAX: number;
    readonly RECORDS_KEEP_EVENTS_DAYS: number;
    readonly RECORDS_KEEP_PAYMENTS_DAYS: number;
    readonly RECORDS_KEEP_NAMES_DAYS: number;
    readonly RECORDS_KEEP_AUDIT_DAYS: number;
  },
  { meter, log, ...base }: RecordingBase,
): Recording {
  const say = progressLog(log);
  const onProgress = (progress: Progress) => {
    meter?.recording(progress);
    say(progress);
  };
  return {
    recorder: createRecorder({ ...base, turnsMax: config.TURNS_MAX, onProgress, now: Date.now }),
    upkeep: createUpkeep({
      ...base,
      keptDays: {
        events: config.RECORDS_KEEP_EVENTS_DAYS,
        payments: config.RECORDS_KEEP_PAYMENTS_DAYS,
        audit: config.RECORDS_KEEP_AUDIT_DAYS,
        names: config.RECORDS_KEEP_NAMES_DAYS,
      },
      onForgotten: (kind, rows) => log.info({ kind, rows }, 'records were forgotten, as their time was over'),
      now: Date.now,
    }),
  };
}

/** Recording that stops, goes on, or loses something: each said once, and again when it has become worse. */
function progressLog(log: RecordingBase['log']): (progress: Progress) => void {
  const away = new Set<number>();
  const filling = new Set<number>();
  return ({ group, isWell, lagMs, fill, lost }) => {
    const about = { group, lagSeconds: Math.round(lagMs / 1_000), fill: Math.round(fill * 100) / 100 };
    if (!isWell && !away.has(group)) log.error(about, 'the records take nothing: turns wait in the store');
    if (isWell && away.has(group)) log.info(about, 'the records take turns again');
    if (isWell) away.delete(group);
    else away.add(group);
    if (fill >= NEAR_LIMIT && !filling.has(group))
      log.error(about, 'turns that wait for the records come near their limit (TURNS_MAX)');
    if (fill >= NEAR_LIMIT) filling.add(group);
    else filling.delete(group);
    if (lost > 0)
      log.error({ ...about, lost }, 'turns were lost at the limit; none of them was of a payment');
  };
}
