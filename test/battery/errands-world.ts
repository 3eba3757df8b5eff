import { methodOf } from '../../src/payments/payments.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type { Customer } from '../kit/customer.ts';
import type { World } from '../kit/world.ts';
import { agentAtMenu } from '../machines/agent-orders.ts';
import { paidByCard } from '../machines/card-forms.ts';
import { ERRANDS, type Errand, errandOf, type PlayedKind, type Town } from './errands.ts';
import { byWhoAsked, type Execution } from './oracle.ts';

interface Who {
  readonly walletType: 'P' | 'C';
  /** In dirhams. */
  readonly balance: string;
}

/** The errands of a world: who runs one, and what the ledger has of it. */
export function errandsIn(world: World, customerOf: (who: Who) => Customer) {
  const agents = new Map<string, Msisdn>();
  const town: Town = {
    api: world.api,
    somebody: (walletType = 'P') => world.customer({ walletType }).phone,
    settles: () => world.passes(2_000),
  };

  return {
    /** Somebody who can run an errand of this kind, at the menu where a first visit was needed for that. */
    async begins(kind: PlayedKind): Promise<{ readonly customer: Customer; readonly errand: Errand }> {
      const { by, after } = ERRANDS[kind];
      if (by === 'agent') {
        const { agent: customer, code } = await agentAtMenu(world);
        agents.set(code, customer.phone);
        return { customer, errand: await errandOf(kind, customer.phone, town) };
      }
      // Where money comes in, a level has room for it.
      const balance = methodOf({ kind }).side === 'credit' ? '500' : '5000';
      const customer = customerOf({ walletType: by === 'merchant' ? 'C' : 'P', balance });
      // Once their menu has been read whole, a merchant is known to be one.
      if (by === 'merchant') await customer.isAtMenu();
      if (after) await paidByCard(world, customer, '80', after);
      return { customer, errand: await errandOf(kind, customer.phone, town) };
    },

    /** The ledger, by who has asked for each execution. */
    executions: (): readonly Execution[] => byWhoAsked(world.sandbox.executions(), agents),
  };
}
