import { type Guard, type HistoryApi, type Listing, OPERATIONS_PAGE_SIZE } from '../../payments/payment.ts';
import { alikeName, listedName, methodOf, type Order } from '../../payments/payments.ts';
import { type Ask, costsSame, type LookAlike, QUOTE_FRESH_MS, type Quote } from '../../payments/quote.ts';
import type { Answer } from '../../wallet/answer.ts';
import { EXPIRED_CODE, isOurRefusal, SAFETY_CODES } from '../../wallet/contract/errors.ts';
import { STATUSES } from '../../wallet/contract/fields.ts';
import { PAGE_SIZE_DEFAULT } from '../../wallet/contract/limits.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Call, Operation } from '../../wallet/wallet.ts';
import type { Effect, EffectEnv, EffectOf } from '../effects/effect.ts';
import { AMOUNT_TRIES } from '../session/amounts-tried.ts';
import { isBusy, LOOK_ALIKE_MS, lookAlikes, ownerOf } from '../session/book.ts';
import { asksOf, PIN_FIRST, refusalOfOrder } from '../session/safety.ts';
import { matches, wentToThem } from './match.ts';
import { nameOf, withNameAsked } from './payee-name.ts';
import { isSaved, spareCall, withBalance } from './side-reads.ts';

/** How many pages of operations are read: no customer makes more in 15 minutes. */
const PAGES_MAX = 20;
/** How many of these pages are searched for an earlier payment to the recipient: the newest hundred operations. */
const KNOWN_PAGES = 2;

/** A preview with its look-alikes: our own recent payments and the wallet's listed operations. */
export const preview: Effect<{ order: Order }, Answer<Quote> | { kind: 'busy' }> = {
  kind: 'read',
  async run({ order }, env) {
    const refusal = refusalOfOrder(env.walletDoc, order, env);
    if (refusal) return (await refusedAnyway(refusal, order, env)) ?? refusal;
    if (!mayTell(order, env)) return PIN_FIRST;
    const [quoted, looked, asks] = await Promise.all([
      methodOf(order).preview(order, env),
      look(order, env),
      asksAbout(order, env),
    ]);
    if (looked.kind === 'ok' && looked.value.isBusy) return { kind: 'busy' };
    if (quoted.kind !== 'ok') return withBalance(quoted, order, env);
    if (looked.kind !== 'ok') return looked;
    const { alike } = looked.value;
    const name = await nameOf(order, quoted.value, env);
    return {
      kind: 'ok',
      value: { ...quoted.value, ...name, at: env.now(), alike, ...(asks.length > 0 && { asks }) },
    };
  },
  learnt(output, { order }, env) {
    const { walletDoc, at } = env;
    const showsBalance =
      output.kind === 'ok' ||
      (output.kind === 'refused' && (!isOurRefusal(output.code) || output.above !== undefined));
    return {
      ...(showsBalance && tellsBalance(order) && AMOUNT_TRIES.withOne(walletDoc, amountOf(order), at)),
      ...(output.kind === 'ok' && !output.value.openLoop && withNameAsked(order, env)),
    };
  },
};

/** A customer who waits for a limit to end would wait in vain where the wallet refuses the amount all the same: that is said first. */
async function refusedAnyway(
  { above }: { readonly above?: Centimes },
  order: Order,
  env: EffectEnv,
): Promise<Answer<never> | undefined> {
  if (above === undefined || !tellsBalance(order) || !mayTell(order, env)) return undefined;
  const quoted = await methodOf(order).preview(order, env);
  return quoted.kind === 'refused' ? withBalance(quoted, order, env) : undefined;
}

/** True where the preview may be asked for before the PIN, though its answer tells whether the wallet holds the amount. */
function mayTell(order: Order, { walletDoc, at }: EffectEnv): boolean {
  return !tellsBalance(order) || AMOUNT_TRIES.hasRoom(walletDoc, amountOf(order), at);
}

/** No preview tells the float of an agent. */
function tellsBalance(order: Order): boolean {
  return methodOf(order).ofAgent === undefined;
}

function amountOf({ kind, amount }: Order): string {
  return `${kind} ${amount}`;
}

