import { SAFETY_DEFAULTS, type SafetySettings } from '../../src/conversation/session/safety.ts';
import { centimes } from '../../src/wallet/money.ts';

/*
 * Each first payment to somebody is asked about by default. Most tests pay somebody new, and are about something else: there only those
 * of 500 DH and more are.
 */

/** For an engine. */
export const ASKS_FROM_500: SafetySettings = { ...SAFETY_DEFAULTS, newRecipientFrom: centimes(500_00) };

/** For a process. */
export const ASKS_FROM_500_DH = { NEW_RECIPIENT_ASKS_FROM: '500' } as const;
