import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Address, Input, Language, Origin, Reply } from '../../src/conversation/incoming.ts';
import { plain } from '../../src/screen/marks.ts';
import type { Way } from './customer.ts';
import type { World } from './world.ts';

const PATIENCE_MS = 15_000;
/** A pressed button names the screen that it belongs to. */
const PRESSED: ReadonlySet<string> = new Set<Input['type']>(['chose']);

/** Straight to the engine, as USSD and the web chat hand things over. */
export function engineWay(world: World, channel: 'ussd' | 'web', address: Address, language: Language): Way {
  let reply: Reply | undefined;
  let last: { id: string; inputs: readonly Input[]; dialog?: string | undefined } | undefined;
  let origin: Origin | undefined;
  let patience: { ms: number; sendingMs?: number | undefined } = { ms: PATIENCE_MS };

  async function send({ id, inputs, dialog }: NonNullable<typeof last>): Promise<void> {
    const shown = reply && PRESSED.has(inputs[0]?.type ?? '') ? { screenId: reply.screenId } : {};
    reply = await world.engine.receive(
      {
        address,
        id,
        inputs,
        ...(origin && { origin }),
        ...(dialog && { dialog }),
        ...(channel === 'web' && { ...shown, language }),
      },
      patience.ms,
      undefined,
      patience.sendingMs,
    );
  }

  return {
    channel,
    address,
    does: (inputs, dialog) => {
      last = { id: randomUUID().slice(0, 8), inputs, dialog };
      return send(last);
    },
    repeats: async () => {
      if (last) await send(last);
    },
    reply: () => reply,
    comesFrom: (next) => {
      origin = next;
    },
    waits: (ms, sendingMs) => {
      patience = { ms, sendingMs };
    },
    waiting: () => world.engine.waiting(address),
    saw: async ({ id }) => {
      if (channel === 'web') await world.engine.saw(address, [id]);
    },
    ...fitting(world, channel),
  };
}

/** What is shown fits the channel in every language, and in a chat. */
export function fitting(world: World, channel: 'ussd' | 'web'): Pick<Way, 'fits' | 'shows'> {
  return {
    fits(shown, spoken) {
      const { chat, sms, ussd } = world.renderer;
      const missed = 'page' in shown ? shown.missed.map(({ screen }) => screen) : [];
      if (channel === 'web') {
        for (const screen of [shown.screen, ...missed]) plain(chat(screen, spoken).text);
        return;
      }
      if (!('page' in shown)) {
        plain(sms(shown.screen, spoken).text);
        return;
      }
      const { units, max } = ussd(shown.screen, spoken, shown.page, undefined, missed);
      expect(units).toBeLessThanOrEqual(max);
    },
    shows: ({ screen, language: spoken }) => {
      plain(world.renderer.chat(screen, spoken).text);
    },
  };
}

/** As the gateways' channel types it: a lone 0 goes back, 00 to the menu. */
export function typed(text: string): Input {
  if (text === '0') return { type: 'went', to: 'back', typed: text };
  if (text === '00') return { type: 'went', to: 'menu', typed: text };
  return { type: 'said', text };
}
