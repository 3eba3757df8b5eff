/** Fewer and a secret is a word, a pattern or a key held down. */
const BITS_MIN = 24;

/**
 * The most bits that a secret can have, roughly. A random one keeps nearly all of its own. A secret that repeats, holds
 * a key down or counts up loses them: 32 times `x` has none. It is no proof of randomness, which no text shows.
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

/** The commonest pairs of letters in English and French: words are made of them, and a generated text has few. */
const PAIRS =
  /(?=th|he|in|er|an|re|on|at|en|nd|ti|es|or|te|of|ed|is|it|al|ar|st|to|nt|ng|se|ha|as|ou|io|le|ve|co|me|de|ri|ro|ic|ne|ea|ra|ce|qu|ur)/gi;
/** One in 1,600 generated keys of 32 characters has as many. */
const PAIRS_SHARE_MAX = 0.2;
/** 32 hexadecimal digits have more. */
const GENERATED_BITS_MIN = 60;

/** False for words, also in other spellings and with digits behind them, and for what is too short or repeats. */
export function looksGenerated(secret: string): boolean {
  const pairs = secret.match(PAIRS)?.length ?? 0;
  return pairs < PAIRS_SHARE_MAX * (secret.length - 1) && bitsOf(secret) >= GENERATED_BITS_MIN;
}

/** After how many characters a text begins again. */
function periodOf(text: string): number {
  for (let period = 1; period < text.length; period++) if (text.startsWith(text.slice(period))) return period;
  return text.length;
}
