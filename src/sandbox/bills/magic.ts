import { STATUSES } from '../../wallet/contract/fields.ts';
import type { Struck } from '../faults/faults.ts';
import type { Operation } from '../operations/operation.ts';

/** How a payment goes: what confirm answers, and what comes of it. */
export interface Way {
  readonly codeRetour: string;
  /** Absent: nothing is executed. */
  readonly settlesAs?: Operation['settlesAs'];
  readonly refunds?: 1;
  /** Settled only after the answer: AUTORISE, and the webhook decides. */
  readonly later?: true;
  /** Faults of the operation, besides those that are set. */
  readonly struck?: Struck;
}
export interface Magic {
  readonly contract: string;
  readonly means: string;
  /** The answer to the search for unpaid bills. Absent: bills like any others. */
  readonly unpaid?: string;
  readonly way?: Way;
}

const REFUNDED_AFTER_MS = 5_000;
const { COMPLETED, FAILED, CANCELED } = STATUSES;

const MAGIC_CONTRACTS = {
  nothingToPay: { contract: '0990000107', means: 'has no bill to pay: 107', unpaid: '107' },
  searchFails: {
    contract: '0990000108',
    means: 'cannot be looked up: 908 instead of its bills',
    unpaid: '908',
  },
  alreadyProcessed: {
    contract: '0990000301',
    means: 'the payment is made, and answered with 301 (already processed)',
    way: { codeRetour: '301', settlesAs: COMPLETED },
  },
  confirmedLater: {
    contract: '0990000908',
    means: '908, and soon the webhook payment.confirmed',
    way: { codeRetour: '908', settlesAs: COMPLETED, later: true },
  },
  cancelledLater: {
    contract: '0990000909',
    means: '909, and soon the webhook payment.cancelled; the money comes back',
    way: { codeRetour: '909', settlesAs: CANCELED, later: true },
  },
  failedLater: {
    contract: '0990000910',
    means: '910, and soon the webhook payment.failed; the money comes back',
    way: { codeRetour: '910', settlesAs: FAILED, later: true },
  },
  refundedLater: {
    contract: '0990000911',
    means: '908, and soon the webhook payment.refunded; the money comes back',
    way: { codeRetour: '908', settlesAs: CANCELED, refunds: 1, later: true },
  },
  refundedAfterwards: {
    contract: '0990000912',
    means: 'paid and confirmed, and refunded 5 seconds later',
    way: { codeRetour: '000', settlesAs: COMPLETED, refunds: 1, struck: { reversal: REFUNDED_AFTER_MS } },
  },
  unlistedPaid: {
    contract: '0990000998',
    means: '998, a code that is not listed, though the payment is made; the webhook confirms it',
    way: { codeRetour: '998', settlesAs: COMPLETED, later: true },
  },
  unlistedNothing: {
    contract: '0990000999',
    means: '999, a code that is not listed, and nothing is executed',
    way: { codeRetour: '999' },
  },
} as const satisfies Record<string, Magic>;
export type BillMagicName = keyof typeof MAGIC_CONTRACTS;

/**
 * Contract numbers that make something happen at any creditor. They go into the first field of its form. The numbers of
 * `MAGIC` from …0101 work as contract numbers too (0699000101).
 */
export const BILL_MAGIC: Readonly<Record<BillMagicName, Magic>> = MAGIC_CONTRACTS;

/** @param contract as `readForm` gives it: the number, and after a space whatever else names the contract */
export function magicOf(contract: string): Magic | undefined {
  const [number] = contract.split(' ');
  return Object.values(BILL_MAGIC).find((each) => each.contract === number);
}