/**
 * After the PIN, looks for every listed operation that could be taken for this payment. It also tells the changes since
 * the confirmation: new look-alikes, and another price where the preview has grown old meanwhile.
 */
export const lookAgain: EffectOf<'lookAgain'> = {
  kind: 'read',
  async run({ order, quote, isUnsaved }, env) {
    if (methodOf(order).secret?.isExpired?.(order, env.open))
      return { kind: 'refused', code: EXPIRED_CODE, description: '' };
    const refusal = refusalOfOrder(env.walletDoc, order, env);
    if (refusal) return refusal;
    const isOld = env.now() - quote.at > QUOTE_FRESH_MS;
    const [looked, requoted, canSave] = await Promise.all([
      look(order, env),
      isOld ? methodOf(order).preview(order, env) : undefined,
      isUnsaved || canBeSaved(order, env),
    ]);
    if (looked.kind !== 'ok') return looked;
    if (requoted && requoted.kind !== 'ok') return requoted;
    const { before, alike } = looked.value;
    const known = quote.alike;
    const fresh = alike.filter(({ id }) => !known.some((old) => old.id === id));
    const changed = requoted && !costsSame(requoted.value, quote);
    return {
      kind: 'ok',
      value: {
        before,
        alike: fresh,
        ...(canSave && { canSave }),
        ...(changed && { requoted: { ...requoted.value, at: env.now(), alike } }),
      },
    };
  },
};

/** The wallet's list knows a recipient who was paid by its app or at a counter. */
async function asksAbout(order: Order, env: EffectEnv): Promise<readonly Ask[]> {
  const asks = asksOf(env.walletDoc, order, env);
  const isKnown = asks.includes('newRecipient') && (await wasPaid(order, env));
  return isKnown ? asks.filter((ask) => ask !== 'newRecipient') : asks;
}

async function wasPaid(order: Order, { api, call }: EffectEnv): Promise<boolean> {
  const types = [methodOf(order).type];
  for (let page = 1; page <= KNOWN_PAGES; page++) {
    const answer = await api.operations(
      order.from,
      { types, page, pageSize: OPERATIONS_PAGE_SIZE },
      spareCall(call),
    );
    if (answer.kind !== 'ok') return false;
    const { operations, count, leftOut = [] } = answer.value;
    if (operations.some((operation) => wentToThem(operation, order))) return true;
    if (operations.length + leftOut.length === 0 || page * OPERATIONS_PAGE_SIZE >= count) return false;
  }
  return false;
}

/** True where the wallet says that the recipient is not among the saved ones. */
async function canBeSaved(order: Order, { api, call }: EffectEnv): Promise<boolean> {
  const { to, rib } = methodOf(order).payee?.again?.(order) ?? {};
  const account = to ?? rib;
  const isChosen = 'beneficiaryId' in order && order.beneficiaryId !== undefined;
  if (account === undefined || isChosen) return false;
  const answer = await isSaved(api, order.from, account, spareCall(call));
  return answer.kind === 'ok' && !answer.value;
}

interface Looked {
  /** Another payment of this wallet is under way. */
  readonly isBusy: boolean;
  /** Every listed operation that could be taken for this payment. */
  readonly before: number[];
  readonly alike: LookAlike[];
}

async function look(order: Order, env: EffectEnv): Promise<Answer<Looked>> {
  const { forMs: alikeMs = LOOK_ALIKE_MS } = methodOf(order).alike;
  const since = env.now() + Math.min(0, env.skewMs()) - alikeMs;
  const answer = await listOperations(env.api, order, new Date(since), env.call);
  if (isUnlisted(answer, order) && env.store.mayLoseWrites()) return UNGUARDED;
  const listed = isUnlisted(answer, order) ? { kind: 'ok' as const, value: NOTHING } : answer;
  if (listed.kind !== 'ok') return listed;
  const { walletDoc: book } = env;
  const alike = alikeName(order);
  const ours = lookAlikes(book, { alike, listed: listedName(order) }, env.now(), alikeMs);
  const { operations, leftOut } = listed.value;
  // One of an unknown status may have moved money: it is asked about, too.
  const theirs = operations.filter((operation) => matches(operation, order) && operation.status <= 2);
  // Known to be something else, which the list alone does not show: another bill, another merchant's code.
  const isOther = (id: number) =>
    book.entries.some(
      (entry) => entry.operationId === id && entry.alike !== alike && !entry.isByList && !entry.isRebuilt,
    );
  return {
    kind: 'ok',
    value: {
      isBusy: isBusy(book, env.now()),
      before: [...operations.map(({ id }) => id), ...leftOut],
      alike: [
        ...ours.map(({ id, at, state }) => ({ id, at, ...(state === 'open' && { open: true }) })),
        // An operation of our own payment is that payment, and no other look-alike. But it may have moved long after
        // the payment.
        ...theirs
          .filter(({ id }) => !isOther(id) && !ours.some((entry) => entry.id === ownerOf(book, id)))
          .map(({ id, at, status }) => ({
            id: String(id),
            at,
            ...(status <= STATUSES.OPEN && { open: true }),
          })),
      ],
    },
  };
}

