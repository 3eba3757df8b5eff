import { randomUUID } from 'node:crypto';
import { type Case, type CaseOwner, silentSince } from '../conversation/cases/case.ts';
import { type Cases, namesOf } from '../conversation/cases/cases.ts';
import type { Language } from '../conversation/incoming.ts';
import type { Settings } from '../records/settings.ts';
import { isObject, jsonOf } from '../store/codec.ts';
import type { Audit } from './audit/audit.ts';
import type { Present } from './presence.ts';
import { type Team, teamOf } from './teams.ts';

/** A process that has begun a round and died is waited for so long. */
const LEASE_MS = 15_000;
/** Each process begins a round at most so often. */
const ROUND_MS = 3_000;
/** So many cases are read at once. */
const DEALT_AT_ONCE = 100;
const MINUTE_MS = 60_000;
/** The entry of the lease, in a kind of settings of its own. */
const [KIND, TURN] = ['assignment', 'turn'];

export const CAPACITY_MAX = 50;
export const MINUTES_MAX = 1_440;

/** The rules that supervisors set for all cases. */
export interface Rules {
  readonly id: 'rules';
  /** Cases that nobody has are dealt out. */
  readonly isOn: boolean;
  /** How many cases an agent has at once, of those where it is their turn. */
  readonly capacity: number;
  /** After so many minutes without an act of their owner, cases go back to the queue. 0: never. */
  readonly silentMinutes: number;
  /** Within how many minutes a case of a kind is to be answered: what the figures measure. */
  readonly targets: Readonly<Record<string, number>>;
}
export const NO_RULES: Rules = {
  ...{ id: 'rules', isOn: false, capacity: 5, silentMinutes: 0 },
  targets: { asked: 15, stuck: 30, payment: 240, webhook: 480 },
};

/** The skills of an agent. The id is the account's. */
export interface Skills {
  readonly id: string;
  /** Empty: all of them. */
  readonly languages: readonly Language[];
  /** 0: they are dealt none. Absent: that of the rules. */
  readonly capacity?: number;
}

/** The agents who can get a case now, and what the choice depends on. It grows with each case that is dealt. */
interface Shift {
  readonly rules: Rules;
  readonly agents: readonly CaseOwner[];
  readonly skills: readonly Skills[];
  readonly teams: readonly Team[];
  /** When each agent was dealt a case last, in ms since 1970. */
  readonly dealtAt: Record<string, number>;
  /** How many cases each agent has, of those where it is their turn. */
  readonly loads: Map<string, number>;
  /** The agents who have cases of customers, by the names of these. */
  readonly holders: Map<string, string>;
  readonly now: number;
}

/**
 * The agent who gets a case: of those with its team, its language and room for one more, the one whose turn was longest ago. The agent
 * who has another case of the same customer goes before all others. An agent from whom it went back to the queue does not get it again.
 */
function receiverOf(it: Case, shift: Shift): CaseOwner | undefined {
  const { agents, skills, teams, dealtAt, holders, now } = shift;
  const team = teamOf(it, teams);
  const holder = namesOf(it).flatMap((name) => holders.get(name) ?? [])[0];
  const can = agents.filter(({ id }) => {
    const { languages = [] } = skills.find((each) => each.id === id) ?? {};
    const speaks = !it.language || languages.length === 0 || languages.includes(it.language);
    const wasSilent = it.steps.some(({ what, from }) => what === 'returned' && from === id);
    return (!team || team.members.includes(id)) && speaks && !wasSilent && hasRoom(id, shift);
  });
  const known = can.find(({ id }) => id === holder);
  // Nobody is answered by two agents, unless the other one lets them wait.
  if (holder !== undefined && !known && it.due > now) return undefined;
  return known ?? can.toSorted((a, b) => (dealtAt[a.id] ?? 0) - (dealtAt[b.id] ?? 0))[0];
}

function hasRoom(agent: string, { rules, skills, loads }: Shift): boolean {
  const { capacity = rules.capacity } = skills.find(({ id }) => id === agent) ?? {};
  return (loads.get(agent) ?? 0) < capacity;
}

interface AssignmentDeps {
  readonly cases: Pick<Cases, 'list' | 'counts' | 'deal' | 'returnSilent'>;
  readonly settings: Settings;
  readonly audit: Pick<Audit, 'append' | 'during'>;
  readonly rules: () => Promise<Rules>;
  readonly skills: () => Promise<readonly Skills[]>;
  readonly teams: () => Promise<readonly Team[]>;
  readonly agents: () => Promise<readonly CaseOwner[]>;
  readonly present: () => Promise<readonly Present[]>;
  /** The ids of agents who are away by their own switch. */
  readonly away: () => Promise<ReadonlySet<string>>;
  readonly now: () => number;
}

/** Deals out cases by rule, and takes back those of silent agents. */
export function createAssignment(deps: AssignmentDeps) {
  const me = randomUUID();
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    /** One round, unless another process is at it. Gives the number of cases that changed hands. */
    round: () => round(deps, me),
    /** Begins a round in the background, a few seconds after the one before at the earliest. */
    soon(onError: (error: unknown) => void, changed: () => void): void {
      if (deps.now() - lastAt < ROUND_MS) return;
      lastAt = deps.now();
      round(deps, me).then((count) => count > 0 && changed(), onError);
    },
  };
}

