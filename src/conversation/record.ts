import { type Screen, SECRETS } from '../../machines/kit/screen.ts';
import { latinDigits } from '../wallet/money.ts';
import { readPhone } from '../wallet/phone.ts';
import { choiceOf } from './hear.ts';
import type { Incoming } from './incoming.ts';
import type { Session } from './session.ts';
import type { Loaded } from './sessions.ts';
import { currentScreen } from './think.ts';

/** One call that a turn made: its name, our id of it, how long it took and what kind of answer came. */
export interface Ran {
  readonly src: string;
  readonly ref: string;
  readonly ms: number;
  readonly came: string;
}

/**
 * One turn, as console, funnels and transcripts read it (design rule 14). `event` never holds a secret; personal data is
 * masked by whoever reads it.
 */
export interface TurnRecord {
  readonly at: number;
  readonly address: string;
  readonly event: string;
  readonly from: string;
  readonly to: string;
  readonly screen: { readonly key: string; readonly values?: unknown };
  readonly ran: readonly Ran[];
  readonly ms: number;
}

/** The record of a turn, as JSON. */
export function createRecord(turn: {
  before: Loaded;
  after: Loaded;
  event: string;
  ran: readonly Ran[];
  startedAt: number;
  now: number;
}): string {
  const { key, values } = currentScreen(turn.after.session);
  const record: TurnRecord = {
    at: turn.now,
    address: turn.after.address,
    event: turn.event,
    from: place(turn.before),
    to: place(turn.after),
    screen: { key, ...(values && { values }) },
    ran: turn.ran,
    ms: turn.now - turn.startedAt,
  };
  return JSON.stringify(record);
}

function place({ session: { conversation } }: Loaded): string {
  return conversation ? `${conversation.machine}.${conversation.state}` : '';
}

/** As many digits as a PIN or a one-time code has, and as many as a card number has at least. */
const LOOKS_SECRET = /^(\d{4}|\d{6}|\d{13,})$/;

/** A PIN may be typed where none is asked, a second too late: what looks like one is kept only where it is an amount. */
function mayBeKept(text: string, expects: Screen['expects']): boolean {
  if (expects === 'nationalId') return false;
  // Anything but a number, where a number is asked, was meant for another screen: perhaps a password.
  if (expects === 'phone') return readPhone(text) !== undefined;
  const digits = latinDigits(text).replace(/\D/g, '');
  return !(expects === 'amount' ? /^\d{13,}$/ : LOOKS_SECRET).test(digits);
}

/** What the customer did, as it may be written down: the text only where it was understood and can be no secret. */
export function eventOf({ inputs, dialog }: Incoming, heard: boolean, session: Session): string {
  const raw = inputs.at(-1);
  // What a deep dial goes through is not written down: its answers belong to screens that were never shown.
  if (!raw || (dialog !== undefined && dialog !== session.dialog)) return 'dialed';
  const { expects } = currentScreen(session);
  switch (raw.type) {
    case 'chose':
    case 'picked':
      // Only a choice that was offered is known to be nothing else.
      return heard ? `chose ${choiceOf(raw, currentScreen(session))?.slice(0, 40)}` : 'chose';
    case 'went':
      return `went ${raw.to}`;
    case 'said':
      if (SECRETS.has(expects)) return expects;
      return heard && mayBeKept(raw.text, expects) ? `said ${raw.text.slice(0, 80)}` : 'said';
    default:
      return raw.type;
  }
}
