import type { z } from 'zod';
import type { Answer } from '../answer.ts';
import { API, type Api, type ApiName } from '../contract/api.ts';
import type { Data, Endpoint } from '../contract/endpoint.ts';
import type { EventKind } from '../contract/webhooks.ts';
import type { Call } from '../wallet.ts';
import { createCaller, type WalletOptions } from './call.ts';
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
 * Every operation of the Partner API v2.3 by the thing that it is about. Amounts are decimal dirhams, as on the wire. A
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

/** A part of a request: left out where it has no fields, optional where none of them is required. */
type Part<Name extends string, Fields> = string extends keyof Fields
  ? unknown
  : Partial<Fields> extends Fields
    ? { readonly [N in Name]?: Fields }
    : { readonly [N in Name]: Fields };

/** Path parameters, query and body of an operation, by the names of v2.3. */
type RequestOf<E extends Endpoint> = Part<'params', z.input<E['params']>> &
  Part<'query', z.input<E['query']>> &
  Part<'body', z.input<E['body']>>;

type Arguments<E extends Endpoint> =
  Partial<RequestOf<E>> extends RequestOf<E>
    ? [request?: RequestOf<E>, call?: Call]
    : [request: RequestOf<E>, call?: Call];

/** Every operation by its own name, with the parts of its request apart. For tools and tests of this project. */
export type Operations = {
  readonly [Name in ApiName]: (...args: Arguments<Api[Name]>) => Promise<Answer<Data<Api[Name]>>>;
};

/** Makes the calls of every operation. Their answers are read as the contract reads them. */
export function createOperations(options: PartnerClientOptions): Operations {
  const send = createCaller(onServer(options));
  const calls = Object.entries(API).map(([name, endpoint]) => [
    name,
    (request = {}, call?: Call) => send(endpoint as Endpoint, request, call),
  ]);
  return Object.fromEntries(calls);
}
