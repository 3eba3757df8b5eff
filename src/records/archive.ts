import type { Archive } from '../conversation/intents/archive.ts';
import { intentIn } from './payment-row.ts';
import type { Records } from './records.ts';

/** The records as the engine and the console read them. */
export function createArchive(records: Records): Archive {
  return {
    async find(id) {
      const row = await records.payment(id);
      return row && intentIn(row);
    },
    named: async (name, limit) => (await records.paymentsNamed(name, limit)).map(({ id }) => id),
    ofWallet: async (...asked) => (await records.paymentsOf(...asked)).map(intentIn),
    turns: records.turns,
    turnsOf: records.turnsOf,
    turnsNaming: records.turnsNaming,
  };
}
