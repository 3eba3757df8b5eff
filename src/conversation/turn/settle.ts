import type { Screen } from '../../../machines/kit/screen.ts';
import type { KeyedDoc } from '../../store/codec.ts';
import { abilitiesOf } from '../channel.ts';
import { answer, type Invoked, lose } from '../chart/machines.ts';
import type { EffectEnv } from '../effects/effect.ts';
import { effectNamed } from '../effects/table.ts';
import type { EventOf, TurnEvent } from '../record/turn-event.ts';
import { currentScreen, type ScreenPush } from '../session/current-screen.ts';
import { momentFor } from '../session/said-later.ts';
import type { Outgoing, Session, Underway } from '../session/session.ts';
import type { Loaded } from '../session/sessions.ts';
import { type ClaimedCall, docsOf } from './claim.ts';
import { type Cause, type Committed, commit } from './commit.ts';
import { follow } from './follow.ts';
import { listening } from './outcome-in-time.ts';
import { effectEnv, stepEnv } from './step-env.ts';
import type { Thought } from './thought.ts';
import type { TurnDeps } from './turn-deps.ts';

/** The channel that has called `receive`, and whether it still waits for the screen that follows. */
export interface Caller {
  /** True once it does not: the new screen is pushed. */
  readonly isLate: () => boolean;
}
export const NO_CALLER: Caller = { isLate: () => true };
export const CALLER_WAITS: Caller = { isLate: () => false };

/** The answer to a call, held by this process until it is stored. */
export interface HeldAnswer {
  readonly call: ClaimedCall;
  /** Undefined when the answer is not known. */
  readonly output: unknown;
  readonly cause: Cause;
  readonly caller: Caller;
}

/**
 * One attempt to commit an answer together with the next step of its conversation. Undefined when a concurrent commit has won.
 * @param docs the current documents of the effect
 */
export async function settle(
  deps: TurnDeps,
  loaded: Loaded,
  docs: readonly KeyedDoc[],
  held: HeldAnswer,
): Promise<Committed | undefined> {
  const { output, cause, caller } = held;
  const { effect, env, invoked } = held.call;
  const { session } = loaded;
  const isMoney = effect.kind === 'money';
  if (session.underway?.ref !== env.ref || !session.conversation) {
    if (!isMoney || output === undefined) return { loaded };
    // Another process has taken the answer as lost and continued, or the store has lost the claim. This answer is evidence.
    await deps.answeredLate(env.ref, output, held.call.docs);
    return { loaded: await deps.sessions.load(loaded.address, deps.now()) };
  }
  const settled =
    output === undefined
      ? undefined
      : (effect.settle?.({ wallet: loaded.wallet.value, docs }, output, env) ?? { output });
  const step = settled
    ? answer(session.conversation, invoked.id, settled.output, deps.now())
    : lose(session.conversation, invoked.id, deps.now());
  const { underway: _over, ...rest } = session;
  const ran = [...(cause.ran ?? [])];
  // What follows reads the wallet's document as this answer leaves it.
  const answered = { ...loaded, wallet: { ...loaded.wallet, value: settled?.wallet ?? loaded.wallet.value } };
  const followed = await follow(rest, step, stepEnv(deps, answered, ran));
  const thought = { ...followed, session: listening(deps, loaded, caller, followed.session) };
  const push = pushOf(isMoney, caller, { ...loaded, session: thought.session });
  const isUnsent = needsUnsentMessage(loaded, thought, caller);
  const say = [...(settled?.say ?? []), ...(isUnsent ? [unsentMessage(session, env)] : [])];
  const changes = settled && { changes: settled };
  const next = isUnsent ? { ...thought, session: withoutUnsent(thought.session) } : thought;
  const done = await commit(deps, loaded, next, { ...cause, ran, push, say, ...changes });
  if (done && settled?.newsOf) deps.background.add(deps.tellElsewhere(settled.newsOf), 'outcome elsewhere');
  return done;
}

/** Ends a call whose process has died: its answer is taken as lost, once. Undefined when a concurrent commit has won. */
export async function settleLost(
  deps: TurnDeps,
  loaded: Loaded,
  { src, id, ref }: Underway,
): Promise<Committed | undefined> {
  const effect = effectNamed(src);
  const env = effectEnv(deps, loaded, loaded.session, ref);
  const docs = await docsOf(deps, loaded, effect, env);
  const call: ClaimedCall = { effect, env, docs, invoked: { id, src, input: undefined } };
  const cause = { event: callEnd(call.invoked, 'lost'), startedAt: deps.now() };
  return settle(deps, loaded, docs, { call, output: effect.lost, cause, caller: NO_CALLER });
}

/** The event in the turn record for a call that has ended. */
export function callEnd({ src }: Invoked, end: EventOf<'call'>['end']): TurnEvent {
  return { kind: 'call', effect: src, end };
}

/** How the new screen is pushed once a call is settled; undefined when the reply shows it. */
function pushOf(
  money: boolean,
  { isLate }: Caller,
  { address, session }: Pick<Loaded, 'address' | 'session'>,
): ScreenPush | undefined {
  if (isLate()) return { money };
  // The outcome of a payment is a message as well: the reply that tells it may be lost, or may have been sent already.
  if (!money || !session.conversation?.ended) return undefined;
  // A chat that has shown the reply does not show it again. On USSD it waits for the next dial, except for a receipt: its
  // essential lines are sent at once, because the file cannot be shown there.
  const isHeld = abilitiesOf(address).pushes === 'never' && !currentScreen(session).document;
  return { money, isHeld };
}

/**
 * True when a USSD session has ended with "if your PIN is right, your payment will be sent", and the payment is not sent: the
 * customer must be told. A chat shows the current screen instead.
 */
function needsUnsentMessage({ address, session }: Loaded, { call }: Thought, { isLate }: Caller): boolean {
  const wasChecking = currentScreen(session).key === 'pay.checkingPin';
  return abilitiesOf(address).pushes === 'never' && isLate() && wasChecking && call === undefined;
}

/** That nothing was sent is a message then: the screen that waits says why, and not once more that. */
function withoutUnsent(session: Session): Session {
  const { conversation } = session;
  if (!conversation || currentScreen(session).notice?.key !== 'pay.pinLost') return session;
  const context = { ...conversation.context, notice: { key: 'pin.lost' } as const };
  return { ...session, conversation: { ...conversation, context } };
}

function unsentMessage(before: Session, { ref, now }: EffectEnv): Outgoing {
  const { values } = currentScreen(before);
  const screen: Screen = { key: 'pay.notSent', ...(values && { values }), expects: 'nothing' };
  const at = now();
  return { id: `unsent-${ref}`, screen, money: true, tries: 0, tryAt: at, ...momentFor(screen, at) };
}
