import type { ChannelName } from '../../src/conversation/incoming.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type { CashKind } from '../../src/wallet/services.ts';
import type { Customer, World } from '../kit/world.ts';

/** A customer with a wallet of their own who is a retail agent at the wallet, with the code that it has given. */
export async function agentIn(
  world: World,
  channel: ChannelName = 'ussd',
): Promise<{ readonly agent: Customer; readonly code: string }> {
  const agent = world.customer({ channel, firstName: 'Driss', lastName: 'Lahlou' });
  return { agent, code: await employed(world, agent) };
}

/** Makes a customer a retail agent at the wallet, and returns the code of the agent. */
export async function employed(world: World, agent: Pick<Customer, 'phone'>): Promise<string> {
  const answer = await world.api.createRetailAgent({
    phone: agent.phone,
    name: 'Tabac Central',
    firstName: 'Driss',
    lastName: 'Lahlou',
    cin: 'BE123456',
    address: '12, rue des Orangers, Casablanca',
  });
  if (answer.kind !== 'ok') throw new Error(`no agent: ${answer.kind}`);
  return answer.value.code;
}

/** From the consumer's menu to the agent's own. */
export const becomes = (code: string) => (agent: Customer) =>
  agent
    .chooses('account')
    .chooses('agent')
    .sees('agent.askCode')
    .says(code)
    .sees('agent.welcome', { code, name: 'Tabac Central' })
    .goes('menu')
    .sees('menu.chooseAgent', { code });

/** An agent at the agent's menu. */
export async function agentAtMenu(world: World, channel: ChannelName = 'ussd') {
  const { agent, code } = await agentIn(world, channel);
  await agent.isAtMenu().walks(becomes(code));
  return { agent, code };
}

/** A reference that a customer has been given, in dirhams. */
export async function referenceOf(
  world: World,
  kind: CashKind,
  phone: Msisdn,
  dirhams: number,
): Promise<string> {
  const order = { phone, amount: centimes(Math.round(dirhams * 100)) };
  const answer = await (kind === 'cash-in'
    ? world.api.requestCashIn(order)
    : world.api.requestCashOut(order));
  if (answer.kind !== 'ok') throw new Error(`no reference: ${answer.kind}`);
  return answer.value.reference;
}

/** The balance of a customer, in centimes. */
export async function balanceOf(world: World, phone: Msisdn): Promise<number> {
  const answer = await world.api.balance(phone);
  if (answer.kind !== 'ok') throw new Error(`no balance: ${answer.kind}`);
  return answer.value;
}
