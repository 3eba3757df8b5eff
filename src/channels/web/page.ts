import { Hono } from 'hono';
import type { Language } from '../../conversation/incoming.ts';
import { files, LOOK, pageWithLabels } from '../../http/files.ts';
import { OWN_FILES_ONLY, type PagePolicy } from '../../http/page-headers.ts';
import { browserLanguage } from './browser-language.ts';
import { LABELS } from './words.ts';

const DIRECTORY = new URL('./public/', import.meta.url);

/** The chat page, with its labels in all languages: the customer may switch at any moment. */
export const CHAT_PAGE: string = pageWithLabels(new URL('chat.html', DIRECTORY), LABELS);

/** Shown by the service worker where there is no network: all that it keeps, with its look. */
const offline = (language: Language) =>
  pageWithLabels(new URL('offline.html', DIRECTORY), { fr: LABELS[language] }).replace(
    'lang="fr"',
    `lang="${language}"`,
  );
const OFFLINE_PAGES = { fr: offline('fr'), ar: offline('ar'), en: offline('en') };

/** Drawn from `icon.svg`. A maskable one has room around its sign, for a telephone to cut in its own shape. */
const ICONS = ['icon-192.png', 'icon-512.png', 'icon-maskable-512.png', 'icon-apple-180.png'] as const;
const png = (name: (typeof ICONS)[number], purpose: 'any' | 'maskable') => {
  const size = /\d+/.exec(name)?.[0];
  return { src: `/chat/public/${name}`, sizes: `${size}x${size}`, type: 'image/png', purpose };
};
/** The labels of what the installed app begins from its icon (`start` in `public/chat.js`). */
const SHORTCUTS = ['startTransfer', 'startBalance', 'startBill'] as const;

const manifest = (language: Language) => ({
  name: LABELS[language].title,
  short_name: LABELS[language].title,
  description: LABELS[language].tagline,
  lang: language,
  dir: language === 'ar' ? 'rtl' : 'ltr',
  id: '/chat',
  start_url: '/chat',
  scope: '/chat',
  display: 'standalone',
  background_color: '#f4f3ef',
  theme_color: '#0b6b57',
  icons: [
    { src: '/chat/public/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    ...[png('icon-192.png', 'any'), png('icon-512.png', 'any'), png('icon-maskable-512.png', 'maskable')],
  ],
  shortcuts: SHORTCUTS.map((start) => ({
    name: LABELS[language][start],
    url: `/chat?start=${start}`,
    icons: [png('icon-192.png', 'any')],
  })),
});

/** The chat as an app: its manifest, and the service worker, whose place says that it is for all of the chat. */
export function appFiles(): Hono {
  return new Hono()
    .get('/app.webmanifest', (c) =>
      c.json(manifest(browserLanguage(c)), 200, { 'content-type': 'application/manifest+json' }),
    )
    .get('/offline', (c) => c.html(OFFLINE_PAGES[browserLanguage(c)]))
    .use('/sw.js', async (c, next) => {
      await next();
      c.header('service-worker-allowed', '/chat');
    })
    .route('/', files(DIRECTORY, ['sw.js']));
}

/**
 * Tells which things the chat may load and which pages may frame it. No form is sent, and the simulator frames the
 * chat.
 * @param embedOrigins other origins whose pages may hold the chat in a frame
 */
export function chatPolicy(embedOrigins: readonly string[]): PagePolicy {
  return {
    manifestSrc: ["'self'"],
    workerSrc: ["'self'"],
    ...OWN_FILES_ONLY,
    imgSrc: ["'self'", 'data:'],
    formAction: ["'none'"],
    frameSrc: ["'self'"],
    frameAncestors: ["'self'", ...embedOrigins],
  };
}

/** The files that the page loads. */
export function publicFiles(): Hono {
  return new Hono()
    .route('/', files(LOOK, ['palette.css', 'look.css', 'icon.svg']))
    .route(
      '/',
      files(DIRECTORY, [
        ...ICONS,
        'chat.css',
        'chat.js',
        'fields.js',
        'history.js',
        'line.js',
        'notifications.js',
        'offline.css',
        'pieces.js',
        'payment-card.js',
        'times.js',
      ]),
    );
}
