import { claimOf } from '../../../machines/kit/claims.ts';
import type { Screen, Sentence } from '../../../machines/kit/screen.ts';
import type { Sealed } from '../../../machines/kit/secret.ts';
import type { KeyedDoc } from '../../store/codec.ts';
import { ReplicasMissing, type Store, StoreDown, type Write } from '../../store/store.ts';
import { readDocs } from '../../store/update.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import type { Background } from '../background.ts';
import { abilitiesOf, ownWallet } from '../channel.ts';
import { answer, type Invoked, lose } from '../chart/machines.ts';
import type { Effect, EffectEnv, SendCode } from '../effects/effect.ts';
import { effectNamed } from '../effects/table.ts';
import type { Address } from '../incoming.ts';
import { bookCodec, bookKey, holdsSlot, type OpenPayment, openIn } from '../intents/book.ts';
import type { Secrets } from '../secrets.ts';
import { enqueue, type Outgoing, type Session, type Underway } from '../session/session.ts';
import { type createSessions, type Loaded, sessionWrite } from '../session/sessions.ts';
import { linkWrites } from '../session/wallet-doc.ts';
import { sealAnswer } from './held-answer.ts';
import { withKeypad } from './keypad.ts';
import { createRecord, type Ran } from './record.ts';
import { newRef } from './ref.ts';
import { currentScreen, follow, languageOf, type Surroundings, type Thought } from './think.ts';
import { type EventOf, outcomeOf, type TurnEvent } from './turn-event.ts';

/** After this a guarded or money call gets no answer any more, and the wallet's answer is taken as lost. */
const CALL_MAX_MS = 30_000;
/** How long the process that runs a call is waited for: longer than the call can take. */
const UNDERWAY_MS = 45_000;
/** How long the process that holds an answer of the wallet tries to write it down, however the store does. */
const ANSWER_KEPT_MS = 10 * 60_000;
/** The same of any other call: what follows from a right PIN must not begin long after it was typed. */
const GUARDED_KEPT_MS = 10_000;
/** Waits between those tries; the last one is repeated. */
export const ANSWER_BACKOFF_MS = [100, 300, 1_000, 2_000, 5_000] as const;
/** A process that has just committed a message delivers it itself; another one takes over after this. */
const DELIVERY_LEASE_MS = 10_000;

export interface WorkOptions {
  readonly store: Store;
  readonly api: Wallet;
  readonly secrets: Secrets;
  readonly sendCode: SendCode;
  /** Customers can ask for a support agent. */
  readonly advisers?: boolean | undefined;
  readonly now: () => number;
  /** The name of this process, new at every start. */
  readonly by: string;
  readonly onError: (error: unknown, where: string) => void;
  readonly background: Background;
  /** Adds an answer that came too late for its conversation to what is known of its payment. */
  readonly answeredLate: (ref: string, output: unknown) => Promise<void>;
  /** Told of an answer that could not be written down in time: sealed, for `open-answer` of the support command. */
  readonly answerLost: (lost: { readonly ref: string; readonly sealed: Sealed }) => void;
}

/** A call that this process has claimed and must now run. */
export interface Running {
  readonly effect: Effect<unknown>;
  readonly invoked: Invoked;
  readonly env: EffectEnv;
  readonly docs: readonly KeyedDoc[];
}

/** A session as committed, and the call that the commit claimed. */
export interface Committed {
  readonly loaded: Loaded;
  readonly running?: Running;
}

/** What happened, for the turn record and for what is pushed. */
export interface Cause {
  readonly event: TurnEvent;
  readonly startedAt: number;
  /** Documents that change together with the session. */
  readonly writes?: readonly Write[];
  /**
   * Nobody waits for the answer: the new screen is pushed. `money`: it may cost an SMS. `isHeld`: somebody does, and
   * it only waits for the customer to come back.
   */
  readonly push?: { readonly money: boolean; readonly isHeld?: boolean };
  readonly ran?: readonly Ran[];
}

/** An answer that this process holds, and what is made of it. `output` undefined: nobody knows it. */
interface Held {
  readonly running: Running;
  readonly output: unknown;
  readonly cause: Cause;
  readonly audience: Audience;
}

