import type { Msisdn } from '../../wallet/phone.ts';

/**
 * `accepted`: the provider has taken it. `later`: nobody took it, or nobody knows. An SMS may repeat, so try again.
 * `refused`: this number can never be reached.
 */
export type SmsAnswer = 'accepted' | 'later' | 'refused';

/** A provider's later report on an SMS that it has accepted. `id` is the one that it gave then. */
export interface SmsReceipt {
  readonly id: string;
  readonly status: 'delivered' | 'failed';
}

/** Sends one SMS. Never rejects. The text holds no PIN, no full balance and no full RIB: its writer sees to that. `taken` is called with the provider's id, where it gives one and reports by it. */
export type SmsSender = (to: Msisdn, text: string, taken?: (id: string) => void) => Promise<SmsAnswer>;
