import type { Failures } from '../log/lines.ts';
import type { Store } from '../store/store.ts';
import type { Wallet } from '../wallet/wallet.ts';
import type { Budgets } from './budgets.ts';
import type { CaseTable } from './cases/table.ts';
import type { Fleet } from './chart/fleet.ts';
import type { SendCode } from './effects/effect.ts';
import type { ChatAt, Deliver } from './incoming.ts';
import type { Archive } from './intents/archive.ts';
import type { Intent } from './intents/intent.ts';
import type { Secrets } from './secrets.ts';
import type { Served } from './served.ts';
import type { TurnDeps } from './turn-deps.ts';

/** The parts and settings of the engine. */
export interface EngineOptions {
  readonly store: Store;
  /** Keeps the payments and turns that have left the store. Absent: nothing leaves it. */
  readonly archive?: Archive;
  /** The cases in the records. Absent: there are no records, and so no cases. */
  readonly caseTable?: CaseTable;
  /** The store for support agents: a connection of its own, so that their pages hold up no turn. Absent: `store`. */
  readonly deskStore?: Store;
  readonly api: Wallet;
  /** The same wallet over connections of its own, for work that no customer waits for. Absent: `api`. */
  readonly backgroundApi?: Wallet;
  readonly secrets: Secrets;
  /** The budgets for strangers. Absent: `BUDGETS`, without an alarm. */
  readonly budgets?: Budgets;
  readonly sendCode: SendCode;
  readonly deliver: Deliver;
  /** Absent, and where nothing is said: `SERVED_DEFAULTS`. */
  readonly served?: Partial<Served>;
  /** Absent: no channel shows messages in a chat of its own. */
  readonly chatAt?: ChatAt;
  /** True when no other process can be running (embedded store). */
  readonly alone: boolean;
  /** The other processes on this store. Absent: there are none of another release. */
  readonly fleet?: Pick<Fleet, 'begins' | 'isKnownElsewhere'>;
  /** The number of turns under way at once. Absent: `TURNS_UNDER_WAY_MAX`. */
  readonly turnsMax?: number;
  readonly now?: () => number;
  /** How far the wallet's clock is ahead of `now`, in ms. Absent: not at all. */
  readonly skewMs?: () => number;
  /** Called with bugs and with failures that no customer sees, never with a secret. */
  readonly onError?: Failures['onError'];
  /** Called when only a person can find out how a payment ended. */
  readonly alert?: (intent: Intent) => void;
  /** Called with an answer of the wallet that the store did not take in time: sealed. */
  readonly answerLost?: TurnDeps['answerLost'];
}
