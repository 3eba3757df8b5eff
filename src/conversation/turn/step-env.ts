import { abilitiesOf } from '../channel.ts';
import type { Invoked } from '../chart/machines.ts';
import type { Effect, EffectEnv } from '../effects/effect.ts';
import { effectNamed } from '../effects/table.ts';
import { learntIn, type Made } from '../record/record.ts';
import { newPlainRef } from '../record/ref.ts';
import { outcomeOf } from '../record/turn-event.ts';
import { agentOf, principalOf } from '../session/agent.ts';
import { holdsSlot } from '../session/book.ts';
import { languageOf } from '../session/current-screen.ts';
import { returnToken } from '../session/form.ts';
import { wordsNow } from '../session/open-first.ts';
import type { Session } from '../session/session.ts';
import type { Loaded } from '../session/sessions.ts';
import { openForWallet } from '../session/wallet-secret.ts';
import type { Given } from './for-person.ts';
import { leftElsewhere } from './left-elsewhere.ts';
import type { StepEnv } from './thought.ts';
import type { TurnDeps } from './turn-deps.ts';

/** What goes on by a link: on a handset it comes by SMS. */
const BY_LINK = ['card-cash-in', 'card-payment'];

/** After this a guarded or money call gets no answer any more, and the wallet's answer is taken as lost. */
const CALL_MAX_MS = 30_000;

/**
 * What thinking about a session is given: the moment, and the way to run a *read* effect.
 * @param ran where the reads are noted, for the turn record
 * @param signal aborts the reads
 * @param given the file that the input has brought for a person
 */
export function stepEnv(
  deps: TurnDeps,
  loaded: Loaded,
  ran: Made[],
  signal?: () => AbortSignal,
  given?: Given,
): StepEnv {
  const { secrets, advisers, without, identityPage, labelsOf, cash } = deps;
  const opensNone = deps.noSms && abilitiesOf(loaded.address).opensPages === 'sms';
  const now = deps.now();
  return {
    address: loaded.address,
    now,
    secrets,
    labelsOf,
    advisers,
    without: opensNone ? [...without, ...BY_LINK] : without,
    identifies: !opensNone && identityPage() !== undefined,
    busy: loaded.open.some((payment) => holdsSlot(payment, now)),
    isFrozen: loaded.wallet.value.safety?.frozen !== undefined,
    wordsNow: (screen) => wordsNow(screen, loaded),
    begins: deps.begins(),
    isMerchant: () => learntIn(loaded.wallet.value, ran).merchant?.is === true,
    agent: () => agentOf(learntIn(loaded.wallet.value, ran))?.code,
    principal: () => principalOf(learntIn(loaded.wallet.value, ran), cash.ownAgent),
    cannotSend: deps.store.lacksReplicas(loaded.partition),
    given,
    leftElsewhere: (only) => leftElsewhere(deps.sessions, loaded, { now, only }),
    read: async (session, invoked) => {
      const effect = effectNamed(invoked.src);
      if (effect.kind !== 'read') return undefined;
      // A read sees what the reads before it in this turn have learnt.
      const value = learntIn(loaded.wallet.value, ran);
      const known = { ...loaded, wallet: { ...loaded.wallet, value } };
      const env = effectEnv(deps, known, session, newPlainRef(), signal);
      return { output: await runEffect(effect, invoked, env, ran) };
    },
  };
}

/** What one run of an effect can use. `ref` is the id of that run. */
export function effectEnv(
  deps: TurnDeps,
  loaded: Loaded,
  session: Session,
  ref: string,
  signal?: () => AbortSignal,
): EffectEnv {
  const { api, store, secrets, budgets, cases, sendCode, chatAt, formAt, identityPage } = deps;
  const { cash, safety, banks, docTypes, now, skewMs } = deps;
  const { address, partition } = loaded;
  const at = session.suspended ?? session.conversation;
  return {
    api,
    store,
    secrets,
    budgets,
    cases,
    place: at && `${at.machine}.${at.state}`,
    sendCode,
    identityPage: identityPage(),
    cash,
    safety,
    banks,
    address,
    origin: loaded.origin,
    takeCard: () => loaded.card?.take(),
    takeDocument: () => loaded.document?.take(),
    takeTable: () => loaded.table?.take(),
    chat: chatAt(address),
    docTypes,
    backAt: () => formAt && `${formAt}/back/${returnToken(ref, secrets, now())}`,
    formAt,
    partition,
    ref,
    language: languageOf({ ...loaded, session }),
    wallet: session.wallet,
    walletDoc: loaded.wallet.value,
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
