import { randomUUID } from 'node:crypto';
import { type Abilities, CHANNELS } from '../../src/conversation/channel.ts';
import type { Address, Language } from '../../src/conversation/incoming.ts';
import { type Customer, createCustomer } from './customer.ts';
import { engineWay } from './engine-way.ts';
import type { World } from './world.ts';

/**
 * A row that only tests have: a chat with a window of a day. The engine knows it by its row alone, as it knows every other channel.
 */
export function addTestChannel(name: string, abilities: Partial<Abilities> = {}): void {
  Object.assign(CHANNELS, {
    [name]: {
      ...CHANNELS.web,
      pushes: { withinMs: 24 * 3_600_000 },
      ...abilities,
    } satisfies Abilities,
  });
}

/** The same customer in a chat of such a channel. */
export function inTestChannel(world: World, customer: Customer, name: string, language: Language = 'fr') {
  const address = `${name}:${randomUUID()}` as Address;
  return createCustomer(world, customer.phone, language, engineWay(world, 'web', address, language));
}
