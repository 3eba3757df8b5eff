import type { Payment } from '../../../machines/kit/effects.ts';
import type { Sentence, Values } from '../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import { partitionOf } from '../../store/partition.ts';
import { type Update, update } from '../../store/update.ts';
import type { Answer } from '../../wallet/answer.ts';
import { ERRORS } from '../../wallet/contract/errors.ts';
import { STATUSES } from '../../wallet/contract/fields.ts';
import { centimes } from '../../wallet/money.ts';
import type { CashReference } from '../../wallet/services.ts';
import type { Operation, Preview, Wallet } from '../../wallet/wallet.ts';
import { newCaseId } from '../cases/changes.ts';
import { tellCases } from '../cases/tell.ts';
import { caseUpdate } from '../cases/update.ts';
import { type Intent, intentKey, isOpen, SEND_WITHIN_MS } from '../intents/intent.ts';
import type { Outcomes } from '../intents/outcomes.ts';
import { intentWrite, send, sent, withFact } from '../intents/pay.ts';
import { refOf } from '../record/ref.ts';
import { SLOT_MS } from '../session/book.ts';
import { FROZEN, refusalOfOrder } from '../session/safety.ts';
import { type TellDeps, tellWallet } from '../session/tell.ts';
import { type WalletDoc, walletKey, walletStateOf } from '../session/wallet-doc.ts';
import { type KeepDeps, keepAnswer } from '../turn/finish/keep-answer.ts';
import type { TurnDeps } from '../turn-deps.ts';
import {
  type Batch,
  type Current,
  changeBatch,
  type Known,
  LINES_TOGETHER,
  type Line,
  NONE_YET,
  type NotClaimed,
  readKnown,
  readLines,
  type StopReason,
} from './batch.ts';
import { type LineOrder, lookBefore, type Seen } from './guard.ts';
import { counted } from './tally.ts';

/** How long one answer of the wallet may take. */
const CALL_MAX_MS = 30_000;
const PATIENCE = { timeoutMs: 10_000 };
/** Steps that are taken one after the other before other work is let in. */
const STEPS_MAX = 20;
/** A wallet that does not answer, and a payment whose outcome is not known, are looked at again after this. */
const LOOK_AGAIN_MS = 5_000;
/** How often a line is begun whose payment is proven never to have left. */
const ATTEMPTS_MAX = 5;
/** The float has ended: not a fault of the line. */
const FLOAT_CODES: readonly string[] = [ERRORS.insufficientFunds, ERRORS.agentNotFunded].map(({ code }) =>
  String(code),
);
/** Partner API v2.3, "Customer status": a customer without a wallet, and one whose wallet cannot be paid. */
const NONE = 0;
const UNPAYABLE: readonly number[] = [1, 5];

/** Pays files of payouts, line by line. Any process can continue any of them, at any line. */
export interface Payouts {
  /** Goes on with a file as far as it comes. Called when it is due. */
  payOut(id: string): Promise<void>;
}

/** The reasons that the releaser cannot change, and only a person of the company can. */
const FOR_PERSON: readonly (StopReason | undefined)[] = ['oddRow', 'unguarded'];

interface PayoutsDeps extends TellDeps, KeepDeps, Pick<TurnDeps, 'served' | 'secrets' | 'skewMs'> {
  readonly api: Wallet;
  readonly outcomes: Pick<Outcomes, 'intentOf'>;
}

export function createPayouts(deps: PayoutsDeps): Payouts {
  return { payOut: (id) => payOut(deps, id) };
}

async function payOut(deps: PayoutsDeps, id: string): Promise<void> {
  for (let i = 0; i < STEPS_MAX; i++) {
    const known = await readKnown(deps.store, id);
    if (known?.batch.state === 'checking' && (await check(deps, known))) continue;
    if (known?.batch.state === 'running' && (await payLine(deps, known))) continue;
    if (known?.batch.untold) await tell(deps, known.batch);
    else if (known?.batch.state === 'done' || known?.batch.state === 'stopped')
      await counted(deps, known.batch, true);
    return;
  }
}

