import type { z } from 'zod';
import type { cardBody, cardPaymentResult } from '../../wallet/contract/card-cash-in.ts';
import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import { type Centimes, centimes, toDecimal } from '../../wallet/money.ts';
import type { Core, Request } from '../core/core.ts';
import { type Refusal, refusal, refuse } from '../core/refusal.ts';
import { customerById } from '../customers/customer.ts';
import { struckColumn } from '../faults/faults.ts';
import { amountOf } from '../ledger/amounts.ts';
import { exceedsLimit } from '../ledger/balance-limit.ts';
import { executeOperation } from '../operations/operation.ts';
import { expectNotification, sendNotification } from './notification.ts';
import type { Payee } from './payees.ts';
import { type CardPayment, THREE_DS_TRIES_MAX } from './payment.ts';
import { percentAlone } from './preview.ts';
import { findSavedCard, saveCard } from './saved-cards.ts';
import {
  type Card,
  hasExpired,
  maskedPan,
  RESPONSE_CODES,
  type Reason,
  readCard,
  verdictOn,
} from './test-cards.ts';

const GATEWAY_NAME = 'Wasl Sandbox Gateway';

type Body = z.output<typeof cardBody>;
/** The request for a payment, without the card itself. */
type Wish = Pick<Body, 'amount'> & Partial<Omit<Body, 'amount' | 'pan' | 'expiryDate' | 'cvv'>>;
type Asked = Pick<Request, 'requestId' | 'struck' | 'origin'>;
type Result = z.input<typeof cardPaymentResult>;

/**
 * Takes money from a card for a wallet, a merchant or an agent, after 3D Secure where it is asked for. On the ledger cards are
 * the account `gateway`. An authorisation that is not captured is an open operation, so what it holds is in transit. Number,
 * expiry and CVV are read here and nowhere else, and not kept.
 */
export function payByCard(core: Core, asked: Asked, payee: Payee, body: Body): Result | Refusal {
  const card = readCard(body.pan, body.expiryDate, core.clock.now());
  return pay(core, asked, payee, card, body.cvv, body);
}

/** Not shown in v2.3: whether a saved card goes through 3D Secure. Here it does (open question 52). */
export function payBySavedCard(
  core: Core,
  asked: Asked,
  payee: Payee,
  cardId: number,
  body: { readonly Cvv: string; readonly Amount: number },
): Result | Refusal {
  const card = findSavedCard(core, payee.account, cardId);
  if (hasExpired(card.expiryDate, core.clock.now())) refuse('cardExpired');
  // It was let in when it was saved.
  const asks3ds = core.settings.savedCards === 'secured';
  const wish = { amount: body.Amount, allowInternationalCards: true, '3dSecure': asks3ds };
  return pay(core, asked, payee, card, body.Cvv, wish);
}

/** A payment that its issuer declines is kept and notified, so its refusal is returned. */
function pay(core: Core, asked: Asked, payee: Payee, card: Card, cvv: string, wish: Wish): Result | Refusal {
  const { settings } = core;
  const amount = receivableAmount(core, payee, wish.amount);
  const isInternational = card.kind === 'international';
  if (isInternational && !(wish.allowInternationalCards ?? settings.internationalCards === 'accepted'))
    refuse('cardInternational');
  const abroad = isInternational ? wish.internationalFeesPercent : undefined;
  const fees = centimes(Math.round((amount * (abroad ?? wish.feesPercent ?? percentAlone(core))) / 100));
  const begun = begin(core, asked, payee, card, { amount, fees, verdict: verdictOn(card, cvv) }, wish);
  const payment = wish['3dSecure'] === false ? finishPayment(core, begun, begun.verdict) : begun;
  const { purpose, reason } = payment;
  // A cash-in has no response code that could say so.
  const isRefused = purpose === 'cash-in' || settings.refusedCard === 'refused';
  if (isRefused && reason !== null && reason !== 'SUCCESS') return refusal('cardRefused', { detail: reason });
  return paymentResult(payment, asked.origin);
}

