import { describe, TestRunner, test } from 'vitest';
import { CHANNEL_NAMES, type ChannelName, CHANNELS as ROWS } from '../../src/conversation/channel.ts';
import { LANGUAGES, type Language } from '../../src/conversation/incoming.ts';
import { USSD_SHAPES } from './ussd-shapes.ts';
import type { STORES } from './world.ts';

type StoreName = (typeof STORES)[number];

/** Every channel, and those of them that are chats. */
export const CHANNELS: readonly ChannelName[] = CHANNEL_NAMES;
type Chat = Exclude<ChannelName, 'ussd'>;
const isChat = (name: ChannelName): name is Chat => ROWS[name].shows === 'messages';
export const CHATS: readonly Chat[] = CHANNELS.filter(isChat);

/** Chats that are much alike: a transcript on every chat meets one of them, and `npm run test:long` plays all. */
const ALIKE: readonly ChannelName[] = ['telegram', 'whatsapp'];

/**
 * `test.each` and `describe.each` for transcripts on every channel. Of the chats that are alike one has its turn, which depends on
 * the title alone. `CHAT=whatsapp` chooses one for all. Transcripts on each store always meet all chats (`CHATS_ON`).
 */
export const testOn =
  <C extends ChannelName>(channels: readonly C[]) =>
  (title: string, work: (channel: C) => unknown) =>
    test.each(inTurn(channels, title))(title, work as (channel: C) => Promise<void>);
export const describeOn =
  <C extends ChannelName>(channels: readonly C[]) =>
  (title: string, tests: (channel: C) => void) =>
    describe.each(inTurn(channels, title))(title, tests);

function inTurn<C extends ChannelName>(channels: readonly C[], title: string): readonly C[] {
  const chosen = process.env.CHAT ?? ALIKE[hashOf(title) % ALIKE.length];
  if (process.env.LONG === '1') return channels;
  return channels.filter((channel) => channel === chosen || !ALIKE.includes(channel));
}

/**
 * The channels that a transcript visits on each store: the phone and one kind of chat. Every channel and every store is
 * met, and each kind of channel meets both stores. The difference between two chats does not depend on the store.
 */
export const CHATS_ON: Readonly<Record<StoreName, readonly Chat[]>> = {
  sqlite: CHATS.filter((_, i) => i % 2 === 1),
  redis: CHATS.filter((_, i) => i % 2 === 0),
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
  return hashOf(TestRunner.getCurrentTest()?.fullTestName ?? '');
}

function hashOf(name: string): number {
  let hash = 0;
  for (const letter of name) hash = (Math.imul(hash, HASH_PRIME) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash;
}
