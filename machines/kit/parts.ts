import { calls } from './call.ts';
import { choices, questions } from './choosing.ts';
import { type Remembered, states } from './conversation.ts';
import { typedAnswers } from './typed.ts';

/**
 * The makers of a machine's states and transitions, for its context:
 * `const { call, typed, choose, question, state } = parts<Context>()`.
 */
export function parts<Context extends Remembered>() {
  return {
    call: calls<Context>(),
    typed: typedAnswers<Context>(),
    choose: choices<Context>(),
    question: questions<Context>(),
    state: states<Context>(),
  };
}
