/** How long a page is, counted by the phone itself: GSM-7 septets, or UCS-2 characters once one letter needs it. */

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const EXTENSION = new Set('\f^{}\\[~]|€');

/** The septets that Wasl allows itself on one page. */
const MAX = { gsm7: 160, ucs2: 70 };

export function measure(text) {
  let used = 0;
  for (const char of text) {
    if (!BASIC.has(char) && !EXTENSION.has(char))
      return { encoding: 'ucs2', used: text.length, max: MAX.ucs2 };
    used += BASIC.has(char) ? 1 : 2;
  }
  return { encoding: 'gsm7', used, max: MAX.gsm7 };
}
