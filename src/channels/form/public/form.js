/** The one script of the form. What is typed is in the field, and nowhere else, until the form is sent. */
const TELEGRAM_WEB = 'https://web.telegram.org';
const form = document.querySelector('form');

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
if (document.body.dataset.channel === 'telegram') {
  tellTelegram('web_app_ready');
  tellTelegram('web_app_expand');
  if (document.body.dataset.page === 'given') tellTelegram('web_app_close');
}

const field = form?.elements.secret;
const keypad = document.querySelector('.keypad');
if (field && keypad) {
  keypad.hidden = false;
  // The phone's own keyboard, which may learn what is typed, stays away until the field itself is touched.
  document.activeElement?.blur();
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

let isSent = false;
form?.addEventListener('submit', (event) => {
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
