import type { Config } from '../config.ts';
import { loadLocales } from './locales.ts';
import { withOperatorFacts } from './operator-facts.ts';
import { createRenderer } from './renderer.ts';

/** The renderer of screens, with the operator's facts. */
export function open({ SUPPORT_PHONE, SUPPORT_LINKS, TERMS_URL, USSD_CODE }: Config) {
  const facts = { supportPhone: SUPPORT_PHONE, terms: TERMS_URL, ussdCode: USSD_CODE };
  return {
    renderer: createRenderer(undefined, facts, SUPPORT_LINKS),
    // As they are said here: another release may not know what the operator's facts are.
    sentences: () => withOperatorFacts(loadLocales(), facts),
  };
}
