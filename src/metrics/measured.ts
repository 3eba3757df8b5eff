import { ALL_SMS, type Budgets } from '../conversation/budgets.ts';
import { channelOf } from '../conversation/channel.ts';
import type { Engine } from '../conversation/engine.ts';
import type { Deliver, DeliveryStatus, Reply } from '../conversation/incoming.ts';
import { nextCheck } from '../conversation/intents/schedule.ts';
import { readRecord } from '../conversation/record/record.ts';
import { readDelivery } from '../conversation/session/delivery-record.ts';
import { Overloaded } from '../conversation/turn/admission.ts';
import type { Chores } from '../conversation/worker.ts';
import type { Commit, Store } from '../store/store.ts';
import type { Answer } from '../wallet/answer.ts';
import { ERRORS } from '../wallet/contract/errors.ts';
import type { Call, Wallet } from '../wallet/wallet.ts';
import type { Inbox } from '../webhooks/inbox.ts';
import type { Compartment } from './circuits.ts';
import type { Meter, StoreOperation, TurnOutcome, WalletCall } from './meter.ts';
import type { TurnLog } from './turn-log.ts';

/*
 * The parts of the process with their work counted and timed. The code that joins the parts wraps them, and none of
 * them knows of it.
 */

/** Calls `work`, and `then` with its seconds once it has ended: its result is undefined where it has rejected with `error`. */
async function timed<T>(
  work: () => Promise<T>,
  then: (result: T | undefined, seconds: number, error?: unknown) => void,
): Promise<T> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  try {
    const result = await work();
    then(result, seconds());
    return result;
  } catch (error) {
    then(undefined, seconds(), error);
    throw error;
  }
}

/** A store whose round trips are counted, and the payments and deliveries that are written about in its turn records. */
function measuredStore(store: Store, meter: Meter): Store {
  const trip =
    <Args extends unknown[], T>(operation: StoreOperation, ask: (...args: Args) => Promise<T>) =>
    (...args: Args) =>
      timed(
        () => ask(...args),
        (result, seconds) => {
          const ended = result === undefined ? 'down' : result === false ? 'conflict' : 'ok';
          meter.storeTrip(operation, ended, seconds);
        },
      );
  const commit = trip('commit', store.commit.bind(store));
  return {
    ...store,
    read: trip('read', store.read.bind(store)),
    due: trip('due', store.due.bind(store)),
    turns: trip('turns', store.turns.bind(store)),
    scheduled: trip('scheduled', store.scheduled.bind(store)),
    async commit(partition, what) {
      const isDone = await commit(partition, what);
      if (isDone) {
        notePayment(what, meter);
        noteDelivery(what, meter);
      }
      return isDone;
    },
  };
}

/** Only records of payments are read again: reading each would cost a turn as much as writing it. */
function notePayment({ turn }: Commit, meter: Meter): void {
  if (!turn?.includes('"kind":"payment"')) return;
  const record = readRecord(turn);
  if (record?.event.kind !== 'payment') return;
  meter.payment(record.event, record.lagMs === undefined ? undefined : record.lagMs / 1_000);
}

/** Notes how late a message was that reached a channel or was given up. */
function noteDelivery({ turn }: Commit, meter: Meter): void {
  const delivery = turn === undefined ? undefined : readDelivery(turn);
  if (delivery?.lagMs === undefined) return;
  meter.deliveryLag(channelOf(delivery.address), delivery.event.outcome, delivery.lagMs / 1_000);
}

const FLOAT_EMPTY = String(ERRORS.agentNotFunded.code);

/** A wallet whose calls are counted by name and answer. */
function measuredWallet(
  wallet: Wallet,
  compartment: Compartment,
  meter: Meter | undefined,
  telling: TurnLog,
): Wallet {
  type Ask = (...args: unknown[]) => Promise<Answer<unknown>>;
  meter?.walletCalls(Object.keys(wallet) as WalletCall[]);
  const calls = Object.entries(wallet as unknown as Record<WalletCall, Ask>).map(([name, ask]) => [
    name,
    (...args: unknown[]) =>
      timed(
        () => ask(...args),
        (answer, seconds) => {
          const [call, kind] = [name as WalletCall, answer?.kind ?? 'unknown'];
          meter?.walletCall(call, kind, seconds);
          telling.walletCall(call, kind, compartment, (args.at(-1) as Partial<Call> | undefined)?.requestId);
          if (answer?.kind === 'refused' && answer.code === FLOAT_EMPTY) meter?.floatEmpty(call);
        },
      ),
  ]);
  return Object.fromEntries(calls) as Wallet;
}

