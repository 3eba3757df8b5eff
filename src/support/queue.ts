import type { Desk, HelpRequest } from '../conversation/desk/desk.ts';
import type { Intent } from '../conversation/intents/intent.ts';
import type { Centimes } from '../wallet/money.ts';
import type { Msisdn } from '../wallet/phone.ts';
import { createFresh, type Fresh } from './fresh.ts';

/** How old what everybody sees of the queue may be: it is read once for all agents of this process. */
const FRESH_MS = 2_000;
/** The number of each kind that is shown. The rest is counted. */
export const QUEUE_MAX = 50;

/** A webhook that nothing could be made of, or that could not be applied yet. */
export interface StuckWebhook {
  readonly id: string;
  /** When it arrived, in ms since 1970. */
  readonly since: number;
  readonly tries: number;
  readonly state: string;
  /** Its own claims about its subject: the kind of event, the wallet's operation, the request that it answers. */
  readonly event?: string;
  readonly operationId?: number;
  readonly requestId?: string;
}

/** The content of one, as it came. Nothing of it is known to be true. */
export interface WebhookContent {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly raw?: string;
  readonly wallet?: Msisdn;
  readonly amount?: Centimes;
  readonly operationId?: number;
}

/** The acts of an agent on webhooks, given by `main`, as the console opens no door to them. */
export interface StuckWebhooks {
  stuck(): Promise<readonly StuckWebhook[]>;
  find(id: string): Promise<StuckWebhook | undefined>;
  content(id: string): Promise<WebhookContent | undefined>;
  retry(id: string): Promise<unknown>;
  close(id: string): Promise<unknown>;
}

/** The payments and requests that wait for an agent, the longest waiting first. */
export interface Queue {
  readonly payments: readonly Intent[];
  readonly help: readonly HelpRequest[];
  readonly webhooks: readonly StuckWebhook[];
}

/** Reads the queue, seldom enough that a hundred agents cost no more than one. */
type QueueReader = Fresh<Queue>;

export function createQueue(
  desk: Pick<Desk, 'unsettled' | 'helpRequests'>,
  webhooks: StuckWebhooks,
  now: () => number,
): QueueReader {
  return createFresh(
    async () => {
      const [payments, help, stuck] = await Promise.all([
        desk.unsettled(),
        desk.helpRequests(),
        webhooks.stuck(),
      ]);
      return { payments, help, webhooks: stuck };
    },
    FRESH_MS,
    now,
  );
}
