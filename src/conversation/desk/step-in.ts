import { createHash, randomUUID } from 'node:crypto';
import type { Document, Screen, Sentence } from '../../../machines/kit/screen.ts';
import { lookAtAdvisersPdf } from '../../pdf/in-thread.ts';
import { partitionOf } from '../../store/partition.ts';
import { OVERTAKEN, readDocs, untilCommitted } from '../../store/update.ts';
import { fileTypeOf } from '../../wallet/file-types.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Case, CaseReceiver, Handler } from '../cases/case.ts';
import type { Cases } from '../cases/cases.ts';
import type { CaseActed } from '../cases/changes.ts';
import { type CaseUpdate, caseUpdate } from '../cases/update.ts';
import { abilitiesOf, canPush } from '../channel.ts';
import { isUnfinished, mainConversation } from '../chart/main-conversation.ts';
import { takeHelpBack } from '../effects/ask-for-person.ts';
import { requestOf } from '../effects/effect.ts';
import type { Address } from '../incoming.ts';
import type { AgentAct } from '../record/turn-event.ts';
import { AGENT_FILE_MAX_BYTES, keepFile } from '../session/agent-file.ts';
import { addressesOf } from '../session/linking.ts';
import { readSentFile } from '../session/sent-file.ts';
import { enqueue, hasRoom, type Outgoing, type Owner, type Session } from '../session/session.ts';
import type { LoadedSession } from '../session/sessions.ts';
import { changed, OWNER_LEASE_MS, SAME_WORDS_MS, withoutSecrets } from '../session/talk.ts';
import { forgetRequest, keepRequest, walletKey, walletStateOf } from '../session/wallet-doc.ts';
import { catchUp } from '../turn/catch-up.ts';
import { type Cause, commit } from '../turn/commit/commit.ts';
import { finish } from '../turn/finish/finish.ts';
import { NO_CALLER } from '../turn/finish/settle.ts';
import { goOn, open, toMenu } from '../turn/think/follow.ts';
import { stepEnv } from '../turn/think/step-env.ts';
import type { Thought } from '../turn/think/thought.ts';
import type { TurnDeps } from '../turn-deps.ts';
import type { Acted, Agent, DeskStepIn, FileRefused } from './desk.ts';
import { whenAway } from './reading.ts';

/** Enough to compare one agent's last message with their next one. */
const DIGEST_CHARACTERS = 16;

/**
 * The acts of support agents in a conversation. Each act is one commit like a turn's, with the agent's name in its
 * record. None of them can answer for the customer.
 */
interface StepInDeps {
  readonly turns: TurnDeps;
  readonly cases: Cases;
  /** Delivers a session's new messages. */
  readonly push: (loaded: LoadedSession) => void;
}

export function createStepIn(deps: StepInDeps): DeskStepIn {
  return {
    takeOver: (address, by, isForced) => takeOver(deps, address, by, isForced),
    renew: (address, by) => renew(deps, address, by),
    write: (address, by, text) => write(deps, address, by, text),
    sendFile: (address, by, bytes) => sendFile(deps, address, by, bytes),
    sentFile: (address, id) => readSentFile(deps.turns, address, id),
    handBack: (address, by) => handBack(deps, address, by),
    nudge: (address, by) => nudge(deps, address, by),
    toMenu: (address, by) => backToMenu(deps, address, by),
    end: (address, by) => end(deps, address, by),
    answered: (address, by) => answered(deps, address, by),
    closeCase: (id, by, note) => closeCase(deps, id, by, note),
    reopenCase: (id, by) => reopenCase(deps, id, by),
    giveCase: (id, to, by) => giveCase(deps, id, to, by),
    snoozeCase: (id, until, by) => snoozeCase(deps, id, until, by),
    tellRevealed: (address, by) => tellRevealed(deps, address, by),
  };
}

