import { assign } from 'xstate';
import { billed } from '../../src/payments/bill-labels.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type { BillPayment, Paged } from '../../src/wallet/services.ts';
import { calls } from '../kit/call.ts';
import { conversation, type Remembered, screen } from '../kit/conversation.ts';
import type { Choice, Screen, Sentence, Values } from '../kit/screen.ts';
import type { SentenceKey } from '../kit/sentence-key.ts';
import type { PayingBills } from './bill.ts';

/** The context that a conversation needs to show paid bills. */
export interface ReadingBillHistory extends Remembered {
  wallet: Msisdn;
  /** No bill was paid yet. */
  isFirst?: true;
  payments?: readonly BillPayment[];
  /** Of the wallet's list, from 1. */
  page?: number;
  /** How many the first page has, and how many there are altogether. */
  size?: number;
  count?: number;
  /** The payment that is looked at, by its place on the page. */
  opened?: number;
}

/** Partner API v2.3, "Bill transaction". */
const STATES: Readonly<Record<string, SentenceKey>> = {
  EN_ATTENTE: 'bill-payment.stateWaiting',
  AUTORISE: 'bill-payment.stateProcessing',
  CONFIRME: 'bill-payment.stateDone',
  ANNULE: 'bill-payment.stateCancelled',
  REMBOURSE: 'bill-payment.stateRefunded',
  FAILED: 'bill-payment.stateFailed',
};
const RECEIPT_IN = 'CONFIRME';

const wasl = conversation<PayingBills>();
const call = calls<PayingBills>();

/** The bills that were paid, the newest first: `readingHistory` → `showingHistory` → `showingPayment`. */
export function billHistory(on: { back: string; notEnabled: string }) {
  return {
    readingHistory: call('readBillPayments', {
      says: 'bill-payment.readingHistory',
      input: ({ wallet, page = 1 }) => ({ wallet, page }),
      notEnabled: on.notEnabled,
      ok: [
        {
          if: ({ entries }) => entries.length > 0,
          target: 'showingHistory',
          know: (found, context) => read(context, found),
        },
        { target: on.back, know: () => ({ isFirst: true, notice: { key: 'bill-payment.noHistory' } }) },
      ],
      failed: on.back,
    }),
    showingHistory: wasl.createStateConfig({
      meta: screen(list),
      on: {
        chose: [
          {
            guard: ({ event }) => event.choice === 'older',
            target: 'readingHistory',
            actions: assign(({ context }) => ({ page: (context.page ?? 1) + 1 })),
          },
          {
            guard: ({ event }) => event.choice === 'newer',
            target: 'readingHistory',
            actions: assign(({ context }) => ({ page: (context.page ?? 1) - 1 })),
          },
          {
            target: 'showingPayment',
            actions: assign(({ event }) => ({ opened: Number(event.choice) })),
          },
        ],
        back: on.back,
      },
    }),
    showingPayment: wasl.createStateConfig({
      meta: screen(({ payments, opened }) => detail(payments?.[opened ?? 0])),
      on: { chose: 'showingHistory', back: 'showingHistory' },
    }),
  };
}

function read({ page = 1, size }: ReadingBillHistory, { entries, count }: Paged<BillPayment>) {
  return { payments: entries, count, size: page === 1 || size === undefined ? entries.length : size };
}

function list({ payments = [], page = 1, size = 0, count = 0 }: ReadingBillHistory): Screen {
  const isLast = page * size >= count;
  return {
    key: 'bill-payment.listHistory',
    choices: [
      ...payments.map((payment, i): Choice => ({ id: String(i), ...paymentLine(payment), listed: true })),
      ...(isLast ? [] : [{ id: 'older', key: 'bill-payment.older' } as const]),
      ...(page > 1 ? [{ id: 'newer', key: 'bill-payment.newer' } as const] : []),
    ],
    expects: 'choice',
  };
}

/** The history does not always say when (its fields are not shown in v2.3). */
function paymentLine(payment: BillPayment): Sentence {
  const { at } = payment;
  const values = { ...valuesOf(payment), ...(at !== undefined && { day: { day: at } }) };
  return { key: at === undefined ? 'bill-payment.undatedPayment' : 'bill-payment.payment', values };
}

/**
 * The receipt goes with a payment that was settled. The reference is the one of its receipt and its SMS: the operation, else
 * the bill network's name for it (`referenceOf`).
 */
function detail(payment: BillPayment | undefined): Screen {
  if (!payment) throw new Error('a bill payment was opened that is not in the list');
  const { at, receivable, settlement, reference, operationId, status } = payment;
  const facts: Sentence[] = [];
  if (receivable) facts.push({ key: 'bill-payment.factReceivable', values: { value: billed(receivable) } });
  if (at !== undefined) facts.push({ key: 'bill-payment.factDate', values: { value: { date: at } } });
  if (settlement) facts.push({ key: 'bill-payment.factSettlement', values: { value: { code: settlement } } });
  const named = operationId === undefined ? reference : String(operationId);
  if (named) facts.push({ key: 'bill-payment.factReference', values: { value: { code: named } } });
  if (reference && named !== reference)
    facts.push({ key: 'bill-payment.factNetwork', values: { value: { code: reference } } });
  return {
    key: facts.length > 0 ? 'bill-payment.detail' : 'bill-payment.bareDetail',
    values: { ...valuesOf(payment), ...(facts.length > 0 && { facts: { lines: facts } }) },
    choices: [{ id: 'list', key: 'bill-payment.backToHistory' }],
    expects: 'choice',
    ...(operationId !== undefined &&
      status === RECEIPT_IN && { document: { kind: 'bill-receipt', operationId } as const }),
  };
}

function valuesOf({ creditor, amount, status }: BillPayment): Values {
  return {
    creditor: { name: creditor },
    amount: { money: amount },
    status: { say: STATES[status.trim().toUpperCase()] ?? 'bill-payment.stateUnknown' },
  };
}
