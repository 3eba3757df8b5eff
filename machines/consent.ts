import { questions } from './kit/choosing.ts';
import { last, machine, type Remembered } from './kit/conversation.ts';

/** The version of the terms that the customer agrees to. New wording is a new version, kept with each consent. */
export const TERMS_VERSION = '2026-11';

const question = questions<Remembered>();

/** Before anything is asked of a new customer: do they agree to the terms and to the use of their data? */
export const consent = machine<Remembered>({
  id: 'consent',
  context: ({ input }) => ({ notice: input.notice }),
  initial: 'asking',
  states: {
    asking: question(
      () => ({ key: 'consent.ask', reads: 'terms' }),
      [
        { id: 'agree', key: 'consent.agree', target: 'agreed' },
        { id: 'decline', key: 'consent.decline', target: 'declined' },
        { id: 'language', key: 'consent.language', target: 'left' },
      ],
      { back: 'left' },
    ),
    agreed: { type: 'final', output: { consent: TERMS_VERSION, next: 'onboarding' } },
    /** Asked again in the language that is chosen then: nobody agrees to what they cannot read. */
    left: { type: 'final', output: { next: 'language' } },
    declined: last('consent.declined'),
  },
});
