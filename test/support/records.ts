import type { Navigation } from '../../src/conversation/incoming.ts';
import type { Ran, TurnRecord } from '../../src/conversation/record/record.ts';
import type { AgentAct, CallOutcome, EventOf, InputDone } from '../../src/conversation/record/turn-event.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';

export const FATIMA = '+212612345678' as Msisdn;
export const YOUSSEF = '+212600000002' as Msisdn;
export const NOW = Date.parse('2026-11-20T12:00:00Z');

export const TIME = { kind: 'time' } as const;

export function said(text?: string): EventOf<'input'> {
  return { kind: 'input', input: { type: 'said', ...(text !== undefined && { text }) } };
}

export function went(to: Navigation): EventOf<'input'> {
  return { kind: 'input', input: { type: 'went', to } };
}

/** Any other input of the customer. */
export function did(input: InputDone): EventOf<'input'> {
  return { kind: 'input', input };
}

export function unclear(event: EventOf<'input'>): EventOf<'input'> {
  return { ...event, unclear: true };
}

/** An act of Nadia's. */
export function acted(act: AgentAct): EventOf<'agent'> {
  return { kind: 'agent', act, by: 'nadia' };
}

/** A call with this outcome. */
export function called(effect: string, outcome: CallOutcome): Ran {
  return { effect, ref: 'r', ms: 1, outcome };
}

/** A turn of Fatima's on USSD: what is not said is as in most of them. */
export function turn(record: Partial<TurnRecord> = {}): TurnRecord {
  return {
    v: 2,
    at: NOW,
    address: `ussd:${FATIMA}`,
    wallet: FATIMA,
    language: 'fr',
    event: said('1'),
    from: '',
    to: 'menu.choosing',
    screen: { key: 'menu.checking', expects: 'choice' },
    ran: [],
    ms: 3,
    ...record,
  };
}

/** One turn after the other, a second apart, each from where the last one led to. */
export function turns(...records: readonly Partial<TurnRecord>[]): TurnRecord[] {
  const all: TurnRecord[] = [];
  for (const [i, record] of records.entries()) {
    all.push(turn({ at: NOW + i * 1_000, from: all.at(-1)?.to ?? '', ...record }));
  }
  return all;
}
