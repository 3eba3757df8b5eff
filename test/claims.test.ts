import { describe, expect, test } from 'vitest';
import { CLAIMS, type Claim, claimOf, HOLDS_EITHER_WAY, INVITES_AGAIN } from '../machines/kit/claims.ts';
import { READINGS } from '../src/conversation/chart/readings.ts';
import { wordsOf } from '../src/conversation/chart/release-files.ts';
import { claimOf as saidClaim } from '../src/conversation/chart/releases.ts';
import { LANGUAGES, type Language } from '../src/conversation/incoming.ts';
import { PAYMENT_KINDS } from '../src/payments/payments.ts';
import { loadLocales, sentences } from '../src/screen/locales.ts';
import { filesIn, readText } from './kit/tree.ts';

/** Spoken to nobody in a conversation: the console's pages, the simulator's, the form's, and those of 3D Secure and of an identity check. */
const OTHER_FILES = ['console', 'form', 'identity', 'identity-provider', 'simulator', 'three-ds'];
/** They move nothing, so they claim nothing. */
const READ = READINGS.map(({ id }) => id);
/** The conversations that pay, what is said of every payment, and money received. */
const MAY_CLAIM: readonly string[] = [...PAYMENT_KINDS, 'cash-in', 'cash-out', 'pay', 'received'];
/** Where such a sentence is chosen: the paying tail, what is made of an order and its intent, and money received. */
const PROVEN_IN = [
  'machines/kit/claims.ts',
  'machines/kit/paying.ts',
  // The name of the stop that `paying.ts` and `follow.ts` come to.
  'machines/kit/stopped.ts',
  'src/payments/',
  'src/conversation/intents/',
  'src/conversation/references/',
  'src/conversation/session/received.ts',
  'src/conversation/session/missed-messages.ts',
  // From the wallet's book: what is open, and that it keeps others back.
  'src/conversation/session/open-first.ts',
  'src/conversation/turn/think/follow.ts',
  'src/conversation/turn/finish/settle.ts',
  // Of the payment that is asked for: what it is read as later, and what stands above a PIN that is asked for again.
  'src/conversation/session/dated-sentences.ts',
  'src/conversation/turn/read/unread-pages.ts',
  'src/conversation/session/unseal.ts',
];
const SUFFIX = /(?:_(?:ussd|sms|brief|short))?(?:_(?:zero|one|two|few|many|other))?(?:_unset)?$/;

/** Words by which each claim is known. */
const WORDS: Readonly<Record<Exclude<Claim, 'nothing'>, Readonly<Record<Language, RegExp>>>> = {
  notMoved: {
    fr: /rien n'a été (?:débité|envoyé)|n'a pas été effectuée?|non effectuée?\.|n'a rien (?:libéré|encaissé)|si le montant a été débité, il vous sera rendu|(?:la banque n'a pas accepté|refusé par la banque).* vous sont rendus/i,
    en: /nothing was (?:debited|sent)|not made|(?:released|collected) nothing|if the amount was debited, it will be returned|the bank (?:did not accept|refused) .* is returned to you/i,
    ar: /لم يخصم|لم (?:يتم|تتم) (?!بعد|تأكيد)|لم (?:يلغ|يؤخذ) بهذا الطلب|إذا خصم المبلغ فسيعاد|(?:لم يقبل|رفض) البنك .*\s?أعيد إل/s,
  },
  open: {
    fr: /est (?:toujours )?en cours|pas encore confirmée?|aucune trace|vérifie (?:votre|cette)|en donnons le résultat|existe déjà|Un conseiller s'en occupe/,
    en: /being processed|under way|not confirmed yet|no trace|is checking your|tell you the outcome|already made a payment|is looking into it/,
    ar: /قيد المعالجة|لم يتم (?:بعد تأكيد|تأكيد\S* بعد)|لم يؤكد بعد|أي أثر|يتحقق|سنخبركم بالنتيجة|يوجد أداء مماثل|يتابع أحد مستشارينا/,
  },
  moved: {
    fr: /débité|déjà (?:envoyé|payé|rechargé|acheté|été fait)|bon d'achat/,
    en: /debited|already (?:sent|paid|topped up|bought|made)|voucher/,
    ar: /المجموع|خصم|سبق|قسيمة/,
  },
  returned: {
    fr: /rendu|est recréditée/,
    en: /returned to (?:you|the customer|your float|the float|the principal agent's float)/,
    ar: /أعيد/,
  },
  notReceived: {
    fr: /rien n'a été (?:déposé|chargé)|n'a pas été effectué|: non effectué|n'est plus dans (?:votre portefeuille|l'avance)/i,
    en: /nothing was (?:paid in|loaded)|not made|no longer in (?:your wallet|the float)/i,
    ar: /لم (?:يودع|يشحن) أي مبلغ|لم يتم (?!بعد|تأكيد)|لم يعد المبلغ في (?:محفظتكم|رصيد)/,
  },
  received: { fr: /reçu|est chargée/, en: /received|is loaded/, ar: /توصلتم|أداء|تلقيتم|تم شحن/ },
};

