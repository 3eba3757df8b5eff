import { ARTICLE_TYPES } from '../../wallet/contract/bills.ts';
import type { Creditor, Receivable } from './creditors.ts';
import { label, OPTIONAL, select, typed } from './form.ts';

const taxNumber = typed('identifiant', 'Identifiant fiscal', 'N', [7, 10]);
const tax = (name: string, dirhams: readonly [number, number]): Receivable['bills'] => ({
  name,
  every: 'year',
  count: [1, 2],
  dirhams,
});
const { FEE, MANDATORY, STAMP_FEE } = ARTICLE_TYPES;

/** State and towns. Their receipts carry a number and a text of the tax office. */
export const TAXES: readonly Creditor[] = [
  {
    code: '1201',
    name: 'DGI Vignette (test)',
    description: 'Taxe spéciale annuelle sur les véhicules',
    site: 'https://vignette.example',
    colour: '#b71c1c',
    feesDirhams: 0,
    shows: ['nomClient'],
    crc: true,
    receivables: [
      {
        code: '01',
        name: 'Vignette automobile',
        form: [
          label('info', "Recopiez l'immatriculation de la carte grise."),
          typed('numero', "Numéro d'enregistrement", 'N', [1, 10]),
          select('lettre', 'Lettre', ['A', 'B', 'D', 'E', 'H', 'W']),
          typed('prefecture', 'Préfecture', 'N', [1, 2]),
        ],
        bills: { ...tax('Vignette', [350, 1_500]), count: [1, 1] },
        extras: [
          { type: FEE, name: 'Frais de service', dirhams: 23.9 },
          { type: STAMP_FEE, name: 'Droit de timbre', dirhams: 2 },
        ],
      },
    ],
  },
  {
    code: '1202',
    name: 'DGI Impôts (test)',
    description: 'Impôts et taxes',
    site: 'https://impots.example',
    colour: '#4e342e',
    feesDirhams: 3,
    shows: ['nomClient'],
    crc: true,
    receivables: [
      {
        code: '01',
        name: 'Impôt sur le revenu',
        form: [taxNumber, typed('dateEmission', "Date d'émission de l'avis", 'D', [10, 10], OPTIONAL)],
        bills: tax('Impôt sur le revenu', [300, 900]),
        extras: [{ type: MANDATORY, name: 'Majoration de retard', dirhams: 45.5 }],
      },
      { code: '02', name: 'TVA', form: [taxNumber], bills: tax('TVA', [400, 1_200]) },
    ],
  },
  {
    code: '1203',
    name: 'TGR Taxes locales (test)',
    description: "Taxe d'habitation et taxe de services communaux",
    site: 'https://tgr.example',
    colour: '#1b5e20',
    feesDirhams: 3,
    shows: ['nomClient', 'adresse'],
    crc: true,
    receivables: [
      {
        code: '01',
        name: "Taxe d'habitation",
        form: [typed('article', "Numéro d'article", 'AN', [5, 12])],
        bills: tax("Taxe d'habitation", [120, 480]),
        extras: [
          { type: MANDATORY, name: 'Pénalité', dirhams: 18 },
          { type: STAMP_FEE, name: 'Droit de timbre', dirhams: 2 },
        ],
      },
      {
        code: '02',
        name: 'Amendes',
        form: [
          typed('avis', "Numéro d'avis", 'AN', [5, 12]),
          typed('dateAvis', "Date de l'avis", 'D', [10, 10]),
        ],
        bills: { ...tax('Amende', [150, 700]), count: [1, 1] },
      },
    ],
  },
];
