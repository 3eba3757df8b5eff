import asks from '../../src/wallet/question-words.json' with { type: 'json' };

/** Partner API v2.3, Limits: first and last name, at least 2 latin letters. */
const NAME = /^\p{Script=Latin}(?:[\p{Script=Latin} '’-]{0,38})\p{Script=Latin}$/u;
/** Words of a question or a wish. A name of one word may be one of them, and a name of several has none. */
const SENTENCE_WORD = new RegExp(
  `(?:^|[\\s'’-])(?:c['’]est|est-ce|combien|${Object.values(asks).join('|')})(?=$|[\\s'’-])`,
  'i',
);
/** Words before a name that are none: `je m'appelle Amine`. */
const INTRODUCTION =
  /^(?:je m['’]appelle|moi,? c['’]est|mon (?:pr[ée])?nom(?: de famille)? est|my (?:first |last )?name is|i am|i['’]m|smiti|ismi)\s+(?=\S)/i;
/** Partner API v2.3: at least 5 characters. Loose on purpose: there is no official grammar (facts E3). */
const CIN = /^[A-Z]{1,2}\d{4,8}$/;

/**
 * A name as the wallet takes it: at least two latin letters, spaces, hyphens and apostrophes between them. A question is none
 * (not shown in v2.3): it would stand in the file of a customer for good.
 */
export function readName(text: string): string | undefined {
  const line = text.normalize('NFC').replace(/\s+/g, ' ').trim();
  const name = line.replace(INTRODUCTION, '');
  const isSentence = line.includes(' ') && SENTENCE_WORD.test(name);
  return NAME.test(name) && !isSentence ? name : undefined;
}

/** A Moroccan national ID number in its usual writing, `AB123456`. */
export function readCin(text: string): string | undefined {
  const cin = text.replace(/[\s.-]/g, '').toUpperCase();
  return CIN.test(cin) ? cin : undefined;
}
