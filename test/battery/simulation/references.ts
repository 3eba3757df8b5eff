import type { ReferenceState } from '../../../machines/kit/effects.ts';
import type { Sentence, Value } from '../../../machines/kit/screen.ts';
import { type Reference, referenceKey } from '../../../src/conversation/references/reference.ts';
import type { Write } from '../../../src/store/store.ts';
import type { CashKind } from '../../../src/wallet/services.ts';
import type { Memory } from './memory-store.ts';
import type { Made, modelCash, Requested } from './model-cash.ts';
import { type Line, walletOf } from './person.ts';
import type { Told } from './told.ts';

/** From what a customer does to the claim of what they have asked for: tries again, a frozen process, a slow store. */
const CLAIMED_WITHIN_MS = 5 * 60_000;
const DOC = referenceKey('');

/** Figures of references in a history. */
export interface ReferenceFigures {
  readonly deposits: number;
  readonly withdrawals: number;
  readonly floats: number;
  readonly executed: number;
  readonly reversed: number;
  readonly expired: number;
  /** Their numbers never came. */
  readonly lost: number;
  /** Executed before their numbers came. */
  readonly early: number;
  /** Asked for beside one just like it, knowingly. */
  readonly another: number;
  /** One that was there is shown once more. */
  readonly again: number;
  /** The wallet has taken what nobody can draw. */
  readonly held: number;
}

/** The states of each reference in the store, each with its beginning. */
export function createStates() {
  const all = new Map<string, { at: number; state: ReferenceState }[]>();
  return {
    note(writes: readonly Write[], at: number): void {
      for (const { key, value } of writes) {
        if (!key.startsWith(DOC) || value === null) continue;
        const { id, state } = JSON.parse(value) as Reference;
        all.set(id, [...(all.get(id) ?? []), { at, state }]);
      }
    },
    /** True where it was known as open all the time from one moment to another. */
    isOpenDuring(id: string, from: number, until: number): boolean {
      const states = all.get(id) ?? [];
      const before = states.findLast(({ at }) => at < from);
      return (
        before?.state === 'open' &&
        states.every(({ at, state }) => at < from || at > until || state === 'open')
      );
    },
  };
}

interface Scene {
  readonly memory: Memory;
  readonly cash: Pick<ReturnType<typeof modelCash>, 'made' | 'requested' | 'holds'>;
  readonly lines: readonly Line[];
  readonly told: readonly Told[];
  readonly losses: number;
  /** When each document was written for the first time. */
  readonly writtenAt: ReadonlyMap<string, number>;
  readonly states: Pick<ReturnType<typeof createStates>, 'isOpenDuring'>;
}

/** Judges the references of a history: by what the wallet has made, what was wanted, what Wasl knows of each, and what was said. */
export function referenceVerdict(scene: Scene): { broken: string[]; figures: ReferenceFigures } {
  const { memory, cash, told, losses } = scene;
  const docs = memory.all(DOC).map(({ value }): Reference => JSON.parse(value));
  const broken = [
    ...askedTwice(scene),
    // After a failover, an answer to a lost screen is taken for the answer to the screen before.
    ...(losses === 0 ? unwanted(scene) : []),
    ...told.flatMap((each) => lieIn(each, scene, docs)),
    ...told.flatMap((each) => strayed(each, cash.made)),
    ...docs.flatMap((doc) => endedWrongly(doc, scene)),
    ...untold(docs, scene),
  ];
  const ofKind = (kind: Made['kind']) => cash.made.filter((each) => each.kind === kind).length;
  const figures: ReferenceFigures = {
    deposits: ofKind('cash-in'),
    withdrawals: ofKind('cash-out'),
    floats: ofKind('principal-float'),
    executed: cash.made.filter(({ executedAt }) => executedAt !== undefined).length,
    reversed: cash.made.filter(({ reversedAt }) => reversedAt !== undefined).length,
    expired: cash.made.filter(({ expiredAt }) => expiredAt !== undefined).length,
    lost: docs.filter(({ state }) => state === 'lost').length,
    early: cash.made.filter(({ isEarly }) => isEarly).length,
    another: scene.lines.flatMap(({ asked }) => asked).filter(({ knows }) => knows).length,
    again: told.filter(
      ({ sentence: { key } }) => key === 'references.withdrawalOpen' || key.endsWith('.alike'),
    ).length,
    held: told.filter(({ sentence }) => sentence.key === 'cash-out.held').length,
  };
  return { broken, figures };
}

