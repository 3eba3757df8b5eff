import { randomUUID } from 'node:crypto';
import { type Case, caseCodec, isUnread, lookAtOf, waitsSince } from '../conversation/cases/case.ts';
import type { CaseChoice } from '../conversation/cases/choice.ts';
import type { CaseTx } from '../conversation/cases/table.ts';
import type { Query, Row, Steps, Value } from '../store/steps.ts';
import { conditionOf, orderOf, type Place } from './case-choice.ts';
import { figuresIn } from './case-figures.ts';

/** Open cases of one customer: of more the ones that were opened last are found. */
const OF_CUSTOMER_MAX = 200;
/** Each part by an index of its own: SQLite would look through all open cases. */
const OPEN_OF_CUSTOMER = `"closedAt" IS NULL AND id IN (SELECT id FROM cases WHERE wallet = $1 AND "closedAt" IS NULL
  UNION SELECT id FROM cases WHERE address = $2 AND "closedAt" IS NULL AND (wallet IS NULL OR $3 = 0))
  ORDER BY "openedAt" DESC LIMIT ${OF_CUSTOMER_MAX}`;

/** How a driver asks one question. */
function* ask(text: string, values: Query['values'] = []): Steps<readonly Row[]> {
  return yield { text, values };
}

/** Cases as rows. @param lock what a question adds so that the rows are nobody else's until the end */
export function caseTx(lock = ''): CaseTx {
  function* one(which: string, values: Query['values']): Steps<Case | undefined> {
    const [row] = yield* ask(`SELECT id, document FROM cases WHERE ${which} LIMIT 1 ${lock}`, values);
    return row && caseCodec.parse(String(row.id), String(row.document));
  }
  function* all(which: string, values: Query['values']): Steps<Case[]> {
    return casesIn(yield* ask(`SELECT id, document FROM cases WHERE ${which} ${lock}`, values));
  }
  return {
    find: (id) => one('id = $1', [id]),
    about: (kind, subject) => one('kind = $1 AND subject = $2 AND "closedAt" IS NULL', [kind, subject]),
    lastAt: (address) =>
      one(`subject = $1 AND kind IN ('asked', 'stuck') ORDER BY "openedAt" DESC`, [address]),
    openOf: ({ wallet = null, address = null }) =>
      all(OPEN_OF_CUSTOMER, [wallet, address, wallet === null ? 0 : 1]),
    closedOf: (wallet, limit) =>
      all('wallet = $1 AND "closedAt" IS NOT NULL ORDER BY "closedAt" DESC LIMIT $2', [wallet, limit]),
    chosen,
    counts,
    read: (ids) => (ids.length === 0 ? none() : all(`id IN (${ids.map((_, i) => `$${i + 1}`)})`, ids)),
    *lookAt(now, limit) {
      const which = '"lookAt" <= $1 ORDER BY "lookAt" LIMIT $2';
      return (yield* ask(`SELECT id FROM cases WHERE ${which}`, [now, limit])).map(({ id }) => String(id));
    },
    *add(it) {
      const names = COLUMNS.map((name) => `"${name}"`).join(', ');
      const at = COLUMNS.map((_, i) => `$${i + 1}`).join(', ');
      const text = `INSERT INTO cases (${names}) VALUES (${at}) ON CONFLICT DO NOTHING RETURNING id`;
      return (yield* ask(text, valuesOf(it))).length > 0;
    },
    *put(it) {
      const set = COLUMNS.map((name, i) => `"${name}" = $${i + 1}`).join(', ');
      yield* ask(`UPDATE cases SET ${set} WHERE id = $1`, valuesOf(it));
    },
    *isNewUpdate(id, at) {
      const text = 'INSERT INTO "caseUpdate" (id, at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id';
      return (yield* ask(text, [id, at])).length > 0;
    },
    *isUnknown(id) {
      yield* ask('DELETE FROM "caseUpdate" WHERE id = $1', [id]);
    },
    *toOutbox(event) {
      yield* ask('INSERT INTO "caseTold" (id, event) VALUES ($1, $2)', [randomUUID(), JSON.stringify(event)]);
    },
    *outbox(limit) {
      const rows = yield* ask('SELECT id, event FROM "caseTold" LIMIT $1', [limit]);
      return rows.map(({ id, event }) => [String(id), String(event)] as const);
    },
    *sent(id) {
      yield* ask('DELETE FROM "caseTold" WHERE id = $1', [id]);
    },
  };
}

// biome-ignore lint/correctness/useYield: a generator as the others are, with nothing to ask
function* none(): Steps<Case[]> {
  return [];
}

/** Collects the values of a query. */
function places(): { readonly values: Value[]; readonly place: Place } {
  const values: Value[] = [];
  return { values, place: (value) => `$${values.push(value)}` };
}

