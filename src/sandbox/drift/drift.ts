import { randomUUID } from 'node:crypto';
import { parseJson } from '../../http/json.ts';
import { API, API_HEADERS } from '../../wallet/contract/api.ts';
import { CHECKS, type Check, type Known } from './checks.ts';
import { deviations, type Found, shapeOf } from './judge.ts';

/** A wallet that is asked: a partner's, or our sandbox. */
export interface Target {
  readonly url: string;
  readonly apiKey: string;
  readonly send: (request: Request) => Response | Promise<Response>;
  /** `phone`, `nobody`, `recipient`: numbers of people there. */
  readonly known: Known;
}

/** A place where an answer is otherwise than v2.3 says, or than the other wallet answers. */
export interface Row {
  readonly check: string;
  readonly where: string;
  /** The statement of v2.3. A dash: it does not show this. */
  readonly document: string;
  readonly sandbox: string;
  readonly partner: string;
}
export interface Report {
  readonly rows: readonly Row[];
  /** The names of the checks that ran at both, and of those that one of them lacked something for. */
  readonly compared: readonly string[];
  readonly leftOut: readonly string[];
}

const TIMEOUT_MS = 20_000;
const AS_DOCUMENTED = 'as documented';

/**
 * Asks both wallets the same questions, and says where they differ from the document and from each other. Nothing is changed
 * unless `writes` is true: then 1 DH moves at both.
 */
export async function drift(sandbox: Target, partner: Target, writes = false): Promise<Report> {
  const asked = CHECKS.filter((check) => writes || !check.writes);
  const [ours, theirs] = [await observed(sandbox, asked), await observed(partner, asked)];
  const both = asked.filter(({ name }) => ours.has(name) && theirs.has(name));
  const rows = both.flatMap((check) =>
    rowsOf(check, ours.get(check.name) as Found, theirs.get(check.name) as Found),
  );
  return {
    rows,
    compared: both.map(({ name }) => name),
    leftOut: asked.filter((check) => !both.includes(check)).map(({ name }) => name),
  };
}

async function observed(target: Target, checks: readonly Check[]): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>();
  let known = target.known;
  for (const check of checks) {
    const request = requestOf(check, target, known);
    if (!request) continue;
    const answer = await answerTo(target, request);
    found.set(check.name, answer);
    known = { ...known, ...kept(check, answer.body) };
  }
  return found;
}

/** Undefined where a value is missing that the check needs. */
function requestOf(check: Check, { url, apiKey }: Target, known: Known): Request | undefined {
  const filled = (text: string, write: (value: string) => string) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = known[name];
      return value === undefined ? whole : write(value);
    });
  const { method, path: address } = API[check.call];
  const inPath = address.replace(/\{(\w+)\}/g, (_, name: string) => String(check.params?.[name]));
  const query = Object.entries(check.query ?? {}).map(([name, value]) => `${name}=${value}`);
  const path = filled([inPath, ...(query.length > 0 ? [query.join('&')] : [])].join('?'), encodeURIComponent);
  const body = check.body && filled(JSON.stringify(check.body), (value) => value);
  if (/\{\w+\}/.test(path) || (body && /"\{\w+\}"/.test(body))) return undefined;
  const key = { none: undefined, wrong: `wrong-${randomUUID()}` }[check.key ?? 'none'];
  const sent = check.key ? key : apiKey;
  return new Request(`${url.replace(/\/$/, '')}${path}`, {
    method,
    headers: {
      ...(sent && { [API_HEADERS.key]: sent }),
      [API_HEADERS.requestId]: randomUUID(),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

async function answerTo({ send }: Target, request: Request): Promise<Found> {
  try {
    const answer = await send(request);
    const text = await answer.text();
    return {
      status: answer.status,
      type: answer.headers.get('content-type') ?? '',
      echoes: answer.headers.get(API_HEADERS.requestId) === request.headers.get(API_HEADERS.requestId),
      isJson: text === '' || parseJson(text) !== undefined,
      isEmpty: text === '',
      body: parseJson(text),
    };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { problem, status: 0, type: '', echoes: true, isJson: true, isEmpty: true, body: undefined };
  }
}

function kept({ keeps = {} }: Check, body: unknown): Known {
  const values = Object.entries(keeps).flatMap(([name, place]) => {
    const value = place.reduce<unknown>(
      (at, key) => (at as Record<string, unknown> | undefined)?.[key],
      body,
    );
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : [];
  });
  return Object.fromEntries(values);
}

function rowsOf(check: Check, ours: Found, theirs: Found): Row[] {
  const [mine, others] = [deviations(check, ours), deviations(check, theirs)];
  const rows = [...new Set([...mine.keys(), ...others.keys()])].map((where) => ({
    ...{ check: check.name, where },
    document: mine.get(where)?.document ?? others.get(where)?.document ?? '–',
    sandbox: mine.get(where)?.found ?? AS_DOCUMENTED,
    partner: others.get(where)?.found ?? AS_DOCUMENTED,
  }));
  const told = new Set(rows.map(({ where }) => where));
  return [...rows, ...between(check, ours, theirs).filter(({ where }) => !told.has(where))];
}

/** The places where the two differ and the document says nothing. */
function between({ name }: Check, ours: Found, theirs: Found): Row[] {
  if (ours.problem || theirs.problem) return [];
  const row = (where: string, sandbox: string, partner: string): Row => ({
    ...{ check: name, where, document: '–', sandbox, partner },
  });
  if (ours.status !== theirs.status) return [row('status', String(ours.status), String(theirs.status))];
  const [mine, others] = [shapeOf(ours.body), shapeOf(theirs.body)];
  const isListed = (shape: ReadonlyMap<string, string>, where: string) =>
    !where.includes('[]') || shape.has(where.slice(0, where.indexOf('[]') + 2));
  return (
    [...new Set([...mine.keys(), ...others.keys()])]
      // An empty list says nothing about its items.
      .filter((where) => isListed(mine, where) && isListed(others, where))
      .filter((where) => !alike(mine.get(where), others.get(where)))
      .map((where) => row(where, mine.get(where) ?? 'absent', others.get(where) ?? 'absent'))
  );
}

/** A null says nothing about the kind of a value. */
function alike(a: string | undefined, b: string | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && (a === 'null' || b === 'null'));
}
