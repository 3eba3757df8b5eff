import { describe, expect, test } from 'vitest';
import type { LocaleFile, NameIn } from '../machines/kit/sentence-key.ts';
import { MACHINES } from '../src/conversation/chart/machines.ts';
import { READINGS } from '../src/conversation/chart/readings.ts';
import { LANGUAGES } from '../src/conversation/incoming.ts';
import { EVENTS } from '../src/payments/events.ts';
import { PAYMENT_KINDS } from '../src/payments/payments.ts';
import * as locales from '../src/screen/locales.ts';
import { placeholders } from '../src/screen/template.ts';
import { keyIn } from '../src/support/sentences.ts';
import { ERROR_CODES } from '../src/wallet/contract/errors.ts';
import { filesIn, readText } from './kit/tree.ts';
import { NAMED } from './support/named.ts';

/** Namespaces whose sentences are labels of pages, named in their HTML, scripts or code. */
const PAGES: Readonly<Record<string, string>> = {
  form: 'src/channels/form',
  identity: 'src/channels/identity/public',
  'identity-provider': 'src/sandbox/kyc',
  simulator: 'src/channels/simulator/public',
  demo: 'src/channels/simulator/demo',
  'three-ds': 'src/sandbox/cards',
  web: 'src/channels/web',
};

const resumable = Object.keys(MACHINES).filter((id) =>
  Object.values(MACHINES[id]?.states ?? {}).some(({ tags }) => tags.includes('resumable')),
);

/** The sentences whose keys code puts together of parts, so that they stand nowhere as they are. The compiler knows each of them. */
const COMPOSED: readonly string[] = [
  ...keys('amount', ['notAnAmount', 'ambiguous', 'tooPrecise', 'zero', 'tooLarge']),
  ...keys('language', LANGUAGES),
  ...keys('pay', ['newLink', 'newPin', 'newThaw']),
  ...(['takings', 'merchant-refund'] as const).flatMap((file) =>
    keys(file, ['line', 'lineOnly', 'older', 'newer']),
  ),
  ...keys('takings', ['today', 'yesterday', 'week']),
  ...keys('agent-check', ['stateOpen', 'stateDone', 'stateEnded']),
  ...keys('agent-day', ['depositOpen', 'depositNotDone', 'withdrawalOpen', 'withdrawalNotDone']),
  ...ERROR_CODES.map((code) => `problem.${code}`),
  ...keys('payouts', ['checking', 'ready', 'running', 'stopped', 'done', 'withdrawn']),
  ...keys('payouts', ['shown-checking', 'shown-ready', 'shown-running', 'shown-stopped', 'shown-done']),
  ...keys('payouts', ['wrong-notText', 'wrong-tooLarge', 'wrong-empty', 'wrong-tooMany', 'wrong-quotes']),
  ...keys('payouts', ['wrong-columns', 'wrong-account', 'wrong-ribKey', 'wrong-name', 'wrong-amount']),
  ...keys('payouts', ['wrong-reason', 'wrong-twice']),
  ...keys('payouts', ['went-done', 'went-stopped']),
  ...keys('principal-agents', ['inVain-waits', 'inVain-hasNumber', 'inVain-numberTaken', 'inVain-noAgent']),
  ...keys('payouts', ['shown-withdrawn', 'why-float', 'why-frozen', 'why-notAllowed', 'why-wallet']),
  ...keys('payouts', ['why-unguarded', 'why-oddRow']),
  ...resumable.map((machine) => `${machine}.resume`),
  // Of a payment, where its file has it: that it is not enabled, and its name on the console.
  ...PAYMENT_KINDS.flatMap((kind) => [`${kind}.notEnabled`, `${kind}.name`]).filter((key) =>
    locales.sentences('fr').has(key),
  ),
  ...READINGS.flatMap(({ id }) =>
    ['name', 'askPin', 'reading', 'unavailable', ...ownIn(id)].map((name) => `${id}.${name}`),
  ),
  ...PAYMENT_KINDS.flatMap((kind) => [
    // Nobody is asked to confirm what somebody else pays.
    ...(kind === 'card-payment' || kind === 'payout' || kind === 'payout-transfer' || kind === 'float-card'
      ? []
      : keys(kind, ['confirm', 'confirmAgain', 'confirmUnconfirmed', 'askPin'])),
    ...keys(kind, ['cancelled', 'waits', 'resumePayment', 'goOnWith']),
    ...keys(kind, ['processing', 'notConfirmed', 'notConfirmedAt', 'givenUp', 'done']),
    ...keys(kind, ['refused', 'refusedAt', 'notSent', 'notSentAt', 'failed', 'reversed']),
    ...keys(kind, ['notFound', 'human']),
  ]),
];
/** Labels that the pages put together: of a step, a customer's status, a field, a fault, what was done, an alphabet, a mark, a start, an app, a step of the tour. */
const LABEL_FAMILIES =
  /^(?:step\d|status\d|write[A-Z]|fault_|behind_|gsm7$|ucs2$|notify[A-Z]|start[A-Z]|sending$|sent$|(?:telegram|whatsapp)(?:Bot|Start)$|tour(?:Link|Code|Pin|Dial|Send|Amount|Confirm|Arrived)$)/;

