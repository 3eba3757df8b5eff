import { CARDS } from '../../../../machines/kit/screen.ts';
import { ReplicasMissing, StoreDown, type Write } from '../../../store/store.ts';
import type { Msisdn } from '../../../wallet/phone.ts';
import type { Charge } from '../../budgets.ts';
import { caseUpdatesOfTurn } from '../../cases/of-turn.ts';
import { abilitiesOf, canPush } from '../../channel.ts';
import type { Changes } from '../../effects/effect.ts';
import type { Address } from '../../incoming.ts';
import { elsewhereWrites } from '../../intents/elsewhere.ts';
import type { Intent } from '../../intents/intent.ts';
import { createRecord, learntIn, type Made } from '../../record/record.ts';
import type { TurnEvent } from '../../record/turn-event.ts';
import { currentScreen, type ScreenPush, screenMessage } from '../../session/current-screen.ts';
import { withMoment } from '../../session/dated-sentences.ts';
import { withKeypad } from '../../session/keypad.ts';
import { linkChanges, othersNotices } from '../../session/linking.ts';
import { withGone } from '../../session/reference-screens.ts';
import { type ResumeOffer, withoutResumed } from '../../session/resume-offer.ts';
import { enqueue, type Outgoing, type Session } from '../../session/session.ts';
import { type LoadedSession, rewritten, sessionWrite, withWallet } from '../../session/sessions.ts';
import { type WalletDoc, walletWrite } from '../../session/wallet-doc.ts';
import type { TurnDeps } from '../../turn-deps.ts';
import { withPages } from '../read/unread-pages.ts';
import { follow } from '../think/follow.ts';
import { stepEnv } from '../think/step-env.ts';
import type { Thought } from '../think/thought.ts';
import { type ClaimedCall, type ClaimedThought, claimCall, unclaimed } from './claim.ts';

/** The event of a turn, for its record and its messages. */
export interface Cause {
  readonly event: TurnEvent;
  readonly startedAt: number;
  /** Changes that are written together with the session: an answer. */
  readonly changes?: Changes;
  /** Absent: somebody waits for the answer, and the new screen need not be pushed. */
  readonly push?: ScreenPush | undefined;
  /** Messages that follow the new screen: a voucher's code comes after the sentence that announces it. */
  readonly say?: readonly Outgoing[];
  readonly ran?: readonly Made[];
  /** The updates of cases that its cause knows. The others follow from the session. */
  readonly caseUpdates?: Changes['caseUpdates'];
  readonly newOutcomeOf?: Intent | undefined;
}

/** A session as committed, and the call that the commit has claimed: `finish` runs it. */
export interface Committed {
  readonly loaded: LoadedSession;
  readonly call?: ClaimedCall;
  /** The store failed while the claim was written, so that it may be written or not: the call must not be made. */
  readonly isUncertain?: true;
}

/**
 * Writes a thought down: session, timers, turn record, documents of the claimed effect and messages in one commit ("commit
 * before act"). Undefined when somebody else was faster; nothing is written then. What the store has taken is told to those who listen.
 * @param claiming called with the session and its claimed call before they are written
 */
export async function commit(
  deps: TurnDeps,
  before: LoadedSession,
  thought: Thought,
  cause: Cause,
  claiming: (loaded: LoadedSession) => void = () => {},
): Promise<Committed | undefined> {
  const committed = await write(deps, before, thought, cause, claiming);
  const { event, newOutcomeOf } = cause;
  if (committed) deps.took({ event, before, after: committed.loaded, newOutcomeOf: newOutcomeOf?.id });
  return committed;
}

async function write(
  deps: TurnDeps,
  before: LoadedSession,
  thought: Thought,
  cause: Cause,
  claiming: (loaded: LoadedSession) => void,
): Promise<Committed | undefined> {
  const { store, sessions, budgets, now } = deps;
  const { advisers } = deps.served;
  const ran = [...(cause.ran ?? [])];
  const { writes: settled = [], wallet = before.wallet.value, tellsOthers } = cause.changes ?? {};
  const settledCases = cause.changes?.caseUpdates ?? [];
  const claimed = await claimCall(deps, before, wallet, thought, ran);
  const { call } = claimed;
  const session = prepared(deps, before, claimed, cause);
  const { write: sessionChange, after: sessionAfter } = rewritten(before, session);
  const known = before.session.wallet ? learntIn(claimed.wallet, ran) : claimed.wallet;
  const linked = await linkChanges(store, before, session, known, now());
  const resumed = thought.taken && resumedFrom(thought.taken, now());
  const notices = await othersNotices(store, before, linked.wallet, { tellsOthers, now: now() });
  const told = cause.newOutcomeOf
    ? await elsewhereWrites(deps, cause.newOutcomeOf, linked.wallet.linked)
    : [];
  const changed = walletChange(before, linked.wallet);
  const after = { ...sessionAfter, ...changed?.after };
  const { event, startedAt } = cause;
  const { updates, charged } = await caseUpdatesOfTurn(
    { event, before, after },
    { budgets, advisers, at: now() },
  );
  const caseUpdates = [...(cause.caseUpdates ?? []), ...settledCases, ...updates];
  const turn = createRecord({ before, after, event, ran, caseUpdates, startedAt, now: now() });
  const proven = newlyProven(before.session, session);
  if (proven) {
    const loaded = await sessions.move(before, session, proven, turn);
    return loaded ? { loaded } : notWritten(deps, charged);
  }
  const writes = [sessionChange, ...settled, ...claimed.writes, ...linked.writes, ...notices, ...told];
  if (changed) writes.push(changed.write);
  // No such turn freezes, thaws or tells other chats anything, so that nothing else writes that chat.
  if (resumed) writes.push(sessionWrite(resumed));
  if (call) claiming(after);
  const durable = call !== undefined || cause.changes !== undefined;
  const replicated = call?.effect.kind === 'money';
  try {
    const isDone = await store.commit(before.partition, { writes, ...turn, durable, replicated });
    return isDone ? { loaded: after, ...(call && { call }) } : await notWritten(deps, charged);
  } catch (error) {
    if (call?.effect.unsafe === undefined || !(error instanceof StoreDown)) throw error;
    if (error instanceof ReplicasMissing) {
      await notWritten(deps, charged);
      return commitUnclaimed(deps, before, session, call, cause);
    }
    return { loaded: { ...after, wallet: before.wallet, open: before.open }, call, isUncertain: true };
  }
}

