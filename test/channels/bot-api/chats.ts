import {
  checkPhoto,
  type File,
  type Markup,
  number,
  type Parsed,
  type Payload,
  Refused,
  readCaption,
  readMarkup,
  readText,
  string,
} from './rules.ts';

export interface Message extends Parsed {
  readonly id: number;
  readonly by: 'bot' | 'person';
  readonly markup?: Markup | undefined;
  readonly isProtected: boolean;
  readonly document?: File;
  /** The picture that the text stands under. */
  readonly photo?: Photo;
  /** How often it was edited. */
  readonly edits: number;
}

/** `id`: by which it can be sent again. */
interface Photo extends File {
  readonly id: string;
}

export interface Chat {
  readonly id: number;
  readonly isPrivate: boolean;
  /** The messages in it, oldest first, without the deleted ones. */
  messages: Message[];
  /** Everything that was ever in it. */
  readonly history: Message[];
  isBlocked: boolean;
  hasLeft: boolean;
  /** The keyboard in place of the phone's. */
  keyboard?: Markup | undefined;
  actions: number;
}

/** The state of the chats, and the methods about them. */
export function createChats() {
  const chats = new Map<number, Chat>();
  const photoOf = createPhotos();
  let lastMessage = 100;

  return {
    /** A chat that somebody has opened: the bot can write nowhere else. */
    open(id: number): Chat {
      const known = chats.get(id);
      if (known) return known;
      const chat: Chat = {
        id,
        isPrivate: id > 0,
        messages: [],
        history: [],
        isBlocked: false,
        hasLeft: false,
        actions: 0,
      };
      chats.set(id, chat);
      return chat;
    },

    all: () => [...chats.values()],
    of,
    add,

    sendMessage(payload: Payload): object {
      const chat = of(payload);
      const parsed = readText(payload);
      const markup = readMarkup(payload, chat.isPrivate);
      if (markup?.keyboard) chat.keyboard = markup;
      if (markup?.remove_keyboard) chat.keyboard = undefined;
      return sent(
        chat,
        add(chat, { ...parsed, by: 'bot', markup, isProtected: payload.protect_content === true }),
      );
    },

    sendPhoto(payload: Payload, file: File | undefined): object {
      const chat = of(payload);
      const photo = photoOf(string(payload, 'photo'), file);
      const parsed = readCaption(payload);
      const markup = readMarkup(payload, chat.isPrivate);
      const isProtected = payload.protect_content === true;
      return sent(chat, add(chat, { ...parsed, by: 'bot', markup, isProtected, photo }));
    },

    editMessageMedia(payload: Payload, file: File | undefined): object {
      const [chat, message] = ours(payload);
      const media = payload.media as Payload;
      if (string(media, 'type') !== 'photo') throw new Refused('wrong type of the media');
      const photo = photoOf(string(media, 'media'), file);
      const markup = readMarkup(payload, chat.isPrivate);
      if (markup && !markup.inline_keyboard) throw new Refused('inline keyboard expected');
      return change(chat, message, { ...message, ...readCaption(media), markup, photo });
    },

    sendDocument(payload: Payload, file: File | undefined): object {
      const chat = of(payload);
      if (!file) throw new Refused('there is no document in the request');
      return sent(chat, add(chat, { text: '', spoilers: [], by: 'bot', isProtected: false, document: file }));
    },

    editMessageText(payload: Payload): object {
      const [chat, message] = ours(payload);
      if (message.photo) throw new Refused('there is no text in the message to edit');
      const parsed = readText(payload);
      const markup = readMarkup(payload, chat.isPrivate);
      if (markup && !markup.inline_keyboard) throw new Refused('inline keyboard expected');
      return change(chat, message, { ...message, ...parsed, markup });
    },

    editMessageReplyMarkup(payload: Payload): object {
      const [chat, message] = ours(payload);
      return change(chat, message, { ...message, markup: readMarkup(payload, chat.isPrivate) });
    },

    deleteMessage(payload: Payload): true {
      const chat = of(payload);
      const id = number(payload, 'message_id');
      if (!chat.messages.some((message) => message.id === id))
        throw new Refused('message to delete not found');
      chat.messages = chat.messages.filter((message) => message.id !== id);
      return true;
    },
  };

  /** The chat of a request, if the bot may write there. */
  function of(payload: Payload): Chat {
    const chat = chats.get(number(payload, 'chat_id'));
    if (!chat) throw new Refused('chat not found');
    if (chat.isBlocked) throw new Refused('Forbidden: bot was blocked by the user', 403);
    if (chat.hasLeft) throw new Refused('Forbidden: bot is not a member of the group chat', 403);
    return chat;
  }

  function ours(payload: Payload): [Chat, Message] {
    const chat = of(payload);
    const message = chat.messages.find(({ id }) => id === number(payload, 'message_id'));
    if (!message) throw new Refused('message to edit not found');
    const { markup } = message;
    // "It is only possible to edit messages without reply_markup or with inline keyboards."
    if (message.by !== 'bot' || (markup && !markup.inline_keyboard))
      throw new Refused("message can't be edited");
    return [chat, message];
  }

  function add(chat: Chat, message: Omit<Message, 'id' | 'edits'>): Message {
    const added = { ...message, id: ++lastMessage, edits: 0 };
    chat.messages.push(added);
    chat.history.push(added);
    return added;
  }
}

function change(chat: Chat, before: Message, after: Message): object {
  const what = ({ text, spoilers, markup, photo }: Message) =>
    JSON.stringify([text, spoilers, markup ?? null, photo?.id]);
  if (what(before) === what(after))
    throw new Refused(
      'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    );
  const edited = { ...after, edits: before.edits + 1 };
  chat.messages = chat.messages.map((message) => (message === before ? edited : message));
  chat.history.push(edited);
  return sent(chat, edited);
}

function sent(chat: Chat, { id, text, photo }: Message): object {
  const content = photo
    ? { caption: text, photo: [{ file_id: photo.id, file_unique_id: photo.id, width: 1, height: 1 }] }
    : { text };
  return {
    message_id: id,
    date: 0,
    chat: { id: chat.id, type: chat.isPrivate ? 'private' : 'group' },
    ...content,
  };
}

/** Reads the photo of a request: bytes that came with it, or a picture that was sent before. */
function createPhotos() {
  const photos = new Map<string, Photo>();
  return (reference: string, file: File | undefined): Photo => {
    if (!reference.startsWith('attach://'))
      return photos.get(reference) ?? missing('wrong file identifier/HTTP URL specified');
    if (!file) throw new Refused('there is no photo in the request');
    checkPhoto(file);
    const photo = { ...file, id: `photo${photos.size + 1}` };
    photos.set(photo.id, photo);
    return photo;
  };
}

function missing(why: string): never {
  throw new Refused(why);
}

export type Chats = ReturnType<typeof createChats>;
