import type { Config } from '../config.ts';
import type { Language } from '../conversation/incoming.ts';
import { loadLocales } from './locales.ts';
import { type OperatorFacts, withOperatorFacts } from './operator-facts.ts';
import { createRenderer } from './renderer.ts';

/** The amounts that the sandbox takes for a top-up: whole dirhams. The API shows none (open question 133). */
const OF_SANDBOX = '5-1000';

/** Nobody's: customers of the demonstration see where an operator's number stands. */
const DEMO_PHONE = '0800 000 000';

/**
 * The operator's facts, as the settings name them.
 * @param demoAt where the simulator has its pages of terms and tariffs. Absent: there is none, as beside a partner's wallet
 */
export function factsOf({ wallet, ...config }: Config, demoAt?: string): OperatorFacts {
  return {
    supportPhone: config.SUPPORT_PHONE ?? (demoAt && DEMO_PHONE),
    terms: pagesOf(config, 'TERMS_URL', demoAt && `${demoAt}/terms`),
    tariffs: pagesOf(config, 'FEES_URL', demoAt && `${demoAt}/tariffs`),
    ussdCode: config.USSD_CODE,
    topUpAmounts: config.TOP_UP_AMOUNTS ?? (wallet.kind === 'sandbox' ? OF_SANDBOX : undefined),
    coolDownHours: config.safety.coolDownHours > 0 ? String(config.safety.coolDownHours) : undefined,
  };
}

/** The addresses of a page, by language. Beside the sandbox the simulator has one of its own. */
function pagesOf(config: Omit<Config, 'wallet'>, name: 'TERMS_URL' | 'FEES_URL', demo: string | undefined) {
  const optional = (language: Language, own: string | undefined) => {
    const url = own ?? config[name] ?? (demo && `${demo}/${language}`);
    return url === undefined ? {} : { [language]: url };
  };
  return {
    ...optional('fr', config[`${name}_FR`]),
    ...optional('ar', config[`${name}_AR`]),
    ...optional('en', config[`${name}_EN`]),
  };
}

/** The renderer of screens, with the operator's facts. */
export function open(config: Config, demoAt?: string) {
  const facts = factsOf(config, demoAt);
  return {
    renderer: createRenderer(undefined, facts, config.SUPPORT_LINKS),
    // As they are said here: another release may not know what the operator's facts are.
    sentences: () => withOperatorFacts(loadLocales(), facts),
  };
}
