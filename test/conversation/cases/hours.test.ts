import { expect, test } from 'vitest';
import { afterOpenTime, type OpeningHours, opensAt } from '../../../src/conversation/cases/hours.ts';

const MINUTE = 60_000;
const DAY: OpeningHours[number] = [[9 * 60, 18 * 60]];
/** Monday to Friday, and Saturday morning. */
const HOURS: OpeningHours = [[], DAY, DAY, DAY, DAY, DAY, [[9 * 60, 12 * 60]]];
/** The clock of Morocco under the current law. The 16th is a Monday. */
const AHEAD_HOURS =
  Number(
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Casablanca', hour: '2-digit' }).format(
      Date.parse('2026-11-16T10:00:00Z'),
    ),
  ) - 10;
const at = (day: number, time: string) =>
  Date.parse(`2026-11-${day}T${time}:00Z`) - AHEAD_HOURS * 60 * MINUTE;

test.each<[string, number, number, number]>([
  ['within the day', at(16, '10:00'), 15, at(16, '10:15')],
  ['to the last minute', at(16, '17:45'), 15, at(16, '18:00')],
  ['over the night', at(16, '17:50'), 15, at(17, '09:05')],
  ['before the day begins', at(16, '07:00'), 30, at(16, '09:30')],
  ['over the weekend', at(20, '17:50'), 30, at(21, '09:20')],
  ['over Sunday', at(21, '11:50'), 30, at(23, '09:20')],
  ['longer than a day', at(16, '10:00'), 20 * 60, at(18, '12:00')],
])('a time limit counts only office hours: %s', (_name, from, minutes, until) => {
  expect(afterOpenTime(from, minutes * MINUTE, HOURS)).toBe(until);
  expect(afterOpenTime(from, minutes * MINUTE, undefined)).toBe(from + minutes * MINUTE);
});

test.each<[string, number, number | undefined]>([
  ['open', at(16, '10:00'), undefined],
  ['about to close', at(16, '17:59'), undefined],
  ['just closed', at(16, '18:00'), at(17, '09:00')],
  ['early', at(16, '06:30'), at(16, '09:00')],
  ['Sunday', at(22, '12:00'), at(23, '09:00')],
])('the next opening: %s', (_name, now, opens) => {
  expect(opensAt(now, HOURS)).toBe(opens);
  expect(opensAt(now, undefined)).toBeUndefined();
});

/** The clocks go back to UTC for Ramadan, and forward to UTC+1 after it, each on a Sunday at night. */
test.each<[string, string, number, string]>([
  ['over the night on which they go back', '2026-02-14T11:50+01:00', 30, '2026-02-16T09:20+00:00'],
  ['over the night on which they go forward', '2026-03-21T11:50+00:00', 30, '2026-03-23T09:20+01:00'],
  ['over both', '2026-02-14T11:50+01:00', 10 + 243 * 60, '2026-03-23T12:00+01:00'],
])('a time limit ends by the clocks of that day: %s', (_name, from, minutes, until) => {
  expect(new Date(afterOpenTime(Date.parse(from), minutes * MINUTE, HOURS))).toEqual(new Date(until));
});

test.each<[string, string, string]>([
  ['in the hour before they go back', '2026-02-15T01:30+01:00', '2026-02-15T09:00+00:00'],
  ['after they went back', '2026-02-15T05:00+00:00', '2026-02-15T09:00+00:00'],
  ['in the hour before they go forward', '2026-03-22T01:30+00:00', '2026-03-22T09:00+01:00'],
  ['after they went forward', '2026-03-22T05:00+01:00', '2026-03-22T09:00+01:00'],
])('on that day the office opens by the clock: %s', (_name, now, opens) => {
  const sundays: OpeningHours = [DAY, [], [], [], [], [], []];
  expect(new Date(opensAt(Date.parse(now), sundays) ?? 0)).toEqual(new Date(opens));
});

test('opening hours without any opening say nothing', () => {
  const never: OpeningHours = [[], [], [], [], [], [], []];
  expect(opensAt(at(16, '10:00'), never)).toBeUndefined();
  expect(afterOpenTime(at(16, '10:00'), MINUTE, never)).toBe(at(16, '10:00') + MINUTE);
});
