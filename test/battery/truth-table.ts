import type { Sentence, Values } from '../../machines/kit/screen.ts';
import type { SentenceKey } from '../../machines/kit/sentence-key.ts';
import type { IntentState } from '../../src/conversation/intents/intent.ts';
import { OPERATION_TYPES, type OperationStatus, STATUSES } from '../../src/wallet/contract/fields.ts';
import { centimes } from '../../src/wallet/money.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { invented } from '../kit/invented.ts';
import type { Execution } from './town/oracle.ts';
import { falsehoods, type Payment, type Spoken } from './town/truth.ts';

export const ME = msisdn('+212600000001');
export const HER = msisdn('+212600000002');
const HIM = msisdn('+212600000003');
export const ADDRESS = `ussd:${ME}` as const;
const SENT_AT = 10_000;
const ASKED_AT = 50_000;
const AT = 50_100;

const { OPEN, COMPLETED, FAILED, CANCELED } = STATUSES;
const dirhams = (whole: number) => centimes(whole * 100);

/** The values of a sentence about a transfer: 200 dirhams to her, if nothing else is said. */
export const about = ({ amount = 200, to = HER, reference = '' } = {}): Values => ({
  amount: { money: dirhams(amount) },
  to: { phone: to },
  ...(reference && { reference: { code: reference } }),
});
export const say = (key: SentenceKey, values?: Values): Sentence => ({ key, ...(values && { values }) });

/** A link of a merchant by which somebody pays, and what its merchant gives back. */
const LINK = { kind: 'card-payment', from: ME, amount: dirhams(200) } as const;
const REFUND = {
  ...({ kind: 'card-refund', from: ME, amount: dirhams(200) } as const),
  payment: {
    ...{ id: 'aaaaaaaa-1', operationId: 23, orderId: 'o', trackId: 't' },
    amount: dirhams(200),
    at: SENT_AT,
  },
} as const;

export const execution = (status: OperationStatus, more: Partial<Execution> = {}): Execution => ({
  operationId: 23,
  requestId: 'aaaaaaaa-1',
  type: OPERATION_TYPES.TRANSFER,
  amount: dirhams(200),
  sender: ME,
  receiver: HER,
  status,
  ...more,
});

/** A transfer as it was written down: `sent`, then what it became before the text was asked for. */
export const payment = (state: IntentState, more: Partial<Payment> & { becameAt?: number } = {}): Payment => {
  const { becameAt = SENT_AT + 1, ...rest } = more;
  return {
    id: 'aaaaaaaa-1',
    wallet: ME,
    address: ADDRESS,
    order: { kind: 'transfer', from: ME, to: HER, amount: dirhams(200) },
    sentAt: SENT_AT,
    audit: [
      [SENT_AT, 'sent', ''],
      [becameAt, state, ''],
    ],
    ...rest,
  };
};

interface Row {
  readonly says: readonly Sentence[];
  readonly contact?: Spoken['contact'];
  readonly executions?: readonly Execution[];
  readonly payments?: readonly Payment[];
  readonly told?: readonly number[];
  /** Absent from a chat that nobody has linked. */
  readonly wallet?: null;
}

/** The falsehoods of a row. */
export function found({ says, contact = 'goes on', executions = [], payments = [], told = [], wallet }: Row) {
  const spoken = { askedAt: ASKED_AT, at: AT, address: ADDRESS, contact, sentences: says } as const;
  return falsehoods(wallet === null ? spoken : { ...spoken, wallet: ME }, {
    executions,
    payments,
    told: new Set(told),
  });
}

const MENU = say('menu.choose');
const TRY_AGAIN = say('nav.slow');
/** Sent in a chat of the same wallet just before the text was asked for. */
const justSent = (writtenAt: number) =>
  payment('unknown', { address: 'web:chat', sentAt: ASKED_AT - 10, writtenAt });
/** Sent, lost by the store, and written again by the process that had sent it. */
const restored = (at: number) => {
  const { audit, ...rest } = payment('unknown');
  return { ...rest, audit: [...audit, [at, 'unknown', { kind: 'restored' }] as const] };
};
const NOT_CONFIRMED = say('transfer.notConfirmed', about());

