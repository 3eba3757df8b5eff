import { known } from '../../../../machines/kit/conversation.ts';
import type { Screen } from '../../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../../machines/kit/sentence-key.ts';
import { PAYMENT_KINDS } from '../../../payments/payments.ts';
import type { KeyedDoc } from '../../../store/codec.ts';
import { abilitiesOf } from '../../channel.ts';
import { answer, type Invoked, lose } from '../../chart/machines.ts';
import { type EffectEnv, requestIn } from '../../effects/effect.ts';
import { effectEnv } from '../../effects/run.ts';
import { effectNamed } from '../../effects/table.ts';
import { hasUnasked, type Paying } from '../../intents/pay.ts';
import type { EventOf, TurnEvent } from '../../record/turn-event.ts';
import { currentScreen, type ScreenPush } from '../../session/current-screen.ts';
import type { Outgoing, Session, Underway } from '../../session/session.ts';
import type { LoadedSession } from '../../session/sessions.ts';
import type { WalletDoc } from '../../session/wallet-doc.ts';
import type { TurnDeps } from '../../turn-deps.ts';
import { type ClaimedCall, docsOf } from '../commit/claim.ts';
import { type Cause, type Committed, commit } from '../commit/commit.ts';
import { follow, toMenu } from '../think/follow.ts';
import { stepEnv } from '../think/step-env.ts';
import type { Thought } from '../think/thought.ts';
import { listening } from './outcome-in-time.ts';

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
  /** The session as the claim has left it. */
  readonly claimed?: Session;
}

/** True for a PIN that the wallet has taken for the balance. */
function opensBalance({ call, output }: HeldAnswer, { conversation }: Session): boolean {
  const isRight = call.invoked.src === 'login' && (output as { kind?: string } | undefined)?.kind === 'ok';
  const { machine, context: { looks } = {} } = conversation ?? {};
  return isRight && (machine === 'balance' || looks === true);
}

/**
 * One attempt to commit an answer together with the next step of its conversation. Undefined when a concurrent commit has won.
 * @param docs the current documents of the effect
 */
export async function settle(
  deps: TurnDeps,
  loaded: LoadedSession,
  docs: readonly KeyedDoc[],
  held: HeldAnswer,
): Promise<Committed | undefined> {
  const { output, cause, caller, claimed } = held;
  const { effect, env, invoked } = held.call;
  const { session } = loaded;
  const isMoney = effect.kind === 'money';
  const { conversation } = session;
  if (!conversation || !isAwaited(session, env)) {
    if (!isMoney || output === undefined) return { loaded };
    // Another process has taken the answer as lost and continued, or the store has lost the claim. This answer is evidence.
    await deps.answeredLate(env.ref, output, { docs: held.call.docs, session: claimed });
    const now = await deps.sessions.load(loaded.address, deps.now());
    // The claim was written again, and its conversation waits for this very answer.
    return isAwaited(now.session, env) ? undefined : { loaded: now };
  }
  const settled: ReturnType<NonNullable<typeof effect.settle>> | undefined =
    output === undefined
      ? undefined
      : (effect.settle?.({ wallet: loaded.wallet.value, docs }, output, env, invoked.input) ?? { output });
  const step = settled
    ? answer(conversation, invoked.id, settled.output, deps.now())
    : lose(conversation, invoked.id, deps.now());
  const { underway: _over, ...before } = session;
  const { asked: _asked, rates: _rates, ...others } = before;
  const rest: Session = {
    ...others,
    ...(settled?.request ?? requestIn(before)),
    ...(session.wallet &&
      opensBalance(held, session) && { viewed: { at: deps.now(), wallet: session.wallet } }),
  };
  const ran = [...(cause.ran ?? [])];
  // The next step reads the wallet's document as this answer leaves it.
  const answered = { ...loaded, wallet: { ...loaded.wallet, value: settled?.wallet ?? loaded.wallet.value } };
  const next = await follow(rest, step, stepEnv(deps, answered, ran));
  const isMade = wasMadeMeanwhile(next.session, answered.wallet.value, deps.now());
  const followed = isMade ? await toMenu(rest, stepEnv(deps, answered, ran)) : next;
  const thought = { ...followed, session: listening(deps, loaded, caller, followed.session) };
  const push = pushOf(isMoney, caller, { ...loaded, session: thought.session });
  const isUnsent = !isMade && needsUnsentMessage(loaded, thought, caller);
  const say = [...(settled?.say ?? []), ...(isUnsent ? [unsentMessage(session, env)] : [])];
  const changes = settled && { changes: settled };
  const settling = isUnsent ? { ...thought, session: withoutUnsent(thought.session) } : thought;
  const { newOutcomeOf } = settled ?? {};
  return commit(deps, loaded, settling, { ...cause, ran, push, say, newOutcomeOf, ...changes });
}