/** Asks about the next lines, those of one document at a time. False where the wallet does not answer: they are asked about again. */
async function check({ api, store, now }: PayoutsDeps, { batch, lines }: Known): Promise<boolean> {
  const { code, checked } = batch;
  const found = await Promise.all(lines.map((line) => checkLine(api, code, line)));
  const after = found.filter((each) => each !== undefined);
  const isAnswered = after.length === found.length;
  await changeBatch(store, batch, now(), ({ batch: known }) => {
    if (known.state !== 'checking' || known.checked !== checked) return undefined;
    if (!isAnswered) return { batch: known, waitMs: LOOK_AGAIN_MS };
    const done = checked + LINES_TOGETHER;
    const refused = after.filter((line) => line.refused !== undefined);
    const payable = after.filter((line) => line.refused === undefined);
    return {
      lines: after,
      batch: {
        ...known,
        checked: Math.min(done, known.count),
        state: done >= known.count ? 'ready' : 'checking',
        payable: {
          count: known.payable.count - refused.length,
          sum: centimes(known.payable.sum - sumOf(refused.map(({ amount }) => amount))),
        },
        fees: centimes(known.fees + sumOf(payable.map(({ fees = 0 }) => fees))),
      },
    };
  });
  return isAnswered;
}

function sumOf(amounts: readonly number[]) {
  return centimes(amounts.reduce((sum, each) => sum + each, 0));
}

/** The wallet's answer about a line before it is paid. Undefined where the wallet does not answer. */
async function checkLine(api: Wallet, code: string, line: Line): Promise<Line | undefined> {
  const { to, name: holder, amount, reason } = line;
  if ('phone' in to) {
    const answer = await api.customerStatus(to.phone, PATIENCE);
    if (answer.kind === 'refused') return { ...line, refused: answer.code };
    if (answer.kind !== 'ok') return undefined;
    const { status } = answer.value;
    // The float reaches wallets here alone.
    if (status === NONE) return { ...line, refused: String(ERRORS.customerNotFound.code) };
    return UNPAYABLE.includes(status) ? { ...line, refused: String(ERRORS.recipientUnavailable.code) } : line;
  }
  const answer = await api.previewAgentTransfer(
    { code, rib: to.rib, holder, amount, reason: bankReason(reason) },
    PATIENCE,
  );
  if (answer.kind === 'ok') return { ...line, fees: answer.value.fees };
  if (answer.kind !== 'refused') return undefined;
  return FLOAT_CODES.includes(answer.code) ? line : { ...line, refused: answer.code };
}

/** The API asks for one. */
function bankReason(reason: string): string {
  return reason === '' ? 'Versement' : reason;
}

/** Pays the next line, or finds out its outcome. False where there is something to wait for. */
async function payLine(deps: PayoutsDeps, known: Known): Promise<boolean> {
  const { batch, lines, from } = known;
  const line = lines[batch.next - from];
  if (!line) return finish(deps, batch);
  if (line.refused !== undefined) return advance(deps, batch);
  const current = batch.current ?? (await begin(deps, known, line));
  if (!current) return false;
  if (current === 'refused') return true;
  const answer = await paid(deps, batch, current, line);
  if (answer === 'later') return wait(deps, batch);
  if (typeof answer === 'string') return stop(deps, batch, answer);
  const intent = await deps.outcomes.intentOf(current.ref);
  if (!intent) return wait(deps, batch);
  if (intent.state === 'unsent') return beginAnew(deps, batch);
  if (intent.state === 'rejected' && (await isForFloat(deps, batch, line, answer)))
    return stop(deps, batch, 'float');
  // An unknown outcome is followed by itself. It does not hold back the other lines for ever.
  const waitsUntil = intent.sentAt + SLOT_MS;
  const isAwaited = isOpen(intent) && intent.state !== 'accepted' && deps.now() < waitsUntil;
  if (isAwaited) return wait(deps, batch, waitsUntil);
  const code = answer?.kind === 'rejected' && answer.failure.kind === 'refused' && answer.failure.code;
  const isListed = wasListed(intent) && ({ isListed: true } as const);
  return advance(deps, batch, { ref: current.ref, ...(code && { code }), ...isListed });
}

