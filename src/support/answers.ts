import { LANGUAGES, type Language } from '../conversation/incoming.ts';
import { withoutSecrets } from '../conversation/session/talk.ts';
import { latinDigits } from '../wallet/digits.ts';
import { linksRemoved } from '../wallet/names.ts';
import { builtInWords, type Canned, cannedAnswers } from './canned.ts';
import type { NameIn } from './sentences.ts';

export const ANSWERS_MAX = 60;
export const ANSWER_MAX_CHARACTERS = 400;
export const WORD_MAX_CHARACTERS = 20;
const WORD = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*$/u;
/** A placeholder for a fact of the conversation: `{{agent}}`. */
const VALUE = /\{\{(\w+)\}\}/g;
/** The values that replace the placeholders. */
interface AnswerValues {
  /** The name that the agent goes by. */
  readonly agent: string;
  /** Of the customer's newest payment, as they read it. */
  readonly reference: string | undefined;
}
export const VALUES: readonly (keyof AnswerValues)[] = ['agent', 'reference'];

/** A canned answer that a supervisor has written at the console. */
export interface WrittenAnswer {
  readonly id: string;
  readonly words: Readonly<Record<Language, string>>;
  /** As its customer reads it, with `{{agent}}` and `{{reference}}`. */
  readonly texts: Readonly<Record<Language, string>>;
}

/**
 * The fault of an answer: a word that cannot be typed or belongs to another one, or a language without a text. Or a placeholder is unknown or not in
 * all three, or signs would be removed on the way to the customer.
 */
export function wrongIn(
  { words, texts }: WrittenAnswer,
  others: readonly WrittenAnswer[],
  hosts: readonly string[],
): NameIn<'said'> | undefined {
  const each = <T>(all: Readonly<Record<Language, T>>) => LANGUAGES.map((language) => all[language]);
  if (!each(words).every((word) => WORD.test(word) && word.length <= WORD_MAX_CHARACTERS))
    return 'answerWord';
  if (!each(texts).every((text) => text !== '' && text.length <= ANSWER_MAX_CHARACTERS)) return 'answerText';
  const [first, ...rest] = each(texts).map(valuesIn);
  if (!first || !rest.every((values) => values?.join() === first.join())) return 'answerValues';
  if (each(texts).some((text) => isLost(text, hosts))) return 'answerLost';
  const isTaken = (language: Language) =>
    [...builtInWords(language), ...others.map((other) => other.words[language])].includes(words[language]);
  return LANGUAGES.some(isTaken) ? 'answerTaken' : undefined;
}

/** The placeholders of a text, each once, in one order. Undefined where it has an unknown one, or half of one. */
function valuesIn(text: string): readonly string[] | undefined {
  const names = [...text.matchAll(VALUE)].map(([, name = '']) => name);
  const isKnown =
    names.every((name) => VALUES.some((value) => value === name)) &&
    !/\{\{|\}\}/.test(text.replace(VALUE, ''));
  return isKnown ? [...new Set(names)].sort() : undefined;
}

function isLost(text: string, hosts: readonly string[]): boolean {
  const bare = latinDigits(text.replace(VALUE, ''));
  return withoutSecrets(bare) !== bare || linksRemoved(bare, hosts).length > 0;
}

/** The answers for one customer, in their language. An answer that names a payment is left out where there is none. */
export function writtenFor(
  answers: readonly WrittenAnswer[],
  theirs: Language,
  own: Language,
  values: AnswerValues,
): Canned[] {
  return answers.flatMap(({ id, words, texts }) => {
    const isLacking = texts[theirs].includes('{{reference}}') && values.reference === undefined;
    const text = texts[theirs].replace(VALUE, (_, name: keyof AnswerValues) => values[name] ?? '');
    return isLacking ? [] : [{ id, word: words[own], text }];
  });
}

/** Everything that an agent can choose for one customer: the answers of supervisors, then the built-in ones. */
export function cannedFor(
  answers: readonly WrittenAnswer[],
  theirs: Language,
  own: Language,
  values: AnswerValues,
): Canned[] {
  return [
    ...writtenFor(answers, theirs, own, values),
    ...cannedAnswers(theirs, own, values.agent, values.reference),
  ];
}
