/** The time beside each message, a line above each day, and one above what is new. The clock is Morocco's, as in the sentences. */

const LOCALES = { fr: 'fr-MA', ar: 'ar-MA-u-nu-latn', en: 'en-GB' };
const timeZone = 'Africa/Casablanca';
const DAY_MS = 24 * 3_600_000;
const days = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
const times = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' });

const dayOf = (at) => days.format(at);

/**
 * Puts a message at the end of the log, below a line for its day. A message that was said on an earlier day than the one
 * above it names that day itself.
 */
export function place(log, item, language) {
  const { at } = item.said;
  const day = dayOf(at);
  if (day > (log.dataset.day ?? '')) {
    log.dataset.day = day;
    log.append(lineOf('day', day));
    nameDays(log, language);
  }
  const time = item.querySelector('time');
  const isEarlier = day < log.dataset.day;
  time.dataset.shown = `${isEarlier ? `${day.slice(8)}/${day.slice(5, 7)} ` : ''}${times.format(at)}`;
  log.append(item);
}

/** Moments are shown by the style sheet, so that nobody copies them along with the words. */
export function timeElement(at) {
  const time = document.createElement('time');
  time.dateTime = new Date(at).toISOString();
  time.dataset.shown = times.format(at);
  return time;
}

/** Today is yesterday tomorrow, and another language has other words for both. */
export function nameDays(log, language) {
  for (const time of log.querySelectorAll('.day time')) time.textContent = dayName(time.dateTime, language);
}

function dayName(day, language) {
  const locale = LOCALES[language];
  const ago = Math.round((Date.parse(dayOf(Date.now())) - Date.parse(day)) / DAY_MS);
  const name =
    ago < 2
      ? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-ago, 'day')
      : new Intl.DateTimeFormat(locale, {
          ...{ timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long' },
          ...(ago > 180 && { year: 'numeric' }),
        }).format(Date.parse(day));
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The line above what the customer has not seen yet. There is one at most. */
export function unreadLine(log, words) {
  if (log.querySelector('.unread')) return;
  const line = lineOf('unread');
  line.textContent = words;
  log.append(line);
}

function lineOf(kind, day) {
  const line = document.createElement('li');
  line.className = kind;
  if (day === undefined) return line;
  const time = document.createElement('time');
  time.dateTime = day;
  line.append(time);
  return line;
}
