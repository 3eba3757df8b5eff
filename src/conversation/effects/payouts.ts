import type {
  PayoutEntry,
  PayoutPlace,
  PayoutRelease,
  PrincipalMark,
} from '../../../machines/kit/effects.ts';
import type { Answer } from '../../wallet/answer.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { abilitiesOf } from '../channel.ts';
import { UNGUARDED } from '../intents/look-alikes.ts';
import { type Batch, changeBatch, listBatches, readBatch, readLines } from '../payouts/batch.ts';
import { giveFile } from '../payouts/give.ts';
import { unguardedIn } from '../payouts/guard.ts';
import { neededFor } from '../payouts/tally.ts';
import { principalOf } from '../session/agent.ts';
import { counter } from '../session/counter.ts';
import { NO_PRINCIPAL, refusalOf } from '../session/safety.ts';
import type { WalletDoc } from '../session/wallet-doc.ts';
import { type EffectEnv, type EffectOf, read } from './effect.ts';

/** Files of one screen. */
const SHOWN_MAX = 8;
/** Files that one number gives in a day. */
const FILES = counter({ name: 'payouts', max: 20, ms: 24 * 3_600_000 });
/** Those that somebody has yet to do something about, or may want to see. */
const SHOWN: ReadonlySet<Batch['state']> = new Set(['checking', 'ready', 'running', 'stopped', 'done']);

/** The files of the principal agent that the customer's number acts for, and its float. */
export const readPayouts: EffectOf<'readPayouts'> = read(
  async ({ wallet, after: asked }, { api, store, walletDoc, served: { cash, formAt }, call, address }) => {
    const code = principalOf(walletDoc, cash.ownAgent);
    if (code === undefined) return NO_PRINCIPAL;
    const account = await api.principalAgent(code, call);
    if (account.kind !== 'ok') return account;
    const all = (await listBatches(store, code)).filter(({ state }) => SHOWN.has(state)).toSorted(order);
    const rest = asked ? all.filter((each) => order(each, asked) > 0) : [];
    const shown = rest.length > 0 ? rest : all;
    const files = await Promise.all(
      shown.slice(0, SHOWN_MAX).map(async (batch) => ({
        ...entryOf(batch, wallet, walletDoc.principal),
        ...(await needsOf(store, batch)),
      })),
    );
    const takesFiles = abilitiesOf(address).opensPages === 'button' && formAt !== undefined;
    const hasMore = shown.length > SHOWN_MAX;
    const after = shown === rest ? asked : undefined;
    return { kind: 'ok', value: { files, after, hasMore, float: account.value.balance, takesFiles } };
  },
);

/** Files that wait for somebody come first, then those that are being paid. Each group has its newest first. */
function order(a: PayoutPlace, b: PayoutPlace): number {
  const group = ({ state }: PayoutPlace) => (state === 'done' ? 2 : state === 'running' ? 1 : 0);
  return group(a) - group(b) || b.at - a.at || a.id.localeCompare(b.id);
}

/** Takes a file as the console does. It moves nothing: another number releases it. */
export const givePayouts: EffectOf<'givePayouts'> = {
  kind: 'guarded',
  claim({ wallet }, _input, env) {
    const refusal = refusalOfNumber(wallet, env);
    return refusal ? { instead: refusal } : FILES.count(wallet, env.at);
  },
  async run({ wallet }, { store, walletDoc, served: { cash }, came, now }) {
    const table = came.table?.take();
    const code = principalOf(walletDoc, cash.ownAgent);
    if (code === undefined) return NO_PRINCIPAL;
    // A photo that was sent to the chat, or a process that has ended with the file in hand.
    if (!table) return { kind: 'none' };
    const outcome = await giveFile({ store, now }, code, { ...table, by: { phone: wallet } });
    if (outcome.kind !== 'given') return outcome;
    const batch = await readBatch(store, outcome.id);
    return batch
      ? { kind: 'ok', value: entryOf(batch, wallet, walletDoc.principal) }
      : { kind: 'unknown', why: 'the file is gone' };
  },
  lost: { kind: 'unknown', why: 'the process that has taken it brings no answer' },
};