/** True for a payment that nobody has sent by this name: a read of the wallet's list is the first that is known of it. */
function wasListed({ evidence }: Intent): boolean {
  return evidence[0]?.kind === 'read';
}

/**
 * Writes down the id of the payment before anything is claimed, and for a wallet the reference to execute. A line to a
 * bank is previewed once more. Otherwise line after line could be sent to a wallet that does not answer, and nobody
 * would know their outcomes.
 */
async function begin(
  { api, secrets, store, now }: PayoutsDeps,
  { batch: seen }: Known,
  { to, name: holder, amount, reason }: Line,
): Promise<Current | 'refused' | undefined> {
  const { id, code, next, attempt = 0, released } = seen;
  if (!released) return undefined;
  const ref = refOf(`${id}/${next}/${attempt}`, partitionOf(released.by), secrets);
  const answer: Answer<CashReference | Preview> =
    'phone' in to
      ? await api.requestCashIn({ phone: to.phone, amount }, PATIENCE)
      : await api.previewAgentTransfer(
          { code, rib: to.rib, holder, amount, reason: bankReason(reason) },
          PATIENCE,
        );
  // The payment itself is refused where the float has ended, and stops the file.
  const refused = answer.kind === 'refused' && !FLOAT_CODES.includes(answer.code) ? answer.code : undefined;
  // A reference whose number nobody was told moves nothing: another one is asked for.
  const isLost = answer.kind !== 'ok' && answer.kind !== 'refused';
  let begun: Current | 'refused' | undefined;
  await changeBatch(store, seen, now(), ({ batch, lines, from }) => {
    begun = undefined;
    if (batch.state !== 'running' || batch.next !== next || batch.current || (batch.attempt ?? 0) !== attempt)
      return undefined;
    if (isLost) return { batch, waitMs: LOOK_AGAIN_MS };
    if (refused !== undefined) {
      begun = 'refused';
      return { batch, lines: withLine(lines, next - from, { refused, isLate: true }) };
    }
    const isReference = answer.kind === 'ok' && 'reference' in answer.value;
    begun = { ref, ...(isReference && { reference: answer.value.reference, madeAt: answer.value.madeAt }) };
    return { batch: { ...batch, current: begun } };
  });
  return begun;
}

/**
 * Claims the payment and makes the call, once. Undefined where it was claimed before, or where the store has lost it
 * and the wallet lists it. `later`: the wallet does not answer.
 */
async function paid(
  deps: PayoutsDeps,
  batch: Batch,
  current: Current,
  line: Line,
): Promise<Payment | NotClaimed | 'later' | undefined> {
  const { outcomes, api, secrets, now } = deps;
  if (!batch.released || (await outcomes.intentOf(current.ref))) return undefined;
  const { address } = batch.released;
  const order = orderOf(batch, batch.released.by, current, line);
  const seen = await lookBefore(deps, batch, order);
  if (typeof seen === 'string') return seen;
  const begun = await claim(deps, batch.released, { ref: current.ref, order, line, seen });
  if (begun === undefined || typeof begun === 'string') return begun;
  if (seen.lost) return undefined;
  const { intent, docs } = begun;
  const { id: ref, sentAt } = intent;
  // A process that was frozen must not send a payment that others have taken for lost meanwhile.
  const answer: Payment =
    now() > sentAt + SEND_WITHIN_MS
      ? { kind: 'unsent' }
      : await send(intent.order, {
          ...{ api, secrets, address, ref, now },
          takeCard: () => undefined,
          backAt: () => undefined,
          call: { requestId: ref, timeoutMs: CALL_MAX_MS },
          open: () => undefined,
          openKept: () => undefined,
        }).catch(() => ({ kind: 'unknown' as const }));
  await keepAnswer(deps, { ref, docs }, answer);
  return answer;
}

