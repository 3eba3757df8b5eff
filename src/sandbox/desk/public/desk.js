/** How often the page asks whether something has changed. */
const PULSE_MS = 1_500;
const SAID_MS = 4_000;
const OWN_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

const { partner } = document.body.dataset;
const said = document.getElementById('said');
const clock = document.querySelector('.clock');
let version = document.body.dataset.version;
let quiet;

/** Where the sandbox's clock stood, by ours. */
let heard = { now: Number(clock.dataset.now), frozen: clock.dataset.frozen === 'true', at: Date.now() };

function tell(text, isBad = false) {
  said.textContent = text;
  said.className = isBad ? 'bad' : 'good';
  clearTimeout(quiet);
  quiet = setTimeout(() => {
    said.textContent = '';
  }, SAID_MS);
}

/** Makes one call of the admin API, for the partner of the page unless the call names one. Gives what it said; undefined where it was refused. */
async function ask(target, body) {
  const [method, path] = target.split(' ');
  const url = new URL(path, location.origin);
  if (!url.searchParams.has('partner')) url.searchParams.set('partner', partner);
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const sent = body instanceof File ? body : JSON.stringify(body);
  const answer = await fetch(url, { method, ...(hasBody && { body: sent }) });
  const found = await answer.json().catch(() => ({}));
  if (answer.ok) return found;
  tell(found.message ?? `Refused with ${answer.status}`, true);
  return undefined;
}

/** Fetches this page again, and puts what is live in place of what is shown. */
async function refresh() {
  const answer = await fetch(location.href);
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
  version = next.body.dataset.version;
  const pieces = [...document.querySelectorAll('[data-live]')];
  // What was shown is gone, or the partner is, so the page is another one now.
  if (next.body.dataset.partner !== partner) return location.assign(answer.url);
  if (!pieces.every(({ id }) => next.getElementById(id))) return location.reload();
  for (const piece of pieces) {
    const fresh = next.getElementById(piece.id);
    if (piece.innerHTML === fresh.innerHTML) continue;
    const focused = piece.contains(document.activeElement) ? nameOf(document.activeElement) : undefined;
    piece.innerHTML = fresh.innerHTML;
    if (focused) [...piece.querySelectorAll('button, a')].find((each) => nameOf(each) === focused)?.focus();
  }
}

/** What an element is known by, also when it was made anew. */
function nameOf({ dataset, href, textContent }) {
  return [dataset.call, dataset.body, href, textContent].join(' ');
}

async function act(element, body) {
  const { call, confirm: question } = element.dataset;
  // A file that is loaded keeps its name.
  const target = call.endsWith('/') ? call + encodeURIComponent(body.name.replace(/\.\w+$/, '')) : call;
  if (question && !window.confirm(question)) return;
  element.setAttribute('aria-busy', 'true');
  try {
    const found = await ask(target, body);
    if (found === undefined) return;
    const differ = found.differences?.length
      ? `${found.differences.length} steps were answered otherwise`
      : '';
    tell(differ || (call.endsWith('/again') ? `Answered with ${found.status}` : 'Done'));
    if (target === 'POST /sandbox/partners') {
      // Where others reach it, its page asks for the key.
      if (!OWN_HOSTS.includes(location.hostname)) window.alert(`The new key is ${found.apiKey}`);
      return location.assign(`/desk/settings?partner=${found.id}`);
    }
    await pulse();
    await refresh();
  } catch {
    tell('The sandbox does not answer', true);
  } finally {
    element.removeAttribute('aria-busy');
  }
}

/** The fields of a form as an order. What is empty is left out, but for what can be taken away by leaving it empty. */
function orderOf(form) {
  const order = {};
  for (const field of form.elements) {
    const { name, value, dataset, type } = field;
    if (!name) continue;
    if (type === 'checkbox') order[name] = [...(order[name] ?? []), ...(field.checked ? [value] : [])];
    else if (value.trim() === '') {
      if (form.dataset.call === 'POST /sandbox/partner') order[name] = null;
      else if (name === 'host') order[name] = '';
    } else if (dataset.type === 'number') order[name] = Number(value);
    else if (dataset.type === 'json') order[name] = JSON.parse(value);
    else order[name] = value.trim();
  }
  return order;
}

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('button');
  if (button?.dataset.call) await act(button, JSON.parse(button.dataset.body));
  if (button?.dataset.copy) {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    tell('Copied');
  }
});

document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (!form.dataset.call) return;
  event.preventDefault();
  const [file] = form.elements.file?.files ?? [];
  try {
    if (file) await act(form, file);
    else await act(form, orderOf(form));
  } catch (error) {
    tell(error instanceof SyntaxError ? 'The properties are no JSON' : String(error), true);
  }
});

document.getElementById('partner').addEventListener('change', ({ target }) => {
  const url = new URL(location.href);
  // A page about one thing of this partner is nothing to another.
  const [, desk, section] = url.pathname.split('/');
  url.pathname = section === 'operations' ? '/desk/ledger' : section ? `/${desk}/${section}` : '/';
  url.searchParams.set('partner', target.value);
  location.assign(url);
});

for (const form of document.querySelectorAll('form.search')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const url = new URL(location.href);
    url.searchParams.set('search', form.elements.search.value);
    location.assign(url);
  });
}

/** Asks how things stand. Gives true when something has changed since the page was made. */
async function pulse() {
  const { now, frozen, version: current } = await ask('GET /sandbox/pulse');
  heard = { now, frozen, at: Date.now() };
  showTime();
  return current !== version;
}

function showTime() {
  const moment = new Date(heard.frozen ? heard.now : heard.now + Date.now() - heard.at);
  const iso = moment.toISOString();
  const day = moment.toLocaleDateString('en-GB', {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  for (const time of document.querySelectorAll('.clock time, #clock time')) {
    time.dateTime = iso;
    time.title = iso;
    time.textContent = `${day}, ${iso.slice(11, 19)}`;
  }
  clock.querySelector('.badge').hidden = !heard.frozen;
}

document.querySelector('nav [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
setInterval(showTime, 1_000);
setInterval(async () => {
  if (document.hidden) return;
  try {
    if (await pulse()) await refresh();
  } catch {
    tell('The sandbox does not answer', true);
  }
}, PULSE_MS);