function keys<Page extends LocaleFile>(page: Page, names: readonly NameIn<Page>[]): string[] {
  return names.map((name) => `${page}.${name}`);
}

/** The screens of a read-only conversation from its own file. */
function ownIn(id: string): string[] {
  return [...readText(`machines/${id}.ts`).matchAll(/\bown\('(\w+)'\)/g)].map(([, name = '']) => name);
}

const ALL = new Map(LANGUAGES.map((language) => [language as string, locales.sentences(language)]));

function sentences(language: string): ReadonlyMap<string, string> {
  return ALL.get(language) ?? new Map();
}

const SUFFIX = /(?:_(ussd|sms|brief|short))?(?:_(zero|one|two|few|many|other))?(?:_unset)?$/;

/** `pin.wrongWithTries_ussd_one` → `pin.wrongWithTries`. */
function baseOf(key: string): string {
  return key.replace(SUFFIX, '');
}

function basesOf(language: string): string[] {
  return [...new Set([...sentences(language).keys()].map(baseOf))].sort();
}

/** Where sentences are chosen. */
const CODE = filesIn([
  'machines',
  'src/payments',
  'src/conversation',
  'src/channels',
  'src/screen',
  'src/support',
]).filter(
  // It names every sentence and says none.
  (path) => path !== 'machines/kit/claims.ts',
);
const namespaces = [...new Set(basesOf('fr').map((key) => key.slice(0, key.indexOf('.'))))];
const spoken = namespaces.filter((name) => !(name in PAGES));
const literals = CODE.flatMap((path) =>
  [...readText(path).matchAll(/'([a-z][a-z\d-]*)\.([A-Za-z][\w-]*)'/g)].flatMap(([, namespace = '', name]) =>
    // Events of the wallet have names like keys.
    spoken.includes(namespace) && !(`${namespace}.${name}` in EVENTS) ? [`${namespace}.${name}`] : [],
  ),
);
/** The console's words, by their names in code. */
const named = NAMED.map(([of, name]): string => keyIn<string, string>(of, name));
const CONSOLE = filesIn(['src/support', 'src/conversation', 'src/records']).map(readText).join('\n');
/** The other families of its sentences: the compiler knows that none is missing, and each must be of a name in code. */
const FAMILIES = new Set(
  [...CONSOLE.matchAll(/\b(?:keyIn|NameIn|wordFor)\W+(?:\w+, )?'(\w+)'/g)].map(([, name = '']) => name),
);
for (const [of] of NAMED) FAMILIES.delete(of);
const inFamilies = [...FAMILIES].flatMap((family) =>
  basesOf('fr').filter((key) => {
    const [, name] = new RegExp(`^console\\.${family}([A-Z\\d]\\w*?)(?:Text)?$`).exec(key) ?? [];
    const words = name?.replace(/(?<=.)[A-Z]/g, (letter) => `-?${letter}`);
    return words !== undefined && new RegExp(`\\b(?:${family}${words}|${words})\\b`, 'i').test(CONSOLE);
  }),
);
const used = new Set([...literals, ...COMPOSED, ...named, ...inFamilies]);

/** The short forms of sentences. */
const SHORT = ['ussd', 'sms', 'brief', 'short'];

/** The placeholders of every sentence and its plural forms, by language, key and medium (`''` is the long form). */
const ASKED = new Map<string, Set<string>>();
for (const [language, all] of ALL) {
  for (const [key, sentence] of all) {
    const name = `${language} ${baseOf(key)} ${SUFFIX.exec(key)?.[1] ?? ''}`;
    ASKED.set(name, new Set([...(ASKED.get(name) ?? []), ...placeholders(sentence)]));
  }
}

/**
 * Short forms without room for a value of the French one (docs/contributor/wording.md). Questions for a PIN and for an
 * amount are one page. The message with a voucher's code is one SMS, and a doubled payment is two.
 */
