import type { Context } from 'hono';
import type { Guarded } from '../access/guard.ts';
import { csvOf, download, type Line } from '../csv.ts';
import { dayOf } from '../times.ts';
import type { Tools } from './options.ts';

/** The table of a page to save. */
interface Saved {
  /** The beginning of the file's name, and the audit's name for it. */
  readonly name: string;
  /** Of which days or cases, for the audit. */
  readonly of?: string;
  readonly on?: string;
  /** The days in the file's name. Absent: today. */
  readonly days?: string;
}

/** A table of a page as CSV. The audit has the agent who saves it before they get it. */
export async function saveTable(
  { audit, now }: Pick<Tools, 'audit' | 'now'>,
  c: Context<Guarded>,
  { name, of, on, days = dayOf(now()) }: Saved,
  lines: Iterable<Line> | AsyncIterable<Line>,
): Promise<Response> {
  const what = [name, of].filter(Boolean).join(' ');
  await audit.append({ who: c.var.who.id, act: 'saveTable', ...(on && { on }), what });
  return download(`wasl-${name}-${days}.csv`, 'text/csv', csvOf(lines));
}
