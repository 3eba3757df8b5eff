import { type DestinationStream, type Logger, pino } from 'pino';
import { correlationId } from './correlation.ts';

/** Lines are written together: a write for each of them costs more than the door that it stands for. pino writes no more than 16 kB at once. */
const WRITTEN_AT_BYTES = 16_000;
/** How long a line may wait for others. */
const WRITTEN_AFTER_MS = 1_000;
/** Where nobody takes the output, lines above this are lost, and not the process. */
const KEPT_MAX_BYTES = 8_000_000;

/** What each line says of where it belongs. */
function mixin(): object {
  const trace = correlationId();
  return trace === undefined ? {} : { trace };
}

/**
 * The log of the process, on the standard output, which is never waited for. What is logged as an error is written at once,
 * with all before it: it may be the last that the process says.
 * @param output instead of the standard output; it is given each line at once
 */
export function openLog(level: string, output?: DestinationStream): Logger {
  const options = { level, base: null, mixin };
  if (output) return pino(options, output);
  const lines = pino.destination({
    dest: process.stdout.fd,
    sync: false,
    minLength: WRITTEN_AT_BYTES,
    maxLength: KEPT_MAX_BYTES,
    periodicFlush: WRITTEN_AFTER_MS,
    contentMode: 'buffer',
  });
  // Of text, it measures all that waits with each line that it is given; its types know nothing else.
  const each: DestinationStream = { write: (line) => lines.write(Buffer.from(line) as unknown as string) };
  const errors = pino.levels.values.error ?? Number.POSITIVE_INFINITY;
  const hooks: pino.LoggerOptions['hooks'] = {
    logMethod(given, write, level) {
      write.apply(this, given);
      if (level >= errors) lines.flushSync();
    },
  };
  return pino({ ...options, hooks }, each);
}
