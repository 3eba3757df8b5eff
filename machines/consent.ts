import { conversation, ending, type Remembered, screen } from './kit/conversation.ts';

/** The version of the terms that the customer agrees to. New wording is a new version, kept with each consent. */
export const TERMS_VERSION = '2026-11';

/** Before anything is asked of a new customer: do they agree to the terms and to the use of their data? */
export const consent = conversation<Remembered>().createMachine({
  id: 'consent',
  version: '1',
  context: ({ input }) => ({ notice: input.notice }),
  initial: 'asking',
  states: {
    asking: {
      meta: screen(() => ({
        key: 'consent.ask',
        choices: [
          { id: 'agree', key: 'consent.agree' },
          { id: 'decline', key: 'consent.decline' },
          { id: 'language', key: 'consent.language' },
        ],
        expects: 'choice',
      })),
      on: {
        chose: [
          { guard: ({ event }) => event.choice === 'agree', target: 'agreed' },
          { guard: ({ event }) => event.choice === 'language', target: 'left' },
          { target: 'declined' },
        ],
      },
    },
    agreed: { type: 'final', output: { consent: TERMS_VERSION, next: 'onboarding' } },
    /** Asked again in the language that is chosen then: nobody agrees to what they cannot read. */
    left: { type: 'final', output: { next: 'language' } },
    declined: { type: 'final', meta: screen(() => ({ key: 'consent.declined', expects: 'nothing' })) },
  },
  output: ending,
});
