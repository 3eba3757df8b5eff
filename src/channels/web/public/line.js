/** The line to Wasl: sends what the customer did until it is answered, and listens to what Wasl says on its own. */

const TRIES_MAX = 6;
const FIRST_WAIT_MS = 700;

/** Thrown when a message did not get through; `says` is what the server has said of it, if it could be reached. */
export class NotSent extends Error {
  constructor(says) {
    super('not sent');
    this.says = says;
  }
}

/** Thrown when the server knows no such chat: the cookie is gone, or cookies are not allowed here. */
export class NoChat extends Error {}

/**
 * Sends one message. It carries an id of its own, so that trying again after a lost answer changes nothing.
 * @returns the screen that answers it, undefined where a person will; and whether a secret was typed.
 */
export async function send(message, { onTrouble }) {
  for (let tries = 1; ; tries++) {
    const answer = await request(message).catch(() => undefined);
    if (answer?.ok) {
      onTrouble(false);
      const isSecret = answer.headers.has('x-typed-secret');
      return { screen: answer.status === 204 ? undefined : await answer.json(), isSecret };
    }
    if (answer?.status === 401) throw new NoChat();
    const { says } = (await answer?.json().catch(() => undefined)) ?? {};
    // 4xx is our own mistake, and sending it again would not mend it.
    if ((answer && answer.status < 500) || tries === TRIES_MAX) throw new NotSent(says);
    onTrouble(true, says);
    await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS * 2 ** (tries - 1)));
  }
}

const REFUSED_WAIT_MS = 60_000;

/** Listens. The browser comes back by itself after a lost connection, but not where it was refused one: then we do. */
export function listen({ onPush, onTrouble }) {
  const source = new EventSource('/chat/events');
  source.addEventListener('open', () => onTrouble(false));
  source.addEventListener('error', async () => {
    onTrouble(true);
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(() => listen({ onPush, onTrouble }), REFUSED_WAIT_MS);
    const says = await refusal();
    if (says) onTrouble(true, says);
  });
  source.addEventListener('push', (event) => onPush(JSON.parse(event.data)));
}

/** Why there is no stream, in the server's words: an `EventSource` does not hand them over. */
async function refusal() {
  const stopping = new AbortController();
  const answer = await fetch('/chat/events', { signal: stopping.signal }).catch(() => undefined);
  const { says } = answer?.ok === false ? await answer.json().catch(() => ({})) : {};
  stopping.abort();
  return says;
}

const unacknowledged = new Set();

/** Tells the server what the customer has seen, once the page is really on the screen. */
export async function acknowledge(id) {
  unacknowledged.add(id);
  if (document.visibilityState !== 'visible') return;
  const ids = [...unacknowledged].slice(0, 100);
  const answer = await post('/chat/seen', { ids }).catch(() => undefined);
  if (answer?.ok) for (const seen of ids) unacknowledged.delete(seen);
}

document.addEventListener('visibilitychange', () => {
  const [id] = unacknowledged;
  if (id) void acknowledge(id);
});

function request(message) {
  if (message.photo) return postPhoto(message);
  return message.files ? postFiles(message) : post('/chat/messages', message);
}

/** The sides of a document, the front first. */
function postFiles({ files, ...around }) {
  const body = new FormData();
  for (const file of files) body.append('file', file);
  return fetch(`/chat/files?${new URLSearchParams(around)}`, { method: 'POST', body });
}

/** A picture is sent as it is; what goes with it is in the address. */
function postPhoto({ photo, ...around }) {
  const query = new URLSearchParams(around);
  return fetch(`/chat/photos?${query}`, {
    method: 'POST',
    headers: { 'content-type': photo.type },
    body: photo,
  });
}

function post(path, body) {
  return fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
