import type { Update } from 'grammy/types';
import type { Hono } from 'hono';
import type { Address, ChatAt, Conversations, Deliver } from '../../conversation/incoming.ts';
import { nationalNumber } from '../../wallet/phone.ts';
import type { OpenTelegram, Telegram, TelegramOptions } from '../telegram/telegram.ts';
import { type BotApi, createBotApi } from './bot-api.ts';
import { type PhoneApp, phoneRoutes } from './phone-app.ts';

/** Nobody listens there: the network is played, and the token is no secret. */
const TOKEN = '1:simulator';
const PUBLIC_URL = 'https://simulator.invalid';

interface SimulatedTelegram {
  readonly deliver: Deliver;
  readonly chatAt: ChatAt;
  open(conversations: Conversations): Hono;
  close(): Promise<void>;
}

type SimulatedTelegramOptions = Pick<
  TelegramOptions,
  'walletUrl' | 'formAt' | 'renderer' | 'secrets' | 'readQr' | 'language' | 'log'
>;

/**
 * Telegram without a token: the real channel, joined to a played Bot API in this process. The chat of a phone is that of a
 * Telegram user whose id is its number, which is no id of a real one.
 */
export function simulateTelegram(options: SimulatedTelegramOptions): SimulatedTelegram {
  const simulation = new Simulation(options);
  return {
    deliver: async (address, push) => (await simulation.telegram()).deliver(address, push),
    chatAt: (address) => chatAt(simulation, address),
    open: (conversations) => phoneRoutes(appOf(simulation, conversations), options.log),
    close: () => simulation.close(),
  };
}

class Simulation {
  readonly botApi: BotApi = createBotApi();
  readonly options: SimulatedTelegramOptions;
  #creating: Promise<Telegram> | undefined;
  #opening: Promise<OpenTelegram> | undefined;

  constructor(options: SimulatedTelegramOptions) {
    this.options = options;
  }

  /** The channel. Loaded when somebody first uses it: grammY would slow down every start. */
  telegram(): Promise<Telegram> {
    this.#creating ??= createChannel(this.options, this.botApi);
    return this.#creating;
  }

  /** Has the bot take an update, as Telegram would send it. */
  async handle(conversations: Conversations, update: Update): Promise<void> {
    this.#opening ??= this.#open(conversations);
    await (await this.#opening).handle(update);
  }

  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }

  async #open(conversations: Conversations): Promise<OpenTelegram> {
    const bot = (await this.telegram()).open(conversations);
    // With an address of its own it only names its commands: updates are handed to it.
    bot.start();
    return bot;
  }
}

async function createChannel(options: SimulatedTelegramOptions, botApi: BotApi): Promise<Telegram> {
  const { createTelegram } = await import('../telegram/telegram.ts');
  const fetch = botApi.fetch as unknown as TelegramOptions['fetch'];
  return createTelegram({ ...options, token: TOKEN, publicUrl: PUBLIC_URL, fetch });
}

function chatAt(simulation: Simulation, address: Address): ReturnType<ChatAt> {
  const chat = async () => (await simulation.telegram()).chatAt(address);
  return {
    showTyping: () => void chat().then((opened) => opened?.showTyping()),
    inOrder: async (work) => (await chat())?.inOrder(work) ?? work(),
    sendFile: async (push, file) => (await chat())?.sendFile(push, file),
    fetchFile: async (file) => (await chat())?.fetchFile(file) ?? 'gone',
    eraseFiles: async (files) => (await chat())?.eraseFiles(files) ?? false,
  };
}

/** The app of the smartphone: its acts are updates of the bot. */
function appOf(simulation: Simulation, conversations: Conversations): PhoneApp {
  const { botApi } = simulation;
  const handle = async (update: Update | undefined) => {
    if (update) await simulation.handle(conversations, update);
    return update !== undefined;
  };
  return {
    channel: 'telegram',
    chats: botApi.chats,
    commands: botApi.commands,
    write: ({ user, language }, text) => handle(botApi.sends({ user, language, text, more: { text } })),
    press: ({ user, language }, message, data) => handle(botApi.presses(user, language, message, data)),
    // Telegram tells the owner of a contact card. The page can only share the phone's own.
    share({ user, language, phone }) {
      const contact = { phone_number: phone, first_name: 'Wasl', user_id: user };
      return handle(botApi.sends({ user, language, text: nationalNumber(phone), more: { contact } }));
    },
    sendPicture({ user, language }, file) {
      const sent = botApi.sends({ user, language, text: '', file });
      const id = `${user}.${sent.message?.message_id}`;
      const photo = [{ file_id: id, file_unique_id: id, width: 1, height: 1, file_size: file.bytes.length }];
      return handle({ ...sent, message: { ...sent.message, photo } } as typeof sent);
    },
  };
}