const NO_ROOM_FOR: Readonly<Record<string, readonly string[]>> = {
  // The amount that is due stands for the payment, beside four choices.
  'ar pay.short ussd': ['payment'],
  'ar pay.shortOf ussd': ['payment'],
  'ar pay.shortAt ussd': ['payment'],
  // Beside an amount, the figure of the limit is read as an amount that can be sent. A choice leads to it.
  'ar pay.aboveLimit ussd': ['limit'],
  'ar bank-transfer.askAmount brief': ['account'],
  'ar bank-transfer.accountAt ussd': ['bank'],
  'ar bank-transfer.called sms': ['to'],
  'ar bank-transfer.called brief': ['to'],
  // Above the menu for days: its customer has read to whom it goes.
  'ar bank-transfer.accepted brief': ['to'],
  'ar bank-transfer.acceptedAt brief': ['to'],
  'ar bank-transfer.resumePayment brief': ['to'],
  'ar merchant-payment.askAmount brief': ['merchant'],
  // It is the customer's own.
  'ar voucher.askPin ussd': ['article', 'to'],
  'ar voucher.askPin brief': ['article', 'to'],
  // The words of a form are in French, and its label says what to type.
  'ar bill-payment.askUnder ussd': ['above'],
  'ar bill-payment.askDateUnder ussd': ['above'],
  'ar bill-payment.askDateUnder brief': ['above'],
  'ar bill-payment.offerUnder ussd': ['above'],
  'ar bill-payment.offerUnder brief': ['above'],
  // Under a mistake at the PIN, which leaves the question on its page: the page before it had all of them.
  'ar bank-transfer.confirm brief': ['reason', 'to'],
  'ar card-refund.askPin brief': ['paid', 'paidAt'],
  'ar merchant-payment.confirmNamed brief': ['recipientName'],
  'ar transfer.confirmNamed brief': ['recipientName'],
  'ar voucher.codeExpired sms': ['article'],
  // Under a mistake at another question.
  'ar freeze.askCode brief': ['phone'],
  'ar merchant-refund.howMuch brief': ['paid', 'paidAt'],
  'ar merchant-refund.howMuchLeft brief': ['paid', 'paidAt', 'to'],
  'ar onboarding.askCode brief': ['phone'],
  'ar pin-reset.askCode brief': ['phone'],
};

function asked(language: string, base: string, medium = ''): string[] {
  // A voucher's `shop` is its brand, where the article does not name it.
  const names = [...(ASKED.get(`${language} ${base} ${medium}`) ?? [])];
  return names.map((name) => (name === 'shop' ? 'brand' : name)).sort();
}

/** An SMS that is still to go: its gateway may be down. */
const PROMISES_SMS: Readonly<Record<string, RegExp>> = {
  fr: /vous recevez (?!aussi).*SMS|lien envoyé par SMS|SMS suit|envoyons ensuite/i,
  ar: /س(?:تتوصلون|يصلكم) (?:ب?الرابط|رابط|رمز)|الرابط المرسل/,
  en: /you will get the link|link we sent|code follows by SMS|then send a code/i,
};
test.each(LANGUAGES)(
  'no screen in %s says of a link or a code that an SMS brings it before one has gone',
  (language) => {
    const promising = [...sentences(language)].filter(([, text]) => PROMISES_SMS[language]?.test(text));
    expect(promising).toEqual([]);
  },
);

