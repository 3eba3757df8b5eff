import type { Language } from '../../conversation/incoming.ts';
import type { CallOutcome } from '../../conversation/record/turn-event.ts';
import { WITHIN_S } from '../../conversation/record/within.ts';
import type { AgentTally, Tally } from '../../records/records.ts';
import { BASE } from '../access/endpoints.ts';
import {
  agentsIn,
  beginningsIn,
  casesIn,
  conversationsIn,
  failuresIn,
  labelsIn,
  paymentsIn,
  ratingsIn,
  statesIn,
  timesIn,
} from '../figures.ts';
import type { Label } from '../labels.ts';
import { LANGUAGE_NAMES } from '../layout.ts';
import { callName, flowName, outcomeName, stateName, stepName } from '../names.ts';
import { type ConsoleKey, say, wordFor } from '../sentences.ts';
import { took } from '../times.ts';
import { kindCell, lasted, nameIn, numbers, percent } from './cells.ts';
import { COURSES, courseTable, type Daily } from './course-tables.ts';
import type { Tools } from './options.ts';
import { CHANNEL_NAMES } from './parts.ts';
import { REPORT_TABLES, REPORTS, type Reported } from './report-tables.ts';

/** The tables of figures, by the names of their files. */
export const TABLES = [
  ...COURSES,
  ...REPORTS,
  'conversations',
  'beginnings',
  'states',
  'payments',
  'times',
  'cases',
  'ratings',
  'labels',
  'failures',
  'webhooks',
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
  /** What columns mean, said below the table: the name of each, and its meaning. */
  readonly definitions?: readonly (readonly [head: ConsoleKey, meaning: ConsoleKey])[];
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
  readonly reported: Reported;
}

/** @param query the page's filters, for its links to diagrams. Absent: the reader gets no links */
export function tableOf(
  name: TableName,
  counted: Counted,
  tools: Pick<Tools, 'desk'>,
  language: Language,
  query?: string,
): Table {
  if (isCourse(name)) return courseTable(name, counted.daily, language);
  const { title, hint, definitions, heads, rows } = DRAWN[name];
  const text = (key: ConsoleKey) => say(language, key);
  return {
    name,
    title,
    ...(hint && { hint }),
    ...(definitions && { definitions }),
    heads: heads.map(([head, key]) => [
      head,
      typeof key === 'number' ? `≤ ${took(key, language)}` : asHead(text(key)),
    ]),
    rows: rows(counted, { language, query, chartOf: (machine) => tools.desk.chart(machine) }),
  };
}

/** Words that stand within a sentence elsewhere begin with a capital at the head of a column. */
function asHead(words: string): string {
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}

interface For {
  readonly language: Language;
  readonly query: string | undefined;
  readonly chartOf: (machine: string) => ReturnType<Tools['desk']['chart']>;
}

/** A table as it is made of what was counted. A head that is a number is a time in ms. */
export interface Drawn extends Pick<Table, 'title' | 'hint' | 'definitions'> {
  readonly heads: readonly (readonly [name: string, shown: ConsoleKey | number])[];
  readonly rows: (counted: Counted, shown: For) => readonly (readonly Cell[])[];
}

const WITHIN = [
  ...WITHIN_S.map((seconds) => [`within${seconds}s`, seconds * 1_000] as const),
  ['later', 'console.figuresLater'] as const,
  ['averageMs', 'console.figuresAverage'] as const,
];

