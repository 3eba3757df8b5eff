import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { textOf } from '../../store/codec.ts';
import type { Commit } from '../../store/store.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Address, Language } from '../incoming.ts';
import { AGENT, CASE_KINDS } from './case.ts';

/*
 * Updates of cases: a turn or the engine knows them. They stand in the turn record of the commit that knows them, and the recorder brings
 * them to the cases in SQL (`apply.ts`). So no customer waits for SQL, and no case is lost while SQL is away.
 */

const ADDRESS = textOf<Address>();
const WHOSE = { address: ADDRESS, wallet: textOf<Msisdn>().exactOptional() };

const KINDS = z.discriminatedUnion('what', [
  /** Somebody is needed. `case`: the name of the open case, or of the new one. */
  z.object({
    what: z.literal('opened'),
    case: z.string(),
    opening: z.object({
      kind: z.enum(CASE_KINDS),
      subject: z.string(),
      address: ADDRESS.exactOptional(),
      wallet: textOf<Msisdn>().exactOptional(),
      language: textOf<Language>().exactOptional(),
      about: z.string().exactOptional(),
    }),
  }),
  /** The customer has written to a person. `owner`: the agent who talks to them, by their id. */
  z.object({ what: z.literal('wrote'), ...WHOSE, owner: z.string().exactOptional() }),
  /** The customer has said something to whomever: what was put off about them is back. */
  z.object({ what: z.literal('woke'), ...WHOSE }),
  /** A customer who was stuck goes on by themselves. */
  z.object({ what: z.literal('goesOn'), address: ADDRESS }),
  /** An agent has taken the conversation over: its case is theirs. */
  z.object({ what: z.literal('engaged'), address: ADDRESS, by: AGENT, isForced: z.boolean() }),
  /** An agent has written to the customer: that answers the case of this conversation, and all of the same customer that are theirs. */
  z.object({ what: z.literal('answered'), ...WHOSE, by: AGENT }),
  /** The customer says that their request is settled. `case`: as far as they know it, the one that was open. */
  z.object({ what: z.literal('settled'), address: ADDRESS, case: z.string().exactOptional() }),
  /** An agent has dealt with a request for a person, or with a payment. */
  z.object({ what: z.literal('solved'), kind: z.enum(CASE_KINDS), subject: z.string(), by: z.string() }),
  /** The customer says how it was. */
  z.object({ what: z.literal('rated'), address: ADDRESS, case: z.string(), rating: z.int().min(1).max(3) }),
  /** The customer says that it is not settled. */
  z.object({ what: z.literal('notYet'), address: ADDRESS, case: z.string() }),
]);
/** The last moment that JavaScript can write as a date. */
const AT_MAX_MS = 8.64e15;
const UPDATE = z.intersection(z.object({ id: z.string(), at: z.int().min(0).max(AT_MAX_MS) }), KINDS);

/** One update of a case. It is applied once, by its name (`id`). `at` is its moment, in ms since 1970. */
export type CaseUpdate = Readonly<z.infer<typeof UPDATE>>;
type Knowledge = z.infer<typeof KINDS>;

/** @param id absent: it is made once */
export function caseUpdate(at: number, known: Knowledge, id: string = randomUUID()): CaseUpdate {
  return { id, at, ...known };
}

/** The turn record of a commit, with the updates that the recorder brings to the cases. It is never dropped then. */
export function carrying(turn: string, updates: readonly CaseUpdate[]): Pick<Commit, 'turn' | 'carries'> {
  if (updates.length === 0) return { turn };
  // The record was made in this moment, from an object.
  return { turn: `${turn.slice(0, -1)},"cases":${JSON.stringify(updates)}}`, carries: true };
}

/** The same where the commit has no turn record. Readers of turns leave it out. */
export function carried(updates: readonly CaseUpdate[]): Pick<Commit, 'turn' | 'carries'> {
  const [first] = updates;
  if (!first) return {};
  return carrying(JSON.stringify({ v: 1, at: first.at, address: '', event: { kind: 'case' } }), updates);
}

/** The updates in a turn record's field. This release leaves out updates that it cannot read. */
export function caseUpdatesIn(field: unknown): CaseUpdate[] {
  if (!Array.isArray(field)) return [];
  return field.flatMap((each) => UPDATE.safeParse(each).data ?? []);
}
