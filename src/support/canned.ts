import type { Values } from '../../machines/kit/screen.ts';
import type { Language } from '../conversation/incoming.ts';
import { type ConsoleKey, keyIn, say } from './sentences.ts';

/** The most frequent messages of agents: the word that finds each, and its sentence. */
const CANNED = (['hello', 'moment', 'payment', 'secret', 'dial', 'more', 'bye'] as const).map((name) => {
  const word = keyIn('canned', name);
  return [word, `${word}Text`] as const satisfies readonly [ConsoleKey, ConsoleKey];
});

/** The words of the built-in ones. */
export function builtInWords(language: Language): string[] {
  return CANNED.map(([word]) => say(language, word));
}

/** An answer that an agent can choose. */
export interface Canned {
  /** The id of an answer that a supervisor has written. For a built-in one, the key of its word. */
  readonly id: string;
  /** In the agent's language. */
  readonly word: string;
  readonly text: string;
}

/**
 * Answers for one customer, in their language. An answer that names a payment is left out where there is none.
 * @param reference of their newest payment, as they read it
 */
export function cannedAnswers(
  theirs: Language,
  own: Language,
  agent: string,
  reference: string | undefined,
): Canned[] {
  const values: Values = {
    agent: { name: agent },
    ...(reference !== undefined && { reference: { code: reference } }),
  };
  return CANNED.filter(([word]) => reference !== undefined || word !== 'console.cannedPayment').map(
    ([word, text]) => ({ id: word, word: say(own, word), text: unmarked(say(theirs, text, values)) }),
  );
}

function unmarked(text: string): string {
  return text.replace(/[\u2066-\u2069]/g, '').replaceAll('\u00a0', ' ');
}
