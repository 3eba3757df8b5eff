import { readFile } from 'node:fs/promises';
import { type Api, InputFile } from 'grammy';
import { LANGUAGES, type Language } from '../../conversation/incoming.ts';
import type { Stage } from './show.ts';

const PHOTO = new URL('./profile.jpg', import.meta.url);

/**
 * Sets the parts of the bot that people see before they open it: description, short description and photo, and the
 * button that lists its commands. Texts that the operator has set in Telegram stay. Rejects with grammY's error.
 * @param otherwise the language for people whose own we do not speak
 */
export async function describeBot(api: Api, stage: Pick<Stage, 'say'>, otherwise: Language): Promise<void> {
  await api.setChatMenuButton({ menu_button: { type: 'commands' } });
  for (const code of [undefined, ...LANGUAGES]) {
    const inLanguage = code ? { language_code: code } : {};
    const say = (key: 'telegram.description' | 'telegram.about') => stage.say(key, code ?? otherwise);
    if (!(await api.getMyDescription(inLanguage)).description)
      await api.setMyDescription(say('telegram.description'), inLanguage);
    if (!(await api.getMyShortDescription(inLanguage)).short_description)
      await api.setMyShortDescription(say('telegram.about'), inLanguage);
  }
  const { id } = await api.getMe();
  const { total_count: photos } = await api.getUserProfilePhotos(id, { limit: 1 });
  if (photos === 0)
    await api.setMyProfilePhoto({ type: 'static', photo: new InputFile(await readFile(PHOTO), 'wasl.jpg') });
}
