import type { OutputFrom } from 'xstate';
import { z } from 'zod';
import type { effects, ReferenceState } from '../../../machines/kit/effects.ts';
import type { Expected } from '../../../machines/kit/screen.ts';
import type { Navigation } from '../incoming.ts';
import type { Fact } from '../intents/evidence.ts';
import type { IntentState } from '../intents/intent.ts';
import type { LoadedSession } from '../session/sessions.ts';

/*
 * The events of a turn, as they are written into the turn record: the one place where their kinds are listed. Writers
 * build these types, readers switch over `kind`, and stored records are parsed with the same schemas. Nothing in an
 * event is a secret. Lists that exist elsewhere as types are repeated here as values. A member that is missing does not
 * compile where it is written.
 */

const SECRET_GIVEN = z.enum(['pin', 'newPin', 'otp', 'password', 'reference'] satisfies Expected[]);

/** The customer's input, without anything that may be a secret. */
const INPUT = z.discriminatedUnion('type', [
  /** Typed text. `text` is absent where it was not understood or may be a secret. */
  z.object({ type: z.literal('said'), text: z.string().exactOptional() }),
  /** A choice of the screen, by its id. `choice` is absent where the screen did not offer it. */
  z.object({ type: z.literal('chose'), choice: z.string().exactOptional() }),
  /** Something secret was typed: only of which kind. */
  z.object({ type: z.literal('gave'), secret: SECRET_GIVEN }),
  z.object({
    type: z.literal('went'),
    to: z.enum(['back', 'menu', 'cancel', 'help', 'language', 'more'] satisfies Navigation[]),
  }),
  /** A picture or a file. `file`: an agent can look at it for a while. `text`: its caption. */
  z.object({
    type: z.literal('photo'),
    file: z.object({ id: z.string(), type: z.string() }).exactOptional(),
    text: z.string().exactOptional(),
  }),
  z.object({ type: z.enum(['dialed', 'opened', 'speaks', 'contact', 'tapped', 'carded']) }),
]);

export const INTENT_STATE = z.enum([
  'sent',
  'accepted',
  'unknown',
  'rejected',
  'unsent',
  'succeeded',
  'failed',
  'reversed',
  'not-found',
  'human',
] satisfies IntentState[]);

/** The kinds of facts about a payment (`intents/evidence.ts`). */
export const FACT_KIND = z.enum([
  'answer',
  'no-answer',
  'webhook',
  'read',
  'own-key',
  'only-match',
  'several',
  'contested',
  'look-alikes',
  'horizon',
  'unfinished',
  'settled',
  'earlier',
] satisfies Fact['kind'][]);

export const REFERENCE_STATE = z.enum([
  'asked',
  'open',
  'executed',
  'expired',
  'reversed',
  'lost',
] satisfies ReferenceState[]);

/** The acts of an agent in the conversation: the methods of `Desk` by their names. */
const AGENT_ACT = z.enum([
  'takeOver',
  'write',
  'sendFile',
  'handBack',
  'nudge',
  'toMenu',
  'end',
  'answered',
  'closeCase',
  'giveCase',
  'tellRevealed',
]);

export const TURN_EVENT = z.discriminatedUnion('kind', [
  /** The customer did something. */
  z.object({
    kind: z.literal('input'),
    input: INPUT,
    /** It meant nothing on its screen. */
    unclear: z.literal(true).exactOptional(),
    /** It was said to a person. While one talks to the customer, the bot shows nothing new, but on USSD that it was passed on. */
    toPerson: z.literal(true).exactOptional(),
  }),
  /** A timer fell due, or the conversation was left for too long. */
  z.object({ kind: z.literal('time') }),
  /** A guarded or money call ended. */
  z.object({
    kind: z.literal('call'),
    effect: z.string(),
    /**
     * `answered`: its answer is in `ran`. `lost`: the process that made it brings no answer. `not-stored`: its claim was not
     * safely stored, so that it was not made.
     */
    end: z.enum(['answered', 'lost', 'not-stored']),
  }),
  /** Something was learnt of a payment. */
  z.object({
    kind: z.literal('payment'),
    intent: z.string(),
    /** The payment's state before. Absent where the store had lost it. */
    from: INTENT_STATE.exactOptional(),
    to: INTENT_STATE,
    why: FACT_KIND,
  }),
  /** Something was learnt of a reference for cash. */
  z.object({
    kind: z.literal('reference'),
    /** Ours, not the wallet's number of it. */
    id: z.string(),
    from: REFERENCE_STATE,
    to: REFERENCE_STATE,
  }),
  /** A support agent did something. `by`: the agent's id. */
  z.object({ kind: z.literal('agent'), act: AGENT_ACT, by: z.string() }),
]);

/** The kind of answer to a call, and the wallet's error code where it has refused. */
export const CALL_OUTCOME = z.object({
  kind: z.enum([
    'ok',
    'refused',
    'unsent',
    'unknown',
    'accepted',
    'rejected',
    'settled',
    'busy',
    'sent',
    'later',
    'noSms',
    'tooMany',
    'unchecked',
    'right',
    'wrong',
    'expired',
    'differ',
    'same',
    'number',
    'either',
    'billNetwork',
    'unfit',
    'notYours',
    'notNow',
    'own',
    'stopped',
    'none',
    'twice',
    'inVain',
  ]),
  code: z.string().exactOptional(),
});

export type TurnEvent = Readonly<z.infer<typeof TURN_EVENT>>;
export type EventOf<Kind extends TurnEvent['kind']> = Extract<TurnEvent, { readonly kind: Kind }>;
export type InputDone = Readonly<z.infer<typeof INPUT>>;
export type SecretGiven = z.infer<typeof SECRET_GIVEN>;
export type AgentAct = z.infer<typeof AGENT_ACT>;
export type CallOutcome = Readonly<z.infer<typeof CALL_OUTCOME>>;

/** Every answer that a call can have. */
type Output = { [Name in keyof typeof effects]: OutputFrom<(typeof effects)[Name]> }[keyof typeof effects];

/** The outcome of a call, from its answer: nothing else of the answer is kept. */
export function outcomeOf(output: unknown): CallOutcome {
  // The engine runs effects by their names: which answer belongs to which is known to the table of effects.
  const answer = output as Output;
  const refused = answer.kind === 'rejected' ? answer.failure : answer;
  return { kind: answer.kind, ...('code' in refused && { code: refused.code }) };
}

/** A turn that the store has taken, for the listeners. The commit waits for none of them. */
export interface TakenTurn {
  readonly event: TurnEvent;
  readonly before: LoadedSession;
  readonly after: LoadedSession;
  /** The payment whose outcome is known by this turn, and was not before. */
  readonly newOutcomeOf?: string | undefined;
}
