import { ARTICLE_TYPES } from '../../wallet/contract/bills.ts';
import type { Creditor, Receivable } from './creditors.ts';
import { label, OPTIONAL, select, typed } from './form.ts';

const contract = typed('numContrat', 'Numéro de contrat', 'N', [6, 10]);

/** At most 4 bills in one transaction (facts E7). */
const utility = (name: string, dirhams: readonly [number, number]): Receivable['bills'] => ({
  name,
  every: 'month',
  count: [1, 4],
  dirhams,
});

/** Water and electricity. */
export const UTILITIES: readonly Creditor[] = [
  {
    code: '1001',
    name: 'SRM Casa-Settat (test)',
    description: 'Eau, électricité et assainissement',
    site: 'https://srm-cs.example',
    colour: '#0b6fa4',
    feesDirhams: 0,
    shows: ['nomClient', 'adresse'],
    receivables: [
      { code: '01', name: 'Eau et électricité', form: [contract], bills: utility('Facture', [80, 420]) },
      {
        code: '02',
        name: 'Travaux et branchements',
        form: [contract, select('typeClient', 'Type de client', ['Particulier', 'Professionnel'])],
        bills: utility('Travaux', [150, 600]),
        extras: [{ type: ARTICLE_TYPES.MANDATORY, name: 'Frais de dossier', dirhams: 30 }],
      },
    ],
  },
  {
    code: '1002',
    name: 'Redal (test)',
    description: 'Eau et électricité de Rabat',
    site: 'https://redal.example',
    colour: '#2e7d32',
    feesDirhams: 0,
    shows: ['nomClient', 'adresse'],
    receivables: [
      {
        code: '01',
        name: 'Factures',
        form: [
          label('info', 'Le numéro de contrat est en haut à droite de la facture.'),
          contract,
          typed('police', 'Numéro de police', 'AN', [4, 12], OPTIONAL),
        ],
        bills: utility('Facture', [60, 380]),
        extras: [{ type: ARTICLE_TYPES.FEE, name: 'Frais de relance', dirhams: 12.5 }],
      },
    ],
  },
  {
    code: '1003',
    name: 'Amendis (test)',
    description: 'Eau et électricité de Tanger et Tétouan',
    site: 'https://amendis.example',
    colour: '#00838f',
    feesDirhams: 0,
    shows: ['nomClient'],
    receivables: [
      { code: '01', name: 'Eau', form: [contract], bills: utility('Facture eau', [50, 200]) },
      { code: '02', name: 'Électricité', form: [contract], bills: utility('Facture électricité', [70, 350]) },
    ],
  },
  {
    code: '1004',
    name: 'ONEE (test)',
    description: "Office national de l'électricité et de l'eau potable",
    site: 'https://onee.example',
    colour: '#f9a825',
    feesDirhams: 0,
    shows: ['nomClient', 'adresse'],
    receivables: [
      { code: '01', name: 'Électricité', form: [contract], bills: utility('Facture électricité', [60, 300]) },
      {
        code: '02',
        name: 'Eau',
        form: [contract, typed('cle', 'Chiffre de contrôle', 'N', [1, 1])],
        bills: utility('Facture eau', [40, 180]),
      },
    ],
  },
];
