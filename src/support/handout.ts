import type { Screen } from '../../machines/kit/screen.ts';
import { noteIn } from '../conversation/desk/people.ts';
import { LANGUAGES, type Language } from '../conversation/incoming.ts';
import type { Intent } from '../conversation/intents/intent.ts';
import type { TurnRecord } from '../conversation/record/record.ts';
import { readRecord } from '../conversation/record/record.ts';
import type { Session } from '../conversation/session/session.ts';
import { methodOf, orderValues } from '../payments/payments.ts';
import type { Export } from '../records/customer.ts';
import type { Renderer } from '../screen/renderer.ts';
import { EVERYTHING } from './masks.ts';
import {
  actName,
  callName,
  eventName,
  flowName,
  inputName,
  outcomeName,
  paymentStateName,
  stepName,
} from './names.ts';
import { wordFor } from './sentences.ts';
import { type Entry, transcript } from './transcript.ts';

/** The names of the kept data are English. Messages are in the language in which the customer has read them. */
const NAMES: Language = 'en';
/** It is their own. */
/** How Wasl keeps its place in a conversation: it says nothing of anybody. */
const TECHNICAL: ReadonlySet<string> = new Set([
  ...['seen', 'screen', 'page', 'place', 'view', 'keypad', 'contact', 'dialog', 'version', 'release'],
  ...['timers', 'misses', 'unseen', 'tries', 'v', 'before', 'alike'],
]);
const AMOUNTS: ReadonlySet<string> = new Set(['amount', 'fees', 'total', 'balance', 'price', 'givenBack']);
/** Moments are ms since 1970, and no other kept number is as large: from 2001 to 2096. */
const MOMENTS = { from: 1e12, to: 4e12 };

/**
 * All data that are kept of a customer, as they can read them: named fields, moments as ISO 8601, amounts in dirhams,
 * and each conversation in its own words (docs/operator/customer-data.md). Only data without a meaning to people are
 * left out. Sealed data stay sealed.
 */
export function handout(kept: Export, renderer: Pick<Renderer, 'chat' | 'ussd'>, madeAt: number): object {
  const { wallet, addresses, sessions, payments, turns, notes, files, looks, cases, own, name } = kept;
  return {
    number: wallet,
    madeAt: iso(madeAt),
    channels: addresses.map((address) => channelOf(address, sessions[address], renderer)),
    payments: payments.map((payment) => paymentOf(payment, renderer)),
    conversations: addresses.map((address) => ({ address, turns: turnsAt(address, turns, renderer) })),
    ofTheWallet: plain(own),
    requests: plain(cases),
    notes: plain(notes),
    filesForAdvisers: plain(files),
    // Digests, which nobody can read.
    ...(name && { nameIsFoundBy: { words: name.words, toldByTheWallet: iso(name.at) } }),
    lookedAt: looks.map(({ at, act }) => ({ at: iso(at), what: wordFor(NAMES, 'audit', act) })),
    // Deliveries, and events that another release has recorded.
    otherEvents: plain(turns.filter((turn) => isOther(JSON.stringify(turn)))),
  };
}

/** No turn, and no note, which stand for themselves. */
function isOther(record: string): boolean {
  return readRecord(record) === undefined && noteIn(record) === undefined;
}

function channelOf(address: string, session: unknown, renderer: Pick<Renderer, 'chat'>): object {
  const { at, language, linked, consent, conversation, outbox, ...rest } = (session ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const { machine, state, context } = (conversation ?? {}) as Readonly<Record<string, string | undefined>>;
  return {
    channel: address.slice(0, address.indexOf(':')),
    address,
    ...(session !== undefined && {
      lastHere: plain(at),
      language,
      provenToBeTheirs: linked === true,
      agreedToTheTerms: plain(consent),
      ...(machine !== undefined && {
        lastConversation: {
          what: flowName(machine, NAMES),
          where: stepName(`${machine}.${state}`, NAMES),
          entered: plain(context),
        },
      }),
      messagesThatWait: ((outbox ?? []) as Session['outbox'] & object).map((message) => ({
        read: textOf(message.screen, language as Language, renderer),
        about: message.intent,
      })),
      more: plain(rest),
    }),
  };
}

/**
 * Another release may have other sentences, and a secret is sealed. Then the name of the sentence tells the kind of
 * message.
 */
function textOf(screen: Screen, language: Language, renderer: Pick<Renderer, 'chat'>): string {
  try {
    return renderer.chat(screen, language).text;
  } catch {
    return screen.key;
  }
}

function paymentOf(payment: Intent, renderer: Pick<Renderer, 'chat'>): object {
  const { id, order, quote, state, sentAt, operationId, address, audit, wallet: _theirs, ...rest } = payment;
  const values = orderValues(order, quote);
  const called = { key: methodOf(order).said.called, values, expects: 'nothing' } as const;
  return {
    reference: id,
    what: textOf(called, NAMES, renderer),
    amount: dirhams(order.amount),
    fees: dirhams(quote.fees),
    total: dirhams(quote.total),
    sentAt: iso(sentAt),
    by: address,
    outcome: paymentStateName(payment, state, NAMES),
    ...(operationId !== undefined && { operationOfTheWallet: operationId }),
    steps: audit.map(([at, became, why]) => ({
      at: iso(at),
      became: paymentStateName(payment, became, NAMES),
      why: plain(why),
    })),
    order: plain(order),
    more: plain(rest),
  };
}

/** The turns and messages at one address, the earliest first. */
function turnsAt(
  address: string,
  turns: readonly unknown[],
  renderer: Pick<Renderer, 'chat' | 'ussd'>,
): object[] {
  const records = turns
    .flatMap((turn) => readRecord(JSON.stringify(turn)) ?? [])
    .filter((record) => record.address === address);
  const shown = transcript(records, EVERYTHING, renderer);
  return records.map((record, i) => ({
    at: iso(record.at),
    language: LANGUAGES.find((each) => each === record.language),
    happened: (shown[i]?.entries ?? []).map(happened),
    ...(record.ran.length > 0 && { askedOfTheWallet: record.ran.map(asked) }),
  }));
}

function happened(entry: Entry): object {
  switch (entry.kind) {
    case 'screen':
    case 'news':
    case 'agent': {
      const read = { read: entry.text, ...(entry.choices.length > 0 && { choices: entry.choices }) };
      return entry.kind === 'agent' ? { byAnAdviser: true, ...read } : read;
    }
    case 'words':
      return { said: entry.text };
    case 'did':
      return { did: inputName(entry.input, NAMES) };
    case 'stepIn':
      return { anAdviser: actName(entry.event, NAMES) };
    case 'event':
      return { byItself: eventName(entry.event, NAMES) };
  }
}

function asked({ effect, outcome, ref }: TurnRecord['ran'][number]): object {
  return { what: callName(effect, NAMES), answer: outcomeName(outcome, NAMES), requestId: ref };
}

/** Stored data, with their own names: moments and amounts as people write them, and without meaningless fields. */
function plain(value: unknown, name = ''): unknown {
  if (typeof value === 'number') {
    if (AMOUNTS.has(name)) return dirhams(value);
    return value >= MOMENTS.from && value < MOMENTS.to ? iso(value) : value;
  }
  if (Array.isArray(value)) return value.map((each) => plain(each, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([each]) => !TECHNICAL.has(each))
      .map(([each, field]) => [each, plain(field, each)]),
  );
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function dirhams(centimes: number): string {
  return `${(centimes / 100).toFixed(2)} MAD`;
}