function orderOf(
  { id: file, code, next: line }: Batch,
  from: NonNullable<Batch['released']>['by'],
  { reference = '', madeAt = 0 }: Current,
  { to, name: holder, amount, reason }: Line,
): LineOrder {
  const of = { from, code, amount, file, line };
  return 'phone' in to
    ? { kind: 'payout', ...of, number: { code: reference }, madeAt, customer: to.phone }
    : { kind: 'payout-transfer', ...of, rib: to.rib, holder, reason: bankReason(reason) };
}

/** Writes the payment down before anything is sent. A second claim finds it there. */
function claim(
  { store, served, now, skewMs }: PayoutsDeps,
  { by, address }: NonNullable<Batch['released']>,
  { ref, order, line, seen }: { ref: string; order: LineOrder; line: Line; seen: Seen },
) {
  const { before, lost } = seen;
  const { fees = centimes(0) } = line;
  type Begun = { readonly intent: Intent; readonly docs: Parameters<typeof keepAnswer>[1]['docs'] };
  return update(
    store,
    partitionOf(by),
    [walletKey(by), intentKey(ref)],
    (walletDoc, doc): Update<Begun | NotClaimed | undefined> => {
      if (doc.version > 0) return { result: undefined };
      const at = now();
      const { value: wallet } = walletStateOf(walletDoc);
      const refusal = refusalOfOrder(wallet, order, { address, at, served });
      if (refusal) return { result: refusal === FROZEN ? 'frozen' : 'notAllowed' };
      const quote = { fees, total: centimes(order.amount + fees), openLoop: false, at, alike: [] };
      // Operations in the wallet's list are dated by its own clock.
      const [sentAt, skew] = lost ? [lost.at, 0] : [at, skewMs()];
      const claimed = sent({ id: ref, address, order, quote, before }, sentAt, skew);
      const intent = lost ? asListed(claimed, lost, wallet, at) : claimed;
      const write = intentWrite(doc, intent, at);
      const after = { ...doc, version: write.next ?? 0, value: write.value ?? '' };
      return { writes: [write], durable: true, replicated: true, result: { intent, docs: [after] } };
    },
  );
}

/** The payment of a line that the store has lost, as the wallet lists it. Its reference is lost, too: this one is never executed. */
function asListed(intent: Intent, { id, status }: Operation, wallet: WalletDoc, now: number): Intent {
  const { order } = intent;
  const anew = order.kind === 'payout' ? { ...order, number: { code: '' } } : order;
  const ended = status === STATUSES.COMPLETED && ({ ended: 'succeeded' } as const);
  return withFact({ ...intent, order: anew }, { kind: 'read', operation: { id, ...ended } }, wallet, now);
}

/** True for a refusal for lack of float. Where nobody remembers the code any more, the float itself tells. */
async function isForFloat(
  { api }: PayoutsDeps,
  { code }: Batch,
  { amount, fees = centimes(0) }: Line,
  answer: Payment | undefined,
): Promise<boolean> {
  if (answer?.kind === 'rejected' && answer.failure.kind === 'refused')
    return FLOAT_CODES.includes(answer.failure.code);
  const account: Answer<{ balance: number }> = await api.principalAgent(code, PATIENCE);
  return account.kind === 'ok' && account.value.balance < amount + fees;
}

function withLine(lines: readonly Line[], at: number, found: Partial<Line>): readonly Line[] {
  return lines.map((line, i) => (i === at ? { ...line, ...found } : line));
}

/** The batch as it continues from this very line. Undefined where another process was faster. */
function goOn(
  { store, now }: PayoutsDeps,
  seen: Batch,
  to: (known: Known) => { readonly batch: Batch; readonly lines?: readonly Line[]; readonly waitMs?: number },
): Promise<Batch | undefined> {
  const { next, current } = seen;
  return changeBatch(store, seen, now(), (known) => {
    const { batch } = known;
    const isAsSeen = batch.state === 'running' && batch.next === next;
    return isAsSeen && (!current || batch.current?.ref === current.ref) ? to(known) : undefined;
  });
}

