/**
 * Notifications while the chat is closed: turned on by a button, for as long as one wallet is linked here. They say only that there is
 * something to read.
 */

const KEY = 'wasl-notifications';

/**
 * What the customer can be asked, for this wallet once: `notify`, `install` on an iPhone, which notifies installed pages
 * alone, or undefined.
 */
export async function mayAsk(reader) {
  const can = canNotify() ? Notification.permission !== 'denied' && 'notify' : canInstall() && 'install';
  if (!can || answered().reader === reader) return undefined;
  return (await fetch('/chat/push')).ok ? can : undefined;
}

/** The customer's answers, so that they are asked once. */
export function keepAnswer(reader, isOn) {
  localStorage.setItem(KEY, JSON.stringify({ reader, isOn }));
}

/** Asks the browser for its permission, which it gives only after a tap: `granted`, `denied`, or `failed`. */
export async function turnOn() {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'failed';
  return (await subscribe()) ? 'granted' : 'failed';
}

/** The server forgets a browser that does not come back; one that was subscribed with another key of the server's is subscribed anew. */
export async function renew(reader) {
  const { reader: whose, isOn } = answered();
  if (canNotify() && isOn && whose === reader && Notification.permission === 'granted') await subscribe();
}

/** The wallet is linked here no more. */
export async function turnOff() {
  if (!canNotify() || !answered().isOn) return;
  localStorage.removeItem(KEY);
  await fetch('/chat/push', { method: 'DELETE' });
  await (await subscription())?.unsubscribe();
}

/** The notified message is on show. */
export async function clear() {
  const worker = await navigator.serviceWorker?.getRegistration('/chat');
  for (const shown of (await worker?.getNotifications()) ?? []) shown.close();
}

/** Not in somebody else's page, where there is no service worker of ours. */
function canNotify() {
  return window.top === window && 'PushManager' in window && 'Notification' in window;
}

/** An iPhone or iPad, whose Safari calls itself a Mac, with this page in its browser. */
function canInstall() {
  const { userAgent, maxTouchPoints, standalone } = navigator;
  const isApple = /iPhone|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
  return isApple && !standalone && window.top === window;
}

function answered() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

async function subscription() {
  const { pushManager } = await navigator.serviceWorker.ready;
  return pushManager.getSubscription();
}

async function subscribe() {
  const answer = await fetch('/chat/push');
  if (!answer.ok) return false;
  const { key } = await answer.json();
  const before = await subscription();
  const isOurs = before && encoded(before.options.applicationServerKey) === key;
  if (before && !isOurs) await before.unsubscribe();
  const { pushManager } = await navigator.serviceWorker.ready;
  const now = isOurs
    ? before
    : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const taken = await fetch('/chat/push', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(now),
  });
  return taken.ok;
}

/** Bytes as base64url. */
function encoded(bytes) {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