function isAwaited({ underway, conversation }: Session, { ref }: EffectEnv): boolean {
  return underway?.ref === ref && conversation !== undefined;
}

/** These sentences say that the payment that is asked for was not sent. */
const SAYS_UNSENT: ReadonlySet<string> = new Set<SentenceKey>([
  ...PAYMENT_KINDS.map((kind) => `${kind}.notSent` as const),
  'pay.pinLost',
]);

/**
 * True where a conversation would say “not sent”, while the book has a payment just like it that the conversation does not know. A store
 * that lost its last writes has forgotten the claim. A webhook or the sending process has written it down again.
 */
function wasMadeMeanwhile(session: Session, wallet: WalletDoc, at: number): boolean {
  const { key, notice } = currentScreen(session);
  const { order, quote } = (session.conversation?.context ?? {}) as Partial<Paying>;
  const saysUnsent = SAYS_UNSENT.has(key) || (notice !== undefined && SAYS_UNSENT.has(notice.key));
  return saysUnsent && order !== undefined && quote !== undefined && hasUnasked(wallet, order, quote, at);
}

/** Ends a call whose process has died: its answer is taken as lost, once. Undefined when a concurrent commit has won. */
export async function settleLost(
  deps: TurnDeps,
  loaded: LoadedSession,
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
  { address, session }: Pick<LoadedSession, 'address' | 'session'>,
): ScreenPush | undefined {
  if (isLate()) return { money };
  // The outcome of a payment is a message as well: the reply that tells it may be lost, or may have been sent already.
  if (!money || !session.conversation?.ended) return undefined;
  // A chat that has shown the reply does not show it again. On USSD it waits for the next dial, except for a receipt: its
  // essential lines are sent at once, because the file cannot be shown there.
  const isShown = !abilitiesOf(address).keepsShown;
  return { money, isShown, isSent: !isShown || currentScreen(session).document !== undefined };
}

/**
 * True when a USSD session has ended with "if your PIN is right, your payment will be sent", and the payment is not sent: the
 * customer must be told. A chat shows the current screen instead.
 */
function needsUnsentMessage(
  { address, session }: LoadedSession,
  { call }: Thought,
  { isLate }: Caller,
): boolean {
  const wasChecking = currentScreen(session).key === 'pay.checkingPin';
  return !abilitiesOf(address).keepsShown && isLate() && wasChecking && call === undefined;
}

/** A message says already that nothing was sent: the screen that waits only says why. */
function withoutUnsent(session: Session): Session {
  const { conversation } = session;
  if (!conversation || currentScreen(session).notice?.key !== 'pay.pinLost') return session;
  const context = { ...conversation.context, notice: { key: 'pin.lost' } as const };
  return { ...session, conversation: { ...conversation, context } };
}

/** It is read later than the PIN was given, and must not be taken for another payment of that amount. */
function unsentMessage(before: Session, { ref, now }: EffectEnv): Outgoing {
  const { order } = (before.conversation?.context ?? {}) as Partial<Paying>;
  const values = { ...currentScreen(before).values, at: { date: before.at } };
  const screen: Screen = { key: `${known(order).kind}.notSentAt`, values, expects: 'nothing' };
  return { id: `unsent-${ref}`, screen, money: true, topic: 'outcome', tries: 0, tryAt: now() };
}