/** Somebody else was faster: the turn is tried again, and charged again then. */
async function notWritten({ budgets }: TurnDeps, charged: readonly Charge[]): Promise<undefined> {
  for (const charge of charged) await budgets.giveBack(charge);
}

/** A conversation that goes on here ends there, in the same commit. */
function resumedFrom({ from }: ResumeOffer, now: number): LoadedSession {
  return { ...from, session: withoutResumed(from, now) };
}

/** The session as it is written: with the message that shows its screen, what follows that, and the keypad that the screen needs. */
function prepared(
  deps: TurnDeps,
  loaded: LoadedSession,
  { session: thought, call, wallet }: ClaimedThought,
  { push, say = [] }: Cause,
): Session {
  const { secrets, now } = deps;
  const { address, session: before } = loaded;
  const isNew = thought.screen !== before.screen && !call;
  const sentAt = wallet.entries.find(({ id }) => id === thought.intent)?.at;
  const session = isNew ? withMoment(thought, currentScreen(thought), sentAt ?? now()) : thought;
  const screen = push && isNew ? [screenMessage(session, push, now())] : [];
  const link = isNew ? linkToForm(session, address, now()) : [];
  const { shows, edits } = abilitiesOf(address);
  const kept = edits ? withGone(before, session) : session;
  const isUnseen = push && !push.isShown && isNew && !canPush(address, session, now());
  const seen: Session = isUnseen ? { ...kept, page: 0, unseen: true } : kept;
  const queued = [...screen, ...say, ...link].reduce(enqueue, seen);
  if (shows === 'pages') return call ? queued : withPages(deps, asWritten(loaded, queued, wallet));
  return withKeypad(queued, currentScreen(queued).expects, { address, secrets, now: now() });
}

/** The session with its documents, as they are once it is written. */
function asWritten(before: LoadedSession, session: Session, value: WalletDoc): LoadedSession {
  const after = { ...before, session };
  return value === before.wallet.value ? after : withWallet(after, { ...before.wallet, value });
}

/** Sends the link of a form to the phone where the chat cannot open it: for a card only. */
function linkToForm(session: Session, address: Address, now: number): Outgoing[] {
  if (!CARDS.has(currentScreen(session).expects) || abilitiesOf(address).opensPages !== 'sms') return [];
  const screen = { key: 'card-cash-in.formSms', expects: 'nothing' } as const;
  return [
    { id: `form-${session.screen}`, screen, linksTo: session.screen, money: true, tries: 0, tryAt: now },
  ];
}

/** A money claim that was certainly not written: the conversation goes on as after a payment that was not sent. */
async function commitUnclaimed(
  deps: TurnDeps,
  before: LoadedSession,
  claimedSession: Session,
  call: ClaimedCall,
  cause: Cause,
): Promise<Committed | undefined> {
  const { session, step } = unclaimed(claimedSession, call, deps.now());
  const ran = [...(cause.ran ?? [])];
  const thought = await follow(session, step, stepEnv(deps, before, ran));
  return write(deps, before, thought, { ...cause, ran }, () => {});
}

/** The wallet whose number a turn has proven for the first time: its session moves there. */
function newlyProven(before: Session, { wallet }: Session): Msisdn | undefined {
  return before.wallet === undefined ? wallet : undefined;
}

/** How the wallet's document is written, and the session with it as it is then; undefined where it stays as it is. */
function walletChange(
  before: LoadedSession,
  value: WalletDoc,
): { readonly write: Write; readonly after: Pick<LoadedSession, 'wallet' | 'open'> } | undefined {
  const { wallet } = before.session;
  if (value === before.wallet.value) return undefined;
  if (!wallet) throw new Error('a session without a wallet changes one');
  const write = walletWrite(wallet, before.wallet, value);
  const { wallet: after, open } = withWallet(before, { version: write.next, value });
  return { write, after: { wallet: after, open } };
}
