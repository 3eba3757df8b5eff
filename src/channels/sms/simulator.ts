import type { Msisdn } from '../../wallet/phone.ts';
import type { SmsSender } from './sms.ts';

/** One SMS as it lies in the simulator. `at` is ms since 1970. */
export interface Sms {
  readonly at: number;
  readonly text: string;
}

const MESSAGES_MAX_PER_NUMBER = 50;
const NUMBERS_MAX = 1_000;

interface SmsInbox {
  readonly send: SmsSender;
  /** The messages that a number has received, oldest first. */
  readonly of: (phone: Msisdn) => readonly Sms[];
}

/** An SMS provider that keeps everything in memory, for the simulator page. The oldest numbers and messages fall out. */
export function createSmsInbox(now: () => number = Date.now): SmsInbox {
  const inboxes = new Map<Msisdn, Sms[]>();
  return {
    send: async (to, text) => {
      const kept = [...(inboxes.get(to) ?? []), { at: now(), text }].slice(-MESSAGES_MAX_PER_NUMBER);
      // Taken out and put back, a number moves to the end: the first key is always the one that was silent longest.
      inboxes.delete(to);
      inboxes.set(to, kept);
      const [oldest] = inboxes.keys();
      if (inboxes.size > NUMBERS_MAX && oldest) inboxes.delete(oldest);
      return 'accepted';
    },
    of: (phone) => inboxes.get(phone) ?? [],
  };
}
