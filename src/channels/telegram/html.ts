/** A message's text has at most so many characters once its entities are parsed (facts B2). */
export const TEXT_MAX_CHARS = 4_096;
/** The same for the text under a picture. */
export const CAPTION_MAX_CHARS = 1_024;
/** Around a text that is hidden until it is tapped (`src/screen/marks.ts`). */
const HIDDEN = /\ue000([^\ue001]*)\ue001/g;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A text as Telegram's HTML: everything in it is text, but for the marks of hidden parts. */
export function html(text: string): string {
  return text.replace(/[&<>]/g, (char) => ESCAPES[char] ?? '').replace(HIDDEN, '<tg-spoiler>$1</tg-spoiler>');
}

/** True for a text with a part that is shown once it is tapped. */
export function hidesSomething(text: string): boolean {
  return text.search(HIDDEN) >= 0;
}

/** A text in pieces that fit, cut between lines. Only a line that is too long by itself is cut inside. */
export function pieces(text: string, charsMax: number = TEXT_MAX_CHARS): string[] {
  if (text.length <= charsMax) return [text];
  const lines = text.split('\n').flatMap((line) => chunks(line, charsMax));
  const cut: string[] = [];
  for (const line of lines) {
    const last = cut.at(-1);
    if (last !== undefined && last.length + 1 + line.length <= charsMax)
      cut[cut.length - 1] = `${last}\n${line}`;
    else cut.push(line);
  }
  return cut.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

function chunks(line: string, charsMax: number): string[] {
  if (line.length <= charsMax) return [line];
  const cut = [''];
  for (const char of line) {
    const last = cut[cut.length - 1] ?? '';
    if (last.length + char.length > charsMax) cut.push(char);
    else cut[cut.length - 1] = last + char;
  }
  return cut;
}
