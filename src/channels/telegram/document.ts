import { type Api, InputFile } from 'grammy';
import type { Language, Reply } from '../../conversation/incoming.ts';
import type { WalletFile } from '../../wallet/services.ts';
import { fileName, handedAs, noFileOf } from '../file-name.ts';
import type { Stage } from './show.ts';
import { troubleOf } from './trouble.ts';

interface Wanted {
  readonly chat: number;
  readonly document: NonNullable<Reply['screen']['document']>;
  readonly language: Language;
  /** Undefined: it could not be had. */
  readonly file: WalletFile | undefined;
}

/** Sends a receipt after its screen, or an agent's file after its message: a failure is said and not tried again. */
export async function sendDocument(
  api: Api,
  stage: Pick<Stage, 'say'>,
  { chat, document, language, file }: Wanted,
): Promise<void> {
  try {
    if (!file) {
      await api.sendMessage(chat, stage.say(noFileOf(document), language));
      return;
    }
    const named = new InputFile(file.bytes, fileName(document) + handedAs(file).ending);
    await api.sendDocument(chat, named, { protect_content: false });
  } catch (error) {
    troubleOf(error);
  }
}
