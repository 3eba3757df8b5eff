import type { PayoutEntry, PayoutRelease } from '../../../machines/kit/effects.ts';
import type { Answer } from '../../wallet/answer.ts';
import { SAFETY_CODES } from '../../wallet/contract/errors.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { type Batch, changeBatch, listBatches, readBatch } from '../payouts/batch.ts';
import { principalOf } from '../session/agent.ts';
import { refusalOf } from '../session/safety.ts';
import type { EffectEnv, EffectOf } from './effect.ts';

/** Files that are shown, the newest first. */
const SHOWN_MAX = 8;
const NO_PRINCIPAL = { kind: 'refused', code: SAFETY_CODES.noPrincipal, description: '' } as const;
/** Those that somebody has yet to do something about, or may want to see. */
const SHOWN: ReadonlySet<Batch['state']> = new Set(['checking', 'ready', 'running', 'stopped', 'done']);

/** The files of the principal agent that the customer's number acts for, and its float. */
export const readPayouts: EffectOf<'readPayouts'> = {
  kind: 'read',
  async run({ wallet }, { api, store, walletDoc, cash, call }) {
    const code = principalOf(walletDoc, cash.ownAgent);
    if (code === undefined) return NO_PRINCIPAL;
    const account = await api.principalAgent(code, call);
    if (account.kind !== 'ok') return account;
    const all = (await listBatches(store, code)).filter(({ state }) => SHOWN.has(state));
    const files = all.slice(0, SHOWN_MAX).map((batch) => entryOf(batch, wallet));
    return { kind: 'ok', value: { files, float: account.value.balance } };
  },
};

/**
 * Lets a file be paid, or go on: by a number that acts for the agent, and has not given the file itself. The conversation has checked its
 * PIN. Who is second finds it done.
 */
export const releasePayouts: EffectOf<'releasePayouts'> = {
  kind: 'guarded',
  claim({ wallet }, _input, { address, at, safety, cash }) {
    if (!principalOf(wallet, cash.ownAgent)) return { instead: NO_PRINCIPAL };
    // Frozen payments are; how much somebody may pay with their own money has no part in it.
    const refusal = refusalOf(wallet, undefined, { address, at, safety });
    return refusal ? { instead: refusal } : { wallet };
  },
  run: ({ wallet, id, next }, env) => release(env, wallet, { id, next }),
  lost: { kind: 'unknown', why: 'the process that has released it brings no answer' },
};

async function release(
  { store, address, walletDoc, cash, now }: EffectEnv,
  wallet: Msisdn,
  { id, next }: PayoutRelease,
): Promise<Answer<PayoutEntry> | { kind: 'notNow' } | { kind: 'own' }> {
  const code = principalOf(walletDoc, cash.ownAgent);
  const before = await readBatch(store, id);
  if (code === undefined || before?.code !== code) return NO_PRINCIPAL;
  if (isOf(before, wallet)) return { kind: 'own' };
  const at = now();
  const released = await changeBatch(store, before, at, ({ batch }) => {
    // What was looked at is what is released.
    const isAsSeen = (batch.state === 'ready' || batch.state === 'stopped') && batch.next === next;
    if (!isAsSeen) return undefined;
    const { why: _over, ...known } = batch;
    return { batch: { ...known, state: 'running', released: { by: wallet, address, at } } };
  });
  return released ? { kind: 'ok', value: entryOf(released, wallet) } : { kind: 'notNow' };
}

function isOf({ by }: Batch, wallet: Msisdn): boolean {
  return 'phone' in by && by.phone === wallet;
}

function entryOf(batch: Batch, wallet: Msisdn): PayoutEntry {
  const { id, fileName, at, state, count, sum, payable, fees, next, why } = batch;
  return {
    ...{ id, fileName, at, state, count, sum, payable, fees, next },
    refused: count - payable.count,
    ...(why && { why }),
    ...(isOf(batch, wallet) && { isOwn: true as const }),
  };
}
