import { randomUUID } from 'node:crypto';
import { channelOf } from '../../src/conversation/channel.ts';
import type { Address, ChannelName, Language } from '../../src/conversation/incoming.ts';
import type { SeedCustomer } from '../../src/sandbox/sandbox.ts';
import { centimes } from '../../src/wallet/money.ts';
import { type Msisdn, msisdn } from '../../src/wallet/phone.ts';
import { botWay } from '../channels/bot-api/way.ts';
import { whatsAppWay } from '../channels/cloud-api/way.ts';
import { shapeWayOfTest } from '../channels/shape-way.ts';
import { type Customer, createCustomer } from './customer.ts';
import { engineWay } from './engine-way.ts';
import { CHATS, languageOfTest } from './rotation.ts';
import type { World } from './world.ts';
import { type CustomerOptions, PIN } from './world-options.ts';
import type { Parts } from './world-parts.ts';

export interface People {
  /** A customer with a wallet of their own, at a phone. */
  customer(who?: Partial<Omit<SeedCustomer, 'balance'>> & CustomerOptions): Customer;
  /** The same person at the same address, when an earlier question will never be answered. */
  again(customer: Customer): Customer;
  /** A chat of the same customer, on another device. */
  chatOf(customer: Customer, language?: Language): Customer;
  /** The same customer at a phone. */
  dialer(customer: Customer, language?: Language): Customer;
  /** A person without a wallet. */
  stranger(who?: CustomerOptions): Customer;
  /** Every SMS that a number has received, oldest first: ours and the wallet's. */
  sms(phone: Msisdn): string[];
}

/** The customers of a world. */
export function peopleOf({ sandbox, inbox }: Parts, world: () => World): People {
  let last = 10_000_000;
  const newNumber = () => `+2126${String(last++).padStart(8, '0')}`;
  const at = (phone: Msisdn, channel: ChannelName, language: Language, address?: Address) => {
    const way =
      channel === 'telegram'
        ? botWay(world(), world().bot, language, address)
        : channel === 'whatsapp'
          ? whatsAppWay(world(), world().whatsapp, language, address)
          : (channel === 'ussd' && shapeWayOfTest(world(), phone)) ||
            engineWay(world(), channel, address ?? addressOn(channel, phone), language);
    return createCustomer(world(), phone, language, way);
  };
  return {
    customer(who = {}) {
      const { channel = 'ussd', language = languageOfTest(), balance = '500', ...rest } = who;
      const phone = msisdn(rest.phone ?? newNumber());
      sandbox.addCustomer({
        ...{ phone, firstName: 'Test', lastName: 'Customer', level: 2, status: 3 },
        ...((rest.status ?? 3) >= 3 && { pin: PIN }),
        balance: centimes(Math.round(Number(balance) * 100)),
        ...rest,
      });
      return at(phone, channel, language);
    },
    again: ({ phone, address, language }) => at(phone, channelOf(address), language, address),
    chatOf: ({ phone, address, language: own }, language = own) =>
      at(phone, CHATS.find((chat) => chat === channelOf(address)) ?? 'web', language),
    dialer: ({ phone }, language = 'fr') => at(phone, 'ussd', language),
    stranger: ({ channel = 'ussd', language = languageOfTest() } = {}) =>
      at(msisdn(newNumber()), channel, language),
    sms: (phone) =>
      [...inbox.of(phone), ...sandbox.sms(phone)].sort((a, b) => a.at - b.at).map(({ text }) => text),
  };
}

function addressOn(channel: 'ussd' | 'web', phone: Msisdn): Address {
  return channel === 'ussd' ? `ussd:${phone}` : `web:${randomUUID()}`;
}
