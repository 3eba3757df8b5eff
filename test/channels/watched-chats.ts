import type { Address, Conversations, Deliver, Push, Reply } from '../../src/conversation/incoming.ts';
import { drawQr } from '../../src/wallet/qr/draw.ts';
import type { Way } from '../kit/customer.ts';
import { engineNow } from '../kit/engine-now.ts';

/** The chats of a service, as the engine knows them: what a chat shows is compared with it. */
export function watchChats() {
  /** The last screen and the unread messages of each conversation. */
  const replies = new Map<Address, Reply>();
  const pushes = new Map<Address, readonly Push[]>();
  /** How long the channel waits for a turn, and once a payment is being sent: as long as the test says, however slow the machine. */
  const patience: { ms: number; sendingMs?: number } = { ms: Number.POSITIVE_INFINITY };
  const unread = (address: Address) => pushes.get(address) ?? [];
  return {
    ...{ replies, pushes, patience },

    /** An engine of which it is seen what it replies. */
    watch: (engine: () => Conversations) =>
      engineNow(engine, {
        async receive(incoming, deadlineMs, onTyped) {
          const deadline = Math.min(deadlineMs, patience.ms);
          const reply = await engine().receive(incoming, deadline, onTyped, patience.sendingMs);
          replies.set(incoming.address, reply);
          return reply;
        },
      }),

    /** A way of delivery of which it is seen what comes there. */
    watchDelivery:
      (deliver: Deliver, comes: 'delivered' | 'accepted'): Deliver =>
      async (address, push) => {
        const delivery = await deliver(address, push);
        if (typeof delivery !== 'object' || delivery.status !== comes) return delivery;
        pushes.set(address, [...unread(address), push]);
        const { language, screenId, screen, keypad, form, reader } = push;
        const shown = {
          ...{ language, screen, page: 0, missed: [], rests: false },
          ...(keypad && { keypad }),
          ...(form !== undefined && { form }),
          ...(reader !== undefined && { reader }),
        };
        if (screenId !== undefined) replies.set(address, { ...shown, screenId });
        return delivery;
      },

    /** The part of a customer's way that is the same in every chat. */
    wayOf: (address: Address) =>
      ({
        address,
        reply: () => replies.get(address),
        waits(ms: number, sendingMs?: number) {
          patience.ms = ms;
          if (sendingMs !== undefined) patience.sendingMs = sendingMs;
        },
        waiting: async () => unread(address),
        saw: async (push: Push) => {
          pushes.set(
            address,
            unread(address).filter(({ id }) => id !== push.id),
          );
        },
      }) satisfies Partial<Way>,
  };
}

const QR_SQUARE_PIXELS = 6;
const NO_PICTURE = new TextEncoder().encode('no picture');

/** A picture of a QR code, or of none. */
export async function photoOf(qr: string | undefined): Promise<Uint8Array> {
  return (qr === undefined ? undefined : (await drawQr(qr, QR_SQUARE_PIXELS))?.png) ?? NO_PICTURE;
}