/** A request that came to the wallet twice, or before it was written down. */
function askedTwice({ cash: { requested }, writtenAt }: Scene): string[] {
  return requested.flatMap(({ kind, requestId, at }, i) => {
    const isTwice = requested.findIndex((each) => each.requestId === requestId) !== i;
    const isWritten = kind === 'principal-float' || (writtenAt.get(referenceKey(requestId)) ?? at + 1) <= at;
    return [
      ...(isTwice ? [`reference ${requestId} was asked for twice`] : []),
      ...(isWritten ? [] : [`reference ${requestId} was asked for before that was written down`]),
    ];
  });
}

/** References that nobody has asked for, or that were made beside an equal open one without a question. */
function unwanted({ cash: { requested }, lines, writtenAt, states }: Scene): string[] {
  const left = new Map(lines.map((line) => [line, [...line.asked]]));
  return requested.flatMap((each, i) => {
    const { kind, requestId, phone, amount } = each;
    const at = writtenAt.get(referenceKey(requestId)) ?? each.at;
    const wanted = [...left]
      .filter(([line]) => line.phone === phone)
      .flatMap(([, asked]) => asked)
      .filter((ask) => ask.kind === kind && ask.amount === amount)
      .filter((ask) => ask.at <= at && at <= ask.at + CLAIMED_WITHIN_MS);
    const [ask] = wanted;
    if (!ask) return [`reference ${requestId} (${kind} of ${amount}) was asked for by nobody`];
    for (const [line, asked] of left)
      left.set(
        line,
        asked.filter((other) => other !== ask),
      );
    const beside = requested
      .slice(0, i)
      .find((first) => isAlike(first, each) && states.isOpenDuring(first.requestId, ask.since, at));
    return beside && !wanted.some(({ knows }) => knows)
      ? [
          `reference ${requestId} was made beside ${beside.requestId}, which is just like it and open, unasked`,
        ]
      : [];
  });
}

function isAlike(first: Requested, second: Requested): boolean {
  return first.kind === second.kind && first.phone === second.phone && first.amount === second.amount;
}

const ENDS: Readonly<Record<string, (made: Made, at: number) => boolean>> = {
  executed: ({ executedAt }, at) => executedAt !== undefined && executedAt <= at,
  reversed: ({ reversedAt }, at) => reversedAt !== undefined && reversedAt <= at,
  expired: ({ expiredAt }, at) => expiredAt !== undefined && expiredAt <= at,
  open: ({ executedAt, expiredAt, shownAt }, at) =>
    !(executedAt !== undefined && Math.max(executedAt, shownAt) < at) &&
    !(expiredAt !== undefined && expiredAt < at),
};

/** False sentences about a reference: that it was paid in, drawn, cancelled, no longer valid, or still open. */
function lieIn(told: Told, scene: Scene, docs: readonly Reference[]): string[] {
  const { at, line, sentence } = told;
  const { key, values } = sentence;
  const isFalse =
    key === 'cash-out.held'
      ? !scene.cash.holds
      : key.startsWith('references.')
        ? isListedWrongly(told, scene, docs)
        : isEndFalse(told, scene);
  const said = `at ${new Date(at).toISOString()} ${line.address} was told ${key} ${JSON.stringify(values)}`;
  return isFalse ? [said] : [];
}

/** An end that none of them has come to: of a deposit by its number, of a withdrawal by its amount. */
function isEndFalse({ at, line, sentence: { key, values = {} } }: Told, { cash }: Scene): boolean {
  const [, kind, end = ''] = /^(cash-in|cash-out)\.(executed|reversed|expired)$/.exec(key) ?? [];
  if (kind === undefined) return false;
  const number = values.reference && numberIn(values.reference);
  return !cash.made.some(
    (each) =>
      each.kind === kind &&
      each.phone === line.phone &&
      each.amount === amountIn(values) &&
      // A reference that was executed before its number came is told, and undone, by its operation.
      (!number || [each.number, String(each.operationId)].includes(number)) &&
      ENDS[end]?.(each, at),
  );
}

/** A screen whose page was lost is shown again as it was looked up. */
const SHOWN_AGAIN_MS = 60_000;

