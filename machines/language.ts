import { machine, type Remembered, type Wish, wishOf } from './kit/conversation.ts';
import { parts } from './kit/parts.ts';

const LANGUAGES = ['fr', 'ar', 'en'] as const;
interface Choosing extends Remembered, Wish {
  language?: (typeof LANGUAGES)[number] | undefined;
}

const { choose, state } = parts<Choosing>();

/** The customer picks a language. Each name is written in its own language. */
export const language = machine<Choosing>({
  id: 'language',
  context: ({ input }) => wishOf(input),
  initial: 'choosing',
  output: ({ context }) => ({
    resume: 'asItWas',
    // The menu in that language follows, and not the list that led here.
    ...(context.language && { language: context.language, next: 'menu' }),
    ...wishOf(context),
  }),
  states: {
    choosing: state({
      shows: () => ({
        key: 'language.choose',
        choices: LANGUAGES.map((id) => ({ id, key: `language.${id}` })),
        expects: 'choice',
      }),
      chose: choose({
        target: 'chosen',
        know: (choice) => ({ language: LANGUAGES.find((language) => language === choice) }),
      }),
      back: 'chosen',
    }),
    chosen: { type: 'final' },
  },
});
