import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { Address, Conversations, Push } from '../../conversation/incoming.ts';
import { createSignal, keepOpen, type Signal } from '../../http/event-streams.ts';
import { type Log, thrown } from '../../log/thrown.ts';
import { browserLanguage } from './browser-language.ts';
import type { PageScreen } from './page-screen.ts';
import type { Streams } from './streams.ts';

/** An open chat looks for events that it was not told of this often, should the store's word have been lost … */
const LOOK_EVERY_MS = 60_000;
/** … and this long after a look that has failed, at the earliest. */
const LOOK_AGAIN_MS = 2_000;
/** How long at most it waits between two heartbeats. */
const WAIT_MS = 5_000;

interface EventsOptions {
  readonly conversations: Conversations;
  readonly streams: Streams;
  readonly show: (of: Push | Pick<Push, 'screen' | 'language'>) => Promise<PageScreen>;
  /** The network that a request comes from. Undefined where it is not known. */
  readonly networkOf: (c: Context) => string | undefined;
  readonly log: Log;
}

/**
 * An open chat: server-sent events, one for each thing Wasl says on its own, the waiting ones first. Each is sent once
 * to this stream and stays in the store until the page acknowledges it (`POST /seen`), so a lost event comes again.
 */
export async function events(c: Context, address: Address, options: EventsOptions): Promise<Response> {
  const { streams, networkOf } = options;
  const network = networkOf(c);
  const leave = network === undefined ? () => {} : streams.enter(network);
  if (!leave) return refused(c, options);
  return streamSSE(c, async (stream) => {
    stream.onAbort(leave);
    try {
      await follow(stream, address, options);
    } finally {
      leave();
    }
  });
}

/** The network has as many chats open as it may: said in a sentence, as a browser does not try such a stream again by itself. */
async function refused(c: Context, { show }: EventsOptions): Promise<Response> {
  const screen = { key: 'nav.tooManyOpen', expects: 'nothing' } as const;
  const { text, direction } = await show({ language: browserLanguage(c), screen });
  return c.json({ error: 'too many streams', says: { text, direction } }, 429);
}

async function follow(stream: SSEStreamingApi, address: Address, options: EventsOptions): Promise<void> {
  const { streams, show } = options;
  const sent = new Set<string>();
  let last: Promise<void> = Promise.resolve();
  // One after the other: an event with a picture to draw is not overtaken.
  const send = (push: Push): Promise<void> => {
    last = last.catch(() => {}).then(() => write(push));
    return last;
  };
  const write = async (push: Push) => {
    if (sent.has(push.id)) return;
    sent.add(push.id);
    const data = JSON.stringify({ id: push.id, ...(await show(push)) });
    await stream.writeSSE({ event: 'push', data });
  };
  const signal = createSignal();
  const remove = await streams.open(address, {
    push: (push) => void send(push).catch(() => stream.abort()),
    look: signal.tell,
    close: () => stream.abort(),
  });
  if (!remove) return;
  stream.onAbort(remove);
  stream.onAbort(signal.tell);
  try {
    await keepUp(stream, address, signal, send, options);
  } finally {
    remove();
  }
}

/** Sends what waits in the store: at once, whenever this chat is told that there is something, and now and then. */
async function keepUp(
  stream: SSEStreamingApi,
  address: Address,
  signal: Signal,
  send: (push: Push) => Promise<void>,
  { conversations, log }: EventsOptions,
): Promise<void> {
  let lookAt = 0;
  await keepOpen(stream, {
    look: async () => {
      if (!signal.taken() && performance.now() < lookAt) return;
      lookAt = performance.now() + LOOK_EVERY_MS * (0.5 + Math.random());
      try {
        for (const push of await conversations.waiting(address)) await send(push);
      } catch (error) {
        lookAt = performance.now() + LOOK_AGAIN_MS;
        log.say('An open chat could not look for messages', thrown(error));
      }
    },
    wait: () => signal.orAfter(WAIT_MS),
  });
}
