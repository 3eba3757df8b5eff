import { describe, expect, test } from 'vitest';
import { MACHINES } from '../../src/conversation/chart/charts.ts';
import { readShortcut } from '../../src/conversation/shortcuts/shortcut.ts';
import { wordsIn } from '../../src/conversation/shortcuts/spelling.ts';
import { understand } from '../../src/conversation/shortcuts/understand.ts';
import { DARIJA_OF, PHRASES_OF, SAYINGS, WHOLE_OF } from '../../src/conversation/shortcuts/vocabulary.ts';
import { WORDS } from '../../src/conversation/shortcuts/words.ts';
import { ribWith } from '../../src/sandbox/transfers/rib.ts';
import { normalised } from '../../src/wallet/letters.ts';

const TO = '+212612345678';
const RIB = ribWith('007780', 1234567890123);

describe('one line is understood', () => {
  test.each([
    ['/transfer 0612345678 200', 'transfer', { to: TO, amount: 20_000 }],
    ['/TRANSFER 200 0612345678', 'transfer', { to: TO, amount: 20_000 }],
    ['envoyer 200 à 0612345678', 'transfer', { to: TO, amount: 20_000 }],
    ['Envoyer 200 DH au 06 12 34 56 78', 'transfer', { to: TO, amount: 20_000 }],
    ['envoyer 1200,50 dirhams à +212612345678', 'transfer', { to: TO, amount: 120_050 }],
    ['envoyer 200 dh à 0612345678 🙏🏽', 'transfer', { to: TO, amount: 20_000 }],
    ['envoyer 200 dh à 0612345678 🇲🇦', 'transfer', { to: TO, amount: 20_000 }],
    ['envoyer encore 200 à 0612345678', 'transfer', { to: TO, amount: 20_000 }],
    ['envoyer encore 200 au même', 'transfer', { amount: 20_000, toLast: true }],
    ['recharge samira 30', 'top-up', { amount: 3_000, payee: 'samira' }],
    ['recharge 30 dh Maman stp', 'top-up', { amount: 3_000, payee: 'Maman' }],
    ['recharge internet', 'top-up', {}],
    ['send 50 to her', 'transfer', { amount: 5_000 }],
    ['envoyer 200 à maman ❤️ stp', 'transfer', { amount: 20_000, payee: 'maman' }],
    ['envoyer 200dh au 06.12.34.56.78', 'transfer', { to: TO, amount: 20_000 }],
    ['send 50 to 00212612345678', 'transfer', { to: TO, amount: 5_000 }],
    ['envoie 100 dh a maman stp', 'transfer', { amount: 10_000, payee: 'maman' }],
    ["envoie 100 à Youssef s'il te plaît merci", 'transfer', { amount: 10_000, payee: 'Youssef' }],
    ['envoyer 10 à Oncle Élie, stp', 'transfer', { amount: 1_000, payee: 'Oncle Élie' }],
    ["envoyer 10 à l'oncle Ali", 'transfer', { amount: 1_000, payee: "l'oncle Ali" }],
    ['أرسل 10 إلى أحمد', 'transfer', { amount: 1_000, payee: 'أحمد' }],
    ['أرسل 100 إلى ماما عافاك', 'transfer', { amount: 10_000, payee: 'ماما' }],
    // Nothing is sent on another day.
    ['Send money', 'transfer', {}],
    ['إرسال ٢٠٠ إلى ٠٦١٢٣٤٥٦٧٨', 'transfer', { to: TO, amount: 20_000 }],
    ['أرسل 200 درهم إلى 0612345678', 'transfer', { to: TO, amount: 20_000 }],
    ['تَحْوِيل 0612345678', 'transfer', { to: TO }],
    ['envoyer à 0612345678', 'transfer', { to: TO }],
    ['envoyer 200', 'transfer', { amount: 20_000 }],
    ['recharge 50', 'top-up', { amount: 5_000 }],
    ['Recharger 20 DH pour 0612345678', 'top-up', { to: TO, amount: 2_000 }],
    ['تعبئة ٥٠', 'top-up', { amount: 5_000 }],
    ['/merchant 0612345678 50', 'merchant-payment', { to: TO, amount: 5_000 }],
    ['payer un commerçant 50 DH', 'merchant-payment', { amount: 5_000 }],
    ['أداء لتاجر 0612345678', 'merchant-payment', { to: TO }],
    ['virement 40', 'bank-transfer', { amount: 4_000 }],
    ['faire un virement de 40 DH', 'bank-transfer', { amount: 4_000 }],
    ['تحويل بنكي ٤٠', 'bank-transfer', { amount: 4_000 }],
    [`virement 40 au ${RIB}`, 'bank-transfer', { rib: RIB, amount: 4_000 }],
    ['envoyer 40 au 007 780 0001234567890123 96', 'transfer', { rib: RIB, amount: 4_000 }],
    [`send 40 to MA64${RIB}`, 'transfer', { rib: RIB, amount: 4_000 }],
    ['encaisser 45 DH', 'receive-payment', { amount: 4_500 }],
    ['/receive_45', 'receive-payment', { amount: 4_500 }],
    ['Mon QR code', 'receive-payment', {}],
    ['استلام أداء ٤٥', 'receive-payment', { amount: 4_500 }],
    ['retirer 1 500', 'cash-out', { amount: 150_000 }],
    ['envoyer 1 500,50 dh à 0612345678', 'transfer', { to: TO, amount: 150_050 }],
    ['envoyer 1\u202f500 à Youssef', 'transfer', { amount: 150_000, payee: 'Youssef' }],
    ['إرسال 1 500 إلى 0612345678', 'transfer', { to: TO, amount: 150_000 }],
    ['envoyer 100 au 06 12 345 678', 'transfer', { to: TO, amount: 10_000 }],
    ['facture redal', 'bill-payment', { search: 'redal' }],
    ['facture redal 200', 'bill-payment', { search: 'redal' }],
    ['payer ma facture', 'bill-payment', {}],
    ['pay bill', 'bill-payment', {}],
    ['فاتورة الماء', 'bill-payment', { search: 'الماء' }],
    ["payer ma facture d'électricité", 'bill-payment', { search: 'électricité' }],
    ["facture de l'eau", 'bill-payment', { search: 'eau' }],
    ['recharger 30 pour maman', 'top-up', { amount: 3_000, payee: 'maman' }],
    ['recharger 20 dh à Ma femme', 'top-up', { amount: 2_000, payee: 'Ma femme' }],
    ['تعبئة 20 لماما', 'top-up', { amount: 2_000, payee: 'ماما' }],
    ['رصيد', 'balance', {}],
    ['Mon solde ?', 'balance', {}],
    ['/balance', 'balance', {}],
    ['relevé', 'statement', {}],
    ["bons d'achat", 'voucher', {}],
    ['bons d’achat', 'voucher', {}],
    ['قسائم الشراء', 'voucher', {}],
    ['/voucher_Kitab', 'voucher', { search: 'Kitab' }],
    ["bon d'achat ciné", 'voucher', { search: 'ciné' }],
    ['bon', 'voucher', {}],
    ['/pin', 'pin-change', {}],
    ['/pin-reset', 'pin-reset', {}],
    ['code PIN oublié', 'pin-reset', {}],
    ['Mes informations', 'profile', {}],
    ['معلوماتي', 'profile', {}],
    ['fermer mon portefeuille', 'closing', {}],
    ['/unlink', 'unlink', {}],
    ['/bill-payment', 'bill-payment', {}],
    ['mon compte', 'account', {}],
  ] as const)('%s', (text, machine, filled) => {
    expect(readShortcut(text)).toEqual({ machine, filled });
  });
});

