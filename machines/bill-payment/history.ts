import { assign } from 'xstate';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type { BillPayment, Paged } from '../../src/wallet/services.ts';
import { conversation, type Remembered, screen } from '../kit/conversation.ts';
import { problem, saysNotEnabled } from '../kit/problem.ts';
import type { Screen, Sentence, Values } from '../kit/screen.ts';

/** What a conversation must know to show bills that were paid. */
export interface ReadingBillHistory extends Remembered {
  wallet: Msisdn;
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
const STATES: Readonly<Record<string, string>> = {
  EN_ATTENTE: 'bill-payment.stateWaiting',
  AUTORISE: 'bill-payment.stateProcessing',
  CONFIRME: 'bill-payment.stateDone',
  ANNULE: 'bill-payment.stateCancelled',
  REMBOURSE: 'bill-payment.stateRefunded',
  FAILED: 'bill-payment.stateFailed',
};
const RECEIPT_IN = 'CONFIRME';

/** The bills that were paid, the newest first: `readingHistory` → `showingHistory` → `showingPayment`. */
export function billHistory<Context extends ReadingBillHistory>(on: { back: string; notEnabled: string }) {
  const wasl = conversation<Context>();
  const know = (facts: Partial<ReadingBillHistory>) => facts as Partial<Context>;
  return {
    readingHistory: wasl.createStateConfig({
      meta: screen(() => ({ key: 'bill-payment.readingHistory', expects: 'nothing' })),
      invoke: {
        src: 'readBillPayments',
        input: ({ context }) => ({ wallet: context.wallet, page: context.page ?? 1 }),
        onDone: [
          {
            guard: ({ event }) => event.output.kind === 'ok' && event.output.value.entries.length > 0,
            target: 'showingHistory',
            actions: assign(({ event, context }) =>
              event.output.kind === 'ok' ? know(read(context, event.output.value)) : {},
            ),
          },
          {
            guard: ({ event }) => event.output.kind === 'ok',
            target: on.back,
            actions: assign(() => know({ notice: { key: 'bill-payment.noHistory' } })),
          },
          { guard: ({ event }) => saysNotEnabled(event.output), target: on.notEnabled },
          {
            target: on.back,
            actions: assign(({ event }) => know({ notice: problem(event.output) })),
          },
        ],
      },
    }),
    showingHistory: wasl.createStateConfig({
      meta: screen(list),
      on: {
        chose: [
          {
            guard: ({ event }) => event.choice === 'older',
            target: 'readingHistory',
            actions: assign(({ context }) => know({ page: (context.page ?? 1) + 1 })),
          },
          {
            guard: ({ event }) => event.choice === 'newer',
            target: 'readingHistory',
            actions: assign(({ context }) => know({ page: (context.page ?? 1) - 1 })),
          },
          {
            target: 'showingPayment',
            actions: assign(({ event }) => know({ opened: Number(event.choice) })),
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
      ...payments.map((payment, i) => ({ id: String(i), ...line(payment) })),
      ...(isLast ? [] : [{ id: 'older', key: 'bill-payment.older' }]),
      ...(page > 1 ? [{ id: 'newer', key: 'bill-payment.newer' }] : []),
    ],
    expects: 'choice',
  };
}

/** The history does not always say when (its fields are not shown in v2.3). */
function line(payment: BillPayment): Sentence {
  const { at } = payment;
  const values = { ...valuesOf(payment), ...(at !== undefined && { day: { day: at } }) };
  return { key: at === undefined ? 'bill-payment.undatedPayment' : 'bill-payment.payment', values };
}

/** The receipt goes with a payment that was settled. */
function detail(payment: BillPayment | undefined): Screen {
  if (!payment) throw new Error('a bill payment was opened that is not in the list');
  const { at, receivable, settlement, reference, operationId, status } = payment;
  const facts: Sentence[] = [
    ...(receivable ? [{ key: 'bill-payment.factReceivable', values: { value: { text: receivable } } }] : []),
    ...(at === undefined ? [] : [{ key: 'bill-payment.factDate', values: { value: { date: at } } }]),
    ...(settlement ? [{ key: 'bill-payment.factSettlement', values: { value: { code: settlement } } }] : []),
    ...(reference ? [{ key: 'bill-payment.factReference', values: { value: { code: reference } } }] : []),
  ];
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
