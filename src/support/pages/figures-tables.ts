import type { Language } from '../../conversation/incoming.ts';
import { WITHIN_S } from '../../conversation/record/within.ts';
import type { AgentTally, Tally } from '../../records/records.ts';
import { BASE } from '../access/endpoints.ts';
import { auditName } from '../audit/audit-page.ts';
import {
  agentsIn,
  beginningsIn,
  casesIn,
  conversationsIn,
  labelsIn,
  paymentsIn,
  paymentTimesIn,
  ratingsIn,
  statesIn,
} from '../figures.ts';
import type { Label } from '../labels.ts';
import { LANGUAGE_NAMES } from '../layout.ts';
import { flowName, stateName, stepName } from '../names.ts';
import { type ConsoleKey, isConsoleKey, say } from '../sentences.ts';
import { took } from '../times.ts';
import { KIND_NAMES } from './case.ts';
import { COURSES, courseTable, type Daily } from './course-tables.ts';
import type { Tools } from './options.ts';
import { CHANNEL_NAMES } from './parts.ts';

/** The tables of figures, by the names of their files. */
export const TABLES = [
  ...COURSES,
  'conversations',
  'beginnings',
  'states',
  'payments',
  'times',
  'cases',
  'ratings',
  'labels',
  'agents',
] as const;
export type TableName = (typeof TABLES)[number];

/** A cell: what a file has (as Wasl itself calls it), and what the page shows. */
export interface Cell {
  readonly value: string | number;
  readonly shown?: string;
  readonly link?: string;
  /** Drawn as a bar: the share of all, 0 to 1. */
  readonly share?: number;
}

