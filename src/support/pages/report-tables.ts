import type { CaseKind } from '../../conversation/cases/case.ts';
import type { Report, ServiceLevel } from '../../records/records.ts';
import type { ConsoleKey } from '../sentences.ts';
import { type Column, type Drawn, drawn, kindCell, lasted, percent } from './cells.ts';

export const REPORTS = ['byAgent', 'byTeam', 'levels'] as const;
type ReportName = (typeof REPORTS)[number];

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

const COLUMNS: readonly Column<Report>[] = [
  ['closed', 'console.figuresClosed', ({ closed }) => closed],
  ['solved', 'console.caseEndSolved', ({ solved }) => solved],
  ['firstAnswerMs', 'console.figuresFirstAnswer', (of, { language }) => lasted(of.firstAnswerMs, language)],
  ['handlingMs', 'console.reportHandling', (of, { language }) => lasted(of.handlingMs, language)],
  ['resolutionMs', 'console.figuresResolution', (of, { language }) => lasted(of.resolutionMs, language)],
  ['reopened', 'console.reportReopened', ({ reopened }) => reopened],
  ['late', 'console.courseLate', ({ late }) => late],
  ['good', 'console.caseRating1', ({ good }) => good],
  ['fair', 'console.caseRating2', ({ fair }) => fair],
  ['poor', 'console.caseRating3', ({ poor }) => poor],
];
const named = ({ nameOf }: Reported, all: readonly Report[]) =>
  all.map((each) => ({ ...each, who: nameOf(each.who) }));

export const REPORT_TABLES: Readonly<Record<ReportName, Drawn>> = {
  byAgent: drawn(
    { title: 'console.reportsAgents', hint: 'console.reportsHint', definitions: DEFINITIONS },
    ({ reported }) => named(reported, reported.agent),
    [
      ['agent', 'console.agent', ({ who }) => who],
      ['conversations', 'console.conversations', ({ conversations }) => conversations ?? 0],
      ...COLUMNS,
    ],
  ),
  byTeam: drawn(
    { title: 'console.reportsTeams', hint: 'console.reportsHint', definitions: DEFINITIONS.slice(1) },
    ({ reported }) => named(reported, reported.team),
    [['team', 'console.team', ({ who }) => who], ...COLUMNS],
  ),
  levels: drawn(
    { title: 'console.reportsLevels', definitions: [['console.courseInTime', 'console.defInTime']] },
    ({ reported: { levels, targets } }) => levels.map((each) => ({ ...each, target: targets[each.kind] })),
    [
      ['kind', 'console.caseKind', ({ kind }, { language }) => kindCell(kind, language)],
      ['targetMs', 'console.reportTarget', ({ target }, { language }) => lasted(target, language)],
      ['cases', 'console.reportCounted', ({ n }) => n],
      ['inTime', 'console.courseInTime', ({ inTime }) => inTime],
      ['share', 'console.reportShare', ({ n, inTime }) => percent(inTime / n)],
    ],
  ),
};
