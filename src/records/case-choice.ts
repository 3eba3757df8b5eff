import type { CaseChoice, CaseSort, TeamChoice } from '../conversation/cases/choice.ts';
import type { Value } from '../store/steps.ts';

/** Puts a value into a query. Gives its place: `$1`. */
export type Place = (value: Value) => string;

/** The condition of a choice, for both databases. `casesListed` has what it needs, but for labels and mentions. */
export function conditionOf({ naming, ...choice }: CaseChoice, now: number, place: Place): string {
  const which = naming === undefined ? `state <> 'closed'` : named(naming, place);
  return [`"isListed" = 1`, which, ...partsOf(choice, now, place)].join(' AND ');
}

function partsOf(choice: CaseChoice, now: number, place: Place): string[] {
  const { stands, owners, isOwned, customers, teams, languages, kind, label, and } = choice;
  const parts = [
    stands === 'waiting' && `state = 'waiting'`,
    stands === 'turn' && `state = 'open' AND "snoozedUntil" <= ${place(now)}`,
    stands === 'snoozed' && `"snoozedUntil" > ${place(now)}`,
    owners && isOneOf('agent', owners, place),
    isOwned && `agent <> ''`,
    // By their own indexes, which have open cases.
    customers &&
      `"closedAt" IS NULL AND (${isOneOf('wallet', customers, place)} OR ${isOneOf('address', customers, place)})`,
    teams && ofTeams(teams, place),
    languages && isOneOf('language', [...languages, ''], place),
    kind && `kind = ${place(kind)}`,
    label && has('labels', `"${label}"`, place),
    ...(and ? partsOf(and, now, place) : []),
  ];
  return parts.filter((part) => typeof part === 'string');
}

function isOneOf(column: string, values: readonly string[], place: Place): string {
  return values.length === 0 ? '1 = 0' : `${column} IN (${values.map(place).join(', ')})`;
}

/** True where a JSON text has a part. */
function has(column: string, part: string, place: Place): string {
  return `${column} LIKE ${place(`%${part.replace(/[%_!]/g, '!$&')}%`)} ESCAPE '!'`;
}

/** `mentions` has a true for each agent who has not looked. */
function named(agent: string, place: Place): string {
  const name = JSON.stringify(agent);
  const unread = has('mentions', `${name}:true`, place);
  return `mentions <> '' AND (${unread} OR (state <> 'closed' AND ${has('mentions', `${name}:`, place)}))`;
}

function ofTeams({ all, of }: TeamChoice, place: Place): string {
  const chosen = all.filter(({ id }) => of.includes(id));
  const kindsOf = (teams: TeamChoice['all']) => teams.flatMap(({ kinds }) => kinds);
  const isGiven = isOneOf('team', all.map(({ id }) => id), place); // biome-ignore format: one line
  const byKind = isOneOf('kind', kindsOf(chosen), place);
  const ofNone = of.includes('') ? ` OR NOT (${isOneOf('kind', kindsOf(all), place)})` : '';
  const given = isOneOf('team', chosen.map(({ id }) => id), place); // biome-ignore format: one line
  return `(${given} OR (NOT (${isGiven}) AND (${byKind}${ofNone})))`;
}

const BY: Readonly<Record<CaseSort, string>> = {
  due: '',
  waiting: '"waitsSince" IS NULL, "waitsSince", ',
  newest: '"openedAt" DESC, ',
  customer: 'wallet IS NULL, wallet, ',
  channel: "channel = '', channel, ",
  language: "language = '', language, ",
  reason: 'kind, ',
  owner: `"ownerName" = '', "ownerName", `,
};

/** The order of a list. Those without a value come last. */
export function orderOf(sort: CaseSort): string {
  return `${BY[sort]}"notUrgent", due, id`;
}
