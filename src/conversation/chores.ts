import type { Engine } from './engine.ts';
import type { Address } from './incoming.ts';

/** The work of the engine that becomes due, by the kind of its document: the first part of the key. */
export function choresOf(engine: Engine) {
  return {
    session: (address: string) => engine.wake(address as Address),
    intent: engine.reconcile,
    pending: engine.lookAtPending,
    'cash-reference': engine.lookUp,
    payout: engine.payOut,
    'voucher-code': engine.resealVoucher,
  };
}
