/** One for each number that anybody has tried on the page. */
const CHATS_MAX = 500;
const MESSAGES_MAX = 200;
export interface ChatFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * A button under a message. `data` goes to the bot, `copies` to the clipboard. `url` is opened, `rows` are a list to choose
 * from, `sharesContact` shares the number, and `flow` is the token of a Flow that it opens.
 */
export interface ChatButton {
  readonly text: string;
  readonly data: string;
  readonly copies?: string;
  readonly isDisabled?: true;
  readonly url?: string;
  readonly rows?: readonly { readonly text: string; readonly data: string; readonly detail?: string }[];
  readonly sharesContact?: true;
  readonly flow?: string;
}

export interface ChatMessage {
  readonly id: number;
  readonly by: 'bot' | 'person';
  /** When it was said, in ms since 1970. */
  readonly at: number;
  /** Of the bot: HTML, with the tags of Telegram. */
  readonly text: string;
  readonly buttons: readonly (readonly ChatButton[])[];
  /** Not to be forwarded or saved. */
  readonly isProtected: boolean;
  readonly file?: ChatFile;
  /** Of a person: Wasl has read it. */
  readonly isRead?: true;
  /** An approved template, which may be sent at any time. */
  readonly isTemplate?: true;
}

interface Chat {
  readonly user: number;
  messages: ChatMessage[];
  /** In place of the phone's keyboard: labels, and whether they share the number. */
  keyboard: readonly { readonly text: string; readonly sharesContact: boolean }[];
  typingUntil: number;
  /** The answer to a press. */
  said?: { readonly id: number; readonly text: string };
}

export class Chats {
  readonly #now: () => number;
  readonly #chats = new Map<number, Chat>();
  #lastId: number;

  constructor(now: () => number) {
    this.#now = now;
    // The store outlives this: ids of messages and updates that it has noted must not come again.
    this.#lastId = now();
  }

  /** An id that no message, update or press has had. */
  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  open(user: number): Chat {
    const known = this.#chats.get(user);
    if (known) return known;
    const [oldest] = this.#chats.keys();
    if (this.#chats.size >= CHATS_MAX && oldest !== undefined) this.#chats.delete(oldest);
    const chat: Chat = { user, messages: [], keyboard: [], typingUntil: 0 };
    this.#chats.set(user, chat);
    return chat;
  }

  find(user: number, id: number): ChatMessage | undefined {
    return this.open(user).messages.find((message) => message.id === id);
  }

  add(user: number, message: Omit<ChatMessage, 'id' | 'at'>): ChatMessage {
    const chat = this.open(user);
    const added = { ...message, id: this.nextId(), at: this.#now() };
    chat.messages = [...chat.messages, added].slice(-MESSAGES_MAX);
    if (added.by === 'bot') chat.typingUntil = 0;
    else chat.keyboard = [];
    return added;
  }

  /** Undefined where the message is gone, such as one from before a restart. */
  edit(user: number, id: number, change: Partial<ChatMessage>): ChatMessage | undefined {
    const message = this.find(user, id);
    if (!message) return undefined;
    const edited = { ...message, ...change };
    const chat = this.open(user);
    chat.messages = chat.messages.map((each) => (each === message ? edited : each));
    return edited;
  }

  delete(user: number, id: number): void {
    const chat = this.open(user);
    chat.messages = chat.messages.filter((message) => message.id !== id);
  }

  /** Shows "typing…" for so long, or until something is said. */
  showTyping(user: number, ms: number): void {
    this.open(user).typingUntil = this.#now() + ms;
  }

  /** A message's id, time and chat, as the Bot API writes them. */
  placeOf(user: number, message: number) {
    const date = Math.floor(this.#now() / 1_000);
    return { message_id: message, date, chat: { id: user, type: 'private', first_name: 'Wasl' } };
  }
}