/** The question whether to collect once more: its amounts are those of the new collection. */
const ALL_AGAIN = say('card-capture.confirmAgain', {
  ...{ amount: { money: dirhams(100) }, total: { money: dirhams(100) } },
  alikeAt: { date: SENT_AT },
});

/** Lies that it must find, and why each of them is one. */
export const LIES: Readonly<Record<string, Row & { readonly because: string }>> = {
  'a menu that invites to try again, after an answer was lost': {
    says: [say('menu.unavailable')],
    contact: 'starts',
    executions: [execution(COMPLETED)],
    payments: [payment('unknown')],
    because: 'menu.unavailable invites to pay again while',
  },
  'a dial that came in when a payment by chat was already in the store': {
    says: [MENU],
    contact: 'starts',
    payments: [justSent(ASKED_AT - 1)],
    because: 'menu.choose starts a contact and does not name',
  },
  'a menu after a payment that the store had lost was written again': {
    says: [MENU],
    contact: 'starts',
    payments: [restored(ASKED_AT - 200)],
    because: 'menu.choose starts a contact and does not name',
  },
  'nothing was debited, while the operation is open': {
    says: [say('transfer.refused', about())],
    executions: [execution(OPEN)],
    because: 'transfer.refused is false: operation 23 took',
  },
  'a payment that was not sent, below an equal open one': {
    says: [NOT_CONFIRMED, say('transfer.notSent', about())],
    payments: [payment('unknown')],
    because: 'transfer.notSent is false: nobody knows yet what became of aaaaaaaa-1',
  },
  'nothing was sent, before a PIN that is asked for again': {
    says: [say('transfer.askPin', about()), say('pay.pinLost')],
    payments: [payment('unknown')],
    because: 'pay.pinLost is false: nobody knows yet what became of aaaaaaaa-1',
  },
  'try again, below a payment that must not be made again': {
    says: [NOT_CONFIRMED, say('pay.unavailable', about({ amount: 50 })), say('pay.again')],
    payments: [payment('unknown')],
    because: 'pay.again invites to pay again while aaaaaaaa-1 is open',
  },
  'nothing was debited, while nobody knows': {
    says: [say('transfer.refused', about())],
    payments: [payment('unknown')],
    because: 'nobody knows yet what became of aaaaaaaa-1',
  },
  'nothing was debited, with a hidden reference': {
    says: [say('transfer.refused', about({ reference: 'BBBBBBBB' }))],
    executions: [execution(COMPLETED)],
    because: 'transfer.refused is false: operation 23 took',
  },
  'nothing was debited, with the minute of the payment that went through': {
    says: [say('transfer.refusedAt', { ...about(), at: { date: SENT_AT + 1 } })],
    executions: [execution(COMPLETED)],
    payments: [payment('succeeded')],
    because: 'transfer.refusedAt is false: operation 23 took',
  },
  'not sent, with the minute in which an equal transfer went through': {
    says: [say('transfer.notSentAt', { ...about(), at: { date: SENT_AT + 1 } })],
    executions: [execution(COMPLETED)],
    payments: [payment('succeeded')],
    told: [23],
    because: 'transfer.notSentAt is false: operation 23 took',
  },
  'not sent, with the minute in which an equal refund went through': {
    says: [say('card-refund.notSentAt', { ...about(), at: { date: SENT_AT + 1 } })],
    executions: [execution(COMPLETED, { type: OPERATION_TYPES.PAYMENT_REFUND })],
    payments: [payment('succeeded', { order: REFUND })],
    told: [23],
    because: 'card-refund.notSentAt is false: operation 23 took',
  },
  'cancelled, about the second payment, which reads as the first': {
    says: [say('transfer.cancelled', about())],
    executions: [execution(COMPLETED)],
    payments: [payment('unknown')],
    because: 'transfer.cancelled is false',
  },
  'cancelled, under the sentence that the first is not confirmed': {
    says: [NOT_CONFIRMED, say('transfer.cancelled', about())],
    payments: [payment('unknown')],
    because: 'transfer.cancelled is false',
  },
  'failed, by its reference, and it is completed': {
    says: [say('transfer.failed', about({ reference: '23' }))],
    executions: [execution(COMPLETED)],
    told: [23],
    because: 'transfer.failed is false: operation 23 took',
  },
  'done, and the operation is still open': {
    says: [say('transfer.done', about({ reference: '23' }))],
    executions: [execution(OPEN)],
    because: 'transfer.done is false: no such operation is completed',
  },
  'done, and the operation has failed': {
    says: [say('transfer.done', about({ reference: '23' }))],
    executions: [execution(FAILED)],
    because: 'transfer.done is false',
  },
  'done, of another amount': {
    says: [say('transfer.done', about({ amount: 300 }))],
    executions: [execution(COMPLETED)],
    because: 'transfer.done is false',
  },
  'done, to somebody else': {
    says: [say('transfer.done', about({ to: HIM }))],
    executions: [execution(COMPLETED)],
    because: 'transfer.done is false',
  },
  'done, with the reference of another one': {
    says: [say('transfer.done', about({ reference: '24' }))],
    executions: [execution(COMPLETED)],
    because: 'transfer.done is false',
  },
  'done, and it was somebody else who paid': {
    says: [say('transfer.done', about())],
    executions: [execution(COMPLETED, { sender: HIM })],
    because: 'transfer.done is false',
  },
  'already sent, and nothing was': {
    says: [say('transfer.confirmAgain', about())],
    executions: [execution(FAILED)],
    because: 'transfer.confirmAgain is false',
  },
  'topped up, and it was a transfer': {
    says: [say('top-up.done', { amount: { money: dirhams(200) } })],
    executions: [execution(COMPLETED)],
    because: 'top-up.done is false',
  },
  'not confirmed, and nobody has ever paid': {
    says: [NOT_CONFIRMED],
    because: 'transfer.notConfirmed is false: no such payment was ever made',
  },
  'being processed, and it was sent after that': {
    says: [say('transfer.processing', about())],
    payments: [payment('accepted', { sentAt: AT + 1, audit: [[AT + 1, 'sent', '']] })],
    because: 'no such payment was ever made',
  },
  'not confirmed, and the wallet has refused it': {
    says: [NOT_CONFIRMED],
    payments: [payment('rejected')],
    because: 'the wallet has refused it, or never had it',
  },
  'not confirmed, and it never left': {
    says: [NOT_CONFIRMED],
    payments: [payment('unsent')],
    because: 'the wallet has refused it, or never had it',
  },
  'given back, and it was not': {
    says: [say('transfer.reversed', about({ reference: '23' }))],
    executions: [execution(COMPLETED)],
    because: 'transfer.reversed is false: no such operation was reversed',
  },
  'received, and nothing has come in': {
    says: [say('received.from', { amount: { money: dirhams(200) } })],
    executions: [execution(COMPLETED)],
    because: 'received.from is false: no such operation has come in',
  },
  'a part was collected already, and nothing has come in': {
    says: [ALL_AGAIN],
    because: 'card-capture.confirmAgain is false: no such operation has come in',
  },
  'taken back, and it is there': {
    says: [say('received.undone', { amount: { money: dirhams(200) }, reference: { code: '23' } })],
    executions: [execution(COMPLETED, { sender: HER, receiver: ME })],
    because: 'received.undone is false: operation 23 has brought 20000',
  },
  'received, and it is not settled': {
    says: [say('received.money', { amount: { money: dirhams(200) } })],
    executions: [execution(OPEN, { sender: HER, receiver: ME })],
    because: 'received.money is false',
  },
  'a false menu that does not name an open payment': {
    says: [say('menu.unavailable')],
    contact: 'starts',
    payments: [payment('unknown')],
    because: 'menu.unavailable starts a contact and does not name aaaaaaaa-1',
  },
  'try again, while a payment is open': {
    says: [TRY_AGAIN],
    payments: [payment('unknown')],
    because: 'nav.slow invites to pay again while aaaaaaaa-1 is open',
  },
  'try again, and only then that a payment is open': {
    says: [TRY_AGAIN, NOT_CONFIRMED],
    payments: [payment('unknown')],
    because: 'nav.slow invites to pay again',
  },
  'a button that tries again, while another payment is open': {
    says: [say('pay.previewing', about({ amount: 50 })), say('pay.again')],
    payments: [payment('accepted')],
    because: 'pay.again invites to pay again',
  },
  'a dial that does not name an open payment': {
    says: [MENU],
    contact: 'starts',
    payments: [payment('accepted')],
    because: 'menu.choose starts a contact and does not name aaaaaaaa-1, which is open',
  },
  'a dial that names one of two': {
    says: [NOT_CONFIRMED, MENU],
    contact: 'starts',
    payments: [
      payment('accepted'),
      payment('accepted', { id: 'b', order: { kind: 'transfer', from: ME, to: HIM, amount: dirhams(50) } }),
    ],
    because: 'does not name b, which is open',
  },
  'a dial that tells of money received instead': {
    says: [say('received.money', { amount: { money: dirhams(200) } }), MENU],
    contact: 'starts',
    executions: [execution(COMPLETED, { sender: HER, receiver: ME })],
    payments: [payment('unknown')],
    because: 'starts a contact and does not name aaaaaaaa-1',
  },
  'one’s own outcome behind money received': {
    says: [
      say('received.money', { amount: { money: dirhams(70) } }),
      say('transfer.done', about({ reference: '23' })),
      MENU,
    ],
    contact: 'starts',
    executions: [
      execution(COMPLETED),
      execution(COMPLETED, { operationId: 24, sender: HER, receiver: ME, amount: dirhams(70) }),
    ],
    because: 'transfer.done comes after received.money',
  },
  'a session that ends and does not name the payment of its own turn': {
    says: [say('problem.unavailable')],
    contact: 'ends',
    payments: [payment('unknown', { sentAt: ASKED_AT + 1, audit: [[ASKED_AT + 1, 'sent', '']] })],
    because: 'ends a contact and does not name aaaaaaaa-1',
  },
  'a key without a row': {
    says: [say(invented('transfer.doneSomehow'))],
    because: 'transfer.doneSomehow has no row in the table of claims',
  },
  'a key without a row, in an unlinked chat': {
    says: [say(invented('nobody.knows'))],
    wallet: null,
    because: 'nobody.knows has no row',
  },
};

