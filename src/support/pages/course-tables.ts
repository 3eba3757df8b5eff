import type { Language } from '../../conversation/incoming.ts';
import type { IntentState } from '../../conversation/intents/intent.ts';
import type { DayTally } from '../../records/records.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import type { Span, Spans } from '../spans.ts';
import { day, dayBegins, took } from '../times.ts';
import type { Cell } from './cells.ts';
import type { Table } from './figures-tables.ts';
import { CHANNEL_NAMES } from './parts.ts';

/** The courses over time, by the names of their files. */
export const COURSES = ['conversationsByDay', 'paymentsByDay', 'casesByDay', 'answersByDay'] as const;
type CourseName = (typeof COURSES)[number];

/** The counts of each day in a range. */
export interface Daily {
  readonly tallies: readonly DayTally[];
  readonly spans: Spans;
}

interface Part {
  readonly name: string;
  readonly shown: string;
  readonly adds: (tally: DayTally) => number;
}

/** How payments stand, in so few parts that a bar can show them. */
const STANDS: Readonly<
  Record<string, { readonly key: ConsoleKey; readonly states: readonly IntentState[] }>
> = {
  done: { key: 'console.stateSucceeded', states: ['succeeded'] },
  open: { key: 'console.courseOpen', states: ['sent', 'accepted', 'unknown', 'not-found', 'human'] },
  notMade: { key: 'console.courseNotMade', states: ['failed', 'rejected', 'unsent'] },
  reversed: { key: 'console.stateReversed', states: ['reversed'] },
};

/** A table with a row for each day, or for more days where there are many. The page draws it. */
export function courseTable(name: CourseName, daily: Daily, language: Language): Table {
  switch (name) {
    case 'conversationsByDay':
      return barsTable(name, 'console.courseConversations', daily, language, byChannel());
    case 'paymentsByDay':
      return barsTable(name, 'console.coursePayments', daily, language, byStand(language));
    case 'casesByDay':
      return barsTable(name, 'console.courseCases', daily, language, byPunctuality(language));
    case 'answersByDay':
      return answersTable(daily, language);
  }
}

function byChannel(): Part[] {
  return Object.entries(CHANNEL_NAMES).map(([channel, shown]) => ({
    name: channel,
    shown,
    adds: (tally) => (tally.what === 'entered' && tally.channel === channel ? tally.n : 0),
  }));
}

function byStand(language: Language): Part[] {
  return Object.entries(STANDS).map(([name, { key, states }]) => ({
    name,
    shown: say(language, key),
    adds: ({ what, detail, n }) => (what === 'paid' && states.some((state) => state === detail) ? n : 0),
  }));
}

/** Late cases were closed, too. */
function byPunctuality(language: Language): Part[] {
  return [
    {
      name: 'inTime',
      shown: say(language, 'console.courseInTime'),
      adds: ({ what, n }) => (what === 'closed' ? n : what === 'late' ? -n : 0),
    },
    {
      name: 'late',
      shown: say(language, 'console.courseLate'),
      adds: ({ what, n }) => (what === 'late' ? n : 0),
    },
  ];
}

function barsTable(
  name: CourseName,
  title: ConsoleKey,
  { tallies, spans }: Daily,
  language: Language,
  parts: readonly Part[],
): Table {
  const sums = parts.map(({ adds }) => sumsOf(tallies, spans, adds));
  const isEmpty = sums.flat().every((n) => n === 0);
  return {
    name,
    title,
    chart: 'bars',
    heads: [dayHead(language), ...parts.map((part) => [part.name, part.shown] as const)],
    rows: isEmpty
      ? []
      : spans.all.map((span, i) => [spanCell(span), ...sums.map((sum) => ({ value: sum[i] ?? 0 }))]),
  };
}

/** How long customers waited for the first answer, on average, by the day on which their case was closed. */
function answersTable({ tallies, spans }: Daily, language: Language): Table {
  const answered = tallies.filter(({ what }) => what === 'answered');
  const [counts, times] = [sumsOf(answered, spans, ({ n }) => n), sumsOf(answered, spans, ({ ms }) => ms)];
  const average = (i: number): Cell => {
    const ms = Math.round((times[i] ?? 0) / (counts[i] ?? 0));
    return counts[i] ? { value: ms, shown: took(ms, language) } : { value: '', shown: '–' };
  };
  return {
    name: 'answersByDay',
    title: 'console.courseAnswers',
    chart: 'line',
    heads: [dayHead(language), ['firstAnswerMs', say(language, 'console.figuresFirstAnswer')]],
    rows: answered.length === 0 ? [] : spans.all.map((span, i) => [spanCell(span), average(i)]),
  };
}

/** The sums of all counts, span by span. */
function sumsOf(
  tallies: readonly DayTally[],
  { days, all }: Spans,
  adds: (tally: DayTally) => number,
): readonly number[] {
  const sums = all.map(() => 0);
  for (const tally of tallies) {
    // A day on which the clocks are put back has an hour more.
    const at = Math.min(all.length - 1, Math.floor(tally.day / days));
    sums[at] = (sums[at] ?? 0) + adds(tally);
  }
  return sums;
}

function dayHead(language: Language): Table['heads'][number] {
  return ['day', say(language, 'console.courseDay')];
}

function spanCell({ from, to }: Span): Cell {
  const [first, last] = [from, to].map((each) => day(dayBegins(each) ?? 0));
  return { value: from, shown: from === to ? `${first}` : `${first} – ${last}` };
}
