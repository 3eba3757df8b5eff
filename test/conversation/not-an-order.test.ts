import { describe, expect, test } from 'vitest';
import { PAYING } from '../../src/conversation/shortcuts/plain-text.ts';
import { readShortcut } from '../../src/conversation/shortcuts/shortcut.ts';
import { understand } from '../../src/conversation/shortcuts/understand.ts';

/** The conversation that `read-input.ts` begins for a line at the menu if it pays, or undefined. */
function begun(text: string) {
  const understood = understand(text) ?? { kind: 'wants', shortcut: readShortcut(text) };
  const shortcut = understood.kind === 'wants' ? understood.shortcut : undefined;
  return shortcut && PAYING.has(shortcut.machine) ? shortcut : undefined;
}

const FAMILIES = {
  'money that somebody has sent to the writer': [
    "on m'a envoyé 100 dh de 0600000003",
    "il m'a envoyé 100 dh 0600000003",
    "0600000003 m'a envoyé 100 dh",
    "0600000003 m'a viré 100",
    'on m’a transféré 100 dh du 0600000003',
    "j'ai reçu 100 de 0600000003",
    'transfert reçu de 200',
    'virement reçu 300',
    'recu un transfert de 200',
    "elle m'envoie 100 dh 0600000003",
    'i was sent 100 by 0600000003',
    '0600000003 sent me 100',
    'i received a transfer of 100 from 0600000003',
    '0600000003 sifet liya 100 dh',
    'sifto liya 100 dh mn 0600000003',
    '0600000003 صيفط ليا 100 درهم',
    'صيفطو ليا 100 درهم من 0600000003',
    'وصلني تحويل 100 من 0600000003',
    'تم إرسال 100 درهم من 0600000003',
    'توصلت بتحويل 100 درهم من ٠٦٠٠٠٠٠٠٠٣',
  ],
  'money that the writer asks for': [
    'envoie-moi 100 de 0600000003',
    'envoyez-moi 100 de 0600000003',
    'envoie moi 100 dh 0600000003',
    'envoyez nous 100 dh 0600000003',
    'vire-moi 100 dh du 0600000003',
    'donne-moi 100 dh 0600000003',
    'envoyer 100 de 0600000003',
    'send me 100 from 0600000003',
    'send 100 from 0600000003',
    'send me 100',
    'pay me 50 0600000003',
    'sifet liya 100 dh mn 0600000003',
    'sifet liya 100 dh men 3nd 0600000003',
    'sifet liya 0600000003 100 dh',
    'sifetliya 100 dh 0600000003',
    '3tini 100 dh 0600000003',
    'صيفط ليا 100 درهم من 0600000003',
    'صيفطليا 100 درهم 0600000003',
    'سيفط ليا 100 من عند 0600000003',
    'أرسل لي 100 من 0600000003',
    'ارسل لي ١٠٠ من ٠٦٠٠٠٠٠٠٠٣',
    'أرسلوا لي 100 درهم',
    'حول لي 100 درهم من 0600000003',
  ],
  'money that the writer has sent': [
    "j'ai envoyé 100 à 0600000003",
    'j’ai déjà envoyé 100 au 0600000003',
    'jai envoye 100 a 0600000003',
    "je viens d'envoyer 100 à 0600000003",
    "j'ai fait un virement de 300 au 0600000003",
    'a envoyé 50 à 0600000003',
    'envoyé 100 à 0600000003 hier',
    'envoyé 100 à 0600000003',
    'Envoyée 100 dh au 0600000003',
    'transféré 100 au 0600000003',
    'viré 100 au 0600000003',
    'ENVOYÉ 100 À 0600000003',
    'envoye\u0301 100 à 0600000003',
    'nous avons transféré 100 à 0600000003',
    "l'argent a été envoyé 100 à 0600000003",
    'i sent 100 to 0600000003',
    'sent 100 to 0600000003',
    'i have already sent 100 to 0600000003',
    'i transferred 100 to 0600000003',
    'i made a transfer of 100 to 0600000003',
    'siftt 100 l 0600000003',
    'sifett 100 dh l 0600000003',
    'ana siftt lih 100 l 0600000003',
    'dert virement 100 l 0600000003',
    'أرسلت 100 إلى 0600000003',
    'ارسلت ١٠٠ الى ٠٦٠٠٠٠٠٠٠٣',
    'لقد أرسلت 100 درهم إلى 0600000003',
    'صيفطت 50 درهم ل 0600000003',
    'حولت 50 درهم ل 0600000003',
    'درت تحويل 50 درهم ل 0600000003',
  ],
  'cash and credit that are there already': [
    "j'ai déposé 200",
    'jai deposé 200 dh',
    "je viens de déposer 200 chez l'agent",
    "j'ai retiré 200",
    'déposé 200',
    'retiré 200',
    'payé 50 au commerçant 0600000003',
    'rechargé 20 au 0600000003',
    'encaissé 45',
    "on m'a retiré 200",
    "j'ai rechargé 20 au 0600000003",
    "on m'a rechargé 20 sur 0600000003",
    "j'ai encaissé 45",
    "j'ai payé 50 au commerçant 0600000003",
    'i withdrew 200',
    'i deposited 200',
    'i have withdrawn 200',
    'i recharged 20 0600000003',
    'i paid 50 to the merchant 0600000003',
    'jbedt 200',
    '7ettit flous 200',
    'rechargit 20 l 0600000003',
    'جبدت 200 درهم',
    'سحبت 200 درهم',
    'أودعت 200 درهم',
    'شارجيت 20 درهم 0600000003',
  ],
} as const;