/** Truths that it must not take for lies. */
export const TRUTHS: Readonly<Record<string, Row>> = {
  'the menu, and nothing is open': { says: [MENU], contact: 'starts', payments: [payment('succeeded')] },
  'a refund was not sent, and in that minute a stranger has paid that amount by card': {
    says: [say('card-refund.notSentAt', { ...about(), at: { date: SENT_AT + 1 } })],
    executions: [execution(COMPLETED, { type: OPERATION_TYPES.CARD_PAYMENT })],
    payments: [payment('succeeded', { order: LINK }), payment('unsent', { id: 'b', order: REFUND })],
    told: [23],
  },
  'the whole amount is asked for, and another chat has collected a part': {
    says: [ALL_AGAIN],
    executions: [
      execution(COMPLETED, {
        ...{ type: OPERATION_TYPES.CARD_PAYMENT, amount: dirhams(50) },
        ...{ sender: HER, receiver: ME },
      }),
    ],
  },
  'try again, and nothing is open': { says: [TRY_AGAIN], contact: 'ends' },
  'try again, and the open payment is another wallet’s': {
    says: [TRY_AGAIN],
    contact: 'ends',
    payments: [payment('unknown', { wallet: HIM })],
  },
  'an open payment, then the menu': {
    says: [NOT_CONFIRMED, MENU],
    contact: 'starts',
    executions: [execution(COMPLETED)],
    payments: [payment('unknown')],
  },
  'not confirmed, and the request never came there': {
    says: [NOT_CONFIRMED],
    payments: [payment('unknown')],
  },
  'not confirmed, and the store has lost its intent': {
    says: [NOT_CONFIRMED],
    executions: [execution(OPEN)],
  },
  'not confirmed, a moment after it was': {
    says: [NOT_CONFIRMED],
    executions: [execution(COMPLETED)],
    payments: [payment('succeeded', { becameAt: AT - 1 })],
  },
  done: { says: [say('transfer.done', about({ reference: '23' }))], executions: [execution(COMPLETED)] },
  'done, by our own short name': {
    says: [say('transfer.done', about({ reference: 'AAAAAAAA' }))],
    executions: [execution(COMPLETED)],
  },
  'a bill paid, by the network’s name': {
    says: [say('bill-payment.done', { amount: { money: dirhams(200) }, reference: { code: 'REF-1' } })],
    executions: [execution(COMPLETED, { type: OPERATION_TYPES.BILL_PAYMENT })],
  },
  'done, read late, and given back since': {
    says: [say('transfer.done', about({ reference: '23' }))],
    executions: [execution(CANCELED)],
    payments: [payment('succeeded')],
  },
  'a dial that came in while a payment by chat was being written': {
    says: [MENU],
    contact: 'starts',
    payments: [justSent(ASKED_AT + 1)],
  },
  'a menu while the store has lost a payment that is written again later': {
    says: [MENU],
    contact: 'starts',
    payments: [restored(AT + 1)],
  },
  'a menu while the store has lost a payment that is written again during that turn': {
    says: [MENU],
    contact: 'starts',
    payments: [restored(ASKED_AT + 1)],
  },
  'a menu while a payment that the store had lost is being committed again': {
    says: [MENU],
    contact: 'starts',
    payments: [restored(ASKED_AT - 1)],
  },
  'refused, and nothing was executed': {
    says: [say('transfer.refused', about())],
    payments: [payment('rejected')],
  },
  'refused, with another minute than the payment that went through': {
    says: [say('transfer.refusedAt', { ...about(), at: { date: SENT_AT + 60_000 } })],
    executions: [execution(COMPLETED)],
    payments: [payment('succeeded')],
  },
  'refused, and the one that went through is known': {
    says: [say('transfer.refused', about())],
    executions: [execution(COMPLETED)],
    told: [23],
  },
  'refused, under the sentence that the one before is done': {
    says: [say('transfer.done', about({ reference: '23' })), say('transfer.refused', about())],
    executions: [execution(COMPLETED)],
  },
  'cancelled, and another payment is open and named': {
    says: [NOT_CONFIRMED, say('transfer.cancelled', about({ amount: 50 }))],
    contact: 'ends',
    payments: [payment('unknown')],
  },
  'expired, under the sentence that a payment is open': {
    says: [NOT_CONFIRMED, say('pin.lapsed')],
    executions: [execution(COMPLETED)],
    payments: [payment('unknown')],
  },
  'failed, and the money came back': {
    says: [say('transfer.failed', about({ reference: '23' }))],
    executions: [execution(FAILED)],
  },
  'given back': {
    says: [say('transfer.reversed', about({ reference: '23' }))],
    executions: [execution(CANCELED)],
  },
  received: {
    says: [say('received.money', { amount: { money: dirhams(200) }, reference: { code: '23' } })],
    executions: [execution(COMPLETED, { sender: HER, receiver: ME })],
  },
  'taken back, beside the same that has come in since': {
    says: [say('received.undone', { amount: { money: dirhams(200) }, reference: { code: '23' } })],
    executions: [
      execution(CANCELED, { sender: HER, receiver: ME }),
      execution(COMPLETED, { operationId: 24, sender: HER, receiver: ME }),
    ],
  },
  'one’s own outcome, then money received': {
    says: [
      say('transfer.done', about({ reference: '23' })),
      say('received.money', { amount: { money: dirhams(70) } }),
      MENU,
    ],
    contact: 'starts',
    executions: [
      execution(COMPLETED),
      execution(COMPLETED, { operationId: 24, sender: HER, receiver: ME, amount: dirhams(70) }),
    ],
  },
  'the menu, while the payment is being made at another address': {
    says: [MENU],
    contact: 'starts',
    payments: [
      payment('accepted', {
        address: 'web:chat',
        sentAt: ASKED_AT + 1,
        audit: [[ASKED_AT + 1, 'sent', '']],
      }),
    ],
  },
  'the question for an amount, in the middle of a contact': {
    says: [say('transfer.askAmount', about())],
    payments: [payment('unknown')],
  },
  'any sentence in an unlinked chat': {
    says: [say('menu.unavailable')],
    executions: [execution(COMPLETED)],
    payments: [payment('unknown')],
    wallet: null,
  },
};
