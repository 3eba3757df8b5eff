import { TestRunner } from 'vitest';
import { CHANNEL_NAMES, type ChannelName, CHANNELS as ROWS } from '../../src/conversation/channel.ts';
import { LANGUAGES, type Language } from '../../src/conversation/incoming.ts';
import { USSD_SHAPES } from './ussd-shapes.ts';
import type { STORES } from './world.ts';

type StoreName = (typeof STORES)[number];

/**
 * Transcripts on every chat meet Telegram or WhatsApp, as the same on both takes long. `CHAT=whatsapp` plays WhatsApp, and
 * `npm run test:long` both. Transcripts on each store always meet both (`CHATS_ON`).
 */
const TURN = process.env.CHAT === 'whatsapp' ? 'whatsapp' : 'telegram';
const OUT: ChannelName | undefined =
  process.env.LONG === '1' ? undefined : TURN === 'whatsapp' ? 'telegram' : 'whatsapp';

/** Every channel, and those of them that are chats. */
export const CHANNELS: readonly ChannelName[] = CHANNEL_NAMES.filter((name) => name !== OUT);
type Chat = Exclude<ChannelName, 'ussd'>;
const isChat = (name: ChannelName): name is Chat => ROWS[name].shows === 'messages';
export const CHATS = CHANNELS.filter(isChat);
const EVERY_CHAT = CHANNEL_NAMES.filter(isChat);

/**
 * The channels that a transcript visits on each store: the phone and one kind of chat. Every channel and every store is
 * met, and each kind of channel meets both stores. The difference between two chats does not depend on the store.
 */
export const CHATS_ON: Readonly<Record<StoreName, readonly Chat[]>> = {
  sqlite: EVERY_CHAT.filter((_, i) => i % 2 === 1),
  redis: EVERY_CHAT.filter((_, i) => i % 2 === 0),
};
export const CHANNELS_ON: Readonly<Record<StoreName, readonly ChannelName[]>> = {
  sqlite: ['ussd', ...CHATS_ON.sqlite],
  redis: ['ussd', ...CHATS_ON.redis],
};

const HASH_PRIME = 31;

/**
 * The language that the customers of the running test speak unless the test says otherwise. It depends on the name of the
 * test alone, so that a test that fails fails again. Every screen is rendered in all languages, whichever this is.
 */
export function languageOfTest(): Language {
  return LANGUAGES[hashOfTest() % LANGUAGES.length] ?? 'fr';
}

/**
 * The gateway behind which the phones of a machine's transcript are. Undefined: they speak with the engine. It depends on the
 * name of the test, and `npm run test:long` plays every transcript behind every gateway. `USSD_SHAPE=hubtel` plays one.
 */
export function ussdShapeOfTest(): string | undefined {
  const { filepath } = TestRunner.getCurrentTest()?.file ?? {};
  if (!filepath?.includes('/test/machines/')) return undefined;
  // A process that dies takes the answer to its gateway along: there a phone stands before the engine.
  if (/a process that dies/.test(TestRunner.getCurrentTest()?.name ?? '')) return undefined;
  const { USSD_SHAPE: shape } = process.env;
  const turn = Math.floor(hashOfTest() / LANGUAGES.length) % (USSD_SHAPES.length + 1);
  return shape === undefined ? USSD_SHAPES[turn] : shape || undefined;
}

function hashOfTest(): number {
  let hash = 0;
  for (const letter of TestRunner.getCurrentTest()?.fullTestName ?? '')
    hash = (Math.imul(hash, HASH_PRIME) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash;
}
