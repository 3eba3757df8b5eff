import { z } from 'zod';
import type { PrincipalMark } from '../../../machines/kit/effects.ts';
import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import { codec, textOf } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import { readDocs, type Update, update } from '../../store/update.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { withoutSecrets } from '../session/talk.ts';
import { type TellDeps, tellWallet } from '../session/tell.ts';
import { walletKey, walletStateOf } from '../session/wallet-doc.ts';
import type { Acted, Agent } from './desk.ts';
import { changeWallet } from './freezing.ts';

/** Numbers that a principal agent has ever had. */
const NUMBERS_MAX = 200;

/** A number that acts for the principal agent, or that somebody has proposed for it. */
export interface BoundNumber extends Pick<PrincipalMark, 'bound' | 'proposal'> {
  readonly phone: Msisdn;
}

/**
 * The numbers that act for the principal agent in chats. One administrator names a number and says why, and another one
 * agrees. Unbinding takes the same two.
 */
export interface Binding {
  numbers(): Promise<readonly BoundNumber[]>;
  /** To bind a number. `notNow`: it is bound, or something is proposed already. */
  proposeBinding(phone: Msisdn, by: Agent, reason: string): Promise<Acted>;
  proposeUnbinding(phone: Msisdn, by: Agent, reason: string): Promise<Acted>;
  /**
   * By a second administrator: the number is bound, or unbound, from now on, and reads so.
   * @param at the `at` of the proposal that they have read
   */
  approveBinding(phone: Msisdn, by: Agent, at: number): Promise<Acted>;
  withdrawBinding(phone: Msisdn, by: Agent): Promise<Acted>;
}

/**
 * The binding itself is in the wallet's own document, where each turn and each payment reads it. This is only a list of
 * the numbers that may have such a mark. It is written first, so that it misses none.
 */
const listCodec = codec<{ readonly numbers: readonly Msisdn[] }>(
  'numbers of a principal agent',
  z.object({ numbers: z.array(textOf<Msisdn>()) }),
);

export function createBinding(deps: TellDeps, code: string): Binding {
  return {
    numbers: () => numbers(deps.store, code),
    proposeBinding: (phone, by, reason) => proposeBinding(deps, code, phone, { by, reason }),
    proposeUnbinding: (phone, by, reason) => proposeUnbinding(deps, code, phone, { by, reason }),
    approveBinding: (phone, by, at) => approve(deps, code, phone, { by, at }),
    withdrawBinding: (phone) => withdraw(deps, code, phone),
  };
}

function listKey(code: string): string {
  return `principal:${code}`;
}

async function numbers(store: Store, code: string): Promise<readonly BoundNumber[]> {
  const key = listKey(code);
  const [doc] = await readDocs(store, partitionOf(key), [key]);
  const all = await Promise.all(
    (listCodec.read(doc)?.numbers ?? []).map(async (phone): Promise<BoundNumber | undefined> => {
      const [walletDoc] = await readDocs(store, partitionOf(phone), [walletKey(phone)]);
      const { principal } = walletStateOf(walletDoc).value;
      if (principal?.code !== code) return undefined;
      const { bound, proposal } = principal;
      return { phone, ...(bound && { bound }), ...(proposal && { proposal }) };
    }),
  );
  return all.filter((each) => each !== undefined);
}

async function proposeBinding(
  { store, now }: TellDeps,
  code: string,
  phone: Msisdn,
  { by, reason }: { readonly by: Agent; readonly reason: string },
): Promise<Acted> {
  if (!(await listed(store, code, phone))) return 'notNow';
  const proposal = { by: by.id, at: now(), reason: withoutSecrets(reason) };
  // One of another principal agent is over: the operator has another code now.
  return changeWallet(store, phone, (doc) =>
    doc.principal?.code === code ? 'notNow' : { ...doc, principal: { code, proposal } },
  );
}

/** False where there are too many numbers already. */
function listed(store: Store, code: string, phone: Msisdn): Promise<boolean> {
  const key = listKey(code);
  return update(store, partitionOf(key), [key], (doc): Update<boolean> => {
    const known = listCodec.read(doc)?.numbers ?? [];
    if (known.includes(phone)) return { result: true };
    if (known.length >= NUMBERS_MAX) return { result: false };
    return { writes: [listCodec.write(doc, { numbers: [...known, phone] })], durable: true, result: true };
  });
}

/** Takes a number off the list of those that a principal agent has ever had. */
export function unlist(store: Store, code: string, phone: Msisdn): Promise<void> {
  const key = listKey(code);
  return update(store, partitionOf(key), [key], (doc): Update<void> => {
    const known = listCodec.read(doc)?.numbers ?? [];
    if (!known.includes(phone)) return { result: undefined };
    const numbers = known.filter((each) => each !== phone);
    return { writes: [listCodec.write(doc, { numbers })], durable: true, result: undefined };
  });
}

function proposeUnbinding(
  { store, now }: TellDeps,
  code: string,
  phone: Msisdn,
  { by, reason }: { readonly by: Agent; readonly reason: string },
): Promise<Acted> {
  const proposal = { by: by.id, at: now(), reason: withoutSecrets(reason) };
  return change(store, code, phone, (mark) =>
    mark.bound && !mark.proposal ? { ...mark, proposal } : 'notNow',
  );
}

function withdraw({ store }: TellDeps, code: string, phone: Msisdn): Promise<Acted> {
  return change(store, code, phone, ({ proposal, ...mark }) => (proposal ? mark.bound && mark : 'notNow'));
}

async function approve(
  deps: TellDeps,
  code: string,
  phone: Msisdn,
  { by, at }: { readonly by: Agent; readonly at: number },
): Promise<Acted> {
  const { store, now } = deps;
  const approvedAt = now();
  let key: SentenceKey = 'principal.bound';
  const acted = await change(store, code, phone, ({ bound, proposal }) => {
    // An administrator approves only the proposal that they have read. It may have been taken back, and another one
    // made.
    if (proposal?.at !== at) return 'notNow';
    if (proposal.by === by.id) return 'sameAgent';
    key = bound ? 'principal.unbound' : 'principal.bound';
    return bound ? undefined : { code, bound: { at: approvedAt, by: proposal.by, approvedBy: by.id } };
  });
  if (acted === 'done') {
    const name = `${key}-${approvedAt}`;
    const screen = { key, values: { code: { code } }, expects: 'nothing' } as const;
    const since = key === 'principal.bound' ? approvedAt : undefined;
    const about = { state: 'principalBound', since } as const;
    await tellWallet(deps, phone, { name, message: { id: name, screen, money: false, about } });
  }
  return acted;
}

/** Changes the mark of a number. Undefined takes it away. */
function change(
  store: Store,
  code: string,
  phone: Msisdn,
  to: (mark: PrincipalMark) => PrincipalMark | undefined | Exclude<Acted, 'done'>,
): Promise<Acted> {
  return changeWallet(store, phone, (doc) => {
    if (doc.principal?.code !== code) return 'notNow';
    const after = to(doc.principal);
    return typeof after === 'string' ? after : { ...doc, principal: after };
  });
}
