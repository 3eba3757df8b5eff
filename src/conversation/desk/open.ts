import type { Store } from '../../store/store.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import type { Cases } from '../cases/cases.ts';
import type { Archive } from '../intents/archive.ts';
import type { TurnDeps } from '../turn-deps.ts';
import { createStopping } from './agents.ts';
import type { Desk } from './desk.ts';
import { createFreezing } from './freezing.ts';
import { createPeople } from './people.ts';
import { createPrincipal } from './principal.ts';
import { createReading } from './reading.ts';
import { createSettling, type SettlingOptions } from './settling.ts';
import { createStepIn } from './step-in.ts';

/** The support agents' view of the engine, and their acts. */
export function open(
  store: Store,
  archive: Archive,
  api: Wallet,
  turns: TurnDeps,
  written: Omit<SettlingOptions, 'api'> & { readonly cases: Cases },
): Desk {
  const { sessions, outcomes, cases, pushed, now } = written;
  const reading = { store, archive, sessions, intentOf: outcomes.intentOf, now };
  return {
    ...createReading(reading),
    ...createPeople({ ...reading, api, cases }),
    ...createStepIn({ turns, cases, push: pushed }),
    ...createSettling({ ...written, api }),
    ...createFreezing({ store, sessions, pushed, now, safety: turns.served.safety }),
    ...createStopping({ store, sessions, pushed, now }),
    principal: createPrincipal(
      {
        api,
        feesPercent: turns.served.cash.feesPercent,
        store,
        secrets: turns.secrets,
        cardFormAt: turns.served.without.includes('card-cash-in') ? undefined : turns.served.formAt,
        sessions,
        outcomes,
        pushed,
        now,
      },
      turns.served.cash.ownAgent,
    ),
    cases,
  };
}
