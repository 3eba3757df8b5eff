import type { Random } from '../town/random.ts';
import type { WalletFaults } from './wallet-faults.ts';

/** How often each thing goes wrong, 0 … 1. */
export interface Faults extends WalletFaults {
  store: number;
  crashes: number;
  freezes: number;
  network: number;
  losses: number;
}

/** The faults of one history, and how often each comes. Each kind is absent from many histories, so that the others stand out. */
export function weather(random: Random, alone: boolean): Faults {
  const often = (chance: number, ...rates: number[]) => (random.chance(chance) ? random.pick(rates) : 0);
  return {
    reads: often(0.6, 0.02, 0.1, 0.3),
    money: often(0.9, 0.2, 0.6, 1),
    listLag: often(0.4, 0.2, 1),
    elsewhere: often(0.3, 0.2),
    store: often(0.5, 0.002, 0.02),
    crashes: often(0.6, 0.02, 0.15),
    freezes: often(0.4, 0.02, 0.1),
    network: often(0.7, 0.03, 0.15),
    losses: alone ? 0 : often(0.4, 0.01, 0.05),
  };
}
