/** The one script of the form. What is typed is in the field, and nowhere else, until the form is sent. */
const TELEGRAM_WEB = 'https://web.telegram.org';
const form = document.querySelector('form');
let isSent = false;

/**
 * Tells the Telegram that shows this page what it is to do. Each kind of client takes it in its own way.
 * @see https://docs.telegram-mini-apps.com/platform/methods
 */
function tellTelegram(eventType, eventData = {}) {
  const message = JSON.stringify({ eventType, eventData });
  if (window.TelegramWebviewProxy)
    window.TelegramWebviewProxy.postEvent(eventType, JSON.stringify(eventData));
  else if (window.parent !== window) window.parent.postMessage(message, TELEGRAM_WEB);
  else if (window.external && 'notify' in window.external) window.external.notify(message);
}

/** What Telegram says of who has opened the page, signed by it: no server sees a fragment before it is sent. */
const launch = new URLSearchParams(location.hash.slice(1)).get('tgWebAppData');
if (launch && form?.elements.launch) form.elements.launch.value = launch;
const isMiniApp = 'miniApp' in document.body.dataset;
if (isMiniApp) {
  tellTelegram('web_app_ready');
  tellTelegram('web_app_expand');
  if (['given', 'cancelled'].includes(document.body.dataset.page)) tellTelegram('web_app_close');
}

/** The colours of the Telegram that shows this page. They are in the fragment, which the page after an answer lacks. */
const THEME = 'wasl-theme';
function telegramTheme() {
  const given = new URLSearchParams(location.hash.slice(1)).get('tgWebAppThemeParams');
  try {
    if (given) sessionStorage.setItem(THEME, given);
    return JSON.parse(given ?? sessionStorage.getItem(THEME));
  } catch {
    return undefined;
  }
}

/** Relative luminance, as WCAG 2.2 defines it. Undefined for what is no colour. */
function luminance(colour) {
  if (!/^#[\da-f]{6}$/i.test(colour)) return undefined;
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Whether one can be read on the other: a theme is anybody's. */
function isReadable(one, other, least) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05) >= least;
}

function takeTheme({ bg_color: surface, text_color: ink, secondary_bg_color: ground, ...theme }) {
  if (!isReadable(surface, ink, 4.5)) return;
  const { style } = document.documentElement;
  style.colorScheme = luminance(surface) < luminance(ink) ? 'dark' : 'light';
  const colours = {
    ...{ surface, ink },
    ground: luminance(ground) === undefined ? surface : ground,
    soft: `color-mix(in srgb, ${ink} 75%, ${surface})`,
    raised: `color-mix(in srgb, ${ink} 8%, ${surface})`,
    line: `color-mix(in srgb, ${ink} 20%, ${surface})`,
  };
  const { button_color: accent, button_text_color: onAccent } = theme;
  // The words of its button are large.
  if (isReadable(accent, onAccent, 3)) Object.assign(colours, { accent, 'on-accent': onAccent });
  for (const [name, colour] of Object.entries(colours)) style.setProperty(`--${name}`, colour);
}

const theme = isMiniApp && telegramTheme();
if (theme) takeTheme(theme);

const left = document.getElementById('left');
if (left) {
  const endsAt = Date.now() + Number(left.dataset.leftMs);
  const ticking = setInterval(() => {
    const seconds = Math.ceil((endsAt - Date.now()) / 1_000);
    left.textContent = `${Math.floor(Math.max(0, seconds) / 60)}:${String(Math.max(0, seconds) % 60).padStart(2, '0')}`;
    if (seconds > 0 || isSent) return;
    clearInterval(ticking);
    // The server says that the page is no longer valid, and what to do.
    location.replace(form.action);
  }, 1_000);
}

const field = form?.elements.secret;
const keypad = document.querySelector('.keypad');
if (field && keypad) {
  keypad.hidden = false;
  // The phone's own keyboard, which may learn what is typed, stays away until the field itself is touched.
  document.activeElement?.blur();
  document.getElementById('wrong')?.focus();
  keypad.addEventListener('click', ({ target }) => {
    const { key } = target.dataset;
    if (key === undefined) return;
    const digits = Number(field.dataset.digits);
    field.value = key === 'erase' ? field.value.slice(0, -1) : (field.value + key).slice(0, digits);
    if (key !== 'erase' && field.value.length === digits) form.requestSubmit();
  });
}

const WRONG = {
  pan: isNoNumber,
  expiry: (text) => !/^(0?[1-9]|1[0-2])\s*\/?\s*(20)?\d{2}$/.test(text),
  cvv: (text) => !/^\d{3}$/.test(text),
  // What is a name is the server's to say.
  holder: () => false,
};
/** As each field is left, so that nobody types all of it again: the server looks once more. */
for (const [name, isWrong] of Object.entries(WRONG)) {
  const input = form?.elements[name];
  input?.addEventListener('input', () => {
    if (name === 'pan') input.value = input.value.replace(/[\s-]/g, '').replace(/(.{4})(?=.)/g, '$1 ');
    // A number is told as soon as it is whole, anything else once the field is left.
    mark(input, name === 'pan' && input.value.replace(/\s/g, '').length >= 16 && isWrong(latin(input.value)));
  });
  input?.addEventListener('blur', () => mark(input, input.value !== '' && isWrong(latin(input.value))));
}

function mark(input, isWrong) {
  if (isWrong) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
  const why = document.getElementById(`${input.name}-wrong`);
  if (why) why.hidden = !isWrong;
}

function latin(text) {
  return text.trim().replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}

/** ISO/IEC 7812-1, annex B. */
function isNoNumber(text) {
  const digits = text.replace(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(digits)) return true;
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 !== 0;
}

form?.addEventListener('submit', (event) => {
  if (event.submitter?.name === 'cancel' && !isSent) {
    isSent = true;
    return;
  }
  // A second tap would find the page used.
  const firstWrong = form.querySelector('[aria-invalid]:not([type="hidden"])');
  if (isSent || (firstWrong && form.elements.pan)) {
    event.preventDefault();
    firstWrong?.focus();
    return;
  }
  isSent = true;
});
// A browser that goes back shows the page as it was left: nothing typed is in it.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
