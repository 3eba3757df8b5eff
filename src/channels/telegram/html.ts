/** A message's text has at most so many characters once its entities are parsed (facts B2). */
export const TEXT_MAX_CHARS = 4_096;
/** The same for the text under a picture. */
export const CAPTION_MAX_CHARS = 1_024;
/** Around a text that is hidden until it is tapped (`src/screen/marks.ts`). */
const HIDDEN = /\ue000([^\ue001]*)\ue001/g;
/** Around a bold one. */
const BOLD = /\ue002([^\ue003]*)\ue003/g;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A text as Telegram's HTML: everything in it is text, but for the marks of hidden and bold parts. */
export function html(text: string): string {
  return text
    .replace(/[&<>]/g, (char) => ESCAPES[char] ?? '')
    .replace(HIDDEN, '<tg-spoiler>$1</tg-spoiler>')
    .replace(BOLD, '<b>$1</b>');
}

/** True for a text with a part that is shown once it is tapped. */
export function hidesSomething(text: string): boolean {
  return text.search(HIDDEN) >= 0;
}
