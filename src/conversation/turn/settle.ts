import type { Screen } from '../../../machines/kit/screen.ts';
import type { KeyedDoc } from '../../store/codec.ts';
import { abilitiesOf } from '../channel.ts';
import { answer, type Invoked, lose } from '../chart/machines.ts';
import type { EffectEnv } from '../effects/effect.ts';
import { effectNamed } from '../effects/table.ts';
import type { EventOf, TurnEvent } from '../record/turn-event.ts';
import { currentScreen, type ScreenPush } from '../session/current-screen.ts';
import type { Outgoing, Session, Underway } from '../session/session.ts';
import type { Loaded } from '../session/sessions.ts';
import { type ClaimedCall, docsOf } from './claim.ts';
import { type Cause, type Committed, commit } from './commit.ts';
import { follow } from './follow.ts';
import { effectEnv, surroundings } from './surroundings.ts';
import type { Thought } from './thought.ts';
import type { TurnDeps } from './turn-deps.ts';

/** Whether somebody still waits for the screen that a call leads to. */
export interface Audience {
  /** True once nobody does: the new screen is pushed. */
  readonly isLate: () => boolean;
}
export const NOBODY: Audience = { isLate: () => true };
export const SOMEBODY: Audience = { isLate: () => false };

/** An answer that this process holds, and what is made of it. */
export interface HeldAnswer {
  readonly call: ClaimedCall;
  /** Undefined: nobody knows it. */
  readonly output: unknown;
  readonly cause: Cause;
  readonly audience: Audience;
}

/**
 * One try to write an answer down together with what its conversation makes of it. Undefined when somebody else was faster.
 * @param docs the effect's documents as they are now
 */
export async function settle(
  deps: TurnDeps,
  loaded: Loaded,
  docs: readonly KeyedDoc[],
  held: HeldAnswer,
): Promise<Committed | undefined> {
  const { output, cause, audience } = held;
  const { effect, env, invoked } = held.call;
  const { session } = loaded;
  const isMoney = effect.kind === 'money';
  if (session.underway?.ref !== env.ref || !session.conversation) {
    if (!isMoney || output === undefined) return { loaded };
    // Another process has declared the answer lost and gone on, or the store has lost the claim. What this one knows is true.
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
  const thought = await follow(rest, step, surroundings(deps, loaded, ran));
  const push = pushOf(isMoney, audience, { ...loaded, session: thought.session });
  const unsent = needsUnsentMessage(loaded, thought, audience) ? [unsentMessage(session, env)] : [];
  const say = [...(settled?.say ?? []), ...unsent];
  const changes = settled && { changes: settled };
  const done = await commit(deps, loaded, thought, { ...cause, ran, push, say, ...changes });
  if (done && settled?.newsOf) deps.background.add(deps.tellElsewhere(settled.newsOf), 'outcome elsewhere');
  return done;
}

/** Ends a call whose process has died: its answer is taken as lost, once. Undefined when somebody else was faster. */
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
  return settle(deps, loaded, docs, { call, output: effect.lost, cause, audience: NOBODY });
}

/** What the turn record says of a call that has ended. */
export function callEnd({ src }: Invoked, end: EventOf<'call'>['end']): TurnEvent {
  return { kind: 'call', effect: src, end };
}

/** How the new screen is pushed once a call is settled; undefined where its reply shows it. */
function pushOf(
  money: boolean,
  { isLate }: Audience,
  { address, session }: Pick<Loaded, 'address' | 'session'>,
): ScreenPush | undefined {
  if (isLate()) return { money };
  // How a payment ended is a message as well: the reply that says it may be lost, or may have been given before.
  if (!money || !session.conversation?.ended) return undefined;
  // A chat that has shown the reply is not shown it again. Elsewhere it waits for the next dial, but for a receipt: who
  // cannot be handed the file gets its essential lines at once.
  const isHeld = abilitiesOf(address).pushes === 'never' && !currentScreen(session).document;
  return { money, isHeld };
}

/**
 * True where a handset's session has ended with "if your PIN is right, your payment goes out", and it does not: the customer
 * reads that, too. A chat shows the current screen instead.
 */
function needsUnsentMessage({ address, session }: Loaded, { call }: Thought, { isLate }: Audience): boolean {
  const wasChecking = currentScreen(session).key === 'pay.checkingPin';
  return abilitiesOf(address).pushes === 'never' && isLate() && wasChecking && call === undefined;
}

function unsentMessage(before: Session, { ref, now }: EffectEnv): Outgoing {
  const { values } = currentScreen(before);
  const screen: Screen = { key: 'pay.notSent', ...(values && { values }), expects: 'nothing' };
  return { id: `unsent-${ref}`, screen, money: true, tries: 0, tryAt: now() };
}
