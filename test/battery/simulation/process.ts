import { createBackground } from '../../../src/conversation/background.ts';
import { createEngine, type Engine } from '../../../src/conversation/engine.ts';
import type { Address, Deliver } from '../../../src/conversation/incoming.ts';
import { CASH_DEFAULTS } from '../../../src/conversation/references/cash-settings.ts';
import type { Secrets } from '../../../src/conversation/secrets.ts';
import type { SafetySettings } from '../../../src/conversation/session/safety.ts';
import { startWorker } from '../../../src/conversation/worker.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';
import type { Wallet } from '../../../src/wallet/wallet.ts';
import { createApply } from '../../../src/webhooks/apply.ts';
import { createInbox, type Inbox } from '../../../src/webhooks/inbox.ts';
import type { Owner, VirtualClock } from './clock.ts';

/** The worker is told when to look; it never polls by itself. */
const NEVER_MS = 10 ** 12;

/** One process of Wasl, as main would join it; nothing of it is left once it is dead. */
export interface Process extends Owner {
  readonly engine: Engine;
  readonly inbox: Inbox;
  readonly round: () => Promise<number>;
}

export function startProcess(
  clock: VirtualClock,
  around: {
    store: Store;
    api: Wallet;
    secrets: Secrets;
    safety: SafetySettings;
    alone: boolean;
    /** Where browsers find us; absent: nowhere. */
    formAt?: string | undefined;
    deliver: Deliver;
    codeSent: (to: Msisdn, code: string) => void;
    onError: (error: unknown, where: string) => void;
    /** The operator's principal agent. */
    principal: string | undefined;
  },
): Process {
  const { store, api, secrets, safety, alone, formAt, deliver, codeSent, onError, principal } = around;
  const owner: Owner = { dead: false, frozenUntil: 0 };
  const { now } = clock;
  return clock.as(owner, () => {
    const engine = createEngine({
      store,
      api,
      secrets,
      alone,
      deliver,
      now,
      onError,
      served: {
        formAt,
        safety,
        cash: {
          ...CASH_DEFAULTS,
          ways: ['agents', 'bill-network'],
          ...(principal && { ownAgent: principal }),
        },
      },
      sendCode: async (to, code) => {
        codeSent(to, code);
        return 'sent';
      },
    });
    const inbox = createInbox({
      store,
      secrets,
      apply: createApply(engine, api),
      background: createBackground(onError),
      now,
    });
    const worker = startWorker(
      store,
      {
        session: (address) => engine.wake(address as Address),
        intent: engine.reconcile,
        pending: engine.lookAtPending,
        'cash-reference': engine.lookUp,
        payout: engine.payOut,
        webhook: (id) => inbox.process(`webhook:${id}`),
      },
      { now, onError, pollMs: NEVER_MS },
    );
    void engine.lookAtOpen().catch((error) => onError(error, 'payments woken'));
    return Object.assign(owner, { engine, inbox, round: worker.round });
  });
}
