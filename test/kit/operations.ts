import type { z } from 'zod';
import type { Answer } from '../../src/wallet/answer.ts';
import { createCaller, type WalletOptions } from '../../src/wallet/client/call.ts';
import { API, type Api, type ApiName } from '../../src/wallet/contract/api.ts';
import type { Data, Endpoint } from '../../src/wallet/contract/endpoint.ts';
import type { Call } from '../../src/wallet/wallet.ts';

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

/** Every operation by its own name, with the parts of its request apart. For tests. */
export type Operations = {
  readonly [Name in ApiName]: (...args: Arguments<Api[Name]>) => Promise<Answer<Data<Api[Name]>>>;
};

/** Makes the calls of every operation. Their answers are read as the contract reads them. */
export function createOperations(options: WalletOptions): Operations {
  const send = createCaller({ breaker: false, ...options });
  const calls = Object.entries(API).map(([name, endpoint]) => [
    name,
    (request = {}, call?: Call) => send(endpoint as Endpoint, request, call),
  ]);
  return Object.fromEntries(calls);
}