/** True where the API key lacks the scope for the list of a principal agent's payments. */
export function isUnlisted(answer: Answer<unknown>, { kind }: Pick<Order, 'kind'>): boolean {
  const { ofAgent } = methodOf({ kind });
  return ofAgent === 'principal' && answer.kind === 'refused' && answer.code === 'http403';
}

/** The refusal of a payment that nothing keeps from being sent twice after a failover. It says why. */
export const UNGUARDED = { kind: 'refused', code: SAFETY_CODES.unguarded, description: '' } as const;

/** The list of an order's own kind, where it has one beside the payer's list. */
export function historyOf({ kind }: Pick<Order, 'kind'>): Listing<Order> | undefined {
  const guard: Guard<Order> = methodOf({ kind }).guard;
  return typeof guard === 'object' && 'history' in guard ? guard.history : undefined;
}

/** The operations that a wallet lists for an order, over all pages. */
interface Seen {
  readonly operations: readonly Operation[];
  /** The ids of rows that cannot be read. One of these may be the payment that is looked for. */
  readonly leftOut: readonly number[];
}
const NOTHING: Seen = { operations: [], leftOut: [] };

/** All operations of an order's wallet and type since a moment. Empty for a kind that no list shows. */
export async function listOperations(
  api: HistoryApi,
  order: Order,
  from: Date,
  call: Call,
): Promise<Answer<Seen>> {
  const { type, guard, listed } = methodOf(order);
  const history = historyOf(order);
  if (history) return listAll(history, order, api, from, call);
  if (guard !== 'list') return { kind: 'ok', value: NOTHING };
  const all: Operation[] = [];
  const leftOut: number[] = [];
  for (let page = 1; page <= PAGES_MAX; page++) {
    const types = [type, ...(listed.otherType === undefined ? [] : [listed.otherType])];
    const filter = { types, from, page, pageSize: OPERATIONS_PAGE_SIZE };
    const answer = await api.operations(order.from, filter, call);
    if (answer.kind !== 'ok') return answer;
    const { operations, count, leftOut: odd = [] } = answer.value;
    all.push(...operations);
    leftOut.push(...odd);
    if (all.length + leftOut.length >= count || operations.length + odd.length === 0)
      return { kind: 'ok', value: { operations: all, leftOut } };
  }
  return { kind: 'unknown', why: 'more operations than can be read' };
}

/** All pages of a list since a moment. It begins with the newest, has no count, and its pages may be smaller than we ask for. */
export async function listAll<O>(
  list: Listing<O>,
  order: O,
  api: HistoryApi,
  from: Date,
  call: Call,
): Promise<Answer<Seen>> {
  const operations: Operation[] = [];
  const leftOut: number[] = [];
  for (let page = 1; page <= PAGES_MAX; page++) {
    const answer = await list(order, api, page, call, from);
    if (answer.kind !== 'ok') return answer;
    const { operations: read, leftOut: odd = [] } = answer.value;
    const recent = read.filter(({ at }) => at >= from.getTime());
    operations.push(...recent);
    leftOut.push(...odd);
    if (recent.length + odd.length < PAGE_SIZE_DEFAULT) return { kind: 'ok', value: { operations, leftOut } };
  }
  return { kind: 'unknown', why: 'more operations than can be read' };
}