/** Words that a sentence without claims may not use. */
const OF_OWN_MONEY: Readonly<Record<Language, RegExp>> = {
  fr: /débité|(?:envoi|paiement|recharge|achat|premier)\b.*(?:pas encore confirmée?\b|est en cours|est annulé|a été refusé)|C'est annulé|ne (?:le|la) refaites|vous (?:est|sont) rendu|déjà (?:envoyé|payé [^.]*\{\{|rechargé|acheté)/i,
  en: /debited|(?:transfer|payment|top-up|purchase|first one)\b.*(?:not confirmed yet|being processed|(?:is|was) (?:cancelled|refused))|^Cancelled\.|don't (?:make|send) it again|returned to you|already (?:sent|paid|topped up|bought)/,
  ar: /خصم|(?<!للتو، المرجو )عدم إعادة (?:العملية|الأداء|الشراء)|لم يتم بعد تأكيد|(?<!تسجيلكم )لم (?:يؤكد|تؤكد) بعد|أعيد (?:المبلغ|إلى محفظتكم|إليكم)|سبق (?:أن )?(?:أرسل|أدي|إرسال|شراء|اشتري)|سبق أداء \{\{/,
};

/** Words that invite to repeat a request. */
const AGAIN: Readonly<Record<Language, RegExp>> = {
  fr: /réessaye[rz]/i,
  en: /try again/i,
  ar: /المحاولة (?:بعد|لاحقا)|^إعادة المحاولة$/,
};

/** Words for an unknown outcome. */
const EITHER_WAY: Readonly<Record<Language, RegExp>> = {
  fr: /si vous venez de payer/i,
  en: /if you have just paid/i,
  ar: /إذا قمتم بالأداء للتو/,
};

/** Every text that a customer can read in a language: its key without and with its medium and plural form. */
function spoken(language: Language): { key: string; written: string; text: string }[] {
  return [...sentences(language)]
    .filter(([written]) => !OTHER_FILES.includes(written.slice(0, written.indexOf('.'))))
    .map(([written, text]) => ({ key: written.replace(SUFFIX, ''), written, text }));
}

const claimed = [...CLAIMS.keys()].filter((key) => claimOf(key) !== 'nothing');

describe('the table of claims', () => {
  test.each(LANGUAGES)('has a row for every sentence in %s, and none for another', (language) => {
    const isRead = (key: string) => READ.some((id) => key.startsWith(`${id}.`));
    const keys = [...new Set(spoken(language).map(({ key }) => key))].filter((key) => !isRead(key));
    expect(keys.sort()).toEqual([...CLAIMS.keys()].sort());
  });

  test.each([
    ['a key without a row', 'transfer.doneSomehow'],
    ['a variant', 'transfer.done_sms'],
    ['a plural form', 'pin.wrongWithTries_one'],
    ['a file', 'transfer'],
    ['a sentence of the console', 'console.title'],
    ['a property of every object', 'constructor'],
    ['nothing', ''],
  ])('knows no claim of %s', (_, key) => {
    expect(() => claimOf(key)).toThrow('no row in the table of claims');
  });

  test('a read-only conversation claims nothing, also in another release', () => {
    const { sentences, claims } = wordsOf(loadLocales());
    for (const id of READ) {
      expect(CLAIMS.has(`${id}.shown`)).toBe(false);
      expect(claims).toMatchObject({ [`${id}.shown`]: 'nothing' });
      expect(sentences.ar).toHaveProperty([id]);
    }
  });

  test('lets only conversations that pay, and money received, claim something', () => {
    expect(claimed.filter((key) => !MAY_CLAIM.some((file) => key.startsWith(`${file}.`)))).toEqual([]);
  });

  test('allows such a sentence only with its proof', () => {
    const elsewhere = filesIn(['machines', 'src'])
      .filter((path) => !PROVEN_IN.some((proven) => path.startsWith(proven)))
      .flatMap((path) => {
        const text = readText(path);
        return claimed.filter((key) => text.includes(`'${key}'`)).map((key) => `${path}: ${key}`);
      });
    expect(elsewhere).toEqual([]);
  });
});

describe.each(LANGUAGES)('a sentence in %s', (language) => {
  const texts = spoken(language);

  test('claims what its row says', () => {
    const silent = texts.filter(({ key, written, text }) => {
      const claim = saidClaim(key);
      return key === written && claim !== 'nothing' && !WORDS[claim][language].test(text);
    });
    expect(silent.map(({ written, text }) => `${written}: ${text}`)).toEqual([]);
  });

  test('does not mention the customer’s own money when the row claims nothing', () => {
    const loose = texts.filter(
      ({ key, text }) => saidClaim(key) === 'nothing' && OF_OWN_MONEY[language].test(text),
    );
    expect(loose.map(({ written, text }) => `${written}: ${text}`)).toEqual([]);
  });

  test('invites to repeat a request only when it is listed', () => {
    const inviting = texts.filter(({ text }) => AGAIN[language].test(text)).map(({ key }) => key);
    expect([...new Set(inviting)].sort()).toEqual([...INVITES_AGAIN].sort());
  });

  test('is true with and without an open payment only when it is listed', () => {
    const cautious = texts.filter(({ text }) => EITHER_WAY[language].test(text)).map(({ key }) => key);
    expect([...new Set(cautious)].sort()).toEqual([...HOLDS_EITHER_WAY].sort());
  });
});
