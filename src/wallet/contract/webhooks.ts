import { z } from 'zod';
import { dateTime, decimal, method, operationStatus, operationType } from './fields.ts';
import { ifAny } from './shown.ts';

/** Partner API v2.3, "Events / Common properties". Optional fields may also come as null. */
const common = {
  WebhookId: z.string().min(1),
  CRequestId: z.string(),
  /** 0 when no operation was created. */
  OperationId: z.int().min(0),
  TransactionId: ifAny(z.int().nullable().optional()),
  OperationType: operationType,
  OperationStatus: operationStatus,
  CreatedAt: dateTime,
  ExecutedAt: dateTime,
  Amount: decimal,
  FeeAmount: decimal,
  /** The sender. */
  PrimaryAccountNumber: z.string(),
  /** The recipient. */
  SecondaryAccountNumber: ifAny(z.string().nullable().optional()),
  /** Card, Agent or Network. v2.3 shows no other words. */
  Method: ifAny(method.nullable().optional()),
};
const card = {
  CustomData: ifAny(z.string().max(128).nullable().optional()),
  GatewayTrackId: ifAny(z.string().nullable().optional()),
  GatewayOrderId: ifAny(z.string().nullable().optional()),
  GatewayReferenceId: ifAny(z.string().nullable().optional()),
};
const bankTransfer = { BankTransferBeneficiaryName: ifAny(z.string().nullable().optional()) };
const network = {
  NetworkName: ifAny(z.string().nullable().optional()),
  Reference: ifAny(z.string().nullable().optional()),
};

function event<Kind extends string, More extends z.ZodRawShape>(kind: Kind, more: More) {
  return z.object({ EventId: z.literal(kind), ...common, ...more });
}

/** Partner API v2.3, "Event kinds". Wasl drops fields that v2.3 does not show, and does not refuse the event. */
export const walletEvent = z.discriminatedUnion('EventId', [
  /** A level has no operation, so type and status have no documented meaning here. */
  event('customer.level.updated', {}).extend({ OperationType: z.int(), OperationStatus: z.int() }),
  event('cashin.card.authorized', card),
  event('payment.card.authorized', card),
  event('payment.received', {}),
  event('payment.confirmed', {}),
  event('payment.cancelled', {}),
  event('payment.refunded', {}),
  event('payment.failed', {}),
  event('bank-transfer.initiated', bankTransfer),
  event('bank-transfer.completed', bankTransfer),
  event('bank-transfer.received', bankTransfer),
  event('transfer.received', {}),
  event('cashin.network.executed', network),
  event('cashout.network.executed', network),
]);
export type WebhookEvent = z.output<typeof walletEvent>;
export type EventKind = WebhookEvent['EventId'];

/** The body of a webhook, in its envelope. */
export const webhookBody = z.object({ data: walletEvent });

/** Partner API v2.3, "Events": the headers other than Content-Type and User-Agent. */
export const WEBHOOK_HEADERS = { id: 'C-Webhook-Id', key: 'X-Api-Key' } as const;
