/** Fewer and a secret is a word, a pattern or a key held down. */
const BITS_MIN = 24;

/**
 * About how many bits a secret has at most. A random one keeps nearly all of its own; what repeats, holds a key down or counts
 * up loses them: 32 times `x` has none. It is no proof of randomness, which no text shows.
 */
export function bitsOf(secret: string): number {
  const once = secret.slice(0, periodOf(secret));
  const codes = [...once].map((char) => char.codePointAt(0) ?? 0);
  const surprises = codes.filter((code, i) => Math.abs(code - (codes[i - 1] ?? Number.NaN)) > 1).length;
  return Math.round(surprises * Math.log2(new Set(codes).size));
}

/** True for what somebody who tries words and patterns finds. */
export function isGuessable(secret: string): boolean {
  return bitsOf(secret) < BITS_MIN;
}

/** After how many characters a text begins again. */
function periodOf(text: string): number {
  for (let period = 1; period < text.length; period++) if (text.startsWith(text.slice(period))) return period;
  return text.length;
}