/** Who waits for what a call leads to. */
export interface Audience {
  readonly isLate: () => boolean;
}
export const NOBODY: Audience = { isLate: () => true };
const SOMEBODY: Audience = { isLate: () => false };

/** The steps that every turn is made of: think, claim, commit, run, settle (design rule 4). */
export function createWork(options: WorkOptions, sessions: ReturnType<typeof createSessions>) {
  const { store, now } = options;
  /** What this process has begun to send and has no stored answer of: known even while the store is down. */
  const sending = new Map<string, OpenPayment & Pick<EffectEnv, 'address' | 'wallet'>>();
  let isStopping = false;

  return {
    surroundings,
    commit,
    runAll,
    lost,
    /** What this process is sending now that the customer at this address has asked for, here or elsewhere. */
    sendingFor: (address: Address): OpenPayment[] =>
      [...sending.values()].filter((each) => each.address === address || each.wallet === ownWallet(address)),
    /** The process ends: what the store does not take now is given up. */
    stop(): void {
      isStopping = true;
    },
  };

  function surroundings(loaded: Loaded, ran: Ran[], signal?: AbortSignal): Surroundings {
    return {
      address: loaded.address,
      now: now(),
      secrets: options.secrets,
      advisers: options.advisers ?? false,
      busy: loaded.open.some((payment) => holdsSlot(payment, now())),
      read: async (session, invoked) => {
        const effect = effectNamed(invoked.src);
        if (effect.kind !== 'read') return undefined;
        const env = effectEnv(loaded, session, newRef(loaded.partition, options.secrets), signal);
        return { output: await timed(effect, invoked, env, ran) };
      },
    };
  }

  /**
   * Writes a thought down: session, timers, turn record, documents of the claimed effect and messages in one commit.
   * Undefined when somebody else was faster; nothing is written then.
   * @param claiming told, before it is written, of the session with the call that this commit claims
   */
  async function commit(
    before: Loaded,
    first: Thought,
    cause: Cause,
    claiming: (loaded: Loaded) => void = () => {},
  ): Promise<Committed | undefined> {
    const ran = [...(cause.ran ?? [])];
    const claimed = await claim(before, first, ran);
    let session = claimed.session;
    if (cause.push && session.screen !== before.session.screen && !claimed.running) {
      session = enqueue(session, screenPush(session, cause.push, now()));
    }
    session = withKeypad(session, currentScreen(session).expects, {
      address: before.address,
      secrets: options.secrets,
      now: now(),
    });
    const rewritten = sessionWrite({ ...before, session });
    const written = [...(cause.writes ?? []), ...(claimed.writes ?? [])];
    const open = openAmong(before, [...claimed.docs, ...written]);
    const after: Loaded = { ...before, session, version: rewritten.next, open };
    const turn = createRecord({
      before,
      after,
      event: cause.event,
      ran,
      startedAt: cause.startedAt,
      now: now(),
    });
    const moves =
      session.wallet && session.wallet !== before.session.wallet && before.session.wallet === undefined;
    if (moves && session.wallet) {
      const loaded = await sessions.move(before, session, session.wallet, turn);
      return loaded && { loaded };
    }
    const writes = [rewritten, ...written, ...(await linkWrites(store, before, session, now()))];
    const { running } = claimed;
    if (running) claiming(after);
    const durable = running !== undefined || cause.writes !== undefined;
    const replicated = running?.effect.kind === 'money';
    try {
      if (!(await store.commit(before.partition, { writes, turn, durable, replicated }))) return undefined;
    } catch (error) {
      if (running?.effect.unsafe === undefined || !(error instanceof StoreDown)) throw error;
      if (error instanceof ReplicasMissing) return unclaimed(before, session, running, cause);
      return notSafely({ ...after, open: before.open }, running);
    }
    return { loaded: after, ...(running && { running }) };
  }

  /** A claim of money that was not written: the conversation goes on as after a payment that was not sent. */
  async function unclaimed(before: Loaded, claimed: Session, { effect, invoked }: Running, cause: Cause) {
    const { rest, step } = unmade(claimed, { effect, invoked });
    const ran = [...(cause.ran ?? [])];
    return commit(before, await follow(rest, step, surroundings(before, ran)), { ...cause, ran });
  }

  /**
   * A claim of money whose commit failed is not acted on, whether it was written or not: nothing is sent, and nobody else
   * ever sends it. The customer is told so at once; where the claim was written after all, now or later, that is settled.
   */
  async function notSafely(claimed: Loaded, running: Running): Promise<Committed> {
    const settled = await settleUnmade(claimed.address, running).catch((error) => {
      if (error instanceof StoreDown) return undefined;
      throw error;
    });
    if (settled) return settled;
    void watchUnmade(claimed.address, running).catch((error) =>
      options.onError(error, 'claim without a call'),
    );
    const { rest, step } = unmade(claimed.session, running);
    return { loaded: { ...claimed, session: { ...rest, conversation: step.conversation } } };
  }

  /** A session whose claimed call was not made, and what its conversation makes of that. */
  function unmade(claimed: Session, { effect, invoked }: Pick<Running, 'effect' | 'invoked'>) {
    const { underway: _unmade, intent: _none, conversation, ...rest } = claimed;
    if (!conversation) throw new Error(`${invoked.src} was asked for by no conversation`);
    return { rest, step: answer(conversation, invoked.id, effect.unsafe, now()) };
  }

  /** Settles a claim whose call was never made. Undefined where the store knows no such claim. */
  async function settleUnmade(address: Address, running: Running): Promise<Committed | undefined> {
    const { loaded, docs } = await reload(address, running);
    if (loaded.session.underway?.ref !== running.env.ref) return undefined;
    const cause = { event: callEnd(running.invoked, 'not-stored'), startedAt: now() };
    return settleOnce(loaded, docs, { running, output: running.effect.unsafe, cause, audience: SOMEBODY });
  }

  /** A store that has stood still may write a claim long after it was given up. */
  async function watchUnmade(address: Address, running: Running): Promise<void> {
    for (let tries = 0; !isStopping && now() - running.env.at < ANSWER_KEPT_MS; tries++) {
      await pause(tries);
      const settled = await settleUnmade(address, running).catch(() => undefined);
      if (settled) return;
    }
  }

  function pause(tries: number): Promise<void> {
    const ms = ANSWER_BACKOFF_MS[Math.min(tries, ANSWER_BACKOFF_MS.length - 1)];
    return new Promise((resolve) => {
      setTimeout(resolve, ms).unref?.();
    });
  }

  /** Takes the call that the thought waits for, or answers it at once where it need not be made. */
  async function claim(before: Loaded, first: Thought, ran: Ran[]) {
    let thought = first;
    const seen: KeyedDoc[] = [];
    while (thought.call) {
      const { session, call: invoked } = thought;
      const effect = effectNamed(invoked.src);
      const ref = newRef(before.partition, options.secrets);
      const env = effectEnv(before, session, ref);
      const docs = await readDocs(store, before.partition, effect.keys?.(env) ?? []);
      seen.push(...docs);
      const taken = effect.claim?.(docs, invoked.input, env) ?? { writes: [] };
      if ('writes' in taken) {
        const underway = {
          id: invoked.id,
          src: invoked.src,
          ref,
          by: options.by,
          until: now() + UNDERWAY_MS,
        };
        return {
          session: { ...session, underway, ...(effect.kind === 'money' && { intent: ref }) },
          docs: seen,
          writes: taken.writes,
          running: { effect, invoked, env, docs: written(docs, taken.writes) },
        };
      }
      if (!session.conversation) throw new Error(`${invoked.src} was asked for by no conversation`);
      const step = answer(session.conversation, invoked.id, taken.instead, now());
      thought = await follow(session, step, surroundings(before, ran));
    }
    return { session: thought.session, docs: seen };
  }

  /**
   * Runs what was claimed, tells the conversation the answer, and so on until nothing is running. `reached` hears how
   * far it has come: somebody may be waiting no longer.
   */
  async function runAll(
    first: Committed,
    audience: Audience,
    reached: (loaded: Loaded) => void = () => {},
  ): Promise<Loaded> {
    let committed = first;
    while (committed.running) {
      reached(committed.loaded);
      const { running } = committed;
      committed = await runOne(committed.loaded, running, audience);
    }
    return committed.loaded;
  }

  async function runOne(loaded: Loaded, running: Running, audience: Audience): Promise<Committed> {
    const { effect, invoked, env } = running;
    const startedAt = now();
    const ran: Ran[] = [];
    const { address, wallet, ref } = env;
    if (effect.kind === 'money') {
      const says = sentenceOf(currentScreen(loaded.session));
      sending.set(ref, { id: ref, at: env.at, address, wallet, says });
    }
    try {
      const output = await timed(effect, invoked, env, ran).catch(() => effect.lost);
      const cause = { event: callEnd(invoked, 'answered'), startedAt, ran };
      const settled = await settleHeld(loaded, { running, output, cause, audience });
      const { noted } = effect;
      // For support only: that it cannot be noted now changes nothing about the payment.
      if (noted)
        options.background.add(
          noted(invoked.input, output, env).catch(() => {}),
          'names',
        );
      return settled;
    } finally {
      sending.delete(ref);
    }
  }

  /**
   * Writes an answer down as long as it takes: a store that stands still, or is full, must not cost a customer the answer
   * that this process holds. At the limit an answer about money is logged, sealed; any other is lost, and nothing follows it.
   */
  async function settleHeld(first: Loaded, held: Held): Promise<Committed> {
    const isMoney = held.running.effect.kind === 'money';
    const until = now() + (isMoney ? ANSWER_KEPT_MS : GUARDED_KEPT_MS);
    let known: { loaded: Loaded; docs: readonly KeyedDoc[] } | undefined = {
      loaded: first,
      docs: held.running.docs,
    };
    for (let tries = 0; ; tries++) {
      try {
        known ??= await reload(first.address, held.running);
        const done = await settleOnce(known.loaded, known.docs, held);
        if (done) return done;
        tries = -1;
      } catch (error) {
        if (!(error instanceof StoreDown)) throw error;
        if (!isStopping) await pause(tries);
        if (isStopping || now() > until) {
          if (isMoney) giveUp(held);
          throw error;
        }
      }
      known = undefined;
    }
  }

  function giveUp({ running: { env }, output }: Held): void {
    const sealed = sealAnswer(options.secrets, env.ref, output, now());
    options.answerLost({ ref: env.ref, sealed });
  }

  async function reload(address: Address, { effect, env }: Running) {
    const loaded = await sessions.load(address, now());
    const docs = await readDocs(store, loaded.partition, effect.keys?.(env) ?? []);
    return { loaded, docs };
  }

  /** One try to write an answer and what its conversation makes of it; undefined when somebody was in between. */
  async function settleOnce(
    loaded: Loaded,
    docs: readonly KeyedDoc[],
    { running: { effect, env, invoked }, output, cause, audience }: Held,
  ): Promise<Committed | undefined> {
    const { session } = loaded;
    if (session.underway?.ref !== env.ref || !session.conversation) {
      // Another process has declared the answer lost and gone on. What this one knows is still true.
      if (effect.kind === 'money' && output !== undefined) await options.answeredLate(env.ref, output);
      return { loaded };
    }
    const settled =
      output === undefined
        ? undefined
        : (effect.settle?.(docs, output, env) ?? { writes: [], output, say: [] });
    const step = settled
      ? answer(session.conversation, invoked.id, settled.output, now())
      : lose(session.conversation, invoked.id, now());
    const { underway: _over, ...rest } = session;
    const ran = [...(cause.ran ?? [])];
    const thought = await follow(rest, step, surroundings(loaded, ran));
    const push = pushOf(effect.kind === 'money', audience, { ...loaded, session: thought.session });
    const isOwed = abilitiesOf(loaded.address).pushes === 'never' && isLateLogin(session, thought, audience);
    const unsent = isOwed ? [unsentMessage(session, env)] : [];
    const said = [...(settled?.say ?? []), ...unsent].reduce(enqueue, thought.session);
    return commit(
      loaded,
      { ...thought, session: said },
      { ...cause, ran, ...(settled && { writes: settled.writes }), ...(push && { push }) },
    );
  }

  /** Ends a call whose process has died: its answer is taken as lost, once. */
  async function lost(loaded: Loaded, { src, id, ref }: Underway): Promise<Loaded> {
    const effect = effectNamed(src);
    const env = effectEnv(loaded, loaded.session, ref);
    const docs = await readDocs(store, loaded.partition, effect.keys?.(env) ?? []);
    const running = { effect, env, docs, invoked: { id, src, input: undefined } };
    const cause = { event: callEnd(running.invoked, 'lost'), startedAt: now() };
    const held = { running, output: effect.lost, cause, audience: NOBODY };
    const settled = await settleOnce(loaded, docs, held);
    return settled ? runAll(settled, NOBODY) : sessions.load(loaded.address, now());
  }

  function effectEnv(loaded: Loaded, session: Session, ref: string, signal?: AbortSignal): EffectEnv {
    const { address, partition } = loaded;
    return {
      api: options.api,
      store,
      secrets: options.secrets,
      sendCode: options.sendCode,
      address,
      partition,
      ref,
      language: languageOf({ ...loaded, session }),
      wallet: session.wallet,
      get call() {
        return { requestId: ref, signal: signal ?? AbortSignal.timeout(CALL_MAX_MS) };
      },
      at: now(),
      now,
      open: (sealed) => options.secrets.open(sealed, address, now()) || undefined,
    };
  }

  async function timed(effect: Effect<unknown>, { src, input }: Invoked, env: EffectEnv, ran: Ran[]) {
    const startedAt = now();
    const output = await effect.run(input, env);
    ran.push({ effect: src, ref: env.ref, ms: now() - startedAt, outcome: outcomeOf(output) });
    return output;
  }
}

