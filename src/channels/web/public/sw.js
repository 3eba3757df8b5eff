/**
 * Makes the chat an app that can be installed, and says in a notification that Wasl has written. It keeps one page, which says that
 * there is no connection, and how that looks: nothing of a conversation is ever in its cache, and everything else comes from the network.
 */

const CACHE = 'wasl-offline-2';
const OFFLINE = '/chat/offline';
const LOOK = ['palette.css', 'look.css', 'offline.css', 'icon.svg'].map((name) => `/chat/public/${name}`);

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([OFFLINE, ...LOOK])));
  void self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))),
      ),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const isPage = request.mode === 'navigate';
  if (!isPage && !LOOK.includes(new URL(request.url).pathname)) return;
  event.respondWith(fetch(request).catch(() => caches.match(isPage ? OFFLINE : request)));
});

self.addEventListener('push', (event) => event.waitUntil(notify(event.data?.json() ?? {})));

/** Browsers insist on a notification for each message; whoever looks at the chat reads the message itself, and it is taken back. */
async function notify({ text, language }) {
  const isRead = (await openChats()).some(({ visibilityState }) => visibilityState === 'visible');
  await self.registration.showNotification('Wasl', {
    body: text,
    lang: language,
    dir: language === 'ar' ? 'rtl' : 'ltr',
    icon: '/chat/public/icon-192.png',
    tag: 'wasl',
    renotify: !isRead,
    silent: isRead,
  });
  if (!isRead) return;
  for (const shown of await self.registration.getNotifications({ tag: 'wasl' })) shown.close();
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openChat());
});

async function openChat() {
  const [chat] = await openChats();
  return chat ? chat.focus() : self.clients.openWindow('/chat');
}

/** Also one that was opened before this service worker was there. */
async function openChats() {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return pages.filter(({ url }) => new URL(url).pathname === '/chat');
}