describe('sentences and code', () => {
  test('every key in code has its sentence', () => {
    const known = new Set(basesOf('fr'));
    expect([...used].filter((key) => !known.has(key))).toEqual([]);
  });

  test('no sentence is unused', () => {
    const unused = basesOf('fr').filter(
      (key) => spoken.some((name) => key.startsWith(`${name}.`)) && !used.has(key),
    );
    expect(unused).toEqual([]);
  });

  test.each(Object.entries(PAGES))(
    'the labels of the page of %s are the ones it names',
    (namespace, directory) => {
      const text = filesIn([directory], ['.html', '.js', '.ts']).map(readText).join('\n');
      const names = [
        ...text.matchAll(
          /\{\{(\w+)\}\}|data-(?:label|aria|title)="(\w+)"|\blabel\('(\w+)'|\b(?:labels|LABELS\[language\])\.(\w+)/g,
        ),
      ].map(([, ...groups]) => groups.find(Boolean) ?? '');
      const labels = basesOf('fr').flatMap((key) =>
        key.startsWith(`${namespace}.`) ? [key.slice(namespace.length + 1)] : [],
      );
      expect(names.filter((name) => name !== 'labels' && !labels.includes(name))).toEqual([]);
      expect(labels.filter((name) => !names.includes(name) && !LABEL_FAMILIES.test(name))).toEqual([]);
    },
  );
});

describe.each(LANGUAGES)('in %s', (language) => {
  test('the same sentences are there as in French', () => {
    expect(basesOf(language)).toEqual(basesOf('fr'));
  });

  test('each asks for the same values as in French, and a short form for none that the long one lacks', () => {
    const wrong = basesOf('fr').flatMap((base) => {
      const long = asked(language, base);
      const sameAsFrench = String(long) === String(asked('fr', base));
      const shorter = SHORT.flatMap((medium) => asked(language, base, medium));
      // The month of a bill, or how many there are, stands for their names where room is short. An Arabic page may name a payment by its amount.
      const isMore = (name: string) =>
        name === 'due' ||
        (name === 'amount' && /^pay\.(?:askNew|short|above)/.test(base)) ||
        // The first words of a pass, where all of its name stands below.
        (name === 'product' && base === 'top-up.askPin');
      return sameAsFrench && shorter.every((name) => long.includes(name) || isMore(name)) ? [] : [base];
    });
    expect(wrong).toEqual([]);
  });

  test('the short form on USSD and by SMS names the values of the French one', () => {
    const said = (it: string, base: string, medium: string) =>
      ASKED.has(`${it} ${base} ${medium}`) ? asked(it, base, medium) : asked(it, base);
    const lacking = basesOf('fr').flatMap((base) =>
      SHORT.flatMap((medium) => {
        const name = `${language} ${base} ${medium}`;
        const own = said(language, base, medium);
        const lacks = said('fr', base, medium).filter((value) => !own.includes(value));
        return String(lacks) === String(NO_ROOM_FOR[name] ?? []) ? [] : [`${name}: ${lacks}`];
      }),
    );
    expect(lacking).toEqual([]);
  });

  test('a plural has all of its forms', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    const forms = new Map<string, string[]>();
    for (const key of sentences(language).keys()) {
      const form = SUFFIX.exec(key)?.[2];
      if (!form) continue;
      const stem = key.slice(0, -form.length - 1);
      forms.set(stem, [...(forms.get(stem) ?? []), form]);
    }
    expect(forms.size).toBeGreaterThan(0);
    for (const [stem, found] of forms) expect(found.sort(), stem).toEqual([...pluralCategories].sort());
  });

  test('it is written in its own script', () => {
    // Each language is named in itself, so that its speakers find it. The names of alphabets are the same everywhere.
    const international = /^(?:language\.(?:fr|ar|en|first|choose_ussd)|simulator\.(?:gsm7|ucs2|units))/;
    const wrong = [...sentences(language)].filter(([key, sentence]) => {
      const isArabic = /\p{Script=Arabic}/u.test(sentence);
      // A line of nothing but values is in no script.
      const hasWords = /\p{L}/u.test(sentence.replaceAll(/\{\{[^}]+\}\}/g, ''));
      return hasWords && !international.test(key) && isArabic !== (language === 'ar');
    });
    expect(wrong).toEqual([]);
  });

  test('an amount lacks its currency only on a page that has it once', () => {
    // The heading of a list has it for its lines. The lines of bills stand below their total.
    const lines = /^(?:statement\.line|bill-payment\.(?:item|fixedItem|chosen|notChosen|sumAdded)_ussd)/;
    // A full Arabic page of the PIN says what is done and to whom instead.
    const full = /(?:askPin|confirm)\w*_brief$|(?:confirmNamed|askNew)_ussd$|^voucher\.called_brief$/;
    const currency = {
      fr: /DH|\{\{\w+\}\}/,
      ar: /درهم|\{\{(?:total|amount|due)\}\}/,
      en: /MAD|\{\{\w+\}\}/,
    }[language];
    const without = [...sentences(language)].filter(
      ([key, sentence]) =>
        /\{\{(?!\w*[aA]t,|since,|until,|due,|contract,|creditor,|brand,|recipientName,)\w+, (?:bare|whole)\}\}/.test(
          sentence,
        ) &&
        !lines.test(key) &&
        !(language === 'ar' && full.test(key)) &&
        !currency.test(sentence),
    );
    expect(without).toEqual([]);
  });

  test('no sentence of a chat names a digit to choose: its buttons have none', () => {
    const inChats = [...sentences(language)].filter(([key]) => !/_(?:ussd|sms|brief|short)/.test(key));
    const digits = inChats.filter(([, text]) => /(?:puis|then|ثم) \d/.test(text));
    expect(digits.map(([key]) => key)).toEqual([]);
  });

  test('only a page has details apart from its question, and a question for a PIN between two marks', () => {
    const apart = [...sentences(language)].filter(([, sentence]) => sentence.includes('\f'));
    expect(apart.filter(([key]) => !/_(?:ussd|brief)(?:_unset)?$/.test(key))).toEqual([]);
    const asksPin = apart.filter(([key]) => /askPin/.test(key));
    expect(asksPin.filter(([, sentence]) => sentence.split('\f').length !== 3)).toEqual([]);
  });

  test('no sentence begins or ends with a space, or has two', () => {
    expect(
      [...sentences(language)].filter(([, sentence]) => /^[^\S\f]|[^\S\f]$| {2}/.test(sentence)),
    ).toEqual([]);
  });
});