function callEnd({ src }: Invoked, end: EventOf<'call'>['end']): TurnEvent {
  return { kind: 'call', effect: src, end };
}

/**
 * A handset's session has ended with "if your PIN is right, your payment goes out", and it does not: the customer is owed
 * that, too. A chat is shown the screen that stands instead.
 */
function isLateLogin(before: Session, { call }: Thought, { isLate }: Audience): boolean {
  const { key } = currentScreen(before);
  return isLate() && key === 'pay.checkingPin' && call === undefined;
}

function unsentMessage(before: Session, { ref, now }: EffectEnv): Outgoing {
  const { values } = currentScreen(before);
  const screen: Screen = { key: 'pay.notSent', ...(values && { values }), expects: 'nothing' };
  return { id: `unsent-${ref}`, screen, money: true, tries: 0, tryAt: now() };
}

function sentenceOf({ key, values }: Screen): Sentence {
  return { key, ...(values && { values }) };
}

/** What of a settled call is said beside the reply, and how. */
function pushOf(
  money: boolean,
  { isLate }: Audience,
  { address, session }: Pick<Loaded, 'address' | 'session'>,
): Cause['push'] {
  if (isLate()) return { money };
  // How a payment ended is also held: the reply that says it may be lost.
  if (!money || !session.conversation?.ended) return undefined;
  // A receipt goes out at once: who cannot be handed the file gets its essential lines.
  return { money, isHeld: abilitiesOf(address).takesFiles || !currentScreen(session).document };
}

