import type { Msisdn } from '../../wallet/phone.ts';

/**
 * `accepted`: the provider has taken it. `later`: nobody took it, or nobody knows. An SMS may repeat, so try again.
 * `refused`: this number can never be reached.
 */
export type SmsAnswer = 'accepted' | 'later' | 'refused';

/** Sends one SMS. Never rejects. The text holds no PIN, no full balance and no full RIB: its writer sees to that. */
export type SmsSender = (to: Msisdn, text: string) => Promise<SmsAnswer>;
