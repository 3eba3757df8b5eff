import { expect, test } from 'vitest';
import { EVENTS } from '../../src/payments/events.ts';
import { methodOf, PAYMENT_KINDS, PAYMENTS } from '../../src/payments/payments.ts';
import { walletEvent } from '../../src/wallet/contract/webhooks.ts';

const KINDS = walletEvent.options.map(({ shape }) => shape.EventId.value).sort();

test('every documented event means something', () => {
  expect(KINDS).toHaveLength(14);
  expect(Object.keys(EVENTS).sort()).toEqual(KINDS);
  expect(EVENTS['customer.level.updated']).toEqual({ kind: 'level' });
});

test('an event and a type of operation belong to one way to pay at most', () => {
  const methods = PAYMENT_KINDS.map((kind) => PAYMENTS[kind]);
  const events = methods.flatMap((method) => Object.keys(method.followed.events));
  expect([...new Set(events)]).toEqual(events);
  // An execution of an agent is found by its reference, and a change of an existing operation makes no new one.
  const found = PAYMENT_KINDS.filter((kind) => {
    const { ofAgent, listed } = methodOf({ kind });
    return !ofAgent && !listed.changesAnother;
  });
  const byType = Map.groupBy(found, (kind) => methodOf({ kind }).type);
  expect([...byType.values()].filter(({ length }) => length > 1)).toEqual([]);
});
