import { type Api, InputFile } from 'grammy';
import type { Language, Reply } from '../../conversation/incoming.ts';
import type { WalletFile } from '../../wallet/services.ts';
import { fileName, noFileOf } from '../file-name.ts';
import type { Stage } from './show.ts';
import { troubleOf } from './trouble.ts';

/** The types of file that a phone is given. Anything else goes as bytes. */
const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'image/png': '.png',
  'image/jpeg': '.jpg',
};

export interface Wanted {
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
    const ending = ENDINGS[file.type.split(';')[0]?.trim().toLowerCase() ?? ''] ?? '';
    await api.sendDocument(chat, new InputFile(file.bytes, `${fileName(document)}${ending}`), {
      protect_content: false,
    });
  } catch (error) {
    troubleOf(error);
  }
}
