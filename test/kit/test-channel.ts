import { randomUUID } from 'node:crypto';
import { afterAll } from 'vitest';
import { type Abilities, CHANNELS } from '../../src/conversation/channel.ts';
import type { Address, Language } from '../../src/conversation/incoming.ts';
import { type Customer, createCustomer } from './customer.ts';
import { engineWay } from './engine-way.ts';
import type { World } from './world.ts';

/**
 * A row that only the tests of one file have: a chat with a window of a day. The engine knows it by its row alone, as it knows every
 * other channel. The row goes after the tests of its file, because other files share the worker.
 */
export function addTestChannel(name: string, abilities: Partial<Abilities> = {}): void {
  const rows: Record<string, Abilities> = CHANNELS;
  rows[name] = { ...CHANNELS.web, pushes: { withinMs: 24 * 3_600_000 }, ...abilities };
  afterAll(() => {
    delete rows[name];
  });
}

/** The same customer in a chat of such a channel. */
export function inTestChannel(world: World, customer: Customer, name: string, language: Language = 'fr') {
  const address = `${name}:${randomUUID()}` as Address;
  return createCustomer(world, customer.phone, language, engineWay(world, 'web', address, language));
}
