import { Hono } from 'hono';
import ar from '../../../locales/ar/web.json' with { type: 'json' };
import en from '../../../locales/en/web.json' with { type: 'json' };
import fr from '../../../locales/fr/web.json' with { type: 'json' };
import { files, LOOK, pageWithLabels } from '../../http/files.ts';
import { OWN_FILES_ONLY, type PagePolicy } from '../../http/page-headers.ts';

const DIRECTORY = new URL('./public/', import.meta.url);

/** The chat page, with its labels in all languages: the customer may switch at any moment. */
export const CHAT_PAGE: string = pageWithLabels(new URL('chat.html', DIRECTORY), { fr, ar, en });

/**
 * What the chat may load and who may frame it. No form is sent, and the simulator frames the chat.
 * @param embedOrigins other origins whose pages may hold the chat in a frame
 * @param picturesOrigin another origin whose pictures are shown: the wallet's
 */
export function chatPolicy(embedOrigins: readonly string[], picturesOrigin?: string): PagePolicy {
  return {
    ...OWN_FILES_ONLY,
    imgSrc: ["'self'", 'data:', ...(picturesOrigin ? [picturesOrigin] : [])],
    formAction: ["'none'"],
    frameSrc: ["'self'"],
    frameAncestors: ["'self'", ...embedOrigins],
  };
}

/** What the page loads. */
export function publicFiles(): Hono {
  return new Hono()
    .route('/', files(LOOK, ['palette.css', 'look.css', 'icon.svg']))
    .route('/', files(DIRECTORY, ['chat.css', 'chat.js', 'fields.js', 'history.js', 'line.js', 'pieces.js']));
}
