import { CHANNEL_NAMES, type ChannelName } from '../conversation/channel.ts';
import { PAYMENT_KINDS, type PaymentKind } from '../payments/payments.ts';
import { count, list } from './list.ts';

const SMS_TOPICS = ['outcome', 'received', 'debit'] as const;
/** As it always was: what happened to a customer's own payment, and money that came. */
const USUAL_TOPICS = ['outcome', 'received'] as const;

const isTopic = (word: string) => SMS_TOPICS.some((topic) => topic === word);

/** `ussd` or `telegram:transfer`: receipts of all payments of a channel, or of one kind. */
function isReceipt(word: string): boolean {
  const [channel, kind, ...more] = word.split(':');
  const isKind = kind === undefined || PAYMENT_KINDS.some((each) => each === kind);
  return CHANNEL_NAMES.some((name) => name === channel) && isKind && more.length === 0;
}

export const messageSettings = {
  SMS_FOR: list
    .refine((all) => all.join() === 'none' || all.every(isTopic), {
      error: `must be a list of ${SMS_TOPICS.join(', ')}, or none`,
    })
    .transform((all): readonly (typeof SMS_TOPICS)[number][] => {
      if (all.length === 0) return USUAL_TOPICS;
      return SMS_TOPICS.filter((topic) => all.includes(topic));
    }),
  SMS_RECEIPTS: list
    .refine((all) => all.every(isReceipt), {
      error: `must be channels (${CHANNEL_NAMES.join(', ')}), or kinds of payments there such as ussd:transfer or ussd:bill-payment`,
    })
    .transform((all) => all as readonly (ChannelName | `${ChannelName}:${PaymentKind}`)[]),
  SMS_MESSAGES_PER_DAY_MAX: count.optional(),
};
