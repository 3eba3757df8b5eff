import { type Fields, type Line, type Log, type Row, rowOf } from './lines.ts';

/** A failure that has not come for so long is over. */
const QUIET_MS = 60_000;
/** Fields of closed lists make no more than so many kinds. Above, lines are told apart by what they say alone. */
const KINDS_MAX = 500;

/** Something that has begun and is not over. */
interface Lasting {
  readonly line: Line;
  readonly since: number;
  fields: Fields;
  times: number;
  lastAt: number;
}

export interface Counted extends Log {
  /** Writes how often what lasts has come: the process ends. */
  close(): void;
}

/**
 * Writes each kind of failure once when it begins, then the 10th, 100th, 1000th time with its count, and once when it is over.
 * Lines are of one kind that say the same with the same words (channel, error, …): numbers, ids and stacks do not count.
 */
export function countRepeats(write: (level: Row['level'], fields: Fields, message: string) => void): Counted {
  const lasting = new Map<string, Lasting>();
  const writeLine = (line: Line, fields: Fields) => {
    const { level, did, todo } = rowOf(line);
    write(level, { ...fields, ...(did && { did }), ...(todo && { todo }) }, line);
  };
  const counted = ({ line, fields, times, since }: Lasting) =>
    writeLine(line, { ...fields, times, since: new Date(since).toISOString() });
  const end = (key: string) => {
    const { line, fields, times, since, lastAt } = lasting.get(key) as Lasting;
    lasting.delete(key);
    const lastedSeconds = Math.round((lastAt - since) / 1_000);
    // Once is no outage, unless Wasl knows of one.
    if (times > 1 || rowOf(line).ends)
      write('info', { ...fields, times, lastedSeconds }, `It is over: ${line}`);
  };
  const look = () => {
    for (const [key, { line, lastAt }] of lasting)
      if (!rowOf(line).ends && Date.now() - lastAt >= QUIET_MS) end(key);
  };
  // Begun here, where no request is under way whose trace its lines would have.
  const looking = setInterval(look, QUIET_MS).unref();
  return {
    say(line, fields = {}) {
      if (rowOf(line).each) return writeLine(line, fields);
      const key = lasting.size < KINDS_MAX ? kindOf(line, fields) : line;
      const { at: _at, ...ofAll } = fields;
      const known = lasting.get(key) ?? { line, since: Date.now(), times: 0 };
      const now = { ...known, fields: ofAll, times: known.times + 1, lastAt: Date.now() };
      lasting.set(key, now);
      if (now.times === 1) writeLine(line, fields);
      else if (/^10+$/.test(`${now.times}`)) counted(now);
    },
    over(line, fields = {}) {
      const key = lasting.size > 0 ? kindOf(line, fields) : '';
      if (lasting.has(key)) end(key);
    },
    close() {
      clearInterval(looking);
      for (const each of lasting.values()) if (each.times > 1) counted(each);
      lasting.clear();
    },
  };
}

function kindOf(line: Line, fields: Fields): string {
  // Why it fails may change while it lasts.
  const left = ['at', 'id', ...(rowOf(line).ends ? ['error', 'why'] : [])];
  const words = Object.entries(fields).filter(
    ([name, value]) => typeof value === 'string' && !left.includes(name),
  );
  return JSON.stringify([line, ...words]);
}
