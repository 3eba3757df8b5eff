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
  const events = methods.flatMap((method) => Object.keys(method.events));
  expect([...new Set(events)]).toEqual(events);
  // An execution of an agent is found by its reference, and a change of an existing operation makes no new one.
  const types = PAYMENT_KINDS.flatMap((kind) => {
    const { type, ofAgent, listed } = methodOf({ kind });
    return ofAgent || listed.changesAnother ? [] : [type];
  });
  expect([...new Set(types)]).toEqual(types);
});
