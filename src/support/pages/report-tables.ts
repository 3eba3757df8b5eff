import type { CaseKind } from '../../conversation/cases/case.ts';
import type { Report, ServiceLevel } from '../../records/records.ts';
import type { ConsoleKey } from '../sentences.ts';
import { kindCell, lasted, numbers, percent } from './cells.ts';
import type { Cell, Drawn } from './figures-tables.ts';

/** The tables of the page of reports. */
export const REPORTS = ['byAgent', 'byTeam', 'levels'] as const;
type ReportName = (typeof REPORTS)[number];

/** The reports of some days. */
export interface Reported {
  readonly agent: readonly Report[];
  readonly team: readonly Report[];
  readonly levels: readonly ServiceLevel[];
  /** The name of an agent or team. Of one that is gone: its id. */
  readonly nameOf: (id: string) => string;
  /** In ms, by the kind of a case. */
  readonly targets: Readonly<Record<CaseKind, number>>;
}

export const NO_REPORTS: Reported = {
  ...{ agent: [], team: [], levels: [], nameOf: (id) => id },
  targets: { asked: 0, stuck: 0, payment: 0, webhook: 0 },
};

const HEADS = [
  ['closed', 'console.figuresClosed'],
  ['solved', 'console.caseEndSolved'],
  ['firstAnswerMs', 'console.figuresFirstAnswer'],
  ['handlingMs', 'console.reportHandling'],
  ['resolutionMs', 'console.figuresResolution'],
  ['reopened', 'console.reportReopened'],
  ['late', 'console.courseLate'],
  ['good', 'console.caseRating1'],
  ['fair', 'console.caseRating2'],
  ['poor', 'console.caseRating3'],
] as const;
/** The meaning of the columns, as the page says it. */
const DEFINITIONS: readonly (readonly [ConsoleKey, ConsoleKey])[] = [
  ['console.conversations', 'console.defConversations'],
  ['console.figuresFirstAnswer', 'console.defFirstAnswer'],
  ['console.reportHandling', 'console.defHandling'],
  ['console.figuresResolution', 'console.defResolution'],
  ['console.reportReopened', 'console.defReopened'],
  ['console.courseLate', 'console.defLate'],
  ['console.caseRating', 'console.defRating'],
];

export const REPORT_TABLES: Readonly<Record<ReportName, Drawn>> = {
  byAgent: {
    ...{ title: 'console.reportsAgents', hint: 'console.reportsHint', definitions: DEFINITIONS },
    heads: [['agent', 'console.agent'], ['conversations', 'console.conversations'], ...HEADS],
    rows: ({ reported: { agent, nameOf } }, { language }) =>
      agent.map((each) => [
        { value: nameOf(each.who) },
        ...numbers(each.conversations ?? 0),
        ...cellsOf(each, language),
      ]),
  },
  byTeam: {
    ...{ title: 'console.reportsTeams', hint: 'console.reportsHint', definitions: DEFINITIONS.slice(1) },
    heads: [['team', 'console.team'], ...HEADS],
    rows: ({ reported: { team, nameOf } }, { language }) =>
      team.map((each) => [{ value: nameOf(each.who) }, ...cellsOf(each, language)]),
  },
  levels: {
    title: 'console.reportsLevels',
    definitions: [['console.courseInTime', 'console.defInTime']],
    heads: [
      ['kind', 'console.caseKind'],
      ['targetMs', 'console.reportTarget'],
      ['cases', 'console.reportCounted'],
      ['inTime', 'console.courseInTime'],
      ['share', 'console.reportShare'],
    ],
    rows: ({ reported: { levels, targets } }, { language }) =>
      levels.map(({ kind, n, inTime }) => [
        kindCell(kind, language),
        lasted(targets[kind], language),
        ...numbers(n, inTime),
        percent(inTime / n),
      ]),
  },
};

function cellsOf(report: Report, language: Parameters<typeof lasted>[1]): Cell[] {
  const { closed, solved, firstAnswerMs, handlingMs, resolutionMs, reopened, late, good, fair, poor } =
    report;
  const times = [firstAnswerMs, handlingMs, resolutionMs].map((ms) => lasted(ms ?? undefined, language));
  return [...numbers(closed, solved), ...times, ...numbers(reopened, late, good, fair, poor)];
}
