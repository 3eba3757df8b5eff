import type { Conversations } from '../../src/conversation/incoming.ts';

/** The engine that runs at the time of each call, whichever process it is in, but for what a test does in its place. */
export function engineNow(engine: () => Conversations, instead: Partial<Conversations>): Conversations {
  return new Proxy(instead, {
    get: (own, name) =>
      Reflect.get(own, name) ?? ((...given: unknown[]) => Reflect.get(engine(), name)(...given)),
  }) as Conversations;
}
