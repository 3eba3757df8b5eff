import { expect } from 'vitest';
import { PAYMENT_KINDS, type PaymentKind } from '../../src/payments/payments.ts';
import { Seeded } from '../../src/sandbox/core/random.ts';
import { OPERATION_TYPES } from '../../src/wallet/contract/fields.ts';
import { live, type Scene } from './crash-history.ts';
import { SANDBOX_SEED, type Stage } from './crash-stage.ts';
import { type Points as PointsOf, playPoints } from './crash-suite.ts';
import { BILL_PASSWORD, CARD, ERRANDS } from './town/kinds.ts';
import { inTurn } from './turn.ts';

type Points = PointsOf<Scene>;
type Moments = Points['points'];

/**
 * The moments at which a payment may differ from a transfer. In the short form each kind dies after its claim and before
 * its answer. The other moments take turns.
 * @param found the call that finds the payment again when its answer is lost
 * @param known the moments at which its outcome becomes known
 */
function alike(kind: PaymentKind, found: string, known: Moments): readonly Points[] {
  const { call } = ERRANDS[kind];
  return [
    ...claimed(kind, 'claim pay'),
    {
      scene: { called: `${kind}: after the wallet has it: made once, and known`, kind },
      made: 1,
      points: [`${call} is executed`, ...inTurn(kind, `${call} arrives late`, ...known)],
    },
    {
      scene: {
        called: `${kind}: the answer is lost and no webhook comes: its own look-up finds it`,
        kind,
        wire: 'loses answers',
        webhooks: false,
      },
      made: 1,
      points: inTurn(kind, `after ${found}`, 'before commit of intent succeeded'),
    },
  ];
}

/** Before the claim, the next process makes the payment. After it, no process sends it any more. */
function claimed(kind: PaymentKind, claim: string): readonly Points[] {
  return [
    {
      scene: { called: `${kind}: before the claim, it is made once`, kind },
      made: 1,
      points: inTurn(kind, `before commit of ${claim}`),
    },
    {
      scene: { called: `${kind}: after the claim, before the wallet has it: never sent again`, kind },
      made: 0,
      points: [`after commit of ${claim}`, ...inTurn(kind, `${ERRANDS[kind].call} arrives`)],
    },
  ];
}

/**
 * A card is charged once its customer has been at the bank. The answer has the bank's address, so without the answer no
 * card is charged.
 * @param listed the look that finds it without a webhook. The list proves nothing of a link's payment, and a person
 * looks
 * @param read the call that reads its operation
 */
function byCard(
  kind: PaymentKind,
  claim: string,
  { listed, read = 'operation' }: { readonly listed?: string; readonly read?: string } = {},
): readonly Points[] {
  const { call } = ERRANDS[kind];
  const found: readonly Points[] =
    listed === undefined
      ? []
      : [
          {
            scene: { called: `${kind}: no webhook comes: found in the list`, kind, webhooks: false },
            made: 1,
            points: inTurn(kind, `after ${listed}`, 'before commit of intent succeeded'),
          },
        ];
  return [
    ...claimed(kind, claim),
    {
      scene: { called: `${kind}: the way to the bank is lost with the answer: never sent again`, kind },
      made: 0,
      points: [`${call} is executed`, ...inTurn(kind, `${call} arrives late`, `after ${call}`)],
    },
    {
      scene: { called: `${kind}: after the bank: made once, and known`, kind },
      made: 1,
      points: inTurn<Moments[number]>(kind, `before ${read}`, [
        `after ${read}`,
        'before commit of intent succeeded',
      ]),
    },
    ...found,
  ];
}

/**
 * A file with two lines. Whichever step of the first one a process dies in, the second one is paid by the next process, and no line twice.
 * @param wire what the wire calls the execution
 * @param before what else happens before a line is claimed
 */
function inFile(
  kind: 'payout' | 'payout-transfer',
  wire: string,
  before: Moments,
  found: string,
): readonly Points[] {
  return [
    {
      scene: {
        called: `${kind}: before the release and before a line is claimed: each line is paid once`,
        kind,
      },
      made: 2,
      points: inTurn(
        kind,
        ...['before commit of claim releasePayouts', 'after commit of claim releasePayouts'],
        ...['before commit of payouts running 0', 'after commit of payouts running 0'],
        ...before,
        ...['before commit of payouts running 0 begun', 'after commit of payouts running 0 begun'],
        'before commit of intent sent',
      ),
    },
    {
      scene: { called: `${kind}: after a line is claimed, before the wallet has it: never sent again`, kind },
      made: 1,
      points: [
        'after commit of intent sent',
        ...inTurn(kind, `before ${ERRANDS[kind].call}`, `${wire} arrives`),
      ],
    },
    {
      scene: {
        called: `${kind}: after the wallet has a line, and between lines: each line is paid once`,
        kind,
      },
      made: 2,
      points: [
        `${wire} is executed`,
        'after commit of payouts running 1',
        ...inTurn<Moments[number]>(
          kind,
          ...[`${wire} arrives late`, `after ${ERRANDS[kind].call}`],
          ...['before commit of payouts running 1', 'after commit of payouts running 1 begun'],
          ...['before commit of payouts done 2', 'after commit of payouts done 2'],
          ['after commit of payouts running 1', 'before commit of payouts done 2'],
        ),
      ],
    },
    {
      scene: {
        called: `${kind}: the answer to each line is lost, and no event comes`,
        kind,
        wire: 'loses answers',
        webhooks: false,
      },
      made: 2,
      points: inTurn(kind, found, 'after commit of intent unknown'),
    },
  ];
}

