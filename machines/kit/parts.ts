import { calls } from './call.ts';
import { choices, decisions, questions } from './choosing.ts';
import { type Remembered, states } from './conversation.ts';
import { givenSecrets, typedAnswers } from './typed.ts';

/**
 * The makers of a machine's states and transitions, for its context:
 * `const { call, typed, given, choose, decide, question, state } = parts<Context>()`.
 */
export function parts<Context extends Remembered>() {
  return {
    call: calls<Context>(),
    typed: typedAnswers<Context>(),
    given: givenSecrets<Context>(),
    choose: choices<Context>(),
    decide: decisions<Context>(),
    question: questions<Context>(),
    state: states<Context>(),
  };
}
