import type { Hono } from 'hono';
import ar from '../../../locales/ar/web.json' with { type: 'json' };
import en from '../../../locales/en/web.json' with { type: 'json' };
import fr from '../../../locales/fr/web.json' with { type: 'json' };
import { files, pageWithLabels } from '../../http/files.ts';

const DIRECTORY = new URL('./public/', import.meta.url);

/** The chat page, with its labels in all languages: the customer may switch at any moment. */
export const CHAT_PAGE: string = pageWithLabels(new URL('chat.html', DIRECTORY), { fr, ar, en });

/** What the page loads. */
export function publicFiles(): Hono {
  return files(DIRECTORY, [
    'look.css',
    'chat.css',
    'chat.js',
    'fields.js',
    'line.js',
    'pieces.js',
    'icon.svg',
  ]);
}
