import type { Screen } from '../../machines/kit/screen.ts';
import type { UssdDialect } from '../../src/channels/ussd/dialect.ts';
import type { Door } from '../../src/channels/ussd/door.ts';
import { ussdRoutes } from '../../src/channels/ussd/routes.ts';
import type { Elsewhere } from '../../src/channels/web/streams.ts';
import type { Address, Conversations, Incoming, Push, Reply } from '../../src/conversation/incoming.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import type { Log } from '../../src/log/lines.ts';
import type { Renderer } from '../../src/screen/renderer.ts';
import { invented } from '../kit/invented.ts';

/** Stands for the engine under a channel: it keeps the inputs and gives the prepared answers. */
export interface FakeConversations extends Conversations {
  readonly heard: Incoming[];
  /** The dialogs that were said to be over. */
  readonly ended: string[];
  readonly seen: string[];
  /** The answers of the next turns. */
  reply: Reply | Error;
  readonly held: Map<Address, Push[]>;
  /** Whether a wallet is linked to the chats. */
  linked: boolean;
  /** Whether a file is asked for. */
  asked: 'now' | 'next' | undefined;
}

export const CHOICE: Screen = {
  key: 'menu.choose',
  expects: 'choice',
  choices: [{ id: 'send', key: 'menu.transfer' }],
};

/** A screen of three pages, as `keyRenderer` writes it. */
export const LONG = invented('long');

export function reply(screen: Screen, more: Partial<Reply> = {}): Reply {
  return { language: 'fr', screenId: 7, screen, page: 0, missed: [], rests: false, ...more };
}

export function push(id: string, more: Partial<Push> = {}): Push {
  return {
    id,
    language: 'fr',
    money: true,
    screen: { key: invented(`done.${id}`), expects: 'nothing' },
    ...more,
  };
}

export function fakeConversations(): FakeConversations {
  const fake: FakeConversations = {
    heard: [],
    ended: [],
    seen: [],
    held: new Map(),
    linked: true,
    asked: undefined,
    reply: reply(CHOICE),
    receive: async (incoming) => {
      fake.heard.push(incoming);
      if (fake.reply instanceof Error) throw fake.reply;
      return fake.reply;
    },
    settled: async (shown) => shown,
    answerComes: async () => undefined,
    fallback: (_address, language) =>
      reply({ key: 'nav.unavailable', expects: 'nothing' }, { language, rests: true }),
    waiting: async (address) => fake.held.get(address) ?? [],
    document: async () => undefined,
    isLinked: async () => fake.linked,
    asksFile: async () => fake.asked,
    form: async () => undefined,
    cameBack: async () => undefined,
    screenShown: async () => {},
    screenNotShown: async () => {},
    left: async ({ dialog }) => void fake.ended.push(dialog ?? ''),
    statusCame: async () => {},
    saw: async (address, ids) => {
      fake.seen.push(...ids);
      fake.held.set(
        address,
        (fake.held.get(address) ?? []).filter(({ id }) => !ids.includes(id)),
      );
    },
  };
  return fake;
}

/** Writes keys instead of sentences: a channel must not care what a screen says. */
export const keyRenderer: Renderer = {
  chat: (screen, language) => ({
    text: `${language} ${screen.key}`,
    choices: (screen.choices ?? []).map(({ id, key }) => ({ id, label: key })),
    direction: language === 'ar' ? 'rtl' : 'ltr',
    idle: [],
  }),
  labels: () => [],
  shortLabels: () => [],
  ussd: (screen, language, page, _limits, before = []) => {
    const pages = screen.key === LONG ? 3 : 1;
    const first = before.map(({ key }) => `${key}\n`).join('');
    const text = `${first}${language} ${screen.key} ${(page % pages) + 1}/${pages}`;
    const parts = () => ({ body: text, choices: [] });
    return {
      text,
      parts,
      endsInside: () => false,
      page: page % pages,
      pages,
      choices: 0,
      asked: true,
      confirmsWhole: true,
      told: 2,
      encoding: 'gsm7',
      units: text.length,
      max: 160,
    };
  },
  sms: (screen, language) => ({ text: `${language} ${screen.key}`, encoding: 'gsm7', segments: 1 }),
};

export const secrets = createSecrets('a key for tests, and for nothing but tests');

/** A log that keeps everything, to be searched for what must not be there. */
export function fakeLog() {
  const lines: string[] = [];
  const log: Log = {
    say: (message, fields) => void lines.push(JSON.stringify({ ...fields, message })),
    over: () => {},
  };
  return { lines, log };
}

/** The door of a USSD gateway, in front of a stand-in for the engine. */
export function ussdApp(
  conversations: Conversations,
  { log }: Pick<ReturnType<typeof fakeLog>, 'log'>,
  door: Partial<Door> = {},
  dialects?: readonly UssdDialect[],
) {
  return ussdRoutes({
    ...{ conversations, renderer: keyRenderer, secrets, serviceCode: '*123#', language: 'fr', log },
    door: () => ({ secrets: [], addresses: [], proxies: [], ...door }),
    ...(dialects && { dialects }),
  });
}

/** A web channel of a process that is the only one. */
export const ALONE: Elsewhere = { tell: async () => {}, listen: async () => async () => {} };
