import { type Intent, intentCodec } from '../../../src/conversation/intents/intent.ts';
import { newRef } from '../../../src/conversation/record/ref.ts';
import { createSecrets } from '../../../src/conversation/secrets.ts';
import type { Quote } from '../../../src/payments/quote.ts';
import type { TransferOrder } from '../../../src/payments/transfer.ts';
import { partitionOf } from '../../../src/store/partition.ts';
import { centimes } from '../../../src/wallet/money.ts';
import { msisdn } from '../../../src/wallet/phone.ts';
import type { Operation } from '../../../src/wallet/wallet.ts';

export const SENT_AT = Date.UTC(2026, 10, 2, 10, 42);
export const FATIMA = msisdn('0612345678');
export const YOUSSEF = msisdn('0698765432');
export const PARTITION = partitionOf(FATIMA);
export const SECRETS = createSecrets('a secrets key of the tests, 32 characters');

export const ORDER: TransferOrder = { kind: 'transfer', from: FATIMA, to: YOUSSEF, amount: centimes(20_000) };
export const QUOTE: Quote = {
  fees: centimes(200),
  total: centimes(20_200),
  openLoop: false,
  at: SENT_AT - 20_000,
  alike: [],
};

/** A transfer of 200 DH from Fatima to Youssef, just sent. A deviating field is the conclusion of an earlier version. */
export function intent(more: Partial<Intent> = {}): Intent {
  const stored: Intent = {
    id: newRef(PARTITION, SECRETS),
    wallet: FATIMA,
    address: `ussd:${FATIMA}`,
    order: ORDER,
    quote: QUOTE,
    state: 'sent',
    sentAt: SENT_AT,
    before: [],
    evidence: [],
    audit: [[SENT_AT, 'sent', { kind: 'confirmed' }]],
    ...more,
  };
  return intentCodec.parse('intent:sample', JSON.stringify(stored));
}

/** The operation that it becomes. */
export function operation(more: Partial<Operation> = {}): Operation {
  return {
    id: 7,
    type: 3,
    status: 2,
    direction: 2,
    amount: ORDER.amount,
    fees: QUOTE.fees,
    total: QUOTE.total,
    at: SENT_AT + 400,
    sender: FATIMA,
    receiver: YOUSSEF,
    ...more,
  };
}
