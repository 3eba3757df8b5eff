import type { ReferenceState } from '../../machines/kit/effects.ts';
import { READINGS } from '../conversation/chart/readings.ts';
import type { Intent } from '../conversation/desk/desk.ts';
import { LANGUAGES, type Language, type Navigation } from '../conversation/incoming.ts';
import type {
  AgentAct,
  CallOutcome,
  EventOf,
  InputDone,
  SecretGiven,
} from '../conversation/record/turn-event.ts';
import { PAYMENT_KINDS } from '../payments/payments.ts';
import { loadLocales } from '../screen/locales.ts';
import { type ConsoleKey, isConsoleKey, say } from './sentences.ts';

/**
 * The kinds of things that have words: conversations (by the id of their machine, which is also the kind of their
 * order), their states, calls, outcomes of calls, and states of payments and of references.
 */
export type Named = 'flow' | 'step' | 'call' | 'outcome' | 'state' | 'reference';

const SECRETS_GIVEN: Readonly<Record<SecretGiven, ConsoleKey>> = {
  pin: 'console.didPin',
  newPin: 'console.didNewPin',
  otp: 'console.didOtp',
  password: 'console.didPassword',
  reference: 'console.didReference',
};
const WENT: Readonly<Record<Navigation, ConsoleKey>> = {
  back: 'console.didGoBack',
  menu: 'console.didGoToMenu',
  cancel: 'console.didCancel',
  help: 'console.didAskHelp',
  language: 'console.didAskLanguage',
  more: 'console.didTurnPage',
};
const DID: Readonly<Record<Exclude<InputDone['type'], 'gave' | 'went'>, ConsoleKey>> = {
  said: 'console.didSay',
  chose: 'console.didChoose',
  carded: 'console.didGiveCard',
  tapped: 'console.didTap',
  contact: 'console.didContact',
  photo: 'console.didPhoto',
  dialed: 'console.didDial',
  opened: 'console.didOpen',
  speaks: 'console.didSpeak',
};
const ACTS: Readonly<Record<AgentAct, ConsoleKey>> = {
  takeOver: 'console.agentJoined',
  write: 'console.agentDid',
  sendFile: 'console.agentSentFile',
  handBack: 'console.agentLeft',
  nudge: 'console.agentNudged',
  toMenu: 'console.agentSentToMenu',
  end: 'console.agentEnded',
  answered: 'console.agentAnswered',
  closeCase: 'console.agentClosedCase',
  giveCase: 'console.agentGaveCase',
  tellRevealed: 'console.agentToldReveal',
};

/** Conversations that only read, and ways to pay, may say their names in their own files. */
const LOCALES = loadLocales();
const OWN_NAMES = Object.fromEntries(
  LANGUAGES.map((language) => [
    language,
    Object.fromEntries(
      [...READINGS.map(({ id }) => id), ...PAYMENT_KINDS].map((id) => [id, LOCALES[language]?.[id]?.name]),
    ),
  ]),
);

/** A conversation in words: `transfer` is "Money transfer". Here and below, a thing without words is shown by its name. */
export function flowName(machine: string, language: Language): string {
  return OWN_NAMES[language]?.[machine] ?? inWords('flow', machine, language);
}

/** The state of a conversation: `transfer.askingPin` is "Money transfer · asking the PIN". */
export function placeName(place: string, language: Language): string {
  const [machine = ''] = place.split('.');
  return [flowName(machine, language), stepName(place, language)].filter(Boolean).join(' · ');
}

/** The same within a conversation: "asking the PIN". */
export function stepName(place: string, language: Language): string {
  return inWords('step', place.split('.')[1] ?? '', language);
}

export function callName(effect: string, language: Language): string {
  return inWords('call', effect, language);
}

/** The outcome of a call, with the wallet's code where it has refused: "refused 20005", in every language. */
export function outcomeName({ kind, code }: CallOutcome, language: Language): string {
  return [inWords('outcome', kind, language), code].filter(Boolean).join(' ');
}

/** The state of a payment. */
export function stateName(state: string, language: Language): string {
  return inWords('state', state, language);
}

/** The same of a payment. One by card that only holds the amount has moved none of it: its `succeeded` reads "reserved". */
export function paymentStateName(
  { order }: Pick<Intent, 'order'>,
  state: string,
  language: Language,
): string {
  const isHeld = state === 'succeeded' && 'isReserved' in order && order.isReserved;
  return stateName(isHeld ? 'reserved' : state, language);
}

/** The reason why the wallet has refused, in the words that customers read. Undefined for a code without words. */
export function refusalName(code: string, language: Language): string | undefined {
  const words: Readonly<Record<string, string>> = LOCALES[language]?.problem ?? {};
  const said = /^\d+$/.test(code) && Object.hasOwn(words, code) ? words[code] : undefined;
  // One with a place for a value is of a refusal of our own.
  return said?.includes('{{') ? undefined : said;
}

/** How far a reference for cash has come. */
export function referenceName(state: ReferenceState, language: Language): string {
  return inWords('reference', state, language);
}

/** An act of the customer without words of its own. */
export function inputName(input: InputDone, language: Language): string {
  switch (input.type) {
    case 'gave':
      return say(language, SECRETS_GIVEN[input.secret]);
    case 'went':
      return say(language, WENT[input.to]);
    case 'photo':
      return say(language, input.file?.type === 'application/pdf' ? 'console.didDocument' : DID.photo);
    default:
      return say(language, DID[input.type]);
  }
}

/** An act of an agent in a conversation. */
export function actName({ act, by }: EventOf<'agent'>, language: Language): string {
  return say(language, ACTS[act], { agent: { name: by } });
}

/** An event that neither the customer nor an agent has caused. */
export function eventName(
  event: EventOf<'time' | 'call' | 'payment' | 'reference'>,
  language: Language,
): string {
  switch (event.kind) {
    case 'time':
      return say(language, 'console.timePassed');
    case 'payment':
      return say(language, 'console.eventPayment', { state: { name: stateName(event.to, language) } });
    case 'reference':
      return say(language, 'console.eventReference', {
        state: { name: referenceName(event.to, language) },
      });
    case 'call':
      return callEndName(event, language);
  }
}

function callEndName({ effect, end }: EventOf<'call'>, language: Language): string {
  switch (end) {
    case 'answered':
      return callName(effect, language);
    case 'lost':
      return `${callName(effect, language)} · ${say(language, 'console.outcomeLost')}`;
    case 'not-stored':
      return say(language, 'console.eventNotStored');
  }
}

/** The same for readers of code and logs: `payment succeeded`, `login`, `pay lost`. */
export function eventCode(event: EventOf<'time' | 'call' | 'payment' | 'reference'>): string {
  switch (event.kind) {
    case 'time':
      return event.kind;
    case 'payment':
      return `payment ${event.to}`;
    case 'reference':
      return `reference ${event.to}`;
    case 'call':
      return event.end === 'answered' ? event.effect : `${event.effect} ${event.end}`;
  }
}

/** The name in `console.json` of what something is called: `stepAskingPin` for the step `askingPin`. */
export function wordsFor(of: Named, name: string): string {
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return of + words.join('');
}

function inWords(of: Named, name: string, language: Language): string {
  const key = `console.${wordsFor(of, name)}`;
  return name && isConsoleKey(key) ? say(language, key) : name;
}
