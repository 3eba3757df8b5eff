import type { Language } from '../../conversation/incoming.ts';
import type { CallOutcome } from '../../conversation/record/turn-event.ts';
import { WITHIN_S } from '../../conversation/record/within.ts';
import type { AgentTally, Records, Report, Tally } from '../../records/records.ts';
import { BASE } from '../access/endpoints.ts';
import { beginningsIn, conversationsIn, failuresIn, paymentsIn, statesIn, timesIn } from '../figures.ts';
import type { Label } from '../labels.ts';
import { LANGUAGE_NAMES } from '../layout.ts';
import { callName, flowName, outcomeName, stateName, stepName } from '../names.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import { took } from '../times.ts';
import {
  type Cell,
  type Column,
  type Drawn,
  drawn,
  type For,
  kindCell,
  lasted,
  nameIn,
  percent,
  wordCell,
} from './cells.ts';
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

export interface Table {
  readonly name: TableName;
  readonly title: ConsoleKey;
  /** Explains a column that could be misunderstood. */
  readonly hint?: ConsoleKey;
  /** The meanings of columns, said below the table: the name of each, and its meaning. */
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
  /** The closed cases, by their kinds and by their labels. */
  readonly cases: readonly Report[];
  readonly labelled: Awaited<ReturnType<Records['labels']>>;
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

type Times = ReturnType<typeof timesIn>[number];
const LATER: Column<Times> = ['later', 'console.figuresLater', ({ within }) => within.get('') ?? 0];
const WITHIN: readonly Column<Times>[] = [
  ...WITHIN_S.map(
    (seconds): Column<Times> => [
      `within${seconds}s`,
      seconds * 1_000,
      ({ within }) => within.get(`${seconds}`) ?? 0,
    ],
  ),
  LATER,
  ['averageMs', 'console.figuresAverage', ({ averageMs }, { language }) => lasted(averageMs, language)],
];

const DRAWN: Readonly<Record<Exclude<TableName, (typeof COURSES)[number]>, Drawn>> = {
  ...REPORT_TABLES,
  conversations: drawn(
    { title: 'console.conversations', hint: 'console.figuresCompletedHint' },
    ({ tallies }, { chartOf }) => conversationsIn(tallies, chartOf),
    [
      ['conversation', 'console.machine', machineCell],
      ['started', 'console.started', ({ started }) => started],
      ['completed', 'console.completed', ({ completed }) => completed],
      ['dropped', 'console.dropped', ({ dropped }) => dropped],
      [
        'share',
        'console.figuresShare',
        ({ started, completed }) => percent(started > 0 ? completed / started : 0),
      ],
    ],
  ),
  beginnings: drawn(
    { title: 'console.figuresWhere' },
    ({ tallies }) => {
      const all = beginningsIn(tallies);
      const most = Math.max(1, ...all.map(({ started }) => started));
      return all.map((each) => ({ ...each, share: each.started / most }));
    },
    [
      [
        'channel',
        'console.channel',
        ({ channel }) => ({ value: channel, shown: nameIn(CHANNEL_NAMES, channel) }),
      ],
      [
        'language',
        'console.customerLanguage',
        ({ language }) => ({ value: language, shown: nameIn(LANGUAGE_NAMES, language) }),
      ],
      ['started', 'console.started', ({ started, share }) => ({ value: started, share })],
    ],
  ),
  states: drawn(
    { title: 'console.machine' },
    ({ tallies }, { chartOf }) =>
      conversationsIn(tallies, chartOf).flatMap(({ machine }) =>
        statesIn(tallies, machine, chartOf(machine)).map((each) => ({ ...each, machine })),
      ),
    [
      ['conversation', 'console.machine', ({ machine }, { language }) => flowCell(machine, language)],
      ['state', 'console.state', stateCell],
      ['visits', 'console.visits', ({ visits }) => visits],
      ['dropped', 'console.dropped', ({ dropped }) => dropped],
      ['averageMs', 'console.figuresAverage', ({ averageMs }, { language }) => lasted(averageMs, language)],
    ],
  ),
  payments: drawn(
    { title: 'console.figuresPayments' },
    ({ tallies }) => {
      const all = paymentsIn(tallies);
      const ofKind = (kind: string) => all.reduce((n, each) => (each.kind === kind ? n + each.count : n), 0);
      return all.map((each) => ({ ...each, share: each.count / Math.max(1, ofKind(each.kind)) }));
    },
    [
      ['kind', 'console.kind', ({ kind }, { language }) => flowCell(kind, language)],
      [
        'outcome',
        'console.auditOutcome',
        ({ state }, { language }) => ({ value: state, shown: stateName(state, language) }),
      ],
      ['count', 'console.times', ({ count, share }) => ({ value: count, share })],
    ],
  ),
  times: drawn({ title: 'console.figuresTimes' }, ({ tallies }) => timesIn(tallies, 'took'), [
    ['kind', 'console.kind', ({ name }, { language }) => flowCell(name, language)],
    ...WITHIN,
  ]),
  cases: drawn({ title: 'console.figuresCases' }, ({ cases }) => cases, [
    ['kind', 'console.caseKind', ({ who }, { language }) => kindCell(who, language)],
    ['closed', 'console.figuresClosed', ({ closed }) => closed],
    ['solved', 'console.caseEndSolved', ({ solved, byCustomer }) => solved - byCustomer],
    ['byCustomer', 'console.caseEndByCustomer', ({ byCustomer }) => byCustomer],
    ['byItself', 'console.caseEndByItself', ({ byItself }) => byItself],
    ['merged', 'console.caseEndMerged', ({ merged }) => merged],
    ['late', 'console.courseLate', ({ late, closed }) => ({ value: late, share: late / closed })],
    ['firstAnswerMs', 'console.figuresFirstAnswer', (of, { language }) => lasted(of.firstAnswerMs, language)],
    ['resolutionMs', 'console.figuresResolution', (of, { language }) => lasted(of.resolutionMs, language)],
  ]),
  ratings: drawn({ title: 'console.figuresSatisfaction' }, ({ cases }) => ratedOf(cases), [
    ['kind', 'console.caseKind', ({ who }, { language }) => kindCell(who, language)],
    ['good', 'console.caseRating1', ({ good }) => good],
    ['fair', 'console.caseRating2', ({ fair }) => fair],
    ['poor', 'console.caseRating3', ({ poor }) => poor],
    ['share', 'console.figuresGood', ({ good, rated }) => percent(good / rated)],
  ]),
  labels: drawn(
    { title: 'console.figuresLabels' },
    ({ cases, labelled, labels }, { language }) => {
      const all = cases.reduce((sum, { closed }) => sum + closed, 0);
      const nameOf = (label: string) => labels.find(({ id }) => id === label)?.names[language] ?? label;
      return labelled.map(({ label, n }) => ({ name: nameOf(label), n, share: n / all }));
    },
    [
      ['label', 'console.label', ({ name }) => name],
      ['closed', 'console.figuresClosed', ({ n }) => n],
      ['share', 'console.figuresLabelShare', ({ share }) => percent(share)],
    ],
  ),
  failures: drawn({ title: 'console.failures' }, ({ tallies }) => failuresIn(tallies), [
    ['call', 'console.call', ({ call }, { language }) => ({ value: call, shown: callName(call, language) })],
    ['outcome', 'console.answer', ({ outcome }, { language }) => outcomeCell(outcome, language)],
    ['count', 'console.times', ({ count }) => count],
  ]),
  webhooks: drawn({ title: 'console.webhookLag' }, ({ tallies }) => timesIn(tallies, 'lagged'), [
    ['count', 'console.times', ({ count }) => count],
    ...WITHIN,
  ]),
  agents: drawn({ title: 'console.figuresAgents' }, ({ agents }) => agents, [
    ['agent', 'console.auditWho', ({ who }) => who],
    ['act', 'console.auditAct', ({ act }, { language }) => wordCell('audit', act, language)],
    ['outcome', 'console.auditOutcome', ({ end }, { language }) => wordCell('auditEnd', end, language)],
    ['count', 'console.times', ({ n }) => n],
  ]),
};

/** The kinds of cases that customers have rated, the most often rated first. */
function ratedOf(cases: readonly Report[]) {
  return cases
    .map((each) => ({ ...each, rated: each.good + each.fair + each.poor }))
    .filter(({ rated }) => rated > 0)
    .sort((a, b) => b.rated - a.rated);
}

function isCourse(name: TableName): name is (typeof COURSES)[number] {
  return (COURSES as readonly string[]).includes(name);
}

function machineCell({ machine }: { readonly machine: string }, { language, query }: For): Cell {
  const link = query === undefined ? {} : { link: `${BASE}/machines/${machine}${query}` };
  return { ...flowCell(machine, language), ...link };
}

function stateCell(
  { machine, state }: { readonly machine: string; readonly state: string },
  shown: For,
): Cell {
  const place = `${machine}.${state}`;
  const link = `${BASE}?${new URLSearchParams({ place })}`;
  return { value: state, shown: stepName(place, shown.language), link };
}

function flowCell(kind: string, language: Language): Cell {
  return { value: kind, shown: flowName(kind, language) };
}

function outcomeCell(outcome: string, language: Language): Cell {
  const [kind = '', code] = outcome.split(' ');
  return { value: outcome, shown: outcomeName({ kind, code } as CallOutcome, language) };
}