/** @param waitsUntil how long an answer that was lost holds the file */
async function wait(deps: PayoutsDeps, batch: Batch, waitsUntil?: number): Promise<false> {
  await goOn(deps, batch, ({ batch: known }) => {
    const { current } = known;
    const waits = current && waitsUntil !== undefined && { current: { ...current, waitsUntil } };
    return { batch: { ...known, ...waits }, waitMs: LOOK_AGAIN_MS };
  });
  return false;
}

/** @param paid the payment of the line, and the code with which the wallet has refused it; absent where it has none */
async function advance(
  deps: PayoutsDeps,
  batch: Batch,
  paid?: Pick<Line, 'ref' | 'code' | 'isListed'>,
): Promise<true> {
  await goOn(deps, batch, ({ batch: { current: _done, attempt: _over, ...known }, lines, from }) => ({
    batch: { ...known, next: known.next + 1, advancedAt: deps.now() },
    ...(paid && { lines: withLine(lines, known.next - from, paid) }),
  }));
  return true;
}

/** It is proven never to have left: it may be sent as another payment. */
async function beginAnew(deps: PayoutsDeps, batch: Batch): Promise<boolean> {
  const { attempt = 0 } = batch;
  if (attempt + 1 >= ATTEMPTS_MAX) return stop(deps, batch, 'wallet');
  await goOn(deps, batch, ({ batch: { current: _unsent, ...known } }) => ({
    batch: { ...known, attempt: attempt + 1 },
    waitMs: LOOK_AGAIN_MS,
  }));
  return false;
}

/** The line was not paid: it is the first one when somebody says that it goes on, as a payment of its own. */
async function stop(deps: PayoutsDeps, batch: Batch, why: StopReason): Promise<true> {
  await goOn(deps, batch, ({ batch: { current: _not, ...known } }) => ({
    batch: { ...known, state: 'stopped', why, untold: true, attempt: (known.attempt ?? 0) + 1 },
  }));
  return true;
}

async function finish(deps: PayoutsDeps, batch: Batch): Promise<true> {
  const endedAt = deps.now();
  await goOn(deps, batch, ({ batch: known }) => ({
    batch: { ...known, state: 'done', untold: true, endedAt },
  }));
  return true;
}

/** Tells the releaser that the file has stopped or ended, and writes that down. A process may die between. */
async function tell(deps: PayoutsDeps, seen: Batch): Promise<void> {
  const batch = await counted(deps, seen);
  const { id, fileName, state, next, attempt = 0, count, released, tally = NONE_YET } = batch;
  if (released) {
    const key: SentenceKey = state === 'done' ? 'payouts.doneNow' : 'payouts.stoppedNow';
    // It may stop at the same line again.
    const name = `${key}-${id}-${next}-${attempt}`;
    const values: Values = {
      ...{ file: { name: fileName }, line: { count: next }, lines: { count } },
      ...{ paid: { count: tally.paid.count }, sum: { money: tally.paid.sum } },
      ...(batch.why && { why: { say: `payouts.why-${batch.why}` } }),
      ...{ open: { count: tally.open.count }, unpaid: { count: next - tally.paid.count - tally.open.count } },
    };
    const listed = (await readLines(deps.store, batch)).filter(({ isListed }) => isListed).length;
    const notice: Sentence = { key: 'payouts.listed', values: { listed: { count: listed } } };
    const screen = { key, values, expects: 'nothing', ...(listed > 0 && { notice }) } as const;
    await tellWallet(deps, released.by, { name, message: { id: name, screen, money: false } });
    const { by: wallet, address } = released;
    if (state === 'stopped' && FOR_PERSON.includes(batch.why)) {
      const about = 'payouts.stoppedNow';
      const opening = { kind: 'asked', subject: address, address, wallet, about } as const;
      const opened = { what: 'opened', case: newCaseId(), opening } as const;
      // Told again after a crash, it has the same name.
      await tellCases(deps.store, wallet, caseUpdate(deps.now(), opened, name));
    }
  }
  await changeBatch(deps.store, batch, deps.now(), ({ batch: { untold, ...known } }) =>
    untold && known.state === state && known.next === next && (known.attempt ?? 0) === attempt
      ? { batch: known }
      : undefined,
  );
}
