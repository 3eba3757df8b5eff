import { z } from 'zod';
import { codec, textOf } from '../store/codec.ts';
import { type Address, type ChannelName, channelOf } from './channel.ts';
import { createInbox, type Inbox, type InboxDeps, KEPT_MS, type Queue } from './inbox.ts';
import type { Secrets } from './secrets.ts';

/** A piece that fails so often is given up: about a day. Nothing behind it in the chat is worked before. */
const TRIES_MAX = 290;

/** Works one message or press of a person. It rejects where nothing could be kept, and is then tried again. */
type WorkPiece = (from: Address, body: string) => Promise<void>;

/** Messages of customers that providers post to us, in one queue for each person. */
export interface ProviderInbox extends Omit<Inbox, 'change'> {
  works(channel: ChannelName, work: WorkPiece): void;
}

/** An id is stored as a digest: those of some providers contain a number. */
const queueCodec = codec<Queue>(
  'provider',
  z.object({
    waiting: z.array(
      z.object({ id: z.string(), order: z.number(), sealed: textOf<ReturnType<Secrets['seal']>>() }),
    ),
    done: z.array(z.string()),
    orders: z.array(z.number()),
    before: z.number().exactOptional(),
    tries: z.number().exactOptional(),
  }),
);

export function createProviderInbox(deps: InboxDeps): ProviderInbox {
  const channels = new Map<ChannelName, WorkPiece>();
  const inbox = createInbox(deps, {
    prefix: 'provider',
    form: queueCodec,
    async work(from, body) {
      // Sealed under a key that is gone: nobody can ever read it.
      if (body !== undefined) await channels.get(channelOf(from as Address))?.(from as Address, body);
      return 'done';
    },
    laterMs: [],
    gaveUp: ({ tries = 0 }) => (tries >= TRIES_MAX ? 'done' : undefined),
    keepUntil: (_, now) => now + KEPT_MS,
    failed: 'A message of a provider could not be worked',
  });
  return {
    ...inbox,
    works: (channel, work) => void channels.set(channel, work),
    // A process without this channel leaves its pieces to the others.
    async process(from) {
      if (channels.has(channelOf(from as Address))) await inbox.process(from);
    },
    save: (from, pieces) =>
      inbox.save(
        from,
        pieces.map((piece) => ({ ...piece, id: deps.secrets.digest(`provider:${from} ${piece.id}`) })),
      ),
  };
}
