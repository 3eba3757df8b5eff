import { StoreDown } from '../../../store/store.ts';
import type { Address } from '../../incoming.ts';
import type { LoadedSession } from '../../session/sessions.ts';
import type { TurnDeps } from '../../turn-deps.ts';
import { type ClaimedCall, docsOf, unclaimed } from '../commit/claim.ts';
import type { Committed } from '../commit/commit.ts';
import { ANSWER_KEPT_MS, pause, sealAnswer } from './keep-answer.ts';
import { CALLER_WAITS, callEnd, type HeldAnswer, settle } from './settle.ts';

/** How long any other answer than one about money is tried to be written down: what follows from a right PIN must not begin long after it was typed. */
const GUARDED_KEPT_MS = 10_000;
/**
 * Tries to write an answer down for as long as it takes. A store that does not respond, or is full, must not cost a customer the answer that this
 * process holds. At the limit an answer about money is logged, sealed; any other is lost, and nothing follows it. Rejects with the last `StoreDown`
 * then.
 * @param first the session with the claim, as this process has committed it
 */
export async function settleUntilStored(
  deps: TurnDeps,
  first: LoadedSession,
  answer: HeldAnswer,
): Promise<Committed> {
  const held = { ...answer, claimed: first.session };
  const isMoney = held.call.effect.kind === 'money';
  const until = deps.now() + (isMoney ? ANSWER_KEPT_MS : GUARDED_KEPT_MS);
  let done = await settled(deps, held, first.address, first);
  for (let failures = 0; ; ) {
    if (done instanceof StoreDown) {
      await pause(deps, failures++);
      if (deps.stopping.aborted || deps.now() > until) {
        if (isMoney) giveUp(deps, held);
        throw done;
      }
    } else if (done) return done;
    else failures = 0;
    done = await settled(deps, held, first.address);
  }
}

/** One try: undefined when somebody else was faster, the error when the store takes nothing. */
async function settled(
  deps: TurnDeps,
  held: HeldAnswer,
  address: Address,
  known?: LoadedSession,
): Promise<Committed | StoreDown | undefined> {
  const { call } = held;
  try {
    if (known) return await settle(deps, known, call.docs, held);
    const loaded = await deps.sessions.load(address, deps.now());
    return await settle(deps, loaded, await docsOf(deps, loaded, call.effect, call.env), held);
  } catch (error) {
    if (error instanceof StoreDown) return error;
    throw error;
  }
}

function giveUp({ secrets, now, answerLost }: TurnDeps, { call: { env }, output }: HeldAnswer): void {
  answerLost({ ref: env.ref, sealed: sealAnswer(secrets, env.ref, output, now()) });
}

/**
 * A money claim whose commit failed is not acted on, whether it was written or not: nothing is sent, and nobody else ever
 * sends it. The customer reads so at once; where the claim was written after all, now or later, that is settled.
 * @param claimed the session with the claim, as it was to be written
 */
export async function settleUncertainClaim(
  deps: TurnDeps,
  claimed: LoadedSession,
  call: ClaimedCall,
): Promise<Committed> {
  const done = await settleUnsent(deps, claimed.address, call).catch((error) => {
    if (error instanceof StoreDown) return undefined;
    throw error;
  });
  if (done) return done;
  void watchUncertainClaim(deps, claimed.address, call).catch((error) =>
    deps.onError(error, 'A claim was written for a payment that was not sent'),
  );
  const { session, step } = unclaimed(claimed.session, call, deps.now());
  return { loaded: { ...claimed, session: { ...session, conversation: step.conversation } } };
}

/** A store that did not respond may write a claim long after it was given up. */
async function watchUncertainClaim(deps: TurnDeps, address: Address, call: ClaimedCall): Promise<void> {
  const until = call.env.at + ANSWER_KEPT_MS;
  for (let tries = 0; !deps.stopping.aborted && deps.now() < until; tries++) {
    await pause(deps, tries);
    if (await settleUnsent(deps, address, call).catch(() => undefined)) return;
  }
}

/** Settles a claim whose call was never made. Undefined where the store knows no such claim. */
async function settleUnsent(
  deps: TurnDeps,
  address: Address,
  call: ClaimedCall,
): Promise<Committed | undefined> {
  const { effect, env, invoked } = call;
  const loaded = await deps.sessions.load(address, deps.now());
  const docs = await docsOf(deps, loaded, effect, env);
  // Another process may have taken the answer as lost meanwhile: that nothing was sent is evidence then.
  const [own] = docs;
  if (loaded.session.underway?.ref !== env.ref && !own?.version) return undefined;
  const cause = { event: callEnd(invoked, 'not-stored'), startedAt: deps.now() };
  return settle(deps, loaded, docs, { call, output: effect.unsafe, cause, caller: CALLER_WAITS });
}
