import { assign } from 'xstate';
import { conversation, type Remembered, screen, type Wish, wishOf } from './kit/conversation.ts';

const LANGUAGES = ['fr', 'ar', 'en'] as const;
interface Choosing extends Remembered, Wish {
  language?: (typeof LANGUAGES)[number] | undefined;
}

/** The customer picks a language. Each name is written in its own language. */
export const language = conversation<Choosing>().createMachine({
  id: 'language',
  version: '1',
  context: ({ input }) => wishOf(input),
  initial: 'choosing',
  output: ({ context }) => ({
    resume: 'asItWas',
    // The menu in that language follows, and not the list that led here.
    ...(context.language && { language: context.language, next: 'menu' }),
    ...wishOf(context),
  }),
  states: {
    choosing: {
      meta: screen(() => ({
        key: 'language.choose',
        choices: LANGUAGES.map((id) => ({ id, key: `language.${id}` })),
        expects: 'choice',
      })),
      on: {
        chose: {
          target: 'chosen',
          actions: assign({
            language: ({ event }) => LANGUAGES.find((language) => language === event.choice),
          }),
        },
        back: 'chosen',
      },
    },
    chosen: { type: 'final' },
  },
});
