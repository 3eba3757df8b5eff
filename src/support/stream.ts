import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';

/** How many pages one process keeps up to date, and how many of them for one agent. */
const STREAMS_MAX = 2_000;
const STREAMS_MAX_PER_AGENT = 30;
/** How often a stream says that it is alive, and asks whether its agent still is. */
const HEARTBEAT_MS = 15_000;
/** How soon a browser comes back after a lost connection. */
const RETRY_MS = 1_500;

/** Pieces of a page by the name of the event that brings them. */
export type Fragments = Readonly<Record<string, string>>;

export interface Source {
  readonly agent: string;
  /** The pieces as they are now. */
  render(): Promise<Fragments>;
  /** Says when to render again, until the function that it gives is called. */
  follow(changed: () => void): () => void;
  /** What comes faster than this is rendered once. */
  readonly gapMs: number;
  /** Rendered anyway after so long: what is seen may depend on time alone. */
  readonly everyMs: number;
  /** False once the agent has signed out, or was shut out. */
  isStillIn(): Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

export interface Streams {
  open(c: Context, source: Source): Response;
  /** Ends every stream, so that the server can stop. */
  close(): void;
}

/** Pages that stay as they are: server-sent events, one for each piece that has changed since it was last sent. */
export function createStreams(): Streams {
  const open = new Map<() => void, string>();
  return {
    open(c, source) {
      const ofAgent = [...open].filter(([, agent]) => agent === source.agent);
      if (ofAgent.length >= STREAMS_MAX_PER_AGENT) ofAgent[0]?.[0]();
      if (open.size >= STREAMS_MAX) return c.text('too many open pages\n', 503);
      return streamSSE(c, async (stream) => {
        const news = createNews();
        const end = () => {
          stream.abort();
          news.tell();
        };
        open.set(end, source.agent);
        stream.onAbort(news.tell);
        const stop = source.follow(news.tell);
        try {
          await keepUp(stream, source, news);
        } catch (error) {
          // The browser comes back, and sees everything anew.
          if (!stream.aborted) source.onError(error);
        } finally {
          stop();
          open.delete(end);
        }
      });
    },
    close() {
      for (const end of [...open.keys()]) end();
    },
  };
}

/** Sends what has changed, for as long as the agent is there and may see it. */
async function keepUp(stream: SSEStreamingApi, source: Source, news: News): Promise<void> {
  const sent = new Map<string, string>();
  let askedAt = performance.now();
  await stream.writeSSE({ event: 'open', data: '', retry: RETRY_MS });
  while (!stream.aborted) {
    news.taken();
    for (const [event, data] of Object.entries(await source.render())) {
      if (sent.get(event) === data) continue;
      sent.set(event, data);
      await stream.writeSSE({ event, data });
    }
    await stream.sleep(source.gapMs);
    await news.orAfter(source.everyMs);
    if (performance.now() - askedAt < HEARTBEAT_MS) continue;
    askedAt = performance.now();
    if (!(await source.isStillIn())) return;
    await stream.write(':\n\n');
  }
}

type News = ReturnType<typeof createNews>;

/** Says that there is something new, once, to the one who waits for it or will. */
function createNews() {
  let isThere = true;
  let wake = () => {};
  return {
    tell() {
      isThere = true;
      wake();
    },
    taken() {
      isThere = false;
    },
    /** Done as soon as there is something new, or after so long. */
    orAfter: (ms: number) =>
      new Promise<void>((resolve) => {
        if (isThere) return resolve();
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}
