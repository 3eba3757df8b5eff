import { methodOf, orderValues } from '../../payments/payments.ts';
import type { Write } from '../../store/store.ts';
import { type Address, abilitiesOf, channelOf, ownAddress, ownWallet } from '../channel.ts';
import type { Topic } from '../incoming.ts';
import type { Served } from '../served.ts';
import { debitId, knowsDebit, receiptId } from '../session/next-link.ts';
import { leaving } from '../session/safety.ts';
import { enqueue, type Outgoing, type Session } from '../session/session.ts';
import { type LoadedSession, mayRead, type Sessions, sessionWrite } from '../session/sessions.ts';
import type { Intent } from './intent.ts';
import { outcomeMessage, referenceOf } from './notification.ts';

export interface ElsewhereDeps {
  readonly sessions: Sessions;
  readonly now: () => number;
  readonly served: Pick<Served, 'smsReceipts'>;
  /** True where the operator pays an SMS for such a message. */
  readonly pays: (topic: Topic) => boolean;
}

/**
 * The writes that tell the outcome of a payment at the wallet's other addresses, in the commit that learns it. Chats that the
 * customer has used since it was sent have named the payment above the menu, so they get the outcome. The others read that money
 * has left: the wallet's owner may be another person than the one who has paid. The number gets the receipt, and reads of
 * the money where no chat can say so. Empty while no outcome is known.
 * @param linked the chats that are linked to the wallet
 */
export async function elsewhereWrites(
  { sessions, now, served, pays }: ElsewhereDeps,
  intent: Intent,
  linked: readonly Address[] = [],
): Promise<Write[]> {
  const { wallet, address } = intent;
  const outcome = outcomeMessage(intent, now());
  if (!outcome || methodOf(intent.order).inBulk) return [];
  const isOther = (chat: Address) => chat !== address && abilitiesOf(chat).keepsShown;
  const chats = linked.filter(isOther);
  const found = chats.length > 0 ? await sessions.ofWallet(wallet, chats) : [];
  const others = found.filter((each) => mayRead(each, wallet, now()));
  const debit = debitMessage(intent, now());
  // Nothing can be shown at the number by itself, so a chat that reaches its customer says how the payment ended.
  const isNumber = ownWallet(address) !== undefined;
  const told = others.flatMap((loaded) => {
    const { session } = loaded;
    const isNext = isNumber && abilitiesOf(loaded.address).reachesAway;
    const isOpenThere =
      session.at >= intent.sentAt || (debit === undefined && knowsDebit(session, intent.id));
    const message = isNext || isOpenThere ? outcome : debit;
    return message ? [sessionWrite({ ...loaded, session: enqueue(session, message) })] : [];
  });
  const isReached = others.some((each) => abilitiesOf(each.address).reachesAway);
  const receipt = isNumber ? undefined : receiptMessage(intent, served, now());
  const toNumber = [
    ...(receipt ? [receipt] : []),
    ...(debit && pays('debit') && !isReached
      ? [{ ...debit, standsIn: true as const, spread: true as const }]
      : []),
  ];
  // The number's own payments are told in its own session, by the commit of that session.
  if (toNumber.length === 0 || isNumber) return told;
  const number = await sessions.load(ownAddress(wallet), now());
  return [...told, sessionWrite({ ...number, session: toNumber.reduce(enqueue, number.session) })];
}

/** The message that money has left the wallet, without the recipient's name. Undefined where none has. */
function debitMessage(intent: Intent, now: number): Outgoing | undefined {
  const { order, quote, state, sentAt, operationId } = intent;
  // A bill that was paid before succeeds without an operation of this payment: nothing was debited by it.
  if (
    state !== 'succeeded' ||
    operationId === undefined ||
    leaving(order) === undefined ||
    methodOf(order).ofAgent
  )
    return undefined;
  const values = {
    total: { money: quote.total },
    at: { date: sentAt },
    reference: { code: referenceOf(intent) },
  };
  const screen = { key: 'pay.debited', values, expects: 'nothing' } as const;
  return { id: debitId(intent.id), screen, money: true, topic: 'debit', tries: 0, tryAt: now };
}

/** The receipt of a payment by SMS, where the operator sends receipts of such payments. It says what the customer has read where they paid. */
export function receiptMessage(
  intent: Intent,
  { smsReceipts }: Pick<Served, 'smsReceipts'>,
  now: number,
): Outgoing | undefined {
  const { id, order, quote, state, sentAt, address, wallet, operationId } = intent;
  const channel = channelOf(address);
  const isWanted = smsReceipts.includes(channel) || smsReceipts.includes(`${channel}:${order.kind}`);
  const isPaid = state === 'succeeded' && operationId !== undefined && leaving(order) !== undefined;
  if (!isWanted || !isPaid || methodOf(order).inBulk) return undefined;
  const values = orderValues(order, quote);
  const screen = {
    key: 'pay.receipt',
    values: {
      ...{ fees: { money: quote.fees }, total: { money: quote.total }, at: { date: sentAt } },
      payment: { lines: [{ key: methodOf(order).said.called, values }] },
      reference: { code: referenceOf(intent) },
    },
    expects: 'nothing',
  } as const;
  // The wallet's own id of the payment is not part of it: a newer message about the payment does not take its place.
  const way = address === ownAddress(wallet) ? { spread: true as const } : {};
  return {
    ...{ id: receiptId(id), screen, money: true, topic: 'receipt', tries: 0, tryAt: now },
    ...{ standsIn: true, ...way },
  };
}

export function withReceipt(
  { address, session }: Pick<LoadedSession, 'address' | 'session'>,
  intent: Intent,
  served: Pick<Served, 'smsReceipts'>,
  now: number,
): Session {
  const receipt = address === ownAddress(intent.wallet) ? receiptMessage(intent, served, now) : undefined;
  return receipt ? enqueue(session, receipt) : session;
}
