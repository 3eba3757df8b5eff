/** What happens behind the phones: a sequence of what their owners do, the screens that follow, calls of the wallet and its webhooks. */

const LOOK_MS = 700;
/** A page that is left open does not grow without end. */
const CODE_CHARS_MAX = 4_000;

const $ = (id) => document.getElementById(id);

/** @param phones gives the numbers of the page's phones; `name` whose a number is; `label` a sentence of the page's language */
export function createBehind({ phones, name, label }) {
  const shown = new Map();
  let entries = [];
  let seen = '';
  let isOpen = false;
  // A long list is scrolled by the keyboard, too.
  $('behind-list').tabIndex = 0;

  async function look() {
    if (!isOpen || document.visibilityState !== 'visible') return;
    const query = new URLSearchParams([...phones().map((phone) => ['phone', phone]), ['seen', seen]]);
    const answer = await fetch(`/simulator/behind?${query}`).catch(() => undefined);
    if (answer?.status !== 200) return;
    ({ entries, seen } = await answer.json());
    draw();
  }

  function draw() {
    const list = $('behind-list');
    const isAtEnd = list.scrollTop + list.clientHeight > list.scrollHeight - 40;
    const items = entries.map((entry) => {
      if (!shown.has(entry.id)) shown.set(entry.id, item(entry, { name, label }));
      return shown.get(entry.id);
    });
    list.replaceChildren(...items);
    if (isAtEnd) list.scrollTop = list.scrollHeight;
    for (const id of shown.keys()) if (!entries.some((entry) => entry.id === id)) shown.delete(id);
  }

  setInterval(look, LOOK_MS);
  return {
    opens(now) {
      isOpen = now;
      void look();
    },
    relabel() {
      shown.clear();
      draw();
    },
  };
}

/** One line of the sequence: an arrow from lane to lane, what it is in words, and what went over the line. */
function item(entry, { name, label }) {
  const line = document.createElement('li');
  line.className = isOwn(entry) ? 'own' : entry.kind;
  const head = document.createElement('p');
  head.append(...HEADS[entry.kind](entry, { name, label }), when(entry.at));
  line.append(head, ...(DETAILS[entry.kind]?.(entry) ?? []));
  return line;
}

const HEADS = {
  event: (entry, { name, label }) => [
    bold(isOwn(entry) ? label('behindWasl') : name(entry.address)),
    ` ${done(entry.event, label)}`,
  ],
  screen: ({ durationMs }, { label }) => [
    bold(label('behindWasl')),
    ` ${label('behindShows')}`,
    ms(durationMs),
  ],
  call: ({ durationMs }, { label }) => [bold(label('behindWasl')), ` ${label('behindAsks')}`, ms(durationMs)],
  webhook: (_, { label }) => [bold(label('behindWallet')), ` ${label('behindTells')}`],
};

const DETAILS = {
  event: ({ event }) => (event.kind === 'payment' ? [code(`${event.from ?? '∅'} → ${event.to}`)] : []),
  screen: ({ from, to, shows }) => [
    code(from && from !== to ? `${from} → ${to}` : to),
    code(shows.join(' + ')),
  ],
  call: ({ method, path, status, body, answer }) => [
    opened(`${method} ${path.split('?')[0]}`, status ?? '✕', [path.split('?')[1], body, answer]),
  ],
  webhook: ({ event, body, answer }) => [opened(event, answer, [body])],
};

/** True for what came from no phone: a payment that is settled, a deadline. */
function isOwn({ kind, event }) {
  return kind === 'event' && event.kind !== 'input';
}

function done(event, label) {
  if (event.kind !== 'input') return label(`behind_${event.kind}`);
  const { type, text, choice, to } = event.input;
  if (type === 'said' && text === undefined) return label('behind_answered');
  return label(`behind_${type}`, { text: isolated(text ?? choice ?? to ?? '') });
}

function isolated(text) {
  return `\u2068${text}\u2069`;
}

function opened(what, how, parts) {
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  const answer = document.createElement('b');
  answer.textContent = String(how);
  answer.className = /^2/.test(how) ? 'good' : 'bad';
  summary.dir = 'ltr';
  summary.append(inCode(what), ' ', answer);
  const text = parts.filter((part) => part !== undefined && part !== null).map(written);
  const body = document.createElement('pre');
  body.dir = 'ltr';
  body.tabIndex = 0;
  body.textContent = text.join('\n\n').slice(0, CODE_CHARS_MAX);
  details.append(summary, body);
  return details;
}

function written(part) {
  return typeof part === 'string' ? part.replaceAll('&', '\n') : JSON.stringify(part, null, 1);
}

function code(text) {
  const line = inCode(text);
  line.dir = 'ltr';
  return line;
}

function inCode(text) {
  return Object.assign(document.createElement('code'), { textContent: text });
}

function bold(text) {
  return Object.assign(document.createElement('b'), { textContent: text });
}

function ms(duration) {
  const text = `${Math.round(duration)} ms`;
  return Object.assign(document.createElement('small'), { textContent: text, dir: 'ltr' });
}

function when(at) {
  const time = document.createElement('time');
  time.dateTime = new Date(at).toISOString();
  time.textContent = new Date(at).toLocaleTimeString('fr');
  return time;
}