/**
 * Each change of a case is a transaction that succeeds once, so two rounds at once deal no case twice. A case that a dead process had in hand is
 * still in the queue. The lease keeps two rounds from dealing one agent more than they can take.
 */
async function round(deps: AssignmentDeps, me: string): Promise<number> {
  const rules = await deps.rules();
  if (!rules.isOn && rules.silentMinutes === 0) return 0;
  const dealtAt = await lease(deps, me);
  if (!dealtAt) return 0;
  try {
    const back = await returnSilent(deps, rules);
    return back + (rules.isOn ? await deal(deps, rules, dealtAt) : 0);
  } finally {
    await lease(deps, me, dealtAt);
  }
}

async function returnSilent(
  { cases, audit, now }: AssignmentDeps,
  { silentMinutes }: Rules,
): Promise<number> {
  if (silentMinutes === 0) return 0;
  const before = now() - silentMinutes * MINUTE_MS;
  let count = 0;
  for (const it of await cases.list({ stands: 'turn', isOwned: true })) {
    const { id, owner, wallet } = it;
    if (!owner || (silentSince(it, now()) ?? now()) > before) continue;
    const deed = { act: 'returnCase', on: id, what: owner.id, ...(wallet && { about: wallet }) } as const;
    count += await noted(audit, deed, () => cases.returnSilent(id, before));
  }
  return count;
}

async function deal(deps: AssignmentDeps, rules: Rules, dealtAt: Record<string, number>): Promise<number> {
  const { cases, now } = deps;
  const [skills, teams, agents, present, away] = await Promise.all([
    ...([deps.skills(), deps.teams(), deps.agents(), deps.present(), deps.away()] as const),
  ]);
  const here = agents.filter(({ id }) => !away.has(id) && present.some((each) => each.id === id));
  const counts = await cases.counts(here.map(({ id }) => ({ stands: 'turn', owners: [id] })));
  const loads = new Map(here.map(({ id }, i) => [id, counts[i] ?? 0]));
  const rest = { loads, holders: new Map(), now: now() };
  const shift: Shift = { rules, agents: here, skills, teams, dealtAt, ...rest };
  const seen = new Set<string>();
  let count = 0;
  // Cases that were dealt leave the list: those that nobody could get are passed over.
  for (let from = 0; here.some(({ id }) => hasRoom(id, shift)); from = seen.size - count) {
    const all = await cases.list({ stands: 'turn', owners: [''] }, { from, limit: DEALT_AT_ONCE });
    const part = all.filter(({ id }) => !seen.has(id));
    if (part.length === 0) break;
    const held = await cases.list({ isOwned: true, customers: part.flatMap(namesOf) });
    for (const it of held) for (const name of namesOf(it)) shift.holders.set(name, it.owner?.id ?? '');
    for (const it of part) {
      seen.add(it.id);
      count += await dealOne(deps, it, shift);
    }
  }
  return count;
}

async function dealOne({ cases, audit, now }: AssignmentDeps, it: Case, shift: Shift): Promise<0 | 1> {
  const { loads, holders, dealtAt } = shift;
  const to = receiverOf(it, shift);
  if (!to) return 0;
  const deed = { act: 'dealCase', on: it.id, what: to.id, ...(it.wallet && { about: it.wallet }) } as const;
  if ((await noted(audit, deed, () => cases.deal(it.id, to))) === 0) return 0;
  for (const name of namesOf(it)) holders.set(name, to.id);
  loads.set(to.id, (loads.get(to.id) ?? 0) + 1);
  // Two in one millisecond are still one after the other.
  dealtAt[to.id] = Math.max(now(), ...Object.values(dealtAt)) + 1;
  return 1;
}

/** Does it, with its entry in the audit before and its end behind. Gives 1 where it was done. */
function noted(
  audit: AssignmentDeps['audit'],
  deed: Omit<Parameters<Audit['append']>[0], 'who'>,
  act: () => Promise<string>,
): Promise<0 | 1> {
  return audit.during(
    () => ({ from: 'rule' }),
    async () => {
      await audit.append({ ...deed, who: 'rule' });
      return (await act()) === 'done' ? 1 : 0;
    },
    (isDone) => (isDone ? { end: 'done' } : { end: 'refused', endWhy: 'notNow' }),
  );
}

/**
 * Takes the lease of the rounds, or gives it back with what this round has dealt.
 * @returns when each agent was dealt a case last. Undefined while another process has the lease
 */
function lease(
  { settings, now }: AssignmentDeps,
  me: string,
  back?: Record<string, number>,
): Promise<Record<string, number> | undefined> {
  return settings.change(KIND, ({ all }) => {
    const turn = jsonOf(all.find(({ id }) => id === TURN)?.value ?? '');
    const { by, until = 0, dealtAt } = (isObject(turn) ? turn : {}) as Partial<Turn>;
    if (back ? by !== me : Number(until) > now()) return { result: undefined };
    const next: Turn = { by: me, until: back ? 0 : now() + LEASE_MS, dealtAt: back ?? dealtAt ?? {} };
    return { writes: [{ id: TURN, value: JSON.stringify(next) }], result: { ...next.dealtAt } };
  });
}

interface Turn {
  readonly by: string;
  /** In ms since 1970. */
  readonly until: number;
  readonly dealtAt: Record<string, number>;
}
