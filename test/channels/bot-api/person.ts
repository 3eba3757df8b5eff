import { expect } from 'vitest';
import type { Chat, Message } from './chats.ts';
import type { Button } from './rules.ts';
import type { BotApi } from './server.ts';
import type { Update } from './updates.ts';

let lastPerson = 1_000;

interface PersonOptions {
  readonly id?: number;
  readonly language?: string;
}

/** A person with Telegram on their phone. Every act resolves once the bot has taken its update. */
export function createPerson(api: BotApi, options: PersonOptions = {}) {
  const id = options.id ?? ++lastPerson;
  const from = {
    id,
    is_bot: false,
    first_name: 'Test',
    ...(options.language && { language_code: options.language }),
  };
  const chat = api.chats.open(id);
  let last: { update: Update; line: string } | undefined;

  async function does(body: Readonly<Record<string, unknown>>, line = `chat ${id}`): Promise<void> {
    // The update is known before the bot has taken it, so that a test can send it again to a bot that is down.
    const update = await api.updates.add(body, line);
    last = { update, line };
  }
  const about = (message: Message) => ({
    message_id: message.id,
    date: Math.floor(Date.now() / 1_000),
    chat: { id, type: 'private', first_name: 'Test' },
  });
  const sends = (text: string, body: Readonly<Record<string, unknown>>) => {
    const message = api.chats.add(chat, { text, spoilers: [], by: 'person', isProtected: false });
    return does({ message: { ...about(message), from, ...body } });
  };

  return {
    id,
    chat,
    says: (text: string) => sends(text, { text }),
    /** A message that is none: a photo, a sticker, a voice. */
    sendsOther: (body: Readonly<Record<string, unknown>>) => sends('', body),
    sendsPhoto(bytes: Uint8Array, fileId = `photo${id}`, album?: string) {
      api.addFile(fileId, bytes);
      const photo = [{ file_id: fileId, file_unique_id: fileId, width: 1, height: 1 }];
      return sends('', { photo, ...(album !== undefined && { media_group_id: album }) });
    },
    sharesContact: (phone: string, contact: Contact = { userId: id }) => sends('', contactOf(phone, contact)),
    /** Their live location, which was sent before, is another one now. */
    moves(location: object) {
      const message = chat.messages.findLast(({ by }) => by === 'person');
      if (!message) throw new Error('no location was sent');
      return does({ edited_message: { ...about(message), from, location, edit_date: 1 } });
    },
    edits(text: string) {
      const message = chat.messages.findLast(({ by }) => by === 'person');
      if (!message) throw new Error('nothing was written that could be edited');
      chat.messages = chat.messages.map((each) => (each === message ? { ...each, text } : each));
      return does({ edited_message: { ...about(message), from, text, edit_date: 1 } });
    },
    /** Presses a button of a message: the newest that has it, unless another one is named. */
    async presses(what: string | ((button: Button) => boolean), on?: Message): Promise<string> {
      const is = typeof what === 'string' ? ({ text }: Button) => text === what : what;
      const message = on ?? chat.messages.findLast((each) => buttonsOf(each).some(is));
      const button = message && buttonsOf(message).find(is);
      expect(
        button,
        `a button ${what}, among ${visible()
          .flatMap(buttonsOf)
          .map(({ text }) => text)}`,
      ).toBeDefined();
      return this.pressesData(button?.callback_data ?? '', message as Message);
    },
    /** Presses with any data on any message, as a forged client can. */
    async pressesData(data: string, message: Message): Promise<string> {
      const query = api.newQuery();
      const body = {
        id: query,
        from,
        chat_instance: '1',
        data,
        message: {
          ...about(message),
          from: { id: 1 },
          ...(message.markup && { reply_markup: message.markup }),
          ...(message.photo && { photo: [{ file_id: message.photo.id }] }),
        },
      };
      await does({ callback_query: body }, `presses ${id}`);
      return query;
    },
    /** Telegram brings the last update once more. */
    async repeats(): Promise<void> {
      if (last) await api.updates.again(last.update, last.line);
    },
    blocks: () => membership('kicked'),
    unblocks: () => membership('member'),
    visible,
    /** The newest message of the bot. */
    screen(): Message {
      const message = chat.messages.findLast(({ by }) => by === 'bot');
      if (!message) throw new Error('the bot has said nothing');
      return message;
    },
    /** Messages that still have buttons: there should never be two. */
    menus: () =>
      visible().filter((message) => buttonsOf(message).some(({ callback_data: data }) => data !== undefined)),
  };

  function visible(): readonly Message[] {
    return (chat as Chat).messages.filter(({ by }) => by === 'bot');
  }

  async function membership(status: 'kicked' | 'member'): Promise<void> {
    chat.isBlocked = status === 'kicked';
    const user = { id: 123456, is_bot: true, first_name: 'Wasl' };
    const old = { user, status: status === 'kicked' ? 'member' : 'kicked', until_date: 0 };
    await does({
      my_chat_member: {
        chat: { id, type: 'private', first_name: 'Test' },
        from,
        date: 0,
        old_chat_member: old,
        new_chat_member: { user, status, until_date: 0 },
      },
    });
  }
}

interface Contact {
  readonly userId?: number | undefined;
  readonly isForwarded?: true;
}

function contactOf(phone: string, { userId, isForwarded }: Contact) {
  return {
    contact: { phone_number: phone, first_name: 'Test', ...(userId !== undefined && { user_id: userId }) },
    ...(isForwarded && { forward_origin: { type: 'hidden_user', date: 0, sender_user_name: 'x' } }),
  };
}

export function buttonsOf({ markup }: Message): readonly Button[] {
  return markup?.inline_keyboard?.flat() ?? [];
}

export type Person = ReturnType<typeof createPerson>;
