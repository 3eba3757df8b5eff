import { z } from 'zod';
import { API, type ApiName } from '../../wallet/contract/api.ts';
import { jsonColumn } from '../core/json-column.ts';
import { errorOf } from '../core/refusal.ts';

interface Fault {
  /** Its target: the request before it is carried out, the answer after it was, or its operation. */
  readonly strikes: 'request' | 'answer' | 'operation';
  readonly means: string;
  /** How long, where it takes time: of the real clock for an answer, of the sandbox's own for an operation. */
  readonly delayMs?: number;
}

const LIST = {
  resetBefore: { strikes: 'request', means: 'the connection is reset and nothing is executed' },
  serverErrorBefore: { strikes: 'request', means: 'the answer is 500 and nothing is executed' },
  tooManyRequests: { strikes: 'request', means: 'the answer is 429 and nothing is executed' },
  refused: {
    strikes: 'request',
    means: 'refused with the error code that was asked for, and nothing is executed',
  },
  answerLost: { strikes: 'answer', means: 'executed, but the connection closes without an answer' },
  resetAfter: { strikes: 'answer', means: 'executed, but the connection is reset' },
  serverErrorAfter: { strikes: 'answer', means: 'executed, but the answer is 500' },
  malformedBody: { strikes: 'answer', means: 'executed, but the body of the answer is broken off' },
  slowAnswer: { strikes: 'answer', means: 'executed, but answered after 30 seconds', delayMs: 30_000 },
  webhookTwice: { strikes: 'operation', means: 'the webhook comes twice' },
  webhookLate: { strikes: 'operation', means: 'the webhook comes an hour late', delayMs: 60 * 60_000 },
  webhookEarly: { strikes: 'operation', means: 'the webhook overtakes the answer' },
  webhookOutOfOrder: {
    strikes: 'operation',
    means: 'a second after the webhook comes one with the status before',
    delayMs: 1_000,
  },
  webhookForgedKey: { strikes: 'operation', means: 'first comes a webhook with a key that is not ours' },
  webhookForgedAmount: { strikes: 'operation', means: 'first comes a webhook with ten times the amount' },
  webhookNever: { strikes: 'operation', means: 'no webhook comes' },
  listLag: { strikes: 'operation', means: 'missing from lists for a minute', delayMs: 60_000 },
  staysOpen: { strikes: 'operation', means: 'stays open for a year', delayMs: 365 * 24 * 60 * 60_000 },
  reversal: { strikes: 'operation', means: 'completed, then cancelled 5 seconds later', delayMs: 5_000 },
} as const satisfies Record<string, Fault>;
export type FaultName = keyof typeof LIST;

/** Everything that can be made to go wrong between the wallet and its partner. None of it is shown in v2.3. */
export const FAULTS: Readonly<Record<FaultName, Fault>> = LIST;
export const FAULT_NAMES = Object.keys(LIST) as [FaultName, ...FaultName[]];

/** The faults that their name alone asks for. */
export type PlainFaultName = Exclude<FaultName, 'refused'>;
export const PLAIN_FAULT_NAMES = FAULT_NAMES.filter((name): name is PlainFaultName => name !== 'refused');

/** The faults that strike one request, each with its delay in ms, 0 where it takes none. `refused` with its code. */
export type Struck = Readonly<Partial<Record<FaultName, number>>>;
export const struck: z.ZodType<Struck> = z.partialRecord(z.enum(FAULT_NAMES), z.number());
/** They are kept with an operation and with a card payment. */
export const struckColumn = jsonColumn('faults', struck);

const API_NAMES = Object.keys(API) as [ApiName, ...ApiName[]];
/** The operations of the API that move money: executions, and what becomes of an authorised card payment. */
export const MONEY_OPERATIONS: readonly ApiName[] = API_NAMES.filter((name) =>
  /^(?:execute|(?:capture|reverse|refund)Card)/.test(name),
);

/** In place of an operation: any that moves money. */
export const MONEY = 'money';
export const struckOperation = z.enum([MONEY, ...API_NAMES]);

const DELAY_MAX_MS = 366 * 24 * 60 * 60_000;

export const faultOrder = z
  .strictObject({
    name: z.enum(FAULT_NAMES),
    /** Absent: any operation, or any that moves money where the fault strikes what comes of it. */
    operation: struckOperation.optional(),
    /** Of every request it could strike, how many it does. Decided by the seed. */
    probability: z.number().min(0).max(1).default(1),
    /** How many times it strikes. Absent: until it is cleared. */
    count: z.int().min(1).optional(),
    /** Absent: as in `FAULTS`. */
    delayMs: z.int().min(0).max(DELAY_MAX_MS).optional(),
    /** Of `refused`, and only of that: the error code that it answers with. */
    code: z
      .int()
      .refine((code) => errorOf(code) !== undefined, 'must be an error code of the API')
      .optional(),
  })
  .refine(({ name, code }) => (name === 'refused') === (code !== undefined), {
    path: ['code'],
    error: 'must be there for refused, and for nothing else',
  })
  .refine(
    ({ name, operation }) =>
      FAULTS[name].strikes !== 'operation' ||
      !operation ||
      operation === MONEY ||
      MONEY_OPERATIONS.includes(operation),
    { path: ['operation'], error: 'must be one that moves money' },
  );
export type FaultOrder = z.input<typeof faultOrder>;
