import type { Address, Conversations, Language, Reply } from '../../conversation/incoming.ts';
import { createRecent } from '../../conversation/recent.ts';
import type { WalletFile } from '../../wallet/services.ts';
import { fileName, handedAs, noFileOf } from '../file-name.ts';
import type { FindPicture, Picture } from '../picture.ts';
import type { CloudApi, Message } from './api.ts';
import { troubleOf } from './trouble.ts';
import { fileMessage, type Header, type Scribe, textMessage, type WhatsAppScreen } from './write.ts';

/** People whose last message this process knows, to show that Wasl is typing. */
const PEOPLE_MAX = 10_000;

type Document = NonNullable<Reply['screen']['document']>;

/** Sends things to people. Each function rejects with `CloudApiError`. */
export interface Sender {
  /** Sends a screen, with its picture or file. Gives the id of its last message. */
  show(to: Address, shown: WhatsAppScreen, options?: ShowOptions): Promise<string>;
  /** Sends a message as it is. Gives its id. @param about comes back with its statuses */
  send(to: Address, message: Message, about?: string): Promise<string>;
  readonly say: Scribe['say'];
  /** Sends a file after its message, or says that it is not to be had. */
  sendFile(to: Address, document: Document, language: Language, file: WalletFile | undefined): Promise<void>;
  /** Marks a message of this person as read. */
  read(from: Address, message: string): void;
  /** Shows "typing…" below their last message, where this process has read it. */
  showTyping(to: Address): void;
}

interface ShowOptions {
  /** Reads the file of the screen. Absent: it is sent by itself. */
  readonly document?: Conversations['document'];
  /** Comes back with the statuses of the message. */
  readonly about?: string;
}

export function createSender(api: CloudApi, scribe: Scribe, pictureAt: FindPicture): Sender {
  /** By person: their last message. */
  const lastRead = createRecent<Address, string>(PEOPLE_MAX);
  const send: Sender['send'] = (to, message, about) => api.send(userOf(to), message, about);
  return {
    async show(to, shown, { document, about } = {}) {
      const [file, picture] = await Promise.all([
        receiptOf(api, to, shown, document),
        pictureAt(shown.screen.picture),
      ]);
      const gone = file === 'gone' && shown.screen.document && noFileOf(shown.screen.document);
      const before = [shown.before, gone && scribe.say(gone, shown.language)];
      const said = before.filter(Boolean).join('\n\n');
      const showBelow = async (header: Header | undefined) => {
        let id = '';
        for (const message of scribe.write({ ...shown, ...(said && { before: said }) }, header))
          id = await send(to, message, about);
        return id;
      };
      if (typeof file === 'object' || !picture) return showBelow(file === 'gone' ? undefined : file);
      return pictured(api, picture)
        .then(showBelow)
        .catch((error) => {
          if (troubleOf(error).kind !== 'refused') throw error;
          // The text says it all.
          picture.refused();
          return showBelow(undefined);
        });
    },
    send,
    // Signs for the person only: nothing waits for them.
    read(from, message) {
      lastRead.set(from, message);
      void api.read(message).catch(() => {});
    },
    showTyping(to) {
      const message = lastRead.get(to);
      if (message !== undefined) void api.read(message, true).catch(() => {});
    },
    say: scribe.say,
    async sendFile(to, document, language, file) {
      if (!file) return void (await send(to, textMessage(scribe.say(noFileOf(document), language))));
      await send(to, fileMessage(await uploaded(api, document, file)));
    },
  };
}

/** The receipt of a screen. `gone`: it is not to be had. */
async function receiptOf(
  api: CloudApi,
  to: Address,
  { screen: { document } }: WhatsAppScreen,
  read: ShowOptions['document'],
): Promise<Header | 'gone' | undefined> {
  if (!document || !read) return undefined;
  const file = await read(to, document).catch(() => undefined);
  return file ? uploaded(api, document, file) : 'gone';
}

async function pictured(api: CloudApi, { file, sent }: Picture): Promise<Header> {
  if (typeof file === 'string') return { type: 'image', id: file };
  const { bytes, kind } = file;
  const id = await api.upload({ bytes, type: `image/${kind}`, name: `picture.${kind}` });
  sent(id);
  return { type: 'image', id };
}

async function uploaded(api: CloudApi, document: Document, file: WalletFile): Promise<Header> {
  const { type, ending } = handedAs(file);
  const name = fileName(document) + ending;
  const id = await api.upload({ bytes: file.bytes, type, name });
  return { type: type.startsWith('image/') ? 'image' : 'document', id, name };
}

function userOf(address: Address): string {
  return address.slice(address.indexOf(':') + 1);
}