/** The index has the order, the table the documents. */
function* chosen(...[choice, now, sort, [from, limit]]: Parameters<CaseTx['chosen']>): Steps<Case[]> {
  const { values, place } = places();
  const order = `ORDER BY ${orderOf(sort)}`;
  const ids = `SELECT id FROM cases WHERE ${conditionOf(choice, now, place)} ${order}`;
  const part = `LIMIT ${place(limit)} OFFSET ${place(from)}`;
  return casesIn(yield* ask(`SELECT id, document FROM cases WHERE id IN (${ids} ${part}) ${order}`, values));
}

/** One look at the index, however many choices there are. Mentions are few, and have an index of their own. */
function* counts(choices: readonly CaseChoice[], now: number): Steps<number[]> {
  const { values, place } = places();
  const named = choices.filter(({ naming }) => naming !== undefined);
  const others = choices.filter(({ naming }) => naming === undefined);
  const sums = others.map(
    (each, i) => `sum(CASE WHEN ${conditionOf(each, now, place)} THEN 1 ELSE 0 END) AS n${i}`,
  );
  const [row] =
    others.length === 0 ? [] : yield* ask(`SELECT ${sums} FROM cases WHERE "isListed" = 1`, values);
  const found = new Map(others.map((each, i) => [each, Number(row?.[`n${i}`] ?? 0)]));
  for (const each of named) {
    const own = places();
    const which = conditionOf(each, now, own.place);
    const [{ n } = {}] = yield* ask(`SELECT count(*) AS n FROM cases WHERE ${which}`, own.values);
    found.set(each, Number(n));
  }
  return choices.map((each) => found.get(each) ?? 0);
}

/** Names of owners are sorted by so many characters. */
const NAME_SORTED_MAX = 40;

/** The columns that lists are chosen and sorted by, beside those that figures count. */
function orderIn(it: Case): Readonly<Record<string, Value>> {
  const { isUrgent, snoozedUntil = 0, owner, mentions } = it;
  return {
    notUrgent: isUrgent ? 0 : 1,
    snoozedUntil,
    waitsSince: waitsSince(it) ?? null,
    // Databases sort letters by rules of their own: accents would make a difference.
    ownerName: (owner?.name ?? '')
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .slice(0, NAME_SORTED_MAX),
    mentions: mentions ? JSON.stringify(mentions) : '',
  };
}

const COLUMNS = [
  ...['id', 'kind', 'subject', 'address', 'wallet', 'state', 'due', 'lookAt', 'isListed', 'document'],
  ...['agent', 'team', 'channel', 'language', 'openedAt', 'closedAt', 'answeredAt', 'handledMs', 'reopened'],
  ...['end', 'late', 'rating', 'labels'],
  ...['notUrgent', 'snoozedUntil', 'waitsSince', 'ownerName', 'mentions'],
];

function valuesOf(it: Case): Query['values'] {
  const { id, kind, subject, address = null, wallet = null, state, due } = it;
  const row: Readonly<Record<string, string | number | null>> = {
    ...{ id, kind, subject, address, wallet, state, due },
    lookAt: lookAtOf(it) ?? null,
    isListed: it.closedAt === undefined || isUnread(it) ? 1 : 0,
    document: JSON.stringify(it),
    ...figuresIn(it),
    ...orderIn(it),
  };
  return COLUMNS.map((name) => row[name] ?? null);
}

/** A damaged case must not hide the others of a list. */
function casesIn(rows: readonly Row[]): Case[] {
  return rows.flatMap(({ id, document }) => {
    const doc = { key: String(id), version: 1, value: String(document) };
    return caseCodec.readable(doc) ?? [];
  });
}

/**
 * Erases a customer's cases: open ones go, and of closed ones only what figures count is left.
 * @param addresses those of them that lead to no wallet are theirs too
 */
export function* eraseCases(wallet: string, addresses: readonly string[]): Steps<void> {
  const theirs = `(wallet = $1${addresses.map((_, i) => ` OR (wallet IS NULL AND address = $${i + 2})`).join('')})`;
  const rows = yield* ask(`SELECT id, document FROM cases WHERE ${theirs}`, [wallet, ...addresses]);
  for (const { address: _at, wallet: _of, about: _where, mentions: _who, ...it } of casesIn(rows)) {
    if (it.state !== 'closed') {
      yield* ask('DELETE FROM cases WHERE id = $1', [it.id]);
      continue;
    }
    const steps = it.steps.map(({ at, what, by }) => ({ at, what, ...(by !== undefined && { by }) }));
    const left: Case = { ...it, subject: it.id, steps };
    yield* ask(
      `UPDATE cases SET subject = id, address = NULL, wallet = NULL, mentions = '', "isListed" = 0, document = $2 WHERE id = $1`,
      [it.id, JSON.stringify(left)],
    );
  }
}
