/**
 * The customer's side of an identity check. The link's fragment and the provider's token live in this script's memory: the
 * fragment is taken out of the address at once, and the token goes to the provider's frame and nowhere else.
 */

const LABELS = JSON.parse(document.getElementById('labels').textContent);
const $ = (id) => document.getElementById(id);
const [ui, link] = [
  { intro: $('intro'), start: $('start'), scan: $('scan'), ending: $('ending'), languages: $('languages') },
  location.hash.slice(1),
];
/** A frame that has not said that it is ready by then will not. */
const READY_MS = 20_000;

let language = 'fr';
let ended;

history.replaceState(null, '', location.pathname + location.search);
speak(
  [new URLSearchParams(location.search).get('lang'), ...navigator.languages]
    .map((each) => each?.slice(0, 2))
    .find((each) => each in LABELS) ?? 'fr',
);
if (link === '') end('gone');
ui.languages.addEventListener('click', ({ target }) => target.value && speak(target.value));
ui.start.addEventListener('click', begin);

async function begin() {
  ui.start.disabled = true;
  const begun = await post('begin');
  if (begun.end) return end(begun.end, begun.says);
  const { page, baseUrl, applicantId, token } = begun;
  const frame = document.createElement('iframe');
  frame.allow = 'camera; microphone; fullscreen';
  frame.title = LABELS[language].frame;
  const { origin } = new URL(page);
  const late = setTimeout(() => stop('failed'), READY_MS);
  addEventListener('message', heard);
  frame.src = page;
  ui.intro.hidden = true;
  ui.scan.hidden = false;
  ui.scan.append(frame);

  /** Only what comes from this frame, and is still of the provider's page. */
  function heard({ source, origin: from, data }) {
    if (source !== frame.contentWindow || from !== origin) return;
    if (data?.wasl === 'ready') {
      clearTimeout(late);
      frame.contentWindow.postMessage({ wasl: 'start', baseUrl, applicantId, token, language }, origin);
    } else if (data?.wasl === 'done') void finish();
    else if (data?.wasl === 'cancelled') stop('cancelled');
  }
  function stop(how) {
    clearTimeout(late);
    removeEventListener('message', heard);
    frame.remove();
    if (how) end(how);
  }
  async function finish() {
    stop();
    ui.ending.textContent = LABELS[language].sending;
    const { end: how, says } = await post('done');
    end(how, says);
  }
}

/** What comes of it; a request that was not answered may have arrived. */
async function post(step) {
  try {
    const answer = await fetch(`/identity/${step}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ link, language }),
    });
    if (answer.status < 500) return await answer.json();
  } catch {
    // It is said below.
  }
  return { end: step === 'done' ? 'notKnown' : 'failed' };
}

function end(how, says) {
  ended = { how, says };
  ui.intro.hidden = true;
  ui.scan.hidden = true;
  ui.ending.textContent = ending();
  ui.ending.focus();
}

/** What the wallet has said comes in the language that it was asked in. */
function ending() {
  const { how, says } = ended;
  const labels = LABELS[language];
  const words = {
    gone: labels.gone,
    failed: labels.failed,
    cancelled: labels.cancelled,
    requested: labels.requested,
  };
  if (how === 'refused') return `${says}\n${labels.back}`;
  return words[how] ?? labels.notKnown;
}

function speak(next) {
  language = next;
  document.documentElement.lang = next;
  document.documentElement.dir = next === 'ar' ? 'rtl' : 'ltr';
  for (const each of document.querySelectorAll('[data-label]'))
    each.textContent = LABELS[next][each.dataset.label];
  for (const each of document.querySelectorAll('[data-aria]'))
    each.ariaLabel = LABELS[next][each.dataset.aria];
  for (const button of ui.languages.children) button.ariaPressed = String(button.value === next);
  if (ended) ui.ending.textContent = ending();
}
