import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  type Expected,
  type Screen,
  SECRETS,
  type Sentence,
  type Value,
} from '../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import { correlationId } from '../../correlation.ts';
import type { Commit } from '../../store/store.ts';
import { latinDigits } from '../../wallet/digits.ts';
import { type Msisdn, readPhone } from '../../wallet/phone.ts';
import { ribIn } from '../../wallet/rib.ts';
import { type CaseUpdate, carrying } from '../cases/update.ts';
import { type Address, type Incoming, type Input, LANGUAGES, type Language } from '../incoming.ts';
import { choiceOf } from '../session/choice.ts';
import { currentScreen, languageOf } from '../session/current-screen.ts';
import { withOpenPayments, wordsNow } from '../session/open-first.ts';
import type { SentFile } from '../session/sent-file.ts';
import type { Session } from '../session/session.ts';
import type { LoadedSession } from '../session/sessions.ts';
import { withoutSecrets } from '../session/talk.ts';
import type { WalletDoc } from '../session/wallet-doc.ts';
import { namesReference, readShortcut } from '../shortcuts/shortcut.ts';
import type { Thought } from '../turn/think/thought.ts';
import { type Course, isBetween } from './purpose.ts';
import {
  CALL_OUTCOME,
  type CallOutcome,
  type EventOf,
  type InputDone,
  type SecretGiven,
  TURN_EVENT,
  type TurnEvent,
} from './turn-event.ts';

/** How much of a text and of a choice's id is written down. */
const TEXT_KEPT_CHARS = 80;
const CHOICE_KEPT_CHARS = 40;
/** The form of a record. A reader that meets another one leaves it out. */
const RECORD_VERSION = 2;

/** One call that a turn made: the effect, our id of the call (`C-Request-Id`), how long it took and how it was answered. */
export interface Ran {
  readonly effect: string;
  readonly ref: string;
  readonly ms: number;
  readonly outcome: CallOutcome;
}

/** A call of this turn. Its facts about the wallet are kept in the wallet's document, not in the record. */
export interface Made extends Ran {
  readonly learnt?: Partial<WalletDoc>;
}

/** The wallet's document with all that a turn's calls have learnt. The same one where that is nothing. */
export function learntIn(wallet: WalletDoc, made: readonly Made[]): WalletDoc {
  if (made.every((call) => call.learnt === undefined)) return wallet;
  const learnt = Object.entries(Object.assign({}, ...made.map((call) => call.learnt)));
  const known = new Map<string, unknown>(Object.entries(wallet));
  const isNew = learnt.some(([name, value]) => !isDeepStrictEqual(known.get(name), value));
  return isNew ? { ...wallet, ...Object.fromEntries(learnt) } : wallet;
}

/** One turn, for console, funnels and transcripts. It holds no secret. The reader masks personal data. */
export interface TurnRecord {
  readonly v: typeof RECORD_VERSION;
  readonly at: number;
  readonly address: Address;
  readonly wallet?: Msisdn;
  readonly language: Language;
  readonly event: TurnEvent;
  /** `transfer.askingAmount`. Empty where no conversation was under way. */
  readonly from: string;
  readonly to: string;
  /** The conversation that a machine in between (`purpose.ts`) has interrupted, if any. */
  readonly under?: Partial<Course>;
  /** The screen after the turn. */
  readonly screen: Pick<Screen, 'key' | 'values' | 'choices' | 'notice' | 'first' | 'isAnswer' | 'expects'>;
  /** The page of the screen, on a handset. Absent on the first page. */
  readonly page?: number;
  /** The messages that were added to it: outcomes, money received, an agent's words. */
  readonly said?: readonly Sentence[];
  readonly ran: readonly Ran[];
  /** The agent who owns the conversation after it. */
  readonly owner?: string;
  readonly ms: number;
  /** How long ago the turn before it was, in ms. Absent: no conversation was under way, or an earlier release has written it. */
  readonly stayedMs?: number;
  /** How long after the event its webhook was applied. */
  readonly lagMs?: number;
  readonly webhook?: string;
  /** The id in the log for the work on it. */
  readonly trace?: string;
}

/** Only the sentence knows which values it needs, so the renderer checks them. */
const VALUE = z.custom<Value>((value) => typeof value === 'object' && value !== null);
/** This version may no longer have the sentence, so the renderer checks that. */
const KEY = z.custom<SentenceKey>((value) => typeof value === 'string');
const SENTENCE = z.object({ key: KEY, values: z.record(z.string(), VALUE).exactOptional() });
/** A screen may expect a kind of answer that this version does not know. Then that kind is not recognised. */
const EXPECTED = z.custom<Expected>((value) => typeof value === 'string');

const SCREEN = {
  ...SENTENCE.shape,
  choices: z
    .array(
      SENTENCE.extend({
        id: z.string(),
        digit: z.number().exactOptional(),
        listed: z.literal(true).exactOptional(),
        varies: z.literal(true).exactOptional(),
      }),
    )
    .exactOptional(),
  notice: SENTENCE.exactOptional(),
  first: z.array(SENTENCE).exactOptional(),
  isAnswer: z.literal(true).exactOptional(),
  expects: EXPECTED,
} satisfies Record<keyof TurnRecord['screen'], z.ZodType>;

