import type { KeyedDoc } from '../../../store/codec.ts';
import type { Write } from '../../../store/store.ts';
import { readDocs } from '../../../store/update.ts';
import { answer, type Invoked, type Step } from '../../chart/machines.ts';
import type { Changes, Effect, EffectEnv } from '../../effects/effect.ts';
import { effectEnv } from '../../effects/run.ts';
import { effectNamed } from '../../effects/table.ts';
import type { Made } from '../../record/record.ts';
import { newPlainRef, newRef } from '../../record/ref.ts';
import type { Session } from '../../session/session.ts';
import type { LoadedSession } from '../../session/sessions.ts';
import type { WalletDoc } from '../../session/wallet-doc.ts';
import type { TurnDeps } from '../../turn-deps.ts';
import { follow } from '../think/follow.ts';
import { stepEnv } from '../think/step-env.ts';
import type { Thought } from '../think/thought.ts';

/** How long the process that runs a call is waited for: longer than the call can take. */
const UNDERWAY_MS = 45_000;

/** A call that this process has claimed. */
export interface ClaimedCall {
  readonly effect: Effect<unknown>;
  readonly invoked: Invoked;
  readonly env: EffectEnv;
  /** The effect's documents, as the claim leaves them. */
  readonly docs: readonly KeyedDoc[];
}

/** The parts of a thought to commit, once its call has been claimed, or answered without being made. */
export interface ClaimedThought {
  readonly session: Session;
  /** The wallet's document as it becomes. */
  readonly wallet: WalletDoc;
  readonly writes: readonly Write[];
  /** Absent where the conversation waits for no call. */
  readonly call?: ClaimedCall;
}

/**
 * Claims the call that a thought waits for, or answers it at once where it need not be made. Writes nothing yet.
 * @param wallet the wallet's document as the same commit leaves it otherwise
 */
export async function claimCall(
  deps: TurnDeps,
  before: LoadedSession,
  wallet: WalletDoc,
  first: Thought,
  ran: Made[],
): Promise<ClaimedThought> {
  let thought = first;
  while (thought.call) {
    const { session, call: invoked } = thought;
    const effect = effectNamed(invoked.src);
    // One that leaves documents is found again by its id.
    const ref = effect.keys ? newRef(before.partition, deps.secrets) : newPlainRef();
    const env = effectEnv(deps, before, session, ref);
    const docs = (effect.keys?.(env) ?? []).map((key) => ({ key, version: 0, value: '' }));
    const taken: Changes | { readonly instead: unknown } =
      effect.claim?.({ wallet, docs }, invoked.input, env) ?? {};
    if (!('instead' in taken)) {
      const { writes = [] } = taken;
      const call = { effect, invoked, env, docs: written(docs, writes) };
      return { session: claimed(deps, session, call), wallet: taken.wallet ?? wallet, writes, call };
    }
    const step = answered(session, invoked, taken.instead, deps.now());
    thought = await follow(session, step, stepEnv(deps, before, ran));
  }
  return { session: thought.session, wallet, writes: [] };
}

/** The session whose call was claimed and is not made, and what its conversation makes of the answer for that. */
export function unclaimed(
  claimedSession: Session,
  { effect, invoked }: Pick<ClaimedCall, 'effect' | 'invoked'>,
  now: number,
): { readonly session: Session; readonly step: Step } {
  const { underway: _notMade, intent: _none, ...session } = claimedSession;
  return { session, step: answered(session, invoked, effect.unsafe, now) };
}

/** The documents of an effect's own, as they are now. */
export function docsOf(
  { store }: Pick<TurnDeps, 'store'>,
  { partition }: Pick<LoadedSession, 'partition'>,
  effect: Effect<unknown>,
  env: EffectEnv,
): Promise<readonly KeyedDoc[]> {
  return readDocs(store, partition, effect.keys?.(env) ?? []);
}

function claimed(
  { process: { by }, now }: TurnDeps,
  session: Session,
  { effect, invoked, env: { ref } }: ClaimedCall,
) {
  const { id, src } = invoked;
  const underway = { id, src, ref, by, until: now() + UNDERWAY_MS };
  return { ...session, underway, ...(effect.kind === 'money' && { intent: ref }) };
}

function answered({ conversation }: Session, { id, src }: Invoked, output: unknown, now: number): Step {
  if (!conversation) throw new Error(`${src} was asked for by no conversation`);
  return answer(conversation, id, output, now);
}

/** The documents as the claim leaves them. */
function written(docs: readonly KeyedDoc[], writes: readonly Write[]): KeyedDoc[] {
  return docs.map((doc) => {
    const write = writes.find(({ key }) => key === doc.key);
    if (!write) return doc;
    const version = write.value === null ? 0 : (write.next ?? doc.version + 1);
    return { key: doc.key, version, value: write.value ?? '' };
  });
}
