import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { type DestinationStream, pino } from 'pino';
import { z } from 'zod';
import { correlationId } from './correlation.ts';
import { type Counted, countRepeats } from './log/repeats.ts';

/** Lines are written together: a write for each of them costs more than the door that it stands for. pino writes no more than 16 kB at once. */
const WRITTEN_AT_BYTES = 16_000;
/** How long a line may wait for others. */
const WRITTEN_AFTER_MS = 1_000;
/** If nobody takes the output, lines above this are lost, and not the process. */
const KEPT_MAX_BYTES = 8_000_000;
/** How often what must be written at once is tried, every tenth of a second, where nobody takes the output. */
const TRIES_MAX = 10;

/** Names this process in each line and each trace. */
export const SELF = {
  host: hostname(),
  release: `${JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version}`,
  instance: randomUUID().slice(0, 8),
} as const;

/** The trace and work that each line belongs to. */
function mixin(): object {
  const trace = correlationId();
  return trace === undefined ? {} : { trace };
}

/**
 * The log of the process, on the standard output, which is never waited for. An error is written at once, with all
 * lines before it, if the output takes it within a second: it may be the last line of the process.
 * @param role what this process does, such as `doors,worker`
 * @param output instead of the standard output; it is given each line at once
 * @returns the log, and `flush`, which writes what waits for more lines
 */
export function openLog(
  level: string,
  role: string,
  output?: DestinationStream,
): Counted & { readonly flush: () => void } {
  const options: pino.LoggerOptions = {
    level,
    base: { ...SELF, role },
    mixin,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  };
  const logger = output
    ? pino(options, output)
    : process.stdout.isTTY
      ? atTerminal(options)
      : onStandardOutput(options);
  const counted = countRepeats((at, fields, message) => logger[at](fields, message));
  return { ...counted, flush: () => logger.flush() };
}

/** The names of this process and what a line has of its own. */
const OF_PROCESS = new Set(['level', 'time', 'msg', 'role', 'trace', ...Object.keys(SELF)]);

const LINE = z.record(z.string(), z.unknown());

/** At a terminal a person reads: the time and what has happened, with more where something is wrong. */
function atTerminal(options: pino.LoggerOptions): pino.Logger {
  const write = (line: string) => {
    const { level, time, msg, ...rest } = LINE.parse(JSON.parse(line));
    const fields = Object.entries(rest).filter(([name]) => !OF_PROCESS.has(name));
    const more = level === 'info' ? [] : fields.map(([name, value]) => `\n    ${name}: ${textOf(value)}`);
    const how = level === 'info' ? '' : `${level}: `;
    process.stdout.write(`${String(time).slice(11, 19)} ${how}${msg}${more.join('')}\n`);
  };
  return pino(options, { write });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function onStandardOutput(options: pino.LoggerOptions): pino.Logger {
  let tries = 0;
  const lines = pino.destination({
    dest: process.stdout.fd,
    sync: false,
    minLength: WRITTEN_AT_BYTES,
    maxLength: KEPT_MAX_BYTES,
    periodicFlush: WRITTEN_AFTER_MS,
    contentMode: 'buffer',
    // A write that is waited for holds everything else back: nothing resets the count before its end.
    retryEAGAIN: () => {
      if (tries === 0) setImmediate(() => (tries = 0));
      return tries++ < TRIES_MAX;
    },
  });
  let isHeard = true;
  lines.on('drain', () => (isHeard = true));
  const writeAll = () => {
    try {
      lines.flushSync();
    } catch {
      isHeard = false;
    }
  };
  // Before the library's own last writing, which it would try for ever.
  process.prependListener('exit', () => {
    writeAll();
    if (!isHeard) lines.destroy();
  });
  // We give it bytes: of text, it measures all waiting text with each line. Its types know text alone.
  const each: DestinationStream & Pick<typeof lines, 'flush'> = {
    write: (line) => lines.write(Buffer.from(line) as unknown as string),
    flush: (then) => lines.flush(then),
  };
  const errors = pino.levels.values.error ?? Number.POSITIVE_INFINITY;
  const hooks: pino.LoggerOptions['hooks'] = {
    logMethod(args, write, level) {
      write.apply(this, args);
      if (level >= errors && isHeard) writeAll();
    },
  };
  return pino({ ...options, hooks }, each);
}
