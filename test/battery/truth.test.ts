import { describe, expect, test } from 'vitest';
import type { Values } from '../../machines/kit/screen.ts';
import type { SentenceKey } from '../../machines/kit/sentence-key.ts';
import { STATUSES } from '../../src/wallet/contract/fields.ts';
import { createListener } from './town/listener.ts';
import type { Execution } from './town/oracle.ts';
import { ADDRESS, about, execution, found, HER, LIES, ME, payment, say, TRUTHS } from './truth-table.ts';

const { COMPLETED } = STATUSES;

describe('T10: the verdict on one text', () => {
  test.each(Object.entries(LIES))('finds false: %s', (_, row) => {
    const lies = found(row);
    expect(lies).not.toEqual([]);
    expect(lies.join('\n')).toContain(row.because);
  });

  test.each(Object.entries(TRUTHS))('accepts: %s', (_, row) => {
    expect(found(row)).toEqual([]);
  });
});

describe('T10: the listener', () => {
  const reply = (key: SentenceKey, values?: Values) => ({
    language: 'fr' as const,
    screenId: 1,
    screen: { ...say(key, values), expects: 'nothing' as const },
    page: 0,
    missed: [],
    rests: true,
  });
  const listening = () => {
    const moment = { at: 0, executions: [] as Execution[] };
    const listener = createListener({ now: () => moment.at, executions: () => moment.executions });
    const hears = (at: number, key: SentenceKey, dialog: string, values?: Values, askedAt = at - 10) => {
      moment.at = at;
      const input = { type: 'said', text: '1234' } as const;
      listener.hearsReply(
        { address: ADDRESS, id: `${at}`, dialog, inputs: [input] },
        reply(key, values),
        askedAt,
        ME,
      );
    };
    return { moment, listener, hears };
  };

  test('compares with the ledger of the moment, not with a later one', () => {
    const { moment, listener, hears } = listening();
    hears(20_000, 'transfer.done', 'a', about({ reference: '23' }));
    moment.executions = [execution(COMPLETED)];
    hears(30_000, 'transfer.done', 'a', about({ reference: '23' }));
    const { texts, claims, lies } = listener.verdict([]);
    expect({ texts, claims }).toEqual({ texts: 2, claims: { moved: 2 } });
    expect(lies).toEqual([expect.stringContaining('transfer.done is false')]);
  });

  test('knows what a customer has read before', () => {
    const { moment, listener, hears } = listening();
    moment.executions = [execution(COMPLETED)];
    hears(20_000, 'transfer.refused', 'a', about());
    hears(30_000, 'transfer.done', 'a', about({ reference: '23' }));
    hears(40_000, 'transfer.refused', 'a', about());
    expect(listener.verdict([]).lies).toEqual([expect.stringContaining('T00:00:20.000Z')]);
    expect(listener.verdict([], HER).texts).toBe(0);
  });

  test('finds a session that ended before the money left, without a word of it', () => {
    const { listener, hears } = listening();
    hears(5_000, 'pin.checking', 'a');
    hears(20_000, 'transfer.notConfirmed', 'b', about());
    expect(listener.verdict([payment('unknown')]).lies).toEqual([
      expect.stringContaining('pin.checking ends a contact, and then aaaaaaaa-1 is sent'),
    ]);
  });

  test('accepts a session that goes on in the millisecond of its page', () => {
    const { listener, hears } = listening();
    hears(5_000, 'nav.slow', 'a');
    hears(5_020, 'transfer.askAmount', 'a', about(), 5_000);
    hears(20_000, 'transfer.notConfirmed', 'b', about());
    const lies = listener.verdict([payment('unknown')]).lies.filter((lie) => lie.includes('nav.slow'));
    expect(lies).toEqual([]);
  });

  test('accepts a session that ended long before', () => {
    const { listener, hears } = listening();
    hears(5_000, 'nav.slow', 'a');
    hears(9_000, 'transfer.askAmount', 'b', about());
    hears(20_000, 'transfer.notConfirmed', 'b', about());
    const lies = listener.verdict([payment('unknown')]).lies.filter((lie) => lie.includes('nav.slow'));
    expect(lies).toEqual([]);
  });
});