const RAN = {
  effect: z.string(),
  ref: z.string(),
  ms: z.number(),
  outcome: CALL_OUTCOME,
} satisfies Record<keyof Ran, z.ZodType>;

/** How a record is read. A field that is in the type and not here does not compile. */
const RECORD = {
  v: z.literal(RECORD_VERSION),
  at: z.number(),
  address: z.custom<Address>((value) => typeof value === 'string' && value.includes(':')),
  wallet: z
    .custom<Msisdn>((value) => typeof value === 'string' && readPhone(value) === value)
    .exactOptional(),
  language: z.enum(LANGUAGES),
  event: TURN_EVENT,
  from: z.string(),
  to: z.string(),
  under: z.object({ from: z.string().exactOptional(), to: z.string().exactOptional() }).exactOptional(),
  screen: z.object(SCREEN),
  page: z.number().exactOptional(),
  said: z.array(SENTENCE).exactOptional(),
  ran: z.array(z.object(RAN)),
  owner: z.string().exactOptional(),
  ms: z.number(),
  stayedMs: z.number().exactOptional(),
  lagMs: z.number().exactOptional(),
  webhook: z.string().exactOptional(),
  trace: z.string().exactOptional(),
} satisfies Record<keyof TurnRecord, z.ZodType>;
const CODEC: z.ZodType<TurnRecord> = z.object(RECORD);

/**
 * A turn record as it is stored. Undefined where another version of Wasl has written it in a form that this one does
 * not know. Nobody acts on records, so a reader of many leaves it out.
 */
