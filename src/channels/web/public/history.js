/**
 * What the chat has shown, kept in this browser so that a reload does not lose it: for as long as one wallet is linked here, and
 * without what is hidden, what was asked for with the PIN and what may be one.
 */

const KEY = 'wasl-history';
const ENTRIES_MAX = 200;
const KEPT_MS = 30 * 24 * 3_600_000;
/** What stands between these is hidden until it is tapped (`src/screen/marks.ts`). */
const HIDDEN = /\ue000.*?\ue001/gs;
const DOTS = '••••';
/** As long as a PIN, a code by SMS, a card's number: typed where nobody has asked for one, it may be one all the same. */
const LOOKS_SECRET = /^\p{Nd}{4}$|^\p{Nd}{3}[\s-]?\p{Nd}{3}$|\p{Nd}(?:[\s-]?\p{Nd}){11,}/u;

/** The messages that this reader was shown, the oldest first. Another reader's are forgotten. */
export function remembered(reader) {
  const kept = read();
  if (kept?.reader !== reader) {
    forget();
    return [];
  }
  const from = Date.now() - KEPT_MS;
  return kept.entries.filter(({ at }) => at > from);
}

/** True where both are one screen, or one message of Wasl's own. */
export function isSame(one, { screenId, was, ids = [] }) {
  const isScreen = typeof one.screenId === 'number' && [screenId, was].includes(one.screenId);
  return isScreen || ids.some((id) => one.ids?.includes(id));
}

/**
 * Keeps one more thing that was shown to this reader; `undefined`: nobody is known to read here, and nothing is kept.
 * `inPlace`: it takes the place of what it was before. `moved`: it stands below all else from now on, and only there.
 */
export function remember(reader, { was, ...entry }, { inPlace = false, moved = false } = {}) {
  if (reader === undefined) return;
  const all = remembered(reader);
  const entries = moved ? all.filter((each) => !isSame(each, { was, ...entry })) : all;
  const place = inPlace ? entries.findLastIndex((each) => isSame(each, { was, ...entry })) : -1;
  const { kind, at } = entries[place] ?? { kind: entry.kind, at: Date.now() };
  const kept = { ...entry, kind, at };
  write({ reader, entries: place < 0 ? newest([...entries, kept]) : entries.with(place, kept) });
}

/** A message with something hidden may come again until it was looked at: forgotten, it would come as new. */
function newest(entries) {
  const from = entries.length - ENTRIES_MAX;
  return entries.filter(
    ({ kind, text }, place) => place >= from || (kind === 'news' && text?.includes(DOTS)),
  );
}

/** A screen's text is not true any more: this one is. */
export function rememberInPlace(reader, screenId, now) {
  const entries = remembered(reader).map(({ kind, at, ...entry }) =>
    entry.screenId === screenId ? { kind, at, screenId, ...now } : { kind, at, ...entry },
  );
  write({ reader, entries });
}

/** The server has what the customer has said. */
export function rememberSent(reader, id) {
  const entries = remembered(reader).map((entry) =>
    entry.ids?.includes(id) ? { ...entry, isSent: true } : entry,
  );
  write({ reader, entries });
}

export function forget() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

/** Wasl's message as it may be kept, without its text where it may not. */
export function keptText({ text, isPrivate }) {
  return isPrivate ? undefined : text.replaceAll(HIDDEN, DOTS);
}

/** The customer's message as it may be kept. */
export function keptAnswer(text) {
  return LOOKS_SECRET.test(text.trim()) ? DOTS : text;
}

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(kept?.entries) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** A browser that is full or keeps nothing shows what it shows, and no more. */
function write(kept) {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    forget();
  }
}