/** As a line is compared, with one form for each letter. */
const asCompared = (phrase: string) => wordsIn(normalised(phrase)).join(' ');

test('no phrase belongs to two conversations', () => {
  const owners = new Map<string, Set<string>>();
  for (const [machine, phrases] of Object.entries(WORDS))
    for (const phrase of [machine, ...phrases.map(asCompared)])
      owners.set(phrase, (owners.get(phrase) ?? new Set()).add(machine));
  expect([...owners].filter(([, machines]) => machines.size > 1)).toEqual([]);
});

test('the vocabulary names conversations, moves, and what the bot answers by itself', () => {
  const deeds = [WORDS, PHRASES_OF, DARIJA_OF, SAYINGS, WHOLE_OF].flatMap((all) => Object.keys(all));
  const others = deeds.filter((deed) => !(deed in MACHINES));
  const ownAnswers = [
    ...[
      'adviser',
      'again',
      'ask-money',
      'back',
      'cancel',
      'fees',
      'missing',
      'nothing',
      'open-wallet',
      'other-amount',
      'other-number',
      'request',
      'thaw',
      'transfer-again',
      'trouble',
      'undo',
      'undo-reference',
      'urgent',
      'wrong-amount',
      'wrong-debit',
      'wrong-number',
    ],
  ];
  expect([...new Set(others)].sort()).toEqual(ownAnswers);
});

test.each(
  [
    ["j'ai été débité deux fois", "on m'a débité sans raison", 'il manque de l’argent', 'mon solde est faux'],
    ["J'ai payé deux fois ma facture", 'I was charged twice', 'my balance is wrong', 'تخصمات ليا جوج مرات'],
  ].flat(),
)('a wrong debit is for a person: %s', (line) => {
  expect(understand(line)).toMatchObject({ shortcut: { machine: 'adviser', isUrgent: 'missing' } });
});

