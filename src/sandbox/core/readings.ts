import { z } from 'zod';

/** A place where v2.3 can be read in several ways. The sandbox takes the first value, unless it is set otherwise. */
interface Reading {
  /** Of docs/api-open-questions.md. */
  readonly question: number;
  readonly of: string;
  /** Each value, and how the sandbox then behaves. */
  readonly values: Readonly<Record<string, string>>;
}

/** Every reading that can be changed, so that a partner meets the other one before production does. */
export const READINGS = {
  unknownStatus: {
    question: 1,
    of: 'The status of an unknown number',
    values: { zero: 'is 0', refused: 'is refused with 20005' },
  },
  wrongPin: {
    question: 2,
    of: 'A wrong PIN',
    values: { refused: 'is refused with 26001', notLogged: 'succeeds with logged: false' },
  },
  resetCode: {
    question: 4,
    of: 'confirm/resend-otp for a confirmed customer',
    values: { sent: 'sends a code to reset the PIN', refused: 'is refused with 20017' },
  },
  autoActivate: {
    question: 5,
    of: 'autoActivate: true',
    values: { active: 'leads to status 3', confirmed: 'leads to status 2' },
  },
  executions: {
    question: 6,
    of: 'The answer to an execution',
    values: { operation: 'is the operation', bare: 'names neither its id nor its status' },
  },
  transferEvent: {
    question: 7,
    of: 'A transfer',
    values: { sent: 'has the event transfer.received', none: 'has no event' },
  },
  stateErrors: {
    question: 9,
    of: 'A request that the state forbids',
    values: { unprocessable: 'is answered with 422', badRequest: 'is answered with 400' },
  },
  errorCodes: {
    question: 9,
    of: 'An error code that v2.3 does not show',
    values: { own: 'is one of the sandbox, from 90000 on', other: 'is 77777, which no document explains' },
  },
  agentFields: {
    question: 18,
    of: 'The fields of agents in answers',
    values: { pascal: 'are written as v2.3 writes them', camel: 'begin with a small letter' },
  },
  waitingBill: {
    question: 24,
    of: 'A bill that was found and not confirmed',
    values: { listed: 'is EN_ATTENTE', noContent: 'is no transaction: 204' },
  },
  webhookEnds: {
    question: 25,
    of: 'A webhook is tried again',
    values: { only200: 'until a 200', any2xx: 'until any 2xx' },
  },
  expiredReference: {
    question: 28,
    of: 'A reference that has expired',
    values: { failed: 'has status 3', cancelled: 'has status 4' },
  },
  webhookIds: {
    question: 31,
    of: 'A webhook that is tried again',
    values: { same: 'keeps its WebhookId', new: 'has a new WebhookId' },
  },
  emptyLists: {
    question: 35,
    of: 'An empty list that may be left out',
    values: { collection: 'is empty', noContent: 'is a 204' },
  },
  paidQr: {
    question: 36,
    of: 'A dynamic QR code that was paid',
    values: { refused: 'is refused with 90029', again: 'can be paid again' },
  },
  closeLoopOnly: {
    question: 45,
    of: 'A wallet of closeLoopOnly',
    values: { closed: 'cannot pay wallets of other providers', open: 'is like any other' },
  },
  agentFloat: {
    question: 60,
    of: 'Debits without float on the principal agent',
    values: { refused: 'are refused with 90100', accepted: 'are accepted' },
  },
  articlesWithoutBrand: {
    question: 72,
    of: 'The articles of no brand',
    values: { all: 'are those of all brands', refused: 'are refused with 10001' },
  },
  undoneReference: {
    question: 84,
    of: 'A reference whose execution was undone',
    values: { cancelled: 'has status 4', failed: 'has status 3' },
  },
  answerDates: {
    question: 129,
    of: 'The Date header of answers',
    values: { wallet: 'is of the clock of operations', machine: 'is of another clock' },
  },
} as const satisfies Record<string, Reading>;

type Named = typeof READINGS;
export type ReadingName = keyof Named;
/** The values of the readings. */
export type Readings = { readonly [Name in ReadingName]: keyof Named[Name]['values'] };

const NAMES = Object.keys(READINGS) as ReadingName[];
const valuesOf = (name: ReadingName) => Object.keys(READINGS[name].values) as [string, ...string[]];

export const READINGS_DEFAULT = Object.fromEntries(
  NAMES.map((name) => [name, valuesOf(name)[0]]),
) as unknown as Readings;

/** How each is set. */
export const READING_SWITCHES = Object.fromEntries(
  NAMES.map((name) => [name, z.enum(valuesOf(name)).optional()]),
) as unknown as { readonly [Name in ReadingName]: z.ZodOptional<z.ZodType<Readings[Name], Readings[Name]>> };