/** The payments that are open once these documents stand: the wallet's book may be among them, the newest last. */
function openAmong(
  { open, session }: Loaded,
  docs: readonly Pick<Write, 'key' | 'value'>[],
): readonly OpenPayment[] {
  const key = session.wallet && bookKey(session.wallet);
  const book = docs.findLast((doc) => doc.key === key && doc.value);
  return book?.value ? openIn(bookCodec.parse(book.key, book.value)) : open;
}

/** The documents as the claim left them. */
function written(docs: readonly KeyedDoc[], writes: readonly Write[]): KeyedDoc[] {
  return docs.map((doc) => {
    const write = writes.find(({ key }) => key === doc.key);
    return write
      ? {
          key: doc.key,
          version: write.value === null ? 0 : (write.next ?? doc.version + 1),
          value: write.value ?? '',
        }
      : doc;
  });
}

export function screenPush(session: Session, { money, isHeld }: NonNullable<Cause['push']>, now: number) {
  const screen: Screen = currentScreen(session);
  return {
    id: `screen-${session.screen}`,
    screen,
    screenId: session.screen,
    // That a payment is open is said from the wallet's book: it costs no SMS, and is not kept until it is untrue.
    money: money && claimOf(screen.key) !== 'open',
    tries: 0,
    ...(money && session.intent !== undefined && { intent: session.intent }),
    ...(!isHeld && { tryAt: now + DELIVERY_LEASE_MS }),
  };
}

export type Work = ReturnType<typeof createWork>;