function begin(
  core: Core,
  asked: Asked,
  payee: Payee,
  { last4, scheme, issuer, kind, expiryDate }: Card,
  priced: Pick<CardPayment, 'amount' | 'fees' | 'verdict'>,
  wish: Wish,
): CardPayment {
  const { db, clock, random, settings, partner } = core;
  const captures = wish.autoCapture ?? settings.autoCapture === 'captured';
  const row = {
    ...payee,
    ...{ last4, scheme, issuer, kind, expiryDate },
    ...priced,
    saveAs: wish.keepAlive ? (wish.cardName ?? '') : null,
    // Money for a wallet is never only authorised: there is no call that would capture it.
    holds: payee.purpose === 'payment' && !captures ? (1 as const) : (0 as const),
    acceptUrl: wish.acceptUrl ?? null,
    declineUrl: wish.declineUrl ?? null,
    externalReference: wish.externalReference ?? null,
    requestId: asked.requestId,
    faults: JSON.stringify(asked.struck),
    expiresAt: clock.now() + settings.threeDsValidMs,
    triesLeft: THREE_DS_TRIES_MAX,
  };
  const id = db.insert('cardPayments', row);
  const ids = {
    // The payer's browser has no key: the address says whose page it is.
    token: `${partner === 1 ? '' : `${partner}.`}${random.uuid('3d secure', id)}`,
    orderId: random.reference(id, 'card order'),
    trackId: random.uuid('card payment', id),
    referenceId: random.reference(id, 'card reference'),
  };
  db.update('cardPayments', id, ids);
  const payment = { ...row, ...ids, id, notification: null, reason: null, operation: null };
  return wish.notificationUrl ? expectNotification(core, payment, wish.notificationUrl) : payment;
}

/** Ends a payment that waits: the card is charged if all went well, saved if that was asked for, and the end is notified. */
export function finishPayment(core: Core, payment: CardPayment, answered: Reason): CardPayment {
  const { id, account, saveAs } = payment;
  // Minutes may have passed since it was begun.
  const isFull = answered === 'SUCCESS' && !mayReceive(core, payment, payment.amount);
  const reason = isFull ? 'LIMIT_EXCEEDED' : answered;
  const operation = reason === 'SUCCESS' ? charge(core, payment) : null;
  if (operation !== null && saveAs !== null) saveCard(core, account, payment, saveAs);
  core.db.update('cardPayments', id, { reason, operation });
  sendNotification(core, payment, reason, operation);
  return { ...payment, reason, operation };
}

/** Takes money from the card, for good or held. Gives the id of the operation. */
function charge(core: Core, payment: CardPayment): number {
  const { tenant, purpose, customer, account, receiver, holds } = payment;
  const { settings } = core;
  const { webhookEarly: _settlesAtOnce, ...struck } = struckColumn.read(payment.faults);
  const operation = executeOperation(
    core,
    { tenant: { id: tenant }, requestId: payment.requestId, struck },
    {
      type: purpose === 'cash-in' ? OPERATION_TYPES.CASHIN : OPERATION_TYPES.CARD_PAYMENT,
      amount: payment.amount,
      fees: payment.fees,
      reason: payment.externalReference ?? '',
      payer: core.ledger.own(tenant, 'gateway'),
      sender: settings.cardSender === 'masked' ? maskedPan(payment.last4) : '',
      payee: customer === null ? account : null,
      receiverId: customer,
      receiver,
      method: 'Card',
      told: JSON.stringify({
        // A card has no number that could be the sender's (open question 53).
        PrimaryAccountNumber: receiver,
        SecondaryAccountNumber: null,
        CustomData: settings.customData === 'sent' ? payment.externalReference : payment.requestId,
        GatewayTrackId: payment.trackId,
        GatewayOrderId: payment.orderId,
        GatewayReferenceId: payment.referenceId,
      }),
      settlesAs: holds ? STATUSES.CANCELED : STATUSES.COMPLETED,
    },
    holds ? settings.authorizationValidMs : 0,
  );
  return operation.id;
}

/** The amount that a payee may be given. Refused where it is no amount, or nobody's card could pay it. */
export function receivableAmount(core: Core, payee: Payee, dirhams: number): Centimes {
  const amount = amountOf(dirhams);
  return mayReceive(core, payee, amount) ? amount : refuse('recipientLimit');
}

/** False for a wallet that was closed, or would hold more than its level allows. */
function mayReceive(core: Core, { customer: id }: Pick<Payee, 'customer'>, amount: Centimes): boolean {
  const customer = customerById(core, id);
  if (!customer) return true;
  return customer.status !== 0 && !exceedsLimit(core, customer, amount);
}

/** Partner API v2.3, "Card payment result". */
function paymentResult(payment: CardPayment, origin: string): Result {
  const { purpose, reason, acceptUrl, declineUrl } = payment;
  const redirect = reason === null;
  return {
    redirect,
    responseCode: purpose === 'payment' && reason ? RESPONSE_CODES[reason] : null,
    amount: toDecimal(payment.amount),
    transactionTrackId: payment.trackId,
    orderId: payment.orderId,
    transactionReferenceId: payment.referenceId,
    redirectionURL: redirect ? `${origin}/3ds/${payment.token}` : null,
    acceptURL: acceptUrl,
    declineURL: declineUrl,
    gateway: GATEWAY_NAME,
    operationId: payment.operation,
    feesAmount: toDecimal(payment.fees),
  };
}
