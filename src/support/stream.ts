import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { createOpenStreams, createSignal, keepOpen, type Signal } from '../http/event-streams.ts';
import type { Guarded, Who } from './access/guard.ts';

/** How many pages one process keeps up to date, and how many of them for one agent. */
const STREAMS_MAX = 2_000;
const STREAMS_MAX_PER_AGENT = 30;

/** Pieces of a page by the name of the event that brings them. */
export type Fragments = Readonly<Record<string, string>>;

interface Source {
  render(): Promise<Fragments>;
  /** Says when to render again, until the function that it gives is called. */
  follow(changed: () => void): () => void;
  /** Changes that come faster than this are rendered once. */
  readonly gapMs: number;
  /** Rendered anyway after so long: some pieces depend on time alone. */
  readonly everyMs: number;
}

interface StreamsDeps {
  /** False once the agent has signed out, or was shut out: their pages are ended. */
  isStillIn(who: Who): Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

/** Pages that stay as they are: server-sent events, one for each piece that has changed since it was last sent. */
export function createStreams({ isStillIn, onError }: StreamsDeps) {
  const open = createOpenStreams<string, { readonly close: () => void }>({
    max: STREAMS_MAX,
    maxPerOwner: STREAMS_MAX_PER_AGENT,
  });
  return {
    /** A page of the agent who asks for it. */
    open(c: Context<Guarded>, source: Source): Response {
      const { who } = c.var;
      const signal = createSignal();
      let stream: SSEStreamingApi | undefined;
      const remove = open.add(who.id, {
        close: () => {
          stream?.abort();
          signal.tell();
        },
      });
      if (!remove) return c.text('too many open pages\n', 503);
      return streamSSE(c, async (opened) => {
        stream = opened;
        stream.onAbort(signal.tell);
        const stop = source.follow(signal.tell);
        try {
          await keepUp(stream, source, signal, () => isStillIn(who));
        } catch (error) {
          // The browser comes back, and sees everything anew.
          if (!stream.aborted) onError(error);
        } finally {
          stop();
          remove();
        }
      });
    },
    /** Ends every stream, so that the server can stop. */
    close: open.close,
  };
}

/** Sends the changed pieces, for as long as the agent is there and may see them. */
function keepUp(
  stream: SSEStreamingApi,
  source: Source,
  signal: Signal,
  isStillWanted: () => Promise<boolean>,
): Promise<void> {
  const sent = new Map<string, string>();
  return keepOpen(stream, {
    look: async () => {
      signal.taken();
      for (const [event, data] of Object.entries(await source.render())) {
        if (sent.get(event) === data) continue;
        sent.set(event, data);
        await stream.writeSSE({ event, data });
      }
    },
    wait: async () => {
      await stream.sleep(source.gapMs);
      await signal.orAfter(source.everyMs);
    },
    isStillWanted,
  });
}
