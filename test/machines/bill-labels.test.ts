import { describe, expect, test } from 'vitest';
import { askFor, offer } from '../../machines/bill-payment/form.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { labelled } from '../../src/payments/bill-labels.ts';
import { FSI, PDI } from '../../src/screen/marks.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import type { BillField } from '../../src/wallet/services.ts';

const renderer = createRenderer();
const field = (label: string, more: Partial<BillField> = {}): BillField => ({
  ...{ kind: 'text', name: 'x', label, options: [], required: true },
  ...more,
});
const asked = (label: string) => askFor({ field: field(label), above: '' }, {});

describe('a usual label of a bill form', () => {
  test.each([
    ['Numéro de contrat', 'رقم العقد', 'Contract number'],
    ['N° de contrat :', 'رقم العقد', 'Contract number'],
    ['NUMERO CONTRAT', undefined, undefined],
    ['Référence client', 'مرجع الزبون', 'Customer reference'],
    ['Réf. client', 'مرجع الزبون', 'Customer reference'],
    ['N° de facture', 'رقم الفاتورة', 'Invoice number'],
    ['n°facture *', 'رقم الفاتورة', 'Invoice number'],
    ['Nº de facture', 'رقم الفاتورة', 'Invoice number'],
    ['CIN', 'رقم البطاقة الوطنية', 'National ID number'],
    ['N° CIN', 'رقم البطاقة الوطنية', 'National ID number'],
    ['Numéro de téléphone', 'رقم الهاتف', 'Phone number'],
    ['Date de naissance', 'تاريخ الازدياد', 'Birth date'],
    ['Numéro d’article', 'رقم الفصل الضريبي', 'Article number'],
    ["Code de l'élève", 'رمز التلميذ', 'Pupil code'],
  ])('%s is said as customers know it', (label, arText, enText) => {
    expect(labelled(label)).toEqual({ text: label, ...(arText && { arText, enText }) });
  });

  test.each([
    'Numéro de contrat et de police',
    'Numéro',
    'constructor',
    '__proto__',
    '',
    '   ',
    'رقم',
    'N°',
    '😀',
    'CIN du père',
  ])('%j is not known, and stays as it was sent', (label) =>
    expect(labelled(label)).toEqual({ text: label }),
  );
});

describe('the question of a form', () => {
  test.each([
    ['fr', 'Veuillez indiquer : Numéro de contrat'],
    ['ar', 'المرجو إدخال رقم العقد:'],
    ['en', 'Please enter: Contract number'],
  ] as const)('names a known label in %s', (language, said) => {
    const { text } = renderer.chat(asked('Numéro de contrat'), language);
    expect(text.replaceAll(/[\u2066-\u2069\u200f]/g, '').replaceAll('\u00a0', ' ')).toBe(said);
  });

  test.each(['Clé de la quittance', 'Numéro de lot'])('shows %j as it was sent, isolated', (label) => {
    for (const language of LANGUAGES)
      expect(renderer.chat(asked(label), language).text).toContain(FSI + label + PDI);
  });

  test.each([
    ['to type', asked('Clé de la quittance')],
    ['below a text', askFor({ field: field('Clé'), above: 'Voir la quittance.' }, {})],
    ['of a date', askFor({ field: field('Clé', { format: 'D' }), above: '' }, {})],
    ['of a password', askFor({ field: field('Clé', { kind: 'password' }), above: '' }, {})],
    ['that may be skipped', offer({ field: field('Clé'), above: '' }, {})],
  ])('has an Arabic word for an Arabic reader where its label is French: %s', (_, screen) => {
    expect(renderer.chat(screen, 'ar').text).toMatch(/\p{Script=Arabic}{3}/u);
    const { text } = renderer.ussd(screen, 'ar', 0);
    expect(text.split('\n').slice(0, 2).join(' ')).toMatch(/\p{Script=Arabic}{3}/u);
  });
});