test('French has its accents', () => {
  // Words that nobody writes without: a file that lost its encoding, or was typed in a hurry, shows here.
  const bare =
    /\b(?:numero|recu|envoye|operation|beneficiaire|deja|reessayer|annule|francais|solde debite)\b/i;
  expect([...sentences('fr')].filter(([, sentence]) => bare.test(sentence))).toEqual([]);
});

/**
 * Words that are true only of a payment from the customer's own wallet. They are false of an agent's float and of a
 * change to a card payment.
 */
const RETURNED_TO_ONESELF = /vous est rendu|returned to you\.|إلى محفظتكم|أعيد المبلغ إليكم/;
const NOTHING_DEBITED = /rien n'a été débité|nothing was debited|لم يخصم/i;
const BY_REFERENCE = /référence|reference|المرجع/;

test.each([
  [
    'what an agent’s float gets back is not returned to the agent',
    'agent-cash-in.reversed',
    RETURNED_TO_ONESELF,
  ],
  [
    'what the principal agent’s float gets back is not returned to who acts for it',
    'b2b-top-up.reversed',
    RETURNED_TO_ONESELF,
  ],
  ['what was collected is not returned to the merchant', 'card-capture.reversed', RETURNED_TO_ONESELF],
  ['a deposit just like another is known by amount and customer', 'agent-cash-in.confirmAgain', BY_REFERENCE],
  ['so is one that is not confirmed', 'agent-cash-in.confirmUnconfirmed', BY_REFERENCE],
  ...['card-capture', 'card-reverse'].flatMap((file) =>
    ['failed', 'refused', 'refusedAt', 'cancelled'].map(
      (name) => ['a card may have been charged', `${file}.${name}`, NOTHING_DEBITED] as const,
    ),
  ),
] as const)('%s: %s', (_, base, untrue) => {
  const said = LANGUAGES.flatMap((language) => [...sentences(language)]).filter(
    ([key]) => baseOf(key) === base,
  );
  expect(said.length).toBeGreaterThanOrEqual(2 * LANGUAGES.length);
  expect(said.filter(([, sentence]) => untrue.test(sentence))).toEqual([]);
});

test('no Arabic word of one letter stands apart from the value that it belongs to', () => {
  const apart = /(?<!\p{L})[بلكفو](?: |ـ )(?=[«{])|(?<!\p{L})[بلك](?=\{\{(?!payment|brief))/u;
  expect([...sentences('ar')].filter(([, sentence]) => apart.test(sentence))).toEqual([]);
});

/** "Give it", the agent, and the counter, as sentences about a withdrawal say them. */
const GIVEN = { fr: /donne[zr]/i, ar: /تعطو/, en: /\bgive\b/i };
const AGENT = { fr: /qu'à l'agent/, ar: /إلا للوكيل/, en: /only to the agent/i };
const COUNTER = { fr: /guichet/, ar: /شباك/, en: /counter/ };

test.each(LANGUAGES)(
  'a withdrawal is paid out by the agent, who alone is given its reference: %s',
  (language) => {
    const ofWithdrawals = [...locales.sentences(language)].filter(([key]) =>
      /^(?:cash-out|references|freeze)\./.test(key),
    );
    const given = ofWithdrawals.filter(([, text]) => GIVEN[language].test(text));
    expect(given.length).toBeGreaterThan(8);
    expect(given.filter(([, text]) => !AGENT[language].test(text))).toEqual([]);
    expect(ofWithdrawals.filter(([, text]) => COUNTER[language].test(text))).toEqual([]);
  },
);
