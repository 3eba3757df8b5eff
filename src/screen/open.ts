import type { Config } from '../config.ts';
import type { Language } from '../conversation/incoming.ts';
import { loadLocales } from './locales.ts';
import { type OperatorFacts, withOperatorFacts } from './operator-facts.ts';
import { createRenderer } from './renderer.ts';

/** What the sandbox takes for a top-up: whole dirhams. The API shows no amounts (open question 133). */
const OF_SANDBOX = '5-1000';

/** The operator's facts, as the settings name them. */
export function factsOf({ wallet, ...config }: Config): OperatorFacts {
  return {
    supportPhone: config.SUPPORT_PHONE,
    terms: {
      ...optional('fr', config.TERMS_URL_FR ?? config.TERMS_URL),
      ...optional('ar', config.TERMS_URL_AR ?? config.TERMS_URL),
      ...optional('en', config.TERMS_URL_EN ?? config.TERMS_URL),
    },
    ussdCode: config.USSD_CODE,
    topUpAmounts: config.TOP_UP_AMOUNTS ?? (wallet.kind === 'sandbox' ? OF_SANDBOX : undefined),
    coolDownHours: config.safety.coolDownHours > 0 ? String(config.safety.coolDownHours) : undefined,
  };
}

function optional(language: Language, url: string | undefined) {
  return url === undefined ? {} : { [language]: url };
}

/** The renderer of screens, with the operator's facts. */
export function open(config: Config) {
  const facts = factsOf(config);
  return {
    renderer: createRenderer(undefined, facts, config.SUPPORT_LINKS),
    // As they are said here: another release may not know what the operator's facts are.
    sentences: () => withOperatorFacts(loadLocales(), facts),
  };
}
