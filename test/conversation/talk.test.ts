import { expect, test } from 'vitest';
import { withoutSecrets } from '../../src/conversation/talk.ts';

test.each([
  ['pin 1234', 'pin ••••'],
  ['pin 1,2,3,4', 'pin ••••'],
  ['pin 1/2/3/4', 'pin ••••'],
  ['1  2  3  4', '••••'],
  ['1_2_3_4', '••••'],
  ['1 - 2 - 3 - 4 !', '•••• !'],
  ['mon pin:1234, merci', 'mon pin:••••, merci'],
  ['pin1234', 'pin••••'],
  ['رقمي السري ١٢٣٤', 'رقمي السري ••••'],
  ['كود4821', 'كود••••'],
  ['c’est 482-915', 'c’est ••••'],
  ['carte 4000 0000 0000 0002', 'carte ••••'],
  ['bon 06 1234 5678 9012', 'bon ••••'],
  ['bon X7K2-9QPL-44ZT', 'bon ••••'],
  ['x7k2-9qpl-44zt', '••••'],
  ['44ZT–9QPL–X7K2.', '••••.'],
  ['bon X7K2 9QPL 44ZT', 'bon ••••'],
  ['bon X7K2 / 9QPL / 44ZT', 'bon ••••'],
  ['bon:X7K29QPL44ZT', 'bon:••••'],
  ['ABCD-EFGH-1234', '••••'],
  ['ABCD EFGH 1234', '••••'],
  ['1234 ABCD 5678', '••••'],
  ['ABCD-EFGH-IJKL', '••••'],
  ['mot de passe Fatima1990', 'mot de passe ••••'],
])('of "%s" nothing secret is kept', (text, kept) => {
  expect(withoutSecrets(text)).toBe(kept);
});

test.each([
  'Je veux envoyer au 0612345678',
  'au 06 12 34 56 78, puis au 06.98.76.54.32',
  'son numéro : +212 6 12 34 56 78 (le deuxième)',
  'envoyé au 0612345678, 200 DH',
  'الرقم ديالو 0612345678',
  'j’ai payé 50 dh',
  'il manque 200 DH !',
  'un virement de 25000 dirhams',
  'بعثت 200درهم البارح',
  '200dirhams et 20000dhs',
  'opération 4211003, opération 42110037',
  'Référence : 5C5D2C45',
  'la référence 5c5d1234',
  'le 12/03/2026',
  'le 3 mars à 14h30',
  'le rendez-vous d’après-demain, peut-être au porte-monnaie',
  'RENDEZ-VOUS A RABAT-SALE',
  'JE NE PEUX PAS VOIR MON BON',
  'mon code ne marche pas',
  'la facture Lydec de mars',
  'c’est la 3ème fois, ça fait 2 jours',
  'I paid 300 twice: 300 and 300',
  'COVID-19',
  '',
])('"%s" is harmless, and stays', (text) => {
  expect(withoutSecrets(text)).toBe(text);
});