const DRAWN: Readonly<Record<Exclude<TableName, (typeof COURSES)[number]>, Drawn>> = {
  ...REPORT_TABLES,
  conversations: {
    title: 'console.conversations',
    hint: 'console.figuresCompletedHint',
    heads: [
      ['conversation', 'console.machine'],
      ['started', 'console.started'],
      ['completed', 'console.completed'],
      ['dropped', 'console.dropped'],
      ['share', 'console.figuresShare'],
    ],
    rows: ({ tallies }, { language, query, chartOf }) =>
      conversationsIn(tallies, chartOf).map(({ machine, started, completed, dropped }) => [
        {
          value: machine,
          shown: flowName(machine, language),
          ...(query !== undefined && { link: `${BASE}/machines/${machine}${query}` }),
        },
        ...numbers(started, completed, dropped),
        percent(started > 0 ? completed / started : 0),
      ]),
  },
  beginnings: {
    title: 'console.figuresWhere',
    heads: [
      ['channel', 'console.channel'],
      ['language', 'console.customerLanguage'],
      ['started', 'console.started'],
    ],
    rows: ({ tallies }) => {
      const all = beginningsIn(tallies);
      const most = Math.max(1, ...all.map(({ started }) => started));
      return all.map(({ channel, language: speaks, started }) => [
        { value: channel, shown: nameIn(CHANNEL_NAMES, channel) },
        { value: speaks, shown: nameIn(LANGUAGE_NAMES, speaks) },
        { value: started, share: started / most },
      ]);
    },
  },
  states: {
    title: 'console.machine',
    heads: [
      ['conversation', 'console.machine'],
      ['state', 'console.state'],
      ['visits', 'console.visits'],
      ['dropped', 'console.dropped'],
      ['averageMs', 'console.figuresAverage'],
    ],
    rows: ({ tallies }, { language, chartOf }) =>
      conversationsIn(tallies, chartOf).flatMap(({ machine }) =>
        statesIn(tallies, machine, chartOf(machine)).map(({ state, visits, dropped, averageMs }) => {
          const place = `${machine}.${state}`;
          return [
            { value: machine, shown: flowName(machine, language) },
            {
              value: state,
              shown: stepName(place, language),
              link: `${BASE}?${new URLSearchParams({ place })}`,
            },
            ...numbers(visits, dropped),
            lasted(averageMs, language),
          ];
        }),
      ),
  },
  payments: {
    title: 'console.figuresPayments',
    heads: [
      ['kind', 'console.kind'],
      ['outcome', 'console.auditOutcome'],
      ['count', 'console.times'],
    ],
    rows: ({ tallies }, { language }) => {
      const all = paymentsIn(tallies);
      const ofKind = (kind: string) => all.reduce((n, each) => (each.kind === kind ? n + each.count : n), 0);
      return all.map(({ kind, state, count }) => [
        { value: kind, shown: flowName(kind, language) },
        { value: state, shown: stateName(state, language) },
        { value: count, share: count / Math.max(1, ofKind(kind)) },
      ]);
    },
  },
  times: {
    title: 'console.figuresTimes',
    heads: [['kind', 'console.kind'], ...WITHIN],
    rows: ({ tallies }, { language }) =>
      timesIn(tallies, 'took').map((times) => [
        { value: times.name, shown: flowName(times.name, language) },
        ...withinCells(times, language),
      ]),
  },
  cases: {
    title: 'console.figuresCases',
    heads: [
      ['kind', 'console.caseKind'],
      ['closed', 'console.figuresClosed'],
      ['solved', 'console.caseEndSolved'],
      ['byCustomer', 'console.caseEndByCustomer'],
      ['byItself', 'console.caseEndByItself'],
      ['merged', 'console.caseEndMerged'],
      ['late', 'console.courseLate'],
      ['firstAnswerMs', 'console.figuresFirstAnswer'],
      ['resolutionMs', 'console.figuresResolution'],
    ],
    rows: ({ tallies }, { language }) =>
      casesIn(tallies).map(({ kind, closed, solved, byCustomer, byItself, merged, late, ...times }) => [
        kindCell(kind, language),
        ...numbers(closed, solved, byCustomer, byItself, merged),
        { value: late, share: late / closed },
        lasted(times.firstAnswerMs, language),
        lasted(times.resolutionMs, language),
      ]),
  },
  ratings: {
    title: 'console.figuresSatisfaction',
    heads: [
      ['kind', 'console.caseKind'],
      ['good', 'console.caseRating1'],
      ['fair', 'console.caseRating2'],
      ['poor', 'console.caseRating3'],
      ['share', 'console.figuresGood'],
    ],
    rows: ({ tallies }, { language }) =>
      ratingsIn(tallies).map(({ kind, good, fair, poor, share }) => [
        kindCell(kind, language),
        ...numbers(good, fair, poor),
        percent(share),
      ]),
  },
  labels: {
    title: 'console.figuresLabels',
    heads: [
      ['label', 'console.label'],
      ['closed', 'console.figuresClosed'],
      ['share', 'console.figuresLabelShare'],
    ],
    rows: ({ tallies, labels }, { language }) =>
      labelsIn(tallies).map(({ label, closed, share }) => [
        { value: labels.find(({ id }) => id === label)?.names[language] ?? label },
        { value: closed },
        percent(share),
      ]),
  },
  failures: {
    title: 'console.failures',
    heads: [
      ['call', 'console.call'],
      ['outcome', 'console.answer'],
      ['count', 'console.times'],
    ],
    rows: ({ tallies }, { language }) =>
      failuresIn(tallies).map(({ call, outcome, count }) => {
        const [kind = '', code] = outcome.split(' ');
        return [
          { value: call, shown: callName(call, language) },
          { value: outcome, shown: outcomeName({ kind, code } as CallOutcome, language) },
          { value: count },
        ];
      }),
  },
  webhooks: {
    title: 'console.webhookLag',
    heads: [['count', 'console.times'], ...WITHIN],
    rows: ({ tallies }, { language }) =>
      timesIn(tallies, 'lagged').map((times) => [{ value: times.count }, ...withinCells(times, language)]),
  },
  agents: {
    title: 'console.figuresAgents',
    heads: [
      ['agent', 'console.auditWho'],
      ['act', 'console.auditAct'],
      ['outcome', 'console.auditOutcome'],
      ['count', 'console.times'],
    ],
    rows: ({ agents }, { language }) =>
      agentsIn(agents).map(({ who, act, end, n }) => [
        { value: who },
        { value: act, shown: wordFor(language, 'audit', act) },
        { value: end, shown: wordFor(language, 'auditEnd', end) },
        { value: n },
      ]),
  },
};

function isCourse(name: TableName): name is (typeof COURSES)[number] {
  return (COURSES as readonly string[]).includes(name);
}

function withinCells({ within, averageMs }: ReturnType<typeof timesIn>[number], language: Language): Cell[] {
  const counts = [...WITHIN_S.map(String), ''].map((limit) => within.get(limit) ?? 0);
  return [...numbers(...counts), lasted(averageMs, language)];
}
