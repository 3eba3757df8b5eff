import type { TurnRecord } from '../../src/conversation/record.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';

export const FATIMA = '+212612345678' as Msisdn;
export const YOUSSEF = '+212600000002' as Msisdn;
export const NOW = Date.parse('2026-11-20T12:00:00Z');

/** A turn of Fatima's on USSD: what is not said is as in most of them. */
export function turn(record: Partial<TurnRecord> = {}): TurnRecord {
  return {
    at: NOW,
    address: `ussd:${FATIMA}`,
    wallet: FATIMA,
    language: 'fr',
    event: 'said 1',
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
