import { methodOf, type PaymentKind } from '../../../src/payments/payments.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';
import { type Customer, NADIA, type World } from '../../kit/world.ts';
import { becomes, employed } from '../../machines/agent-orders.ts';
import { atBank, formOf, paidByCard, payPageOf, sends, typedCard } from '../../machines/card-forms.ts';
import { bindsAtMenu } from '../../machines/principal-orders.ts';
import type { Who } from '../truth-doors.ts';
import { deedOn, ERRANDS, type Errand, errandOf, type ReferenceKind, type Town } from './kinds.ts';
import { byWhoAsked, type Execution, PRINCIPAL } from './oracle.ts';

/** Somebody and what they want to be done. */
export interface Run {
  readonly customer: Customer;
  readonly errand: Errand;
}

/** The errands of a world: who runs one, and what the ledger has of it. */
export function errandsIn(
  world: World,
  customerOf: (who: Who, channel?: 'web') => Customer,
  agents: Map<string, Msisdn> = new Map(),
) {
  const town: Town = {
    api: world.api,
    somebody: (walletType = 'P') => world.customer({ walletType }).phone,
    settles: () => world.passes(2_000),
    async gives(text) {
      const given = await world.engine.desk.principal?.giveFile(
        new TextEncoder().encode(text),
        'salaires',
        NADIA,
      );
      if (given?.kind !== 'given') throw new Error(`the file is not taken: ${JSON.stringify(given)}`);
      await world.passes(1_000);
      return given.id;
    },
    async loads(phone, amount) {
      const begun = await world.engine.desk.principal?.beginCardLoad({ amount, phone }, NADIA);
      if (begun?.kind !== 'ok') throw new Error(`no load is begun: ${JSON.stringify(begun)}`);
      return begun.value.id;
    },
    notes: (who, receiver) => void agents.set(`${PRINCIPAL} ${receiver}`, who),
  };

  return {
    /** Somebody who can run an errand of this kind, at the menu where a first visit was needed for that. */
    async begins(kind: PaymentKind): Promise<Run> {
      const { by, after, link } = ERRANDS[kind];
      // A deposit needs room below the limit of its level.
      const balance = methodOf({ kind }).listed.side === 'credit' ? '500' : '5000';
      const who = { walletType: by === 'merchant' ? 'C' : 'P', balance } as const;
      // A phone hears of a load. The other deeds of the principal agent are done in a chat.
      const customer = by === 'principal' && !link ? customerOf(who, 'web') : customerOf(who);
      // Once their menu has been read whole, a merchant is known to be one.
      if (by) await customer.isAtMenu();
      if (by === 'agent') {
        const code = await employed(world, customer);
        agents.set(code, customer.phone);
        await customer.walks(becomes(code));
      }
      if (by === 'principal') await bindsAtMenu(world, customer);
      if (after) await paidByCard(world, customer, '80', after);
      return { customer, errand: await errandOf(kind, customer.phone, town) };
    },

    /** Somebody who can ask for a reference of this kind, at the menu. */
    async asks(kind: ReferenceKind): Promise<Pick<Run, 'customer'>> {
      const customer = kind === 'principal-float' ? customerOf({}, 'web') : customerOf({});
      await customer.isAtMenu();
      if (kind === 'principal-float') await bindsAtMenu(world, customer);
      return { customer };
    },

    /** The ledger, by who has asked for each execution. */
    executions: (): readonly Execution[] => byWhoAsked(world.sandbox.executions(), agents),
  };
}

/** A customer does what an errand needs, on whatever channel, until there is nothing to do but wait. */
export async function runs(world: World, customer: Customer, errand: Errand<string>): Promise<void> {
  if (errand.link !== undefined) return paysByCard(world, `${world.formAt}/pay/${errand.link}`);
  for (;;) {
    const { screen } = customer.reply();
    if (/^card-payment\.link(Sent)?$/.test(screen.key)) return paysByCard(world, payPageOf(world, customer));
    const deed = deedOn(errand, screen);
    if (deed === undefined) return;
    if (deed === 'card') return paysByCard(world, formOf(world, customer));
    if (deed === 'pin') await customer.enters();
    else await (typeof deed === 'string' ? customer.says(deed) : customer.chooses(deed.choice));
    await world.rests();
  }
}

/** Somebody types a card on a page, and goes on at their bank where that leads there. */
async function paysByCard(world: World, page: string): Promise<void> {
  const { bank } = await sends(page, typedCard());
  if (bank) await atBank(bank);
  await world.rests();
}
