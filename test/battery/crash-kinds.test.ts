import { expect } from 'vitest';
import { Seeded } from '../../src/sandbox/core/random.ts';
import { OPERATION_TYPES } from '../../src/wallet/contract/fields.ts';
import { BILL_PASSWORD, type ErrandKind } from './crash-customer.ts';
import { SANDBOX_SEED, type Stage } from './crash-stage.ts';
import { type Points, playPoints } from './crash-suite.ts';

const around = (commit: string) => [`before commit of ${commit}`, `after commit of ${commit}`];

/** The payments that are no transfer, the call that makes them, the one that finds them again, and where they become known. */
const KINDS: readonly (readonly [kind: ErrandKind, call: string, found: string, known: readonly string[]])[] =
  [
    ['top-up', 'topUp', 'topUps #4', around('top-up.settled told')],
    ['bill-payment', 'payBill', 'billStatus', around('bill-payment.settled to tell')],
    ['voucher', 'buyVoucher', 'operations #3', around('voucher.settled to tell')],
    ['merchant-refund', 'chargeback', 'operations #3', around('merchant-refund.settled told')],
    // By `payment.received`, as a transfer: what the answer said is followed there.
    ['merchant-payment', 'payMerchant', 'operations #3', ['after commit of webhook waiting']],
    // Its first event says that it has begun, its second how it ended.
    ['bank-transfer', 'bankTransfer', 'operations #3', ['after commit of webhook waiting']],
    // No list has it: the reference says what became of it.
    ['agent-cash-out', 'agentCashOut', 'cashReference #3', around('agent-cash-out.settled told')],
  ];

/** What must hold of each of them as it does of a transfer, at the moments where they differ. */
const ALIKE: readonly Points[] = KINDS.flatMap(([kind, call, found, known]): Points[] => [
  {
    scene: { called: `${kind}: before the claim, it is made once`, kind },
    made: 1,
    points: ['before commit of claim pay'],
  },
  {
    scene: { called: `${kind}: after the claim, before the wallet has it: never sent again`, kind },
    made: 0,
    points: ['after commit of claim pay', `${call} arrives`],
  },
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
    points: [`after ${found}`, 'before commit of intent succeeded'],
  },
]);

const OWN: readonly Points[] = [
  {
    scene: { called: 'agent-cash-in: after the wallet has it: made once, and known', kind: 'agent-cash-in' },
    made: 1,
    points: ['agentCashIn is executed'],
  },
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
    points: ['after payBill', 'after commit of webhook waiting', 'before commit of intent succeeded'],
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

playPoints('T1: kill -9, other payments', [...ALIKE, ...OWN], {
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
  const secrets = [BILL_PASSWORD, ...codes.map(({ code }) => code)];
  expect(secrets.filter((secret) => stored.includes(secret))).toEqual([]);
}