/** A table, for the page and for a file. */
export interface Table {
  readonly name: TableName;
  readonly title: ConsoleKey;
  /** Explains a column that could be misunderstood. */
  readonly hint?: ConsoleKey;
  /** Drawn above the table: its first column is the time. */
  readonly chart?: 'bars' | 'line';
  /** The names of the columns, in a file and on the page. */
  readonly heads: readonly (readonly [name: string, shown: string])[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface Counted {
  readonly tallies: readonly Tally[];
  readonly agents: readonly AgentTally[];
  readonly daily: Daily;
  /** Those that there are and that were removed, for their names. */
  readonly labels: readonly Label[];
}

/** @param query the page's filters, for its links to diagrams. Absent: the reader gets no links */
export function tableOf(
  name: TableName,
  { tallies, agents, daily, labels }: Counted,
  { desk }: Pick<Tools, 'desk'>,
  language: Language,
  query?: string,
): Table {
  const text = (key: ConsoleKey) => say(language, key);
  switch (name) {
    case 'conversationsByDay':
    case 'paymentsByDay':
    case 'casesByDay':
    case 'answersByDay':
      return courseTable(name, daily, language);
    case 'conversations':
      return conversationsTable(tallies, desk, language, query);
    case 'beginnings':
      return beginningsTable(tallies, language);
    case 'states':
      return statesTable(tallies, desk, language);
    case 'payments':
      return paymentsTable(tallies, language);
    case 'times':
      return timesTable(tallies, language);
    case 'cases':
      return casesTable(tallies, language);
    case 'ratings':
      return ratingsTable(tallies, language);
    case 'labels':
      return labelsTable(tallies, labels, language);
    case 'agents':
      return {
        name,
        title: 'console.figuresAgents',
        heads: [
          ['agent', text('console.auditWho')],
          ['act', text('console.auditAct')],
          ['outcome', text('console.auditOutcome')],
          ['count', text('console.times')],
        ],
        rows: agentsIn(agents).map(({ who, act, end, n }) => [
          { value: who },
          { value: act, shown: auditName(language, 'act', act) },
          { value: end, shown: auditName(language, 'end', end) },
          { value: n },
        ]),
      };
  }
}

function conversationsTable(
  tallies: readonly Tally[],
  desk: Tools['desk'],
  language: Language,
  query: string | undefined,
): Table {
  const text = (key: ConsoleKey) => say(language, key);
  return {
    name: 'conversations',
    title: 'console.conversations',
    hint: 'console.figuresCompletedHint',
    heads: [
      ['conversation', text('console.machine')],
      ['started', text('console.started')],
      ['completed', text('console.completed')],
      ['dropped', text('console.dropped')],
      ['share', text('console.figuresShare')],
    ],
    rows: conversationsIn(tallies, (machine) => desk.chart(machine)).map(
      ({ machine, started, completed, dropped }) => {
        const share = started > 0 ? completed / started : 0;
        const link = query === undefined ? {} : { link: `${BASE}/machines/${machine}${query}` };
        return [
          { value: machine, shown: flowName(machine, language), ...link },
          { value: started },
          { value: completed },
          { value: dropped },
          { value: share.toFixed(3), shown: `${Math.round(share * 100)} %`, share },
        ];
      },
    ),
  };
}

function beginningsTable(tallies: readonly Tally[], language: Language): Table {
  const text = (key: ConsoleKey) => say(language, key);
  const all = beginningsIn(tallies);
  const most = Math.max(1, ...all.map(({ started }) => started));
  return {
    name: 'beginnings',
    title: 'console.figuresWhere',
    heads: [
      ['channel', text('console.channel')],
      ['language', text('console.customerLanguage')],
      ['started', text('console.started')],
    ],
    rows: all.map(({ channel, language: speaks, started }) => [
      { value: channel, shown: nameIn(CHANNEL_NAMES, channel) },
      { value: speaks, shown: nameIn(LANGUAGE_NAMES, speaks) },
      { value: started, share: started / most },
    ]),
  };
}

function statesTable(tallies: readonly Tally[], desk: Tools['desk'], language: Language): Table {
  const text = (key: ConsoleKey) => say(language, key);
  const machines = conversationsIn(tallies, (machine) => desk.chart(machine));
  return {
    name: 'states',
    title: 'console.machine',
    heads: [
      ['conversation', text('console.machine')],
      ['state', text('console.state')],
      ['visits', text('console.visits')],
      ['dropped', text('console.dropped')],
    ],
    rows: machines.flatMap(({ machine }) =>
      statesIn(tallies, machine, desk.chart(machine)).map(({ state, visits, dropped }) => [
        { value: machine, shown: flowName(machine, language) },
        { value: state, shown: stepName(`${machine}.${state}`, language) },
        { value: visits },
        { value: dropped },
      ]),
    ),
  };
}

function paymentsTable(tallies: readonly Tally[], language: Language): Table {
  const text = (key: ConsoleKey) => say(language, key);
  const all = paymentsIn(tallies);
  const ofKind = (kind: string) => all.reduce((n, each) => (each.kind === kind ? n + each.count : n), 0);
  return {
    name: 'payments',
    title: 'console.figuresPayments',
    heads: [
      ['kind', text('console.kind')],
      ['outcome', text('console.auditOutcome')],
      ['count', text('console.times')],
    ],
    rows: all.map(({ kind, state, count }) => [
      { value: kind, shown: flowName(kind, language) },
      { value: state, shown: stateName(state, language) },
      { value: count, share: count / Math.max(1, ofKind(kind)) },
    ]),
  };
}

function timesTable(tallies: readonly Tally[], language: Language): Table {
  const limits = WITHIN_S.map(
    (seconds) => [`within${seconds}s`, `≤ ${took(seconds * 1_000, language)}`] as const,
  );
  return {
    name: 'times',
    title: 'console.figuresTimes',
    heads: [
      ['kind', say(language, 'console.kind')],
      ...limits,
      ['later', say(language, 'console.figuresLater')],
      ['averageMs', say(language, 'console.figuresAverage')],
    ],
    rows: paymentTimesIn(tallies).map(({ kind, within, averageMs }) => [
      { value: kind, shown: flowName(kind, language) },
      ...[...WITHIN_S.map(String), ''].map((limit) => ({ value: within.get(limit) ?? 0 })),
      { value: averageMs, shown: took(averageMs, language) },
    ]),
  };
}

function casesTable(tallies: readonly Tally[], language: Language): Table {
  const text = (key: ConsoleKey) => say(language, key);
  const lasted = (ms: number | undefined): Cell =>
    ms === undefined ? { value: '', shown: '–' } : { value: ms, shown: took(ms, language) };
  return {
    name: 'cases',
    title: 'console.figuresCases',
    heads: [
      ['kind', text('console.caseKind')],
      ['closed', text('console.figuresClosed')],
      ['solved', text('console.caseEndSolved')],
      ['byCustomer', text('console.caseEndByCustomer')],
      ['byItself', text('console.caseEndByItself')],
      ['merged', text('console.caseEndMerged')],
      ['late', text('console.courseLate')],
      ['firstAnswerMs', text('console.figuresFirstAnswer')],
      ['resolutionMs', text('console.figuresResolution')],
    ],
    rows: casesIn(tallies).map(({ kind, firstAnswerMs, resolutionMs, ...counts }) => [
      kindCell(kind, language),
      { value: counts.closed },
      { value: counts.solved },
      { value: counts.byCustomer },
      { value: counts.byItself },
      { value: counts.merged },
      { value: counts.late, share: counts.late / counts.closed },
      lasted(firstAnswerMs),
      lasted(resolutionMs),
    ]),
  };
}

function ratingsTable(tallies: readonly Tally[], language: Language): Table {
  const text = (key: ConsoleKey) => say(language, key);
  return {
    name: 'ratings',
    title: 'console.figuresSatisfaction',
    heads: [
      ['kind', text('console.caseKind')],
      ['good', text('console.caseRating1')],
      ['fair', text('console.caseRating2')],
      ['poor', text('console.caseRating3')],
      ['share', text('console.figuresGood')],
    ],
    rows: ratingsIn(tallies).map(({ kind, good, fair, poor, share }) => [
      kindCell(kind, language),
      { value: good },
      { value: fair },
      { value: poor },
      { value: share.toFixed(3), shown: `${Math.round(share * 100)} %`, share },
    ]),
  };
}

function labelsTable(tallies: readonly Tally[], labels: readonly Label[], language: Language): Table {
  return {
    name: 'labels',
    title: 'console.figuresLabels',
    heads: [
      ['label', say(language, 'console.label')],
      ['closed', say(language, 'console.figuresClosed')],
      ['share', say(language, 'console.figuresLabelShare')],
    ],
    rows: labelsIn(tallies).map(({ label, closed, share }) => {
      const name = labels.find(({ id }) => id === label)?.names[language];
      return [
        { value: name ?? label },
        { value: closed },
        { value: share.toFixed(3), shown: `${Math.round(share * 100)} %`, share },
      ];
    }),
  };
}

function kindCell(kind: string, language: Language): Cell {
  const key = nameIn(KIND_NAMES, kind);
  return { value: kind, shown: isConsoleKey(key) ? say(language, key) : kind };
}

function nameIn(names: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(names, name) ? (names[name] ?? name) : name;
}