const around = (commit: string): Moments => [`before commit of ${commit}`, `after commit of ${commit}`];

/** Of payments that are found in their own way. */
const OF_ITS_OWN: Readonly<Partial<Record<PaymentKind, readonly Points[]>>> = {
  'top-up': alike('top-up', 'topUps #4', around('top-up.settled told')),
  'bill-payment': alike('bill-payment', 'billStatus', around('bill-payment.settled to tell')),
  voucher: alike('voucher', 'operations #3', around('voucher.settled to tell')).map((each) => ({
    ...each,
    onBoth: true,
  })),
  'merchant-refund': alike('merchant-refund', 'operations #3', around('merchant-refund.settled told')),
  // No list has it: the reference says what became of it.
  'agent-cash-out': alike('agent-cash-out', 'cashReference #3', around('agent-cash-out.settled told')),
  'agent-cash-in': alike('agent-cash-in', 'cashReference #3', around('agent-cash-in.settled told')),
  'card-cash-in': byCard('card-cash-in', 'claim pay', { listed: 'operations #4' }),
  // Claimed by its page: no conversation waits for it.
  'card-payment': byCard('card-payment', 'card-link + wallet + intent sent'),
  // The same page, that an administrator opens: the float's operations are in the list of all of them.
  'float-card': byCard('float-card', 'card-link + wallet + intent sent', { read: 'agentOperations' }),
  // They make no operation: that of the payment by card says what became of them.
  'card-capture': alike('card-capture', 'operation #2', around('card-payments.settled told')),
  'card-reverse': alike('card-reverse', 'operation #2', around('card-payments.settled told')),
  // No event tells of it: the list of all operations does, where the key may read that.
  'b2b-top-up': alike('b2b-top-up', 'agentOperations #2', around('b2b-top-up.settled told')),
  payout: inFile(
    'payout',
    'agentCashIn',
    ['requestCashIn arrives', 'requestCashIn is executed', 'after requestCashIn'],
    'after cashReference',
  ),
  // Without its event it is a person's in the end.
  'payout-transfer': inFile('payout-transfer', 'bankTransfer', [], 'before commit of intent human'),
  'card-refund': alike('card-refund', 'operations #3', around('card-payments.settled told')),
};

/** The payments that are no transfer, which has a battery of its own. Most are found in the wallet's list of operations. */
const KINDS = PAYMENT_KINDS.filter((kind) => kind !== 'transfer').map(
  (kind) => OF_ITS_OWN[kind] ?? alike(kind, 'operations #3', ['before operation']),
);

const OWN: readonly Points[] = [
  {
    scene: { called: 'top-up: it fails after it was accepted', kind: 'top-up', fails: true },
    made: 1,
    points: inTurn('fails', 'before commit of intent failed'),
  },
  {
    scene: { called: 'bank-transfer: the bank does not take it', kind: 'bank-transfer', fails: true },
    made: 1,
    points: ['before commit of intent failed'],
  },
  {
    scene: { called: 'bill-payment: not decided yet, then confirmed', kind: 'bill-payment', waits: true },
    made: 1,
    points: ['before operation', ...inTurn('waits', 'after payBill', 'before commit of intent succeeded')],
  },
  {
    scene: { called: 'bill-payment: not decided yet, then failed', kind: 'bill-payment', fails: true },
    made: 1,
    points: ['after commit of intent failed'],
  },
  {
    scene: { called: 'voucher: its code is on the way to the customer', kind: 'voucher' },
    made: 1,
    points: ['before delivery of voucher.code', ...inTurn('code', 'after delivery of voucher.code')],
    onBoth: true,
  },
];

playPoints('T1: kill -9, other payments', live, [...KINDS.flat(), ...OWN], secretsStayed);

/** No byte that was ever stored holds a secret of these payments. Each voucher code came only to its buyer. */
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