/** The change of a session by an agent's act, or why the act cannot be done. */
interface Change {
  readonly thought: Thought;
  /** The customer is shown the screen. */
  readonly shows?: true;
  /** Its updates of cases. */
  readonly caseUpdates?: readonly CaseUpdate[];
}
type Decide = (loaded: LoadedSession) => Promise<Change | Exclude<Acted, 'done'>>;

async function takeOver(deps: StepInDeps, address: Address, by: Agent, isForced = false): Promise<Acted> {
  const { store, now } = deps.turns;
  const update = caseUpdate(now(), { what: 'engaged', address, by, isForced });
  return act(deps, address, by, 'takeOver', async ({ session }) => {
    if (session.owner?.id === by.id) return unshown(renewed(session, session.owner, now()));
    if (session.owner && !isForced) return 'owned';
    const owner = { ...by, since: now(), until: now() + OWNER_LEASE_MS };
    // The request for a person is done with once one has come.
    await takeHelpBack(store, address);
    return { ...withNewScreen({ ...session, owner }), caseUpdates: [update] };
  });
}

async function renew({ turns }: StepInDeps, address: Address, by: Agent): ReturnType<DeskStepIn['renew']> {
  const { sessions, now } = turns;
  const written = await sessions.update(address, now, ({ session }) => {
    const { owner } = session;
    const isTheirs = owner?.id === by.id && owner.until > now();
    return isTheirs ? { session: renewed(session, owner, now()) } : undefined;
  });
  return written ? 'done' : 'notOwner';
}

async function write(deps: StepInDeps, address: Address, by: Agent, text: string): Promise<Acted> {
  // A secret that an agent repeats is neither sent nor kept.
  const said = withoutSecrets(text.trim());
  const values = { agent: { name: by.name }, text: { text: said, byAgent: true } } as const;
  return says(deps, address, by, 'write', said, said ? { key: 'support.message', values } : undefined);
}

async function sendFile(
  deps: StepInDeps,
  address: Address,
  by: Agent,
  bytes: Uint8Array,
): Promise<Acted | FileRefused> {
  const { turns } = deps;
  if (!abilitiesOf(address).takesFiles) return 'noFiles';
  if (bytes.length > AGENT_FILE_MAX_BYTES) return 'fileSize';
  const type = fileTypeOf(bytes);
  if (!type) return 'fileKind';
  const look = type === 'application/pdf' ? await lookAtAdvisersPdf(bytes, by.id) : 'pages';
  if (look !== 'pages') return look === 'active' ? 'filePdf' : 'notNow';
  const { session } = await turns.sessions.load(address, turns.now());
  if (session.owner?.id !== by.id) return 'notOwner';
  const document = { kind: 'agent-file', id: await keepFile(turns, address, { type, bytes }) } as const;
  const key = type === 'application/pdf' ? 'support.document' : 'support.picture';
  return says(deps, address, by, 'sendFile', bytes, { key, values: { agent: { name: by.name } } }, document);
}

/**
 * Sends an agent's words, or a file, to the customer. The same once more within `SAME_WORDS_MS` is not sent: the commit
 * that sends it notes it.
 * @param what the words or the file's bytes, by which a repetition is known
 * @param sentence absent: there is nothing to say
 */
async function says(
  deps: StepInDeps,
  address: Address,
  by: Agent,
  did: AgentAct,
  what: string | Uint8Array,
  sentence: Sentence | undefined,
  document?: Document,
): Promise<Acted> {
  const { cases } = deps;
  const { now } = deps.turns;
  const digest = createHash('sha256').update(what).digest('base64url').slice(0, DIGEST_CHARACTERS);
  const it = await cases.at(address).catch(whenAway);
  return act(deps, address, by, did, async (loaded) => {
    const { session } = loaded;
    const { wallet } = session;
    const { asked } = requestOf(loaded);
    if (session.owner?.id !== by.id) return 'notOwner';
    const { sent } = session.owner;
    if (sent?.digest === digest && now() - sent.at < SAME_WORDS_MS) return 'again';
    if (!sentence || !hasRoom(session)) return 'notNow';
    const about = it?.id ?? asked?.case;
    const rates = about !== undefined && { rates: { case: about, at: now() } };
    const owner = { ...session.owner, sent: { digest, at: now() } };
    const after = { ...renewed(session, owner, now()), ...rates };
    const update = caseUpdate(now(), {
      what: 'answered',
      address,
      ...(wallet && { wallet }),
      by: { id: by.id, name: by.name },
    });
    const said = withMessage(after, { ...sentence, ...(document && { document }) }, now());
    return { ...unshown(said), caseUpdates: [update] };
  });
}

