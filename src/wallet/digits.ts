/** Arabic-Indic and Persian digits as the Latin ones they stand for. */
export function latinDigits(text: string): string {
  if (!/[\u0660-\u0669\u06f0-\u06f9]/.test(text)) return text;
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}