/** True when a list or a look-up is false. A list says of an open reference what Wasl knew. */
function isListedWrongly(
  { at, askedAt, line, sentence: { key, values = {} }, how }: Told,
  { cash, losses }: Scene,
  docs: readonly Reference[],
): boolean {
  const amount = amountIn(values);
  if (key === 'references.withdrawalOpen')
    return (
      how === 'screen' &&
      !cash.made.some(
        (each) =>
          each.phone === line.phone &&
          each.amount === amount &&
          (ENDS.open?.(each, askedAt) || askedAt - (each.saidOpenAt ?? 0) < SHOWN_AGAIN_MS),
      )
    );
  const state = values.state && 'say' in values.state ? values.state.say.replace('references.', '') : '';
  const doc = docs.find(
    (each) =>
      each.wallet === line.phone &&
      each.amount === amount &&
      values.at &&
      'date' in values.at &&
      values.at.date === each.at,
  );
  const one = cash.made.find(({ requestId }) => requestId === doc?.id);
  // Nobody knows any more what a failover has taken back.
  if (!doc && losses > 0) return false;
  return /^(executed|reversed|expired)$/.test(state) && !(one && ENDS[state]?.(one, at));
}

function amountIn({ amount }: NonNullable<Sentence['values']>): number | undefined {
  return amount && 'money' in amount ? amount.money : undefined;
}

/**
 * A number is shown only to the customer who has asked for it and is linked. The number of a withdrawal comes after the
 * PIN.
 */
function strayed({ at, line, sentence }: Told, made: readonly Made[]): string[] {
  const number = sentence.values?.reference && numberIn(sentence.values.reference);
  const one = made.find((each) => each.number === number);
  if (!one) return [];
  const isTheirs = one.phone === line.phone && walletOf(line) === one.phone;
  const isOpened = one.kind !== 'cash-out' || (line.drewAt !== undefined && line.drewAt <= at);
  return [
    ...(isTheirs ? [] : [`${line.address} was shown ${number}, which is not theirs`]),
    ...(isOpened ? [] : [`${line.address} was shown ${number} without the PIN`]),
  ];
}

/** In the end each is known as the wallet has it. */
function endedWrongly({ id, kind, state, wallet, amount }: Reference, { cash }: Scene): string[] {
  const one = cash.made.find(({ requestId }) => requestId === id);
  const name = `reference ${id.slice(0, 8)} (${kind}, ${state})`;
  if (!one) return state === 'lost' ? [] : [`${name} was never made`];
  if (one.phone !== wallet || one.amount !== amount) return [`${name} is another one's`];
  return state === 'lost' || state === endOf(one) ? [] : [`${name} is ${endOf(one)}`];
}

function endOf({ executedAt, reversedAt }: Made): ReferenceState {
  if (reversedAt !== undefined) return 'reversed';
  return executedAt === undefined ? 'expired' : 'executed';
}

/** Ends that their customers never heard of: that of a deposit by its number, those of withdrawals by how many of an amount there are. */
function untold(docs: readonly Reference[], { told }: Scene): string[] {
  return docs.flatMap(({ kind, state, wallet, amount, number }) => {
    if (state === 'asked' || state === 'open' || state === 'lost') return [];
    const key = `${kind}.${state}`;
    const code = number && 'code' in number ? number.code : undefined;
    const heard = told.filter(
      ({ line, sentence: { key: said, values = {} } }) =>
        (said === key || said === `${key}Priced`) &&
        line.phone === wallet &&
        amountIn(values) === amount &&
        (code === undefined || (values.reference && numberIn(values.reference) === code)),
    ).length;
    const ends =
      code === undefined ? docs.filter((each) => isSame(each, { kind, state, wallet, amount })).length : 1;
    return heard < ends ? [`${wallet} heard ${key} of ${amount} ${heard} times, and not ${ends}`] : [];
  });
}

function isSame(
  doc: Reference,
  of: Pick<Reference, 'state' | 'wallet' | 'amount'> & { kind: CashKind },
): boolean {
  return (
    doc.kind === of.kind && doc.state === of.state && doc.wallet === of.wallet && doc.amount === of.amount
  );
}

/** The number that is shown where a reference is named. */
export function numberIn(value: Value): string | undefined {
  if ('hidden' in value) return value.hidden;
  return 'code' in value ? value.code : undefined;
}
