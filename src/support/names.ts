import type { ReferenceState } from '../../machines/kit/effects.ts';
import { READINGS } from '../conversation/chart/readings.ts';
import type { Intent } from '../conversation/desk/desk.ts';
import { LANGUAGES, type Language } from '../conversation/incoming.ts';
import type { CallOutcome, EventOf, InputDone } from '../conversation/record/turn-event.ts';
import { PAYMENT_KINDS } from '../payments/payments.ts';
import { loadLocales } from '../screen/locales.ts';
import { keyIn, say, wordFor } from './sentences.ts';

/**
 * The kinds of things that have words: conversations, their states, calls, outcomes of calls, and states of payments and of references. A
 * conversation has the id of its machine, which is also the kind of its order.
 */
export type Named = 'flow' | 'step' | 'call' | 'outcome' | 'state' | 'reference';

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
  return OWN_NAMES[language]?.[machine] ?? wordFor(language, 'flow', machine);
}

/** The state of a conversation: `transfer.askingPin` is "Money transfer · asking the PIN". */
export function placeName(place: string, language: Language): string {
  const [machine = ''] = place.split('.');
  return [flowName(machine, language), stepName(place, language)].filter(Boolean).join(' · ');
}

/** The same within a conversation: "asking the PIN". */
export function stepName(place: string, language: Language): string {
  return wordFor(language, 'step', place.split('.')[1] ?? '');
}

export function callName(effect: string, language: Language): string {
  return wordFor(language, 'call', effect);
}

/** The outcome of a call, with the wallet's code where it has refused: "refused 20005", in every language. */
export function outcomeName({ kind, code }: CallOutcome, language: Language): string {
  return [wordFor(language, 'outcome', kind), code].filter(Boolean).join(' ');
}

/** The state of a payment. */
export function stateName(state: string, language: Language): string {
  return wordFor(language, 'state', state);
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
  return wordFor(language, 'reference', state);
}

/** An act of the customer without words of its own. */
export function inputName(input: InputDone, language: Language): string {
  switch (input.type) {
    case 'gave':
      return say(language, keyIn('did', input.secret));
    case 'went':
      return say(language, keyIn('went', input.to));
    case 'photo':
      return say(
        language,
        input.file?.type === 'application/pdf' ? 'console.didDocument' : 'console.didPhoto',
      );
    default:
      return say(language, keyIn('did', input.type));
  }
}

/** An act of an agent in a conversation. */
export function actName({ act, by }: EventOf<'agent'>, language: Language): string {
  return say(language, keyIn('agent', act), { agent: { name: by } });
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
