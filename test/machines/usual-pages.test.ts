import { expect, test } from 'vitest';
import type { Screen } from '../../machines/kit/screen.ts';
import type { SentenceKey } from '../../machines/kit/sentence-key.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import type { Rib } from '../../src/wallet/rib.ts';
import { readText } from '../kit/tree.ts';
import { USUAL_SCREENS } from './usual-screens.ts';

const renderer = createRenderer();
const [, figures = ''] = readText('docs/contributor/screen-figures.md').split('\n## Pages on USSD\n');
/** The rows of that table: pages in French, Arabic and English. */
const ROWS = new Map(
  [...figures.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \| (\d+) \|$/gm)].map(([, name = '', ...now]) => [
    name,
    now.map(Number),
  ]),
);

test.each(USUAL_SCREENS)('%s takes as many pages as its table says', (name, screen) => {
  const pages = LANGUAGES.map((language) => renderer.ussd(screen, language, 0).pages);
  expect(pages).toEqual(ROWS.get(name));
});

test('the table has no other rows', () => {
  expect([...ROWS.keys()]).toEqual(USUAL_SCREENS.map(([name]) => name));
});

test.each(USUAL_SCREENS.filter(([, { first, isAnswer }]) => first && !isAnswer))(
  '%s: its first page names that payment, in few words or in all of them',
  (_, screen) => {
    for (const [language, said] of [
      ['fr', /^(Votre e|E)nvoi de 200,00 DH au 0655000000 (n'est pas encore|non) confirmé[.,] /],
      ['ar', /^لم يؤكد (بعد )?إرسال 200 درهم إلى 0655000000[.،] لا تعيدوه\. /],
      ['en', /^(Your t|T)ransfer of MAD 200\.00 to 0655000000 (is )?not confirmed yet[.:] /],
    ] as const)
      expect(renderer.ussd(screen, language, 0).text.replaceAll(/\s/g, ' ')).toMatch(said);
  },
);

/** Questions that are a sentence, with the mistakes that lead back to them. */
const MISTAKES: readonly (readonly [Screen['expects'], SentenceKey, readonly SentenceKey[]])[] = [
  ['name', 'onboarding.askFirstName', ['onboarding.notAName']],
  ['name', 'onboarding.askLastName', ['onboarding.notAName']],
  ['nationalId', 'onboarding.askCin', ['onboarding.notACin', 'onboarding.noCin']],
  ['otp', 'onboarding.askCode', ['linking.wrongCode', 'onboarding.codeFormat', 'linking.codeComes']],
  ['otp', 'pin-reset.askCode', ['linking.wrongCode', 'pin-reset.codeFormat', 'linking.codeComes']],
  ['otp', 'freeze.askCode', ['linking.wrongCode', 'linking.codeFormat', 'linking.codeComes']],
  ['pin', 'freeze.askPin', ['pin.wrong', 'pin.wrongWithTries', 'pin.format']],
  ['pin', 'pin-change.askOldPin', ['pin.wrong', 'pin.wrongWithTries', 'pin.format', 'pin.lastTry']],
  ['newPin', 'pin.askNew', ['pin.format', 'pin.weak', 'pin.differ']],
  ['newPin', 'pin.repeatNew', ['pin.format']],
  ['newPin', 'onboarding.askNewPin', ['pin.format', 'pin.weak', 'pin.differ']],
  ['newPin', 'onboarding.repeatPin', ['pin.format']],
  [
    'account',
    'transfer.askRecipient',
    [
      'mobile.notANumber',
      'mobile.unfinished',
      'mobile.again',
      'nav.firstOnly',
      'transfer.toYourself',
      'problem.90013',
    ],
  ],
  ['account', 'transfer.askRecipient', ['bank-transfer.notARib', 'bank-transfer.wrongKey', 'nav.tooLong']],
  ['account', 'bank-transfer.askRib', ['bank-transfer.notARib', 'bank-transfer.wrongKey']],
  ['name', 'bank-transfer.askHolder', ['bank-transfer.notAHolder']],
  ['field', 'bank-transfer.askReason', ['bank-transfer.notAReason']],
  ['phone', 'top-up.askNumber', ['mobile.notANumber', 'mobile.unfinished', 'mobile.noName']],
  ['phone', 'voucher.askNumber', ['mobile.notANumber', 'mobile.noName']],
  ['name', 'voucher.askName', ['voucher.notAName']],
  [
    'phone',
    'merchant-payment.askMerchant',
    ['mobile.notANumber', 'merchant-payment.toYourself', 'problem.90026'],
  ],
  ['name', 'beneficiaries.askName', ['beneficiaries.notAName']],
  ['name', 'beneficiaries.askNewName', ['beneficiaries.notAName']],
  ['reference', 'agent-cash-in.ask', ['agent-cash-in.notThat', 'agent-cash-in.noSuch', 'problem.90121']],
  ['reference', 'agent-cash-out.ask', ['agent-cash-out.notThat', 'agent-cash-out.noSuch', 'problem.90122']],
  ['reference', 'agent-cash-out.ask', ['agent-cash-out.byReferenceOnly', 'agent-cash-out.used']],
];

test.each(MISTAKES)('a mistake at a %s leaves the question on its page: %s', (expects, key, mistakes) => {
  const values = {
    phone: { phone: msisdn('0612345678') },
    count: { count: 2 },
    firstName: { name: 'Salma' },
    name: { name: 'Salma' },
    to: { phone: msisdn('0612345678') },
    account: { account: '007780000123456789012396' as Rib },
  };
  for (const language of LANGUAGES)
    for (const mistake of mistakes) {
      const screen: Screen = { key, values, expects, notice: { key: mistake, values } };
      expect(renderer.ussd(screen, language, 0).pages, `${mistake} in ${language}`).toBe(1);
    }
});

test.each(
  USUAL_SCREENS.flatMap(([name, { key, values }]) =>
    values && key.endsWith('.askPin') ? [[name, key, values] as const] : [],
  ),
)('%s: a dial that offers to go on shows both answers beside the question', (_, key, values) => {
  const [kind = ''] = key.split('.');
  // Names of creditors and brands are longer than in the table.
  const named = Object.hasOwn(values, 'creditor')
    ? { ...values, creditor: { name: 'Maroc Telecom (test)' } }
    : values;
  const screen: Screen = {
    key: `${kind}.resumePayment` as SentenceKey,
    values: named,
    expects: 'choice',
    choices: [
      { id: 'continue', key: 'resume.continue' },
      { id: 'leave', key: 'resume.leave' },
    ],
  };
  for (const language of LANGUAGES) expect(renderer.ussd(screen, language, 0).pages, language).toBe(1);
});

const NOTHING_TAKEN = /لم يخصم أي مبلغ|Rien n'a été débité|Nothing was debited/i;

test.each(
  USUAL_SCREENS.flatMap(([name, { key, values }]) =>
    values && /^(?:transfer|top-up|merchant-payment|bill-payment)\.askPin$/.test(key)
      ? [[name, key.replace('askPin', 'refused') as SentenceKey, values] as const]
      : [],
  ),
)('%s: a refusal says on its first page that nothing was taken, above the reason', (_, key, values) => {
  const screen: Screen = { key, values, expects: 'nothing', notice: { key: 'problem.90016' } };
  for (const language of LANGUAGES) expect(renderer.ussd(screen, language, 0).text).toMatch(NOTHING_TAKEN);
});
