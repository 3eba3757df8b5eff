import { centimes } from '../../src/wallet/money.ts';
import type { BillRequest } from '../../src/wallet/services.ts';
import { FATIMA } from './answering.ts';

/** The answers of a customer to a bill form, which must not come back in a refusal. */
export const PASSWORD = 'S3cret-pass';

/** Two bills of one contract, as they are sent. */
export const ORDER: BillRequest = {
  from: FATIMA,
  creditorId: '1001',
  receivableId: '01',
  reference: '202611200001',
  all: true,
  items: [
    { id: '1', description: 'Facture 10/2026', date: '31/10/2026', amount: centimes(120_50), type: 0 },
    { id: '2', description: 'Frais', date: '', amount: centimes(3_00), type: 1 },
  ],
  values: [
    { name: 'contrat', value: '77001234' },
    { name: 'motDePasse', value: PASSWORD },
    { name: 'oui', value: 'O' },
  ],
  params: [
    { libelle: '', nomChamp: 'contrPaiement', valeurChamp: 'X' },
    { libelle: 'Nom', nomChamp: 'nom', valChamp: 'A. Test', extra: { kept: [1, null] } },
  ],
};
