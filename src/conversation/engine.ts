import { patientStore } from '../store/patience.ts';
import type { Msisdn } from '../wallet/phone.ts';
import { answerComes } from './answer-way.ts';
import { type CardLinks, createCardLinks } from './card-links.ts';
import { lookAtCases } from './case-watch.ts';
import type { Desk } from './desk/desk.ts';
import type { EngineOptions } from './engine-options.ts';
import { type EngineParts, joinParts } from './engine-parts.ts';
import type { Identifications } from './identity.ts';
import type { Address, Conversations, Reply } from './incoming.ts';
import type { Intent } from './intents/intent.ts';
import type { Outcomes } from './intents/outcomes.ts';
import { paymentOf } from './intents/payment-of-operation.ts';
import { type Rebuilt, rebuild, type Trace } from './intents/rebuild.ts';
import type { Reconciliation } from './intents/reconcile.ts';
import type { Payouts } from './payouts/run.ts';
import type { PendingRequests } from './pending/follow.ts';
import { partitionOfRef } from './record/ref.ts';
import type { References } from './references/follow.ts';
import { createScreens } from './screens.ts';
import type { Received } from './session/received.ts';
import { resealVoucherCode } from './session/voucher-codes.ts';
import { forgetMerchant } from './session/wallet-doc.ts';
import { createSmsStops } from './sms-stops.ts';
import { admitting, TURNS_UNDER_WAY_MAX } from './turn/admission.ts';
import { leave, settledInTime } from './turn/finish/outcome-in-time.ts';
import { fallback, receive } from './turn/receive.ts';
import { wake } from './wake.ts';

/** The engine's functions: `Conversations` for the channels, the rest for webhooks, the worker and the console. */
export interface Engine
  extends Conversations,
    Pick<Outcomes, 'intentOf'>,
    Pick<Reconciliation, 'confirm' | 'reconcile'>,
    PendingRequests,
    Identifications,
    CardLinks {
  /** Notifies a customer, wherever they can be reached, that money has come. Once per operation and address. */
  tellReceived(received: Received): Promise<void>;
  /** Looks up a reference for cash. Called when it is due. */
  lookUp: References['look'];
  /** Goes on with a file of payouts. Called when it is due. */
  payOut: Payouts['payOut'];
  /** Seals the code of a voucher under the key of today. Called when it is due. */
  resealVoucher(payment: string): Promise<void>;
  /** An event says that a reference for cash was executed. */
  referenceExecuted: References['executed'];
  /** The wallet has changed what its customer may do. The remembered answers are found out anew. */
  levelChanged(wallet: Msisdn): Promise<void>;
  /**
   * Looks for a wallet's open payments, and finds the one that an operation belongs to, for an event without a request
   * id. `isOpen`: the operation belongs to none of them, and some are still open.
   */
  paymentOf(wallet: Msisdn, operationId: number): Promise<{ intent?: Intent | undefined; isOpen?: boolean }>;
  /** Writes down again a payment that the store has lost and whose webhook has come. */
  rebuild(trace: Trace): Promise<Rebuilt>;
  /** Has every open payment looked at soon: called once the process has started. */
  lookAtOpen(): Promise<void>;
  /** The machine of the conversation that a reply of this process belongs to. Undefined where none was under way. */
  machineOf(reply: Reply): string | undefined;
  /** The support agents' view of the engine, and their acts. */
  readonly desk: Desk;
  /** Looks at the cases that are due. @param isStuck whether a webhook still waits for a person */
  lookAtCases(isStuck: (webhook: string) => Promise<boolean>): Promise<void>;
  /** Does the due work of a session: timers, lost answers, messages. Called by the worker for `session:` documents. */
  wake(address: Address): Promise<void>;
  /** Waits for work that goes on behind answered requests. */
  close(): Promise<void>;
  /** The process ends: nothing waits for a store that is down any more. */
  stop(): void;
}

/** Carries inputs to screens, and does everything that happens without the customer. */
export function createEngine(options: EngineOptions): Engine {
  const store = patientStore(options.store);
  const deps = joinParts({ ...options, store });
  const { turns, outcomes, reconciliation, desk, stopping } = deps;
  const stops = createSmsStops(store, options.secrets);
  return {
    receive: admitting(options.turnsMax ?? TURNS_UNDER_WAY_MAX, (...turn) => receive(deps, ...turn)),
    settled: (reply, withinMs) => settledInTime(deps, reply, withinMs),
    answerComes: async (reply) => {
      const loaded = deps.replies.sourceOf(reply);
      return loaded && answerComes({ ...turns, stops }, loaded).catch(() => undefined);
    },
    left: (incoming) => leave(deps, incoming),
    fallback: (address, guess) => fallback(deps, address, guess),
    ...createScreens(deps),
    intentOf: outcomes.intentOf,
    confirm: reconciliation.confirm,
    reconcile: reconciliation.reconcile,
    tellReceived: deps.tellReceived,
    ...deps.pending,
    ...deps.identifications,
    ...createCardLinks(turns),
    ...deps.payouts,
    lookUp: deps.references.look,
    resealVoucher: async (payment) => {
      const partition = partitionOfRef(payment);
      if (partition !== undefined) await resealVoucherCode(deps.turns, partition, payment);
    },
    referenceExecuted: deps.references.executed,
    levelChanged: (wallet) => forgetMerchant(turns.store, wallet),
    paymentOf: (wallet, operationId) => paymentOf({ ...deps, store: turns.store }, wallet, operationId),
    rebuild: (trace) => rebuild(deps.rebuilding, trace),
    lookAtOpen: outcomes.hastenAll,
    machineOf: (reply) => deps.replies.sourceOf(reply)?.session.conversation?.machine,
    desk,
    lookAtCases: (isStuck) => lookAtCases(deps, isStuck),
    wake: (address) => wake(deps, address),
    close: () => close(deps),
    stop: () => stopping.abort(),
  };
}

async function close({ background, turns: { sessions, now, onError } }: EngineParts): Promise<void> {
  await background.done();
  // A store that is gone keeps nobody from ending: a menu may stay in a chat then.
  await sessions.writeNotes(now).catch((error) => onError(error, 'Notes of chats could not be written'));
}
