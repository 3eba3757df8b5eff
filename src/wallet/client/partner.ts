import type { z } from 'zod';
import type { Answer } from '../answer.ts';
import { API, type Api } from '../contract/api.ts';
import type { Data, Endpoint } from '../contract/endpoint.ts';
import type { Call } from '../wallet.ts';
import { createCaller, type WalletOptions } from './call.ts';

export type { Answer } from '../answer.ts';
export { API, type Api, type ApiName } from '../contract/api.ts';
export { type ApiError, ERRORS, type ErrorCode } from '../contract/errors.ts';
export { OPERATION_TYPES, STATUSES } from '../contract/fields.ts';
export { type EventKind, type WalletEvent, WEBHOOK_HEADERS, webhookBody } from '../contract/webhooks.ts';
export type { Call } from '../wallet.ts';
export { type EventOf, readWebhook, testWebhook, type Webhook, type WebhookReading } from './webhooks.ts';

/** How a client is made. */
export type PartnerOptions = Pick<WalletOptions, 'url' | 'apiKey' | 'timeoutMs' | 'fetch'> & {
  /**
   * True: once most of the last calls have got no answer, further ones are not sent for a moment. They are `unsent`, with
   * `circuitOpen` as the reason. Off by default.
   */
  readonly breaker?: boolean | undefined;
};

/** A part of a request: left out where it has no fields, optional where none of them is required. */
type Part<Name extends string, Fields> = string extends keyof Fields
  ? unknown
  : Partial<Fields> extends Fields
    ? { readonly [N in Name]?: Fields }
    : { readonly [N in Name]: Fields };

/** The input that a partner gives for an operation: path parameters, query and body, by the names of v2.3. */
export type RequestOf<E extends Endpoint> = Part<'params', z.input<E['params']>> &
  Part<'query', z.input<E['query']>> &
  Part<'body', z.input<E['body']>>;

type Arguments<E extends Endpoint> =
  Partial<RequestOf<E>> extends RequestOf<E>
    ? [request?: RequestOf<E>, call?: Call]
    : [request: RequestOf<E>, call?: Call];

/**
 * Every operation of the Partner API v2.3 by its name. Amounts are decimal dirhams, as on the wire. A refusal or an
 * unknown result is an answer too (`Answer`): only a bug throws.
 */
export type PartnerClient = {
  readonly [Name in keyof Api]: (...args: Arguments<Api[Name]>) => Promise<Answer<Data<Api[Name]>>>;
};

/**
 * A client for the whole Partner API. Each call is sent once, at most: no retry and no redirect, because nobody can tell
 * whether money that was asked for twice is paid twice. Its time is limited (`timeoutMs`, 10 seconds).
 *
 * ```ts
 * const partner = createPartnerClient({ url: 'https://wallet.example', apiKey });
 * const answer = await partner.customerBalance({ query: { phoneNumber: '+212600000001' } });
 * if (answer.kind === 'ok') console.log(answer.value.balance);
 * ```
 */
export function createPartnerClient(options: PartnerOptions): PartnerClient {
  if ('document' in globalThis && 'window' in globalThis)
    throw new Error('The API key is a secret. Call the wallet from a server, not from a browser.');
  const send = createCaller({ ...options, breaker: options.breaker ?? false });
  const calls = Object.entries(API).map(([name, endpoint]) => [
    name,
    (request = {}, call?: Call) => send(endpoint as Endpoint, request, call),
  ]);
  return Object.fromEntries(calls);
}
