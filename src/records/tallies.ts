import { channelOf } from '../conversation/channel.ts';
import type { Address } from '../conversation/incoming.ts';
import { hasFailed } from '../conversation/record/outcome.ts';
import { type Course, isLeaving, purposeOf } from '../conversation/record/purpose.ts';
import type { Ran, TurnRecord } from '../conversation/record/record.ts';
import { WITHIN_S } from '../conversation/record/within.ts';
import { isObject } from '../store/codec.ts';
import type { PaymentRow, Tally, TallyOf } from './records.ts';

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** The place of a day's figures once its hours are put together. Since September 2026 a day of Morocco is one of UTC. */
export const FOLDED_AT_MS = 12 * HOUR_MS;
/** Longer times count as this. */
const MS_MAX = 30 * DAY_MS;
/** Counts that are put together already have no shard of their own. */
export const FOLDED = -1;

/** Something to add to a count: in which hour, and of what. */
export type Counted = Tally & { readonly at: number };

/** States that a customer can be told as the outcome. */
const OUTCOMES: ReadonlySet<unknown> = new Set(['succeeded', 'failed', 'rejected', 'unsent', 'reversed']);

type Fields = Partial<Record<keyof TurnRecord, unknown>>;

/**
 * A turn's share of the figures. It follows from the record alone, so that recording the same turn again would add the same.
 * A conversation was `entered`. It `moved` from one state to another (`askingPhone>askingAmount`, `>askingPhone` at its
 * beginning). It was `left` in a state, by going elsewhere, staying away or ending, or it `led` on to another one. The last
 * three have the time since the turn before. A customer came `back` to one that had broken off. A
 * call `failed`, and a webhook `lagged`.
 */
export function talliesOfTurn(fields: Fields, at: number): readonly Counted[] {
  const { address, language, lagMs } = fields;
  if (typeof address !== 'string') return [];
  const where = {
    at: hourOf(at),
    channel: channelOf(address as Address),
    language: typeof language === 'string' ? language : '',
    n: 1,
    ms: 0,
  };
  const counted = talliesOfCourse(fields, where);
  const ran: readonly unknown[] = Array.isArray(fields.ran) ? fields.ran : [];
  for (const { effect, outcome } of ran.filter(isObject))
    if (typeof effect === 'string' && isObject(outcome) && hasFailed({ outcome } as Ran))
      counted.push({ ...where, what: 'failed', name: effect, detail: codeOf(outcome) });
  const lag = msIn(lagMs);
  if (lag !== undefined) counted.push({ ...where, what: 'lagged', name: '', detail: withinOf(lag), ms: lag });
  return counted;
}

type Where = Omit<Counted, 'what' | 'name' | 'detail'>;

function talliesOfCourse(fields: Fields, where: Where): Counted[] {
  const { from, to } = courseIn(fields) ?? { from: '', to: '' };
  if (from === to) return backIn(fields, to, where);
  const [before, after] = [split(from), split(to)];
  const isOther = before.name !== after.name;
  const counted = backIn(fields, to, where);
  const stayed = { ...where, ms: msIn(fields.stayedMs) ?? 0 };
  if (isOther && from !== '')
    counted.push({ ...stayed, what: to === '' || isLeaving(fields.event) ? 'left' : 'led', ...before });
  if (isOther && to !== '') counted.push({ ...where, what: 'entered', name: after.name, detail: '' });
  const came = isOther ? '' : before.detail;
  if (to !== '')
    counted.push({
      ...(isOther ? where : stayed),
      what: 'moved',
      name: after.name,
      detail: `${came}>${after.detail}`,
    });
  return counted;
}

/** A customer who goes on with a conversation that broke off, when they are asked. */
function backIn({ from, to, under }: Fields, place: string, where: Where): Counted[] {
  const { name, detail } = split(place);
  const broken = isObject(under) && typeof under.from === 'string' ? split(under.from).name : '';
  const goesOn = from === 'resume.asking' && to === place && name !== '' && name === broken;
  return goesOn ? [{ ...where, what: 'back', name, detail }] : [];
}

/** A number of ms that both databases can add up. */
function msIn(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? Math.min(Math.round(value), MS_MAX) : undefined;
}

/** The wallet's codes are few. Another text is not one. */
function codeOf({ kind, code }: Readonly<Record<string, unknown>>): string {
  return [kind, typeof code === 'string' && /^[\w.-]{1,40}$/.test(code) && code].filter(Boolean).join(' ');
}

/** The first step of `WITHIN_S` that a time is within. Empty: none. */
function withinOf(ms: number): string {
  return `${WITHIN_S.find((seconds) => ms <= seconds * 1_000) ?? ''}`;
}

/** The place of a customer before and after, in the conversation that they came for. */
function courseIn({ from, to, under }: Fields): Course | undefined {
  if (typeof from !== 'string' || typeof to !== 'string') return undefined;
  if (!isObject(under)) return purposeOf({ from, to });
  const [before, after] = [under.from, under.to].map((place) => (typeof place === 'string' ? place : ''));
  return purposeOf({ from, to, under: { from: before ?? '', to: after ?? '' } });
}

function split(place: string): Pick<Tally, 'name' | 'detail'> {
  const [name = '', detail = ''] = place.split('.');
  return { name, detail };
}

/**
 * A payment's share of the figures of the hour in which it was sent. A payment that takes a step takes back its earlier
 * share. `paid`: its state. `took`: how long it took until its outcome was known.
 */
export function talliesOfPayment({ document, state, sentAt }: PaymentRow): readonly Counted[] {
  const { order, address, audit } = fieldsOf(document);
  if (!isObject(order) || typeof order.kind !== 'string' || typeof address !== 'string') return [];
  const where = {
    at: hourOf(sentAt),
    name: order.kind,
    channel: channelOf(address as Address),
    language: '',
    n: 1,
  };
  const paid: Counted = { ...where, what: 'paid', detail: state, ms: 0 };
  const endedAt = endOf(audit);
  if (endedAt === undefined) return [paid];
  const ms = Math.max(0, endedAt - sentAt);
  return [paid, { ...where, what: 'took', detail: withinOf(ms), ms }];
}

/** When its outcome was first known. */
function endOf(audit: unknown): number | undefined {
  const steps: readonly unknown[] = Array.isArray(audit) ? audit : [];
  const end = steps.find((step): step is [number, string] => Array.isArray(step) && OUTCOMES.has(step[1]));
  return typeof end?.[0] === 'number' ? end[0] : undefined;
}

function fieldsOf(json: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(json);
  return isObject(value) ? value : {};
}

/** The beginning of its hour. A moment that no clock can mean counts for the first one. */
function hourOf(at: number): number {
  return Math.max(0, Math.floor(at / HOUR_MS) * HOUR_MS);
}

/** The opposite of what was added. */
export function takenBack(counted: readonly Counted[]): Counted[] {
  return counted.map(({ n, ms, ...of }) => ({ ...of, n: -n, ms: -ms }));
}

/** The same, each count once, in one order for all who write: they wait for each other, and never both. */
export function summed(counted: readonly Counted[]): Counted[] {
  const sums = new Map<string, Counted>();
  for (const each of counted) {
    const key = `${each.at} ${keyOf(each)}`;
    const before = sums.get(key);
    sums.set(key, { ...each, n: each.n + (before?.n ?? 0), ms: each.ms + (before?.ms ?? 0) });
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, each]) => (each.n || each.ms ? each : []));
}

function keyOf({ what, name, detail, channel, language }: TallyOf): string {
  return `${what} ${name} ${detail} ${channel} ${language}`;
}
