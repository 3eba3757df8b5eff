import type { Case, CaseOwner } from '../../conversation/cases/case.ts';
import type { Desk } from '../../conversation/desk/desk.ts';
import type { Address } from '../../conversation/incoming.ts';
import type { Secrets } from '../../conversation/secrets.ts';
import { type Log, thrown } from '../../log/thrown.ts';
import type { Records } from '../../records/records.ts';
import type { Renderer } from '../../screen/renderer.ts';
import type { Store } from '../../store/store.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Accounts } from '../access/accounts.ts';
import type { Who } from '../access/guard.ts';
import { ANSWERS_MAX, type WrittenAnswer } from '../answers.ts';
import { createAssignment, NO_RULES, type Rules, type Skills } from '../assignment.ts';
import type { Audit } from '../audit/audit.ts';
import { type Book, createBook } from '../book.ts';
import { createCaseNews, isUnreadBy } from '../case-list.ts';
import { createDiagrams } from '../diagram.ts';
import { createFilters } from '../filters.ts';
import { createFresh } from '../fresh.ts';
import { LABELS_MAX, type Label } from '../labels.ts';
import { createLastWords } from '../last-words.ts';
import { Live } from '../live.ts';
import { MACROS_MAX, type Macro } from '../macros.ts';
import { createPresence } from '../presence.ts';
import { createQueue, type StuckWebhooks } from '../queue.ts';
import { createReveals, SEARCHES_PER_HOUR } from '../reveals.ts';
import { createSessionIds } from '../session-id.ts';
import { createStreams } from '../stream.ts';
import { TEAMS_MAX, type Team } from '../teams.ts';
import type { FigureSource } from './figures-routes.ts';

const SPREAD_MS = 1_000;
const AGENTS_MAX = 1_000;

/** The parts that the pages of sessions, payments and figures need. */
export interface PagesOptions {
  readonly desk: Desk;
  readonly store: Store;
  /** Settings, figures, and whether they can be read now. */
  readonly records: FigureSource & Pick<Records, 'settings' | 'isWell'>;
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  readonly renderer: Pick<Renderer, 'chat' | 'ussd'>;
  readonly audit: Pick<Audit, 'append' | 'part' | 'during'>;
  /** Why one account does not approve what another one has proposed. */
  readonly refusesApproval: Accounts['refusesApproval'];
  /** Customers by their name. */
  readonly names: { find(text: string, limit: number): Promise<readonly Msisdn[]> };
  /** The operator's own sites: agents may send links to them. */
  readonly hosts?: readonly string[];
  readonly agents: () => Promise<readonly CaseOwner[]>;
  readonly webhooks: StuckWebhooks;
  /** False once somebody has signed out, or was shut out. */
  readonly isStillIn: (who: Who) => Promise<boolean>;
  readonly log: Pick<Log, 'say'>;
  readonly now: () => number;
}

interface Duty {
  /** The one entry of the rules that supervisors set for all cases. */
  readonly rules: Book<Rules>;
  readonly skills: Book<Skills>;
  /** The agents who are away by their own switch. */
  readonly away: Book<{ readonly id: string }>;
}

export interface Offered {
  readonly labels: readonly Label[];
  readonly teams: readonly Team[];
  readonly answers: readonly WrittenAnswer[];
  readonly macros: readonly Macro[];
  readonly agents: readonly CaseOwner[];
}

/** The same, and what one process makes of it for all agents. */
export type Tools = ReturnType<typeof createTools>;

export function createTools(options: PagesOptions) {
  const { desk, store, records, secrets, webhooks, log, now } = options;
  const { settings } = records;
  const ids = createSessionIds(secrets);
  const onError = (error: unknown) => log.say('A page of the console failed', thrown(error));
  const live = new Live(desk, (address: Address) => ids.idOf(address), onError);
  const caseNews = createCaseNews();
  const books = {
    answers: createBook<WrittenAnswer>(settings, 'answers', ANSWERS_MAX, now),
    teams: createBook<Team>(settings, 'teams', TEAMS_MAX, now),
    labels: createBook<Label>(settings, 'labels', LABELS_MAX, now),
    macros: createBook<Macro>(settings, 'macros', MACROS_MAX, now),
  };
  const duty: Duty = {
    rules: createBook<Rules>(settings, 'rules', 1, now),
    skills: createBook<Skills>(settings, 'skills', AGENTS_MAX, now),
    away: createBook<{ readonly id: string }>(settings, 'away', AGENTS_MAX, now),
  };
  const presence = createPresence(store, now, caseNews.expire);
  return {
    ...options,
    live,
    recordsAnswer: () => records.isWell().catch(() => false),
    // The last words in conversations, read once for all agents.
    lastWords: createLastWords(desk, live, options.renderer),
    // The number of customers in each state now, counted once a second for all agents.
    spread: createFresh(async () => live.board.spread(now()), SPREAD_MS, now),
    queue: createQueue(desk, webhooks, now),
    caseNews,
    presence,
    duty,
    assignment: createAssignment({
      ...options,
      cases: desk.cases,
      settings,
      rules: () => rulesIn(duty),
      skills: duty.skills.all,
      teams: books.teams.all,
      present: presence.all,
      away: async () => new Set((await duty.away.all()).map(({ id }) => id)),
    }),
    filters: createFilters(settings, now),
    ...books,
    offered: () => offeredIn(books, options.agents),
    reveals: createReveals(store, now),
    // The same limit for searches, each by the address `search`.
    searches: createReveals(store, now, { what: 'searches', max: SEARCHES_PER_HOUR }),
    ids,
    diagrams: createDiagrams((machine) => desk.chart(machine)),
    streams: createStreams({ isStillIn: options.isStillIn, onError }),
    onError,
  };
}

/** The rules that are set, or those that hold until then. */
export async function rulesIn({ rules }: Pick<Duty, 'rules'>): Promise<Rules> {
  return { ...NO_RULES, ...(await rules.seen())[0] };
}

async function offeredIn(
  books: Pick<Tools, 'labels' | 'teams' | 'answers' | 'macros'>,
  agentsNow: Tools['agents'],
): Promise<Offered> {
  const [labels, teams, answers, macros, agents] = await Promise.all([
    books.labels.seen(),
    books.teams.seen(),
    books.answers.seen(),
    books.macros.seen(),
    agentsNow(),
  ]);
  return { labels, teams, answers, macros, agents };
}

/** An agent who opens the page of a case has read what is new in it, and the notes that name them. */
export async function noticed(
  { desk, caseNews }: Pick<Tools, 'desk' | 'caseNews'>,
  it: Case | undefined,
  { id }: Pick<Who, 'id'>,
): Promise<void> {
  if (!it || !isUnreadBy(it, id)) return;
  await desk.cases.looked(it.id, id);
  caseNews.expire();
}
