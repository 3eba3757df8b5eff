import type { Invoked } from '../chart/machines.ts';
import type { Made } from '../record/record.ts';
import { outcomeOf } from '../record/turn-event.ts';
import { languageOf } from '../session/current-screen.ts';
import { returnToken } from '../session/form.ts';
import { mayView, type Session } from '../session/session.ts';
import type { LoadedSession } from '../session/sessions.ts';
import { openForWallet } from '../session/wallet-secret.ts';
import type { TurnDeps } from '../turn-deps.ts';
import { type Effect, type EffectEnv, requestOf } from './effect.ts';

/** After this a guarded or money call gets no answer any more, and the wallet's answer is taken as lost. */
const CALL_MAX_MS = 30_000;

/** The environment of one run of an effect. `ref` is the id of that run. */
export function effectEnv(
  deps: TurnDeps,
  loaded: LoadedSession,
  session: Session,
  ref: string,
  signal?: () => AbortSignal,
): EffectEnv {
  const { api, store, secrets, budgets, sendCode, chatAt, served, now, skewMs } = deps;
  const { address, partition } = loaded;
  const at = session.suspended ?? session.conversation;
  return {
    api,
    store,
    secrets,
    budgets,
    place: at && `${at.machine}.${at.state}`,
    sendCode,
    served,
    address,
    came: loaded,
    takeCard: () => loaded.card?.take(),
    chat: chatAt(address),
    backAt: () => served.formAt && `${served.formAt}/back/${returnToken(ref, secrets, now())}`,
    partition,
    ref,
    language: languageOf({ ...loaded, session }),
    request: requestOf({ session, wallet: loaded.wallet }),
    wallet: session.wallet,
    isLinked: session.linked ?? false,
    walletDoc: loaded.wallet.value,
    mayView: mayView(session, now()),
    // No getter: one in a literal is made anew with each object, which costs more than all else here. The deadline of a claimed
    // call begins when it is made, not when it is claimed.
    call: signal ? { requestId: ref, signal: signal() } : { requestId: ref, timeoutMs: CALL_MAX_MS },
    at: now(),
    now,
    skewMs,
    open: (sealed) => secrets.open(sealed, address, now()) || undefined,
    openKept: (sealed) => session.wallet && openForWallet(secrets, sealed, session.wallet, now()),
  };
}

/** Runs an effect once, and notes for the turn record how long it took and how it was answered. */
export async function runEffect(
  effect: Effect<unknown>,
  { src, input }: Invoked,
  env: EffectEnv,
  ran: Made[],
): Promise<unknown> {
  const startedAt = env.now();
  const output = await effect.run(input, env);
  ran.push(made(effect, { src, input }, env, startedAt, output));
  return output;
}

/** By itself: V8 translates a difference of two times in an asynchronous function over and over (Node 24). */
function made(
  effect: Effect<unknown>,
  { src, input }: Pick<Invoked, 'src' | 'input'>,
  env: EffectEnv,
  startedAt: number,
  output: unknown,
): Made {
  const learnt = effect.learnt?.(output, input, env);
  const ms = env.now() - startedAt;
  return { effect: src, ref: env.ref, ms, outcome: outcomeOf(output), ...(learnt && { learnt }) };
}
