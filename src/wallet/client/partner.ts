import { API, type Api, type ApiName } from '../contract/api.ts';
import type { Data, Endpoint } from '../contract/endpoint.ts';
import type { EventKind } from '../contract/webhooks.ts';
import type { Call } from '../wallet.ts';
import type { WalletOptions } from './call.ts';
import { createAsk, type Listing } from './exchange.ts';
import { RESOURCES } from './resources.ts';
import { readWebhook, testWebhook, type Webhook, type WebhookReading } from './webhooks.ts';

export { ListError, type PartnerAnswer } from './exchange.ts';

/** How a client is made. The packed types say what each option does (`published/public/client-head.d.ts`). */
export type PartnerClientOptions = Pick<
  WalletOptions,
  'url' | 'apiKey' | 'timeoutMs' | 'fetch' | 'breaker'
> & {
  readonly webhookSecret?: string | readonly string[] | undefined;
};

type Fields = Readonly<Record<string, unknown>>;
type Method<Name extends ApiName> = (fields?: Fields, call?: Call) => Listing<Data<Api[Name]>>;
type Resources = typeof RESOURCES;

/**
 * Every operation of the Partner API v2.3, by resource. Amounts are decimal dirhams, as on the wire. A
 * refusal or an unknown result is an answer too: only a bug throws. Partners get exact types (`published/client-types.ts`).
 */
export type PartnerClient = {
  readonly [R in keyof Resources]: {
    readonly [M in keyof Resources[R]]: Resources[R][M] extends ApiName ? Method<Resources[R][M]> : never;
  };
} & {
  readonly webhooks: {
    read(webhook: Webhook): WebhookReading;
    testEvent(
      kind: EventKind,
      properties?: Parameters<typeof testWebhook>[2],
    ): ReturnType<typeof testWebhook>;
  };
};

/**
 * A client for the whole Partner API. Each call is sent once, at most: no retry and no redirect, because nobody can tell
 * whether money that was asked for twice is paid twice. Its time is limited (`timeoutMs`, 10 seconds).
 */
export function createPartnerClient(options: PartnerClientOptions): PartnerClient {
  const { webhookSecret = [] } = options;
  const ask = createAsk(onServer(options));
  const resources = Object.entries(RESOURCES).map(([resource, methods]) => [
    resource,
    Object.fromEntries(
      Object.entries(methods).map(([method, name]) => [
        method,
        (fields?: Fields, call?: Call) => ask(API[name as ApiName] as Endpoint, fields, call),
      ]),
    ),
  ]);
  const secret = [webhookSecret].flat()[0] ?? '';
  return Object.assign(Object.fromEntries(resources), {
    webhooks: {
      read: (webhook: Webhook) => readWebhook(webhook, webhookSecret),
      testEvent: (kind: EventKind, properties?: Parameters<typeof testWebhook>[2]) =>
        testWebhook(kind, secret, properties),
    },
  });
}

/** The options of a client that runs where a key can be kept secret. */
function onServer({ url, apiKey, timeoutMs, fetch, breaker = false }: PartnerClientOptions): WalletOptions {
  if ('document' in globalThis && 'window' in globalThis)
    throw new Error('The API key is a secret. Call the wallet from a server, not from a browser.');
  return { url, apiKey, breaker, ...(timeoutMs && { timeoutMs }), ...(fetch && { fetch }) };
}