describe.each(Object.entries(FAMILIES))('%s: no payment is begun', (_, lines) => {
  test.each(lines)('%s', (line) => {
    expect(begun(line)).toBeUndefined();
  });
});

const TO = '+212600000003';

/** Orders that differ from those by a letter, a word or an ending. */
test.each([
  ['envoie 100 à 0600000003', 'transfer', { to: TO, amount: 10_000 }],
  ['envoyer 100 à 0600000003', 'transfer', { to: TO, amount: 10_000 }],
  // Without an accent it is the order as many write it.
  ['envoye 100 à 0600000003', 'transfer', { to: TO, amount: 10_000 }],
  ['je dois payer 50 au commerçant 0600000003', 'merchant-payment', { to: TO, amount: 5_000 }],
  ['envoyez 100 dh au 0600000003', 'transfer', { to: TO, amount: 10_000 }],
  ['vire 100 au 0600000003', 'transfer', { to: TO, amount: 10_000 }],
  ['je veux envoyer 100 à 0600000003', 'transfer', { to: TO, amount: 10_000 }],
  ["j'ai besoin d'envoyer 100 à 0600000003", 'transfer', { to: TO, amount: 10_000 }],
  ['virement de 100 dh au 0600000003', 'transfer', { to: TO, amount: 10_000 }],
  ['send 100 to 0600000003', 'transfer', { to: TO, amount: 10_000 }],
  ['i want to send 100 to 0600000003', 'transfer', { to: TO, amount: 10_000 }],
  ['sifet 100 l 0600000003', 'transfer', { to: TO, amount: 10_000 }],
  ['sifet 100 dh l 0600000003', 'transfer', { to: TO, amount: 10_000 }],
  ['bghit nsift 100 l 0600000003', 'transfer', { to: TO, amount: 10_000 }],
  ['صيفط 100 درهم ل 0600000003', 'transfer', { to: TO, amount: 10_000 }],
  ['أرسل 100 إلى 0600000003', 'transfer', { to: TO, amount: 10_000 }],
  ['ارسل 100 درهم الى 0600000003 من فضلك', 'transfer', { to: TO, amount: 10_000 }],
  ['بغيت نصيفط 100 درهم ل 0600000003', 'transfer', { to: TO, amount: 10_000 }],
  ['ارسل ١٠٠ إلى 0600000003', 'transfer', { to: TO, amount: 10_000 }],
  ['عبي رصيد 10', 'top-up', { amount: 1_000 }],
  ['نشارجي بالكارط 300', 'card-cash-in', { amount: 30_000 }],
  ['ارسل ١٠٠ 0600000003', 'transfer', {}],
  ['ارسل ١00 إلى 0600000003', 'transfer', {}],
  ['déposer 200', 'cash-in', { amount: 20_000 }],
  ['je veux déposer 200', 'cash-in', { amount: 20_000 }],
  ['retirer 200', 'cash-out', { amount: 20_000 }],
  ['withdraw 200', 'cash-out', { amount: 20_000 }],
  ['jbed liya 200', 'cash-out', { amount: 20_000 }],
  ['جبد ليا 200 درهم', 'cash-out', { amount: 20_000 }],
  ['recharge 20 au 0600000003', 'top-up', { to: TO, amount: 2_000 }],
  ['recharge-moi 20', 'top-up', { amount: 2_000, isOwn: true }],
  ['شارجي ليا 20 درهم', 'top-up', { amount: 2_000, isOwn: true }],
  ['encaisser 45', 'receive-payment', { amount: 4_500 }],
] as const)('%s is an order', (line, machine, filled) => {
  const { says: _notAll, ...order } = begun(line) ?? {};
  expect(order).toEqual({ machine, filled });
});