test.each([
  ['comment je fais pour retirer', 'cash-out'],
  ['شي حد دخل لحسابي', 'freeze'],
  ['someone got into my account', 'freeze'],
  ['chi wahed dkhel l compte dyali', 'freeze'],
  ["à quelle heure ouvre l'agence", 'cash'],
  ['pouvez-vous me rappeler', 'adviser'],
  ['bghit nkhelles lma w do', 'bill-payment', { search: 'lma' }],
  ['khass nkhalless l facture dyal lma', 'bill-payment', { search: 'lma' }],
  ['chhal f rasid', 'balance'],
  ['9ddach f rassid', 'balance'],
  ["qu'est-ce que je fais maintenant", undefined],
  ['bghit nkhelles', undefined],
])('a word that is nearly another one is not taken for it: %s', (line, machine, filled: object = {}) => {
  const understood = understand(line);
  expect(understood?.kind === 'wants' ? understood.shortcut : undefined).toEqual(
    machine && { machine, filled },
  );
});

describe('an uncertain line is asked about', () => {
  test.each([
    ['envoyer 200 300 à 0612345678', { to: TO }, 'nav.notAll'],
    ['envoyer 1 500 300 à 0612345678', { to: TO }, 'nav.notAll'],
    ['envoyer 1.500 à 0612345678', { to: TO }, 'amount.ambiguous'],
    ['envoyer 1,2345 à 0612345678', { to: TO }, 'amount.tooPrecise'],
    ['envoyer 0 à 0612345678', { to: TO }, 'amount.zero'],
    ['envoyer 0 dh à Youssef', { payee: 'Youssef' }, 'amount.zero'],
    ['envoyer 1.500dh à Youssef', { payee: 'Youssef' }, 'amount.ambiguous'],
    ['envoyer -50 à Youssef', { payee: 'Youssef' }, 'nav.notAll'],
    ['envoyer -200 à 0612345678', { to: TO }, 'nav.notAll'],
    ['envoyer 200 à 0612345678 0698765432', {}, 'nav.notAll'],
    ['envoyer 200 moins 50 à 0612345678', { to: TO }, 'nav.notAll'],
    ['envoyer environ 200 à 0612345678', { to: TO }, 'nav.notAll'],
    ['send about 200 to 0612345678', { to: TO }, 'nav.notAll'],
    ['صيفط شي 200 ل 0612345678', { to: TO }, 'nav.notAll'],
    ['صيفط ألف ل 0612345678', { to: TO }, undefined],
    ['envoyer une centaine à 0612345678', { to: TO }, undefined],
    ['envoyer 2oo à 0612345678', { to: TO }, 'nav.notAll'],
    ['envoyer deux ou trois cents à 0612345678', {}, 'nav.notAll'],
    ['envoyer 200 à 061234567', { amount: 20_000 }, 'mobile.unfinishedKept'],
    ['envoyer 2oo à 06 12 34', {}, 'mobile.unfinished'],
    ['envoyer 200 à 0612345678 et 50 à 0698765432', { to: TO, amount: 20_000 }, 'nav.firstOnly'],
    ['envoyer 100 à Fatima et 50 à maman', { payee: 'Fatima', amount: 10_000 }, 'nav.firstOnly'],
    ['أرسل 200 إلى 0612345678 و50 إلى 0698765432', { to: TO, amount: 20_000 }, 'nav.firstOnly'],
    ['envoyer 200 à 0512345678', {}, 'nav.notAll'],
    ['envoyer 200 à 06123456789', { amount: 20_000 }, 'mobile.unfinishedKept'],
    ['envoyer 200 euros à 0612345678', {}, 'nav.notAll'],
    ['envoyer ٢00 à 0612345678', {}, 'nav.notAll'],
    [`envoyer 40 au ${RIB} ${RIB}`, {}, 'nav.notAll'],
    [`envoyer 40 au 1${RIB.slice(1)}`, {}, 'nav.notAll'],
    ['envoyer 40 au 07 780 0001234567890123 96', {}, 'nav.notAll'],
    ['send 99999999999 to 0612345678', { to: TO }, 'amount.tooLarge'],
  ] as const)('%s', (text, filled, says) => {
    expect(readShortcut(text)).toEqual({ machine: 'transfer', filled, ...(says && { says }) });
  });
});

