import { type Screen, SECRETS, type Sentence } from '../../machines/kit/screen.ts';
import { latinDigits } from '../wallet/money.ts';
import { type Msisdn, readPhone } from '../wallet/phone.ts';
import { choiceOf } from './hear.ts';
import type { Address, Incoming, Language } from './incoming.ts';
import { shownScreen } from './open-first.ts';
import type { Session } from './session.ts';
import type { Loaded } from './sessions.ts';
import { readShortcut } from './shortcuts/shortcut.ts';
import { withoutSecrets } from './talk.ts';
import { currentScreen, languageOf } from './think.ts';

/** One call that a turn made: its name, our id of it, how long it took and what kind of answer came. */
export interface Ran {
  readonly src: string;
  readonly ref: string;
  readonly ms: number;
  readonly came: string;
}

/**
 * One turn, as console, funnels and transcripts read it (design rule 14). Nothing in it is a secret; personal data is
 * masked by whoever reads it.
 */
export interface TurnRecord {
  readonly at: number;
  readonly address: Address;
  readonly wallet?: Msisdn;
  readonly language: Language;
  /** What the customer, the world or an agent did: `said 200`, `chose confirm`, `pin`, `time`, `intent succeeded`. */
  readonly event: string;
  /** False where the input meant nothing on its screen. */
  readonly heard?: false;
  /** Who did it, where it was an agent. */
  readonly by?: string;
  /** `transfer.askingAmount`; empty where no conversation was under way. */
  readonly from: string;
  readonly to: string;
  /** It was said to a person: the bot showed nothing new, but on USSD that it was passed on. */
  readonly toPerson?: true;
  /** The screen after the turn. */
  readonly screen: Pick<Screen, 'key' | 'values' | 'choices' | 'notice' | 'first' | 'expects'>;
  /** Which page of it, on a handset: absent on the first. */
  readonly page?: number;
  /** What was said beside it: outcomes, money received, an agent's words. */
  readonly said?: readonly Sentence[];
  readonly ran: readonly Ran[];
  /** Who owns the conversation after it. */
  readonly owner?: string;
  readonly ms: number;
  /** How long after it happened a webhook's news was applied. */
  readonly lagMs?: number;
}

/** What a turn did, for its record. */
export interface Done {
  readonly before: Loaded;
  readonly after: Loaded;
  readonly event: string;
  readonly heard?: boolean;
  readonly toPerson?: true | undefined;
  /** The agent who did it. */
  readonly by?: string | undefined;
  /** When the news of it happened, in ms since 1970. */
  readonly happenedAt?: number | undefined;
  readonly ran: readonly Ran[];
  readonly startedAt: number;
  readonly now: number;
}

/** The record of a turn, as JSON. */
export function createRecord(done: Done): string {
  const { before, after, event, heard = true, toPerson, by, happenedAt, ran, startedAt, now } = done;
  const { session } = after;
  const { key, values, choices, notice, first, expects } = shownScreen(after);
  const said = saidSince(before.session, session);
  const record: TurnRecord = {
    at: now,
    address: after.address,
    ...(session.wallet && { wallet: session.wallet }),
    language: languageOf(after),
    event,
    ...(!heard && { heard }),
    ...(toPerson && { toPerson }),
    ...(by && { by }),
    from: place(before),
    to: place(after),
    screen: {
      key,
      ...(values && { values }),
      ...(choices && { choices: choices.map(({ picture: _seen, ...choice }) => choice) }),
      ...(notice && { notice }),
      ...(first && { first }),
      expects,
    },
    ...(session.page > 0 && { page: session.page }),
    ...(said.length > 0 && { said }),
    ran,
    ...(session.owner && { owner: session.owner.id }),
    ms: now - startedAt,
    ...(happenedAt !== undefined && { lagMs: Math.max(0, now - happenedAt) }),
  };
  return JSON.stringify(record);
}

/** The messages that a turn has added. The screen on show, kept in case it is lost, is none. */
function saidSince(before: Session, { outbox = [], screen: shown }: Session): Sentence[] {
  const known = new Set(before.outbox?.map(({ id }) => id));
  return outbox.flatMap(({ id, screenId, screen: { key, values } }) =>
    known.has(id) || screenId === shown ? [] : [{ key, ...(values && { values }) }],
  );
}

function place({ session: { conversation } }: Loaded): string {
  return conversation ? `${conversation.machine}.${conversation.state}` : '';
}

/** As many digits as a PIN or a one-time code has, and as many as a card number has at least. */
const LOOKS_SECRET = /^(\d{4}|\d{6}|\d{13,})$/;

/** A PIN may be typed where none is asked, a second too late: what looks like one is kept only where it is an amount. */
function mayBeKept(text: string, expects: Screen['expects']): boolean {
  if (expects === 'nationalId') return false;
  // Nothing was asked: it may be the password that the screen before has asked for.
  if (expects === 'nothing') return readShortcut(text) !== undefined;
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
  if (session.owner && raw.type === 'said') return heard ? `said ${withoutSecrets(raw.text)}` : 'said';
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
