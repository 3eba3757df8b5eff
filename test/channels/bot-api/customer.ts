import type { Language } from '../../../src/conversation/incoming.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';
import { type Customer, createCustomer } from '../../kit/customer.ts';
import type { Person } from './person.ts';
import type { BotStage } from './stage.ts';
import { botWay } from './way.ts';

/** A customer in a chat of the real bot, whose phone can be looked at and played with. */
export interface BotCustomer extends Customer {
  readonly person: Person;
}

/** The chat of somebody who has a wallet, or none. */
export function createBotCustomer(
  { world }: BotStage,
  phone: Msisdn,
  language: Language = 'fr',
): BotCustomer {
  const way = botWay(world, world.bot, language);
  return Object.assign(createCustomer(world, phone, language, way), { person: way.person });
}

/** The recipient of payments here, who is no customer of this wallet. */
export const RECIPIENT = '0655000000';

/** From a new chat to a transfer of 100 DH that is being processed. */
export function paid(customer: Customer): Customer {
  return customer
    .isAtMenu()
    .chooses('transfer')
    .says(RECIPIENT)
    .says('100')
    .enters()
    .sees('transfer.processing');
}
