import type { Screen } from '../../../machines/kit/screen.ts';
import { createScribe } from '../../../src/channels/telegram/write.ts';
import type { Language } from '../../../src/conversation/incoming.ts';
import type { Renderer } from '../../../src/screen/renderer.ts';
import { readMarkup, readText } from './rules.ts';

/** The longest id that a screen will ever have. */
const SCREEN_ID = 999_999_999;
const KEYS = [3, 8, 1, 7, 0, 2, 9, 4, 6, 5];

/** Holds every page of a screen, as Telegram would be sent it, to the rules of the Bot API: throws what it would answer. */
export function fitsTelegram(renderer: Pick<Renderer, 'chat'>, screen: Screen, language: Language): void {
  const scribe = createScribe(renderer);
  const asksPin = screen.expects === 'pin' || screen.expects === 'newPin';
  const pages = Math.ceil((screen.choices?.length ?? 0) / 8) || 1;
  for (let page = 0; page < pages; page++) {
    const keypad = asksPin && { keypad: { keys: KEYS, typed: 2 } };
    const { parts, markup } = scribe.write({ screen, language, screenId: SCREEN_ID, page, ...keypad });
    for (const text of parts) readText({ text, parse_mode: 'HTML' });
    readMarkup({ reply_markup: markup }, true);
  }
}
