/** What both phones have: an owner, an SMS inbox, and what can be typed for the newcomer. */

const LOOK_MS = 1000;
const COUNTER_MS = 2000;
const CODE = /\b\d{3}-?\d{3}\b/;

/** `+212612345678` as it is dialled: `0612345678`. */
export function national(phone) {
  return `0${phone.slice(4)}`;
}

/** A number that is certainly not seeded: to open a wallet with. */
export function freshNumber() {
  const digits = crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000;
  return `+21269${String(digits).padStart(7, '7')}`;
}

/**
 * Keeps an inbox on the page fresh.
 * @param phone gives the number that owns it now.
 * @param onCode called with the newest one-time code in it, or undefined.
 */
export function watchInbox({ list, empty, phone, onCode, onNew }) {
  let shown = '';
  // A long list is scrolled by the keyboard, too.
  list.tabIndex = 0;
  async function read() {
    const owner = phone();
    const messages = (await asked('inbox', phone))?.toReversed();
    if (!messages || owner !== phone()) return;
    const now = owner + messages.length + (messages[0]?.at ?? '');
    if (now === shown) return;
    const sameOwner = shown.startsWith(owner);
    shown = now;
    list.replaceChildren(...messages.map(item));
    empty.hidden = messages.length > 0;
    onCode(messages.map(({ text }) => CODE.exec(text)?.[0]).find(Boolean));
    if (sameOwner) onNew?.();
  }
  // One after the other: an answer that comes late would bring an old list back.
  let last = Promise.resolve();
  const look = () => {
    last = last.then(read, read);
    return last;
  };
  setInterval(look, LOOK_MS);
  return look;
}

function item({ at, from, text }) {
  const entry = document.createElement('li');
  const time = document.createElement('time');
  const when = new Date(at);
  time.dateTime = when.toISOString();
  time.textContent = [from, when.toLocaleTimeString('fr', { hour: '2-digit', minute: '2-digit' })]
    .filter(Boolean)
    .join(' · ');
  const body = document.createElement('p');
  body.dir = 'auto';
  body.textContent = text;
  entry.append(time, body);
  return entry;
}

/** Asks for the balance of a phone's owner, in dirhams, or null where there is no wallet. */
export function watchBalance(phone, onBalance) {
  const look = async () => {
    const answer = await asked('balance', phone);
    if (answer) onBalance(answer.balance);
  };
  setInterval(look, COUNTER_MS);
  return look;
}

/** Looks which references for cash a phone's owner has, that a counter can be played for. */
export function watchCounter(phone, onChange) {
  let shown = '[]';
  setInterval(async () => {
    const open = await asked('counter', phone);
    const now = JSON.stringify(open);
    if (!open || now === shown) return;
    shown = now;
    onChange(open);
  }, COUNTER_MS);
}

/** Tells the simulator something, such as that somebody at the counter takes the cash, or hands it out. */
export async function posted(path, body) {
  const headers = { 'content-type': 'application/json' };
  await fetch(`/simulator/${path}`, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => {});
}

/** What the simulator says of a phone's owner. Undefined where nobody looks, or the phone has gone to another one meanwhile. */
async function asked(path, phone) {
  const owner = phone();
  if (!owner || document.visibilityState !== 'visible') return undefined;
  const answer = await fetch(`/simulator/${path}?phone=${encodeURIComponent(owner)}`).catch(() => undefined);
  return answer?.ok && owner === phone() ? answer.json() : undefined;
}

/** Small buttons that type something into a phone, or do what they say (`run`); `used` is told when one has. */
export function chips(place, entries, type) {
  place.replaceChildren(
    ...entries.map(({ label, text, used, run = () => type(text) }) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = label;
      button.addEventListener('click', () => {
        run();
        used?.();
      });
      return button;
    }),
  );
}
