import { ARTICLE_TYPES } from '../../wallet/contract/bills.ts';
import type { Creditor, Receivable } from './creditors.ts';
import { OPTIONAL, PASSWORD, typed } from './form.ts';

const phoneNumber = typed('numTel', 'Numéro de téléphone', 'N', [10, 10]);
const telecom: Receivable['bills'] = { name: 'Facture', every: 'month', count: [1, 3], dirhams: [99, 450] };
const { FEE, MANDATORY } = ARTICLE_TYPES;

const TELECOM: readonly Creditor[] = [
  {
    code: '1101',
    name: 'Maroc Telecom (test)',
    description: 'Mobile, fixe et internet',
    site: 'https://maroc-telecom.example',
    colour: '#e65100',
    feesDirhams: 2,
    shows: ['nomClient'],
    receivables: [
      { code: '01', name: 'Mobile', form: [phoneNumber], bills: telecom },
      { code: '02', name: 'Fixe', form: [phoneNumber], bills: telecom },
      { code: '03', name: 'Internet', form: [phoneNumber], bills: { ...telecom, dirhams: [249, 499] } },
    ],
  },
  {
    code: '1102',
    name: 'Orange (test)',
    description: 'Mobile et internet',
    site: 'https://orange.example',
    colour: '#ff7900',
    feesDirhams: 2,
    shows: [],
    receivables: [
      { code: '01', name: 'Mobile', form: [phoneNumber], bills: telecom },
      {
        code: '02',
        name: 'Internet à la maison',
        form: [typed('numClient', 'Numéro de client', 'AN', [6, 12])],
        bills: telecom,
      },
    ],
  },
  {
    code: '1103',
    name: 'inwi (test)',
    description: 'Mobile et internet',
    site: 'https://inwi.example',
    colour: '#8e24aa',
    feesDirhams: 2,
    shows: [],
    receivables: [{ code: '01', name: 'Factures', form: [phoneNumber], bills: telecom }],
  },
];

const OTHERS: readonly Creditor[] = [
  {
    code: '1301',
    name: 'CNSS (test)',
    description: 'Cotisations sociales',
    site: 'https://cnss.example',
    colour: '#0277bd',
    feesDirhams: 3,
    shows: ['nomClient'],
    receivables: [
      {
        code: '01',
        name: 'Cotisations',
        form: [
          typed('affiliation', "Numéro d'affiliation", 'N', [7, 10]),
          typed('codeAcces', "Code d'accès", 'N', [4, 8], PASSWORD),
        ],
        bills: { name: 'Cotisation', every: 'month', count: [1, 3], dirhams: [250, 600] },
        extras: [{ type: MANDATORY, name: 'Majoration de retard', dirhams: 15.25 }],
      },
    ],
  },
  {
    code: '1401',
    name: 'École Amandiers (test)',
    description: 'Frais de scolarité',
    site: 'https://amandiers.example',
    colour: '#6a1b9a',
    feesDirhams: 0,
    shows: ['nomClient'],
    receivables: [
      {
        code: '01',
        name: 'Scolarité',
        form: [
          typed('codeEleve', "Code de l'élève", 'AN', [4, 10]),
          typed('nomEleve', "Nom de l'élève", 'A', [2, 30]),
          typed('dateNaissance', 'Date de naissance', 'D', [10, 10], OPTIONAL),
        ],
        bills: { name: 'Mensualité', every: 'month', count: [12, 12], dirhams: [150, 220] },
        extras: [{ type: MANDATORY, name: "Assurance de l'élève", dirhams: 60 }],
      },
    ],
  },
  {
    code: '1501',
    name: 'Assurance Littoral (test)',
    description: 'Automobile et habitation',
    site: 'https://littoral.example',
    colour: '#37474f',
    feesDirhams: 5,
    shows: ['nomClient', 'adresse'],
    receivables: [
      {
        code: '01',
        name: 'Automobile',
        form: [
          typed('police', 'Numéro de police', 'AN', [6, 12]),
          typed('motDePasse', 'Mot de passe', 'AN', [6, 20], { ...PASSWORD, ...OPTIONAL }),
        ],
        bills: { name: 'Prime', every: 'month', count: [1, 2], dirhams: [180, 520] },
        extras: [{ type: FEE, name: 'Frais accessoires', dirhams: 10 }],
      },
      {
        code: '02',
        name: 'Habitation',
        form: [typed('police', 'Numéro de police', 'AN', [6, 12])],
        bills: { name: 'Prime', every: 'year', count: [1, 1], dirhams: [300, 900] },
      },
    ],
  },
  {
    code: '1601',
    name: 'Syndic Rés. Atlas (test)',
    description: 'Charges de copropriété',
    site: 'https://atlas.example',
    colour: '#558b2f',
    feesDirhams: 2,
    shows: ['adresse'],
    receivables: [
      {
        code: '01',
        name: 'Charges',
        form: [
          typed('lot', 'Numéro de lot', 'N', [1, 10]),
          typed('etage', 'Étage (0 pour le rez-de-chaussée)', 'N', [1, 2]),
        ],
        bills: { name: 'Charges', every: 'month', count: [1, 3], dirhams: [90, 160] },
      },
    ],
  },
  {
    code: '1901',
    name: 'Régie fermée (test)',
    description: 'Listée, mais fermée',
    site: 'https://fermee.example',
    colour: '#757575',
    feesDirhams: 0,
    shows: [],
    inactive: true,
    receivables: [],
  },
];

/** Telecom operators, contributions, a school, an insurer, a block of flats, and one that is closed. */
export const SERVICES: readonly Creditor[] = [...TELECOM, ...OTHERS];
