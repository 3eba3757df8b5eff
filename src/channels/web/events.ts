import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { Address, Conversations, Push } from '../../conversation/incoming.ts';
import { keepOpen } from '../../http/event-streams.ts';
import { type Log, thrown } from '../log.ts';
import { browserLanguage } from './browser-language.ts';
import type { Shown } from './shown.ts';
import type { Streams } from './streams.ts';

/** How often an open chat looks for what another process was given to deliver. */
const LOOK_MS = 2_000;

export interface EventsOptions {
  readonly conversations: Conversations;
  readonly streams: Streams;
  readonly show: (of: Push | Pick<Push, 'screen' | 'language'>) => Promise<Shown>;
  /** The network that a request comes from; undefined where it is not known. */
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

/** Writes what Wasl says to one stream, until it ends. */
async function follow(
  stream: SSEStreamingApi,
  address: Address,
  { conversations, streams, show, log }: EventsOptions,
): Promise<void> {
  const sent = new Set<string>();
  let last: Promise<void> = Promise.resolve();
  // One after the other: what has a picture to draw is not overtaken.
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
  const remove = streams.open(address, {
    push: (push) => void send(push).catch(() => stream.abort()),
    close: () => stream.abort(),
  });
  if (!remove) return;
  stream.onAbort(remove);
  await keepOpen(stream, {
    look: async () => {
      try {
        for (const push of await conversations.waiting(address)) await send(push);
      } catch (error) {
        log.error({ channel: 'web', ...thrown(error) }, 'could not look for waiting messages');
      }
    },
    wait: () => stream.sleep(LOOK_MS),
  });
}