/**
 * Lets a file be paid, or continue. The number must act for the agent and must not have given the file itself. The
 * conversation has checked its PIN. A second number finds the file released.
 */
export const releasePayouts: EffectOf<'releasePayouts'> = {
  kind: 'guarded',
  claim({ wallet }, _input, env) {
    const refusal = refusalOfNumber(wallet, env);
    return refusal ? { instead: refusal } : { wallet };
  },
  run: ({ wallet, id, next }, env) => release(env, wallet, { id, next }),
  lost: { kind: 'unknown', why: 'the process that has released it brings no answer' },
};

/** A freeze of payments applies to a number that acts for the agent. The limit on a person's own money does not. */
function refusalOfNumber(
  wallet: WalletDoc,
  context: Pick<EffectEnv, 'address' | 'served'> & { readonly at: number },
) {
  const acts = principalOf(wallet, context.served.cash.ownAgent);
  return acts ? refusalOf(wallet, undefined, context) : NO_PRINCIPAL;
}

async function release(
  { api, store, address, walletDoc, served: { cash }, now }: EffectEnv,
  wallet: Msisdn,
  { id, next }: PayoutRelease,
): Promise<Answer<PayoutEntry> | { kind: 'notNow' } | { kind: 'own' }> {
  const code = principalOf(walletDoc, cash.ownAgent);
  const before = await readBatch(store, id);
  if (code === undefined || before?.code !== code) return NO_PRINCIPAL;
  if (notBy(before, wallet, walletDoc.principal)) return { kind: 'own' };
  if (await unguardedIn({ api, store }, before, await readLines(store, before))) return UNGUARDED;
  const at = now();
  const released = await changeBatch(store, before, at, ({ batch }) => {
    // Only the state that the number has looked at is released.
    const isAsSeen = (batch.state === 'ready' || batch.state === 'stopped') && batch.next === next;
    if (!isAsSeen) return undefined;
    const { why: _over, ...known } = batch;
    return { batch: { ...known, state: 'running', released: { by: wallet, address, at } } };
  });
  return released
    ? { kind: 'ok', value: entryOf(released, wallet, walletDoc.principal) }
    : { kind: 'notNow' };
}

/**
 * The reason why a number may not release a file. As far as we know, the person who gives a file and the person who
 * releases it must be two. In a chat a person is known by the number, at the console by the account, which has no
 * number of its own. So a file from the console waits for a number that another account has named. An administrator who
 * names a number can have named their own, or one that they hold. Its binding takes the agreement of another
 * administrator, but no act of the number's holder.
 */
function notBy(
  { by }: Pick<Batch, 'by'>,
  wallet: Msisdn,
  principal: PrincipalMark | undefined,
): PayoutEntry['notBy'] {
  if ('phone' in by) return by.phone === wallet ? 'giver' : undefined;
  return principal?.bound?.by === by.account ? 'named' : undefined;
}

/** Only a file that waits to be released needs anything, so the lines of other files are not read. */
async function needsOf(store: EffectEnv['store'], batch: Batch): Promise<Pick<PayoutEntry, 'needs'>> {
  if (batch.state !== 'ready' && batch.state !== 'stopped') return {};
  const needs = neededFor(batch, await readLines(store, batch));
  return needs === undefined ? {} : { needs };
}

function entryOf(batch: Batch, wallet: Msisdn, principal: PrincipalMark | undefined): PayoutEntry {
  const { id, fileName, at, state, count, sum, payable, fees, next, why, tally, current } = batch;
  const other = notBy(batch, wallet, principal);
  return {
    ...{ id, fileName, at, state, count, sum, payable, fees, next },
    refused: count - payable.count,
    ...(why && { why }),
    ...(tally && { tally }),
    ...(current?.waitsUntil !== undefined && { waitsUntil: current.waitsUntil }),
    ...(other && { notBy: other }),
  };
}