function handBack(deps: StepInDeps, address: Address, by: Agent): Promise<Acted> {
  return act(deps, address, by, 'handBack', async (loaded) => {
    if (loaded.session.owner?.id !== by.id) return 'notOwner';
    return { thought: await goOn(loaded.session, stepEnv(deps.turns, loaded, [])), shows: true };
  });
}

function nudge(deps: StepInDeps, address: Address, by: Agent): Promise<Acted> {
  return act(deps, address, by, 'nudge', async ({ session }) => {
    if (session.owner) return session.owner.id === by.id ? 'notNow' : 'owned';
    // Without a conversation there is no screen.
    const isShowable = session.conversation && canPush(address, session, deps.turns.now());
    return isShowable ? withNewScreen(session) : 'notNow';
  });
}

function backToMenu(deps: StepInDeps, address: Address, by: Agent): Promise<Acted> {
  return act(deps, address, by, 'toMenu', async (loaded) => {
    const { owner, ...session } = loaded.session;
    if (owner && owner.id !== by.id) return 'owned';
    const env = stepEnv(deps.turns, loaded, []);
    const thought = owner
      ? await goOn(loaded.session, env, 'menu')
      : await toMenu(session, env, { key: 'support.atMenu' });
    return { thought, shows: true };
  });
}

function end(deps: StepInDeps, address: Address, by: Agent): Promise<Acted> {
  return act(deps, address, by, 'end', async ({ session }) => {
    const { owner, conversation, suspended: _too, viewed: _before, ...rest } = session;
    if (owner && owner.id !== by.id) return 'owned';
    if (!owner && !conversation) return 'notNow';
    return unshown(withMessage(rest, { key: 'support.ended' }, deps.turns.now()));
  });
}

/** The records may not have its case yet, or be away: then the commit says that it is solved. */
async function answered(deps: StepInDeps, address: Address, by: Agent): Promise<Acted> {
  const { store, now } = deps.turns;
  const found = await deps.cases.at(address).catch(whenAway);
  const solved = caseUpdate(now(), { what: 'solved', kind: 'asked', subject: address, by: by.id });
  let isTaken = false;
  let over: { readonly case: string; readonly wallet: Msisdn | undefined } | undefined;
  const acted = await act(deps, address, by, 'answered', async (loaded) => {
    isTaken ||= await takeHelpBack(store, address);
    if (!isTaken) return 'notNow';
    const { asked: _here, ...rest } = loaded.session;
    const { asked } = requestOf(loaded);
    if (found || !asked) return unshown(loaded.session);
    over = { case: asked.case, wallet: rest.wallet };
    return { ...unshown({ ...rest, rates: { case: asked.case, at: now() } }), caseUpdates: [solved] };
  });
  if (acted === 'done' && found) await closeCase(deps, found.id, by);
  if (acted === 'done' && over?.wallet) await forgetRequest(store, over.wallet, over.case);
  return acted;
}

async function closeCase(
  deps: StepInDeps,
  id: string,
  by: Agent & Handler,
  note?: string,
): Promise<CaseActed> {
  const { cases } = deps;
  const it = await cases.find(id);
  const isTalk = await isTalkAbout(cases, it);
  const acted = await cases.close(id, 'solved', by, note);
  if (acted === 'done' && it) await forgetClosed(deps, it);
  const isAbout = it?.kind === 'asked' || (it?.kind === 'stuck' && it.firstAnswerAt !== undefined);
  if (acted === 'done' && isAbout && it?.address) await ask(deps, it.address, by, it, isTalk);
  return acted;
}

