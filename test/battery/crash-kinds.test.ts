import { expect, test } from 'vitest';
import { PAYMENT_KINDS } from '../../src/payments/payments.ts';
import { Seeded } from '../../src/sandbox/core/random.ts';
import { OPERATION_TYPES } from '../../src/wallet/contract/fields.ts';
import { SANDBOX_SEED, type Stage } from './crash-stage.ts';
import { type Points, playPoints } from './crash-suite.ts';
import { BILL_PASSWORD, CARD, ERRANDS, NOT_PLAYED, type PlayedKind } from './errands.ts';

type Moments = Points['points'];
const LONG = process.env.LONG === '1';
/** Moments that differ little from those beside them: for the long form only. */
const inLong = (...moments: Moments): Moments => (LONG ? moments : []);
const around = (commit: string): Moments => [
  `before commit of ${commit}`,
  ...inLong(`after commit of ${commit}`),
];

/**
 * What must hold of a payment as it does of a transfer, at the moments where they differ.
 * @param found the call that finds it again where its answer is lost
 * @param known where it becomes known
 */
function alike(kind: PlayedKind, found: string, known: Moments): readonly Points[] {
  const { call } = ERRANDS[kind];
  return [
    ...claimed(kind, 'claim pay'),
    {
      scene: { called: `${kind}: after the wallet has it: made once, and known`, kind },
      made: 1,
      points: [`${call} arrives late`, `${call} is executed`, ...known],
    },
    {
      scene: {
        called: `${kind}: the answer is lost and no webhook comes: found by what it has of its own`,
        kind,
        wire: 'loses answers',
        webhooks: false,
      },
      made: 1,
      points: [`after ${found}`, ...inLong('before commit of intent succeeded')],
    },
  ];
}

/** Before its claim a payment is made by whoever takes over; after it nobody sends it any more. */
function claimed(kind: PlayedKind, claim: string): readonly Points[] {
  return [
    {
      scene: { called: `${kind}: before the claim, it is made once`, kind },
      made: 1,
      points: [`before commit of ${claim}`],
    },
    {
      scene: { called: `${kind}: after the claim, before the wallet has it: never sent again`, kind },
      made: 0,
      points: [`after commit of ${claim}`, ...inLong(`${ERRANDS[kind].call} arrives`)],
    },
  ];
}

/** A card is charged once its customer has been at their bank, whose address is in the answer: without that nothing is. */
function byCard(kind: PlayedKind, claim: string, listed: string): readonly Points[] {
  const { call } = ERRANDS[kind];
  return [
    ...claimed(kind, claim),
    {
      scene: { called: `${kind}: the way to the bank is lost with the answer: never sent again`, kind },
      made: 0,
      points: [`${call} arrives late`, `${call} is executed`, ...inLong(`after ${call}`)],
    },
    {
      scene: { called: `${kind}: after the bank: made once, and known`, kind },
      made: 1,
      points: ['before operation', ['after operation', 'before commit of intent succeeded']],
    },
    {
      scene: { called: `${kind}: no webhook comes: found in the list`, kind, webhooks: false },
      made: 1,
      points: [`after ${listed}`, ...inLong('before commit of intent succeeded')],
    },
  ];
}

/** The payments that are no transfer; a transfer has a battery of its own. */
const KINDS: Readonly<Record<Exclude<PlayedKind, 'transfer'>, readonly Points[]>> = {
  'top-up': alike('top-up', 'topUps #4', around('top-up.settled told')),
  'bill-payment': alike('bill-payment', 'billStatus', around('bill-payment.settled to tell')),
  voucher: alike('voucher', 'operations #3', around('voucher.settled to tell')),
  'merchant-refund': alike('merchant-refund', 'operations #3', around('merchant-refund.settled told')),
  // By `payment.received`, as a transfer: what the answer said is followed there.
  'merchant-payment': alike('merchant-payment', 'operations #3', ['before operation']),
  // Its first event says that it has begun, its second how it ended.
  'bank-transfer': alike('bank-transfer', 'operations #3', ['before operation']),
  // No list has it: the reference says what became of it.
  'agent-cash-out': alike('agent-cash-out', 'cashReference #3', around('agent-cash-out.settled told')),
  'agent-cash-in': alike('agent-cash-in', 'cashReference #3', around('agent-cash-in.settled told')),
  'card-cash-in': byCard('card-cash-in', 'claim pay', 'operations #4'),
  // Claimed by its page: no conversation waits for it.
  'card-payment': byCard('card-payment', 'card-link + wallet + intent sent', 'operations'),
  // They make no operation: that of the payment by card says what became of them.
  'card-capture': alike('card-capture', 'operation #2', around('card-payments.settled told')),
  'card-reverse': alike('card-reverse', 'operation #2', around('card-payments.settled told')),
  'card-refund': alike('card-refund', 'operations #3', around('card-payments.settled told')),
};

const OWN: readonly Points[] = [
  {
    scene: { called: 'top-up: it fails after it was accepted', kind: 'top-up', fails: true },
    made: 1,
    points: ['before commit of intent failed'],
  },
  {
    scene: { called: 'bank-transfer: the bank does not take it', kind: 'bank-transfer', fails: true },
    made: 1,
    points: ['before commit of intent failed'],
  },
  {
    scene: { called: 'bill-payment: not decided yet, then confirmed', kind: 'bill-payment', waits: true },
    made: 1,
    points: ['after payBill', 'before operation', 'before commit of intent succeeded'],
  },
  {
    scene: { called: 'bill-payment: not decided yet, then failed', kind: 'bill-payment', fails: true },
    made: 1,
    points: ['after commit of intent failed'],
  },
  {
    scene: { called: 'voucher: its code is on the way to the customer', kind: 'voucher' },
    made: 1,
    points: ['before delivery of voucher.code', 'after delivery of voucher.code'],
  },
];

test('every kind of payment is played', () => {
  expect(['transfer', ...Object.keys(KINDS), ...NOT_PLAYED].sort()).toEqual(PAYMENT_KINDS.toSorted());
});

playPoints('T1: kill -9, other payments', [...Object.values(KINDS).flat(), ...OWN], {
  takesTurns: true,
  afterwards: secretsStayed,
});

/** What was secret in these payments is in no byte that was ever stored; codes came only to those who paid for them. */
function secretsStayed({ sandbox, files, told }: Stage): void {
  const random = new Seeded(() => SANDBOX_SEED);
  const bought = sandbox.executions().filter(({ type }) => type === OPERATION_TYPES.VOUCHER);
  const codes = bought.map(({ operationId, sender }) => ({ code: random.voucherCode(operationId), sender }));
  const came = codes.filter(({ code }) => told.some(({ text }) => text.includes(code)));
  expect(came.length).toBeGreaterThan(0);
  expect(came.length, 'some answers were lost').toBeLessThan(codes.length);
  for (const { code, sender } of codes) {
    const heard = told.filter(({ text }) => text.includes(code)).map(({ address }) => address);
    expect(new Set([...heard, `ussd:${sender}`]), code).toEqual(new Set([`ussd:${sender}`]));
  }
  const stored = files().join('\n');
  expect(stored.length).toBeGreaterThan(100_000);
  const secrets = [BILL_PASSWORD, CARD.pan, ...codes.map(({ code }) => code)];
  expect(secrets.filter((secret) => stored.includes(secret))).toEqual([]);
}
