import type { ChannelName } from '../../src/conversation/incoming.ts';
import type { Customer, World } from '../kit/world.ts';

const AICHA = { id: 'aicha', name: 'Aicha' };
const BADR = { id: 'badr', name: 'Badr' };

/** The sandbox's principal agent, that the world's operator has named. */
export const PRINCIPAL = 'PA-1001';

/** A customer whose number two administrators have bound to the principal agent, at the menu. */
export function boundAtMenu(world: World, channel: ChannelName = 'web') {
  return bindsAtMenu(world, world.customer({ channel }).isAtMenu());
}

/** The same of a customer who is at the menu already. */
export function bindsAtMenu(world: World, customer: Customer) {
  return customer
    .meanwhile(async () => {
      const { principal } = world.engine.desk;
      if (!principal) throw new Error('there is no principal agent');
      await principal.proposeBinding(customer.phone, AICHA, 'verse les salaires');
      const mark = (await principal.numbers()).find(({ phone }) => phone === customer.phone);
      const bound = await principal.approveBinding(customer.phone, BADR, mark?.proposal?.at ?? 0);
      if (bound !== 'done') throw new Error(`not bound: ${bound}`);
    })
    .hears('principal.bound', { code: PRINCIPAL })
    .goes('menu')
    .sees('menu.choose');
}

/** Its number is bound no more. */
export async function unbound(world: World, phone: ReturnType<World['customer']>['phone']): Promise<void> {
  const { principal } = world.engine.desk;
  await principal?.proposeUnbinding(phone, AICHA, 'ne travaille plus ici');
  const mark = (await principal?.numbers())?.find((each) => each.phone === phone);
  await principal?.approveBinding(phone, BADR, mark?.proposal?.at ?? 0);
}

/** What agents do for the principal agent. Throws where nobody acts for one. */
export function principalDesk(world: World) {
  const { principal } = world.engine.desk;
  if (!principal) throw new Error('there is none');
  return principal;
}
