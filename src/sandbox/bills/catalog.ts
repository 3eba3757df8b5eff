import { ARTICLE_TYPES } from '../../wallet/contract/bills.ts';
import type { Creditor, Receivable } from './creditors.ts';
import { type Field, label, OPTIONAL, PASSWORD, select, typed } from './form.ts';

type Range = readonly [number, number];
type Extra = readonly [type: number, name: string, dirhams: number];

/** A creditor as most are. @param host of its site, below `.example` */
function creditor(code: string, name: string, host: string, colour: string, feesDirhams = 0) {
  const site = `https://${host}.example`;
  return { code, name: `${name} (test)`, site, colour, feesDirhams, shows: ['nomClient'] } as const;
}

type Unnumbered = Omit<Receivable, 'code'>;

function receivable(
  name: string,
  form: readonly Field[],
  bills: Receivable['bills'],
  ...extras: readonly Extra[]
): Unnumbered {
  return {
    name,
    form,
    bills,
    extras: extras.map(([type, extra, dirhams]) => ({ type, name: extra, dirhams })),
  };
}

const numbered = (...all: readonly Unnumbered[]): readonly Receivable[] =>
  all.map((each, n) => ({ ...each, code: `0${n + 1}` }));

const monthly = (name: string, count: Range, dirhams: Range): Receivable['bills'] => ({
  ...{ name, every: 'month', count, dirhams },
});
/** At most 4 bills in one transaction (facts E7). */
const utility = (name: string, dirhams: Range) => monthly(name, [1, 4], dirhams);
const telecom = (dirhams: Range) => monthly('Facture', [1, 3], dirhams);
const yearly = (name: string, dirhams: Range, count: Range = [1, 2]): Receivable['bills'] => ({
  ...{ name, every: 'year', count, dirhams },
});

const contract = typed('numContrat', 'Numéro de contrat', 'N', [6, 10]);
const taxNumber = typed('identifiant', 'Identifiant fiscal', 'N', [7, 10]);
const phoneNumber = typed('numTel', 'Numéro de téléphone', 'N', [10, 10]);
const clientNumber = typed('numClient', 'Numéro de client', 'AN', [6, 12]);
const policy = typed('police', 'Numéro de police', 'AN', [6, 12]);
const { FEE, MANDATORY, STAMP_FEE } = ARTICLE_TYPES;
const STAMP: Extra = [STAMP_FEE, 'Droit de timbre', 2];

/** Water and electricity. */
const UTILITIES: readonly Creditor[] = [
  {
    ...creditor('1001', 'SRM Casa-Settat', 'srm-cs', '#0b6fa4'),
    description: 'Eau, électricité et assainissement',
    shows: ['nomClient', 'adresse'],
    receivables: numbered(
      receivable('Eau et électricité', [contract], utility('Facture', [80, 420])),
      receivable(
        'Travaux et branchements',
        [contract, select('typeClient', 'Type de client', ['Particulier', 'Professionnel'])],
        utility('Travaux', [150, 600]),
        [MANDATORY, 'Frais de dossier', 30],
      ),
    ),
  },
  {
    ...creditor('1002', 'Redal', 'redal', '#2e7d32'),
    description: 'Eau et électricité de Rabat',
    shows: ['nomClient', 'adresse'],
    receivables: numbered(
      receivable(
        'Factures',
        [
          label('info', 'Le numéro de contrat est en haut à droite de la facture.'),
          contract,
          typed('police', 'Numéro de police', 'AN', [4, 12], OPTIONAL),
        ],
        utility('Facture', [60, 380]),
        [FEE, 'Frais de relance', 12.5],
      ),
    ),
  },
  {
    ...creditor('1003', 'Amendis', 'amendis', '#00838f'),
    description: 'Eau et électricité de Tanger et Tétouan',
    receivables: numbered(
      receivable('Eau', [contract], utility('Facture eau', [50, 200])),
      receivable('Électricité', [contract], utility('Facture électricité', [70, 350])),
    ),
  },
  {
    ...creditor('1004', 'ONEE', 'onee', '#f9a825'),
    description: "Office national de l'électricité et de l'eau potable",
    shows: ['nomClient', 'adresse'],
    receivables: numbered(
      receivable('Électricité', [contract], utility('Facture électricité', [60, 300])),
      receivable(
        'Eau',
        [contract, typed('cle', 'Chiffre de contrôle', 'N', [1, 1])],
        utility('Facture eau', [40, 180]),
      ),
    ),
  },
];

