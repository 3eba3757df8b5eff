/** Arabic-Indic and Persian digits as the Latin ones they stand for. */
export function latinDigits(text: string): string {
  if (!/[\u0660-\u0669\u06f0-\u06f9]/.test(text)) return text;
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}

/** False for `12٣`: on a screen two kinds of digits side by side may change places (UAX #9), so nobody knows what was meant. */
export function isOneScript(text: string): boolean {
  return [/[0-9]/, /[\u0660-\u0669]/, /[\u06f0-\u06f9]/].filter((digits) => digits.test(text)).length < 2;
}

/** The same of a line, where words part its numbers: `ارسل ١٠٠ إلى 0612345678` can be read in one way only. */
export function hasOneScriptEach(line: string): boolean {
  return line.split(/\p{L}+/u).every(isOneScript);
}