/** The customer's request is forgotten once its case, or the one in which that goes on, is closed. */
async function forgetClosed({ turns: { store }, cases }: StepInDeps, { id, wallet }: Case): Promise<void> {
  if (!wallet) return;
  const [doc] = await readDocs(store, partitionOf(wallet), [walletKey(wallet)]);
  const { asked } = walletStateOf(doc).value;
  const isIt = asked?.case === id || (asked && (await cases.find(asked.case))?.mergedInto === id);
  if (asked && isIt) await forgetRequest(store, wallet, asked.case);
}

/** Its customer who asks again is told of this case, and opens no other one. */
async function reopenCase({ turns, cases }: StepInDeps, id: string, by: Agent): Promise<CaseActed> {
  const acted = await cases.reopen(id, by.id);
  const it = acted === 'done' ? await cases.find(id) : undefined;
  if (it?.kind === 'asked' && it.wallet && it.address)
    await keepRequest(turns.store, it.wallet, { at: turns.now(), case: id, address: it.address });
  return acted;
}

async function giveCase(
  deps: StepInDeps,
  id: string,
  to: CaseReceiver,
  by: Agent & Handler,
): Promise<CaseActed> {
  const { cases } = deps;
  const it = await cases.find(id);
  const isTalk = await isTalkAbout(cases, it);
  const acted = await ('agent' in to ? cases.assign(id, to.agent, by) : cases.toTeam(id, to.team, by));
  if (acted !== 'done' || !it?.address || !isTalk) return acted;
  // Both would wait for the other: the customer is told to wait, and the agent who has answered was waiting for them.
  if ((await leave(deps, it.address, by, it, to)) === 'done')
    await cases.setWaiting(id, false, { id: by.id, mayTake: true });
  return acted;
}

/**
 * The bot resumes where the former owner of a case, or the agent who gives it away, was talking in its conversation.
 * The customer is told that another agent has the case. They are asked for a rating once it is over. Nothing changes
 * where neither of them was talking.
 */
async function leave(
  deps: StepInDeps,
  address: Address,
  by: Agent,
  it: Case,
  to: CaseReceiver,
): Promise<Acted> {
  const { now } = deps.turns;
  let isLeft = false;
  const acted = await act(deps, address, by, 'giveCase', async (loaded) => {
    const { rates, ...session } = loaded.session;
    const isGivenAway = session.owner?.id !== ('agent' in to ? to.agent.id : undefined);
    isLeft = isGivenAway && isTheirTalk(session, it, by);
    if (!isLeft) return rates?.case === it.id ? unshown(session) : 'notNow';
    const thought = await goOn(session, stepEnv(deps.turns, loaded, []), undefined, false);
    const informed = withMessage(thought.session, { key: 'support.passedOn' }, now());
    return { thought: { ...thought, session: informed }, shows: true };
  });
  return isLeft ? acted : 'notNow';
}

/** True where the agent who takes over talks about this case: the more important one of several. */
async function isTalkAbout(cases: Cases, it: Case | undefined): Promise<boolean> {
  return it?.address !== undefined && (await cases.at(it.address))?.id === it.id;
}

/** True if the agent who has taken the conversation over owns its case, or does this act with it. */
function isTheirTalk({ owner }: Session, it: Case, by: Agent): boolean {
  return owner !== undefined && (owner.id === by.id || owner.id === it.owner?.id);
}

/**
 * A session notes that something about its customer is put off, so turns look for cases only where there is one. The
 * notes come first: a customer who writes between them and the snooze has written before it.
 */