/** State and towns. Their receipts carry a number and a text of the tax office. */
const TAXES: readonly Creditor[] = [
  {
    ...creditor('1201', 'DGI Vignette', 'vignette', '#b71c1c'),
    description: 'Taxe spéciale annuelle sur les véhicules',
    crc: true,
    receivables: numbered(
      receivable(
        'Vignette automobile',
        [
          label(
            'info',
            'Immatriculation en trois parties, par exemple 12345-A-6 : numéro, lettre, préfecture.',
          ),
          typed('numero', "Numéro d'immatriculation", 'N', [1, 10]),
          select('lettre', 'Lettre', ['A', 'B', 'D', 'E', 'H', 'W']),
          typed('prefecture', 'Préfecture', 'N', [1, 2]),
        ],
        yearly('Vignette', [350, 1_500], [1, 1]),
        [FEE, 'Frais de service', 23.9],
        STAMP,
      ),
    ),
  },
  {
    ...creditor('1202', 'DGI Impôts', 'impots', '#4e342e', 3),
    description: 'Impôts et taxes',
    crc: true,
    receivables: numbered(
      receivable(
        'Impôt sur le revenu',
        [taxNumber, typed('dateEmission', "Date d'émission de l'avis", 'D', [10, 10], OPTIONAL)],
        yearly('Impôt sur le revenu', [300, 900]),
        [MANDATORY, 'Majoration de retard', 45.5],
      ),
      receivable('TVA', [taxNumber], yearly('TVA', [400, 1_200])),
    ),
  },
  {
    ...creditor('1203', 'TGR Taxes locales', 'tgr', '#1b5e20', 3),
    description: "Taxe d'habitation et taxe de services communaux",
    shows: ['nomClient', 'adresse'],
    crc: true,
    receivables: numbered(
      receivable(
        "Taxe d'habitation",
        [typed('article', "Numéro d'article", 'AN', [5, 12])],
        yearly("Taxe d'habitation", [120, 480]),
        [MANDATORY, 'Pénalité', 18],
        STAMP,
      ),
      receivable(
        'Amendes',
        [typed('avis', "Numéro d'avis", 'AN', [5, 12]), typed('dateAvis', "Date de l'avis", 'D', [10, 10])],
        yearly('Amende', [150, 700], [1, 1]),
      ),
    ),
  },
];

/** Telecom operators, contributions, a school, an insurer, a block of flats, and one that is closed. */
const SERVICES: readonly Creditor[] = [
  {
    ...creditor('1101', 'Maroc Telecom', 'maroc-telecom', '#e65100', 2),
    description: 'Mobile, fixe et internet',
    receivables: numbered(
      receivable('Mobile', [phoneNumber], telecom([99, 450])),
      receivable('Fixe', [phoneNumber], telecom([99, 450])),
      receivable('Internet', [phoneNumber], telecom([249, 499])),
    ),
  },
  {
    ...creditor('1102', 'Orange', 'orange', '#ff7900', 2),
    description: 'Mobile et internet',
    shows: [],
    receivables: numbered(
      receivable('Mobile', [phoneNumber], telecom([99, 450])),
      receivable('Internet à la maison', [clientNumber], telecom([99, 450])),
    ),
  },
  {
    ...creditor('1103', 'inwi', 'inwi', '#8e24aa', 2),
    description: 'Mobile et internet',
    shows: [],
    receivables: numbered(receivable('Factures', [phoneNumber], telecom([99, 450]))),
  },
  {
    ...creditor('1301', 'CNSS', 'cnss', '#0277bd', 3),
    description: 'Cotisations sociales',
    receivables: numbered(
      receivable(
        'Cotisations',
        [
          typed('affiliation', "Numéro d'affiliation", 'N', [7, 10]),
          typed('codeAcces', "Code d'accès", 'N', [4, 8], PASSWORD),
        ],
        monthly('Cotisation', [1, 3], [250, 600]),
        [MANDATORY, 'Majoration de retard', 15.25],
      ),
    ),
  },
  {
    ...creditor('1401', 'École Amandiers', 'amandiers', '#6a1b9a'),
    description: 'Frais de scolarité',
    receivables: numbered(
      receivable(
        'Scolarité',
        [
          typed('codeEleve', "Code de l'élève", 'AN', [4, 10]),
          typed('nomEleve', "Nom de l'élève", 'A', [2, 30]),
          typed('dateNaissance', 'Date de naissance', 'D', [10, 10], OPTIONAL),
        ],
        monthly('Mensualité', [12, 12], [150, 220]),
        [MANDATORY, "Assurance de l'élève", 60],
      ),
    ),
  },
  {
    ...creditor('1501', 'Assurance Littoral', 'littoral', '#37474f', 5),
    description: 'Automobile et habitation',
    shows: ['nomClient', 'adresse'],
    receivables: numbered(
      receivable(
        'Automobile',
        [policy, typed('motDePasse', 'Mot de passe', 'AN', [6, 20], { ...PASSWORD, ...OPTIONAL })],
        monthly('Prime', [1, 2], [180, 520]),
        [FEE, 'Frais accessoires', 10],
      ),
      receivable('Habitation', [policy], yearly('Prime', [300, 900], [1, 1])),
    ),
  },
  {
    ...creditor('1601', 'Syndic Rés. Atlas', 'atlas', '#558b2f', 2),
    description: 'Charges de copropriété',
    shows: ['adresse'],
    receivables: numbered(
      receivable(
        'Charges',
        [
          typed('lot', 'Numéro de lot', 'N', [1, 10]),
          typed('etage', 'Étage (0 pour le rez-de-chaussée)', 'N', [1, 2]),
        ],
        monthly('Charges', [1, 3], [90, 160]),
      ),
    ),
  },
  {
    ...creditor('1901', 'Régie fermée', 'fermee', '#757575'),
    ...{ description: 'Listée, mais fermée', shows: [], inactive: true, receivables: [] },
  },
];

/** Every creditor there is, in the order in which they are listed. */
export const CREDITORS: readonly Creditor[] = [...UTILITIES, ...TAXES, ...SERVICES];