describe('an amount in words is an amount', () => {
  test.each([
    'envoyer deux cents à 0612345678',
    'envoyer deux-cents dirhams à 0612345678',
    'send two hundred to 0612345678',
    'إرسال مئتين إلى 0612345678',
    'صيفط ميتين درهم ل 0612345678',
  ])('%s', (text) => {
    expect(readShortcut(text)).toEqual({ machine: 'transfer', filled: { to: TO, amount: 20_000 } });
  });

  test.each([
    'envoyer 200 à 06–12–34–56–78',
    'envoyer 200 د.م. à (06) 12 34 56 78',
    'envoyer 200dhs. à +212 (0) 6 12 34 56 78',
    'envoyer 200 drhem à tel:+212612345678',
    'envoyer DH 200 à 06/12/34/56/78',
    'envoyer 200 à \u2066+212 612\u2011345\u2011678\u2069',
  ])('as phones write it: %s', (text) => {
    expect(readShortcut(text)).toEqual({ machine: 'transfer', filled: { to: TO, amount: 20_000 } });
  });

  test.each([
    'je voudrais envoyer deux cents dh au 0612345678',
    'i want to send two hundred dirhams to 0612345678',
    'بغيت نصيفط ميتين ل 0612345678',
    'bghit nsift mitin l 0612345678',
    'أريد إرسال مئتي درهم إلى 0612345678',
  ])('in a sentence: %s', (text) => {
    expect(understand(text)).toEqual({
      kind: 'wants',
      shortcut: { machine: 'transfer', filled: { to: TO, amount: 20_000 } },
    });
  });

  test.each([
    'je voudrais envoyer environ 200 dh au 0612345678',
    'i want to send some 200 to 0612345678',
    'i want to send about two hundred to 0612345678',
    'بغيت نصيفط شي 200 ل 0612345678',
    'بغيت نصيفط ألف ل 0612345678',
    'bghit nsift chi mitin l 0612345678',
    'bghit nsift alf l 0612345678',
    'أريد إرسال حوالي 200 درهم إلى 0612345678',
  ])('a vague one is asked for, and the number is kept: %s', (text) => {
    expect(understand(text)).toMatchObject({
      kind: 'wants',
      shortcut: { machine: 'transfer', filled: { to: TO } },
    });
  });
});

describe('a payment for another day fills in nothing', () => {
  test.each([
    'envoyer 200 à 0612345678 demain',
    'je voudrais envoyer 200 dh à 0612345678 après-demain',
    'send 200 to 0612345678 tomorrow',
    'i want to send 200 to 0612345678 next week',
    'إرسال 200 إلى 0612345678 غدا',
    'bghit nsift 200 l 0612345678 ghedda',
    'envoyer 200 à 0612345678 chaque mois',
    'envoie 100 dh à Youssef demain',
    'send 100 to Youssef tomorrow',
  ])('%s', (text) => {
    const understood = understand(text) ?? { kind: 'wants', shortcut: readShortcut(text) };
    expect(understood).toEqual({
      kind: 'wants',
      shortcut: { machine: 'transfer', filled: {}, says: 'nav.paysNow' },
    });
  });
});

describe('anything else is no shortcut', () => {
  test.each([
    '',
    '/',
    '1',
    '0612345678',
    '200',
    'bonjour',
    'bon courage',
    'pin 1234',
    'je veux envoyer 200',
    'solde de 0612345678',
    'الرصيد 200',
    'envoyera 200',
    '/unknown 200',
    'constructor',
    '__proto__',
  ])('%s', (text) => {
    expect(readShortcut(text)).toBeUndefined();
  });
});

describe('other words for the labels of screens are understood', () => {
  const wanted = (text: string) => {
    const understood = understand(text);
    return understood?.kind === 'wants' ? understood.shortcut.machine : undefined;
  };

  test.each([
    ['réactiver ma carte', 'cards'],
    ['Je veux réactiver la carte', 'cards'],
    ['reactivate my card', 'cards'],
    ['إعادة تفعيل بطاقتي', 'cards'],
    ['nreactiver lcarte', 'cards'],
    ['montants réservés', 'card-payments'],
    ['libérer une réservation', 'card-payments'],
    ['encaisser une réservation', 'card-payments'],
    ['reserved amounts', 'card-payments'],
    ['release a reservation', 'card-payments'],
    ['المبالغ المحجوزة', 'card-payments'],
    ['إلغاء الحجز', 'card-payments'],
    ['KYB', 'documents'],
    ['mon dossier KYB', 'documents'],
    ['ملف KYB', 'documents'],
    ['je ne me souviens plus de mon code', 'pin-reset'],
  ])('%s', (text, machine) => {
    expect(wanted(text)).toBe(machine);
  });

  test.each([
    ['réactiver mon compte', 'thaw'],
    ['ne pas réactiver ma carte', undefined],
    ['activer', undefined],
    ['réserver un hôtel', undefined],
    ['réservation de train', undefined],
    ['libérer ma chambre', undefined],
    ['montant', undefined],
    ['release', undefined],
    ['reserved seats', undefined],
    ['حجز فندق', undefined],
    ['حجز تذكرة', undefined],
    ['المبلغ', undefined],
    ['kyc', undefined],
    ['kylie', undefined],
    ['KYB 200', undefined],
  ])('and not %s', (text, machine) => {
    expect(wanted(text)).toBe(machine);
  });
});
