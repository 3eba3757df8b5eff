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
    field.value = key === 'erase' ? field.value.slice(0, -1) : (field.value + key).slice(0, field.maxLength);
    if (key !== 'erase' && field.value.length === field.maxLength) form.requestSubmit();
  });
}

let isSent = false;
form?.addEventListener('submit', (event) => {
  // A second tap would find the page used.
  if (isSent) event.preventDefault();
  isSent = true;
});
// A browser that goes back shows the page as it was left: nothing typed is in it.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
