import { WEBHOOK_HEADERS, walletEvent } from '../contract/webhooks.ts';
import { described } from './described.ts';
import { schemaOf } from './schemas.ts';

/** The meaning of an event (Partner API v2.3, "Event kinds"). */
const MEANS = {
  'customer.level.updated':
    'The level of an account was changed. No operation hangs on it: `OperationId` is 0.',
  'cashin.card.authorized': 'A cash-in by card was accepted, after 3D Secure.',
  'payment.card.authorized': 'A card payment was accepted.',
  'payment.received': 'A merchant received a payment.',
  'payment.confirmed': 'A bill payment is confirmed (CONFIRME).',
  'payment.cancelled': 'A bill payment is cancelled (ANNULE).',
  'payment.refunded': 'A bill payment is refunded (REMBOURSE).',
  'payment.failed': 'A bill payment failed (FAILED).',
  'bank-transfer.initiated': 'A bank transfer was sent.',
  'bank-transfer.completed':
    'A bank transfer was settled, rejected or returned: `OperationStatus` says which.',
  'bank-transfer.received': 'A bank transfer was received.',
  'transfer.received': 'A transfer was received.',
  'cashin.network.executed': 'A cash-in by reference was executed.',
  'cashout.network.executed': 'A cash-out by reference was executed.',
} as const satisfies Record<(typeof walletEvent.options)[number]['shape']['EventId']['value'], string>;

export const EVENTS = walletEvent.options.map((event) => {
  const kind = event.shape.EventId.value;
  return { kind, means: MEANS[kind], schema: described('WebhookEvent', schemaOf(event)) };
});

/** As OpenAPI 3.1 would write its webhooks. 3.0 has no place for them, so they are an extension. */
export const WEBHOOK_HOOKS = Object.fromEntries(
  EVENTS.map(({ kind, means, schema }) => [
    kind,
    {
      post: {
        operationId: kind,
        summary: means,
        parameters: Object.values(WEBHOOK_HEADERS).map((name) => ({
          in: 'header',
          name,
          required: true,
          schema: { type: 'string' },
        })),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', required: ['data'], properties: { data: schema } },
            },
          },
        },
        responses: { 200: { description: 'Received, within 5 seconds, with an empty body.' } },
      },
    },
  ]),
);
