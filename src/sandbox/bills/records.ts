import { centimes, toDecimal } from '../../wallet/money.ts';
import type { SomeHandlers } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import { getCustomer } from '../customers/customer.ts';
import { type Bill, billOfOperation, billPayments, findBill, stateOf } from './book.ts';
import { CURRENCY } from './codes.ts';
import { type Creditor, receivableOf } from './creditors.ts';
import { totalOf } from './unpaid.ts';

/** The reads of a payment afterwards. */
export const records = {
  /**
   * By `refTxNetwork` (open question 24). "204 when no transaction matches": the search makes a transaction, and EN_ATTENTE
   * is its state until the confirmation. The setting `waitingBill` reads it otherwise: only a confirmation makes one.
   */
  readBillStatus(core, { tenant, query }) {
    const bill = findBill(core, tenant, query.reference);
    if (!bill || (!bill.operation && core.settings.waitingBill === 'noContent')) return null;
    const {
      id = null,
      amount = totalOf(bill.items),
      createdAt,
      executedAt,
    } = bill.operation ?? { createdAt: bill.createdAt };
    const status = stateOf(bill);
    return {
      networkReference: bill.reference,
      executed: status === 'CONFIRME',
      status,
      created_at: new Date(createdAt).toISOString(),
      amount: toDecimal(amount),
      executed_at: executedAt == null ? null : new Date(executedAt).toISOString(),
      chariOperationId: id,
    };
  },

  readBillReceipt(core, { tenant, params, query }) {
    const customer = getCustomer(core, tenant, query.phoneNumber);
    const bill = billOfOperation(core, customer, params.operationId);
    if (!bill || !settlementOf(bill)) refuse('receiptNotFound');
    const rows = rowsOf(bill);
    // Loaded here, because the font and its shaper take 25 MB that a process without the sandbox's receipts does not need.
    const draw = async () => (await import('../../pdf/write.ts')).pdf('Reçu de paiement', rows);
    return { type: 'application/pdf', draw };
  },

  listBillPayments(core, { tenant, query }) {
    const customer = getCustomer(core, tenant, query.phoneNumber);
    const { bills, count } = billPayments(core, customer, query.pageNumber, query.pageSize);
    const collection = bills.map((bill) => ({
      operationId: bill.operation?.id,
      refTxNetwork: bill.reference,
      refReglement: settlementOf(bill),
      nomCreancier: receivableOf(bill.creditor, bill.receivable)?.creditor.name,
      nomCreance: receivableOf(bill.creditor, bill.receivable)?.receivable.name,
      amount: toDecimal(centimes(bill.operation?.amount ?? 0)),
      status: stateOf(bill),
      createdAt: new Date(bill.operation?.createdAt ?? bill.createdAt).toISOString(),
    }));
    return { collection, count };
  },
} satisfies SomeHandlers;

/** `refReglement`: the creditor's own reference, once it has the money. A bill that was paid back later keeps it. */
export function settlementOf(bill: Bill): string | undefined {
  const isSettled = ['CONFIRME', 'REMBOURSE'].includes(stateOf(bill));
  return isSettled ? `R${bill.operation?.reference}` : undefined;
}

/** Number and text of the tax receipt, for creditors that give one. */
export function crcOf({ crc, name }: Creditor, bill: Bill) {
  if (!crc) return [];
  return [
    { nomChamp: 'numCRC', valeurChamp: `CRC-${bill.reference.slice(-8)}` },
    { nomChamp: 'texteCRC', valeurChamp: `Quittance délivrée par ${name}` },
  ];
}

function rowsOf(bill: Bill): readonly (readonly [string, string])[] {
  const { operation, items, paid, contract, reference } = bill;
  const where = receivableOf(bill.creditor, bill.receivable);
  if (!operation || !where) return [];
  const { creditor, receivable } = where;
  const dirhams = (amount: number) => `${(amount / 100).toFixed(2).replace('.', ',')} ${CURRENCY}`;
  return [
    ['Créancier', creditor.name],
    ['Service', receivable.name],
    ['Contrat', contract],
    ['Payé par', operation.sender],
    ['Date', CASABLANCA.format(operation.executedAt ?? operation.createdAt)],
    ...items
      .filter(({ idArticle }) => paid.includes(idArticle))
      .map((item) => [item.description ?? item.idArticle, dirhams(item.prixTTC * 100)] as const),
    ['Montant', dirhams(operation.amount)],
    ['Frais', dirhams(operation.fees)],
    ['Total', dirhams(operation.amount + operation.fees)],
    ['Référence de règlement', settlementOf(bill) ?? ''],
    ['Référence du réseau', reference],
    ...crcOf(creditor, bill).map(({ nomChamp, valeurChamp }) => [nomChamp, valeurChamp] as const),
  ];
}

const CASABLANCA = new Intl.DateTimeFormat('fr-FR', {
  timeZone: 'Africa/Casablanca',
  dateStyle: 'short',
  timeStyle: 'short',
});
