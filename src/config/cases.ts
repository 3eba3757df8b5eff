import { z } from 'zod';
import { CASE_KINDS, type CaseKind } from '../conversation/cases/case.ts';
import { list } from './list.ts';

const MINUTE_MS = 60_000;
const KEY_MIN_CHARS = 32;
/** How long a case may wait for somebody, in minutes of the time in which somebody is there. */
const MINUTES: Readonly<Record<CaseKind, number>> = { asked: 15, stuck: 30, payment: 240, webhook: 480 };
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const SPAN = /^(?<first>[A-Z][a-z]{2})(?:-(?<last>[A-Z][a-z]{2}))? (?<from>\d\d:\d\d)-(?<until>\d\d:\d\d)$/;

/** Spans of a day in minutes, by the day of the week from Sunday. */
type Hours = readonly (readonly (readonly [from: number, until: number])[])[];

export const caseSettings = {
  CASE_MINUTES: list.refine(
    (all) => all.every((each) => /^(?:asked|stuck|payment|webhook)=[1-9]\d{0,4}$/.test(each)),
    'must be pairs such as asked=15,payment=240 (kinds: asked, stuck, payment, webhook; minutes)',
  ),
  SUPPORT_HOURS: list.refine(
    (all) => all.every((each) => spanIn(each) !== undefined),
    'must be times such as Mon-Fri 08:30-18:00, Sat 09:00-13:00',
  ),
  CASE_WEBHOOK_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  CASE_WEBHOOK_KEY: z
    .string()
    .min(KEY_MIN_CHARS, `must have at least ${KEY_MIN_CHARS} characters`)
    .optional(),
};
const read = z.object(caseSettings);

/** How long cases may wait, and when somebody is there (`src/conversation/cases/cases.ts`). */
export interface CaseConfig {
  readonly levels: Readonly<Record<CaseKind, number>>;
  readonly hours?: Hours;
  readonly notifies: boolean;
}

export function casesOf(settings: z.output<typeof read>): CaseConfig {
  const set = settings.CASE_MINUTES.map((each) => each.split('='));
  const minutes = (kind: CaseKind) => Number(set.findLast(([of]) => of === kind)?.[1] ?? MINUTES[kind]);
  const levels = Object.fromEntries(CASE_KINDS.map((kind) => [kind, minutes(kind) * MINUTE_MS]));
  const spans = settings.SUPPORT_HOURS.flatMap((each) => spanIn(each) ?? []);
  const hours = DAYS.map((_, day) =>
    spans
      .filter(({ days }) => days.includes(day))
      .map(({ from, until }) => [from, until] as const)
      .sort(([a], [b]) => a - b),
  );
  return {
    levels: levels as CaseConfig['levels'],
    notifies: settings.CASE_WEBHOOK_URL !== undefined,
    ...(spans.length > 0 && { hours }),
  };
}

/** `Mon-Fri 08:30-18:00`. Undefined for anything else. A span of days may go over the end of the week. */
function spanIn(
  text: string,
): { readonly days: readonly number[]; readonly from: number; readonly until: number } | undefined {
  const { first = '', last = first, from = '', until = '' } = SPAN.exec(text)?.groups ?? {};
  const [begins, ends] = [DAYS.indexOf(first), DAYS.indexOf(last)];
  const [opens, closes] = [minutesIn(from), minutesIn(until)];
  if (begins < 0 || ends < 0 || opens === undefined || closes === undefined || closes <= opens)
    return undefined;
  const count = ((ends - begins + DAYS.length) % DAYS.length) + 1;
  const days = Array.from({ length: count }, (_, i) => (begins + i) % DAYS.length);
  return { days, from: opens, until: closes };
}

function minutesIn(time: string): number | undefined {
  const [hours = 99, minutes = 99] = time.split(':').map(Number);
  const all = hours * 60 + minutes;
  return minutes < 60 && all <= 24 * 60 ? all : undefined;
}