async function snoozeCase(
  { turns, cases }: StepInDeps,
  id: string,
  until: number | 'customer',
  by: Handler,
): Promise<CaseActed> {
  const { sessions, store, now } = turns;
  const { address, wallet } = (await cases.find(id)) ?? {};
  const places = new Set([
    ...(address ? [address] : []),
    ...(wallet ? await addressesOf(store, wallet) : []),
  ]);
  for (const place of places)
    await sessions.update(place, now, ({ session, version }) =>
      version === 0 || session.snoozed ? undefined : { session: { ...session, snoozed: true } },
    );
  return cases.snooze(id, until, by);
}

/**
 * Asks the customer to rate a case: at once where they are at the menu of a chat, else when they next are. The owner of
 * the case, or the agent who closes it, talks to them about it. That talk ends with the case, however it was closed.
 * @param isTalk the conversation is about this case
 */
function ask(deps: StepInDeps, address: Address, by: Agent, it: Case, isTalk: boolean): Promise<Acted> {
  const { now } = deps.turns;
  return act(deps, address, by, 'closeCase', async (loaded) => {
    const { asked: _done, ...known } = loaded.session;
    const rated: Session = { ...known, rates: { case: it.id, at: now() } };
    if (isTalk && isTheirTalk(rated, it, by))
      return { thought: await goOn(rated, stepEnv(deps.turns, loaded, [])), shows: true };
    const { conversation, ...session } = rated;
    const main = conversation && mainConversation(loaded.session);
    const isBusy = session.owner !== undefined || (main !== undefined && isUnfinished(main));
    if (isBusy || !canPush(address, session, now()))
      return unshown({ ...session, ...(conversation && { conversation }) });
    const waits = main && !main.ended ? { suspended: main } : {};
    const thought = await open(
      { ...session, ...waits },
      'rating',
      { case: it.id },
      stepEnv(deps.turns, loaded, []),
    );
    return { thought, shows: true };
  });
}

function tellRevealed(deps: StepInDeps, address: Address, by: Agent): Promise<Acted> {
  return act(deps, address, by, 'tellRevealed', async ({ session }) =>
    hasRoom(session)
      ? unshown(withMessage(session, { key: 'support.revealed' }, deps.turns.now()))
      : 'notNow',
  );
}

/** One act, again until nobody was in between. */
async function act(
  { turns, cases, push }: StepInDeps,
  address: Address,
  by: Agent,
  did: AgentAct,
  decide: Decide,
): Promise<Acted> {
  return untilCommitted(async () => {
    const startedAt = turns.now();
    const loaded = await catchUp(turns, await turns.sessions.load(address, turns.now()));
    if (loaded.version === 0) return 'notFound';
    if (loaded.session.underway) return 'busy';
    const change = await decide(loaded);
    if (typeof change === 'string') return change;
    const { shows, thought, caseUpdates = [] } = change;
    const session = shows ? changed(thought.session, address, turns.now()) : thought.session;
    const event = { kind: 'agent', act: did, by: by.id } as const;
    const cause: Cause = { event, startedAt, caseUpdates, ...(shows && { push: { money: false } }) };
    const committed = await commit(turns, loaded, { ...thought, session }, cause);
    if (!committed) return OVERTAKEN;
    await cases.hear(caseUpdates);
    push(await finish(turns, committed, NO_CALLER));
    return 'done';
  });
}

function renewed(session: Session, owner: Owner, now: number): Session {
  return { ...session, owner: { ...owner, until: now + OWNER_LEASE_MS } };
}

function withMessage(session: Session, sentence: Omit<Screen, 'expects'>, now: number): Session {
  const screen = { ...sentence, expects: 'nothing' } as const;
  const outgoing: Outgoing = { id: randomUUID(), screen, money: false, byAgent: true, tries: 0, tryAt: now };
  return enqueue(session, outgoing);
}

/** The screen stays as it is. */
function unshown(session: Session): Change {
  return { thought: { session, isUnderstood: true } };
}

/** The screen is shown anew, and a button of the one before no longer counts. */
function withNewScreen(session: Session): Change {
  return {
    thought: { session: { ...session, screen: session.screen + 1 }, isUnderstood: true },
    shows: true,
  };
}