export function readRecord(json: string): TurnRecord | undefined {
  return CODEC.safeParse(parsed(json)).data;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** A webhook's data about itself. */
export interface WebhookInfo {
  /** The time of the event that it tells of, in ms since 1970. */
  readonly happenedAt?: number;
  /** Its id, by which the records find its results. */
  readonly id?: string;
}

/** The results of a turn, for its record. */
interface Done {
  readonly before: LoadedSession;
  readonly after: LoadedSession;
  readonly event: TurnEvent;
  readonly webhook?: WebhookInfo | undefined;
  readonly ran: readonly Made[];
  readonly caseUpdates?: readonly CaseUpdate[];
  readonly startedAt: number;
  readonly now: number;
}

/** The record of a turn as its commit writes it: JSON, with the updates of cases that the recorder brings to SQL. */
export function createRecord(done: Done): Pick<Commit, 'turn' | 'carries'> {
  return carrying(JSON.stringify(recordOf(done)), done.caseUpdates ?? []);
}

function recordOf({ before, after, event, webhook = {}, ran, startedAt, now }: Done): TurnRecord {
  const { session } = after;
  const { key, values, choices, notice, first, isAnswer, expects } = concealed(withOpenPayments(after));
  const said = saidSince(before.session, session);
  const trace = correlationId();
  return {
    v: RECORD_VERSION,
    at: now,
    address: after.address,
    ...(session.wallet && { wallet: session.wallet }),
    language: languageOf(after),
    event,
    ...courseOf(before.session, after.session),
    screen: {
      key,
      ...(values && { values }),
      ...(choices && { choices: choices.map(({ picture: _seen, ...choice }) => choice) }),
      ...(notice && { notice }),
      ...(first && { first }),
      ...(isAnswer && { isAnswer }),
      expects,
    },
    ...(session.page > 0 && { page: session.page }),
    ...(said.length > 0 && { said }),
    ran: ran.map(({ learnt: _kept, ...call }) => call),
    ...(session.owner && { owner: session.owner.id }),
    ms: now - startedAt,
    ...(before.session.conversation && { stayedMs: Math.max(0, now - before.session.at) }),
    ...(webhook.happenedAt !== undefined && { lagMs: Math.max(0, now - webhook.happenedAt) }),
    ...(webhook.id !== undefined && { webhook: webhook.id }),
    ...(trace !== undefined && { trace }),
  };
}

/** Stands in a record for a value that is sealed. */
const CONCEALED = { hidden: '' } as const;

/** A sentence as a record has it: without its sealed values, which are worth money, and without somebody else's name. */
function concealed<S extends Sentence>(sentence: S): S {
  if (!sentence.values) return sentence;
  const values = Object.entries(sentence.values).map(([name, value]) => [name, recorded(value)]);
  return { ...sentence, values: Object.fromEntries(values) };
}

function recorded(value: Value): Value {
  if (isUnkept(value)) return CONCEALED;
  return 'lines' in value ? { lines: value.lines.map(concealed) } : value;
}

function isUnkept(value: Value): boolean {
  return 'sealed' in value || ('name' in value && value.unkept === true);
}

/** The messages that a turn has added. The screen on show, kept in case it is lost, is none. */
function saidSince(before: Session, { outbox = [], screen: shown }: Session): Sentence[] {
  const known = new Set(before.outbox?.map(({ id }) => id));
  return outbox.flatMap(({ id, screenId, screen: { key, values } }) =>
    known.has(id) || screenId === shown ? [] : [concealed({ key, ...(values && { values }) })],
  );
}

function courseOf(before: Session, after: Session): Pick<TurnRecord, 'from' | 'to' | 'under'> {
  const [from, to] = [place(before.conversation), place(after.conversation)];
  if (!isBetween(from) && !isBetween(to)) return { from, to };
  const [under, now] = [
    before.suspended && place(before.suspended),
    after.suspended && place(after.suspended),
  ];
  return { from, to, under: { ...(under && { from: under }), ...(now && { to: now }) } };
}

function place(conversation: Session['conversation']): string {
  return conversation ? `${conversation.machine}.${conversation.state}` : '';
}

/** As many digits as a PIN or a one-time code has, and as many as a card number has at least. */
const LOOKS_SECRET = /^(\d{4}|\d{6}|\d{13,})$/;

/**
 * A PIN may be typed where none is asked, a second too late or early. So a text that looks like a PIN is not kept. If
 * it was an amount, the next screen says it.
 */
function mayBeKept(text: string, expects: Screen['expects']): boolean {
  if (expects === 'nationalId') return false;
  // Nothing was asked: it may be the password that the screen before has asked for.
  if (expects === 'nothing') return readShortcut(text) !== undefined;
  // Anything but a number, where a number is asked, was meant for another screen: perhaps a password.
  if (expects === 'phone') return readPhone(text) !== undefined;
  if (expects === 'account') return (readPhone(text) ?? ribIn(text)) !== undefined;
  const latin = latinDigits(text);
  // No PIN is written as `1.500`, nor has five digits.
  if (expects === 'amount' && !/^\D*\d{4}\D*$/.test(latin))
    return !/^\d{13,}$/.test(latin.replace(/\D/g, ''));
  return !LOOKS_SECRET.test(latin.replace(/\D/g, ''));
}

/** The customer's input, for the record. What was understood, and by whom it is read, is as the engine has found it. */
export function inputEvent(
  { inputs, dialog, unreadText }: Incoming,
  { isUnderstood, file, ...thought }: Pick<Thought, 'isUnderstood' | 'toPerson' | 'leavesWords' | 'file'>,
  loaded: LoadedSession,
): EventOf<'input'> {
  const { session } = loaded;
  const input = inputs.at(-1);
  const toPerson = thought.toPerson ?? thought.leavesWords;
  // The answers of a deep dial are not written down: they belong to screens that were never shown.
  const isDeep = !input || (dialog !== undefined && dialog !== session.dialog);
  return {
    kind: 'input',
    input: isDeep
      ? { type: 'dialed' }
      : file
        ? fileGiven(file, unreadText)
        : inputDone(input, isUnderstood, loaded, toPerson),
    ...(!isUnderstood && { unclear: true }),
    ...(toPerson && { toPerson }),
  };
}

/** A file for a person, and its caption, which is theirs to read as well. */
function fileGiven({ id, type }: SentFile, text: string | undefined): InputDone {
  return { type: 'photo', file: { id, type }, ...(text && { text: withoutSecrets(text) }) };
}

/** An input as it may be written down: the text only where it was understood and can be no secret. */
function inputDone(
  input: Input,
  isUnderstood: boolean,
  loaded: LoadedSession,
  toPerson = loaded.session.owner !== undefined,
): InputDone {
  const screen = wordsNow(currentScreen(loaded.session), loaded);
  switch (input.type) {
    case 'chose':
    case 'picked': {
      // Only a choice that was offered is known to be nothing else.
      const choice = isUnderstood ? choiceOf(input, screen)?.slice(0, CHOICE_KEPT_CHARS) : undefined;
      return { type: 'chose', ...(choice !== undefined && { choice }) };
    }
    case 'went':
      return { type: 'went', to: input.to };
    case 'said':
      return saidText(input.text, isUnderstood, screen.expects, toPerson);
    case 'secret':
      return isSecret(screen.expects) ? { type: 'gave', secret: screen.expects } : { type: 'said' };
    default:
      return { type: input.type };
  }
}

function saidText(text: string, isUnderstood: boolean, expects: Expected, isToPerson: boolean): InputDone {
  if (isToPerson) return { type: 'said', ...(isUnderstood && { text: withoutSecrets(text) }) };
  if (isSecret(expects)) return { type: 'gave', secret: expects };
  if (namesReference(text)) return { type: 'gave', secret: 'reference' };
  return {
    type: 'said',
    ...(isUnderstood && mayBeKept(text, expects) && { text: text.slice(0, TEXT_KEPT_CHARS) }),
  };
}

function isSecret(expects: Expected): expects is SecretGiven {
  return SECRETS.has(expects);
}