/** A bill is not paid again because somebody asks after it. */
test.each([
  "j'ai payé ma facture redal hier, c'est passé ?",
  "combien j'ai payé à Redal ?",
  'facture redal payée ?',
  'i paid my redal bill',
])('%s pays no bill', (line) => {
  expect(understand(line)).toBeUndefined();
  expect(readShortcut(line)).toBeUndefined();
});

/** Requests that are no payments, and searches for the sender of a bill. */
test.each([
  ['حبس الحساب ديالي', 'freeze', {}],
  ['حبس كلشي', 'freeze', {}],
  ['7bes lcompte', 'freeze', {}],
  ['بغيت نخرج 100 درهم', 'cash-out', { amount: 10_000 }],
  ['bghit nkherrej 100 dh', 'cash-out', { amount: 10_000 }],
  ['فين الريفيرونس ديالي', 'references', {}],
  ['ma référence a été payée ?', 'references', {}],
  ['khlas redal', 'bill-payment', { search: 'redal' }],
  ['paie ma CNSS', 'bill-payment', { search: 'CNSS' }],
  ['vignette', 'bill-payment', { search: 'vignette' }],
  ['mon argent est arrivé ?', 'statement', {}],
  ['reçu', 'statement', {}],
  ['mes reçus', 'statement', {}],
  ['opérations en cours', 'statement', {}],
  ['my receipts', 'statement', {}],
  ['pending payments', 'statement', {}],
  ['وصولات', 'statement', {}],
  ['آخر وصل', 'statement', {}],
  ['العمليات الجارية', 'statement', {}],
  ['عمر ليا 20 درهم', 'top-up', { amount: 2_000, isOwn: true }],
  ['3mer liya 20 dh', 'top-up', { amount: 2_000, isOwn: true }],
] as const)('%s asks for it', (line, machine, filled) => {
  expect(understand(line)).toEqual({ kind: 'wants', shortcut: { machine, filled } });
});

/** Missing money outweighs all else in a line: a person and a freeze are offered. */
test.each([
  "j'ai pas reçu mon argent",
  "je n'ai pas reçu mon argent",
  "i haven't received my money",
  'ما وصلاتنيش الفلوس',
  "j'ai envoyé 200 dh au 0612345678 mais le virement n'est pas arrivé",
  'لم أتوصل بالمبلغ',
  'flousi mawslatnich',
  'mon argent a disparu',
  'my money is gone',
  'فلوسي مشات',
])('%s asks for a person', (line) => {
  const shortcut = { machine: 'adviser', filled: {}, isUrgent: expect.stringMatching(/^(?:theft|missing)$/) };
  expect(understand(line)).toMatchObject({ kind: 'wants', shortcut });
});

/** A person by name is asked for at once. Nobody is, who pays a person. */
test.each([
  ['parler à un conseiller', true],
  ['réclamation', true],
  ['une personne', true],
  ['talk to a person', true],
  ['التحدث إلى مستشار', true],
  ['شكاية', true],
  ["j'ai un problème", undefined],
  ['support', undefined],
  ['envoyer 200 à une personne', undefined],
  ["j'ai bien reçu", undefined],
  ['ارسل 100 درهم الى عمر', undefined],
])('%s: a person is asked for at once: %s', (line, asksPerson) => {
  const understood = understand(line);
  expect(understood?.kind === 'wants' ? understood.shortcut.asksPerson : undefined).toBe(asksPerson);
  expect(understood?.kind).not.toBe('either');
});

/** The words that stop the whole are no freeze. */
test.each(['حبس', '7bes', 'stop'])('%s gives up', (line) => {
  expect(understand(line)).toEqual({ kind: 'went', to: 'cancel' });
});

test('“going out” withdraws no money', () => {
  expect(understand('بغيت نخرج')).toBeUndefined();
});
