import type { Engine } from '../../../src/conversation/engine.ts';
import type { Deliver } from '../../../src/conversation/incoming.ts';
import type { Secrets } from '../../../src/conversation/secrets.ts';
import type { SafetySettings } from '../../../src/conversation/session/safety.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';
import type { Wallet } from '../../../src/wallet/wallet.ts';
import type { Inbox } from '../../../src/webhooks/inbox.ts';
import { cashOf, joinWasl } from '../town/wasl.ts';
import type { Owner, VirtualClock } from './clock.ts';

/** One process of Wasl. Nothing of it is left once it is dead. */
export interface Process extends Owner {
  readonly engine: Engine;
  readonly inbox: Inbox;
  readonly round: () => Promise<number>;
}

export function startProcess(
  clock: VirtualClock,
  around: {
    readonly store: Store;
    readonly api: Wallet;
    readonly secrets: Secrets;
    readonly safety: SafetySettings;
    readonly alone: boolean;
    /** Address of the form. Absent: there is none. */
    readonly formAt?: string | undefined;
    readonly deliver: Deliver;
    readonly codeSent: (to: Msisdn, code: string) => void;
    readonly onError: (error: unknown, where: string) => void;
    /** The operator's principal agent. */
    readonly principal: string | undefined;
  },
): Process {
  const { formAt, safety, principal, ...parts } = around;
  const owner: Owner = { dead: false, frozenUntil: 0 };
  return clock.as(owner, () => {
    const served = { formAt, safety, cash: cashOf(principal) };
    const { engine, inbox, worker } = joinWasl({ ...parts, served, now: clock.now });
    return Object.assign(owner, { engine, inbox, round: worker.round });
  });
}
