import { z } from 'zod';
import { correlationId } from '../../correlation.ts';
import { type Address, CHANNEL_NAMES } from '../channel.ts';
import { LANGUAGES } from '../incoming.ts';
import { languageOf } from './current-screen.ts';
import type { Outgoing } from './session.ts';
import type { LoadedSession } from './sessions.ts';

const DELIVERY_VERSION = 1;
export const DELIVERY_OUTCOMES = [
  'delivered',
  'accepted',
  'read',
  'held',
  'failed',
  'unknown',
  'gone',
  'given-up',
] as const;

/**
 * The outcome of a message that was no reply to an input. It is stored among the turn records, in the commit that takes
 * the message out of the outbox. It is no turn record itself, so readers of turns leave it out.
 */
const DELIVERY = z.object({
  v: z.literal(DELIVERY_VERSION),
  /** When, in ms since 1970. */
  at: z.number(),
  address: z.templateLiteral([z.enum(CHANNEL_NAMES), ':', z.string()]),
  wallet: z.string().exactOptional(),
  language: z.enum(LANGUAGES),
  event: z.object({
    kind: z.literal('delivery'),
    message: z.string(),
    /** The sentence, by its key. Its values are in the turn that has said it. */
    says: z.string(),
    /**
     * `accepted`: its provider has it. `held`: it waits for the customer to fetch it. `failed`: its provider could not
     * deliver it. `unknown`: the provider's answer was lost. `gone`: nobody is there any more. `given-up`: the channel
     * did not take it.
     */
    outcome: z.enum(DELIVERY_OUTCOMES),
    /** An SMS with it has gone out, also where it waits for the next dial. */
    by: z.literal('sms').exactOptional(),
    tries: z.number(),
    /** The payment that it is about, which is our id of its call (`C-Request-Id`), too. */
    intent: z.string().exactOptional(),
  }),
  /** How long it had waited for it, in ms: from the moment when it was to be delivered. */
  lagMs: z.number().exactOptional(),
  trace: z.string().exactOptional(),
});
export type DeliveryRecord = Readonly<z.infer<typeof DELIVERY>>;
export type DeliveryOutcome = DeliveryRecord['event']['outcome'];

interface Delivered {
  readonly outcome: DeliveryOutcome;
  readonly bySms?: true | undefined;
}

export function createDeliveryRecord(
  loaded: LoadedSession,
  { id, screen, intent, tries, tryAt, dueAt = tryAt }: Outgoing,
  { outcome, bySms }: Delivered,
  now: number,
): string {
  const { address, session } = loaded;
  const trace = correlationId();
  const record: DeliveryRecord = {
    v: DELIVERY_VERSION,
    at: now,
    address,
    ...(session.wallet && { wallet: session.wallet }),
    language: languageOf(loaded),
    event: {
      kind: 'delivery',
      message: id,
      says: screen.key,
      outcome,
      ...(bySms && { by: 'sms' as const }),
      tries: tries + 1,
      ...(intent && { intent }),
    },
    ...(dueAt !== undefined && { lagMs: Math.max(0, now - dueAt) }),
    ...(trace !== undefined && { trace }),
  };
  return JSON.stringify(record);
}

/** The record of a delivery. Undefined for any other record, and for a form that this release does not know. */
export function readDelivery(json: string): (DeliveryRecord & { readonly address: Address }) | undefined {
  if (!json.includes('"kind":"delivery"')) return undefined;
  try {
    return DELIVERY.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