function measuredEngine(engine: Engine, meter: Meter | undefined, telling: TurnLog): Engine {
  const receive: Engine['receive'] = (incoming, ...rest) => {
    meter?.turnsUnderWay(1);
    return timed(
      () => engine.receive(incoming, ...rest),
      (reply, seconds, error) => {
        meter?.turnsUnderWay(-1);
        const machine = (reply && engine.machineOf(reply)) ?? '';
        const outcome = reply ? outcomeOf(reply) : withoutReply(error);
        meter?.turn(channelOf(incoming.address), machine, outcome, seconds);
        telling.turn(incoming, { machine, outcome, seconds, reply, error });
      },
    );
  };
  return { ...engine, receive };
}

function withoutReply(error: unknown): TurnOutcome {
  return error instanceof Overloaded ? 'shed' : 'lost';
}

function outcomeOf(reply: Reply): TurnOutcome {
  if (reply.late) return 'late';
  if (reply.repeated || reply.stale) return 'unchanged';
  if (reply.underway) return 'underway';
  return reply.rests || reply.screen.expects === 'nothing' ? 'ended' : 'shown';
}

function measuredDeliver(deliver: Deliver, meter: Meter): Deliver {
  return (address, push) =>
    timed(
      () => deliver(address, push),
      (delivery = 'later', seconds) => {
        const status: DeliveryStatus = typeof delivery === 'string' ? delivery : delivery.status;
        meter.delivery(channelOf(address), status, seconds);
      },
    );
}

/** The doors' side of the inbox: a webhook that is not written down is sent again by the wallet. */
function measuredInbox(inbox: Inbox, meter: Meter): Inbox {
  const save: Inbox['save'] = async (raw) => {
    const saved = async () => {
      await inbox.save(raw);
      return true;
    };
    await timed(saved, (isSaved = false, seconds) => meter.webhook(isSaved, seconds));
  };
  return { ...inbox, save };
}

/** Budgets are charged one after the other, up to the one that has no room. */
function measuredBudgets(budgets: Budgets, meter: Meter): Budgets {
  return {
    ...budgets,
    async charge(charges) {
      const refused = await budgets.charge(charges);
      for (const { budget } of charges) {
        meter.budget(budget, budget !== refused);
        if (budget === refused) break;
      }
      return refused;
    },
    async countSms() {
      await budgets.countSms();
      for (const { budget } of ALL_SMS) meter.budget(budget, true);
    },
  };
}

function measuredChores(chores: Chores, meter: Meter): Chores {
  meter.chores(Object.keys(chores));
  const measured = Object.entries(chores).map(([kind, chore]) => [
    kind,
    async (name: string) => {
      const done = await timed(
        async () => ({ of: await chore(name) }),
        (ended, seconds) => meter.chore(kind, ended !== undefined, seconds),
      );
      const intent = kind === 'intent' && (done.of as Awaited<ReturnType<Engine['reconcile']>>);
      if (intent) meter.look(intent, nextCheck(intent, Date.now()));
    },
  ]);
  return Object.fromEntries(measured);
}

/** Wraps the parts of the process. If nobody measures, only the log hears of turns and calls. */
interface Measuring {
  readonly meter: Meter | undefined;
  store(store: Store): Store;
  wallet(wallet: Wallet, compartment: Compartment): Wallet;
  conversations(engine: Engine): Engine;
  budgets(budgets: Budgets): Budgets;
  deliver(deliver: Deliver): Deliver;
  inbox(inbox: Inbox): Inbox;
  /** A look at a payment gives the payment (`intent`). */
  chores(chores: Chores): Chores;
}

export function createMeasuring(meter: Meter | undefined, telling: TurnLog): Measuring {
  return {
    meter,
    store: (store) => (meter ? measuredStore(store, meter) : store),
    wallet: (wallet, compartment) => measuredWallet(wallet, compartment, meter, telling),
    conversations: (engine) => measuredEngine(engine, meter, telling),
    budgets: (budgets) => (meter ? measuredBudgets(budgets, meter) : budgets),
    deliver: (deliver) => (meter ? measuredDeliver(deliver, meter) : deliver),
    inbox: (inbox) => (meter ? measuredInbox(inbox, meter) : inbox),
    chores: (chores) => (meter ? measuredChores(chores, meter) : chores),
  };
}
